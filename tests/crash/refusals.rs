//! Calls that are refused, cut short or never become durable, at every place of the script.

use std::sync::Arc;

use context_continuity::domain::ports::{Ledger as _, LedgerError, Position};
use context_continuity::io::fs::fault::{
    Call, CallKind, Fault, FaultDisk, Policy, Refusal, Repeat,
};
use context_continuity::io::ledger::SegmentLog;

use crate::support::{SMALL, TASK, open, payload, peek, read_all};

/// Payload lengths: enough to rotate by a short, a long and an oversized record.
const LENGTHS: [usize; 9] = [40, 900, 300, 1200, 8, 2600, 100, 700, 1500];

/// One sent record, and whether its append answered with success.
type Sent = (Vec<u8>, bool);

fn reopened(disk: &FaultDisk) -> Result<SegmentLog, LedgerError> {
    let mut log = SegmentLog::new(Arc::new(disk.clone()), TASK, SMALL);
    log.lock(0)?;
    if log.exists()? {
        log.read(Position::START, &mut |_| ())?;
    } else {
        log.create()?;
    }
    Ok(log)
}

/// Appends everything, each time with a new handle after a failure.
fn play_on(disk: &FaultDisk) -> Vec<Sent> {
    let mut sent: Vec<Sent> = Vec::new();
    let mut log = reopened(disk).or_else(|_| reopened(disk)).ok();
    for (number, length) in LENGTHS.into_iter().enumerate() {
        let bytes = payload(number, length);
        let Some(open_log) = log.as_mut() else {
            log = reopened(disk).ok();
            continue;
        };
        let outcome = open_log.append(&bytes);
        sent.push((bytes, outcome.is_ok()));
        if outcome.is_err() {
            must_be_poisoned(disk, open_log);
            drop(log.take());
            log = reopened(disk).ok();
        } else if number % 3 == 2 && open_log.flush_anchor().is_err() {
            drop(log.take());
            log = reopened(disk).ok();
        }
    }
    sent
}

fn must_be_poisoned(disk: &FaultDisk, log: &mut SegmentLog) {
    let calls = disk.call_count();
    assert!(matches!(log.append(b"x"), Err(LedgerError::Poisoned)));
    assert!(matches!(log.flush_anchor(), Err(LedgerError::Poisoned)));
    assert_eq!(disk.call_count(), calls, "a poisoned handle asks the disk for nothing");
}

/// Everything acknowledged is found in order, and nothing that was not sent.
fn judge(found: &[Vec<u8>], sent: &[Sent]) -> Result<(), String> {
    let mut found = found.iter().peekable();
    for (bytes, is_acknowledged) in sent {
        if found.peek() == Some(&bytes) {
            found.next();
        } else if *is_acknowledged {
            return Err("an acknowledged record is lost".into());
        }
    }
    if found.next().is_some() { Err("a record was invented".into()) } else { Ok(()) }
}

#[track_caller]
fn check_left(disk: &FaultDisk, sent: &[Sent], policies: &[Policy], what: &str) {
    disk.clear_faults();
    for policy in policies {
        let image = disk.crash(*policy);
        let mut log = match reopened(&image) {
            Ok(log) => log,
            Err(error) => panic!("{what}, {policy:?}: {error}"),
        };
        log.append(b"goes on").unwrap_or_else(|error| panic!("{what}, {policy:?}: {error}"));
        let (mut found, reading) = read_all(&mut log);
        assert!(reading.is_ok(), "{what}, {policy:?}: {reading:?}");
        assert_eq!(found.pop().as_deref(), Some(b"goes on".as_slice()), "{what}");
        assert_eq!(judge(&found, sent), Ok(()), "{what}, {policy:?}");
    }
}

/// Runs the script with `fault` from each call on; returns the number of runs.
fn strike_everywhere(fault: Fault, repeat: Repeat, policies: &[Policy]) -> u64 {
    let undisturbed = FaultDisk::new();
    play_on(&undisturbed);
    let calls = undisturbed.calls();
    let mut runs = 0;
    for call in calls.iter().filter(|call| fault.can_strike(call.kind)) {
        let disk = FaultDisk::new();
        disk.plan(call.number, fault, repeat);
        let sent = play_on(&disk);
        check_left(
            &disk,
            &sent,
            policies,
            &format!("{fault:?} {repeat:?} at call {}", call.number),
        );
        runs += 1;
    }
    runs
}

