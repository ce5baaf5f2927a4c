//! Items: recorded, corrected, contested, withdrawn.

use super::TaskState;
use super::command::{Action, Command, Facts};
use super::decide::{ensure_item_room, ensure_links};
use super::item::{
    Authority, Corroboration, Item, ItemDraft, ItemKind, Status, first_status, is_legal,
};
use super::quote::QuoteClosure;
use crate::domain::event::{Event, MarkReason};
use crate::domain::ids::{ItemId, ProposalId};
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
            let is_disputed = |item: &ItemId| {
                state.item_in_force(*item).is_some_and(|found| found.status == Status::Disputed)
            };
            if items.iter().all(is_disputed) {
                return Ok(Vec::new());
            }
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
        Action::Corroborate { items, corroboration } => {
            corroborate(state, items, *corroboration, channel)
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
    match later {
        Authority::User => false,
        Authority::VerifiedEvidence => earlier == Authority::User,
        Authority::AgentInference => earlier != Authority::AgentInference,
    }
}

fn withdraw(state: &TaskState, item: ItemId, channel: Channel) -> Result<Vec<Event>, Rejection> {
    let found = state.item_in_force(item).ok_or(Rejection::UnknownItem { item })?;
    let is_person = channel.is_operator() || channel == Channel::HostPrompt;
    if found.draft.authority != Authority::AgentInference && !is_person {
        return Err(Rejection::OperatorOnly);
    }
    Ok(vec![marked(vec![item], Status::Closed, MarkReason::Withdrawn)])
}

/// Notes what the host's transcript says of prompts that confirmed something.
pub(super) fn corroborated(state: &TaskState, found: &[(ProposalId, Corroboration)]) -> Vec<Event> {
    let mut events = Vec::new();
    for (proposal, corroboration) in found {
        let confirmed = state.confirmed.iter().find(|confirmed| confirmed.proposal == *proposal);
        let Some(confirmed) = confirmed else { continue };
        let items: Vec<ItemId> = confirmed
            .made
            .iter()
            .copied()
            .filter(|item| state.item_in_force(*item).is_some())
            .collect();
        events.extend(
            corroborate(state, &items, *corroboration, Channel::HostEvent).unwrap_or_default(),
        );
    }
    events
}

/// Only what a prompt confirmed is looked for in a transcript, and only a contradiction demotes.
fn corroborate(
    state: &TaskState,
    items: &[ItemId],
    corroboration: Corroboration,
    channel: Channel,
) -> Result<Vec<Event>, Rejection> {
    if channel == Channel::ModelTool {
        return Err(Rejection::NotAuthorised);
    }
    ensure_links(state, items, 1)?;
    let is_new = |item: &Item| match item.corroboration {
        None | Some(Corroboration::Uncheckable) => item.corroboration != Some(corroboration),
        Some(Corroboration::Found | Corroboration::Contradicted) => false,
    };
    let items: Vec<ItemId> = state
        .in_force()
        .filter(|(id, item)| {
            items.contains(id) && item.channel == Channel::HostPrompt && is_new(item)
        })
        .map(|(id, _)| id)
        .collect();
    if items.is_empty() {
        return Ok(Vec::new());
    }
    let mut events = vec![Event::ItemsCorroborated { items: items.clone(), corroboration }];
    let is_active =
        |id: &ItemId| state.item_in_force(*id).is_some_and(|item| item.status == Status::Active);
    let demoted: Vec<ItemId> = items.into_iter().filter(is_active).collect();
    if corroboration == Corroboration::Contradicted && !demoted.is_empty() {
        events.push(marked(demoted, Status::Unverified, MarkReason::Contradicted));
    }
    Ok(events)
}

fn marked(items: Vec<ItemId>, status: Status, reason: MarkReason) -> Event {
    Event::ItemsMarked { items, status, reason }
}
