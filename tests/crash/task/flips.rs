//! Every bit turned over in the files of a task, as its writer meets them.

use context_continuity::actors::error::TaskError;
use context_continuity::actors::store::{Depth, Folded};
use context_continuity::domain::body::Body;
use context_continuity::domain::ports::{LedgerError, TaskFiles as _};
use context_continuity::domain::recovery::snapshot::is_named_by;
use context_continuity::domain::task::TaskState;
use context_continuity::io::fs::fault::{FaultDisk, Policy};
use context_continuity::io::root::{DataRootError, Lookup};
use context_continuity::readmodels::texts::Texts;

use super::is_full_campaign;
use super::oracle::{Reference, reader};
use super::player::{Player, Promise, files, log, root, store, task};
use super::script::{Do, Which};
use super::sent::{HOST, host_event, last_prompt};
use crate::support::path;

/// Steps that are enough for one file of each kind.
const STEPS: usize = 27;

/// Flips of the log that each way through the writer is tried on.
const LOG_FLIPS: usize = 6_144;

/// A task that has crossed its first boundary, and its state.
fn fixture() -> (FaultDisk, TaskState) {
    let reference = Reference::played();
    let disk = reference.before[STEPS].crash(Policy::KeepAll);
    let state = reader(&disk).read(Depth::Full).unwrap().0.state;
    (disk, state)
}

/// The disk with one bit of one file turned over, all of it durable.
fn flipped(disk: &FaultDisk, file: &str, bit: usize) -> FaultDisk {
    let copy = disk.crash(Policy::KeepAll);
    copy.edit(&path(file), |bytes| bytes[bit / 8] ^= 1 << (bit % 8));
    copy
}

fn bits_of(disk: &FaultDisk, file: &str) -> usize {
    disk.content(&path(file)).unwrap().len() * 8
}

fn below_task(name: &str) -> String {
    format!("tasks/{}/{name}", task(Which::First))
}

fn files_in(disk: &FaultDisk, directory: &str) -> Vec<String> {
    let prefix = below_task(&format!("{directory}/"));
    disk.files().into_keys().filter(|name| name.starts_with(&prefix)).collect()
}

fn is_refusal(error: &TaskError) -> bool {
    use LedgerError::{Damaged, Forked, NewerFormat, RolledBack};
    matches!(
        error,
        TaskError::Ledger(Damaged { .. } | Forked { .. } | RolledBack { .. } | NewerFormat { .. })
    )
}

fn read(disk: &FaultDisk, depth: Depth) -> Result<(Folded, Texts), TaskError> {
    reader(disk).read(depth)
}

/// Everything but how much was verified.
fn seen(folded: &Folded) -> (&TaskState, context_continuity::domain::chain::Head) {
    (&folded.state, folded.head())
}

// covers: P-157
#[test]
fn a_bit_flipped_in_a_log_gives_its_writer_the_same_state_or_a_refusal() {
    let (disk, _) = fixture();
    let whole = read(&disk, Depth::Full).unwrap();
    let start = Do::Start(context_continuity::domain::host_event::StartSource::Resume);
    let start = host_event("one", &start, STEPS).unwrap();
    let clean = disk.crash(Policy::KeepAll);
    Player::new(&clean).observe(Which::First, "one", start.clone()).unwrap();
    let after_start = read(&clean, Depth::Full).unwrap().0;
    Player::new(&clean).play(STEPS + 1, &last_prompt(), 0).unwrap();
    let segments = files_in(&disk, "ledger");
    let bit_count: usize = segments.iter().map(|name| bits_of(&disk, name)).sum();
    let step = if is_full_campaign() { 1 } else { (bit_count / LOG_FLIPS).max(1) | 1 };
    let (mut flips, mut same, mut refused) = (0, 0, 0);
    for name in &segments {
        for bit in (0..bits_of(&disk, name)).step_by(step) {
            flips += 1;
            let bad = flipped(&disk, name, bit);
            let error = read(&bad, Depth::Full).map(|_| ()).unwrap_err();
            assert!(is_refusal(&error), "{name}, bit {bit}: {error}");
            match read(&bad, Depth::Newest) {
                Ok((folded, texts)) => {
                    assert_eq!(seen(&folded), seen(&whole.0), "{name}, bit {bit}");
                    assert_eq!(texts, whole.1, "{name}, bit {bit}");
                    same += 1;
                }
                Err(error) => {
                    assert!(is_refusal(&error), "{name}, bit {bit}: {error}");
                    refused += 1;
                }
            }
            // A boundary verifies everything, and so refuses; nothing of the log is touched.
            let before = bad.content(&path(name));
            let started = Player::new(&bad).observe(Which::First, "one", start.clone());
            assert!(started.is_err(), "{name}, bit {bit}: a boundary was recorded: {started:?}");
            assert_eq!(bad.content(&path(name)), before, "{name}, bit {bit}");
            // A prompt reads from the checkpoint on: recorded behind the same state, or refused.
            match Player::new(&bad).play(STEPS, &last_prompt(), 0) {
                Ok(Promise::Head(_, head)) => {
                    let folded = store(&bad, Which::First).fold(Depth::Newest).unwrap();
                    assert_eq!(folded.head(), head, "{name}, bit {bit}");
                    assert_eq!(folded.state.items, whole.0.state.items, "{name}, bit {bit}");
                    assert_eq!(head.sequence, whole.0.head().sequence.next());
                }
                Ok(other) => panic!("{name}, bit {bit}: {other:?}"),
                Err(_) => assert_eq!(bad.content(&path(name)), before, "{name}, bit {bit}"),
            }
        }
    }
    assert!(after_start.head().sequence >= whole.0.head().sequence);
    println!("{flips} flips of {bit_count}: {refused} refused, {same} before the checkpoint");
    assert!(flips >= 4_096 && refused > 0 && same > 0, "{flips} flips");
}

