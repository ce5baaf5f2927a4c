//! How fast a log is read: checksum, chain, decoding and fold, on one core.
//!
//! Writes a log of a million events in the proportions of a long task, every batch decided by the
//! domain itself, and folds it as a boundary or a rebuild does. `TMPDIR` may name a disk in memory:
//! the log is read from the page cache in any case, and a million syncs take their time elsewhere.
//!
//! `TMPDIR=/dev/shm cargo bench --profile dist --bench fold_log [-- EVENTS]`

#![expect(clippy::disallowed_methods, reason = "a bench makes its own folder")]

use std::error::Error;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;

use context_continuity::actors::store::{Depth, TaskStore};
use context_continuity::domain::act::Act;
use context_continuity::domain::body::BodyRef;
use context_continuity::domain::event::wire::encode;
use context_continuity::domain::event::{Batch, BatchHeader};
use context_continuity::domain::ids::{
    BodyId, CommandId, Commitment, Digest, KeyedDigest, SessionKey, TaskRef,
};
use context_continuity::domain::origin::{Channel, HostNumber, Origin};
use context_continuity::domain::ports::Ledger as _;
use context_continuity::domain::signal::{SignalKind, SignalSet, SubjectKey};
use context_continuity::domain::task::command::{
    Action, Command, Facts, PromptObserved, WorkObserved,
};
use context_continuity::domain::task::limits::Limits;
use context_continuity::domain::task::quote::{QuoteDraft, Stance};
use context_continuity::domain::task::transition::{BoundaryKind, CompactionTrigger, SnapshotMark};
use context_continuity::domain::task::{TaskState, apply_batch, decide};
use context_continuity::domain::time::Timestamp;
use context_continuity::io::fs::RealDisk;
use context_continuity::io::ledger::{LedgerConfig, SegmentLog};
use context_continuity::io::root::DataRoot;
use context_continuity::io::task_files;

/// Events unless told otherwise.
const EVENTS: u64 = 1_000_000;
/// Folds that are timed.
const FOLDS: usize = 5;
const TASK: TaskRef = TaskRef::new([7; 16]);
const LIMITS: Limits = Limits {
    events_max: u64::MAX / 100,
    log_bytes_max: u64::MAX / 100,
    items_in_force_max: 128,
    quotes_open_max: 64,
};
const CONFIG: LedgerConfig =
    LedgerConfig { segment_bytes_max: 64 * 1024 * 1024, payload_bytes_max: 16 * 1024 };

fn main() -> Result<(), Box<dyn Error>> {
    let events_wanted =
        std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(EVENTS);
    let folder = std::env::temp_dir().join(format!("continuity-fold-{}", std::process::id()));
    let disk = Arc::new(RealDisk::create(&folder)?);
    DataRoot::new(disk.clone()).create_task(TASK)?;
    let mut ledger = SegmentLog::new(disk.clone(), TASK, CONFIG);
    let written = write(&mut ledger, events_wanted)?;

    let files = task_files::TaskStore::new(disk, TASK);
    let mut store = TaskStore { ledger: Box::new(ledger), files: Box::new(files) };
    let mut output = std::io::stdout().lock();
    let mut rates = Vec::new();
    for _ in 0..FOLDS {
        let before = Instant::now();
        let folded = store.fold(Depth::Full)?;
        let seconds = before.elapsed().as_secs_f64();
        assert_eq!(folded.state, written, "the fold is the state that the writer held");
        let events = folded.state.event_count;
        let rate = f64::from(u32::try_from(events)?) / seconds / 1e6;
        rates.push(rate);
        writeln!(
            output,
            "{events} events in {} records, {} bytes: {:.0} ms, {rate:.2} million events/s",
            folded.position.head.sequence,
            folded.log_bytes,
            seconds * 1e3
        )?;
    }
    rates.sort_by(f64::total_cmp);
    writeln!(output, "median: {:.2} million events/s", rates.get(FOLDS / 2).ok_or("no fold")?)?;
    Ok(std::fs::remove_dir_all(folder)?)
}

