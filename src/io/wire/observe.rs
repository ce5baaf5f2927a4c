//! The way of a host event into its task, in a process that lives for this one event.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ractor::Actor;

use super::{Home, HomeError};
use crate::actors::error::TaskError;
use crate::actors::mailbox::Mailbox;
use crate::actors::observe::is_user_prompt;
use crate::actors::store::Depth;
use crate::actors::task::{Pace, TaskActor, TaskArguments, TaskMessage};
use crate::actors::writer::{Observed, Receipt, TaskWriter};
use crate::domain::body::Sealed;
use crate::domain::host_event::{EventRole, HostEvent, HostEventKind, StartSource};
use crate::domain::ids::{SessionKey, TaskRef};
use crate::domain::ports::{Entropy, Ledger, LedgerError, TaskFiles};
use crate::domain::task::command::Command;
use crate::io::clock::SystemEntropy;
use crate::io::hosts::{CompletionEvidence, ReplyForm, spec_of};
use crate::io::root::Lookup;
use crate::io::task_files::TaskStore;

/// How long one event may wait for the writer lock, in milliseconds.
pub const PATIENCE_MILLIS: u64 = 250;
/// How long one event may take in all once its task is found.
pub const OBSERVE_TIMEOUT: Duration = Duration::from_millis(420);

/// Successors in a row that one event follows.
const FOLLOWED_MAX: usize = 8;

/// A note on an event of which it is not known yet what becomes of it. Whoever takes it first
/// decides whether it is left.
#[derive(Clone, Default)]
pub struct ArmedNote(Arc<Mutex<Option<Note>>>);

/// Where an event goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Addressee {
    /// The task.
    pub task: TaskRef,
    /// The event's session.
    pub session: SessionKey,
    /// Whether the session comes to this task with the event, by the user's word.
    pub is_carried: bool,
}

/// What is to be left if an event may not have been recorded.
pub struct Note {
    files: TaskStore,
    kind: u8,
    digest: [u8; 32],
}

impl ArmedNote {
    fn arm(&self, note: Note) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(note);
    }

    /// Takes the note, if one is armed and nobody has taken it.
    #[must_use]
    pub fn take(&self) -> Option<Note> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Note {
    /// Leaves the note if that works. What keeps it from being left is what the event met before.
    pub fn leave(self) {
        drop(self.files.leave_missed_note(self.kind, self.digest));
    }
}

impl Home {
    /// Records a host event and returns what the host is answered; `None` if no task is concerned.
    ///
    /// The event's task is found by its session. Only a prompt of the user begins a task.
    ///
    /// # Errors
    /// [`HomeError`]. If the event could have been recorded, a note is left where that works.
    pub fn observe(&self, event: &HostEvent) -> Result<Option<Receipt>, HomeError> {
        self.observe_armed(&Arc::new(event.clone()), &ArmedNote::default())
    }

    /// Records a host event as [`Home::observe`] does, with a note in `armed` as long as it is not
    /// known what becomes of the event: whoever ends this process meanwhile can leave it.
    ///
    /// # Errors
    /// As [`Home::observe`].
    pub fn observe_armed(
        &self,
        event: &Arc<HostEvent>,
        armed: &ArmedNote,
    ) -> Result<Option<Receipt>, HomeError> {
        let Some(addressee) = self.addressee_of(event)? else {
            return Ok(self.offer_to_carry(event));
        };
        let outcome = self.observe_for(addressee, event, armed);
        let note = armed.take();
        if let Err(error) = &outcome
            && is_worth_a_note(error)
            && let Some(note) = note
        {
            note.leave();
        }
        outcome
    }

