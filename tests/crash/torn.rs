//! Cuts at every length, and what else may stand at the end of a log.

use context_continuity::domain::ports::{Ledger as _, LedgerError};
use context_continuity::io::fs::fault::FaultDisk;

use crate::support::{
    FRAME, SEGMENT_HEADER, TASK, WIDE, anchor, copied, open, payload, read_all, segment, written,
};

const PAYLOAD: usize = 184;

/// A log of one segment of about 16 KiB.
fn fixture() -> (FaultDisk, Vec<Vec<u8>>) {
    let payloads: Vec<Vec<u8>> = (0..54).map(|number| payload(number, PAYLOAD)).collect();
    (written(WIDE, &payloads), payloads)
}

/// A copy whose segment is cut, and whose anchor is gone.
fn unwitnessed(disk: &FaultDisk, length: usize) -> FaultDisk {
    let cut = copied(disk, |name, bytes| {
        if name.ends_with(".seg") {
            bytes.truncate(length);
        }
    });
    cut.take_away(&anchor());
    cut
}

#[test]
fn a_log_cut_at_any_length_opens_with_its_longest_whole_prefix() {
    let (disk, payloads) = fixture();
    let whole = disk.content(&segment(1)).unwrap().len();
    assert!(whole > 16 * 1000);
    for length in SEGMENT_HEADER..=whole {
        let cut = unwitnessed(&disk, length);
        let mut log = open(&cut, WIDE);
        log.lock(0).unwrap();
        let (seen, reading) = read_all(&mut log);
        let record_count = (length - SEGMENT_HEADER) / (FRAME + PAYLOAD);
        assert_eq!(seen, payloads[..record_count], "cut at {length}");
        let torn_bytes = (length - SEGMENT_HEADER) % (FRAME + PAYLOAD);
        assert_eq!(reading.unwrap().torn_bytes, torn_bytes as u64, "cut at {length}");
        let kept = length - torn_bytes;
        assert_eq!(cut.content(&segment(1)).unwrap().len(), kept, "cut at {length}");
        let copy = format!("tasks/{TASK}/quarantine/000001-{kept}");
        let original = disk.content(&segment(1)).unwrap();
        let set_aside = cut.files().get(&copy).cloned().unwrap_or_default();
        assert_eq!(set_aside, original[kept..length], "cut at {length}");
    }
}

#[test]
fn a_cut_inside_the_segment_header_is_damage() {
    let (disk, _) = fixture();
    for length in 0..SEGMENT_HEADER {
        let (seen, reading) = read_all(&mut open(&unwitnessed(&disk, length), WIDE));
        assert!(seen.is_empty());
        let Err(LedgerError::Damaged { file, offset_bytes: 0, .. }) = reading else {
            panic!("cut at {length}: {reading:?}");
        };
        assert_eq!(file, segment(1).as_str());
    }
}

#[test]
fn a_cut_below_the_anchor_is_never_taken_for_a_torn_tail() {
    let (disk, _) = fixture();
    let whole = disk.content(&segment(1)).unwrap().len();
    for length in 0..whole {
        let cut = copied(&disk, |name, bytes| {
            if name.ends_with(".seg") {
                bytes.truncate(length);
            }
        });
        let files = cut.files();
        let mut log = open(&cut, WIDE);
        log.lock(0).unwrap();
        match read_all(&mut log).1 {
            Err(LedgerError::Damaged { .. } | LedgerError::RolledBack { .. }) => {}
            other => panic!("cut at {length}: {other:?}"),
        }
        assert!(matches!(log.append(b"more"), Err(LedgerError::Poisoned)), "cut at {length}");
        let left: Vec<_> =
            cut.files().into_iter().filter(|(name, _)| files.contains_key(name)).collect();
        assert_eq!(left, files.into_iter().collect::<Vec<_>>(), "cut at {length}");
    }
}

#[test]
fn a_tail_of_zeros_is_torn() {
    let (disk, payloads) = fixture();
    for zeros in [1, FRAME, 4096, 100_000] {
        disk.edit(&segment(1), |bytes| bytes.resize(bytes.len() + zeros, 0));
        let mut log = open(&disk, WIDE);
        log.lock(0).unwrap();
        let (seen, reading) = read_all(&mut log);
        assert_eq!(seen, payloads);
        assert_eq!(reading.unwrap().torn_bytes, zeros as u64);
        log.append(b"goes on").unwrap();
        disk.edit(&segment(1), |bytes| bytes.truncate(bytes.len() - FRAME - 7));
        disk.take_away(&anchor());
    }
}

#[test]
fn invalid_bytes_before_a_whole_record_are_damage_wherever_it_starts() {
    let (disk, payloads) = fixture();
    let whole = disk.content(&segment(1)).unwrap();
    let last = whole.len() - FRAME - PAYLOAD;
    for gap in [1, 3, 4, 32 * 1024 - 2, 32 * 1024, 70_000] {
        let gapped = copied(&disk, |name, bytes| {
            if name.ends_with(".seg") {
                let record = bytes.split_off(last);
                bytes.resize(last + gap, 0xC7);
                bytes.extend(record);
            }
        });
        gapped.take_away(&anchor());
        let mut log = open(&gapped, WIDE);
        log.lock(0).unwrap();
        let (seen, reading) = read_all(&mut log);
        assert_eq!(seen, payloads[..payloads.len() - 1]);
        assert!(
            matches!(reading, Err(LedgerError::Damaged { offset_bytes, .. }) if offset_bytes == last as u64),
            "gap of {gap}: {reading:?}"
        );
    }
}

#[test]
fn bytes_torn_twice_at_one_place_are_both_kept() {
    let (disk, _) = fixture();
    let end = disk.content(&segment(1)).unwrap().len();
    for torn in [b"first".as_slice(), b"second"] {
        disk.edit(&segment(1), |bytes| bytes.extend_from_slice(torn));
        let mut log = open(&disk, WIDE);
        log.lock(0).unwrap();
        read_all(&mut log).1.unwrap();
    }
    let files = disk.files();
    assert_eq!(files[&format!("tasks/{TASK}/quarantine/000001-{end}")], b"first");
    assert_eq!(files[&format!("tasks/{TASK}/quarantine/000001-{end}-2")], b"second");
}

#[test]
fn a_reader_without_the_lock_counts_torn_bytes_and_leaves_them() {
    let (disk, payloads) = fixture();
    disk.edit(&segment(1), |bytes| bytes.extend_from_slice(b"torn"));
    let paths = disk.paths();
    let (seen, reading) = read_all(&mut open(&disk, WIDE));
    assert_eq!((seen, reading.unwrap().torn_bytes), (payloads, 4));
    assert_eq!(disk.paths(), paths);
    assert!(disk.content(&segment(1)).unwrap().ends_with(b"torn"));
}