/// Writes the log, and returns the state after it.
fn write(ledger: &mut SegmentLog, events_wanted: u64) -> Result<TaskState, Box<dyn Error>> {
    ledger.lock(0)?;
    ledger.create()?;
    let mut state = TaskState::initial();
    let mut turn = 0;
    while state.event_count < events_wanted {
        for action in actions(turn) {
            let command = command(turn, action);
            let now = Timestamp::from_millis(1_800_000_000_000 + i64::try_from(turn)? * 20_000);
            let facts = Facts { now, task: TASK, log_bytes: 0, limits: LIMITS };
            let events = decide(&state, &command, &facts)?;
            if events.is_empty() {
                continue;
            }
            let header =
                BatchHeader { command: command.id, recorded_at: now, origin: command.origin };
            let batch = Batch { header, events };
            let position = ledger.append(&encode(&batch)?)?;
            apply_batch(&mut state, &batch, position.head.sequence);
        }
        turn += 1;
    }
    ledger.unlock();
    Ok(state)
}

/// What a host reports in one turn: of 100 prompts 6 carry a signal and 2 find the work moved; one
/// turn in 50 starts and ends a sub-agent, one in 100 ends with a compaction.
fn actions(turn: u64) -> Vec<Action> {
    let work = turn.is_multiple_of(50).then(|| work(turn));
    let quotes = if turn % 100 < 6 { vec![quote(turn)] } else { Vec::new() };
    let signals = quotes
        .iter()
        .fold(SignalSet::default(), |set: SignalSet, quote: &QuoteDraft| set.with(quote.kind));
    let prompt = PromptObserved {
        digest: KeyedDigest::new(bytes(1, turn)),
        key: 1,
        length_chars: 180,
        signals,
        quotes,
        model: Some(KeyedDigest::new([3; 32])),
        has_turn: true,
        arrival: None,
        is_carried: false,
        answer: None,
        corroborations: Vec::new(),
    };
    let mut actions = vec![Action::ObservePrompt { prompt, work }];
    if turn % 50 == 7 {
        let agent = KeyedDigest::new(bytes(4, turn));
        actions.push(Action::ObserveChildStart { agent });
        actions.push(Action::ObserveChildStop { agent });
    }
    if turn % 100 == 99 {
        let trigger = CompactionTrigger::Auto;
        let snapshot = Some(SnapshotMark {
            snapshot: context_continuity::domain::ids::SnapshotId::new(
                u32::try_from(turn / 100 + 1).unwrap_or(u32::MAX),
            ),
            digest: Digest::new(bytes(5, turn)),
            state_digest: Digest::new(bytes(6, turn)),
        });
        actions.push(Action::ObservePreCompact { trigger, snapshot, work: None });
        actions.push(Action::ObservePostCompact { trigger });
        actions.push(Action::ObserveBoundary {
            kind: BoundaryKind::Compaction,
            work: None,
            is_completion: false,
        });
    }
    actions
}

fn command(turn: u64, action: Action) -> Command {
    let purpose = match &action {
        Action::ObservePrompt { .. } => 10,
        Action::ObserveChildStart { .. } => 11,
        Action::ObserveChildStop { .. } => 12,
        Action::ObservePreCompact { .. } => 13,
        Action::ObservePostCompact { .. } => 14,
        _ => 15,
    };
    let channel = if purpose == 10 { Channel::HostPrompt } else { Channel::HostEvent };
    let session = Some(SessionKey::new([9; 32]));
    let origin = Origin { channel, host: HostNumber::new(1), session };
    Command { id: CommandId::new(bytes(purpose, turn)), origin, expected_generation: None, action }
}

fn quote(turn: u64) -> QuoteDraft {
    let word = |salt: u64| u32::try_from(mixed(salt, turn) >> 40).unwrap_or(0);
    QuoteDraft {
        kind: SignalKind::HardConstraint,
        body: body(turn),
        subject: SubjectKey::new([word(20), word(21), word(22)], [word(23)]),
        act: Some((Act::Push, Stance::Forbidden)),
    }
}

fn work(turn: u64) -> WorkObserved {
    WorkObserved { body: body(turn + 1), identity: KeyedDigest::new(bytes(30, turn)), commit: None }
}

fn body(turn: u64) -> BodyRef {
    BodyRef { id: BodyId::new(bytes(40, turn)), commitment: Commitment::new(bytes(41, turn)) }
}

/// Bytes that look like the digests that they stand for.
fn bytes<const N: usize>(purpose: u64, turn: u64) -> [u8; N] {
    std::array::from_fn(|at| {
        let word = mixed(purpose + 1_000 * u64::try_from(at / 8).unwrap_or(0), turn);
        word.to_le_bytes().get(at % 8).copied().unwrap_or(0)
    })
}

/// Splitmix64.
const fn mixed(purpose: u64, turn: u64) -> u64 {
    let mut word = purpose
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(turn.wrapping_mul(0xd1b5_4a32_d192_ed03));
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
