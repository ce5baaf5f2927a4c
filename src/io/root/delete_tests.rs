//! Deletion: complete, repeatable, and of nothing else.

use std::sync::Arc;

use super::{DataRoot, DataRootError, Lookup, layout};
use crate::domain::ids::{BodyId, SessionKey, TaskRef};
use crate::domain::ports::TaskFiles as _;
use crate::io::fs::fault::{Fault, FaultDisk, Policy, Refusal, Repeat};
use crate::io::fs::{FileSystem as _, OpenMode, RealDisk};
use crate::io::task_files::TaskStore;

const GONE: TaskRef = TaskRef::new([1; 16]);
const KEPT: TaskRef = TaskRef::new([2; 16]);
const SESSION: SessionKey = SessionKey::new([7; 32]);
const OTHER_SESSION: SessionKey = SessionKey::new([8; 32]);
const SECRET: &[u8] = b"the text that must go";

fn root(disk: &FaultDisk) -> DataRoot {
    DataRoot::new(Arc::new(disk.clone()))
}

fn put_task(disk: &FaultDisk, task: TaskRef, session: SessionKey, text: &[u8]) {
    let root = root(disk);
    root.create_task(task).unwrap();
    root.bind(session, task).unwrap();
    let mut store = TaskStore::new(Arc::new(disk.clone()), task);
    store.store_bodies(&[(BodyId::new([3; 16]), text.to_vec())]).unwrap();
    store.store_snapshot(1, text, 3).unwrap();
    store.create_key(1).unwrap();
    store.leave_missed_note(1, [9; 32]).unwrap();
    let segment = layout::below(&layout::below(&layout::task(task), "ledger"), "1.seg");
    disk.put(&segment, text);
    disk.put(&layout::anchor(task), b"anchor");
    disk.put(&layout::lock(task), b"");
}

fn two_tasks() -> FaultDisk {
    let disk = FaultDisk::new();
    put_task(&disk, GONE, SESSION, SECRET);
    put_task(&disk, KEPT, OTHER_SESSION, b"another text");
    disk.crash(Policy::KeepAll)
}

/// Paths that name a task, but for its lock and tombstone; and whether its text is anywhere.
fn traces(disk: &FaultDisk, task: TaskRef) -> (Vec<String>, bool) {
    let name = task.to_string();
    let stay = [layout::lock(task).to_string(), layout::tombstone(task).to_string()];
    let paths = disk.paths().into_iter();
    let named = paths.filter(|path| path.contains(&name) && !stay.contains(path)).collect();
    let has_text = |bytes: &Vec<u8>| {
        bytes.windows(SECRET.len()).any(|window| window == SECRET)
            || bytes.windows(16).any(|window| window == task.as_bytes())
    };
    (named, disk.files().values().any(has_text))
}

#[track_caller]
fn assert_gone(disk: &FaultDisk, case: &str) {
    let nothing: (Vec<String>, bool) = (Vec::new(), false);
    assert_eq!(traces(disk, GONE), nothing, "{case}");
    assert!(root(disk).is_deleted(GONE).unwrap(), "{case}");
    assert_eq!(root(disk).unfinished_deletes().unwrap(), [], "{case}");
    assert_eq!(root(disk).lookup(SESSION).unwrap(), Lookup::Absent, "{case}");
    assert_eq!(root(disk).tasks().unwrap(), [KEPT], "{case}");
}

fn kept_files(disk: &FaultDisk) -> Vec<(String, Vec<u8>)> {
    let (name, session) = (KEPT.to_string(), OTHER_SESSION.to_string());
    let files = disk.files().into_iter();
    files.filter(|(path, _)| path.contains(&name) || path.contains(&session)).collect()
}

// covers: P-133
#[test]
fn a_deleted_task_leaves_no_byte_of_its_text_and_another_task_every_byte() {
    let disk = two_tasks();
    let before = kept_files(&disk);
    assert!(traces(&disk, GONE).1 && before.len() >= 7);
    root(&disk).delete_task(GONE).unwrap();
    assert_gone(&disk, "now");
    assert_gone(&disk.crash(Policy::LoseAll), "after a power cut");
    assert_eq!(kept_files(&disk), before);
    root(&disk).delete_task(GONE).unwrap();
    assert_gone(&disk, "twice");
}

