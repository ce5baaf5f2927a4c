//! Sessions, sub-agents, and what a person does to a task as a whole.

use super::TaskState;
use super::command::{Action, Command};
use super::decide::work_moved;
use super::item::{ItemDraft, ItemKind, Status, first_status};
use crate::domain::event::{Event, ResetKind};
use crate::domain::ids::{ItemId, KeyedDigest, QuoteId};
use crate::domain::rejection::Rejection;
use crate::domain::signal::SignalKind;

pub(super) fn decide(state: &TaskState, command: &Command) -> Result<Vec<Event>, Rejection> {
    match &command.action {
        Action::ObserveClear => Ok(if state.has_content() {
            vec![Event::TaskReset { kind: ResetKind::Cleared }]
        } else {
            Vec::new()
        }),
        Action::ObserveStop { work } => Ok(work_moved(state, work.as_ref()).into_iter().collect()),
        Action::ObserveChildStart { agent } => Ok(if has_child(state, *agent) {
            Vec::new()
        } else {
            vec![Event::ChildStarted { agent: *agent }]
        }),
        Action::ObserveChildStop { agent } => Ok(if has_child(state, *agent) {
            vec![Event::ChildEnded { agent: *agent }]
        } else {
            Vec::new()
        }),
        Action::ObserveSessionEnd => Ok(match command.origin.session {
            Some(session)
                if state.sessions.contains(&session) && state.ended_session != Some(session) =>
            {
                vec![Event::SessionEnded { session }]
            }
            _ => Vec::new(),
        }),
        Action::TakeMissedNotes { count } => Ok(if *count == 0 {
            Vec::new()
        } else {
            vec![Event::MissedNotesTaken { count: *count }]
        }),
        Action::UseKey { number } => Ok(if *number == state.key {
            Vec::new()
        } else {
            vec![Event::KeyCreated { number: *number }]
        }),
        Action::Inherit { items, quotes, .. } => {
            if state.task.is_some() {
                return Err(Rejection::NotEmpty);
            }
            Ok(inherit(items, quotes))
        }
        operator => decide_operator(state, command, operator),
    }
}

fn decide_operator(
    state: &TaskState,
    command: &Command,
    action: &Action,
) -> Result<Vec<Event>, Rejection> {
    if !command.origin.channel.is_operator() {
        return Err(Rejection::OperatorOnly);
    }
    Ok(match action {
        Action::Reset { kind } => vec![Event::TaskReset { kind: *kind }],
        Action::SwitchProtection { is_on } if *is_on == state.is_off => {
            vec![Event::ProtectionSwitched { is_on: *is_on }]
        }
        Action::AcceptRollback { remembered } => {
            vec![Event::RollbackAccepted { remembered: *remembered }]
        }
        _ => Vec::new(),
    })
}

fn has_child(state: &TaskState, agent: KeyedDigest) -> bool {
    state.children.iter().any(|child| child.agent == agent)
}

/// What a fork takes over: everything but what the user allowed, and completions as stale.
fn inherit(items: &[ItemDraft], quotes: &[super::quote::QuoteDraft]) -> Vec<Event> {
    let items = items.iter().filter(|draft| draft.kind != ItemKind::Authorization);
    let quotes = quotes.iter().filter(|draft| draft.kind != SignalKind::Authorization);
    let items = items.zip(1..).map(|(draft, number)| Event::ItemRecorded {
        item: ItemId::new(number),
        draft: ItemDraft { supersedes: Vec::new(), ..draft.clone() },
        status: match draft.kind {
            ItemKind::Completion | ItemKind::NextAction => Status::Stale,
            _ => first_status(draft),
        },
    });
    let quotes = quotes.zip(1..).map(|(draft, number)| Event::QuoteRecorded {
        quote: QuoteId::new(number),
        draft: draft.clone(),
    });
    items.chain(quotes).collect()
}
