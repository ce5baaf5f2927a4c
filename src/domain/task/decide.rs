//! All rules of a task: what a command does, or why it is refused.

use std::collections::BTreeSet;

use super::command::{Action, Command, Facts, Succession, WorkObserved};
use super::item::ItemDraft;
use super::limits::{LINKS_MAX, Urgency};
use super::{
    TaskState, decide_boundary, decide_item, decide_manage, decide_prompt, decide_proposal,
    decide_rollover,
};
use crate::domain::event::Event;
use crate::domain::ids::ItemId;
use crate::domain::origin::Channel;
use crate::domain::rejection::Rejection;

/// Decides what a command does to a task. Pure: same inputs, same events.
///
/// No event means: nothing to record, be it a repetition or something already so. `facts` carries
/// what had to be asked of the world, so that a replay never asks again.
///
/// # Errors
/// A [`Rejection`]; state and log stay as they are.
pub fn decide(
    state: &TaskState,
    command: &Command,
    facts: &Facts,
) -> Result<Vec<Event>, Rejection> {
    if state.commands.contains(command.id) {
        return Ok(Vec::new());
    }
    if state.unrecognised_count > 0 {
        return Err(Rejection::NewerEvents { count: state.unrecognised_count });
    }
    if let Some(expected) = command.expected_generation
        && expected != state.generation
    {
        return Err(Rejection::GenerationConflict { expected, current: state.generation });
    }
    if state.is_left() && !is_allowed_once_left(&command.action) {
        return Err(Rejection::RolledOver { successor: state.successor });
    }
    if state.is_off && !is_allowed_while_off(state, &command.action) {
        return if is_observation(&command.action) { Ok(Vec::new()) } else { Err(Rejection::Off) };
    }
    let mut events = decide_action(state, command, facts)?;
    if events.is_empty() {
        return Ok(events);
    }
    let urgency = urgency(state, command, &events);
    let mut batch = prelude(state, command, facts);
    batch.append(&mut events);
    ensure_room(state, &batch, urgency, facts)?;
    Ok(batch)
}

fn decide_action(
    state: &TaskState,
    command: &Command,
    facts: &Facts,
) -> Result<Vec<Event>, Rejection> {
    match &command.action {
        Action::ObservePrompt { prompt, work } => {
            Ok(decide_prompt::decide(state, prompt, work.as_ref(), command.origin.session, facts))
        }
        Action::ObservePreCompact { .. }
        | Action::ObservePostCompact { .. }
        | Action::ObserveBoundary { .. }
        | Action::Recover { .. } => Ok(decide_boundary::decide(state, command, facts)),
        Action::Record { .. }
        | Action::Correct { .. }
        | Action::Contest { .. }
        | Action::Corroborate { .. }
        | Action::Withdraw { .. }
        | Action::CloseQuote { .. } => decide_item::decide(state, command, facts),
        Action::Propose { .. }
        | Action::Confirm { .. }
        | Action::Reject { .. }
        | Action::Undo { .. } => decide_proposal::decide(state, command, facts),
        _ => decide_manage::decide(state, command, facts),
    }
}

/// What a first batch, and a session's first batch, begin with.
fn prelude(state: &TaskState, command: &Command, facts: &Facts) -> Vec<Event> {
    let mut events = Vec::new();
    if state.task.is_none() {
        events.push(opening(&command.action, facts));
    }
    if let Some(session) = command.origin.session
        && !state.sessions.contains(&session)
    {
        events.push(Event::SessionJoined { host: command.origin.host, session });
    }
    events
}

fn opening(action: &Action, facts: &Facts) -> Event {
    let Action::Inherit { succession, predecessor, items, quotes } = action else {
        let (left_items, left_quotes) = (Vec::new(), Vec::new());
        return Event::TaskOpened { task: facts.task, predecessor: None, left_items, left_quotes };
    };
    let (left_items, left_quotes) = match succession {
        Succession::Fork => {
            let items = items.iter().filter(|item| decide_manage::is_left_behind(item));
            let quotes = quotes.iter().filter(|quote| decide_manage::is_allowance(&quote.draft));
            (items.map(|item| item.item).collect(), quotes.map(|quote| quote.quote).collect())
        }
        Succession::RollOver(all) => (all.left_items.clone(), all.left_quotes.clone()),
    };
    let predecessor = Some(*predecessor);
    Event::TaskOpened { task: facts.task, predecessor, left_items, left_quotes }
}

