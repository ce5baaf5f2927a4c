//! The actor of one task: takes requests one at a time, and keeps the order of work.
//!
//! It owns the task's writer. A refusal is a reply; a panic loses only what this process remembers
//! of the task, and the supervisor starts it again from the log.

use std::time::Duration;

use ractor::{Actor, ActorProcessingErr, ActorRef, RpcReplyPort, SupervisionEvent};

use crate::actors::error::TaskError;
use crate::actors::mailbox::Mailbox;
use crate::actors::projector::ProjectorMessage;
use crate::actors::recovery::{Assess, RecoveryActor, RecoveryAnswer, RecoveryRequest};
use crate::actors::store::{Depth, Folded};
use crate::actors::writer::{Filed, Filing, Observed, Pending, Receipt, Step, TaskWriter};
use crate::domain::body::Sealed;
use crate::domain::redact::redact_str;
use crate::domain::task::command::Command;
use crate::readmodels::texts::Texts;

/// How long the comparison may take.
pub const RECOVERY_TIMEOUT: Duration = Duration::from_millis(300);

/// On which thread the disk is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// On the actor's own: a hook process has nothing else to do.
    Inline,
    /// On the runtime's blocking pool: others share the runtime.
    Pool,
}

/// What an answer to a read holds.
pub type TaskReading = (Folded, Texts);

/// A request to the actor.
pub enum TaskMessage {
    /// A host reports something.
    Observe {
        /// What.
        observed: Box<Observed>,
        /// Where the answer goes.
        reply: RpcReplyPort<Result<Receipt, TaskError>>,
    },
    /// Somebody asks for something.
    Submit {
        /// What.
        command: Box<Command>,
        /// The texts that it names.
        bodies: Vec<Sealed>,
        /// How long to wait for the writer lock, in milliseconds.
        patience_millis: u64,
        /// Where the answer goes.
        reply: RpcReplyPort<Result<Receipt, TaskError>>,
    },
    /// Something is to be put before the user.
    File {
        /// What.
        filing: Box<Filing>,
        /// How long to wait for the writer lock, in milliseconds.
        patience_millis: u64,
        /// Where the answer goes.
        reply: RpcReplyPort<Result<Filed, TaskError>>,
    },
    /// Somebody wants to know; nothing is locked or written.
    Read {
        /// How much of the log is read.
        depth: Depth,
        /// Where the answer goes.
        reply: RpcReplyPort<Result<TaskReading, TaskError>>,
    },
}

/// What an actor is started with.
pub struct TaskArguments {
    /// The task's writer.
    pub writer: TaskWriter,
    /// Where the disk is waited for.
    pub pace: Pace,
    /// Who is told that the log has grown.
    pub projector: Option<ActorRef<ProjectorMessage>>,
}

/// What the actor owns.
pub struct TaskActorState {
    writer: Option<TaskWriter>,
    pace: Pace,
    recovery: Mailbox<Assess>,
    projector: Option<ActorRef<ProjectorMessage>>,
}

/// See the module.
pub struct TaskActor;

impl Actor for TaskActor {
    type Msg = TaskMessage;
    type State = TaskActorState;
    type Arguments = TaskArguments;

    async fn pre_start(
        &self,
        myself: ActorRef<TaskMessage>,
        arguments: TaskArguments,
    ) -> Result<TaskActorState, ActorProcessingErr> {
        let (recovery, _) = Actor::spawn_linked(None, RecoveryActor, (), myself.get_cell()).await?;
        Ok(TaskActorState {
            writer: Some(arguments.writer),
            pace: arguments.pace,
            recovery: Mailbox::new(recovery),
            projector: arguments.projector,
        })
    }

