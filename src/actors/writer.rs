//! The order of work of one task: lock, catch up, decide, append and sync, evolve, acknowledge.
//!
//! Nothing here is trusted over the file: other processes append to the same log, so each request
//! catches up under the lock before it decides.

mod answers;
mod comparison;
mod filing;

pub use filing::{Filed, Filing, NewItem};

use std::sync::Arc;

use crate::actors::error::TaskError;
use crate::actors::observe::{Observation, Observer, is_user_prompt};
use crate::actors::recovery::{RecoveryAnswer, RecoveryRequest};
use crate::actors::store::{CHECKPOINT_RECORDS, Depth, FULL_READ_BYTES_MAX, Folded, TaskStore};
use crate::actors::world::World;
use crate::domain::body::Sealed;
use crate::domain::chain::{Basis, Head};
use crate::domain::event::wire::encode;
use crate::domain::event::{Batch, BatchHeader, Event};
use crate::domain::fingerprint::Workspace;
use crate::domain::host_event::{HostEvent, HostEventKind, HostReply};
use crate::domain::ids::{BodyId, SessionKey, TaskRef};
use crate::domain::ports::{LedgerError, MissedNote};
use crate::domain::redact::redact_str;
use crate::domain::task::command::{Action, Command, Facts};
use crate::domain::task::limits::SNAPSHOTS_MAX;
use crate::domain::task::proposal::Effect;
use crate::domain::task::transition::SnapshotMark;
use crate::domain::task::{apply_batch, decide};
use crate::readmodels::recovery_context::with_mark;
use crate::readmodels::texts::Texts;

/// A host event that waits for its task.
#[derive(Debug, Clone)]
pub struct Observed {
    /// What the host reports; a prompt may be long, so it is shared.
    pub event: Arc<HostEvent>,
    /// The session under the root key.
    pub session: SessionKey,
    /// Whether a session start counts as the host's word that a compaction happened.
    pub is_start_completion: bool,
    /// Whether the host shows our line to the user at the end of a turn.
    pub is_stop_shown: bool,
    /// Whether the event brings its session to the task, which has not heard of it.
    pub is_carried: bool,
    /// How long to wait for the writer lock, in milliseconds.
    pub patience_millis: u64,
}

/// What became of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The newest record.
    pub head: Head,
    /// Events that the request left.
    pub event_count: usize,
    /// What the host is answered.
    pub reply: HostReply,
    /// What is left to be done outside the log.
    pub effect: Option<Effect>,
    /// The task that goes on with this one; then nothing is recorded here any more.
    pub successor: Option<TaskRef>,
}

impl Receipt {
    /// Says where a task stands behind a request that left so many events; `None` for one that
    /// nothing was read of.
    pub(crate) fn of(folded: Option<&Folded>, event_count: usize, reply: HostReply) -> Self {
        Self {
            head: folded.map_or(Head::EMPTY, Folded::head),
            event_count,
            reply,
            effect: folded.and_then(|folded| folded.state.effect),
            successor: folded.and_then(|folded| folded.state.successor),
        }
    }
}

/// Decided, not yet recorded.
pub struct Pending {
    command: Command,
    events: Vec<Event>,
    bodies: Vec<Sealed>,
    snapshot: Option<(SnapshotMark, Vec<u8>)>,
    workspace: Option<Workspace>,
    notes: Vec<MissedNote>,
}

/// What is to be done next with a pending request.
pub enum Step {
    /// Record it, and answer.
    Commit(Box<Pending>),
    /// Have the state compared first.
    Assess(Box<Pending>, Box<RecoveryRequest>),
    /// Nothing is to be recorded.
    Done(Receipt),
}

/// One task's store, and the fold of it that this process holds.
pub struct TaskWriter {
    task: TaskRef,
    store: TaskStore,
    world: World,
    folded: Option<Folded>,
}

impl TaskWriter {
    /// Takes over a task; nothing is read or created yet.
    #[must_use]
    pub fn new(task: TaskRef, store: TaskStore, world: World) -> Self {
        Self { task, store, world, folded: None }
    }

    /// Reads the task without taking a lock or writing anything.
    ///
    /// # Errors
    /// [`TaskError::NoTask`], [`TaskError::Ledger`].
    pub fn read(&mut self, depth: Depth) -> Result<(Folded, Texts), TaskError> {
        if !self.store.ledger.exists()? {
            return Err(TaskError::NoTask);
        }
        let folded = self.store.fold(depth)?;
        let texts = self.texts(&folded.state);
        Ok((folded, texts))
    }

    /// Locks, catches up and decides about a host event.
    ///
    /// # Errors
    /// [`TaskError`]; the lock is free again.
    pub fn observe(&mut self, observed: &Observed) -> Result<Step, TaskError> {
        let can_begin = is_user_prompt(&observed.event);
        if !can_begin && !self.store.ledger.exists()? {
            return Ok(nothing(None));
        }
        self.store.ledger.lock(observed.patience_millis)?;
        let step = self.observe_locked(observed);
        if !matches!(step, Ok(Step::Commit(_) | Step::Assess(..))) {
            self.store.ledger.unlock();
        }
        step
    }

