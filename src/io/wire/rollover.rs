//! A full log's task goes on in a new one.
//!
//! The confirmation in the old log is the intent: from then on that log takes nothing more, so what
//! is in force there stands still. Every step after it can be done twice, and whoever comes next
//! does what is left: directories, key and texts; the new log's first batch; the end of the old
//! log; the pointers. Pointers come last, since whoever comes through an old one finishes the rest.
//!
//! The successor has the predecessor's key, so digests of one can be compared with the other's:
//! later words still replace earlier ones, and the same model is no other. Both keys are gone only
//! when both tasks are deleted.

use std::collections::BTreeMap;

use super::observe::{Addressee, PATIENCE_MILLIS, run_actor, submit};
use super::{Home, HomeError};
use crate::actors::error::TaskError;
use crate::actors::observe::is_user_prompt;
use crate::actors::store::{Depth, Folded};
use crate::domain::body::{Body, Sealed};
use crate::domain::event::wire::decode;
use crate::domain::event::{Event, Predecessor};
use crate::domain::host_event::{HostEvent, HostEventKind};
use crate::domain::ids::{CommandId, SessionKey, TaskRef};
use crate::domain::keyed::TaskKey;
use crate::domain::origin::{Channel, HostNumber, Origin};
use crate::domain::ports::{Entropy as _, Ledger as _, LedgerError, Position, TaskFiles as _};
use crate::domain::rejection::Rejection;
use crate::domain::signal::{SubjectKey, subject_of};
use crate::domain::task::TaskState;
use crate::domain::task::carried::{Continuation, carried_bodies, inheritance};
use crate::domain::task::command::{Action, Command, Succession};
use crate::domain::task::quote::QuoteDraft;
use crate::io::clock::SystemEntropy;
use crate::io::root::Lookup;

/// A task that goes on in a new log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RolledOver {
    /// The task whose log is closed.
    pub task: TaskRef,
    /// The task that goes on.
    pub successor: TaskRef,
    /// Items and quotes that were carried over.
    pub carried_count: usize,
    /// Open proposals that were not.
    pub dropped_count: usize,
}

impl Home {
    /// Lets a task whose new log was confirmed go on in it; what was done already is left as it is.
    ///
    /// # Errors
    /// [`HomeError`]; [`Rejection::NotAuthorised`] if nobody confirmed it. What was done stays done.
    pub fn roll_over(&self, task: TaskRef, origin: Origin) -> Result<RolledOver, HomeError> {
        let folded = self.fold(task, Depth::Full)?;
        let state = &folded.state;
        if !state.is_left() {
            return Err(TaskError::Rejected(Rejection::NotAuthorised).into());
        }
        let successor = match state.successor {
            Some(successor) => successor,
            None => self.root().successor_of(task)?,
        };
        // One that was deleted meanwhile is not made anew.
        if state.successor.is_none() && !self.root().is_deleted(successor)? {
            self.begin_successor(task, successor, &folded, origin)?;
        }
        self.leave(task, successor, origin)?;
        for session in &state.sessions {
            if self.root().lookup(*session)? == Lookup::Task(task) {
                self.root().rebind(*session, successor)?;
            }
        }
        self.move_notes(task, successor)?;
        Ok(RolledOver {
            task,
            successor,
            carried_count: state.in_force().count().saturating_add(state.quotes.len()),
            dropped_count: state.proposals.len(),
        })
    }

    fn begin_successor(
        &self,
        task: TaskRef,
        successor: TaskRef,
        folded: &Folded,
        origin: Origin,
    ) -> Result<(), HomeError> {
        if self.has_log(successor)? && self.fold(successor, Depth::Newest)?.state.task.is_some() {
            return Ok(());
        }
        self.root().create_task(successor)?;
        let state = &folded.state;
        let has_key = self.hand_over_key(task, successor, state.key)?;
        let bodies = self.hand_over_texts(task, state)?;
        self.remove_halves(successor, &bodies)?;
        let hosts = self.hosts_of(task)?;
        let host_of = |session| hosts.get(&session).copied().unwrap_or(HostNumber::NONE);
        let continuation = Continuation::of(state, has_key, host_of);
        let (items, quotes) = inheritance(state);
        let action = Action::Inherit {
            succession: Succession::RollOver(Box::new(continuation)),
            predecessor: Predecessor { task, head: folded.head() },
            items,
            quotes,
        };
        let command = Command {
            id: CommandId::new(*successor.as_bytes()),
            origin,
            expected_generation: None,
            action,
        };
        run_actor(self.beginning_writer(successor), async move |mailbox| {
            submit(&mailbox, command, bodies).await.map(drop)
        })
    }

