//! What the user reads of a proposal, and of what became of it.
//!
//! The text of a proposal is what binds: it is put together here from the drafts, kept as it was
//! shown, and never from anybody's paraphrase.

use super::texts::Texts;
use crate::domain::act::Act;
use crate::domain::body::{ItemText, STATEMENT_CHARS_MAX};
use crate::domain::confirmation::{Code, Verb};
use crate::domain::escape::quoted;
use crate::domain::ids::{ItemId, ProposalId, TaskRef};
use crate::domain::rejection::Rejection;
use crate::domain::task::TaskState;
use crate::domain::task::item::{Gate, ItemDraft};
use crate::domain::task::limits::PROPOSAL_OPEN_MILLIS_MAX;
use crate::domain::task::proposal::{Confirmed, Purpose};

/// What is proposed, before it has a text.
#[derive(Debug, Clone, Copy)]
pub struct Proposed<'a> {
    /// The task.
    pub task: TaskRef,
    /// What a confirmation brings about.
    pub purpose: Purpose,
    /// What the user types to answer.
    pub code: Code,
    /// The items, with their texts.
    pub items: &'a [(ItemDraft, ItemText)],
}

/// Returns the whole text of a proposal, as the user is to see it.
///
/// `texts` holds what the proposed items would replace.
#[must_use]
pub fn proposal_text(proposed: &Proposed<'_>, state: &TaskState, texts: &Texts) -> String {
    let Proposed { task, purpose, code, items } = *proposed;
    let minutes = PROPOSAL_OPEN_MILLIS_MAX / 60_000;
    let mut lines = match purpose {
        Purpose::Items => vec!["Continuity: this waits for your yes.".to_owned()],
        other => {
            vec![format!("Continuity: this waits for your yes: {}.", asked_words(other, task))]
        }
    };
    for (draft, text) in items {
        lines.push(format!("  {}", item_words(draft, text)));
        lines.extend(draft.supersedes.iter().map(|item| replaced_words(*item, state, texts)));
    }
    lines.push(format!(
        "Type `{}` as your whole message, or `{} {code}`, within {minutes} minutes.",
        confirming_words(purpose, code, task),
        Verb::Reject.word(),
    ));
    lines.join("\n")
}

/// Returns what the user types to confirm; a deletion wants the task's short name too.
#[must_use]
pub fn confirming_words(purpose: Purpose, code: Code, task: TaskRef) -> String {
    let word = Verb::Confirm.word();
    match purpose {
        Purpose::Delete => format!("{word} {code} {}", task.short()),
        _ => format!("{word} {code}"),
    }
}

fn asked_words(purpose: Purpose, task: TaskRef) -> String {
    let short = task.short();
    match purpose {
        Purpose::Items => "to record what follows".to_owned(),
        Purpose::SwitchOff => format!("to record nothing more in task {short}"),
        Purpose::SwitchOn => format!("to record again in task {short}"),
        Purpose::Reset => {
            format!("to reset task {short}: nothing is in force afterwards, its log stays")
        }
        Purpose::Delete => format!("to delete task {short} with everything that is kept of it"),
        Purpose::RollOver => {
            format!("to begin a new log for task {short}, which carries over what is in force")
        }
    }
}

fn item_words(draft: &ItemDraft, text: &ItemText) -> String {
    let mut words =
        format!("{}: {}", draft.kind.name(), quoted(text.statement.as_str(), STATEMENT_CHARS_MAX));
    if let Some(rationale) = &text.rationale {
        words.push_str(", because ");
        words.push_str(&quoted(rationale.as_str(), STATEMENT_CHARS_MAX));
    }
    if let Some(act) = draft.act {
        words.push_str(&act_words(act, draft.gate, text));
    }
    words
}

fn act_words(act: Act, gate: Option<Gate>, text: &ItemText) -> String {
    let target = match &text.target {
        Some(target) => format!(" {}", quoted(target.as_str(), STATEMENT_CHARS_MAX)),
        None => String::new(),
    };
    let gate = match gate {
        Some(Gate::UserYes) => ", each time only after your yes",
        Some(Gate::Evidence) => ", only after a check",
        None => "",
    };
    format!(" (act: {}{target}{gate})", act.name())
}

fn replaced_words(item: ItemId, state: &TaskState, texts: &Texts) -> String {
    let text = state.items.get(&item).and_then(|found| texts.item(&found.draft.body));
    match text {
        Some(text) => {
            format!(
                "    instead of {item}: {}",
                quoted(text.statement.as_str(), STATEMENT_CHARS_MAX)
            )
        }
        None => format!("    instead of {item}"),
    }
}

/// What an answer of the user came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answered<'a> {
    /// It is so now.
    Confirmed(&'a Confirmed),
    /// It will not be so.
    Rejected(ProposalId),
    /// It is as before; these items are in force again.
    Undone {
        /// What was taken back.
        confirmed: &'a Confirmed,
    },
    /// Nothing changed.
    Refused(Rejection),
}