    /// Records an event where it belongs: a task that another one goes on with takes nothing more.
    fn observe_for(
        &self,
        addressee: Addressee,
        event: &Arc<HostEvent>,
        armed: &ArmedNote,
    ) -> Result<Option<Receipt>, HomeError> {
        let mut addressee = addressee;
        for _ in 0..FOLLOWED_MAX {
            let Addressee { task, session, .. } = addressee;
            if let Some(kind) = note_kind(event) {
                armed.arm(Note { files: self.files(task), kind, digest: *session.as_bytes() });
            }
            let receipt = self.observe_in(addressee, Arc::clone(event))?;
            let is_recorded = receipt.event_count > 0;
            if is_recorded {
                self.settle(addressee, event)?;
            }
            let receipt = self.bring_about(task, receipt, event, session)?;
            match receipt.successor.filter(|_| !is_recorded) {
                None => return Ok(Some(receipt)),
                Some(next) => match self.follow(addressee, next, event)? {
                    Some(next) => addressee = next,
                    None => return Ok(None),
                },
            }
        }
        Ok(None)
    }

    fn observe_in(
        &self,
        addressee: Addressee,
        event: Arc<HostEvent>,
    ) -> Result<Receipt, HomeError> {
        let Addressee { task, session, is_carried } = addressee;
        let inherited = self.begin(task, session, &event)?;
        let spec = spec_of(event.host);
        let is_start_completion =
            spec.is_some_and(|spec| spec.completion == CompletionEvidence::SessionStartCompact);
        let is_stop_shown = spec
            .and_then(|spec| spec.event_of(EventRole::Stop))
            .is_some_and(|stop| stop.reply != ReplyForm::Silent);
        let observed = Box::new(Observed {
            event,
            session,
            is_start_completion,
            is_stop_shown,
            is_carried,
            patience_millis: PATIENCE_MILLIS,
        });
        let writer = match inherited {
            Some(_) => self.beginning_writer(task),
            None => self.task_writer(task),
        };
        let receipt = run_actor(writer, async move |mailbox| {
            if let Some((command, bodies)) = inherited {
                submit(&mailbox, command, bodies).await?;
            }
            mailbox.call(|reply| TaskMessage::Observe { observed, reply }, OBSERVE_TIMEOUT).await?
        })?;
        Ok(receipt)
    }

    /// Finds the task of an event's session, and binds a new one to it for a prompt of the user.
    fn addressee_of(&self, event: &HostEvent) -> Result<Option<Addressee>, HomeError> {
        let (host, session) = (event.host.name(), event.session.as_str());
        let is_prompt = is_user_prompt(event);
        let key = if is_prompt {
            self.root.session_key(host, session)?
        } else {
            match self.root.find_session_key(host, session)? {
                Some(key) => key,
                None => return Ok(None),
            }
        };
        let found = self.root.lookup(key)?;
        if let Some(task) = self.carry_over(event, key, found)? {
            return Ok(Some(Addressee { task, session: key, is_carried: true }));
        }
        let task = match found {
            Lookup::Task(task) => Some(task),
            Lookup::Absent => self.first_task(event, key)?,
            Lookup::Damaged(_) => self.repair_pointer(key, is_prompt)?,
        };
        Ok(task.map(|task| Addressee { task, session: key, is_carried: false }))
    }

    /// Finds or names the task of a session that nothing points from yet.
    ///
    /// A prompt of the user begins one. A session that goes on with an earlier one under a new name
    /// belongs to its task; a fork gets a task of its own.
    fn first_task(
        &self,
        event: &HostEvent,
        session: SessionKey,
    ) -> Result<Option<TaskRef>, HomeError> {
        let is_new = match &event.kind {
            HostEventKind::SessionStart { source: StartSource::Resume } => {
                let Some(ancestor) = self.ancestor(event)? else { return Ok(None) };
                return Ok(Some(self.root.bind(session, ancestor)?));
            }
            HostEventKind::SessionStart { source: StartSource::Fork | StartSource::Other } => {
                self.ancestor(event)?.is_some()
            }
            _ => is_user_prompt(event),
        };
        if !is_new {
            return Ok(None);
        }
        let task = SystemEntropy.new_task().map_err(TaskError::from)?;
        Ok(Some(self.root.bind(session, task)?))
    }

