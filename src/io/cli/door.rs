//! Through which door a command acts: a person's own, or one that can only ask.
//!
//! On a terminal without an agent host above it a command acts with the user's authority. Anywhere
//! else the same command puts a proposal before the user, and says so.

use std::io::Write as _;

use serde::Serialize;

use super::failure::{Failure, Kind};
use super::stage::Stage;
use crate::actors::error::TaskError;
use crate::actors::writer::{Filed, Filing, NewItem};
use crate::domain::body::Sealed;
use crate::domain::escape::terminal_line;
use crate::domain::ids::{ItemId, TaskRef};
use crate::domain::origin::{Channel, Origin};
use crate::domain::ports::Entropy as _;
use crate::domain::task::command::{Action, Command};
use crate::domain::task::proposal::Purpose;
use crate::io::clock::SystemEntropy;
use crate::io::operator::{NotAPerson, judge, look};
use crate::io::wire::Continuity;
use crate::readmodels::confirmation::confirming_words;

/// Name and version of the JSON form.
const SCHEMA: &str = "continuity.act.v1";
/// Longest line of a proposal, in characters: a statement, a rationale, a target and what is around
/// them. What binds is never cut.
const LINE_CHARS_MAX: usize = 4_096;

/// Who acts.
pub(super) enum Door {
    /// A person, on a terminal of their own.
    Person,
    /// Anybody else, and why that is so.
    Elsewhere(NotAPerson),
}

impl Door {
    /// Looks who acts.
    pub(super) fn look() -> Self {
        match judge(&look()) {
            Ok(()) => Self::Person,
            Err(refusal) => Self::Elsewhere(refusal),
        }
    }
}

/// Refuses what is not the act of a person.
pub(super) fn require_person() -> Result<(), Failure> {
    match Door::look() {
        Door::Person => Ok(()),
        Door::Elsewhere(refusal) => Err(Failure::of(Kind::Refused, &refusal)
            .hint("run the same command yourself, in a terminal of your own")),
    }
}

/// What became of an act.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Became {
    /// It is so now.
    Done,
    /// It was so before.
    AsBefore,
    /// It waits for the user.
    WaitsForTheUser,
}

/// An act, as JSON.
#[derive(Debug, Serialize)]
pub(super) struct Act {
    schema: &'static str,
    task_ref: String,
    outcome: Became,
    /// Why it waits.
    because: Option<String>,
    proposal: Option<String>,
    /// What the user types as a whole message.
    answer: Option<String>,
    /// The whole text that binds.
    text: Option<String>,
    /// The items that it made.
    items: Vec<String>,
    /// Whether a secret was taken out of the words.
    was_redacted: bool,
}

impl Act {
    /// An act that needed nobody's yes.
    pub(super) fn new(task: TaskRef, outcome: Became) -> Self {
        Self {
            schema: SCHEMA,
            task_ref: task.to_string(),
            outcome,
            because: None,
            proposal: None,
            answer: None,
            text: None,
            items: Vec::new(),
            was_redacted: false,
        }
    }

    /// Names the items that it made.
    pub(super) fn making(self, item: ItemId) -> Self {
        Self { items: vec![item.to_string()], ..self }
    }

    /// Says whether a secret was taken out of the words.
    pub(super) fn redacted(self, was_redacted: bool) -> Self {
        Self { was_redacted, ..self }
    }
}

/// What is put before the user, and why it is only asked for.
pub(super) struct Asking {
    /// The task.
    pub task: TaskRef,
    /// What a confirmation brings about.
    pub purpose: Purpose,
    /// The items; none for another purpose than [`Purpose::Items`].
    pub items: Vec<NewItem>,
    /// Why this is not the act of a person.
    pub refusal: NotAPerson,
    /// Whether a secret was taken out of the words.
    pub was_redacted: bool,
}

/// Puts a proposal before the user, and shows its whole text and the line to type.
pub(super) fn ask(stage: &mut Stage, asking: Asking, is_json: bool) -> Result<(), Failure> {
    let Asking { task, purpose, items, refusal, was_redacted } = asking;
    let origin = Origin { channel: Channel::ModelTool, ..Origin::OPERATOR };
    let filing = Filing { origin, purpose, items, quotes: Vec::new() };
    let filed = file(stage, task, filing)?;
    let act = Act {
        because: Some(refusal.to_string()),
        proposal: Some(filed.proposal.to_string()),
        answer: Some(confirming_words(purpose, filed.code, task)),
        text: Some(filed.shown.clone()),
        ..Act::new(task, Became::WaitsForTheUser).redacted(was_redacted)
    };
    if is_json {
        return stage.json(&act);
    }
    writeln!(stage.out, "Nothing is in force yet: {refusal}.")?;
    print_shown(stage, &filed.shown)
}

/// Prints the text of a proposal, whole, line by line.
pub(super) fn print_shown(stage: &mut Stage, shown: &str) -> Result<(), Failure> {
    for line in shown.lines() {
        let indented = line.len().saturating_sub(line.trim_start().len());
        let (indent, words) = line.split_at(indented);
        writeln!(stage.out, "{indent}{}", terminal_line(words, LINE_CHARS_MAX))?;
    }
    Ok(())
}

/// The runtime under the actors of one command.
pub(super) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(|error| Failure::of(Kind::Internal, &error))
}

fn file(stage: &Stage, task: TaskRef, filing: Filing) -> Result<Filed, Failure> {
    let settings = stage.settings.clone();
    runtime()?.block_on(async move {
        let continuity = Continuity::open(settings, None).await?;
        Ok(continuity.file(task, filing).await?)
    })
}

/// Submits a person's act with the texts that it names, and returns how many events it left.
pub(super) fn submit(
    stage: &Stage,
    task: TaskRef,
    action: Action,
    bodies: Vec<Sealed>,
) -> Result<usize, Failure> {
    let command = Command {
        id: SystemEntropy.new_command()?,
        origin: Origin::OPERATOR,
        expected_generation: None,
        action,
    };
    let settings = stage.settings.clone();
    let receipt = runtime()?.block_on(async move {
        let continuity = Continuity::open(settings, None).await?;
        if !continuity.home().has_log(task)? {
            return Err(TaskError::NoTask.into());
        }
        Ok::<_, Failure>(continuity.submit(task, command, bodies).await?)
    })?;
    Ok(receipt.event_count)
}
