//! What a recorded confirmation brings about outside its task's log.
//!
//! The confirmation is in the log first. Whoever comes next finds it there, so a process that is
//! stopped in between leaves nothing half for ever.

use std::time::{Duration, Instant};

use super::observe::PATIENCE_MILLIS;
use super::rollover::RolledOver;
use super::{Home, HomeError};
use crate::actors::error::TaskError;
use crate::actors::observe::is_user_prompt;
use crate::actors::store::Depth;
use crate::actors::writer::Receipt;
use crate::domain::host_event::{HostEvent, HostReply};
use crate::domain::ids::{SessionKey, TaskRef};
use crate::domain::origin::{Channel, Origin};
use crate::domain::ports::Ledger as _;
use crate::domain::task::proposal::Effect;
use crate::readmodels::confirmation::entries_words;

/// How long other tasks are looked at before one is deleted.
const KIN_TIME_MAX: Duration = Duration::from_millis(150);

impl Home {
    /// Does what is left to be done for a task, and tells the user where the event lets it. What
    /// fails is told, and tried again with the next event of the task.
    ///
    /// # Errors
    /// [`HomeError`], if the event itself has no place to go before that is done.
    pub(super) fn bring_about(
        &self,
        task: TaskRef,
        receipt: Receipt,
        event: &HostEvent,
        session: SessionKey,
    ) -> Result<Receipt, HomeError> {
        let is_told = is_user_prompt(event);
        match receipt.effect {
            None => Ok(receipt),
            Some(Effect::RollOver) => {
                let origin = Origin::of_session(Channel::HostEvent, event.host, session);
                let (notice, successor) = match self.roll_over(task, origin) {
                    Ok(done) => (done.words(), Some(done.successor)),
                    // Nothing more is recorded in the old log, so the event has no place yet.
                    Err(error) if receipt.event_count == 0 => return Err(error),
                    Err(error) => (unfinished("could not go on in a new log", task, &error), None),
                };
                Ok(told(Receipt { successor, ..receipt }, notice, is_told))
            }
            Some(Effect::Delete) => {
                let kin = self.kin_of(task);
                let notice = match self.delete_confirmed(task) {
                    Ok(()) => format!(
                        "Continuity: task {} is deleted. The host's own transcript is not ours and \
                         stays.{kin}",
                        task.short()
                    ),
                    Err(error) => unfinished("could not be deleted", task, &error),
                };
                Ok(told(receipt, notice, is_told))
            }
        }
    }

    /// Names the tasks that hold copies of a task's texts, as far as there is time to look.
    fn kin_of(&self, task: TaskRef) -> String {
        let begun_at = Instant::now();
        let Ok(tasks) = self.root().newest_tasks(usize::MAX) else { return String::new() };
        let own = self.fold(task, Depth::Newest).ok().and_then(|folded| folded.state.predecessor);
        let mut kin = Vec::new();
        for other in tasks.into_iter().filter(|other| *other != task) {
            if begun_at.elapsed() > KIN_TIME_MAX {
                return " Not every other task was looked at for copies of its texts.".to_owned();
            }
            let Ok(folded) = self.fold(other, Depth::Newest) else { continue };
            let (before, behind) = (folded.state.predecessor, folded.state.successor);
            let is_kin = before.is_some_and(|before| before.task == task)
                || own.is_some_and(|own| own.task == other)
                || behind == Some(task);
            kin.extend(is_kin.then(|| other.short()));
        }
        if kin.is_empty() {
            return String::new();
        }
        format!(" Copies of its texts are left in tasks that it is kin to: {}.", kin.join(" "))
    }

    fn delete_confirmed(&self, task: TaskRef) -> Result<(), HomeError> {
        let mut log = self.log(task);
        log.lock(PATIENCE_MILLIS).map_err(TaskError::from)?;
        let deleted = self.root().delete_task(task);
        log.unlock();
        Ok(deleted?)
    }
}

/// What was done replaces what was only confirmed. A text for the agent is of a task that goes on.
fn told(receipt: Receipt, notice: String, is_told: bool) -> Receipt {
    let context = receipt.successor.and(receipt.reply.context);
    let notice = is_told.then_some(notice);
    Receipt { reply: HostReply { context, notice }, effect: None, ..receipt }
}

fn unfinished(what: &str, task: TaskRef, error: &HomeError) -> String {
    format!(
        "Continuity: task {} {what} yet: {error}. It is tried again with your next message.",
        task.short()
    )
}

impl RolledOver {
    /// Says what became of the task.
    #[must_use]
    pub fn words(&self) -> String {
        let (task, successor) = (self.task.short(), self.successor.short());
        let count = entries_words(self.carried_count);
        let dropped = match self.dropped_count {
            0 => String::new(),
            count => format!(" Open proposals that were not carried over: {count}."),
        };
        format!(
            "Continuity: task {task} goes on in a new log as task {successor}, with all that is in \
             force: {count}.{dropped}"
        )
    }
}