    /// Locks, catches up and decides about a command; `bodies` are the texts that it names.
    ///
    /// # Errors
    /// [`TaskError`]; the lock is free again.
    pub fn submit(
        &mut self,
        command: Command,
        bodies: Vec<Sealed>,
        patience_millis: u64,
    ) -> Result<Step, TaskError> {
        self.store.ledger.lock(patience_millis)?;
        let step = self.submit_locked(command, bodies);
        if !matches!(step, Ok(Step::Commit(_))) {
            self.store.ledger.unlock();
        }
        step
    }

    fn submit_locked(&mut self, command: Command, bodies: Vec<Sealed>) -> Result<Step, TaskError> {
        self.create_if_missing()?;
        let folded = self.catch_up(Depth::Newest)?;
        let events = decide(&folded.state, &command, &self.facts(&folded))?;
        let pending =
            Pending { command, events, bodies, snapshot: None, workspace: None, notes: Vec::new() };
        self.folded = Some(folded);
        Ok(commit_or_done(pending, self.folded.as_ref()))
    }

    fn observe_locked(&mut self, observed: &Observed) -> Result<Step, TaskError> {
        self.create_if_missing()?;
        let is_start = matches!(observed.event.kind, HostEventKind::SessionStart { .. });
        let step = self.observe_at(observed, if is_start { Depth::Full } else { Depth::Newest })?;
        // A boundary that only a prompt shows is verified as fully as any other.
        match step {
            Step::Assess(_, request) if !is_start && request.basis != Basis::Full => {
                self.observe_at(observed, Depth::Full)
            }
            step => Ok(step),
        }
    }

    fn observe_at(&mut self, observed: &Observed, depth: Depth) -> Result<Step, TaskError> {
        let folded = self.catch_up(depth)?;
        if folded.state.is_left() {
            self.folded = Some(folded);
            return Ok(nothing(self.folded.as_ref()));
        }
        let key = self.store.key(folded.state.key)?;
        let observer = Observer {
            event: &observed.event,
            session: observed.session,
            is_start_completion: observed.is_start_completion,
            is_stop_shown: observed.is_stop_shown,
            is_carried: observed.is_carried,
            folded: &folded,
            key,
            world: &self.world,
        };
        let observation = observer.observe()?;
        let step = match observation {
            Some(observation) => {
                let observation = self.with_rollover(&folded, observation)?;
                self.decide(observed, &folded, observation)
            }
            None => Ok(nothing(Some(&folded))),
        };
        self.folded = Some(folded);
        step
    }

    fn decide(
        &self,
        observed: &Observed,
        folded: &Folded,
        observation: Observation,
    ) -> Result<Step, TaskError> {
        let Observation { command, bodies, snapshot, workspace } = observation;
        let facts = self.facts(folded);
        let mut events = decide(&folded.state, &command, &facts)?;
        let notes = self.store.files.missed_notes()?;
        if !notes.is_empty() && !events.is_empty() {
            let count = u32::try_from(notes.len()).unwrap_or(u32::MAX);
            events.push(Event::MissedNotesTaken { count });
        }
        let pending = Pending { command, events, bodies, snapshot, workspace, notes };
        match self.recovery_request(observed, folded, &pending) {
            Some(request) => Ok(Step::Assess(Box::new(pending), Box::new(request))),
            None => Ok(commit_or_done(pending, Some(folded))),
        }
    }

    /// Records a request together with what came of the comparison, and frees the lock.
    ///
    /// Once the record is durable the request is answered, whatever becomes of the rest.
    ///
    /// # Errors
    /// [`TaskError`]; the lock is free again, and nothing is acknowledged.
    pub fn commit(
        &mut self,
        pending: Pending,
        answer: Option<RecoveryAnswer>,
    ) -> Result<Receipt, TaskError> {
        let outcome = self.commit_locked(pending, answer);
        self.store.ledger.unlock();
        if outcome.is_err() {
            self.folded = None;
        }
        outcome
    }

