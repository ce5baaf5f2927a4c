//! The actor that follows one task's log and publishes what is in force.
//!
//! It reads by position, without a lock, so it sees what other processes append and misses nothing;
//! messages are only reasons to look. It owns its own reading of the log; if that panics, the
//! supervisor starts it again from the beginning.

use std::sync::Arc;
use std::time::Duration;

use ractor::{Actor, ActorProcessingErr, ActorRef};
use tokio::sync::watch;

use crate::actors::error::TaskError;
use crate::actors::store::{Depth, Folded};
use crate::actors::writer::TaskWriter;
use crate::readmodels::execution_guard::Freshness;
use crate::readmodels::texts::Texts;

/// How often the log is looked at without a reason, in milliseconds.
pub const POLL_MILLIS: u64 = 500;

/// What is published: a fold, its texts, and how far both can be believed.
#[derive(Debug, Clone)]
pub struct Published {
    /// The fold; empty before the first successful read.
    pub folded: Folded,
    /// The texts that it names.
    pub texts: Texts,
    /// How far both can be believed.
    pub freshness: Freshness,
}

impl Published {
    /// What is published before the log was read.
    #[must_use]
    pub fn unknown() -> Self {
        let freshness = Freshness::Unknown;
        Self { folded: Folded::empty(), texts: Texts::default(), freshness }
    }
}

/// A reason to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectorMessage {
    /// The log has grown.
    Grown,
    /// Time has passed.
    Tick,
}

/// What the actor is started with.
pub struct ProjectorArguments {
    /// A reader of the task; it never writes.
    pub reader: TaskWriter,
    /// Where the views go; kept by the supervisor, so that subscribers outlive a restart.
    pub publisher: Arc<watch::Sender<Arc<Published>>>,
}

/// What the actor owns.
pub struct ProjectorState {
    reader: Option<TaskWriter>,
    publisher: Arc<watch::Sender<Arc<Published>>>,
}

/// See the module.
pub struct Projector;

impl Actor for Projector {
    type Msg = ProjectorMessage;
    type State = ProjectorState;
    type Arguments = ProjectorArguments;

    async fn pre_start(
        &self,
        myself: ActorRef<ProjectorMessage>,
        arguments: ProjectorArguments,
    ) -> Result<ProjectorState, ActorProcessingErr> {
        myself.cast(ProjectorMessage::Grown)?;
        myself.send_interval(Duration::from_millis(POLL_MILLIS), || ProjectorMessage::Tick);
        Ok(ProjectorState { reader: Some(arguments.reader), publisher: arguments.publisher })
    }

    async fn handle(
        &self,
        _myself: ActorRef<ProjectorMessage>,
        _message: ProjectorMessage,
        state: &mut ProjectorState,
    ) -> Result<(), ActorProcessingErr> {
        let mut reader = state.reader.take().ok_or("the reader was lost")?;
        let (reader, reading) = tokio::task::spawn_blocking(move || {
            let reading = reader.read(Depth::Newest);
            (reader, reading)
        })
        .await?;
        state.reader = Some(reader);
        state.publish(reading);
        Ok(())
    }
}

impl ProjectorState {
    /// Publishes what differs from what was published last.
    fn publish(&self, reading: Result<(Folded, Texts), TaskError>) {
        let last = Arc::clone(&self.publisher.borrow());
        let next = match reading {
            Ok((folded, texts)) => {
                let freshness = folded.freshness();
                Published { folded, texts, freshness }
            }
            // The last good fold stays, but is never shown as current.
            Err(error) => Published { freshness: error.freshness(), ..(*last).clone() },
        };
        let is_same = last.folded.head() == next.folded.head()
            && last.freshness == next.freshness
            && last.texts == next.texts;
        if !is_same {
            self.publisher.send_replace(Arc::new(next));
        }
    }
}