#[test]
fn a_refused_call_loses_and_invents_nothing() {
    let mut runs = 0;
    for refusal in Refusal::ALL {
        for repeat in [Repeat::Once, Repeat::Forever] {
            let policies = [Policy::LoseAll, Policy::KeepAll, Policy::RandomSubset(1)];
            runs += strike_everywhere(Fault::Refuse(refusal), repeat, &policies);
        }
    }
    println!("{runs} runs with a refused call");
}

#[test]
fn a_short_write_is_finished() {
    for fault in [Fault::WriteOneByte, Fault::WriteHalf] {
        for repeat in [Repeat::Once, Repeat::Forever] {
            let policies = [Policy::LoseAll, Policy::KeepAll, Policy::KeepLast];
            assert!(strike_everywhere(fault, repeat, &policies) > 20);
        }
    }
}

#[test]
fn a_failed_sync_poisons_and_is_never_tried_again() {
    // What failed to sync can come to the disk or not, but never over what was written later.
    let policies = [Policy::LoseAll];
    let runs = strike_everywhere(Fault::FailSync, Repeat::Once, &policies);
    println!("{runs} runs with a failed sync");
    assert!(runs > 20);
    strike_everywhere(Fault::FailSync, Repeat::Forever, &policies);
}

#[test]
fn no_sync_follows_a_failed_one_on_the_same_handle() {
    let undisturbed = FaultDisk::new();
    play_on(&undisturbed);
    for call in undisturbed.calls().iter().filter(|call| call.kind.is_sync()) {
        let disk = FaultDisk::new();
        disk.plan(call.number, Fault::FailSync, Repeat::Once);
        let Ok(mut log) = reopened(&disk) else { continue };
        let failed = LENGTHS
            .into_iter()
            .enumerate()
            .any(|(number, length)| log.append(&payload(number, length)).is_err());
        if failed {
            let struck = |made: &&Call| made.number >= call.number && made.kind.is_sync();
            let calls = disk.calls();
            let first = calls.iter().find(struck).unwrap().number;
            let after: Vec<CallKind> =
                calls[usize::try_from(first).unwrap()..].iter().map(|call| call.kind).collect();
            assert!(after.iter().all(|kind| *kind == CallKind::SetLength), "{after:?}");
        }
    }
}

#[test]
fn a_poisoned_handle_writes_again_after_a_new_lock_and_a_full_reading_only() {
    let disk = FaultDisk::new();
    let mut log = reopened(&disk).unwrap();
    let first = log.append(b"first").unwrap();
    disk.plan(0, Fault::FailSync, Repeat::Once);
    assert!(matches!(log.append(b"second"), Err(LedgerError::Io { .. })));
    log.read(Position::START, &mut |_| ()).unwrap();
    assert!(matches!(log.append(b"x"), Err(LedgerError::Poisoned)), "the lock is the old one");
    log.unlock();
    log.lock(0).unwrap();
    log.read(first, &mut |_| ()).unwrap();
    assert!(matches!(log.append(b"x"), Err(LedgerError::Poisoned)), "only the tail was read");
    log.read(Position::START, &mut |_| ()).unwrap();
    log.append(b"third").unwrap();
    assert_eq!(peek(&disk).0, [b"first".to_vec(), b"third".to_vec()]);
}

#[test]
fn a_disk_that_lies_about_one_sync_costs_a_tail_at_most() {
    let undisturbed = FaultDisk::new();
    play_on(&undisturbed);
    let mut reported = 0;
    for call in undisturbed.calls().iter().filter(|call| call.kind.is_sync()) {
        let disk = FaultDisk::new();
        disk.plan(call.number, Fault::LieAboutSync, Repeat::Once);
        let sent = play_on(&disk);
        let image = disk.crash(Policy::LoseAll);
        let mut log = open(&image, SMALL);
        let (found, reading) = read_all(&mut log);
        let is_prefix = found.len() <= sent.len()
            && found.iter().zip(&sent).all(|(found, (bytes, _))| found == bytes);
        assert!(is_prefix, "an invented record after call {}", call.number);
        reported += u32::from(reading.is_err());
    }
    println!("{reported} lies were reported");
}

#[test]
fn on_a_full_disk_everything_acknowledged_can_be_read() {
    let disk = FaultDisk::new();
    let sent = play_on(&disk);
    disk.plan(0, Fault::Refuse(Refusal::DiskFull), Repeat::Forever);
    let (found, reading) = peek(&disk);
    reading.unwrap();
    assert_eq!(judge(&found, &sent), Ok(()));
    assert_eq!(found.len(), sent.len());
}
