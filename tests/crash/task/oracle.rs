//! What must hold of a task on whatever disk a fault leaves.

use std::sync::Arc;

use context_continuity::actors::store::{Depth, Folded};
use context_continuity::actors::writer::TaskWriter;
use context_continuity::domain::event::wire::decode;
use context_continuity::domain::event::{Batch, Event};
use context_continuity::domain::ports::{Ledger as _, Position, TaskFiles as _};
use context_continuity::domain::recovery::snapshot::is_named_by;
use context_continuity::domain::task::{TaskState, apply_batch};
use context_continuity::io::fs::fault::{FaultDisk, Policy};
use context_continuity::io::root::Lookup;
use context_continuity::readmodels::continuity::{ContinuityView, ViewInput, build};
use context_continuity::readmodels::texts::Texts;

use super::player::{Player, Promise, files, log, records, root, store, task};
use super::ports::{Cells, STEP_MILLIS, limits, time_of, world};
use super::script::{DELETED_TEXT, ERASED_TEXT, Step, Which, script};
use super::sent::{HOST, last_prompt};

/// Number of the step that follows every recovery.
const LAST_STEP: usize = 900;

pub type Record = (Position, Vec<u8>);

/// One undisturbed run of the script.
pub struct Reference {
    pub disk: FaultDisk,
    pub steps: Vec<Step>,
    /// Calls made before and after each step.
    pub spans: Vec<(u64, u64)>,
    pub promises: Vec<Promise>,
    /// The disk before each step, all of it durable.
    pub before: Vec<FaultDisk>,
    first: Vec<Record>,
    second: Vec<Record>,
}

impl Reference {
    pub fn played() -> Self {
        let disk = FaultDisk::new();
        let mut player = Player::new(&disk);
        let steps = script();
        let (mut spans, mut promises, mut before) = (Vec::new(), Vec::new(), Vec::new());
        let mut second = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            let copy = disk.crash(Policy::KeepAll);
            if matches!(step.act, super::script::Do::Delete(_)) {
                second = records(&copy, Which::Second);
            }
            before.push(copy);
            let from = disk.call_count();
            let answer = player.play(number, step, 0);
            promises.push(answer.unwrap_or_else(|error| panic!("{number} {step:?}: {error:?}")));
            spans.push((from, disk.call_count()));
        }
        let first = records(&disk.crash(Policy::KeepAll), Which::First);
        Self { disk, steps, spans, promises, before, first, second }
    }

    pub fn records(&self, which: Which) -> &[Record] {
        match which {
            Which::First => &self.first,
            Which::Second => &self.second,
        }
    }

    /// The first task's records before a step.
    pub fn records_before(&self, step: usize) -> &[Record] {
        let count = self.first.iter().filter(|(_, bytes)| step_of(bytes) < step).count();
        &self.first[..count]
    }

    /// The step that runs at a call, and what is promised by then.
    pub fn at(&self, call: u64) -> (usize, &[Promise]) {
        let done = self.spans.iter().filter(|(_, to)| *to < call).count();
        (done.min(self.steps.len() - 1), &self.promises[..done])
    }

    /// Holds what was found against what was sent up to a step: the same records, and no others.
    pub fn agrees(&self, found: &[Record], which: Which, step: usize) -> Result<(), String> {
        let sent = self.records(which).iter().filter(|(_, bytes)| step_of(bytes) <= step).count();
        if found.len() > sent {
            return Err(format!("{} records of {sent} sent", found.len()));
        }
        if found != &self.records(which)[..found.len()] {
            return Err("another record than was sent".into());
        }
        Ok(())
    }
}

/// The step that left a record.
pub fn step_of(payload: &[u8]) -> usize {
    let at = decode(payload).unwrap().header.recorded_at;
    usize::try_from(at.millis_since(time_of(0)) / STEP_MILLIS).unwrap()
}

/// A task as a recovery found it.
pub struct Found {
    pub records: Vec<Record>,
    pub state: TaskState,
}

/// Recovers a disk, and returns the first task.
pub fn recover(disk: &FaultDisk, promises: &[Promise]) -> Result<Option<Found>, String> {
    root(disk).finish_deletes().map_err(|error| format!("deletes: {error}"))?;
    let first = recover_task(disk, Which::First)?;
    let second = recover_task(disk, Which::Second)?;
    let is_gone = root(disk).is_deleted(task(Which::Second)).map_err(|e| e.to_string())?;
    if is_gone && (second.is_some() || holds_text(disk, DELETED_TEXT)) {
        return Err("a deleted task is still there".into());
    }
    for promise in promises {
        let which = match promise {
            Promise::Head(which, _) | Promise::Note(which) | Promise::Bound(_, _, which) => *which,
            _ => Which::First,
        };
        if which == Which::Second && is_gone {
            continue;
        }
        let found = if which == Which::First { &first } else { &second };
        if !is_kept(disk, promise, found.as_ref(), is_gone)? {
            return Err(format!("{promise:?} is not kept"));
        }
    }
    notes_are_kept(disk, Which::First, promises, first.as_ref())?;
    if !is_gone {
        notes_are_kept(disk, Which::Second, promises, second.as_ref())?;
    }
    Ok(first)
}

fn is_kept(
    disk: &FaultDisk,
    promise: &Promise,
    found: Option<&Found>,
    is_gone: bool,
) -> Result<bool, String> {
    Ok(match promise {
        Promise::Head(_, head) => found.is_some_and(|found| {
            let index = usize::try_from(head.sequence.get()).unwrap() - 1;
            found.records.get(index).is_some_and(|(position, _)| position.head == *head)
        }),
        Promise::Bound(key, session, which) => {
            let named = root(disk).find_session_key(HOST.name(), session);
            let bound = root(disk).lookup(*key).map_err(|error| error.to_string())?;
            named.map_err(|error| error.to_string())? == Some(*key)
                && bound == Lookup::Task(task(*which))
        }
        Promise::Erased(body) => {
            let is_missing = files(disk, Which::First).load_body(*body).is_err();
            is_missing && !holds_text(disk, ERASED_TEXT)
        }
        Promise::Deleted(_) => is_gone,
        Promise::Note(_) | Promise::Nothing => true,
    })
}

