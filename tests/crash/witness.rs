//! What the anchor and a reader's own position can tell.

use context_continuity::domain::chain::Basis;
use context_continuity::domain::ports::{Ledger as _, LedgerError, Position};
use context_continuity::io::fs::fault::FaultDisk;
use context_continuity::io::ledger::AnchorState;

use crate::support::{
    SMALL, TASK, anchor, copied, open, path, payload, peek, read_all, segment, verify, written,
};

fn fixture(count: usize) -> (FaultDisk, Vec<Vec<u8>>) {
    let payloads: Vec<Vec<u8>> = (0..count).map(|number| payload(number, 300)).collect();
    (written(SMALL, &payloads), payloads)
}

/// The older log under the newer anchor, as after a restored backup.
fn restored(older: &FaultDisk, newer: &FaultDisk) -> FaultDisk {
    let disk = copied(older, |_, _| ());
    disk.put(&anchor(), &newer.content(&anchor()).unwrap());
    disk
}

#[test]
fn every_older_copy_of_a_log_is_seen_as_rolled_back() {
    let (newest, _) = fixture(20);
    for count in 0..20 {
        let (older, payloads) = fixture(count);
        let disk = restored(&older, &newest);
        let mut log = open(&disk, SMALL);
        log.lock(0).unwrap();
        let (seen, reading) = read_all(&mut log);
        assert_eq!(seen, payloads);
        match reading {
            Err(LedgerError::RolledBack { acknowledged, found }) => {
                assert_eq!((acknowledged.get(), found.get()), (20, count as u64));
            }
            other => panic!("{count}: {other:?}"),
        }
        assert!(matches!(log.append(b"x"), Err(LedgerError::Poisoned)));
    }
}

#[test]
fn an_anchor_behind_the_log_is_no_alarm() {
    let (newest, payloads) = fixture(20);
    for count in 0..20 {
        let disk = restored(&newest, &fixture(count).0);
        let (seen, reading) = peek(&disk);
        reading.unwrap();
        assert_eq!(seen, payloads);
    }
}

