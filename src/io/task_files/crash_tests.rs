//! A crash at every call, a fault at every call: what was acknowledged is there, the rest is whole
//! or absent.

use std::sync::Arc;

use super::TaskStore;
use crate::domain::chain::{Head, LinkHash, Sequence};
use crate::domain::ids::{BodyId, TaskRef};
use crate::domain::ports::{Checkpoint, Damage, LedgerError, Position, TaskFiles as _};
use crate::io::fs::fault::{CallKind, Fault, FaultDisk, Policy, Refusal, Repeat};
use crate::io::root::DataRoot;

const TASK: TaskRef = TaskRef::new([1; 16]);
const OLD: BodyId = BodyId::new([2; 16]);
const NEW: BodyId = BodyId::new([3; 16]);
const TEXT: &[u8] = b"a text that is there or is not";

fn store(disk: &FaultDisk) -> TaskStore {
    TaskStore::new(Arc::new(disk.clone()), TASK)
}

/// A disk with one body, one snapshot and a key, all durable.
fn prepared() -> FaultDisk {
    let disk = FaultDisk::new();
    DataRoot::new(Arc::new(disk.clone())).create_task(TASK).unwrap();
    store(&disk).store_bodies(&[(OLD, TEXT.to_vec())]).unwrap();
    store(&disk).store_snapshot(1, b"one", 3).unwrap();
    store(&disk).create_key(1).unwrap();
    disk.crash(Policy::LoseAll)
}

/// Runs `act`, then shows `check` every disk that a crash in it could have left, and whether `act`
/// had returned.
#[track_caller]
fn at_every_crash(act: impl Fn(&mut TaskStore), check: impl Fn(&FaultDisk, bool, &str)) {
    let disk = prepared();
    act(&mut store(&disk));
    let last = disk.call_count();
    let mut image_count = 0;
    for call in 1..=last + 1 {
        for policy in disk.policies_at(call, 8) {
            let crashed = disk.crash_at(call, policy);
            let case = format!("call {call} of {last}, {policy:?}");
            assert_eq!(store(&crashed).load_body(OLD).unwrap(), TEXT, "{case}");
            check(&crashed, call > last, &case);
            image_count += 1;
        }
    }
    assert!(image_count > 10, "{image_count}");
}

#[test]
fn acknowledged_bodies_survive_every_crash() {
    let bodies = [(NEW, vec![7; 1500]), (BodyId::new([4; 16]), b"second".to_vec())];
    at_every_crash(
        |store| store.store_bodies(&bodies).unwrap(),
        |crashed, is_acknowledged, case| {
            for (id, bytes) in &bodies {
                match store(crashed).load_body(*id) {
                    Ok(found) if is_acknowledged => assert_eq!(found, *bytes, "{case}"),
                    Ok(_) | Err(LedgerError::Missing { .. }) if !is_acknowledged => {}
                    other => panic!("{case}: {other:?}"),
                }
            }
        },
    );
}

#[test]
fn a_snapshot_is_old_new_or_told_to_be_missing_and_an_acknowledged_one_stays() {
    at_every_crash(
        |store| store.store_snapshot(2, b"two", 1).unwrap(),
        |crashed, is_acknowledged, case| {
            let (one, two) = (store(crashed).load_snapshot(1), store(crashed).load_snapshot(2));
            match (one, two) {
                (Ok(one), Ok(two)) => assert_eq!((&one[..], &two[..]), (&b"one"[..], &b"two"[..])),
                (Ok(one), Err(LedgerError::Missing { .. })) if !is_acknowledged => {
                    assert_eq!(one, b"one", "{case}");
                }
                (Err(LedgerError::Missing { .. }), Ok(two)) => assert_eq!(two, b"two", "{case}"),
                other => panic!("{case}: {other:?}"),
            }
        },
    );
}

