//! What is stored reads back; what is damaged, foreign or too large is refused.

use std::sync::Arc;

use super::{BODY_BYTES_MAX, MISSED_KIND_UNKNOWN, MISSED_NOTES_MAX, TaskStore};
use crate::domain::chain::{Head, LinkHash, Sequence};
use crate::domain::ids::{BodyId, TaskRef};
use crate::domain::ports::{Checkpoint, Damage, LedgerError, Position, TaskFiles as _};
use crate::io::fs::fault::{FaultDisk, Policy};
use crate::io::fs::{FileSystem, RealDisk, RelativePath};
use crate::io::root::DataRoot;

const TASK: TaskRef = TaskRef::new([1; 16]);
const BODY: BodyId = BodyId::new([2; 16]);

fn store_on(fs: Arc<dyn FileSystem>) -> TaskStore {
    DataRoot::new(Arc::clone(&fs)).create_task(TASK).unwrap();
    TaskStore::new(fs, TASK)
}

fn store(disk: &FaultDisk) -> TaskStore {
    store_on(Arc::new(disk.clone()))
}

fn path(name: &str) -> RelativePath {
    format!("tasks/{TASK}/{name}").parse().unwrap()
}

fn checkpoint() -> Checkpoint {
    let head = Head { sequence: Sequence::new(12), link: LinkHash::new([5; 32]) };
    let (record_offset_bytes, end_offset_bytes) = (400, 512);
    let position = Position { head, segment: 3, record_offset_bytes, end_offset_bytes };
    Checkpoint { fold_version: 7, position, state: b"folded".to_vec() }
}

#[test]
fn everything_reads_back_from_the_real_disk_and_from_the_fault_disk() {
    let home = tempfile::tempdir().unwrap();
    let real: Arc<dyn FileSystem> = Arc::new(RealDisk::create(&home.path().join("root")).unwrap());
    for mut store in [store_on(real), store(&FaultDisk::new())] {
        let bodies = [(BODY, b"text".to_vec()), (BodyId::new([3; 16]), Vec::new())];
        store.store_bodies(&bodies).unwrap();
        store.store_bodies(&bodies).unwrap();
        assert_eq!(store.load_body(BODY).unwrap(), b"text");
        assert_eq!(store.body_ids().unwrap(), [BODY, BodyId::new([3; 16])]);
        store.erase_body(BODY).unwrap();
        store.erase_body(BODY).unwrap();
        assert!(matches!(store.load_body(BODY), Err(LedgerError::Missing { .. })));
        assert_eq!(store.load_checkpoint().unwrap(), None);
        store.store_checkpoint(&checkpoint()).unwrap();
        assert_eq!(store.load_checkpoint().unwrap(), Some(checkpoint()));
        store.store_snapshot(1, b"one", 3).unwrap();
        assert_eq!(store.load_snapshot(1).unwrap(), b"one");
        assert!(matches!(store.load_key(1), Err(LedgerError::Missing { .. })));
        let key = store.create_key(1).unwrap();
        assert_eq!(store.create_key(1).unwrap(), key);
        assert_eq!(store.load_key(1).unwrap(), key);
        assert_ne!(store.create_key(2).unwrap(), key);
        store.leave_missed_note(4, [6; 32]).unwrap();
        let notes = store.missed_notes().unwrap();
        assert_eq!((notes.len(), notes[0].kind, notes[0].digest), (1, 4, [6; 32]));
        store.remove_missed_notes(&notes).unwrap();
        store.remove_missed_notes(&notes).unwrap();
        assert_eq!(store.missed_notes().unwrap(), []);
    }
}

#[test]
fn reading_a_task_that_does_not_exist_creates_nothing() {
    let disk = FaultDisk::new();
    let store = TaskStore::new(Arc::new(disk.clone()), TASK);
    assert!(matches!(store.load_body(BODY), Err(LedgerError::Missing { .. })));
    assert!(matches!(store.load_snapshot(1), Err(LedgerError::Missing { .. })));
    assert!(matches!(store.load_key(1), Err(LedgerError::Missing { .. })));
    assert_eq!(store.load_checkpoint().unwrap(), None);
    assert_eq!(store.missed_notes().unwrap(), []);
    assert_eq!(store.body_ids().unwrap(), []);
    assert_eq!(store.sweep(i64::MAX).unwrap(), 0);
    assert!(disk.paths().is_empty());
}

