//! Sessions, sub-agents, and what a person does to a task as a whole.

use super::closing::{crowd_out, take_in};
use super::command::{Action, Command, Facts, Succession};
use super::decide::work_moved;
use super::decide_item::corroborated;
use super::decide_proposal::{propose, unshown};
use super::item::{InheritedItem, ItemDraft, ItemKind, Status, is_legal};
use super::proposal::ProposalDraft;
use super::quote::{InheritedQuote, QuoteDraft, Stance, kept_as, weight};
use super::{TaskState, decide_rollover};
use crate::domain::event::{Event, ResetKind};
use crate::domain::ids::{ItemId, KeyedDigest, ProposalId, QuoteId};
use crate::domain::origin::Channel;
use crate::domain::rejection::Rejection;
use crate::domain::signal::SignalKind;

pub(super) fn decide(
    state: &TaskState,
    command: &Command,
    facts: &Facts,
) -> Result<Vec<Event>, Rejection> {
    match &command.action {
        Action::ObserveClear => Ok(if is_clearable(state) {
            vec![Event::TaskReset { kind: ResetKind::Cleared }]
        } else {
            Vec::new()
        }),
        Action::ObserveStop { work, is_shown, corroborations, rollover }
            if state.task.is_some() =>
        {
            let mut events: Vec<Event> = work_moved(state, work.as_ref()).into_iter().collect();
            events.extend(corroborated(state, corroborations));
            if *is_shown {
                events.extend(show(state, rollover.as_ref(), facts));
            }
            Ok(events)
        }
        Action::ObserveStop { .. } => Ok(Vec::new()),
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
        Action::Inherit { .. } | Action::RollOver { .. } | Action::TakeIn { .. } => {
            decide_succession(state, command, facts)
        }
        operator => decide_operator(state, command, operator),
    }
}

/// What one task hands over to another.
fn decide_succession(
    state: &TaskState,
    command: &Command,
    facts: &Facts,
) -> Result<Vec<Event>, Rejection> {
    let is_a_programs = matches!(command.origin.channel, Channel::ModelTool | Channel::Probe);
    match &command.action {
        Action::Inherit { .. } if state.task.is_some() => Err(Rejection::NotEmpty),
        Action::Inherit { .. } | Action::TakeIn { .. } if is_a_programs => {
            Err(Rejection::NotAuthorised)
        }
        Action::Inherit { items, .. } if items.iter().any(|item| !is_legal(&item.draft)) => {
            Err(Rejection::IllegalCombination)
        }
        Action::Inherit { succession: Succession::RollOver(all), items, quotes, .. } => {
            Ok(decide_rollover::carry_over(all, items, quotes, command.origin.session))
        }
        Action::Inherit { items, .. } if items.len() > facts.limits.items_in_force_max => {
            Err(Rejection::TooManyItems { limit: facts.limits.items_in_force_max })
        }
        Action::Inherit { items, quotes, .. } => Ok(inherit(items, quotes, facts)),
        Action::TakeIn { quotes } if state.task.is_some() => Ok(take_in(state, quotes, facts)),
        _ => decide_rollover::decide(state, command),
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
        Action::Reset { .. } if state.task.is_none() => Vec::new(),
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

/// Shows what was not shown yet, and a new log if that is due: ours, and no model's word.
fn show(state: &TaskState, rollover: Option<&ProposalDraft>, facts: &Facts) -> Vec<Event> {
    let mut proposals: Vec<ProposalId> = unshown(state, facts).map(|(id, _)| id).collect();
    let due = rollover.filter(|_| decide_rollover::is_rollover_due(state, facts));
    let mut events = due.and_then(|draft| propose(state, draft, facts).ok()).unwrap_or_default();
    proposals.extend(events.iter().filter_map(|event| match event {
        Event::ProposalOpened { proposal, .. } => Some(*proposal),
        _ => None,
    }));
    if !proposals.is_empty() {
        events.push(Event::ProposalsShown { proposals });
    }
    events
}

fn has_child(state: &TaskState, agent: KeyedDigest) -> bool {
    state.children.iter().any(|child| child.agent == agent)
}

fn is_clearable(state: &TaskState) -> bool {
    state.has_content()
        || !state.proposals.is_empty()
        || !state.children.is_empty()
        || state.transition.is_some()
}

/// What a fork takes over: everything but what the user allowed, and completions as stale.
fn inherit(items: &[InheritedItem], quotes: &[InheritedQuote], facts: &Facts) -> Vec<Event> {
    let items = items.iter().filter(|item| !is_left_behind(item) && item.status.is_in_force());
    let drafts = quotes.iter().map(|quote| &quote.draft);
    let quotes: Vec<_> = drafts.filter(|draft| !is_allowance(draft)).zip(1..).collect();
    let worth = |draft| weight(kept_as(draft));
    let open = quotes.iter().map(|(draft, number)| (QuoteId::new(*number), worth(draft))).collect();
    let mut events: Vec<Event> = items
        .zip(1..)
        .map(|(item, number)| Event::ItemRecorded {
            item: ItemId::new(number),
            draft: ItemDraft { supersedes: Vec::new(), ..item.draft.clone() },
            status: match item.draft.kind {
                ItemKind::Completion | ItemKind::NextAction => Status::Stale,
                _ => item.status,
            },
        })
        .collect();
    events.extend(quotes.into_iter().map(|(draft, number)| Event::QuoteRecorded {
        quote: QuoteId::new(number),
        draft: draft.clone(),
    }));
    events.extend(crowd_out(open, facts.limits.quotes_open_max));
    events
}

/// Tells whether an item stays with its task: what the user allowed there is not allowed here.
pub(super) fn is_left_behind(item: &InheritedItem) -> bool {
    item.draft.kind == ItemKind::Authorization
}

pub(super) fn is_allowance(draft: &QuoteDraft) -> bool {
    draft.kind == SignalKind::Authorization
        || draft.act.is_some_and(|(_, stance)| stance == Stance::Allowed)
}
