//! Each check is the only one that sees some forgery: without it, that forgery would be read.

use context_continuity::domain::ports::{Damage, LedgerError};
use context_continuity::io::fs::fault::FaultDisk;
use sha2::{Digest as _, Sha256};

use crate::support::{
    FRAME, SEGMENT_HEADER, SMALL, WIDE, anchor, copied, open, payload, read_all, record_range,
    segment, written,
};

const PAYLOAD: usize = 24;
const FORGED: usize = 2;

/// Offsets of fields in a record; `docs/format.md` is the source.
const FORMAT: usize = 4;
const KIND: usize = 6;
const RESERVED: usize = 7;
const STREAM: usize = 12;
const SEGMENT: usize = 28;
const OFFSET: usize = 32;
const SEQUENCE: usize = 40;
const PREVIOUS: usize = 48;

fn fixture() -> FaultDisk {
    let payloads: Vec<Vec<u8>> = (0..5).map(|number| payload(number, PAYLOAD)).collect();
    written(WIDE, &payloads)
}

fn put_link(record: &mut [u8]) {
    let end = record.len() - 36;
    let link = Sha256::digest(&record[..end]);
    record[end..end + 32].copy_from_slice(&link);
}

fn put_checksum(bytes: &mut [u8]) {
    let end = bytes.len() - 4;
    let checksum = crc32c::crc32c(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
}

/// Forges the third record and demands that exactly `what` is found wrong with it.
#[track_caller]
fn check_record(what: Damage, forge: impl Fn(&mut [u8])) {
    let range = record_range(FORGED, PAYLOAD);
    let forged = copied(&fixture(), |name, bytes| {
        if name.ends_with(".seg") {
            forge(&mut bytes[range.clone()]);
        }
    });
    // Neither a witness nor a following record helps.
    forged.take_away(&anchor());
    forged.edit(&segment(1), |bytes| bytes.truncate(range.end));
    let (seen, reading) = read_all(&mut open(&forged, WIDE));
    assert_eq!(seen.len(), FORGED);
    match reading {
        Err(LedgerError::Damaged { offset_bytes, what: found, .. }) => {
            assert_eq!((offset_bytes, found), (range.start as u64, what));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_the_checksum_sees_a_broken_checksum() {
    let range = record_range(FORGED, PAYLOAD);
    let forged = copied(&fixture(), |name, bytes| {
        if name.ends_with(".seg") {
            bytes[range.end - 1] ^= 1;
        }
    });
    forged.take_away(&anchor());
    let (seen, reading) = read_all(&mut open(&forged, WIDE));
    assert_eq!(seen.len(), FORGED);
    assert!(matches!(reading, Err(LedgerError::Damaged { what: Damage::Checksum, .. })));
}

#[test]
fn only_the_link_sees_a_payload_changed_together_with_its_checksum() {
    check_record(Damage::Link, |record| {
        record[80] ^= 1;
        put_checksum(record);
    });
}

#[test]
fn only_the_previous_link_sees_another_history() {
    check_record(Damage::Link, |record| {
        record[PREVIOUS] ^= 1;
        put_link(record);
        put_checksum(record);
    });
}

#[test]
fn only_its_own_position_sees_a_record_in_the_wrong_place() {
    for field in [STREAM, SEGMENT, OFFSET, SEQUENCE] {
        check_record(Damage::Position, |record| {
            record[field] ^= 1;
            put_link(record);
            put_checksum(record);
        });
    }
}

#[test]
fn a_record_of_an_unknown_format_kind_or_reserved_byte_is_refused() {
    for field in [FORMAT, KIND, RESERVED] {
        check_record(Damage::Magic, |record| {
            record[field] ^= 4;
            put_link(record);
            put_checksum(record);
        });
    }
}

#[test]
fn a_length_beyond_the_bound_is_refused_before_it_is_believed() {
    let range = record_range(FORGED, PAYLOAD);
    for length in [64 * 1024 + 1, u32::MAX] {
        let forged = copied(&fixture(), |name, bytes| {
            if name.ends_with(".seg") {
                bytes[range.start + 8..range.start + 12].copy_from_slice(&length.to_le_bytes());
            }
        });
        let reading = read_all(&mut open(&forged, WIDE)).1;
        assert!(
            matches!(reading, Err(LedgerError::Damaged { what: Damage::Length, .. })),
            "{reading:?}"
        );
    }
}

#[test]
fn a_record_past_the_bound_is_refused_though_it_is_whole_and_fits_its_file() {
    let range = record_range(FORGED, PAYLOAD);
    for (payload_bytes, is_read) in [(64 * 1024, true), (64 * 1024 + 1, false)] {
        let forged = copied(&fixture(), |name, bytes| {
            if name.ends_with(".seg") {
                bytes.truncate(range.end);
                let mut record = bytes.split_off(range.start);
                let length = u32::try_from(payload_bytes).unwrap();
                record[8..12].copy_from_slice(&length.to_le_bytes());
                record.resize(FRAME + payload_bytes, 0);
                put_link(&mut record);
                put_checksum(&mut record);
                bytes.extend(record);
            }
        });
        forged.take_away(&anchor());
        let (seen, _) = read_all(&mut open(&forged, WIDE));
        assert_eq!(seen.len(), FORGED + usize::from(is_read), "{payload_bytes} bytes");
    }
}

/// Forges the header of the second segment.
#[track_caller]
fn check_header(what: Damage, forge: impl Fn(&mut [u8])) {
    let payloads: Vec<Vec<u8>> = (0..30).map(|number| payload(number, 100)).collect();
    let disk = written(SMALL, &payloads);
    disk.edit(&segment(2), |bytes| {
        forge(&mut bytes[..SEGMENT_HEADER]);
        put_checksum(&mut bytes[..SEGMENT_HEADER]);
    });
    let reading = read_all(&mut open(&disk, SMALL)).1;
    match reading {
        Err(LedgerError::Damaged { file, what: found, .. }) => {
            assert_eq!((file.as_str(), found), (segment(2).as_str(), what));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_field_of_a_segment_header_is_checked() {
    check_header(Damage::Magic, |header| header[0] ^= 1);
    check_header(Damage::Magic, |header| header[4] ^= 1);
    check_header(Damage::Magic, |header| header[6] ^= 1);
    check_header(Damage::Position, |header| header[8] ^= 1);
    check_header(Damage::Position, |header| header[24] ^= 1);
    check_header(Damage::Position, |header| header[28] ^= 1);
    check_header(Damage::Link, |header| header[36] ^= 1);
}

#[test]
fn a_seal_that_names_another_successor_is_refused() {
    let payloads: Vec<Vec<u8>> = (0..30).map(|number| payload(number, 100)).collect();
    let disk = written(SMALL, &payloads);
    let seal = FRAME + 4;
    disk.edit(&segment(1), |bytes| {
        let start = bytes.len() - seal;
        bytes[start + 80] ^= 1;
        put_link(&mut bytes[start..]);
        put_checksum(&mut bytes[start..]);
    });
    let reading = read_all(&mut open(&disk, SMALL)).1;
    assert!(
        matches!(&reading, Err(LedgerError::Damaged { file, what: Damage::Position, .. })
            if *file == segment(1).as_str()),
        "{reading:?}"
    );
}

#[test]
fn a_newer_format_is_refused_by_number_and_nothing_is_touched() {
    for file in [segment(1), anchor()] {
        let disk = fixture();
        let covered = if file == anchor() { 100 } else { SEGMENT_HEADER };
        disk.edit(&file, |bytes| {
            for start in (0..bytes.len()).step_by(4096) {
                if let Some(slot) = bytes.get_mut(start..start + covered) {
                    slot[FORMAT] = 2;
                    put_checksum(slot);
                }
            }
        });
        disk.edit(&segment(1), |bytes| bytes.extend_from_slice(b"torn"));
        let files = disk.files();
        let mut log = open(&disk, WIDE);
        context_continuity::domain::ports::Ledger::lock(&mut log, 0).unwrap();
        let reading = read_all(&mut log).1;
        assert!(
            matches!(reading, Err(LedgerError::NewerFormat { found: 2, supported: 1 })),
            "{reading:?}"
        );
        assert_eq!(disk.files(), files);
    }
}