    /// Prepares a task whose log does not exist yet, and returns what it takes over.
    fn begin(
        &self,
        task: TaskRef,
        session: SessionKey,
        event: &HostEvent,
    ) -> Result<Option<(Command, Vec<Sealed>)>, HomeError> {
        let is_start = matches!(event.kind, HostEventKind::SessionStart { .. });
        if !(is_start || is_user_prompt(event)) || self.has_log(task)? {
            return Ok(None);
        }
        let ancestor = self.ancestor(event)?.filter(|ancestor| *ancestor != task);
        if ancestor.is_some() || is_user_prompt(event) {
            self.root.create_task(task)?;
        }
        ancestor.map(|ancestor| self.inherit(ancestor, task, session, event.host)).transpose()
    }

    /// A damaged pointer is made anew from the ledgers, which name their sessions.
    fn repair_pointer(
        &self,
        session: SessionKey,
        is_prompt: bool,
    ) -> Result<Option<TaskRef>, HomeError> {
        for task in self.root.tasks()? {
            let Ok((folded, _)) = self.read(task, Depth::Newest) else {
                continue;
            };
            if folded.state.sessions.contains(&session) {
                self.root.rebind(session, task)?;
                return Ok(Some(task));
            }
        }
        if !is_prompt {
            return Ok(None);
        }
        let task = SystemEntropy.new_task().map_err(TaskError::from)?;
        self.root.rebind(session, task)?;
        Ok(Some(task))
    }

    /// Tells whether a task's log exists.
    ///
    /// # Errors
    /// [`HomeError::Task`].
    pub fn has_log(&self, task: TaskRef) -> Result<bool, HomeError> {
        Ok(self.log(task).exists().map_err(TaskError::from)?)
    }
}

/// Runs an actor over one task until `work` is done with it.
///
/// # Errors
/// [`HomeError::Runtime`], [`HomeError::Task`].
pub(super) fn run_actor<R>(
    writer: TaskWriter,
    work: impl AsyncFnOnce(Mailbox<TaskMessage>) -> Result<R, TaskError>,
) -> Result<R, HomeError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(HomeError::Runtime)?;
    let arguments = TaskArguments { writer, pace: Pace::Inline, projector: None };
    let done = runtime.block_on(async move {
        let (actor, _) =
            Actor::spawn(None, TaskActor, arguments).await.map_err(|_| TaskError::Gone)?;
        work(Mailbox::new(actor)).await
    });
    Ok(done?)
}

/// Submits a command to a task's actor; `bodies` are the texts that it names.
///
/// # Errors
/// [`TaskError`].
pub(super) async fn submit(
    mailbox: &Mailbox<TaskMessage>,
    command: Command,
    bodies: Vec<Sealed>,
) -> Result<Receipt, TaskError> {
    let (command, patience_millis) = (Box::new(command), PATIENCE_MILLIS);
    mailbox
        .call(
            |reply| TaskMessage::Submit { command, bodies, patience_millis, reply },
            OBSERVE_TIMEOUT,
        )
        .await?
}

/// Number of the event's kind in a note; `None` for events that leave nothing anyway.
fn note_kind(event: &HostEvent) -> Option<u8> {
    if event.agent.is_some() {
        return None;
    }
    match event.kind.role()? {
        EventRole::Prompt if is_user_prompt(event) => Some(1),
        EventRole::PreCompact => Some(2),
        EventRole::PostCompact => Some(3),
        EventRole::SessionStart => Some(4),
        _ => None,
    }
}

/// A refusal by rule, or a log that is not to be written, leaves no note: nothing was missed.
fn is_worth_a_note(error: &HomeError) -> bool {
    match error {
        HomeError::Task(TaskError::Ledger(error)) => {
            matches!(error, LedgerError::Busy | LedgerError::Io { .. } | LedgerError::Poisoned)
        }
        HomeError::Task(TaskError::TimedOut | TaskError::Gone | TaskError::Busy) => true,
        _ => false,
    }
}