#[test]
fn another_body_under_the_same_name_is_damage_and_stays() {
    let disk = FaultDisk::new();
    let mut store = store(&disk);
    store.store_bodies(&[(BODY, b"first".to_vec())]).unwrap();
    let error = store.store_bodies(&[(BODY, b"other".to_vec())]).unwrap_err();
    assert!(matches!(error, LedgerError::Damaged { what: Damage::Payload, .. }), "{error}");
    assert_eq!(store.load_body(BODY).unwrap(), b"first");
}

#[test]
fn a_body_at_the_bound_is_stored_and_one_byte_more_is_refused_before_anything_is_written() {
    let disk = FaultDisk::new();
    let mut store = store(&disk);
    store.store_bodies(&[(BODY, vec![0; BODY_BYTES_MAX])]).unwrap();
    let other = BodyId::new([3; 16]);
    let bodies = [(other, b"small".to_vec()), (BodyId::new([4; 16]), vec![0; BODY_BYTES_MAX + 1])];
    let error = store.store_bodies(&bodies).unwrap_err();
    assert!(matches!(error, LedgerError::TooLarge { .. }), "{error}");
    assert!(matches!(store.load_body(other), Err(LedgerError::Missing { .. })));
}

// covers: P-128
#[test]
fn only_the_newest_snapshots_are_kept() {
    let disk = FaultDisk::new();
    let mut store = store(&disk);
    disk.put(&path("snapshots/notes"), b"not a snapshot");
    disk.put(&path("snapshots/007"), b"not one either");
    for number in [1, 2, 9, 10, 11] {
        store.store_snapshot(number, &[7], 3).unwrap();
    }
    let crashed = disk.crash(Policy::LoseAll);
    let names = crashed.list(&path("snapshots")).unwrap();
    let names: Vec<_> = names.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["007", "10", "11", "9", "notes"]);
    store.store_snapshot(8, &[8], 3).unwrap();
    assert_eq!(store.load_snapshot(8).unwrap(), [8]);
}

#[test]
fn every_flipped_bit_and_every_cut_is_found() {
    let disk = FaultDisk::new();
    let mut store = store(&disk);
    store.store_checkpoint(&checkpoint()).unwrap();
    store.store_snapshot(1, b"snapshot", 3).unwrap();
    let key = store.create_key(1).unwrap();
    for name in ["checkpoint", "snapshots/1", "keys/1"] {
        let whole = disk.content(&path(name)).unwrap();
        let is_found = || match name {
            "checkpoint" => store.load_checkpoint().unwrap().is_none(),
            "snapshots/1" => matches!(store.load_snapshot(1), Err(LedgerError::Damaged { .. })),
            _ => matches!(store.load_key(1), Err(LedgerError::Damaged { .. })),
        };
        for bit in 0..whole.len() * 8 {
            disk.edit(&path(name), |bytes| bytes[bit / 8] ^= 1 << (bit % 8));
            assert!(is_found(), "{name}, bit {bit}");
            disk.edit(&path(name), |bytes| bytes[bit / 8] ^= 1 << (bit % 8));
        }
        for length in 0..whole.len() {
            disk.put(&path(name), &whole[..length]);
            assert!(is_found(), "{name}, cut at {length}");
        }
        disk.put(&path(name), &whole);
        assert!(!is_found());
    }
    assert_eq!(store.load_key(1).unwrap(), key);
}

#[test]
fn a_snapshot_moved_to_another_number_is_refused() {
    let disk = FaultDisk::new();
    let mut store = store(&disk);
    store.store_snapshot(1, b"one", 3).unwrap();
    let moved = disk.content(&path("snapshots/1")).unwrap();
    disk.put(&path("snapshots/2"), &moved);
    let error = store.load_snapshot(2).unwrap_err();
    assert!(matches!(error, LedgerError::Damaged { what: Damage::Position, .. }), "{error}");
}

