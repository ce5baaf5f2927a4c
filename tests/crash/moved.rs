//! Whole records in the wrong place: only their own position and links can tell.

use context_continuity::domain::ids::TaskRef;
use context_continuity::domain::ports::{Ledger as _, LedgerError};
use context_continuity::io::fs::fault::FaultDisk;
use context_continuity::io::ledger::SegmentLog;

use crate::support::{
    SMALL, WIDE, anchor, copied, open, path, payload, read_all, record_range, segment, written,
};

const COUNT: usize = 200;
const PAYLOAD: usize = 24;

fn fixture() -> (FaultDisk, Vec<Vec<u8>>) {
    let payloads: Vec<Vec<u8>> = (0..COUNT).map(|number| payload(number, PAYLOAD)).collect();
    (written(WIDE, &payloads), payloads)
}

/// Changes the segment, takes the anchor away, and demands damage with a right prefix before it.
#[track_caller]
fn check_damage(fixture: &(FaultDisk, Vec<Vec<u8>>), change: impl Fn(&mut Vec<u8>)) {
    let changed = copied(&fixture.0, |name, bytes| {
        if name.ends_with(".seg") {
            change(bytes);
        }
    });
    changed.take_away(&anchor());
    let (seen, reading) = read_all(&mut open(&changed, WIDE));
    assert_eq!(seen, fixture.1[..seen.len()]);
    assert!(matches!(reading, Err(LedgerError::Damaged { .. })), "{reading:?}");
}

#[test]
fn any_two_records_swapped_are_damage() {
    let fixture = fixture();
    let mut pair_count = 0;
    for first in 0..COUNT {
        for second in first + 1..COUNT {
            check_damage(&fixture, |bytes| {
                let record = bytes[record_range(first, PAYLOAD)].to_vec();
                let start = record_range(second, PAYLOAD).start;
                bytes
                    .copy_within(record_range(second, PAYLOAD), record_range(first, PAYLOAD).start);
                bytes[start..start + record.len()].copy_from_slice(&record);
            });
            pair_count += 1;
        }
    }
    assert_eq!(pair_count, 19_900);
}

#[test]
fn a_dropped_record_is_damage_and_without_a_witness_only_the_last_one_is_not_missed() {
    let fixture = fixture();
    for index in 0..COUNT - 1 {
        check_damage(&fixture, |bytes| drop(bytes.drain(record_range(index, PAYLOAD))));
    }
    let cut = copied(&fixture.0, |name, bytes| {
        if name.ends_with(".seg") {
            bytes.truncate(record_range(COUNT - 1, PAYLOAD).start);
        }
    });
    let outcome = read_all(&mut open(&cut, WIDE)).1;
    assert!(matches!(outcome, Err(LedgerError::RolledBack { .. })), "{outcome:?}");
    cut.take_away(&anchor());
    assert!(read_all(&mut open(&cut, WIDE)).1.is_ok());
}

#[test]
fn a_doubled_record_is_damage() {
    let fixture = fixture();
    for index in 0..COUNT {
        check_damage(&fixture, |bytes| {
            let record = bytes[record_range(index, PAYLOAD)].to_vec();
            let end = record_range(index, PAYLOAD).end;
            bytes.splice(end..end, record);
        });
    }
}

#[test]
fn a_record_of_another_task_is_damage() {
    let fixture = fixture();
    let foreign = foreign_log();
    let theirs = foreign.content(&path(&format!("tasks/{OTHER}/ledger/000001.seg"))).unwrap();
    for index in 0..COUNT {
        check_damage(&fixture, |bytes| {
            let range = record_range(index, PAYLOAD);
            bytes[range.clone()].copy_from_slice(&theirs[range]);
        });
    }
    check_damage(&fixture, |bytes| bytes.clone_from(&theirs));
}

const OTHER: TaskRef = TaskRef::new([8; 16]);

/// The same payloads under another task's name.
fn foreign_log() -> FaultDisk {
    let disk = FaultDisk::new();
    let mut log = SegmentLog::new(std::sync::Arc::new(disk.clone()), OTHER, WIDE);
    log.lock(0).unwrap();
    log.create().unwrap();
    for number in 0..COUNT {
        log.append(&payload(number, PAYLOAD)).unwrap();
    }
    disk
}

#[test]
fn any_segment_taken_away_emptied_or_exchanged_is_named() {
    let payloads: Vec<Vec<u8>> = (0..60).map(|number| payload(number, 200)).collect();
    let disk = written(SMALL, &payloads);
    let count = disk.paths().iter().filter(|name| name.ends_with(".seg")).count();
    let count = u32::try_from(count).unwrap();
    assert!(count > 5);
    for number in 1..=count {
        for lost in [true, false] {
            let changed = copied(&disk, |_, _| ());
            if lost {
                changed.take_away(&segment(number));
            } else {
                changed.put(&segment(number), b"");
            }
            changed.take_away(&anchor());
            let (seen, reading) = read_all(&mut open(&changed, SMALL));
            assert_eq!(seen, payloads[..seen.len()]);
            let Err(LedgerError::Damaged { file, offset_bytes: 0, .. }) = reading else {
                panic!("segment {number}: {reading:?}");
            };
            assert_eq!(file, segment(number).as_str());
        }
        let other = number % count + 1;
        let changed = copied(&disk, |_, _| ());
        changed.put(&segment(number), &disk.content(&segment(other)).unwrap());
        let reading = read_all(&mut open(&changed, SMALL)).1;
        assert!(
            matches!(&reading, Err(LedgerError::Damaged { file, .. }) if *file == segment(number).as_str()),
            "{reading:?}"
        );
    }
}

#[test]
fn a_segment_behind_an_unsealed_one_is_damage_once_it_holds_a_record() {
    let payloads: Vec<Vec<u8>> = (0..20).map(|number| payload(number, 200)).collect();
    let disk = written(SMALL, &payloads);
    let seal_bytes = 120;
    disk.edit(&segment(1), |bytes| bytes.truncate(bytes.len() - seal_bytes));
    let end = disk.content(&segment(1)).unwrap().len() as u64;
    let reading = read_all(&mut open(&disk, SMALL)).1;
    assert!(
        matches!(&reading, Err(LedgerError::Damaged { file, offset_bytes, .. })
            if *file == segment(1).as_str() && *offset_bytes == end),
        "{reading:?}"
    );
}

#[test]
fn bytes_behind_a_seal_are_damage() {
    let payloads: Vec<Vec<u8>> = (0..20).map(|number| payload(number, 200)).collect();
    let disk = written(SMALL, &payloads);
    disk.edit(&segment(1), |bytes| bytes.push(0));
    let reading = read_all(&mut open(&disk, SMALL)).1;
    assert!(
        matches!(&reading, Err(LedgerError::Damaged { file, .. }) if *file == segment(1).as_str()),
        "{reading:?}"
    );
}
