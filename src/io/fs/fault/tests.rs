//! Each policy and fault, on cases small enough to check by hand.

use std::io;
use std::sync::{Arc, Mutex};

use super::{CallKind, Fault, FaultDisk, Policy, Refusal, Repeat};
use crate::io::fs::{FileHandle, FileSystem, OpenMode, RelativePath};

fn path(text: &str) -> RelativePath {
    text.parse().unwrap()
}

fn create(disk: &FaultDisk, name: &str, bytes: &[u8]) -> Box<dyn FileHandle> {
    let mut file = disk.open(&path(name), OpenMode::CreateNew).unwrap();
    file.write_at(bytes, 0).unwrap();
    file
}

fn durable(disk: &FaultDisk, name: &str, bytes: &[u8]) -> Box<dyn FileHandle> {
    let mut file = create(disk, name, bytes);
    file.sync().unwrap();
    disk.sync_directory(&RelativePath::root()).unwrap();
    file
}

#[track_caller]
fn left(disk: &FaultDisk, policy: Policy, expected: &[(&str, &[u8])]) {
    let crashed = disk.crash(policy);
    let found: Vec<(String, Vec<u8>)> = crashed.files().into_iter().collect();
    let expected: Vec<(String, Vec<u8>)> =
        expected.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
    assert_eq!(found, expected, "{policy:?}");
}

#[test]
fn a_synced_file_needs_its_directory_synced_to_keep_its_name() {
    let disk = FaultDisk::new();
    let mut file = create(&disk, "a", b"one");
    file.sync().unwrap();
    left(&disk, Policy::LoseAll, &[]);
    disk.sync_directory(&RelativePath::root()).unwrap();
    left(&disk, Policy::LoseAll, &[("a", b"one")]);
}

#[test]
fn a_synced_directory_keeps_the_name_of_an_unsynced_file_without_its_content() {
    let disk = FaultDisk::new();
    let _file = create(&disk, "a", b"one");
    disk.sync_directory(&RelativePath::root()).unwrap();
    left(&disk, Policy::LoseAll, &[("a", b"")]);
    left(&disk, Policy::KeepAll, &[("a", b"one")]);
}

#[test]
fn a_file_in_a_directory_whose_own_name_was_not_synced_vanishes() {
    let disk = FaultDisk::new();
    disk.create_directory(&path("d")).unwrap();
    create(&disk, "d/a", b"one").sync().unwrap();
    disk.sync_directory(&path("d")).unwrap();
    assert!(disk.crash(Policy::LoseAll).paths().is_empty());
    disk.sync_directory(&RelativePath::root()).unwrap();
    left(&disk, Policy::LoseAll, &[("d/a", b"one")]);
}

#[test]
fn a_rename_without_directory_sync_may_be_undone() {
    let disk = FaultDisk::new();
    drop(durable(&disk, "a", b"old"));
    drop(durable(&disk, "b", b"new"));
    disk.rename(&path("b"), &path("a")).unwrap();
    left(&disk, Policy::LoseAll, &[("a", b"old"), ("b", b"new")]);
    left(&disk, Policy::KeepAll, &[("a", b"new")]);
    disk.sync_directory(&RelativePath::root()).unwrap();
    left(&disk, Policy::LoseAll, &[("a", b"new")]);
}

#[test]
fn a_removal_without_directory_sync_may_be_undone() {
    let disk = FaultDisk::new();
    drop(durable(&disk, "a", b"one"));
    disk.remove_file(&path("a")).unwrap();
    assert_eq!(disk.content(&path("a")), None);
    left(&disk, Policy::LoseAll, &[("a", b"one")]);
    disk.sync_directory(&RelativePath::root()).unwrap();
    left(&disk, Policy::LoseAll, &[]);
}

#[test]
fn a_crash_within_a_publish_may_leave_both_names() {
    let disk = FaultDisk::new();
    drop(durable(&disk, "t", b"one"));
    disk.publish(&path("t"), &path("a")).unwrap();
    left(&disk, Policy::KeepFirst(1), &[("a", b"one"), ("t", b"one")]);
    left(&disk, Policy::KeepLast, &[]);
    assert_eq!(disk.crash(Policy::KeepFirst(1)).metadata(&path("a")).unwrap().link_count, 2);
    drop(create(&disk, "u", b"two"));
    let taken = disk.publish(&path("u"), &path("a")).unwrap_err();
    assert_eq!(taken.kind(), io::ErrorKind::AlreadyExists);
}

#[test]
fn keeping_the_first_or_last_change_cuts_between_two_writes() {
    let disk = FaultDisk::new();
    let mut file = durable(&disk, "a", b"....");
    file.write_at(b"1", 0).unwrap();
    file.write_at(b"2", 3).unwrap();
    left(&disk, Policy::KeepFirst(1), &[("a", b"1...")]);
    left(&disk, Policy::KeepLast, &[("a", b"...2")]);
    left(&disk, Policy::KeepFirst(2), &[("a", b"1..2")]);
}

