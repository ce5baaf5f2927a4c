//! `continuity task off`, `on` and `reset`: acts of a person, recorded in the log.

use std::io::Write as _;

use super::door::{Act, Asking, Became, Door, ask, submit};
use super::failure::{Failure, Outcome};
use super::stage::Stage;
use super::which;
use crate::actors::store::Depth;
use crate::domain::event::ResetKind;
use crate::domain::ids::TaskRef;
use crate::domain::task::command::Action;
use crate::domain::task::proposal::Purpose;

/// Where the acts of this group act, and where they ask.
macro_rules! examples {
    ($word:literal) => {
        concat!(
            "On a terminal of your own it is done at once: say which task twice, the second time ",
            "with its\nwhole reference. Anywhere else, and where an agent started this program, it ",
            "is put before you:\nnothing changes until you type the code.\n\nExamples:\n",
            "  continuity task ",
            $word,
            " k3v7qd    says what would be done, and the whole reference\n  continuity task ",
            $word,
            " k3v7qd --confirm k3v7qdabcdefghijklmnopqrst"
        )
    };
}

pub(super) const OFF_EXAMPLES: &str = examples!("off");
pub(super) const ON_EXAMPLES: &str = examples!("on");
pub(super) const RESET_EXAMPLES: &str = examples!("reset");

/// Which task, and the second naming of it.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The task, by its reference or at least 4 of its first characters; without it, the task of
    /// this folder
    #[arg(value_name = "REF")]
    pub(super) task: Option<String>,
    /// The task's whole reference, to confirm
    #[arg(long, value_name = "FULL_REF")]
    pub(super) confirm: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// What is to be so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Switch {
    /// Nothing is recorded any more.
    Off,
    /// Recording goes on.
    On,
    /// The effective state is emptied.
    Reset,
}

impl Switch {
    const fn purpose(self) -> Purpose {
        match self {
            Self::Off => Purpose::SwitchOff,
            Self::On => Purpose::SwitchOn,
            Self::Reset => Purpose::Reset,
        }
    }

    const fn action(self) -> Action {
        match self {
            Self::Off => Action::SwitchProtection { is_on: false },
            Self::On => Action::SwitchProtection { is_on: true },
            Self::Reset => Action::Reset { kind: ResetKind::Reset },
        }
    }

    fn asked(self, task: TaskRef) -> String {
        let short = task.short();
        match self {
            Self::Off => format!("this switches recording off for task {short}"),
            Self::On => format!("this switches recording on for task {short}"),
            Self::Reset => {
                format!("this empties task {short}: nothing is in force then, and its log stays")
            }
        }
    }

    fn as_before(self, task: TaskRef) -> String {
        let short = task.short();
        match self {
            Self::Off => format!("Recording was off for task {short} already."),
            Self::On => format!("Recording was on for task {short} already."),
            Self::Reset => format!("Nothing was in force in task {short}."),
        }
    }

    fn done(self, task: TaskRef) -> String {
        let short = task.short();
        match self {
            Self::Off => format!(
                "Recording is off for task {short}. What is recorded stays; nothing new is kept, \
                 and the agent is\noffered nothing. `continuity task on {short}` brings it back."
            ),
            Self::On => format!("Recording is on for task {short}."),
            Self::Reset => format!(
                "Task {short} was reset. Nothing is in force; its log stays and can be read with \
                 `continuity log`."
            ),
        }
    }
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

/// Switches or resets, or has it confirmed by the user.
pub(super) fn run(
    arguments: &Arguments,
    switch: Switch,
    stage: &mut Stage,
) -> Result<Outcome, Failure> {
    let home = stage.home()?;
    let task = which::choose_here(&home, arguments.task.as_deref())?;
    let is_off = || Ok::<_, Failure>(home.read(task, Depth::Newest)?.0.state.is_off);
    if switch != Switch::Reset && is_off()? == (switch == Switch::Off) {
        return tell(stage, arguments, task, Became::AsBefore, &switch.as_before(task));
    }
    if let Door::Elsewhere(refusal) = Door::look() {
        let (purpose, items, was_redacted) = (switch.purpose(), Vec::new(), false);
        ask(stage, Asking { task, purpose, items, refusal, was_redacted }, arguments.json)?;
        return Ok(Outcome::Done);
    }
    require_confirmed(task, arguments.confirm.as_deref(), &switch.asked(task))?;
    match submit(stage, task, switch.action(), Vec::new())? {
        0 => tell(stage, arguments, task, Became::AsBefore, &switch.as_before(task)),
        _ => tell(stage, arguments, task, Became::Done, &switch.done(task)),
    }
}

/// Says what became of it, in words or as JSON.
pub(super) fn tell(
    stage: &mut Stage,
    arguments: &Arguments,
    task: TaskRef,
    became: Became,
    words: &str,
) -> Result<Outcome, Failure> {
    if arguments.json {
        stage.json(&Act::new(task, became))?;
    } else {
        writeln!(stage.out, "{words}")?;
    }
    Ok(Outcome::Done)
}
