//! Proof that the oracles bite: with any one sync left out, one of them fails.
//!
//! The omissions are the list of syncs that the ledger makes. To take one out by hand instead,
//! remove the line; the test named for it in `docs/format.md` fails.

use std::sync::Arc;

use context_continuity::domain::ports::Ledger as _;
use context_continuity::io::fs::FileSystem;
use context_continuity::io::fs::fault::{FaultDisk, Policy};

use context_continuity::io::ledger::SegmentLog;

use crate::forgetful::{Forgetful, Omission};
use crate::images::played;
use crate::script::{play, recover, script, witness_is_kept};
use crate::support::{SMALL, TASK, open, open_on, payload, read_all, segment, written};

/// Counts crash images of the script that break a promise when `omission` is left out.
fn broken_images(omission: Omission) -> usize {
    let disk = FaultDisk::new();
    let door: Arc<dyn FileSystem> = Arc::new(Forgetful::new(disk.clone(), omission));
    let (history, outcome) = play(&disk, &door, &script());
    outcome.unwrap();
    let calls = 1..=disk.call_count() + 1;
    calls
        .flat_map(|call| disk.policies_at(call, 2).into_iter().map(move |policy| (call, policy)))
        .filter(|(call, policy)| {
            let image = disk.crash_at(*call, *policy);
            let is_powerless = *policy == Policy::LoseAll;
            (is_powerless && witness_is_kept(&image, &history, call - 1).is_err())
                || recover(&image, &history, call - 1).is_err()
        })
        .count()
}

#[test]
fn every_sync_of_writing_is_missed_when_it_is_left_out() {
    // The last name is the root's.
    let task = TASK.to_string().leak();
    let directories = ["ledger", task, "tasks", "anchors", ""];
    let omissions =
        [Omission::Record, Omission::Seal, Omission::Header, Omission::Anchor, Omission::Rotation]
            .into_iter()
            .chain(directories.map(Omission::Directory));
    for omission in omissions {
        let broken = broken_images(omission);
        println!("without the sync of {omission:?}: {broken} broken images");
        assert!(broken > 0, "nothing misses the sync of {omission:?}");
    }
}

/// Counts crashes of a recovery after which the bytes that it cut are nowhere.
fn lost_tails(omission: Option<Omission>) -> usize {
    let base = torn_disk();
    let door: Arc<dyn FileSystem> = match omission {
        None => Arc::new(base.clone()),
        Some(omission) => Arc::new(Forgetful::new(base.clone(), omission)),
    };
    let mut log = SegmentLog::new(door, TASK, SMALL);
    log.lock(0).unwrap();
    read_all(&mut log).1.unwrap();
    let calls = 1..=base.call_count() + 1;
    calls
        .flat_map(|call| base.policies_at(call, 4).into_iter().map(move |policy| (call, policy)))
        .filter(|(call, policy)| {
            let files = base.crash_at(*call, *policy).files();
            !files.values().any(|bytes| bytes.ends_with(TORN))
        })
        .count()
}

const TORN: &[u8] = b"bytes of a record that was never finished";

fn torn_disk() -> FaultDisk {
    let disk = written(SMALL, &[payload(0, 40)]).crash(Policy::KeepAll);
    disk.edit(&segment(1), |bytes| bytes.extend_from_slice(TORN));
    disk
}

#[test]
fn no_crash_of_a_recovery_loses_the_bytes_that_it_cuts() {
    assert_eq!(lost_tails(None), 0);
    for omission in [
        Omission::QuarantinedCopy,
        Omission::Directory("quarantine"),
        Omission::Directory(TASK.to_string().leak()),
    ] {
        assert!(lost_tails(Some(omission)) > 0, "nothing misses the sync of {omission:?}");
    }
}

#[test]
fn what_a_recovery_has_cut_stays_cut() {
    for (omission, is_cut) in [(None, true), (Some(Omission::Cut), false)] {
        let base = torn_disk();
        let mut log = match omission {
            None => open(&base, SMALL),
            Some(omission) => open_on(Forgetful::new(base.clone(), omission), SMALL),
        };
        log.lock(0).unwrap();
        assert_eq!(read_all(&mut log).1.unwrap().torn_bytes, TORN.len() as u64);
        let after = base.crash(Policy::LoseAll).content(&segment(1)).unwrap();
        assert_eq!(!after.ends_with(TORN), is_cut, "without {omission:?}");
    }
}

#[test]
fn acknowledging_before_the_record_is_durable_would_be_seen() {
    // The history of a writer that answers one call early: before its last sync.
    let (disk, mut history) = played();
    for at in &mut history.acknowledged {
        *at -= 2;
    }
    let is_seen = (1..=disk.call_count() + 1)
        .any(|call| recover(&disk.crash_at(call, Policy::LoseAll), &history, call - 1).is_err());
    assert!(is_seen);
}