#[test]
fn delayed_allocation_leaves_zeros_or_nothing() {
    let disk = FaultDisk::new();
    let mut file = durable(&disk, "a", b"old");
    file.write_at(b"new", 3).unwrap();
    drop(create(&disk, "b", b"two"));
    left(&disk, Policy::ZeroContent, &[("a", b"old\0\0\0"), ("b", b"\0\0\0")]);
    left(&disk, Policy::NamesOnly, &[("a", b"old"), ("b", b"")]);
}

#[test]
fn a_rename_may_survive_the_creation_of_another_file() {
    let disk = FaultDisk::new();
    drop(create(&disk, "other", b"lost"));
    drop(create(&disk, "t", b"kept"));
    disk.rename(&path("t"), &path("a")).unwrap();
    left(&disk, Policy::RenamesOnly, &[("a", b"kept")]);
}

#[test]
fn random_subsets_repeat_by_their_number_and_differ_between_numbers() {
    let disk = FaultDisk::new();
    let mut file = durable(&disk, "a", &[b'.'; 16]);
    for offset in 0..16 {
        file.write_at(b"x", offset).unwrap();
    }
    let survivors: Vec<_> = (0..20)
        .map(|number| disk.crash(Policy::RandomSubset(number)).content(&path("a")))
        .collect();
    let again: Vec<_> = (0..20)
        .map(|number| disk.crash(Policy::RandomSubset(number)).content(&path("a")))
        .collect();
    assert_eq!(survivors, again);
    let distinct: std::collections::BTreeSet<_> = survivors.into_iter().collect();
    assert!(distinct.len() >= 19, "{} of 20", distinct.len());
}

#[test]
fn a_write_tears_at_its_ends_its_middle_and_every_sector_border() {
    let disk = FaultDisk::new();
    let mut file = durable(&disk, "a", &[b'.'; 500]);
    file.write_at(&[b'x'; 1100], 500).unwrap();
    let mut cuts: Vec<usize> = disk
        .policies_at(u64::MAX, 0)
        .into_iter()
        .filter_map(|policy| if let Policy::Torn(cut) = policy { Some(cut) } else { None })
        .collect();
    cuts.sort_unstable();
    assert_eq!(cuts, [0, 1, 12, 524, 550, 1036, 1099]);
    let torn = disk.crash(Policy::Torn(12)).content(&path("a")).unwrap();
    assert_eq!(torn, [[b'.'; 500].as_slice(), &[b'x'; 12]].concat());
}

#[test]
fn garbage_stays_within_one_sector_of_a_pending_write() {
    let disk = FaultDisk::new();
    let mut file = durable(&disk, "a", &[b'.'; 4096]);
    file.write_at(&[b'x'; 2000], 1000).unwrap();
    for number in 0..64 {
        let found = disk.crash(Policy::Garbage(number)).content(&path("a")).unwrap();
        let wrong: Vec<usize> = (0..4096)
            .filter(|at| found[*at] != if (1000..3000).contains(at) { b'x' } else { b'.' })
            .collect();
        let (first, last) = (wrong[0], wrong[wrong.len() - 1]);
        assert!(first >= 1000 && last < 3000, "{first}..={last}");
        assert_eq!(first / 512, last / 512);
    }
}

#[test]
fn every_crash_point_of_one_run_can_be_asked_for_afterwards() {
    let disk = FaultDisk::new();
    drop(durable(&disk, "a", b"one"));
    let kinds: Vec<_> = disk.calls().iter().map(|call| (call.number, call.kind)).collect();
    assert_eq!(
        kinds,
        [
            (1, CallKind::CreateFile),
            (2, CallKind::Write),
            (3, CallKind::SyncFile),
            (4, CallKind::SyncDirectory)
        ]
    );
    let contents: Vec<_> =
        (1..=5).map(|call| disk.crash_at(call, Policy::KeepAll).content(&path("a"))).collect();
    let (empty, full) = (Some(Vec::new()), Some(b"one".to_vec()));
    assert_eq!(contents, [None, empty, full.clone(), full.clone(), full]);
    let pending: Vec<_> = (1..=5).map(|call| disk.pending_count_at(call)).collect();
    assert_eq!(pending, [0, 1, 2, 1, 0]);
}

#[test]
fn a_stopped_process_changes_nothing_any_more() {
    let disk = FaultDisk::new();
    let mut file = durable(&disk, "a", b"one");
    disk.stop_at(disk.call_count() + 2);
    file.write_at(b"two", 0).unwrap();
    let stop = file.write_at(b"six", 0).unwrap_err();
    assert!(FaultDisk::is_stop(&stop));
    assert!(FaultDisk::is_stop(&disk.remove_file(&path("a")).unwrap_err()));
    assert_eq!(disk.content(&path("a")), Some(b"two".to_vec()));
    disk.restart();
    left(&disk, Policy::LoseAll, &[("a", b"one")]);
    file.sync().unwrap();
    left(&disk, Policy::LoseAll, &[("a", b"two")]);
}

