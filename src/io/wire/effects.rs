//! What a recorded confirmation brings about outside its task's log.
//!
//! The confirmation is in the log first. Whoever comes next finds it there, so a process that is
//! stopped in between leaves nothing half for ever.

use super::observe::PATIENCE_MILLIS;
use super::{Home, HomeError};
use crate::actors::error::TaskError;
use crate::actors::writer::Receipt;
use crate::domain::host_event::HostReply;
use crate::domain::ids::TaskRef;
use crate::domain::ports::Ledger as _;
use crate::domain::task::proposal::Effect;

impl Home {
    /// Does what is left to be done for a task, and tells the user where the event lets it. What
    /// fails is told, and tried again with the next event of the task.
    pub(super) fn bring_about(&self, task: TaskRef, receipt: Receipt, is_told: bool) -> Receipt {
        match receipt.effect {
            None | Some(Effect::RollOver) => receipt,
            Some(Effect::Delete) => {
                let notice = match self.delete_confirmed(task) {
                    Ok(()) => format!(
                        "Continuity: task {} is deleted. The host's own transcript is not ours and \
                         stays.",
                        task.short()
                    ),
                    Err(error) => format!(
                        "Continuity: task {} could not be deleted yet: {error}. It is tried again \
                         with your next message.",
                        task.short()
                    ),
                };
                let notice = is_told.then_some(notice);
                Receipt { reply: HostReply { context: None, notice }, effect: None, ..receipt }
            }
        }
    }

    fn delete_confirmed(&self, task: TaskRef) -> Result<(), HomeError> {
        let mut log = self.log(task);
        log.lock(PATIENCE_MILLIS).map_err(TaskError::from)?;
        let deleted = self.root().delete_task(task);
        log.unlock();
        Ok(deleted?)
    }
}
