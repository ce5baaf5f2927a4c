//! Folds, snapshots and pointers that are whole and yet not the ones that belong here.

use context_continuity::actors::error::TaskError;
use context_continuity::actors::store::Depth;
use context_continuity::domain::chain::{LinkHash, Sequence};
use context_continuity::domain::event::wire::encode_value;
use context_continuity::domain::ports::{Checkpoint, Damage, LedgerError, TaskFiles as _};
use context_continuity::domain::task::{FOLD_VERSION, TaskState};
use context_continuity::io::fs::fault::{FaultDisk, Policy};
use context_continuity::io::root::Lookup;

use super::oracle::{Reference, reader};
use super::player::{files, root, task};
use super::script::Which;
use super::sent::HOST;
use crate::support::path;

/// The disk before a step, and the task's own checkpoint on it.
fn fixture() -> (FaultDisk, Checkpoint) {
    let reference = Reference::played();
    let disk = reference.before[60].crash(Policy::KeepAll);
    let checkpoint = files(&disk, Which::First).load_checkpoint().unwrap().unwrap();
    (disk, checkpoint)
}

fn read_behind(disk: &FaultDisk, checkpoint: &Checkpoint) -> Result<TaskState, TaskError> {
    let disk = disk.crash(Policy::KeepAll);
    files(&disk, Which::First).store_checkpoint(checkpoint).unwrap();
    reader(&disk).read(Depth::Newest).map(|(folded, _)| folded.state)
}

#[test]
fn a_checkpoint_of_other_code_or_of_no_state_is_rebuilt_to_the_same_state() {
    let (disk, checkpoint) = fixture();
    let whole = reader(&disk).read(Depth::Full).unwrap().0.state;
    assert_eq!(read_behind(&disk, &checkpoint).unwrap(), whole);
    // A state that nobody may believe, under another version; and bytes that are no state.
    let empty = encode_value(&TaskState::initial()).unwrap();
    for fold_version in [FOLD_VERSION - 1, FOLD_VERSION + 1, u32::MAX] {
        let other = Checkpoint { fold_version, state: empty.clone(), ..checkpoint.clone() };
        assert_eq!(read_behind(&disk, &other).unwrap(), whole, "version {fold_version}");
    }
    for length in 0..checkpoint.state.len() {
        let cut = checkpoint.state[..length].to_vec();
        let cut = Checkpoint { state: cut, ..checkpoint.clone() };
        assert_eq!(read_behind(&disk, &cut).unwrap(), whole, "cut at {length}");
    }
}

#[test]
fn a_checkpoint_ahead_of_its_log_or_of_another_one_is_refused() {
    let (disk, checkpoint) = fixture();
    let mut ahead = checkpoint.clone();
    ahead.position.head.sequence = Sequence::new(10_000);
    let refused = read_behind(&disk, &ahead);
    assert!(
        matches!(refused, Err(TaskError::Ledger(LedgerError::RolledBack { .. }))),
        "{refused:?}"
    );
    let mut foreign = checkpoint.clone();
    foreign.position.head.link = LinkHash::new([1; 32]);
    let refused = read_behind(&disk, &foreign);
    assert!(matches!(refused, Err(TaskError::Ledger(LedgerError::Forked { .. }))), "{refused:?}");
    for change in [1_u64, 8, 4_096] {
        let mut shifted = checkpoint.clone();
        shifted.position.record_offset_bytes += change;
        shifted.position.end_offset_bytes += change;
        let refused = read_behind(&disk, &shifted);
        assert!(matches!(refused, Err(TaskError::Ledger(_))), "{change}: {refused:?}");
    }
}

#[test]
fn a_snapshot_under_the_name_of_another_is_found() {
    let (disk, _) = fixture();
    let state = reader(&disk).read(Depth::Full).unwrap().0.state;
    let [one, .., other] = state.snapshots.as_slice() else { panic!("too few snapshots") };
    let name = |number: u32| path(&format!("tasks/{}/snapshots/{number}", task(Which::First)));
    let bytes = disk.content(&name(one.snapshot.get())).unwrap();
    disk.edit(&name(other.snapshot.get()), |file| *file = bytes);
    let loaded = files(&disk, Which::First).load_snapshot(other.snapshot.get());
    assert!(
        matches!(loaded, Err(LedgerError::Damaged { what: Damage::Position, .. })),
        "{loaded:?}"
    );
}

#[test]
fn a_pointer_under_the_name_of_another_session_is_found() {
    let (disk, _) = fixture();
    let key = |session| root(&disk).find_session_key(HOST.name(), session).unwrap().unwrap();
    let (one, three) = (key("one"), key("three"));
    let bytes = disk.content(&path(&format!("sessions/{one}"))).unwrap();
    disk.edit(&path(&format!("sessions/{three}")), |file| *file = bytes);
    let found = root(&disk).lookup(three).unwrap();
    assert!(matches!(found, Lookup::Damaged(Damage::Position)), "{found:?}");
}