#[test]
fn a_refusal_strikes_once_or_for_ever_and_only_where_it_can() {
    let disk = FaultDisk::new();
    let mut file = durable(&disk, "a", b"one");
    disk.plan(0, Fault::Refuse(Refusal::DiskFull), Repeat::Once);
    file.read_at(&mut [0], 0).unwrap();
    let full = file.write_at(b"two", 0).unwrap_err();
    assert_eq!(full.kind(), io::ErrorKind::StorageFull);
    file.write_at(b"two", 0).unwrap();
    disk.plan(0, Fault::Refuse(Refusal::ReadOnly), Repeat::Forever);
    for _ in 0..3 {
        let refused = disk.remove_file(&path("a")).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::ReadOnlyFilesystem);
    }
    disk.open(&path("a"), OpenMode::Read).unwrap();
    disk.clear_faults();
    disk.remove_file(&path("a")).unwrap();
}

#[test]
fn every_refusal_strikes_some_call_and_changes_nothing() {
    for refusal in Refusal::ALL {
        let disk = FaultDisk::new();
        drop(durable(&disk, "a", b"one"));
        disk.plan(0, Fault::Refuse(refusal), Repeat::Forever);
        disk.open(&path("b"), OpenMode::CreateNew).map(|_| ()).unwrap_err();
        assert_eq!(disk.paths(), ["a"], "{refusal:?}");
    }
}

#[test]
fn a_short_write_says_how_much_it_took() {
    let disk = FaultDisk::new();
    let mut file = durable(&disk, "a", b"");
    disk.plan(0, Fault::WriteOneByte, Repeat::Once);
    assert_eq!(file.write_at(b"123456", 0).unwrap(), 1);
    disk.plan(0, Fault::WriteHalf, Repeat::Once);
    assert_eq!(file.write_at(b"23456", 1).unwrap(), 3);
    assert_eq!(disk.content(&path("a")), Some(b"1234".to_vec()));
}

#[test]
fn after_a_failed_sync_the_file_reads_as_written_and_never_becomes_durable() {
    let disk = FaultDisk::new();
    let mut file = durable(&disk, "a", b"old");
    file.write_at(b"new", 0).unwrap();
    disk.plan(0, Fault::FailSync, Repeat::Once);
    file.sync().unwrap_err();
    assert_eq!(disk.content(&path("a")), Some(b"new".to_vec()));
    file.sync().unwrap();
    left(&disk, Policy::LoseAll, &[("a", b"old")]);
    left(&disk, Policy::KeepAll, &[("a", b"new")]);
}

#[test]
fn a_lying_sync_answers_success_and_keeps_nothing() {
    let disk = FaultDisk::new();
    let mut file = durable(&disk, "a", b"old");
    file.write_at(b"new", 0).unwrap();
    disk.plan(0, Fault::LieAboutSync, Repeat::Forever);
    file.sync().unwrap();
    left(&disk, Policy::LoseAll, &[("a", b"old")]);
}

#[test]
fn a_lock_excludes_other_handles_and_ends_with_its_own() {
    let disk = FaultDisk::new();
    let mut first = durable(&disk, "a", b"");
    let mut second = disk.clone().open(&path("a"), OpenMode::ReadWrite).unwrap();
    first.try_lock().unwrap();
    assert_eq!(second.try_lock().unwrap_err().kind(), io::ErrorKind::WouldBlock);
    drop(first);
    second.try_lock().unwrap();
}

#[test]
fn a_hook_sees_each_call_before_it_runs_and_may_change_the_disk() {
    let disk = FaultDisk::new();
    drop(durable(&disk, "a", b"one"));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (inside, log) = (disk.clone(), Arc::clone(&seen));
    disk.before_each_call(move |call| {
        log.lock().unwrap().push(call.kind);
        inside.put_other(&path("a"));
    });
    let refused = disk.open(&path("a"), OpenMode::Read).map(|_| ()).unwrap_err();
    assert_eq!(refused.to_string(), "not a regular file");
    assert_eq!(*seen.lock().unwrap(), [CallKind::OpenRead]);
    disk.clear_hook();
}

#[test]
fn what_others_do_is_durable_at_once() {
    let disk = FaultDisk::new();
    disk.put(&path("d/a"), b"one");
    disk.edit(&path("d/a"), |bytes| bytes.push(b'!'));
    disk.add_link(&path("d/a"));
    disk.open_to_others(&path("d/a"));
    disk.give_away(&path("d/a"));
    let crashed = disk.crash(Policy::LoseAll);
    assert_eq!(crashed.content(&path("d/a")), Some(b"one!".to_vec()));
    let metadata = crashed.metadata(&path("d/a")).unwrap();
    assert_eq!(metadata.link_count, 2);
    assert!(metadata.is_open_to_others && !metadata.is_owned_by_us);
    disk.take_away(&path("d"));
    assert!(disk.crash(Policy::LoseAll).paths().is_empty());
}
