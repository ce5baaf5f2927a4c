//! `continuity task delete`: removes everything of one task for good.

use std::io::Write as _;

use super::failure::{Failure, Outcome};
use super::stage::{Stage, path_words};
use super::task_switch::{Arguments, require_confirmed, require_person};
use super::which;
use crate::domain::ports::Ledger as _;

pub(super) const EXAMPLES: &str = "\
An act of a person: it works on a terminal only, and not from within an agent. Say which task twice,
the second time with its whole reference. Nothing brings a deleted task back.

Examples:
  continuity task delete k3v7qd    says what would be done, and the whole reference
  continuity task delete k3v7qd --confirm k3v7qdabcdefghijklmnopqrst";

/// How long to wait for another writer, in milliseconds.
const PATIENCE_MILLIS: u64 = 2_000;

/// Deletes a task. Works on a damaged one too.
pub(super) fn run(arguments: &Arguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    require_person()?;
    let home = stage.home()?;
    let task = which::choose(&home, arguments.task.as_deref())?;
    let words = format!("this deletes all that is recorded of task {}, for good", task.short());
    require_confirmed(task, arguments.confirm.as_deref(), &words)?;
    let mut log = home.log(task);
    log.lock(PATIENCE_MILLIS)?;
    home.root().delete_task(task)?;
    log.unlock();
    writeln!(
        stage.out,
        "Task {} is deleted: log, texts, snapshots, keys, witness and session pointers. An empty\n\
         folder in {} remembers that it was there.",
        task.short(),
        path_words(&home.path().join("tombstones"))
    )?;
    writeln!(
        stage.out,
        "\nNot ours, and not touched:\n  the host's own transcripts, which hold what you wrote and \
         what the agent was offered\n  whatever you copied or backed up"
    )?;
    Ok(Outcome::Done)
}
