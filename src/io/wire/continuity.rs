//! What an embedder holds: the data root, and the actors over it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ractor::Actor;
use tokio::sync::watch;

use super::{Home, HomeError};
use crate::actors::error::TaskError;
use crate::actors::mailbox::Mailbox;
use crate::actors::projector::Published;
use crate::actors::store::{Depth, Folded};
use crate::actors::supervisor::{Supervisor, SupervisorArguments, SupervisorMessage, TaskHandle};
use crate::actors::task::{Pace, TaskMessage};
use crate::actors::writer::{Filed, Filing, Receipt};
use crate::domain::body::Sealed;
use crate::domain::ids::TaskRef;
use crate::domain::task::command::Command;
use crate::io::config::Settings;
use crate::readmodels::texts::Texts;

/// How long a request may wait for the writer lock, in milliseconds.
const PATIENCE_MILLIS: u64 = 2_000;
/// How long a request may take in all.
const CALL_TIMEOUT: Duration = Duration::from_secs(10);

/// Why an embedder gets no [`Continuity`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The data root cannot be used.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The supervisor could not be started: there is no runtime here.
    #[error("the actors could not be started")]
    Actors,
}

/// A data root with its actors, inside the caller's tokio runtime.
#[derive(Clone)]
pub struct Continuity {
    home: Home,
    supervisor: Mailbox<SupervisorMessage>,
}

impl Continuity {
    /// Opens the data root that `settings` name; creates nothing.
    ///
    /// # Errors
    /// [`OpenError`].
    pub async fn open(settings: Settings, workspace: Option<&Path>) -> Result<Self, OpenError> {
        let home = Home::open(settings, workspace)?;
        let arguments = SupervisorArguments { workshop: Arc::new(home.clone()), pace: Pace::Pool };
        let (supervisor, _) =
            Actor::spawn(None, Supervisor, arguments).await.map_err(|_| OpenError::Actors)?;
        Ok(Self { home, supervisor: Mailbox::new(supervisor) })
    }

    /// Returns the data root.
    #[must_use]
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// Submits a command; `bodies` are the texts that it names. Acknowledged means durable.
    ///
    /// # Errors
    /// [`TaskError`]; for [`TaskError::TimedOut`] and [`TaskError::Gone`] it is unknown whether the
    /// command was carried out, and safe to send it again under the same id.
    pub async fn submit(
        &self,
        task: TaskRef,
        command: Command,
        bodies: Vec<Sealed>,
    ) -> Result<Receipt, TaskError> {
        let handle = self.handle(task, false).await?;
        let command = Box::new(command);
        let patience_millis = PATIENCE_MILLIS;
        handle
            .mailbox
            .call(
                |reply| TaskMessage::Submit { command, bodies, patience_millis, reply },
                CALL_TIMEOUT,
            )
            .await?
    }

    /// Puts something before the user, who answers with the code in [`Filed`].
    ///
    /// # Errors
    /// [`TaskError`]; nothing waits then.
    pub async fn file(&self, task: TaskRef, filing: Filing) -> Result<Filed, TaskError> {
        let handle = self.handle(task, false).await?;
        let (filing, patience_millis) = (Box::new(filing), PATIENCE_MILLIS);
        handle
            .mailbox
            .call(|reply| TaskMessage::File { filing, patience_millis, reply }, CALL_TIMEOUT)
            .await?
    }

    /// Reads a task; nothing is locked or written.
    ///
    /// # Errors
    /// [`TaskError`].
    pub async fn read(&self, task: TaskRef, depth: Depth) -> Result<(Folded, Texts), TaskError> {
        let handle = self.handle(task, false).await?;
        handle.mailbox.call(|reply| TaskMessage::Read { depth, reply }, CALL_TIMEOUT).await?
    }

    /// Follows a task: the receiver always holds the newest fold, and changes with the log, whoever
    /// writes it.
    ///
    /// # Errors
    /// [`TaskError`].
    pub async fn subscribe(
        &self,
        task: TaskRef,
    ) -> Result<watch::Receiver<Arc<Published>>, TaskError> {
        Ok(self.handle(task, true).await?.views)
    }

    async fn handle(&self, task: TaskRef, is_followed: bool) -> Result<TaskHandle, TaskError> {
        self.supervisor
            .call(|reply| SupervisorMessage::Open { task, is_followed, reply }, CALL_TIMEOUT)
            .await?
    }
}