#[test]
fn a_log_that_is_gone_whole_is_rolled_back_and_never_created_anew() {
    let (disk, _) = fixture(3);
    disk.take_away(&path(&format!("tasks/{TASK}")));
    let mut log = open(&disk, SMALL);
    assert!(log.exists().unwrap());
    log.lock(0).unwrap();
    for outcome in [log.create(), read_all(&mut log).1.map(|_| ())] {
        match outcome {
            Err(LedgerError::RolledBack { acknowledged, found }) => {
                assert_eq!((acknowledged.get(), found.get()), (3, 0));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn two_copies_that_went_on_apart_are_forked_either_way_round() {
    let (base, _) = fixture(4);
    let mut sides = [copied(&base, |_, _| ()), copied(&base, |_, _| ())];
    for (number, side) in sides.iter_mut().enumerate() {
        let mut log = open(side, SMALL);
        log.lock(0).unwrap();
        read_all(&mut log).1.unwrap();
        log.append(&payload(50 + number, 30)).unwrap();
    }
    let [one, other] = sides;
    for disk in [restored(&one, &other), restored(&other, &one)] {
        let reading = read_all(&mut open(&disk, SMALL)).1;
        let Err(LedgerError::Forked { at }) = reading else { panic!("{reading:?}") };
        assert_eq!(at.get(), 5);
    }
}

#[test]
fn a_missing_or_unreadable_anchor_is_made_anew_by_the_next_writer_alone() {
    for unreadable in [false, true] {
        let (disk, payloads) = fixture(5);
        if unreadable {
            disk.put(&anchor(), b"nothing of ours");
        } else {
            disk.take_away(&anchor());
        }
        let expected = if unreadable { AnchorState::Unreadable } else { AnchorState::Missing };
        assert_eq!(verify(&disk).anchor, expected);
        assert_eq!(peek(&disk).0, payloads);
        assert_eq!(verify(&disk).anchor, expected, "a reader changes nothing");
        let mut log = open(&disk, SMALL);
        log.lock(0).unwrap();
        let reading = read_all(&mut log).1.unwrap();
        assert_eq!(verify(&disk).anchor, AnchorState::Witnesses(reading.position.head));
        log.append(b"more").unwrap();
    }
}

#[test]
fn an_accepted_rollback_goes_on_from_the_present_end() {
    let disk = restored(&fixture(7).0, &fixture(20).0);
    let mut log = open(&disk, SMALL);
    log.lock(0).unwrap();
    read_all(&mut log).1.unwrap_err();
    let position = log.accept_rollback().unwrap();
    assert_eq!(position.head.sequence.get(), 7);
    assert_eq!(log.append(b"goes on").unwrap().head.sequence.get(), 8);
    drop(log);
    // Neither slot holds the older claim any more.
    for slot in [0, 4096] {
        let half = copied(&disk, |name, bytes| {
            if name.starts_with("anchors/") {
                bytes[slot] ^= 1;
            }
        });
        peek(&half).1.unwrap();
    }
}

#[test]
fn a_damaged_log_is_not_accepted() {
    let (disk, _) = fixture(7);
    disk.edit(&segment(1), |bytes| bytes[100] ^= 1);
    let mut log = open(&disk, SMALL);
    log.lock(0).unwrap();
    assert!(matches!(log.accept_rollback(), Err(LedgerError::Damaged { .. })));
}

#[test]
fn a_tail_reading_shows_what_is_behind_each_position() {
    let (disk, payloads) = fixture(12);
    let mut positions = vec![Position::START];
    open(&disk, SMALL)
        .read(Position::START, &mut |record| positions.push(record.position))
        .unwrap();
    assert_eq!(positions.len(), 13);
    for (count, from) in positions.iter().enumerate() {
        let mut seen = Vec::new();
        let reading = open(&disk, SMALL)
            .read(*from, &mut |record| seen.push(record.payload.to_vec()))
            .unwrap();
        assert_eq!(seen, payloads[count..]);
        assert_eq!(reading.position, positions[12]);
        let basis = if count == 0 { Basis::Full } else { Basis::Since(from.head.sequence) };
        assert_eq!(reading.basis, basis);
        let bytes: usize = disk
            .files()
            .iter()
            .filter(|(name, _)| name.ends_with(".seg"))
            .map(|(_, bytes)| bytes.len())
            .sum();
        assert_eq!(reading.log_bytes, bytes as u64);
    }
}

#[test]
fn a_reader_that_stands_further_than_the_log_says_rolled_back() {
    let (disk, _) = fixture(12);
    let ahead = peek(&disk).1.unwrap().position;
    let older = fixture(5).0;
    let reading = open(&older, SMALL).read(ahead, &mut |_| panic!("nothing may be shown"));
    assert!(matches!(reading, Err(LedgerError::RolledBack { .. })), "{reading:?}");
    let other: Vec<Vec<u8>> = (0..12).map(|number| payload(number + 500, 300)).collect();
    let reading = open(&written(SMALL, &other), SMALL).read(ahead, &mut |_| panic!("nothing"));
    assert!(matches!(reading, Err(LedgerError::Forked { .. })), "{reading:?}");
}

#[test]
fn a_verification_counts_what_it_read_and_names_what_is_wrong() {
    let (disk, _) = fixture(12);
    let mut last = None;
    let report = open(&disk, SMALL).verify(&mut |progress| last = Some(progress));
    assert_eq!((report.records, report.torn_bytes), (12, 0));
    assert_eq!(report.anchor, AnchorState::Witnesses(report.head));
    assert!(report.problem.is_none());
    let last = last.unwrap();
    assert_eq!((last.records, last.record_bytes), (12, 12 * 416));
    assert!(last.record_bytes < last.log_bytes && last.log_bytes == report.log_bytes);
    assert_eq!(report.segments, 3);
    disk.edit(&segment(2), |bytes| bytes[500] ^= 1);
    let report = verify(&disk);
    assert_eq!(report.records, report.head.sequence.get());
    assert!(
        matches!(&report.problem, Some(LedgerError::Damaged { file, .. }) if *file == segment(2).as_str())
    );
}

#[test]
fn an_empty_successor_that_saw_more_than_its_predecessor_holds_is_damage() {
    let (disk, _) = fixture(6);
    let frame = 116 + 300;
    disk.take_away(&anchor());
    disk.edit(&segment(2), |bytes| bytes.truncate(72));
    disk.edit(&segment(1), |bytes| bytes.truncate(72 + 5 * frame));
    assert_eq!(peek(&disk).0.len(), 5, "only the seal is missing");
    peek(&disk).1.unwrap();
    disk.edit(&segment(1), |bytes| bytes.truncate(72 + 4 * frame));
    let reading = peek(&disk).1;
    assert!(matches!(reading, Err(LedgerError::Damaged { .. })), "{reading:?}");
}
