//! Session pointers and the root key, under crashes, faults and damage.

use std::sync::Arc;

use super::{DataRoot, DataRootError, Lookup, layout};
use crate::domain::ids::{SessionKey, TaskRef};
use crate::io::fs::fault::{CallKind, Fault, FaultDisk, Policy, Refusal, Repeat};
use crate::io::fs::{FileSystem as _, OpenMode};

const SESSION: SessionKey = SessionKey::new([7; 32]);
const ONE: TaskRef = TaskRef::new([1; 16]);
const TWO: TaskRef = TaskRef::new([2; 16]);

fn root(disk: &FaultDisk) -> DataRoot {
    DataRoot::new(Arc::new(disk.clone()))
}

#[test]
fn reading_an_empty_root_creates_nothing() {
    let disk = FaultDisk::new();
    let root = root(&disk);
    assert_eq!(root.find_session_key("codex", "s1").unwrap(), None);
    assert_eq!(root.lookup(SESSION).unwrap(), Lookup::Absent);
    assert_eq!(root.tasks().unwrap(), []);
    assert_eq!(root.unfinished_deletes().unwrap(), []);
    assert!(!root.is_deleted(ONE).unwrap());
    assert_eq!(root.sweep(i64::MAX).unwrap(), 0);
    assert!(disk.paths().is_empty());
    assert!(disk.calls().iter().all(|call| !call.kind.is_change()));
}

#[test]
fn a_session_is_named_by_host_and_session_under_the_root_key() {
    let disk = FaultDisk::new();
    let key = root(&disk).session_key("codex", "s1").unwrap();
    assert_eq!(root(&disk).find_session_key("codex", "s1").unwrap(), Some(key));
    assert_eq!(root(&disk.crash(Policy::LoseAll)).session_key("codex", "s1").unwrap(), key);
    for (host, session) in [("claude", "s1"), ("codex", "s2"), ("codexs", "1"), ("", "codexs1")] {
        assert_ne!(root(&disk).session_key(host, session).unwrap(), key);
    }
    assert_ne!(root(&FaultDisk::new()).session_key("codex", "s1").unwrap(), key);
}

#[test]
fn a_damaged_root_key_is_refused_and_not_replaced() {
    let disk = FaultDisk::new();
    root(&disk).session_key("codex", "s1").unwrap();
    let whole = disk.content(&layout::root_key()).unwrap();
    for bit in 0..whole.len() * 8 {
        disk.put(&layout::root_key(), &whole);
        disk.edit(&layout::root_key(), |bytes| bytes[bit / 8] ^= 1 << (bit % 8));
        let error = root(&disk).session_key("codex", "s1").unwrap_err();
        assert!(matches!(error, DataRootError::Damaged { .. }), "bit {bit}");
    }
    for length in 0..whole.len() {
        disk.put(&layout::root_key(), &whole[..length]);
        let error = root(&disk).session_key("codex", "s1").unwrap_err();
        assert!(matches!(error, DataRootError::Damaged { .. }), "length {length}");
        assert_eq!(disk.content(&layout::root_key()).unwrap().len(), length);
    }
}

#[test]
fn a_lost_root_key_is_not_made_anew_while_sessions_were_bound_under_it() {
    let disk = FaultDisk::new();
    let key = root(&disk).session_key("codex", "s1").unwrap();
    let path = layout::root_key();
    let whole = disk.content(&path).unwrap();
    disk.remove_file(&path).unwrap();
    assert!(root(&disk).find_session_key("codex", "s1").unwrap().is_none());
    disk.put(&path, &whole);
    root(&disk).bind(key, ONE).unwrap();
    disk.remove_file(&path).unwrap();
    let answer = root(&disk).session_key("codex", "s1");
    assert!(matches!(answer, Err(DataRootError::KeyMissing { .. })), "{answer:?}");
    assert!(disk.content(&path).is_none());
    disk.put(&path, &whole);
    assert_eq!(root(&disk).session_key("codex", "s1").unwrap(), key);
}

#[test]
fn the_first_binding_wins_and_repair_replaces_it() {
    let disk = FaultDisk::new();
    assert_eq!(root(&disk).bind(SESSION, ONE).unwrap(), ONE);
    assert_eq!(root(&disk).bind(SESSION, TWO).unwrap(), ONE);
    let crashed = disk.crash(Policy::LoseAll);
    assert_eq!(root(&crashed).lookup(SESSION).unwrap(), Lookup::Task(ONE));
    root(&crashed).rebind(SESSION, TWO).unwrap();
    let crashed = crashed.crash(Policy::LoseAll);
    assert_eq!(root(&crashed).lookup(SESSION).unwrap(), Lookup::Task(TWO));
}

#[test]
fn a_damaged_pointer_is_told_apart_from_none_and_names_no_task() {
    let disk = FaultDisk::new();
    root(&disk).bind(SESSION, ONE).unwrap();
    let path = layout::session(SESSION);
    let whole = disk.content(&path).unwrap();
    for bit in 0..whole.len() * 8 {
        disk.put(&path, &whole);
        disk.edit(&path, |bytes| bytes[bit / 8] ^= 1 << (bit % 8));
        let found = root(&disk).lookup(SESSION).unwrap();
        assert!(matches!(found, Lookup::Damaged(_)), "bit {bit}: {found:?}");
    }
    let other = SessionKey::new([8; 32]);
    disk.put(&layout::session(other), &whole);
    assert!(matches!(root(&disk).lookup(other).unwrap(), Lookup::Damaged(_)));
    disk.put(&path, &[0; 4096]);
    assert!(matches!(root(&disk).lookup(SESSION).unwrap(), Lookup::Damaged(_)));
    disk.put_other(&path);
    assert!(matches!(root(&disk).lookup(SESSION).unwrap(), Lookup::Damaged(_)));
    assert!(matches!(root(&disk).bind(SESSION, TWO), Err(DataRootError::Damaged { .. })));
}