/// Each note is on the disk, or a record says that it was taken in.
fn notes_are_kept(
    disk: &FaultDisk,
    which: Which,
    promises: &[Promise],
    found: Option<&Found>,
) -> Result<(), String> {
    let left = promises.iter().filter(|promise| **promise == Promise::Note(which)).count();
    let waiting = files(disk, which).missed_notes().map_err(|error| error.to_string())?.len();
    let batches = found.into_iter().flat_map(|found| &found.records);
    let events = batches.flat_map(|(_, bytes)| decode(bytes).unwrap().events);
    let taken: u32 = events
        .map(|event| match event {
            Event::MissedNotesTaken { count } => count,
            _ => 0,
        })
        .sum();
    if waiting + usize::try_from(taken).unwrap() < left {
        return Err(format!("{left} notes were left, {waiting} wait and {taken} are told"));
    }
    Ok(())
}

fn holds_text(disk: &FaultDisk, text: &str) -> bool {
    disk.files().values().any(|bytes| memmem(bytes, text.as_bytes()))
}

fn memmem(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

/// Reads a task as the next writer does, twice, and compares every way to its state.
fn recover_task(disk: &FaultDisk, which: Which) -> Result<Option<Found>, String> {
    let mut log = log(disk, which);
    if !log.exists().map_err(|error| format!("exists: {error}"))? {
        return Ok(None);
    }
    let read = |log: &mut dyn context_continuity::domain::ports::Ledger| {
        let mut seen = Vec::new();
        log.lock(0).map_err(|error| format!("lock: {error}"))?;
        let reading = log
            .read(Position::START, &mut |record| {
                seen.push((record.position, record.payload.to_vec()));
            })
            .map_err(|error| format!("read: {error}"))?;
        log.unlock();
        Ok::<_, String>((seen, reading.torn_bytes))
    };
    let (records, _) = read(&mut log)?;
    let mended = disk.files();
    if read(&mut log)? != (records.clone(), 0) || disk.files() != mended {
        return Err("a second recovery changed something".into());
    }
    let state = fold(&records)?;
    let newest = folded(disk, which, Depth::Newest)?;
    let full = folded(disk, which, Depth::Full)?;
    if newest.state != state || full.state != state || newest.position != full.position {
        return Err("the state is not the fold of the log".into());
    }
    let texts = Texts::gather(&state, |id| files(disk, which).load_body(id).ok());
    if texts.lack_any_of(&state) {
        return Err("the text of something in force is missing".into());
    }
    if view(&newest, &texts) != view(&full, &texts) {
        return Err("the view is not that of a fold from zero".into());
    }
    if let Some(mark) = state.snapshots.last() {
        let bytes = files(disk, which).load_snapshot(mark.snapshot.get());
        let bytes = bytes.map_err(|error| format!("snapshot: {error}"))?;
        if !is_named_by(&bytes, mark) {
            return Err("the newest snapshot is another one".into());
        }
    }
    Ok(Some(Found { records, state }))
}

/// The fold from zero, in the test's own words.
pub fn fold(records: &[Record]) -> Result<TaskState, String> {
    let mut state = TaskState::initial();
    for (position, bytes) in records {
        let batch: Batch = decode(bytes).map_err(|error| format!("batch: {error}"))?;
        apply_batch(&mut state, &batch, position.head.sequence);
    }
    Ok(state)
}

fn folded(disk: &FaultDisk, which: Which, depth: Depth) -> Result<Folded, String> {
    store(disk, which).fold(depth).map_err(|error| format!("{depth:?}: {error}"))
}

fn view(folded: &Folded, texts: &Texts) -> ContinuityView {
    build(&ViewInput {
        state: &folded.state,
        texts,
        head: folded.head(),
        basis: context_continuity::domain::chain::Basis::Full,
        log_bytes: folded.log_bytes,
        is_durable: true,
        limits: limits(),
    })
}

/// Records one more prompt behind a recovery, cuts the power, and looks for all of it.
pub fn go_on(disk: &FaultDisk, found: Option<&Found>) -> Result<(), String> {
    let promise = Player::new(disk)
        .play(LAST_STEP, &last_prompt(), 0)
        .map_err(|error| format!("going on: {error:?}"))?;
    let is_off = found.is_some_and(|found| found.state.is_off);
    let Promise::Head(_, head) = promise else {
        return if is_off { Ok(()) } else { Err(format!("going on left {promise:?}")) };
    };
    let before = found.map_or(&[][..], |found| &found.records);
    let cut = disk.crash(Policy::LoseAll);
    let after = records(&cut, Which::First);
    let is_added = after.len() == before.len() + usize::from(!is_off);
    let is_last = after.last().is_some_and(|(position, _)| position.head == head);
    if after.starts_with(before) && is_added && is_last {
        let texts = reader(&cut).read(Depth::Full).map_err(|error| error.to_string())?;
        if texts.1.lack_any_of(&texts.0.state) {
            return Err("the words recorded behind a recovery are lost".into());
        }
        return Ok(());
    }
    Err("what was recorded behind a recovery is lost".into())
}

/// A process that only reads.
pub fn reader(disk: &FaultDisk) -> TaskWriter {
    let cells = Arc::new(Cells::default());
    TaskWriter::new(task(Which::First), store(disk, Which::First), world(&cells))
}
