//! Starts the actors of tasks, starts them again when they fail, and stops trying in time.
//!
//! A task's actor that fails more than [`RESTARTS_MAX`] times within [`RESTARTS_WITHIN_MILLIS`] is
//! stopped and said to be down; the log and every other task go on.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ractor::{Actor, ActorId, ActorProcessingErr, ActorRef, RpcReplyPort, SupervisionEvent};
use tokio::sync::watch;

use crate::actors::error::TaskError;
use crate::actors::mailbox::Mailbox;
use crate::actors::projector::{Projector, ProjectorArguments, ProjectorMessage, Published};
use crate::actors::task::{Pace, TaskActor, TaskArguments, TaskMessage};
use crate::actors::writer::TaskWriter;
use crate::domain::ids::TaskRef;
use crate::domain::redact::redact_str;
use crate::readmodels::execution_guard::Freshness;

/// Failures after which an actor is not started again.
pub const RESTARTS_MAX: u32 = 3;
/// Within which time they count, in milliseconds.
pub const RESTARTS_WITHIN_MILLIS: u64 = 10_000;

/// Makes the writer of a task: how the supervisor gets at the world without knowing it.
pub trait Workshop: Send + Sync + 'static {
    /// Returns a writer that has read nothing yet.
    ///
    /// # Errors
    /// [`TaskError::Ledger`] if the data root cannot be opened.
    fn writer(&self, task: TaskRef) -> Result<TaskWriter, TaskError>;
}

/// The way to a task.
#[derive(Clone)]
pub struct TaskHandle {
    /// Its actor.
    pub mailbox: Mailbox<TaskMessage>,
    /// Its views, if they are followed.
    pub views: watch::Receiver<Arc<Published>>,
}

/// A request to the supervisor.
pub enum SupervisorMessage {
    /// Somebody needs a task.
    Open {
        /// Which.
        task: TaskRef,
        /// Whether its log is followed.
        is_followed: bool,
        /// Where the answer goes.
        reply: RpcReplyPort<Result<TaskHandle, TaskError>>,
    },
}

/// What the supervisor is started with.
pub struct SupervisorArguments {
    /// Makes writers.
    pub workshop: Arc<dyn Workshop>,
    /// Where the disk is waited for.
    pub pace: Pace,
}

/// One task under supervision.
struct Supervised {
    publisher: Arc<watch::Sender<Arc<Published>>>,
    actor: Option<Mailbox<TaskMessage>>,
    projector: Option<ActorRef<ProjectorMessage>>,
    failures: Vec<Instant>,
}

/// What the supervisor owns.
pub struct SupervisorState {
    workshop: Arc<dyn Workshop>,
    pace: Pace,
    tasks: HashMap<TaskRef, Supervised>,
    owners: HashMap<ActorId, TaskRef>,
}

/// See the module.
pub struct Supervisor;

impl Actor for Supervisor {
    type Msg = SupervisorMessage;
    type State = SupervisorState;
    type Arguments = SupervisorArguments;

    async fn pre_start(
        &self,
        _myself: ActorRef<SupervisorMessage>,
        arguments: SupervisorArguments,
    ) -> Result<SupervisorState, ActorProcessingErr> {
        Ok(SupervisorState {
            workshop: arguments.workshop,
            pace: arguments.pace,
            tasks: HashMap::new(),
            owners: HashMap::new(),
        })
    }

    async fn handle(
        &self,
        myself: ActorRef<SupervisorMessage>,
        message: SupervisorMessage,
        state: &mut SupervisorState,
    ) -> Result<(), ActorProcessingErr> {
        let SupervisorMessage::Open { task, is_followed, reply } = message;
        let answer = state.open(&myself, task, is_followed).await;
        if !reply.is_closed() && reply.send(answer).is_err() {
            tracing::debug!("nobody waits for the task any more");
        }
        Ok(())
    }

    async fn handle_supervisor_evt(
        &self,
        _myself: ActorRef<SupervisorMessage>,
        event: SupervisionEvent,
        state: &mut SupervisorState,
    ) -> Result<(), ActorProcessingErr> {
        match event {
            SupervisionEvent::ActorFailed(cell, error) => {
                tracing::warn!(error = %redact_str(&error.to_string()), "an actor failed");
                state.ended(cell.get_id(), true);
            }
            SupervisionEvent::ActorTerminated(cell, ..) => state.ended(cell.get_id(), false),
            _ => {}
        }
        Ok(())
    }
}

impl SupervisorState {
    async fn open(
        &mut self,
        myself: &ActorRef<SupervisorMessage>,
        task: TaskRef,
        is_followed: bool,
    ) -> Result<TaskHandle, TaskError> {
        let supervised = self.tasks.entry(task).or_insert_with(Supervised::new);
        if supervised.is_down() {
            return Err(TaskError::Down {
                restarts: RESTARTS_MAX,
                within_millis: RESTARTS_WITHIN_MILLIS,
            });
        }
        if is_followed && supervised.projector.is_none() {
            let arguments = ProjectorArguments {
                reader: self.workshop.writer(task)?,
                publisher: Arc::clone(&supervised.publisher),
            };
            let (projector, _) = Actor::spawn_linked(None, Projector, arguments, myself.get_cell())
                .await
                .map_err(|_| TaskError::Gone)?;
            self.owners.insert(projector.get_id(), task);
            supervised.projector = Some(projector);
            supervised.actor = None;
        }
        if supervised.actor.is_none() {
            let arguments = TaskArguments {
                writer: self.workshop.writer(task)?,
                pace: self.pace,
                projector: supervised.projector.clone(),
            };
            let (actor, _) = Actor::spawn_linked(None, TaskActor, arguments, myself.get_cell())
                .await
                .map_err(|_| TaskError::Gone)?;
            self.owners.insert(actor.get_id(), task);
            supervised.actor = Some(Mailbox::new(actor));
        }
        let mailbox = supervised.actor.clone().ok_or(TaskError::Gone)?;
        Ok(TaskHandle { mailbox, views: supervised.publisher.subscribe() })
    }

    /// An ended actor is forgotten; the next request starts it again, from the log.
    fn ended(&mut self, actor: ActorId, is_failure: bool) {
        let Some(supervised) =
            self.owners.remove(&actor).and_then(|task| self.tasks.get_mut(&task))
        else {
            return;
        };
        if supervised.actor.as_ref().is_some_and(|mailbox| mailbox.actor().get_id() == actor) {
            supervised.actor = None;
        }
        if supervised.projector.as_ref().is_some_and(|projector| projector.get_id() == actor) {
            supervised.projector = None;
            let last = Published {
                freshness: Freshness::Unknown,
                ..(**supervised.publisher.borrow()).clone()
            };
            supervised.publisher.send_replace(Arc::new(last));
        }
        if is_failure {
            supervised.failures.push(Instant::now());
        }
    }
}

impl Supervised {
    fn new() -> Self {
        let (publisher, _) = watch::channel(Arc::new(Published::unknown()));
        Self { publisher: Arc::new(publisher), actor: None, projector: None, failures: Vec::new() }
    }

    fn is_down(&mut self) -> bool {
        let within = Duration::from_millis(RESTARTS_WITHIN_MILLIS);
        self.failures.retain(|failure| failure.elapsed() <= within);
        self.failures.len() > usize::try_from(RESTARTS_MAX).unwrap_or(usize::MAX)
    }
}