// covers: P-158
#[test]
fn a_crash_while_binding_leaves_a_whole_pointer_or_none_and_can_be_bound_again() {
    let disk = FaultDisk::new();
    root(&disk).bind(SESSION, ONE).unwrap();
    let last = disk.call_count();
    for call in 1..=last + 1 {
        for policy in disk.policies_at(call, 8) {
            let crashed = disk.crash_at(call, policy);
            let found = root(&crashed).lookup(SESSION).unwrap();
            assert!(matches!(found, Lookup::Absent | Lookup::Task(ONE)), "{call} {policy:?}");
            assert!(call <= last || found == Lookup::Task(ONE), "{policy:?}");
            let winner = root(&crashed).bind(SESSION, TWO).unwrap();
            assert_eq!(winner, if found == Lookup::Absent { TWO } else { ONE });
        }
    }
}

#[test]
fn whoever_learns_of_a_binding_can_rely_on_it_after_a_power_cut() {
    for call in 1..20 {
        let disk = FaultDisk::new();
        disk.stop_at(call);
        drop(root(&disk).bind(SESSION, ONE));
        disk.restart();
        let winner = root(&disk).bind(SESSION, TWO).unwrap();
        let cut = disk.crash(Policy::LoseAll);
        assert_eq!(root(&cut).lookup(SESSION).unwrap(), Lookup::Task(winner), "call {call}");
    }
}

#[test]
fn a_session_bound_under_a_key_of_a_killed_process_is_found_after_a_power_cut() {
    for call in 1..20 {
        let disk = FaultDisk::new();
        disk.stop_at(call);
        drop(root(&disk).session_key("codex", "s1"));
        disk.restart();
        let key = root(&disk).session_key("codex", "s1").unwrap();
        root(&disk).bind(key, ONE).unwrap();
        let cut = disk.crash(Policy::LoseAll);
        let found = root(&cut).find_session_key("codex", "s1").unwrap();
        assert_eq!(found, Some(key), "call {call}");
        assert_eq!(root(&cut).lookup(key).unwrap(), Lookup::Task(ONE), "call {call}");
    }
}

#[test]
fn any_refusal_while_binding_is_an_error_and_nothing_acknowledged_is_lost() {
    let call_count = {
        let disk = FaultDisk::new();
        root(&disk).bind(SESSION, ONE).unwrap();
        disk.call_count()
    };
    for call in 1..=call_count {
        for refusal in Refusal::ALL {
            let disk = FaultDisk::new();
            disk.plan(call, Fault::Refuse(refusal), Repeat::Once);
            let answer = root(&disk).bind(SESSION, ONE);
            let kept = root(&disk.crash(Policy::LoseAll)).lookup(SESSION).unwrap();
            assert!(answer.is_err() || kept == Lookup::Task(ONE), "{call} {refusal:?}");
            disk.clear_faults();
            assert_eq!(root(&disk).bind(SESSION, ONE).unwrap(), ONE);
        }
    }
}

#[test]
fn listing_tasks_takes_directories_with_a_task_reference_for_a_name_and_no_other() {
    let disk = FaultDisk::new();
    root(&disk).create_task(ONE).unwrap();
    disk.put(&"tasks/notes.txt".parse().unwrap(), b"");
    disk.put(&"tasks/abc/x".parse().unwrap(), b"");
    disk.put(&layout::task(TWO), b"a file, not a directory");
    disk.put_other(&layout::task(TaskRef::new([3; 16])));
    let before = disk.call_count();
    assert_eq!(root(&disk).tasks().unwrap(), [ONE]);
    let calls = disk.calls();
    let asked: Vec<_> =
        calls.iter().filter(|call| call.number > before).map(|call| call.path.as_str()).collect();
    assert_eq!(asked, ["tasks"]);
}

#[test]
fn a_created_task_keeps_its_directories_after_a_power_cut() {
    let disk = FaultDisk::new();
    root(&disk).create_task(ONE).unwrap();
    root(&disk).create_task(ONE).unwrap();
    let crashed = disk.crash(Policy::LoseAll);
    for name in layout::TASK_DIRECTORIES {
        assert!(crashed.paths().contains(&format!("tasks/{ONE}/{name}")));
    }
}

#[test]
fn the_loser_of_a_race_for_a_key_returns_the_winners_and_makes_it_durable() {
    let path = layout::root_key();
    let winner = FaultDisk::new();
    let key = super::create_key_file(&winner, &path).unwrap();
    let bytes = winner.content(&path).unwrap();
    let disk = FaultDisk::new();
    let (inside, place) = (disk.clone(), path.clone());
    disk.before_each_call(move |call| {
        if call.kind == CallKind::Publish {
            let mut file = inside.open(&place, OpenMode::CreateNew).unwrap();
            file.write_at(&bytes, 0).unwrap();
            file.sync().unwrap();
        }
    });
    assert_eq!(super::create_key_file(&disk, &path).unwrap(), key);
    let cut = disk.crash(Policy::LoseAll);
    assert_eq!(super::read_key_file(&cut, &path).unwrap(), Some(key));
}
