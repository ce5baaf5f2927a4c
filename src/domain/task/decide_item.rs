//! Items: recorded, corrected, contested, withdrawn.

use super::TaskState;
use super::command::{Action, Command, Facts};
use super::decide::{ensure_item_room, ensure_links};
use super::item::{Authority, ItemDraft, ItemKind, Status, first_status, is_legal};
use super::quote::QuoteClosure;
use crate::domain::event::{Event, MarkReason};
use crate::domain::ids::ItemId;
use crate::domain::origin::Channel;
use crate::domain::rejection::Rejection;

pub(super) fn decide(
    state: &TaskState,
    command: &Command,
    facts: &Facts,
) -> Result<Vec<Event>, Rejection> {
    let channel = command.origin.channel;
    match &command.action {
        Action::Record { draft } => record(state, draft, channel, facts),
        Action::Correct { draft } => {
            if draft.supersedes.is_empty() {
                return Err(Rejection::CorrectionOfNothing);
            }
            record(state, draft, channel, facts)
        }
        Action::Contest { items } => {
            ensure_links(state, items, 2)?;
            Ok(vec![marked(items.clone(), Status::Disputed, MarkReason::Contested)])
        }
        Action::Withdraw { item } => withdraw(state, *item, channel),
        Action::CloseQuote { quote } => {
            if !channel.is_operator() {
                return Err(Rejection::OperatorOnly);
            }
            if !state.quotes.contains_key(quote) {
                return Err(Rejection::UnknownQuote { quote: *quote });
            }
            let closure = QuoteClosure::Withdrawn;
            Ok(vec![Event::QuotesClosed { quotes: vec![*quote], closure }])
        }
        _ => Ok(Vec::new()),
    }
}

fn record(
    state: &TaskState,
    draft: &ItemDraft,
    channel: Channel,
    facts: &Facts,
) -> Result<Vec<Event>, Rejection> {
    if !channel.may_record(draft.authority) {
        return Err(Rejection::NotAuthorised);
    }
    ensure_draft(state, draft)?;
    ensure_item_room(state, std::slice::from_ref(draft), facts)?;
    Ok(vec![Event::ItemRecorded {
        item: state.next_item(),
        draft: draft.clone(),
        status: first_status(draft),
    }])
}

/// Checks what holds for a draft through whatever door it comes.
pub(super) fn ensure_draft(state: &TaskState, draft: &ItemDraft) -> Result<(), Rejection> {
    if !is_legal(draft) {
        return Err(Rejection::IllegalCombination);
    }
    if draft.kind == ItemKind::Correction && draft.supersedes.is_empty() {
        return Err(Rejection::CorrectionOfNothing);
    }
    ensure_links(state, &draft.supersedes, 0)?;
    let outranked = draft.supersedes.iter().any(|id| {
        state.item_in_force(*id).is_some_and(|item| outranks(item.draft.authority, draft.authority))
    });
    if outranked {
        return Err(Rejection::NotAuthorised);
    }
    Ok(())
}

/// An inference replaces neither what the user said nor what was checked.
fn outranks(earlier: Authority, later: Authority) -> bool {
    later == Authority::AgentInference && earlier != Authority::AgentInference
        || later == Authority::VerifiedEvidence && earlier == Authority::User
}

fn withdraw(state: &TaskState, item: ItemId, channel: Channel) -> Result<Vec<Event>, Rejection> {
    let found = state.item_in_force(item).ok_or(Rejection::UnknownItem { item })?;
    if found.draft.authority != Authority::AgentInference && !channel.is_operator() {
        return Err(Rejection::OperatorOnly);
    }
    Ok(vec![marked(vec![item], Status::Closed, MarkReason::Withdrawn)])
}

fn marked(items: Vec<ItemId>, status: Status, reason: MarkReason) -> Event {
    Event::ItemsMarked { items, status, reason }
}
