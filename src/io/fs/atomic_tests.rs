//! Whole files under every fault and every crash.

use std::io;

use super::atomic::{self, Durability};
use super::fault::{Fault, FaultDisk, Policy, Refusal, Repeat};
use super::{FileSystem, OpenMode, RelativePath};

const OLD: &[u8] = b"old content";
const HOUR: i64 = 60 * 60 * 1000;

fn path(text: &str) -> RelativePath {
    text.parse().unwrap()
}

fn disk_with_old() -> FaultDisk {
    let disk = FaultDisk::new();
    disk.put(&path("d/a"), OLD);
    disk
}

fn new_content() -> Vec<u8> {
    (0..1500_u32).flat_map(u32::to_le_bytes).collect()
}

fn faults() -> Vec<(Fault, Repeat)> {
    let refusals = Refusal::ALL.map(Fault::Refuse);
    let others = [Fault::WriteOneByte, Fault::WriteHalf, Fault::FailSync];
    let faults = refusals.into_iter().chain(others);
    faults.flat_map(|fault| [(fault, Repeat::Once), (fault, Repeat::Forever)]).collect()
}

#[test]
fn a_crash_at_any_call_of_a_replacement_leaves_the_old_or_the_new_file_whole() {
    let disk = disk_with_old();
    let new = new_content();
    atomic::replace_file(&disk, &path("d/a"), &new, Durability::Synced).unwrap();
    let last = disk.call_count();
    let mut image_count = 0;
    for call in 1..=last + 1 {
        for policy in disk.policies_at(call, 16) {
            let found = disk.crash_at(call, policy).content(&path("d/a")).unwrap();
            assert!(found == OLD || found == new, "call {call}, {policy:?}");
            assert!(call <= last || found == new, "acknowledged, then lost: {policy:?}");
            image_count += 1;
        }
    }
    assert!(image_count > 80, "{image_count}");
}

#[test]
fn any_fault_in_a_replacement_leaves_the_old_or_the_new_file_and_an_honest_answer() {
    let new = new_content();
    let call_count = {
        let disk = disk_with_old();
        atomic::replace_file(&disk, &path("d/a"), &new, Durability::Synced).unwrap();
        disk.call_count()
    };
    for call in 1..=call_count {
        for (fault, repeat) in faults() {
            let disk = disk_with_old();
            disk.plan(call, fault, repeat);
            let answer = atomic::replace_file(&disk, &path("d/a"), &new, Durability::Synced);
            let durable = disk.crash(Policy::LoseAll).content(&path("d/a")).unwrap();
            let case = format!("call {call}, {fault:?} {repeat:?}: {answer:?}");
            assert!(durable == OLD || durable == new, "{case}");
            assert!(answer.is_err() || durable == new, "{case}");
        }
    }
}

#[test]
fn a_failed_sync_is_not_tried_again() {
    let disk = disk_with_old();
    disk.plan(0, Fault::FailSync, Repeat::Once);
    atomic::replace_file(&disk, &path("d/a"), b"new", Durability::Synced).unwrap_err();
    assert_eq!(disk.calls().iter().filter(|call| call.kind.is_sync()).count(), 1);
    assert_eq!(disk.paths(), ["d", "d/a"]);
    assert_eq!(disk.content(&path("d/a")), Some(OLD.to_vec()));
}

#[test]
fn a_publication_loses_to_the_name_that_is_there_and_leaves_no_litter() {
    let disk = disk_with_old();
    let taken = atomic::publish_new(&disk, &path("d/a"), b"new", Durability::Synced).unwrap_err();
    assert_eq!(taken.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(disk.files().into_values().collect::<Vec<_>>(), [OLD]);
    atomic::publish_new(&disk, &path("d/b"), b"new", Durability::Synced).unwrap();
    assert_eq!(disk.crash(Policy::LoseAll).content(&path("d/b")), Some(b"new".to_vec()));
}

#[test]
fn interruptions_and_short_writes_are_carried_through() {
    for fault in [Fault::Refuse(Refusal::Interrupted), Fault::WriteOneByte, Fault::WriteHalf] {
        let disk = disk_with_old();
        let repeat = if matches!(fault, Fault::Refuse(_)) { Repeat::Once } else { Repeat::Forever };
        disk.plan(0, fault, repeat);
        atomic::replace_file(&disk, &path("d/a"), b"brand new", Durability::Synced).unwrap();
        assert_eq!(disk.content(&path("d/a")), Some(b"brand new".to_vec()), "{fault:?}");
    }
}

#[test]
fn an_endless_interruption_ends_in_an_error() {
    let disk = disk_with_old();
    disk.plan(0, Fault::Refuse(Refusal::Interrupted), Repeat::Forever);
    let error = atomic::read_bounded(&disk, &path("d/a"), 100).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::Interrupted);
}