#[test]
fn a_file_with_a_second_name_another_owner_or_a_wide_mode_is_not_written() {
    let spoil: [fn(&FaultDisk, &RelativePath); 3] =
        [FaultDisk::add_link, FaultDisk::give_away, FaultDisk::open_to_others];
    for spoil in spoil {
        let disk = FaultDisk::new();
        let mut store = store(&disk);
        store.store_bodies(&[(BODY, b"text".to_vec())]).unwrap();
        store.store_checkpoint(&checkpoint()).unwrap();
        store.store_snapshot(1, b"one", 3).unwrap();
        for name in [&format!("bodies/{BODY}"), "checkpoint", "snapshots/1"] {
            spoil(&disk, &path(name));
        }
        let before = disk.files();
        let answers = [
            store.store_bodies(&[(BODY, b"text".to_vec())]),
            store.store_checkpoint(&checkpoint()),
            store.store_snapshot(1, b"two", 3),
        ];
        for answer in answers {
            assert!(matches!(answer, Err(LedgerError::Unsafe { .. })), "{answer:?}");
        }
        assert_eq!(disk.files(), before);
    }
}

#[test]
fn what_is_no_regular_file_is_an_error_and_never_read() {
    let disk = FaultDisk::new();
    let mut store = store(&disk);
    for name in [&format!("bodies/{BODY}"), "checkpoint", "snapshots/1", "keys/1"] {
        disk.put_other(&path(name));
    }
    store.load_body(BODY).unwrap_err();
    store.load_checkpoint().unwrap_err();
    store.load_snapshot(1).unwrap_err();
    store.load_key(1).unwrap_err();
    store.create_key(1).unwrap_err();
    store.store_bodies(&[(BODY, Vec::new())]).unwrap_err();
}

#[test]
fn notes_come_oldest_first_at_most_so_many_and_only_of_this_task() {
    let disk = FaultDisk::new();
    let mut store = store(&disk);
    let other = TaskStore::new(Arc::new(disk.clone()), TaskRef::new([9; 16]));
    other.leave_missed_note(9, [9; 32]).unwrap();
    for age in (0..70_u8).rev() {
        disk.set_now(i64::from(age) * 1000);
        store.leave_missed_note(age + 1, [age; 32]).unwrap();
    }
    let notes = store.missed_notes().unwrap();
    let kinds: Vec<u8> = notes.iter().map(|note| note.kind).collect();
    assert_eq!(kinds, (7..=70).collect::<Vec<u8>>());
    assert_eq!(notes.len(), MISSED_NOTES_MAX);
    store.remove_missed_notes(&notes).unwrap();
    assert_eq!(store.missed_notes().unwrap(), [], "no more are left than are taken in");
    store.leave_missed_note(7, [7; 32]).unwrap();
    assert_eq!(store.missed_notes().unwrap().len(), 1);
    store.remove_missed_notes(&store.missed_notes().unwrap()).unwrap();
    store.remove_missed_notes(&other.missed_notes().unwrap()).unwrap();
    assert_eq!(other.missed_notes().unwrap().len(), 1);
}

#[test]
fn a_torn_note_still_tells_that_something_was_missed() {
    let disk = FaultDisk::new();
    let mut store = store(&disk);
    store.leave_missed_note(4, [6; 32]).unwrap();
    let name = store.missed_notes().unwrap()[0].name.clone();
    disk.edit(&format!("missed/{name}").parse().unwrap(), |bytes| bytes.truncate(5));
    let notes = store.missed_notes().unwrap();
    assert_eq!((notes[0].kind, notes[0].digest), (MISSED_KIND_UNKNOWN, [0; 32]));
    store.remove_missed_notes(&notes).unwrap();
    assert_eq!(store.missed_notes().unwrap(), []);
}
