//! What a task's actor may ask of the world.

use std::sync::Arc;

use crate::actors::error::TaskError;
use crate::domain::body::{Body, Sealed};
use crate::domain::budget::Budget;
use crate::domain::event::wire::WireError;
use crate::domain::ports::{Clock, Entropy, Transcripts, WorkspaceProbe};
use crate::domain::task::limits::Limits;

/// The ports and settings of one task's actor.
pub struct World {
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Random bytes.
    pub entropy: Arc<dyn Entropy>,
    /// Where the work stands.
    pub probe: Box<dyn WorkspaceProbe>,
    /// What hosts keep of their conversations.
    pub transcripts: Box<dyn Transcripts>,
    /// The bounds of the task.
    pub limits: Limits,
    /// What an offered text may cost.
    pub budget: Budget,
    /// Whether the data root outlives a restart of the machine.
    pub is_durable: bool,
}

impl World {
    /// Seals a text under a fresh name and salt.
    ///
    /// # Errors
    /// [`TaskError::Ledger`] if the system gives no random bytes; [`TaskError::Encoding`].
    pub fn seal(&self, body: &Body) -> Result<Sealed, TaskError> {
        let (id, salt) = self.entropy.new_body()?;
        body.seal(id, salt).map_err(|_| TaskError::Encoding(WireError::Unwritable))
    }
}