fn ensure_room(
    state: &TaskState,
    events: &[Event],
    urgency: Urgency,
    facts: &Facts,
) -> Result<(), Rejection> {
    let added = u64::try_from(events.len()).unwrap_or(u64::MAX);
    if facts.limits.have_room(urgency, state.event_count, added, facts.log_bytes) {
        return Ok(());
    }
    Err(Rejection::TaskFull {
        events: state.event_count,
        events_max: facts.limits.events_max,
        log_bytes: facts.log_bytes,
    })
}

/// The reserve is for boundaries, signals, confirmations and management; a model's own calls
/// never reach it.
fn urgency(state: &TaskState, command: &Command, events: &[Event]) -> Urgency {
    if decide_rollover::is_way_out(state, command, events) {
        return Urgency::WayOut;
    }
    let is_ordinary = match &command.action {
        _ if command.origin.channel == Channel::ModelTool => true,
        Action::ObservePrompt { prompt, .. } => {
            prompt.signals.is_empty() && prompt.answer.is_none() && !events.iter().any(is_urgent)
        }
        Action::Inherit { succession: Succession::RollOver(_), .. } => return Urgency::Whole,
        Action::Record { .. }
        | Action::Propose { .. }
        | Action::Inherit { .. }
        | Action::ObserveChildStart { .. }
        | Action::ObserveStop { .. } => true,
        _ => false,
    };
    if is_ordinary { Urgency::Ordinary } else { Urgency::Reserved }
}

fn is_urgent(event: &Event) -> bool {
    matches!(
        event,
        Event::QuoteRecorded { .. } | Event::TransitionOpened { .. } | Event::OfferLookedUp { .. }
    )
}

fn is_observation(action: &Action) -> bool {
    matches!(
        action,
        Action::ObservePrompt { .. }
            | Action::ObservePreCompact { .. }
            | Action::ObservePostCompact { .. }
            | Action::ObserveBoundary { .. }
            | Action::ObserveClear
            | Action::ObserveStop { .. }
            | Action::ObserveChildStart { .. }
            | Action::ObserveChildStop { .. }
            | Action::ObserveSessionEnd
            | Action::Recover { .. }
            | Action::TakeMissedNotes { .. }
            | Action::Corroborate { .. }
    )
}

/// The comparison belongs to the very event that confirmed the new log.
fn is_allowed_once_left(action: &Action) -> bool {
    matches!(
        action,
        Action::RollOver { .. } | Action::AcceptRollback { .. } | Action::Recover { .. }
    )
}

fn is_allowed_while_off(state: &TaskState, action: &Action) -> bool {
    matches!(
        action,
        Action::SwitchProtection { .. }
            | Action::Reset { .. }
            | Action::AcceptRollback { .. }
            | Action::RollOver { .. }
    ) || decide_proposal::switches_on(state, action)
}

/// Returns the event that the work stands elsewhere than at the last look, if it does.
pub(super) fn work_moved(state: &TaskState, work: Option<&WorkObserved>) -> Option<Event> {
    let work = work?;
    if state.work.as_ref().is_some_and(|seen| seen.identity == work.identity) {
        return None;
    }
    Some(Event::WorkObjectSeen {
        body: work.body,
        identity: work.identity,
        commit: work.commit.clone(),
    })
}

/// Checks that a draft names few enough items, each in force and each once.
pub(super) fn ensure_links(
    state: &TaskState,
    items: &[ItemId],
    min: usize,
) -> Result<(), Rejection> {
    if items.len() < min || items.len() > LINKS_MAX {
        return Err(Rejection::LinkCount { found: items.len(), min, max: LINKS_MAX });
    }
    for (index, item) in items.iter().enumerate() {
        let is_repeated = items.iter().take(index).any(|earlier| earlier == item);
        if is_repeated || state.item_in_force(*item).is_none() {
            return Err(Rejection::UnknownItem { item: *item });
        }
    }
    Ok(())
}

/// Checks that the drafts fit beside what is in force once they replace what they name.
pub(super) fn ensure_item_room(
    state: &TaskState,
    drafts: &[ItemDraft],
    facts: &Facts,
) -> Result<(), Rejection> {
    let replaced: BTreeSet<ItemId> =
        drafts.iter().flat_map(|draft| draft.supersedes.iter().copied()).collect();
    let before = state.in_force().count();
    let after = before.saturating_add(drafts.len()).saturating_sub(replaced.len());
    if after > facts.limits.items_in_force_max && after > before {
        return Err(Rejection::TooManyItems { limit: facts.limits.items_in_force_max });
    }
    Ok(())
}
