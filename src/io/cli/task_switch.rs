//! `continuity task off` and `continuity task on`: acts of a person, recorded in the log.

use std::io::Write as _;

use super::failure::{Failure, Kind, Outcome};
use super::stage::Stage;
use super::which;
use crate::domain::ids::TaskRef;
use crate::domain::origin::Origin;
use crate::domain::ports::Entropy as _;
use crate::domain::task::command::{Action, Command};
use crate::io::clock::SystemEntropy;
use crate::io::operator::{judge, look};
use crate::io::wire::Continuity;

const EXAMPLES: &str = "\
An act of a person: it works on a terminal only, and not from within an agent. Say which task twice,
the second time with its whole reference.

Examples:
  continuity task off k3v7qd    says what would be done, and the whole reference
  continuity task off k3v7qd --confirm k3v7qdabcdefghijklmnopqrst";

pub(super) const ON_EXAMPLES: &str = "\
An act of a person: it works on a terminal only, and not from within an agent. Say which task twice,
the second time with its whole reference.

Examples:
  continuity task on k3v7qd    says what would be done, and the whole reference
  continuity task on k3v7qd --confirm k3v7qdabcdefghijklmnopqrst";

/// See [`EXAMPLES`].
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The task, by its reference or at least 4 of its first characters; without it, the task of
    /// this folder
    #[arg(value_name = "REF")]
    pub(super) task: Option<String>,
    /// The task's whole reference, to confirm
    #[arg(long, value_name = "FULL_REF")]
    pub(super) confirm: Option<String>,
}

/// Refuses what is not the act of a person.
pub(super) fn require_person() -> Result<(), Failure> {
    judge(&look()).map_err(|refusal| {
        Failure::of(Kind::Refused, &refusal)
            .hint("run the same command yourself, in a terminal of your own")
    })
}

/// Refuses to go on until the whole reference was given; `words` say what would be done.
pub(super) fn require_confirmed(
    task: TaskRef,
    confirm: Option<&str>,
    words: &str,
) -> Result<(), Failure> {
    match confirm {
        Some(confirm) if confirm == task.to_string() => Ok(()),
        Some(_) => Err(Failure::refused("--confirm names another task; nothing was done")
            .hint(format!("the whole reference is {task}"))),
        None => Err(Failure::refused(format!("{words}; nothing was done yet"))
            .hint(format!("to do it, add --confirm {task}"))),
    }
}

/// Switches recording.
pub(super) fn run(
    arguments: &Arguments,
    is_on: bool,
    stage: &mut Stage,
) -> Result<Outcome, Failure> {
    require_person()?;
    let home = stage.home()?;
    let task = which::choose(&home, arguments.task.as_deref())?;
    let to = if is_on { "on" } else { "off" };
    let words = format!("this switches recording {to} for task {}", task.short());
    require_confirmed(task, arguments.confirm.as_deref(), &words)?;
    let count = submit(stage, task, Action::SwitchProtection { is_on })?;
    if count == 0 {
        writeln!(stage.out, "Recording was {to} for task {} already.", task.short())?;
    } else if is_on {
        writeln!(stage.out, "Recording is on for task {}.", task.short())?;
    } else {
        writeln!(
            stage.out,
            "Recording is off for task {}. What is recorded stays; nothing new is kept, and the \
             agent is\noffered nothing. `continuity task on {}` brings it back.",
            task.short(),
            task.short()
        )?;
    }
    Ok(Outcome::Done)
}

/// Submits a person's act, and returns how many events it left.
pub(super) fn submit(stage: &Stage, task: TaskRef, action: Action) -> Result<usize, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(|error| Failure::of(Kind::Internal, &error))?;
    let command = Command {
        id: SystemEntropy.new_command()?,
        origin: Origin::OPERATOR,
        expected_generation: None,
        action,
    };
    let settings = stage.settings.clone();
    let receipt = runtime.block_on(async move {
        let continuity = Continuity::open(settings, None).await?;
        if !continuity.home().has_log(task)? {
            return Err(crate::actors::error::TaskError::NoTask.into());
        }
        Ok::<_, Failure>(continuity.submit(task, command, Vec::new()).await?)
    })?;
    Ok(receipt.event_count)
}