    fn commit_locked(
        &mut self,
        mut pending: Pending,
        answer: Option<RecoveryAnswer>,
    ) -> Result<Receipt, TaskError> {
        let Some(mut folded) = self.folded.take() else {
            return Err(TaskError::Gone);
        };
        let mut reply = HostReply::default();
        let is_boundary = answer.is_some() || pending.snapshot.is_some();
        if let Some(answer) = answer {
            let ahead = self.ahead(&folded, &pending);
            let is_first = ahead.open_transition().is_some();
            let action =
                Action::Recover { plan: answer.plan, basis: folded.basis, offer: answer.offer };
            let command =
                Command { id: self.world.entropy.new_command()?, action, ..pending.command };
            let recovered = decide(&ahead, &command, &self.facts(&folded))?;
            // Only a claim in the ledger is offered, so that no two processes offer the same.
            let is_claimed =
                recovered.iter().any(|event| matches!(event, Event::RecoveryOffered { .. }));
            pending.events.extend(recovered);
            if is_claimed {
                let mark = self.store.key(ahead.key)?.mark(self.task, folded.head());
                reply.context = Some(with_mark(&answer.body, &mark));
            }
            reply.notice = answer.notice.filter(|_| is_first);
        }
        if pending.events.is_empty() {
            let receipt = Receipt::of(Some(&folded), 0, HostReply::default());
            self.folded = Some(folded);
            return Ok(receipt);
        }
        self.add_answers(&folded, &pending, &mut reply);
        self.append(&mut folded, &pending)?;
        let receipt = Receipt::of(Some(&folded), pending.events.len(), reply);
        if let Err(error) = self.after_append(&mut folded, &pending, is_boundary) {
            let error = redact_str(&error.to_string());
            tracing::warn!(%error, "the record stands, what follows it failed");
        }
        self.folded = Some(folded);
        Ok(receipt)
    }

    /// Texts first, then the record that names them.
    fn append(&mut self, folded: &mut Folded, pending: &Pending) -> Result<(), TaskError> {
        // A text that no event names must not be on the disk: nothing would ever erase it.
        let named: Vec<BodyId> = pending.events.iter().flat_map(Event::bodies).collect();
        let bodies: Vec<_> = pending
            .bodies
            .iter()
            .filter(|sealed| named.contains(&sealed.reference.id))
            .map(|sealed| (sealed.reference.id, sealed.bytes.clone()))
            .collect();
        if !bodies.is_empty() {
            self.store.files.store_bodies(&bodies)?;
        }
        if let Some((mark, bytes)) = &pending.snapshot {
            let keep_count = u32::try_from(SNAPSHOTS_MAX).unwrap_or(u32::MAX);
            self.store.files.store_snapshot(mark.snapshot.get(), bytes, keep_count)?;
        }
        let batch = self.batch(folded, &pending.command, pending.events.clone());
        let payload = encode(&batch)?;
        let position = self.store.ledger.append(&payload)?;
        apply_batch(&mut folded.state, &batch, position.head.sequence);
        folded.position = position;
        Ok(())
    }

    /// What may fail without harm to what is acknowledged: all of it is tried, and the first failure
    /// returned.
    fn after_append(
        &mut self,
        folded: &mut Folded,
        pending: &Pending,
        is_boundary: bool,
    ) -> Result<(), LedgerError> {
        let removed = self.store.files.remove_missed_notes(&pending.notes);
        let flushed = if is_boundary { self.store.ledger.flush_anchor() } else { Ok(()) };
        let behind = folded.head().sequence.get().saturating_sub(folded.checkpoint_at.get());
        let stored = if behind >= CHECKPOINT_RECORDS || is_boundary {
            self.store.store_checkpoint(folded)
        } else {
            Ok(())
        };
        removed.and(flushed).and(stored)
    }

    fn batch(&self, folded: &Folded, command: &Command, events: Vec<Event>) -> Batch {
        let recorded_at = self.world.clock.now().at_least(folded.state.recorded_at);
        Batch {
            header: BatchHeader { command: command.id, recorded_at, origin: command.origin },
            events,
        }
    }

    fn facts(&self, folded: &Folded) -> Facts {
        Facts {
            now: self.world.clock.now().at_least(folded.state.recorded_at),
            task: self.task,
            log_bytes: folded.log_bytes,
            limits: self.world.limits,
        }
    }

    fn create_if_missing(&mut self) -> Result<(), TaskError> {
        if !self.store.ledger.exists()? {
            self.store.ledger.create()?;
            self.folded = None;
        }
        Ok(())
    }

    fn catch_up(&mut self, depth: Depth) -> Result<Folded, TaskError> {
        if self.store.ledger.is_poisoned() {
            self.folded = None;
            return self.read_fully();
        }
        if let Some(mut folded) = self.folded.take()
            && depth == Depth::Newest
        {
            self.store.catch_up(&mut folded)?;
            return Ok(folded);
        }
        match (depth, self.store.fold(Depth::Newest)) {
            (Depth::Full, Ok(folded)) if folded.log_bytes <= FULL_READ_BYTES_MAX => {
                self.read_fully()
            }
            (_, newest) => Ok(newest?),
        }
    }

    fn read_fully(&mut self) -> Result<Folded, TaskError> {
        let full = self.store.fold(Depth::Full);
        if let Err(LedgerError::Damaged { .. }) = &full {
            self.store.void_checkpoint()?;
        }
        Ok(full?)
    }
}

fn commit_or_done(pending: Pending, folded: Option<&Folded>) -> Step {
    if pending.events.is_empty() { nothing(folded) } else { Step::Commit(Box::new(pending)) }
}

/// Nothing is recorded; what is left to be done outside the log is told all the same.
fn nothing(folded: Option<&Folded>) -> Step {
    Step::Done(Receipt::of(folded, 0, HostReply::default()))
}
