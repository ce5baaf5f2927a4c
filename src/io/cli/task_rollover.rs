//! `continuity task rollover`: a task goes on in a new log, with everything in force.

use super::door::{Asking, Became, Door, ask, runtime};
use super::failure::{Failure, Outcome};
use super::stage::Stage;
use super::task_switch::{Arguments, require_confirmed, tell};
use super::which;
use crate::actors::error::TaskError;
use crate::actors::store::Depth;
use crate::actors::writer::Filing;
use crate::domain::ids::TaskRef;
use crate::domain::origin::Origin;
use crate::domain::ports::Entropy as _;
use crate::domain::task::command::{Action, Command};
use crate::domain::task::proposal::Purpose;
use crate::io::clock::SystemEntropy;
use crate::io::wire::{Continuity, Home};

pub(super) const EXAMPLES: &str = "\
On a terminal of your own it is done at once: say which task twice, the second time with its whole
reference. Anywhere else, and where an agent started this program, it is put before you: nothing
changes until you type the code.

Examples:
  continuity task rollover k3v7qd    says what would be done, and the whole reference
  continuity task rollover k3v7qd --confirm k3v7qdabcdefghijklmnopqrst";

/// Lets a task go on in a new log, or asks for it.
pub(super) fn run(arguments: &Arguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    let home = stage.home()?;
    let task = which::choose_here(&home, arguments.task.as_deref())?;
    let (folded, _) = home.read(task, Depth::Newest)?;
    if let Some(successor) = folded.state.successor {
        let (short, successor) = (task.short(), successor.short());
        let words = format!("Task {short} goes on as task {successor} already.");
        return tell(stage, arguments, task, Became::AsBefore, &words);
    }
    // What was confirmed is done by whoever comes next.
    if folded.state.is_left() {
        return finish(&home, task, arguments, stage);
    }
    if let Door::Elsewhere(refusal) = Door::look() {
        let (purpose, items, was_redacted) = (Purpose::RollOver, Vec::new(), false);
        ask(stage, Asking { task, purpose, items, refusal, was_redacted }, arguments.json)?;
        return Ok(Outcome::Done);
    }
    let words = format!("this lets task {} go on in a new log", task.short());
    require_confirmed(task, arguments.confirm.as_deref(), &words)?;
    confirm(stage, task)?;
    finish(&home, task, arguments, stage)
}

fn finish(
    home: &Home,
    task: TaskRef,
    arguments: &Arguments,
    stage: &mut Stage,
) -> Result<Outcome, Failure> {
    let done = home.roll_over(task, Origin::OPERATOR)?;
    tell(stage, arguments, task, Became::Done, &done.words())
}

/// The same proposal that a code confirms, confirmed by the person at the terminal.
fn confirm(stage: &Stage, task: TaskRef) -> Result<(), Failure> {
    let settings = stage.settings.clone();
    runtime()?.block_on(async move {
        let continuity = Continuity::open(settings, None).await?;
        let (origin, purpose) = (Origin::OPERATOR, Purpose::RollOver);
        let filing = Filing { origin, purpose, items: Vec::new(), quotes: Vec::new() };
        let filed = continuity.file(task, filing).await?;
        let (folded, _) = continuity.read(task, Depth::Newest).await?;
        let open = folded.state.proposals.get(&filed.proposal).ok_or(TaskError::Gone)?;
        let (proposal, digest) = (filed.proposal, open.draft.digest);
        let command = Command {
            id: SystemEntropy.new_command()?,
            origin: Origin::OPERATOR,
            expected_generation: None,
            action: Action::Confirm { proposal, digest },
        };
        continuity.submit(task, command, Vec::new()).await?;
        Ok(())
    })
}