#[test]
fn a_bit_flipped_in_a_checkpoint_is_without_effect() {
    let (disk, state) = fixture();
    let name = below_task("checkpoint");
    let bit_count = bits_of(&disk, &name);
    for bit in 0..bit_count {
        let bad = flipped(&disk, &name, bit);
        assert_eq!(files(&bad, Which::First).load_checkpoint().unwrap(), None, "bit {bit}");
        assert_eq!(read(&bad, Depth::Newest).unwrap().0.state, state, "bit {bit}");
    }
    println!("{bit_count} flips of a checkpoint, all rebuilt");
}

#[test]
fn a_bit_flipped_in_an_anchor_is_without_effect_or_a_refusal() {
    let (disk, state) = fixture();
    let name = format!("anchors/{}", task(Which::First));
    let bit_count = bits_of(&disk, &name);
    for bit in 0..bit_count {
        // Of the empty bytes between the slots, every 61st bit stands for its neighbours.
        let byte = bit / 8;
        let is_in_a_slot = !(100..4096).contains(&byte);
        if !is_in_a_slot && bit % 61 != 0 {
            continue;
        }
        let bad = flipped(&disk, &name, bit);
        assert_eq!(read(&bad, Depth::Full).unwrap().0.state, state, "bit {bit}");
        let left = Player::new(&bad).play(STEPS, &last_prompt(), 0);
        assert!(matches!(left, Ok(Promise::Head(..))), "bit {bit}: {left:?}");
        assert!(log(&bad, Which::First).verify(&mut |_| ()).problem.is_none(), "bit {bit}");
    }
    println!("{bit_count} bits of an anchor");
}

#[test]
fn a_bit_flipped_in_a_snapshot_is_found() {
    let (disk, state) = fixture();
    let mark = *state.snapshots.last().unwrap();
    let name = below_task(&format!("snapshots/{}", mark.snapshot.get()));
    let bit_count = bits_of(&disk, &name);
    for bit in 0..bit_count {
        let bad = flipped(&disk, &name, bit);
        let loaded = files(&bad, Which::First).load_snapshot(mark.snapshot.get());
        assert!(matches!(loaded, Err(LedgerError::Damaged { .. })), "bit {bit}");
        assert_eq!(read(&bad, Depth::Newest).unwrap().0.state, state, "bit {bit}");
    }
    let bytes = files(&disk, Which::First).load_snapshot(mark.snapshot.get()).unwrap();
    for bit in 0..bytes.len() * 8 {
        let mut other = bytes.clone();
        other[bit / 8] ^= 1 << (bit % 8);
        assert!(!is_named_by(&other, &mark), "bit {bit}");
    }
    println!("{bit_count} flips of a snapshot, all found");
}

#[test]
fn a_bit_flipped_in_a_body_takes_that_text_alone() {
    let (disk, state) = fixture();
    let (quote, item) = (state.quotes.values().next().unwrap(), state.in_force().next().unwrap());
    let references = [quote.draft.body, item.1.draft.body, state.work.as_ref().unwrap().body];
    let mut flips = 0;
    for reference in references {
        let name = below_task(&format!("bodies/{}", reference.id));
        for bit in 0..bits_of(&disk, &name) {
            let bad = flipped(&disk, &name, bit);
            let bytes = files(&bad, Which::First).load_body(reference.id).unwrap();
            assert!(Body::open(&bytes, &reference).is_err(), "{name}, bit {bit}");
            let (folded, texts) = read(&bad, Depth::Newest).unwrap();
            assert_eq!(folded.state, state, "{name}, bit {bit}");
            assert!(texts.lack_any_of(&state), "{name}, bit {bit}");
            flips += 1;
        }
    }
    println!("{flips} flips of bodies, all found");
}

#[test]
fn a_bit_flipped_in_a_key_or_pointer_is_found() {
    let (disk, state) = fixture();
    let name = below_task("keys/1");
    let mut flips = 0;
    for bit in 0..bits_of(&disk, &name) {
        let bad = flipped(&disk, &name, bit);
        let loaded = files(&bad, Which::First).load_key(1);
        assert!(matches!(loaded, Err(LedgerError::Damaged { .. })), "bit {bit}");
        let left = Player::new(&bad).play(STEPS, &last_prompt(), 0);
        assert!(matches!(left, Ok(Promise::Head(..))), "bit {bit}: {left:?}");
        assert_eq!(read(&bad, Depth::Newest).unwrap().0.state.key, state.key + 1, "bit {bit}");
        flips += 1;
    }
    let key = root(&disk).find_session_key(HOST.name(), "one").unwrap().unwrap();
    let name = format!("sessions/{key}");
    for bit in 0..bits_of(&disk, &name) {
        let found = root(&flipped(&disk, &name, bit)).lookup(key).unwrap();
        assert!(matches!(found, Lookup::Damaged(_)), "bit {bit}: {found:?}");
        flips += 1;
    }
    for bit in 0..bits_of(&disk, "root.key") {
        let bad = flipped(&disk, "root.key", bit);
        let found = root(&bad).find_session_key(HOST.name(), "one");
        assert!(matches!(found, Err(DataRootError::Damaged { .. })), "bit {bit}: {found:?}");
        flips += 1;
    }
    println!("{flips} flips of keys and a pointer, all found");
}