#[test]
fn leftovers_go_after_an_hour_and_only_by_their_name() {
    let disk = FaultDisk::new();
    disk.set_now(1000);
    let names = [
        "d/temporary-0123456789abcdef",
        "d/temporary-0123456789abcde",
        "d/temporary-0123456789abcdef.txt",
        "d/a",
    ];
    for name in names {
        disk.put(&path(name), b"left");
    }
    let directory = path("d");
    assert_eq!(atomic::sweep_temporaries(&disk, &directory, 1000 + HOUR).unwrap(), 0);
    assert_eq!(atomic::sweep_temporaries(&disk, &directory, 1001 + HOUR).unwrap(), 1);
    assert_eq!(disk.files().len(), 3);
    assert_eq!(disk.content(&path(names[0])), None);
    assert_eq!(atomic::sweep_temporaries(&disk, &path("no"), 0).unwrap(), 0);
}

#[test]
fn a_publication_cut_between_its_two_names_is_mended_by_the_sweep() {
    let disk = FaultDisk::new();
    atomic::publish_new(&disk, &path("a"), b"new", Durability::Synced).unwrap();
    let directory_sync = disk.call_count();
    let halves: Vec<_> = disk
        .policies_at(directory_sync, 0)
        .into_iter()
        .map(|policy| disk.crash_at(directory_sync, policy))
        .filter(|crashed| crashed.files().len() == 2)
        .collect();
    assert!(!halves.is_empty());
    for half in halves {
        assert!(half.metadata(&path("a")).unwrap().unsafe_reason().is_some());
        assert_eq!(atomic::sweep_temporaries(&half, &RelativePath::root(), 0).unwrap(), 1);
        assert_eq!(half.metadata(&path("a")).unwrap().unsafe_reason(), None);
    }
}

#[test]
fn reading_stops_at_the_bound() {
    let disk = disk_with_old();
    assert_eq!(atomic::read_bounded(&disk, &path("d/a"), OLD.len()).unwrap(), OLD);
    let error = atomic::read_bounded(&disk, &path("d/a"), OLD.len() - 1).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
}

#[test]
fn a_created_directory_is_durable_even_if_an_earlier_process_was_stopped_before_its_sync() {
    let disk = FaultDisk::new();
    disk.create_directory(&path("d")).unwrap();
    atomic::ensure_directory(&disk, &path("d/e")).unwrap();
    assert_eq!(disk.crash(Policy::LoseAll).paths(), ["d", "d/e"]);
    drop(disk.open(&path("a"), OpenMode::CreateNew).unwrap());
    let error = atomic::ensure_directory(&disk, &path("a")).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
}

#[test]
fn a_name_whose_sync_failed_is_taken_back_so_that_a_repetition_is_durable() {
    let disk = FaultDisk::new();
    disk.plan(0, Fault::FailSync, Repeat::Once);
    atomic::ensure_directory(&disk, &path("d")).unwrap_err();
    assert!(disk.paths().is_empty());
    atomic::ensure_directory(&disk, &path("d")).unwrap();
    let publish = || atomic::publish_new(&disk, &path("d/a"), b"new", Durability::Synced);
    let first_call = disk.call_count();
    publish().unwrap();
    let directory_sync = disk.call_count() - first_call;
    disk.remove_file(&path("d/a")).unwrap();
    disk.plan(disk.call_count() + directory_sync, Fault::FailSync, Repeat::Once);
    publish().unwrap_err();
    assert_eq!(disk.paths(), ["d"]);
    publish().unwrap();
    assert_eq!(disk.crash(Policy::LoseAll).content(&path("d/a")), Some(b"new".to_vec()));
}
