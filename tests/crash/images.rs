//! Every crash of the script, and every crash of the recovery behind it.

use std::collections::BTreeSet;
use std::sync::Arc;

use context_continuity::domain::ports::Ledger as _;
use context_continuity::io::fs::FileSystem;
use context_continuity::io::fs::fault::{FaultDisk, Policy};

use crate::script::{History, play, recover, script, witness_is_kept};
use crate::support::{SMALL, lock_file, open, payload, read_all};

/// Random subsets tried at each call.
const RANDOM_SUBSETS: u64 = 3;

/// Plays the whole script on a fresh disk, which must work.
pub fn played() -> (FaultDisk, History) {
    let disk = FaultDisk::new();
    let door: Arc<dyn FileSystem> = Arc::new(disk.clone());
    let (history, outcome) = play(&disk, &door, &script());
    outcome.unwrap();
    (disk, history)
}

// covers: P-158
#[test]
fn no_crash_loses_or_invents_a_record() {
    let (disk, history) = played();
    let mut images = 0;
    for call in 1..=disk.call_count() + 1 {
        for policy in disk.policies_at(call, RANDOM_SUBSETS) {
            let image = disk.crash_at(call, policy);
            let outcome = recover(&image, &history, call - 1);
            assert_eq!(outcome, Ok(()), "crash before call {call} with {policy:?}");
            images += 1;
        }
    }
    println!("{} calls, {images} crash images", disk.call_count());
    assert!(images > 3000, "the script is too short to prove anything: {images}");
}

#[test]
fn a_flushed_anchor_outlives_a_power_cut() {
    let (disk, history) = played();
    for call in 1..=disk.call_count() + 1 {
        let image = disk.crash_at(call, Policy::LoseAll);
        assert_eq!(witness_is_kept(&image, &history, call - 1), Ok(()), "before call {call}");
    }
}

#[test]
fn a_crash_during_recovery_is_recovered_too() {
    let (disk, history) = played();
    let mut seen = BTreeSet::new();
    let (mut recoveries, mut images) = (0, 0);
    for call in 1..=disk.call_count() + 1 {
        for policy in disk.policies_at(call, 1) {
            let image = disk.crash_at(call, policy);
            let mut log = open(&image, SMALL);
            log.lock(0).unwrap();
            if log.exists().unwrap() {
                read_all(&mut log).1.unwrap();
            } else {
                log.create().unwrap();
            }
            let trace: Vec<_> =
                image.calls().into_iter().map(|made| (made.kind, made.path)).collect();
            let is_writing =
                trace.iter().any(|(kind, path)| kind.is_change() && *path != lock_file());
            if !is_writing || !seen.insert(trace) {
                continue;
            }
            recoveries += 1;
            for inner in 1..=image.call_count() + 1 {
                for policy in image.policies_at(inner, 1) {
                    let nested = image.crash_at(inner, policy);
                    let outcome = recover(&nested, &history, call - 1);
                    assert_eq!(outcome, Ok(()), "call {call}, then {inner} with {policy:?}");
                    images += 1;
                }
            }
        }
    }
    println!("{recoveries} different recoveries that write, {images} nested crash images");
    assert!(images > 1000, "too few recoveries write: {images}");
}

// covers: P-158
#[test]
fn what_a_killed_process_left_is_durable_before_anything_rests_on_it() {
    // One round crosses each way of writing once.
    let steps = &script()[..12];
    let undisturbed = FaultDisk::new();
    let door: Arc<dyn FileSystem> = Arc::new(undisturbed.clone());
    play(&undisturbed, &door, steps).1.unwrap();
    let calls = undisturbed.call_count();
    let mut images = 0;
    for call in 1..=calls {
        let disk = FaultDisk::new();
        disk.stop_at(call);
        let door: Arc<dyn FileSystem> = Arc::new(disk.clone());
        let (mut history, outcome) = play(&disk, &door, steps);
        // The last call tells the witness of a record that stands already.
        assert_eq!(outcome.is_ok(), call == calls, "call {call}");
        disk.restart();
        let killed = disk.call_count();
        let found = go_on_after_kill(&disk);
        let sent = history.sent.len();
        assert!(found.len() >= history.acknowledged.len() && found.len() <= sent, "call {call}");
        history.sent.truncate(found.len());
        history.acknowledged = vec![killed; history.acknowledged.len()];
        let mut log = open(&disk, SMALL);
        log.lock(0).unwrap();
        read_all(&mut log).1.unwrap();
        // Read under the lock: from here on it may be told to others.
        history.acknowledged.resize(found.len(), disk.call_count());
        for length in [700, 900, 40, 1200] {
            let bytes = payload(history.sent.len(), length);
            history.sent.push((disk.call_count(), bytes.clone()));
            log.append(&bytes).unwrap();
            history.acknowledged.push(disk.call_count());
        }
        log.flush_anchor().unwrap();
        history.flushed = vec![(disk.call_count(), history.acknowledged.len())];
        drop(log);
        for later in killed + 1..=disk.call_count() + 1 {
            let image = disk.crash_at(later, Policy::LoseAll);
            let case = format!("killed at {call}, cut before {later}");
            assert_eq!(witness_is_kept(&image, &history, later - 1), Ok(()), "{case}");
            assert_eq!(recover(&image, &history, later - 1), Ok(()), "{case}");
            images += 1;
        }
    }
    println!("{calls} kills, {images} power cuts behind them");
}

/// What the next process on the same machine finds.
fn go_on_after_kill(disk: &FaultDisk) -> Vec<Vec<u8>> {
    let mut log = open(disk, SMALL);
    log.lock(0).unwrap();
    if !log.exists().unwrap() {
        log.create().unwrap();
        return Vec::new();
    }
    let (found, reading) = read_all(&mut log);
    reading.unwrap();
    found
}