#[test]
fn a_checkpoint_is_whole_or_taken_for_none() {
    let head = Head { sequence: Sequence::new(1), link: LinkHash::new([5; 32]) };
    let position = Position { head, ..Position::START };
    let checkpoint = Checkpoint { fold_version: 1, position, state: vec![9; 2000] };
    at_every_crash(
        |store| store.store_checkpoint(&checkpoint).unwrap(),
        |crashed, _, case| {
            let found = store(crashed).load_checkpoint().unwrap();
            assert!(found.is_none_or(|found| found == checkpoint), "{case}");
            store(crashed).store_checkpoint(&checkpoint).unwrap();
            assert_eq!(store(crashed).load_checkpoint().unwrap().as_ref(), Some(&checkpoint));
        },
    );
}

#[test]
fn a_key_is_whole_or_missing_and_an_acknowledged_one_stays() {
    at_every_crash(
        |store| assert_ne!(store.create_key(2).unwrap(), [0; 32]),
        |crashed, is_acknowledged, case| match store(crashed).load_key(2) {
            Ok(key) => assert_eq!(store(crashed).create_key(2).unwrap(), key, "{case}"),
            Err(LedgerError::Missing { .. }) if !is_acknowledged => {}
            other => panic!("{case}: {other:?}"),
        },
    );
}

#[test]
fn an_erased_body_is_gone_for_good_once_acknowledged_and_can_be_erased_again_before() {
    let disk = prepared();
    store(&disk).erase_body(OLD).unwrap();
    let last = disk.call_count();
    let has_text = |disk: &FaultDisk| {
        disk.files().values().any(|bytes| bytes.windows(TEXT.len()).any(|found| found == TEXT))
    };
    for call in 1..=last + 1 {
        for policy in disk.policies_at(call, 8) {
            let crashed = disk.crash_at(call, policy);
            assert!(call <= last || !has_text(&crashed), "{policy:?}");
            store(&crashed).erase_body(OLD).unwrap();
            assert!(!has_text(&crashed.crash(Policy::LoseAll)), "call {call}, {policy:?}");
        }
    }
}

#[test]
fn any_fault_leaves_an_error_or_the_durable_thing_and_old_bodies_readable() {
    let faults = Refusal::ALL.map(Fault::Refuse).into_iter();
    let faults: Vec<Fault> =
        faults.chain([Fault::FailSync, Fault::WriteOneByte, Fault::WriteHalf]).collect();
    let act = |disk: &FaultDisk| {
        let mut store = store(disk);
        let body = store.store_bodies(&[(NEW, TEXT.to_vec())]);
        let snapshot = store.store_snapshot(2, b"two", 3);
        (body.is_ok(), snapshot.is_ok(), store.create_key(2).ok())
    };
    let quiet = prepared();
    assert!(matches!(act(&quiet), (true, true, Some(_))));
    for call in 1..=quiet.call_count() {
        for (fault, repeat) in
            faults.iter().flat_map(|fault| [(*fault, Repeat::Once), (*fault, Repeat::Forever)])
        {
            let disk = prepared();
            disk.plan(call, fault, repeat);
            let (is_body_kept, is_snapshot_kept, key) = act(&disk);
            disk.clear_faults();
            let cut = disk.crash(Policy::LoseAll);
            let case = format!("call {call}, {fault:?} {repeat:?}");
            assert_eq!(store(&cut).load_body(OLD).unwrap(), TEXT, "{case}");
            if is_body_kept {
                assert_eq!(store(&cut).load_body(NEW).unwrap(), TEXT, "{case}");
            }
            if is_snapshot_kept {
                assert_eq!(store(&cut).load_snapshot(2).unwrap(), b"two", "{case}");
            }
            if let Some(key) = key {
                assert_eq!(store(&cut).load_key(2).unwrap(), key, "{case}");
            }
        }
    }
}

#[test]
fn reading_and_erasing_work_on_a_full_disk() {
    let disk = prepared();
    disk.plan(0, Fault::Refuse(Refusal::DiskFull), Repeat::Forever);
    assert_eq!(store(&disk).load_body(OLD).unwrap(), TEXT);
    assert_eq!(store(&disk).load_snapshot(1).unwrap(), b"one");
    store(&disk).erase_body(OLD).unwrap();
    let error = store(&disk).store_bodies(&[(NEW, TEXT.to_vec())]).unwrap_err();
    assert!(matches!(error, LedgerError::Io { .. }), "{error}");
    assert!(!disk.files().values().any(|bytes| bytes == TEXT));
}