// covers: P-158
#[test]
fn a_deletion_stopped_at_any_call_is_finished_or_was_never_begun() {
    let disk = two_tasks();
    let before = kept_files(&disk);
    root(&disk).delete_task(GONE).unwrap();
    let last = disk.call_count();
    let (mut begun_count, mut untouched_count) = (0, 0);
    for call in 1..=last + 1 {
        for policy in disk.policies_at(call, 4) {
            let crashed = disk.crash_at(call, policy);
            let case = format!("call {call}, {policy:?}");
            if root(&crashed).is_deleted(GONE).unwrap() {
                root(&crashed).finish_deletes().unwrap();
                assert_gone(&crashed, &case);
                assert_gone(&crashed.crash(Policy::LoseAll), &case);
                begun_count += 1;
            } else {
                assert_eq!(root(&crashed).lookup(SESSION).unwrap(), Lookup::Task(GONE), "{case}");
                assert_eq!(root(&crashed).tasks().unwrap(), [GONE, KEPT], "{case}");
                let store = TaskStore::new(Arc::new(crashed.clone()), GONE);
                assert_eq!(store.load_body(BodyId::new([3; 16])).unwrap(), SECRET, "{case}");
                assert!(call <= last, "{case}");
                untouched_count += 1;
            }
            assert_eq!(kept_files(&crashed), before, "{case}");
        }
    }
    assert!(begun_count > 100 && untouched_count > 5, "{begun_count} {untouched_count}");
}

#[test]
fn finishing_a_deletion_may_itself_be_stopped_at_any_call() {
    let begun = two_tasks();
    root(&begun).delete_task(GONE).unwrap();
    let begun = begun.crash_at(begun.call_count() / 3, Policy::KeepAll);
    assert_eq!(root(&begun).unfinished_deletes().unwrap(), [GONE]);
    let whole = begun.crash(Policy::KeepAll);
    assert_eq!(root(&whole).finish_deletes().unwrap(), [GONE]);
    for call in 1..=whole.call_count() {
        for policy in whole.policies_at(call, 2) {
            let crashed = whole.crash_at(call, policy);
            root(&crashed).finish_deletes().unwrap();
            assert_gone(&crashed, &format!("call {call}, {policy:?}"));
        }
    }
}

#[test]
fn a_deletion_that_a_fault_interrupts_says_so_and_can_be_finished() {
    let call_count = {
        let disk = two_tasks();
        root(&disk).delete_task(GONE).unwrap();
        disk.call_count()
    };
    for call in 1..=call_count {
        for fault in [Refusal::InputOutput, Refusal::AccessDenied, Refusal::ReadOnly] {
            let disk = two_tasks();
            disk.plan(call, Fault::Refuse(fault), Repeat::Once);
            let answer = root(&disk).delete_task(GONE);
            let case = format!("call {call}, {fault:?}");
            if answer.is_ok() {
                assert_gone(&disk.crash(Policy::LoseAll), &case);
            }
            disk.clear_faults();
            root(&disk).delete_task(GONE).unwrap();
            assert_gone(&disk, &case);
        }
    }
}

#[test]
fn a_task_that_a_crash_left_under_both_its_names_goes_under_both() {
    let disk = two_tasks();
    let copies = disk.files();
    for (path, bytes) in copies {
        let old = format!("tasks/{GONE}/");
        let new = path.replace(&old, &format!("{}/", layout::unfinished_tombstone(GONE)));
        disk.put(&new.parse().unwrap(), &bytes);
    }
    assert_eq!(root(&disk).finish_deletes().unwrap(), [GONE]);
    assert_gone(&disk.crash(Policy::LoseAll), "both names");
}

#[test]
fn a_deletion_taken_over_from_a_killed_process_survives_a_power_cut_at_any_later_call() {
    let call_count = {
        let disk = two_tasks();
        root(&disk).delete_task(GONE).unwrap();
        disk.call_count()
    };
    for call in 1..=call_count {
        let disk = two_tasks();
        disk.stop_at(call);
        root(&disk).delete_task(GONE).unwrap_err();
        disk.restart();
        root(&disk).finish_deletes().unwrap();
        for later in call..=disk.call_count() + 1 {
            let cut = disk.crash_at(later, Policy::LoseAll);
            let case = format!("killed at {call}, cut at {later}");
            if root(&cut).is_deleted(GONE).unwrap() {
                root(&cut).finish_deletes().unwrap();
                assert_gone(&cut, &case);
            } else {
                let store = TaskStore::new(Arc::new(cut.clone()), GONE);
                assert_eq!(store.load_body(BodyId::new([3; 16])).unwrap(), SECRET, "{case}");
                assert_eq!(root(&cut).lookup(SESSION).unwrap(), Lookup::Task(GONE), "{case}");
            }
        }
    }
}