    async fn handle(
        &self,
        _myself: ActorRef<TaskMessage>,
        message: TaskMessage,
        state: &mut TaskActorState,
    ) -> Result<(), ActorProcessingErr> {
        match message {
            TaskMessage::Observe { observed, reply } => {
                let step = state.with_writer(move |writer| writer.observe(&observed)).await?;
                answer(reply, state.finish(step).await?);
            }
            TaskMessage::Submit { command, bodies, patience_millis, reply } => {
                let step = state
                    .with_writer(move |writer| writer.submit(*command, bodies, patience_millis))
                    .await?;
                answer(reply, state.finish(step).await?);
            }
            TaskMessage::File { filing, patience_millis, reply } => {
                let filed =
                    state.with_writer(move |writer| writer.file(&filing, patience_millis)).await?;
                answer(reply, state.finish_filing(filed).await?);
            }
            TaskMessage::Read { depth, reply } => {
                answer(reply, state.with_writer(move |writer| writer.read(depth)).await?);
            }
        }
        Ok(())
    }

    async fn handle_supervisor_evt(
        &self,
        myself: ActorRef<TaskMessage>,
        event: SupervisionEvent,
        state: &mut TaskActorState,
    ) -> Result<(), ActorProcessingErr> {
        if let SupervisionEvent::ActorFailed(_, error) = event {
            tracing::warn!(error = %redact_str(&error.to_string()), "the comparison failed and is started again");
            let (recovery, _) =
                Actor::spawn_linked(None, RecoveryActor, (), myself.get_cell()).await?;
            state.recovery = Mailbox::new(recovery);
        }
        Ok(())
    }
}

impl TaskActorState {
    /// Lets the writer work where the pace says. A panic there ends this actor: what it remembers is
    /// not to be trusted any more.
    async fn with_writer<R: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut TaskWriter) -> R + Send + 'static,
    ) -> Result<R, ActorProcessingErr> {
        let mut writer = self.writer.take().ok_or("the writer was lost")?;
        let (writer, result) = match self.pace {
            Pace::Inline => {
                let result = work(&mut writer);
                (writer, result)
            }
            Pace::Pool => {
                tokio::task::spawn_blocking(move || {
                    let result = work(&mut writer);
                    (writer, result)
                })
                .await?
            }
        };
        self.writer = Some(writer);
        Ok(result)
    }

    async fn finish(
        &mut self,
        step: Result<Step, TaskError>,
    ) -> Result<Result<Receipt, TaskError>, ActorProcessingErr> {
        let (pending, assessed) = match step {
            Err(error) => return Ok(Err(error)),
            Ok(Step::Done(receipt)) => return Ok(Ok(receipt)),
            Ok(Step::Commit(pending)) => (pending, None),
            Ok(Step::Assess(pending, request)) => {
                // Without a comparison the boundary still is recorded, and stays open.
                (pending, assess(self.recovery.clone(), request).await)
            }
        };
        self.commit(*pending, assessed).await
    }

    async fn finish_filing(
        &mut self,
        filed: Result<(Pending, Filed), TaskError>,
    ) -> Result<Result<Filed, TaskError>, ActorProcessingErr> {
        let (pending, filed) = match filed {
            Ok(filed) => filed,
            Err(error) => return Ok(Err(error)),
        };
        Ok(self.commit(pending, None).await?.map(|_| filed))
    }

    async fn commit(
        &mut self,
        pending: Pending,
        assessed: Option<RecoveryAnswer>,
    ) -> Result<Result<Receipt, TaskError>, ActorProcessingErr> {
        let receipt = self.with_writer(move |writer| writer.commit(pending, assessed)).await?;
        if let (Ok(receipt), Some(projector)) = (&receipt, &self.projector)
            && receipt.event_count > 0
            && projector.cast(ProjectorMessage::Grown).is_err()
        {
            tracing::debug!("the projector has ended");
        }
        Ok(receipt)
    }
}

async fn assess(
    recovery: Mailbox<Assess>,
    request: Box<RecoveryRequest>,
) -> Option<RecoveryAnswer> {
    match recovery.call(|reply| Assess { request, reply }, RECOVERY_TIMEOUT).await {
        Ok(answer) => Some(answer),
        Err(error) => {
            tracing::warn!(error = %redact_str(&error.to_string()), "the state could not be compared");
            None
        }
    }
}

/// A closed reply port is no error: whoever asked has gone.
fn answer<A>(reply: RpcReplyPort<A>, answer: A)
where
    A: Send + 'static,
{
    if !reply.is_closed() && reply.send(answer).is_err() {
        tracing::debug!("nobody waits for the answer any more");
    }
}