#[test]
fn a_failed_sync_of_a_body_is_not_tried_again_and_leaves_no_file() {
    let disk = prepared();
    disk.plan(0, Fault::FailSync, Repeat::Once);
    store(&disk).store_bodies(&[(NEW, TEXT.to_vec())]).unwrap_err();
    let syncs = disk.calls().into_iter().filter(|call| call.kind == CallKind::SyncFile);
    assert_eq!(syncs.count(), 1);
    assert!(matches!(store(&disk).load_body(NEW), Err(LedgerError::Missing { .. })));
    store(&disk).store_bodies(&[(NEW, TEXT.to_vec())]).unwrap();
    assert_eq!(store(&disk.crash(Policy::LoseAll)).load_body(NEW).unwrap(), TEXT);
}

#[test]
fn a_body_that_a_killed_process_left_half_is_named_as_damage_when_written_again() {
    let disk = prepared();
    store(&disk).store_bodies(&[(NEW, TEXT.to_vec())]).unwrap();
    let half = disk.crash_at(3, Policy::Torn(5));
    assert_eq!(store(&half).load_body(NEW).unwrap(), &TEXT[..5]);
    let error = store(&half).store_bodies(&[(NEW, TEXT.to_vec())]).unwrap_err();
    assert!(matches!(error, LedgerError::Damaged { what: Damage::Payload, .. }), "{error}");
    store(&half).erase_body(NEW).unwrap();
    store(&half).store_bodies(&[(NEW, TEXT.to_vec())]).unwrap();
}

#[test]
fn a_directory_swapped_for_a_link_before_any_call_is_an_error_or_too_late() {
    let quiet = prepared();
    store(&quiet).store_bodies(&[(NEW, TEXT.to_vec())]).unwrap();
    for swap_at in 1..=quiet.call_count() {
        let disk = prepared();
        let inside = disk.clone();
        disk.before_each_call(move |call| {
            if call.number == swap_at {
                inside.put_other(&format!("tasks/{TASK}/bodies").parse().unwrap());
            }
        });
        let answer = store(&disk).store_bodies(&[(NEW, TEXT.to_vec())]);
        let is_refused = matches!(answer, Err(LedgerError::Io { .. } | LedgerError::Unsafe { .. }));
        assert!(is_refused, "call {swap_at}: {answer:?}");
        disk.clear_hook();
        store(&disk).load_body(OLD).unwrap_err();
        store(&disk).erase_body(OLD).unwrap_err();
    }
}

#[test]
fn an_acknowledged_note_survives_every_crash_and_a_removed_one_does_not_come_back() {
    at_every_crash(
        |store| store.leave_missed_note(4, [6; 32]).unwrap(),
        |crashed, is_acknowledged, case| {
            let notes = store(crashed).missed_notes().unwrap();
            assert!(!is_acknowledged || (notes.len(), notes[0].kind) == (1, 4), "{case}");
            store(crashed).remove_missed_notes(&notes).unwrap();
            let cut = crashed.crash(Policy::LoseAll);
            assert_eq!(store(&cut).missed_notes().unwrap(), [], "{case}");
        },
    );
}

#[test]
fn what_is_confirmed_after_another_process_was_killed_survives_a_power_cut() {
    for call in 1..20 {
        let disk = prepared();
        disk.stop_at(call);
        drop(store(&disk).store_bodies(&[(NEW, TEXT.to_vec())]));
        disk.restart();
        if store(&disk).store_bodies(&[(NEW, TEXT.to_vec())]).is_ok() {
            let cut = disk.crash(Policy::LoseAll);
            assert_eq!(store(&cut).load_body(NEW).unwrap(), TEXT, "call {call}");
        } else {
            assert_eq!(disk.content(&store(&disk).body_path(NEW)), Some(Vec::new()), "{call}");
        }
        let disk = prepared();
        disk.stop_at(call);
        drop(store(&disk).create_key(2));
        disk.restart();
        let key = store(&disk).create_key(2).unwrap();
        assert_eq!(store(&disk.crash(Policy::LoseAll)).load_key(2).unwrap(), key, "call {call}");
    }
}