    /// Gives a successor its predecessor's keys, the newest being `number`; tells whether that one
    /// was there to give.
    fn hand_over_key(
        &self,
        task: TaskRef,
        successor: TaskRef,
        number: u32,
    ) -> Result<bool, HomeError> {
        let mut is_given = false;
        for number in 1..=number {
            is_given = match self.files(task).load_key(number) {
                Ok(key) => {
                    self.files(successor).adopt_key(number, &key).map_err(TaskError::from)?;
                    true
                }
                Err(LedgerError::Missing { .. } | LedgerError::Damaged { .. }) => false,
                Err(error) => return Err(TaskError::from(error).into()),
            };
        }
        Ok(is_given)
    }

    /// Reads what a successor needs of a task's texts, byte for byte: they keep their names, so a
    /// second try finds what the first one wrote. What cannot be read stays missing there too.
    fn hand_over_texts(&self, task: TaskRef, state: &TaskState) -> Result<Vec<Sealed>, HomeError> {
        let files = self.files(task);
        let mut bodies = Vec::new();
        for reference in carried_bodies(state) {
            match files.load_body(reference.id) {
                Ok(bytes) if Body::open(&bytes, &reference).is_ok() => {
                    bodies.push(Sealed { reference, bytes });
                }
                Ok(_) | Err(LedgerError::Missing { .. }) => {}
                Err(error) => return Err(TaskError::from(error).into()),
            }
        }
        Ok(bodies)
    }

    /// Removes what a process left of these texts that was stopped while it wrote them, so that they
    /// can be written whole. Under the lock nobody else is writing them.
    fn remove_halves(&self, successor: TaskRef, bodies: &[Sealed]) -> Result<(), HomeError> {
        let mut log = self.log(successor);
        log.lock(PATIENCE_MILLIS).map_err(TaskError::from)?;
        let mut files = self.files(successor);
        for sealed in bodies {
            let id = sealed.reference.id;
            let is_half = match files.load_body(id) {
                Ok(found) => found != sealed.bytes,
                Err(LedgerError::Missing { .. }) => false,
                Err(error) => return Err(TaskError::from(error).into()),
            };
            if is_half {
                files.erase_body(id).map_err(TaskError::from)?;
            }
        }
        log.unlock();
        Ok(())
    }

    /// The state knows a session by its name alone; its host is in the log.
    fn hosts_of(&self, task: TaskRef) -> Result<BTreeMap<SessionKey, HostNumber>, HomeError> {
        let mut hosts = BTreeMap::new();
        let mut visit = |payload: &[u8]| {
            for event in decode(payload).map(|batch| batch.events).unwrap_or_default() {
                if let Event::SessionJoined { host, session } = event {
                    hosts.insert(session, host);
                }
            }
        };
        self.log(task)
            .read(Position::START, &mut |record| visit(record.payload))
            .map_err(TaskError::from)?;
        Ok(hosts)
    }

    /// Records the end of a task that `successor` goes on with.
    ///
    /// # Errors
    /// [`HomeError::Task`], if nothing allows it.
    pub(super) fn leave(
        &self,
        task: TaskRef,
        successor: TaskRef,
        origin: Origin,
    ) -> Result<(), HomeError> {
        let action = Action::RollOver { successor };
        let id = SystemEntropy.new_command().map_err(TaskError::from)?;
        let command = Command { id, origin, expected_generation: None, action };
        run_actor(self.task_writer(task), async move |mailbox| {
            submit(&mailbox, command, Vec::new()).await.map(drop)
        })
    }