#[test]
fn a_task_is_deleted_on_a_full_disk() {
    let disk = two_tasks();
    disk.plan(0, Fault::Refuse(Refusal::DiskFull), Repeat::Forever);
    root(&disk).delete_task(GONE).unwrap();
    assert_gone(&disk.crash(Policy::LoseAll), "full disk");
    let begun = two_tasks();
    root(&begun).delete_task(GONE).unwrap();
    let begun = begun.crash_at(begun.call_count() / 3, Policy::KeepAll);
    begun.plan(0, Fault::Refuse(Refusal::DiskFull), Repeat::Forever);
    assert_eq!(root(&begun).finish_deletes().unwrap(), [GONE]);
    assert_gone(&begun, "full disk, begun before");
}

#[test]
fn a_locked_task_is_left_to_the_process_that_deletes_it() {
    let begun = two_tasks();
    root(&begun).delete_task(GONE).unwrap();
    let begun = begun.crash_at(begun.call_count() / 3, Policy::KeepAll);
    let mut lock = begun.open(&layout::lock(GONE), OpenMode::ReadWrite).unwrap();
    lock.try_lock().unwrap();
    assert_eq!(root(&begun).finish_deletes().unwrap(), []);
    assert_eq!(root(&begun).unfinished_deletes().unwrap(), [GONE]);
    drop(lock);
    assert_eq!(root(&begun).finish_deletes().unwrap(), [GONE]);
}

// covers: P-133
#[test]
fn only_a_directory_with_the_name_of_a_task_is_deleted() {
    let disk = two_tasks();
    let absent = TaskRef::new([4; 16]);
    disk.put(&layout::task(TaskRef::new([5; 16])), b"a file");
    disk.put_other(&layout::task(TaskRef::new([6; 16])));
    let before = disk.paths();
    for task in [absent, TaskRef::new([5; 16]), TaskRef::new([6; 16])] {
        let error = root(&disk).delete_task(task).unwrap_err();
        assert!(matches!(error, DataRootError::NoTask { .. }), "{error}");
    }
    assert_eq!(disk.paths(), before);
    let name = GONE.to_string();
    let uppercase = name.to_uppercase();
    let names = ["", ".", "..", "../x", "/", "con", "nul.", "tasks", &name[1..], &uppercase];
    for text in names {
        assert!(text.parse::<TaskRef>().is_err(), "{text}");
    }
    assert!(format!("{name}a").parse::<TaskRef>().is_err());
}

#[cfg(unix)]
#[test]
fn a_name_that_is_not_ours_is_told_after_everything_else_in_its_directory_went() {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("root");
    let root = DataRoot::new(Arc::new(RealDisk::create(&place).unwrap()));
    root.create_task(GONE).unwrap();
    let mut store = TaskStore::new(Arc::clone(root.fs()), GONE);
    store.store_bodies(&[(BodyId::new([3; 16]), SECRET.to_vec())]).unwrap();
    let bodies = place.join("tasks").join(GONE.to_string()).join("bodies");
    std::os::unix::fs::symlink("/", bodies.join(".DS_Store")).unwrap();
    let error = root.delete_task(GONE).unwrap_err();
    assert!(matches!(error, DataRootError::Foreign { .. }), "{error}");
    let left = place.join("tombstones").join(format!("{GONE}.unfinished")).join("bodies");
    let names: Vec<_> = std::fs::read_dir(&left).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, [".DS_Store"]);
    rustix::fs::unlink(left.join(".DS_Store")).unwrap();
    assert_eq!(root.finish_deletes().unwrap(), [GONE]);
    assert_eq!(root.tasks().unwrap(), []);
}

#[test]
fn a_link_within_a_task_is_removed_and_not_followed() {
    let disk = two_tasks();
    let before = kept_files(&disk);
    disk.put_other(&layout::below(&layout::task(GONE), "link"));
    root(&disk).delete_task(GONE).unwrap();
    assert_gone(&disk, "link");
    assert_eq!(kept_files(&disk), before);
}
