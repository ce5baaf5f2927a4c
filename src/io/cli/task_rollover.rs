//! `continuity task rollover`: a task goes on in a new log, with everything in force.

use std::io::Write as _;

use super::failure::{Failure, Kind, Outcome};
use super::stage::Stage;
use super::task_switch::{Arguments, require_confirmed};
use super::which;
use crate::actors::error::TaskError;
use crate::actors::store::Depth;
use crate::actors::writer::{Filed, Filing};
use crate::domain::ids::TaskRef;
use crate::domain::origin::{Channel, Origin};
use crate::domain::ports::Entropy as _;
use crate::domain::task::command::{Action, Command};
use crate::domain::task::proposal::Purpose;
use crate::io::clock::SystemEntropy;
use crate::io::operator::{judge, look};
use crate::io::wire::{Continuity, Home};

pub(super) const EXAMPLES: &str = "\
A person does it on a terminal: say which task twice, the second time with its whole reference.
Anywhere else the same command only puts it before the user, who answers with a code.

Examples:
  continuity task rollover k3v7qd    says what would be done, and the whole reference
  continuity task rollover k3v7qd --confirm k3v7qdabcdefghijklmnopqrst";

/// Lets a task go on in a new log, or asks for it.
pub(super) fn run(arguments: &Arguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    let home = stage.home()?;
    let task = which::choose(&home, arguments.task.as_deref())?;
    let (folded, _) = home.read(task, Depth::Newest)?;
    if let Some(successor) = folded.state.successor {
        let (task, successor) = (task.short(), successor.short());
        writeln!(stage.out, "Task {task} goes on as task {successor} already.")?;
        return Ok(Outcome::Done);
    }
    // What was confirmed is done by whoever comes next.
    if folded.state.is_left() {
        return finish(&home, task, stage);
    }
    if let Err(refusal) = judge(&look()) {
        let channel = Channel::ModelTool;
        let filed = ask(stage, task, Origin { channel, ..Origin::OPERATOR })?;
        writeln!(stage.out, "{}", filed.shown)?;
        writeln!(stage.out, "\nNothing was done yet: {refusal}.")?;
        return Ok(Outcome::Done);
    }
    let words = format!("this lets task {} go on in a new log", task.short());
    require_confirmed(task, arguments.confirm.as_deref(), &words)?;
    confirm(stage, task)?;
    finish(&home, task, stage)
}

fn finish(home: &Home, task: TaskRef, stage: &mut Stage) -> Result<Outcome, Failure> {
    let done = home.roll_over(task, Origin::OPERATOR)?;
    writeln!(stage.out, "{}", done.words())?;
    Ok(Outcome::Done)
}

fn filing(origin: Origin) -> Filing {
    Filing { origin, purpose: Purpose::RollOver, items: Vec::new(), quotes: Vec::new() }
}

fn ask(stage: &Stage, task: TaskRef, origin: Origin) -> Result<Filed, Failure> {
    within(stage, async move |continuity| Ok(continuity.file(task, filing(origin)).await?))
}

/// The same proposal that a code confirms, confirmed by the person at the terminal.
fn confirm(stage: &Stage, task: TaskRef) -> Result<(), Failure> {
    within(stage, async move |continuity| {
        let filed = continuity.file(task, filing(Origin::OPERATOR)).await?;
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

fn within<R>(
    stage: &Stage,
    work: impl AsyncFnOnce(Continuity) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(|error| Failure::of(Kind::Internal, &error))?;
    let settings = stage.settings.clone();
    runtime.block_on(async move { work(Continuity::open(settings, None).await?).await })
}