    /// Notes on what could not be recorded belong to whoever records next.
    fn move_notes(&self, from: TaskRef, to: TaskRef) -> Result<(), HomeError> {
        let mut files = self.files(from);
        let notes = files.missed_notes().map_err(TaskError::from)?;
        if notes.is_empty() || self.root().is_deleted(to)? {
            return Ok(());
        }
        let target = self.files(to);
        for note in &notes {
            target.leave_missed_note(note.kind, note.digest).map_err(TaskError::from)?;
        }
        Ok(files.remove_missed_notes(&notes).map_err(TaskError::from)?)
    }

    /// Returns where an event goes on that came to a task which takes nothing more; `None` if its
    /// successor was deleted and the event begins no task.
    pub(super) fn follow(
        &self,
        from: Addressee,
        next: TaskRef,
        event: &HostEvent,
    ) -> Result<Option<Addressee>, HomeError> {
        let Addressee { task: left, session, .. } = from;
        let is_prompt = is_user_prompt(event);
        if self.root().is_deleted(next)? || !self.has_log(next)? {
            if !is_prompt {
                return Ok(None);
            }
            let task = SystemEntropy.new_task().map_err(TaskError::from)?;
            self.root().rebind(session, task)?;
            return Ok(Some(Addressee { task, ..from }));
        }
        let is_same_conversation = next == self.root().successor_of(left)?;
        let mut task = self.newest(next)?;
        if !is_same_conversation {
            if self.fold(task, Depth::Newest)?.state.is_left() {
                let origin = Origin::of_session(Channel::HostEvent, event.host, session);
                task = self.roll_over(task, origin)?.successor;
            }
            self.take_in(left, task)?;
        }
        self.move_notes(left, task)?;
        if is_same_conversation {
            self.root().rebind(session, task)?;
        }
        Ok(Some(Addressee { task, session, is_carried: !is_same_conversation }))
    }

    /// Lets a session that comes to another task belong to it from here on: once the event that
    /// tells it what is in force is recorded, so that no stop in between leaves it untold.
    pub(super) fn settle(&self, came: Addressee, event: &HostEvent) -> Result<(), HomeError> {
        let is_start = matches!(event.kind, HostEventKind::SessionStart { .. });
        if came.is_carried && (is_start || is_user_prompt(event)) {
            self.root().rebind(came.session, came.task)?;
        }
        Ok(())
    }

    /// Takes the user's words of a session that had only begun into the task that it goes on with.
    fn take_in(&self, from: TaskRef, to: TaskRef) -> Result<(), HomeError> {
        let said = self.fold(from, Depth::Newest)?.state;
        let number = self.fold(to, Depth::Newest)?.state.key;
        let key = match self.files(to).load_key(number) {
            Ok(bytes) => Some(TaskKey::new(number, bytes)),
            Err(_) => None,
        };
        let mut quotes = Vec::new();
        let mut bodies = Vec::new();
        for quote in said.quotes.values() {
            let reference = quote.draft.body;
            let Ok(bytes) = self.files(from).load_body(reference.id) else { continue };
            let Ok(Body::Quote(text)) = Body::open(&bytes, &reference) else { continue };
            let (id, salt) = SystemEntropy.new_body().map_err(TaskError::from)?;
            let subject = subject_of(text.words.as_str());
            let Ok(sealed) = Body::Quote(text).seal(id, salt) else { continue };
            let subject =
                key.map(|key| SubjectKey::of(&subject, |word| key.word(word))).unwrap_or_default();
            quotes.push(QuoteDraft { subject, body: sealed.reference, ..quote.draft.clone() });
            bodies.push(sealed);
        }
        if quotes.is_empty() {
            return Ok(());
        }
        let command = Command {
            id: CommandId::new(*from.as_bytes()),
            origin: Origin { channel: Channel::HostEvent, host: HostNumber::NONE, session: None },
            expected_generation: None,
            action: Action::TakeIn { quotes },
        };
        let taken = run_actor(self.task_writer(to), async move |mailbox| {
            submit(&mailbox, command, bodies).await.map(drop)
        });
        match taken {
            // Where nothing is recorded, these words are not either; they stay where they were said.
            Err(HomeError::Task(TaskError::Rejected(_))) => Ok(()),
            taken => taken,
        }
    }
}
