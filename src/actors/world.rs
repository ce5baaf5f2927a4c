//! What a task's actor may ask of the world.

use std::sync::Arc;

use crate::domain::budget::Budget;
use crate::domain::ids::{BodyId, CommandId};
use crate::domain::ports::{Clock, Entropy, LedgerError, Transcripts, WorkspaceProbe};
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
    /// Returns a name for a new body, and a salt.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn new_body(&self) -> Result<(BodyId, [u8; 16]), LedgerError> {
        Ok((BodyId::new(self.entropy.sixteen_bytes()?), self.entropy.sixteen_bytes()?))
    }

    /// Returns a name for a command that nothing repeats.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn new_command(&self) -> Result<CommandId, LedgerError> {
        Ok(CommandId::new(self.entropy.sixteen_bytes()?))
    }
}