/// Returns what the user is told of an answer. `state` is the task behind it.
#[must_use]
pub fn answer_text(
    answered: &Answered<'_>,
    task: TaskRef,
    state: &TaskState,
    texts: &Texts,
) -> String {
    match answered {
        Answered::Confirmed(confirmed) => confirmed_text(confirmed, task, state, texts),
        Answered::Rejected(proposal) => {
            format!("Continuity: {proposal} is refused. Nothing changed.")
        }
        Answered::Undone { confirmed } => undone_text(confirmed, task, state, texts),
        Answered::Refused(rejection) => format!("Continuity: nothing changed: {rejection}."),
    }
}

fn confirmed_text(
    confirmed: &Confirmed,
    task: TaskRef,
    state: &TaskState,
    texts: &Texts,
) -> String {
    let short = task.short();
    let undo = format!("`{} {}` takes it back.", Verb::Undo.word(), confirmed.code);
    match confirmed.purpose {
        Purpose::Items => {
            let mut lines = vec!["Continuity: confirmed. In force now:".to_owned()];
            for item in &confirmed.made {
                lines.extend(in_force_lines(*item, state, texts));
            }
            lines.push(undo);
            lines.join("\n")
        }
        Purpose::SwitchOff => {
            format!("Continuity: off for task {short}. Nothing is recorded or offered. {undo}")
        }
        Purpose::SwitchOn => format!("Continuity: on again for task {short}. {undo}"),
        Purpose::Reset => format!(
            "Continuity: task {short} was reset. Nothing is in force; its log stays and can be \
             read with `continuity log`."
        ),
        Purpose::Delete => format!("Continuity: task {short} is confirmed to be deleted."),
        Purpose::RollOver => format!("Continuity: a new log is confirmed for task {short}."),
    }
}

fn undone_text(confirmed: &Confirmed, task: TaskRef, state: &TaskState, texts: &Texts) -> String {
    let mut lines = vec!["Continuity: taken back.".to_owned()];
    match confirmed.purpose {
        Purpose::SwitchOff => {
            lines.push(format!("Recording is on again for task {}.", task.short()));
        }
        Purpose::SwitchOn => lines.push(format!("Recording is off for task {}.", task.short())),
        _ => {}
    }
    if !confirmed.replaced.is_empty() {
        lines.push("In force again:".to_owned());
    }
    for (item, _) in &confirmed.replaced {
        lines.extend(in_force_lines(*item, state, texts));
    }
    lines.join("\n")
}

/// Returns an item in force as a person reads it: its name, its words, what it replaced.
#[must_use]
pub fn in_force_lines(id: ItemId, state: &TaskState, texts: &Texts) -> Vec<String> {
    let Some(item) = state.items.get(&id) else { return Vec::new() };
    let mut lines = match texts.item(&item.draft.body) {
        Some(text) => vec![format!("  {id} {}", item_words(&item.draft, text))],
        None => vec![format!("  {id} {}: its text is missing", item.draft.kind.name())],
    };
    if !item.draft.supersedes.is_empty() {
        let ids: Vec<String> = item.draft.supersedes.iter().map(ToString::to_string).collect();
        lines.push(format!("    instead of {}", ids.join(" ")));
    }
    lines
}

/// Returns what the user is told of items whose confirmation the host's transcript does not hold.
#[must_use]
pub fn contradicted_text(items: &[ItemId], code: Option<Code>) -> String {
    let ids: Vec<String> = items.iter().map(ToString::to_string).collect();
    let undo = code.map(|code| format!(" `{} {code}` takes it back.", Verb::Undo.word()));
    format!(
        "Continuity: {} was confirmed by a message that the transcript of this conversation does \
         not hold. It counts as unverified.{}",
        ids.join(" "),
        undo.unwrap_or_default()
    )
}

/// Says how many entries, in words.
#[must_use]
pub fn entries_words(count: usize) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") }
}

/// Returns what the user is told once a session goes on with an earlier task.
#[must_use]
pub fn carried_text(task: TaskRef, state: &TaskState) -> String {
    let count = state.in_force().count().saturating_add(state.quotes.len());
    format!(
        "Continuity: task {} is carried over, with {} in force. `continuity view` shows them.",
        task.short(),
        entries_words(count)
    )
}

/// Returns what the agent is told of a confirmation; nothing else concerns it.
#[must_use]
pub fn context_text(answered: &Answered<'_>, state: &TaskState, texts: &Texts) -> Option<String> {
    let (first, items): (&str, Vec<ItemId>) = match answered {
        Answered::Confirmed(confirmed) if confirmed.purpose == Purpose::Items => (
            "Continuity notes: the user confirmed this, word for word. It is in force now.",
            confirmed.made.clone(),
        ),
        Answered::Undone { confirmed } if confirmed.purpose == Purpose::Items => (
            "Continuity notes: the user took a confirmation back. Not in force any more: ",
            confirmed.replaced.iter().map(|(item, _)| *item).collect(),
        ),
        _ => return None,
    };
    let mut lines = vec![first.to_owned()];
    if let Answered::Undone { confirmed } = answered {
        let ids: Vec<String> = confirmed.made.iter().map(ToString::to_string).collect();
        lines = vec![format!("{first}{}.", ids.join(" "))];
        if !items.is_empty() {
            lines.push("In force again:".to_owned());
        }
    }
    for item in items {
        lines.extend(in_force_lines(item, state, texts));
    }
    Some(lines.join("\n"))
}
