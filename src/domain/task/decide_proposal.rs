//! Proposals: shown in full, confirmed once, by the user, and taken back as long as nothing moved.

use super::TaskState;
use super::command::{Action, Command, Facts};
use super::decide::ensure_item_room;
use super::decide_item::ensure_draft;
use super::item::{Authority, Status, first_status};
use super::limits::{
    CODE_MISSES_MAX, LINKS_MAX, PROPOSAL_ITEMS_MAX, PROPOSAL_OPEN_MILLIS_MAX, PROPOSALS_OPEN_MAX,
};
use super::proposal::{Proposal, ProposalDraft, ProposalOutcome, Purpose};
use super::quote::QuoteClosure;
use crate::domain::confirmation::{Answer, Verb};
use crate::domain::event::{Event, ResetKind};
use crate::domain::ids::{ItemId, ProposalId, QuoteId};
use crate::domain::origin::Channel;
use crate::domain::rejection::Rejection;

pub(super) fn decide(
    state: &TaskState,
    command: &Command,
    facts: &Facts,
) -> Result<Vec<Event>, Rejection> {
    let is_user =
        command.origin.channel == Channel::HostPrompt || command.origin.channel.is_operator();
    match &command.action {
        Action::Propose { draft } => propose(state, draft, facts),
        _ if !is_user => Err(Rejection::OperatorOnly),
        Action::Confirm { proposal, digest } => {
            if find(state, *proposal)?.draft.digest != *digest {
                return Err(Rejection::ProposalDiffers { proposal: *proposal });
            }
            confirm(state, *proposal, facts)
        }
        Action::Reject { proposal } => {
            find(state, *proposal)?;
            Ok(vec![ended(*proposal, ProposalOutcome::Rejected)])
        }
        Action::Undo { proposal } => undo(state, *proposal, facts),
        _ => Ok(Vec::new()),
    }
}

/// Decides what an answer of the user does. Pure: the answer to the user is told from the same.
///
/// # Errors
/// A [`Rejection`]. A wrong code is counted while a proposal is open; too many end every one.
pub fn answer(
    state: &TaskState,
    answer: &Answer,
    facts: &Facts,
) -> Result<(ProposalId, Vec<Event>), Rejection> {
    if answer.verb == Verb::Carry {
        return Err(Rejection::NothingToCarry { code: answer.code });
    }
    let id = named_by(state, answer)?;
    let events = match answer.verb {
        Verb::Confirm => {
            ensure_name(state, id, answer.name.as_deref())?;
            confirm(state, id, facts)?
        }
        _ if answer.name.is_some() => return Err(Rejection::WrongName),
        Verb::Reject => vec![ended(id, ProposalOutcome::Rejected)],
        Verb::Undo => undo(state, id, facts)?,
        Verb::Carry => Vec::new(),
    };
    Ok((id, events))
}

/// Returns what a wrong code leaves behind: it is counted while a proposal is open, and after too
/// many of them every open proposal ends.
pub(super) fn missed(state: &TaskState, facts: &Facts) -> Vec<Event> {
    let open: Vec<ProposalId> = state
        .proposals
        .iter()
        .filter(|(_, proposal)| !is_expired(proposal, facts))
        .map(|(id, _)| *id)
        .collect();
    if open.is_empty() {
        return Vec::new();
    }
    let misses = state.code_misses.saturating_add(1);
    let mut events = vec![Event::CodeMissed { misses }];
    if misses >= CODE_MISSES_MAX {
        events.extend(open.into_iter().map(|id| ended(id, ProposalOutcome::Guessed)));
    }
    events
}

/// Finds what an answer names: an open proposal, or for [`Verb::Undo`] a confirmed one.
fn named_by(state: &TaskState, answer: &Answer) -> Result<ProposalId, Rejection> {
    let code = answer.code;
    let confirmed = state.confirmed.iter().find(|confirmed| confirmed.code == code);
    if answer.verb == Verb::Undo {
        return confirmed.map(|found| found.proposal).ok_or(Rejection::UnknownCode { code });
    }
    let open = state.proposals.iter().find(|(_, proposal)| proposal.draft.code == code);
    match (open, confirmed) {
        (Some((id, _)), _) => Ok(*id),
        (None, Some(_)) => Err(Rejection::CodeUsed { code }),
        (None, None) => Err(Rejection::UnknownCode { code }),
    }
}

/// Only a deletion wants the task's short name, and only a deletion takes one.
fn ensure_name(state: &TaskState, id: ProposalId, name: Option<&str>) -> Result<(), Rejection> {
    let is_delete = find(state, id)?.draft.purpose == Purpose::Delete;
    match (is_delete, name) {
        (false, None) => Ok(()),
        (true, None) => Err(Rejection::NameNeeded),
        (true, Some(name)) if state.task.is_some_and(|task| task.short() == name) => Ok(()),
        (_, Some(_)) => Err(Rejection::WrongName),
    }
}

pub(super) fn propose(
    state: &TaskState,
    draft: &ProposalDraft,
    facts: &Facts,
) -> Result<Vec<Event>, Rejection> {
    let expired: Vec<ProposalId> = state
        .proposals
        .iter()
        .filter(|(_, proposal)| is_expired(proposal, facts))
        .map(|(id, _)| *id)
        .collect();
    if state.proposals.len().saturating_sub(expired.len()) >= PROPOSALS_OPEN_MAX {
        return Err(Rejection::TooManyProposals { limit: PROPOSALS_OPEN_MAX });
    }
    let is_taken = state.proposals.values().any(|open| open.draft.code == draft.code)
        || state.confirmed.iter().any(|confirmed| confirmed.code == draft.code);
    if is_taken {
        return Err(Rejection::CodeTaken { code: draft.code });
    }
    ensure_proposable(state, draft, facts)?;
    let mut events: Vec<Event> =
        expired.into_iter().map(|id| ended(id, ProposalOutcome::Expired)).collect();
    let proposal = ProposalId::new(state.proposal_count.saturating_add(1));
    events.push(Event::ProposalOpened { proposal, draft: draft.clone() });
    Ok(events)
}

fn ensure_proposable(
    state: &TaskState,
    draft: &ProposalDraft,
    facts: &Facts,
) -> Result<(), Rejection> {
    ensure_not_so_already(state, draft.purpose)?;
    let max = if draft.purpose == Purpose::Items { PROPOSAL_ITEMS_MAX } else { 0 };
    let min = max.min(1);
    if draft.items.len() < min || draft.items.len() > max {
        return Err(Rejection::LinkCount { found: draft.items.len(), min, max });
    }
    for item in &draft.items {
        if item.authority != Authority::User {
            return Err(Rejection::IllegalCombination);
        }
        ensure_draft(state, item)?;
    }
    let quotes_max = if draft.purpose == Purpose::Items { LINKS_MAX } else { 0 };
    if draft.quotes.len() > quotes_max {
        return Err(Rejection::LinkCount { found: draft.quotes.len(), min: 0, max: quotes_max });
    }
    if let Some(quote) = draft.quotes.iter().find(|quote| !state.quotes.contains_key(quote)) {
        return Err(Rejection::UnknownQuote { quote: *quote });
    }
    ensure_item_room(state, &draft.items, facts)
}

fn confirm(state: &TaskState, id: ProposalId, facts: &Facts) -> Result<Vec<Event>, Rejection> {
    let proposal = find(state, id)?;
    if is_expired(proposal, facts) {
        return Err(Rejection::ProposalExpired { proposal: id });
    }
    let is_untouched = proposal
        .touches
        .iter()
        .all(|(item, status)| state.items.get(item).is_some_and(|found| found.status == *status));
    if !is_untouched {
        return Err(Rejection::ProposalStale { proposal: id });
    }
    ensure_not_so_already(state, proposal.draft.purpose)?;
    let mut events = vec![ended(id, ProposalOutcome::Confirmed)];
    match proposal.draft.purpose {
        Purpose::Items => events.extend(items_of(state, &proposal.draft, facts)?),
        Purpose::SwitchOff => events.push(Event::ProtectionSwitched { is_on: false }),
        Purpose::SwitchOn => events.push(Event::ProtectionSwitched { is_on: true }),
        Purpose::Reset => events.push(Event::TaskReset { kind: ResetKind::Reset }),
        // What is done outside the log follows from the end of the proposal.
        Purpose::Delete | Purpose::RollOver => {}
    }
    Ok(events)
}

/// A switch that changes nothing could be taken back, and that would change something.
fn ensure_not_so_already(state: &TaskState, purpose: Purpose) -> Result<(), Rejection> {
    let is_so = match purpose {
        Purpose::SwitchOff => state.is_off,
        Purpose::SwitchOn => !state.is_off,
        Purpose::Items | Purpose::Reset | Purpose::Delete | Purpose::RollOver => false,
    };
    if is_so { Err(Rejection::AlreadySo) } else { Ok(()) }
}

fn items_of(
    state: &TaskState,
    draft: &ProposalDraft,
    facts: &Facts,
) -> Result<Vec<Event>, Rejection> {
    ensure_item_room(state, &draft.items, facts)?;
    let mut events = Vec::new();
    let mut item = state.next_item();
    for draft in &draft.items {
        let status = first_status(draft);
        events.push(Event::ItemRecorded { item, draft: draft.clone(), status });
        item = item.next();
    }
    let open = draft.quotes.iter().copied().filter(|quote| state.quotes.contains_key(quote));
    let quotes: Vec<QuoteId> = open.collect();
    if !quotes.is_empty() {
        events.push(Event::QuotesClosed { quotes, closure: QuoteClosure::Confirmed });
    }
    Ok(events)
}

/// A confirmation is taken back only as a whole, and only while nothing that it made or replaced
/// has changed since.
fn undo(state: &TaskState, id: ProposalId, facts: &Facts) -> Result<Vec<Event>, Rejection> {
    let confirmed = state
        .confirmed
        .iter()
        .find(|confirmed| confirmed.proposal == id)
        .ok_or(Rejection::UnknownProposal { proposal: id })?;
    let undone = Event::ConfirmationUndone { proposal: id };
    match confirmed.purpose {
        Purpose::Items => {
            let stands = |item: &ItemId| state.item_in_force(*item).is_some();
            let is_replaced_by_it = |(item, _): &(ItemId, Status)| {
                state.items.get(item).is_some_and(|found| {
                    found.status == Status::Superseded
                        && found.superseded_by.is_some_and(|by| confirmed.made.contains(&by))
                })
            };
            let is_untouched = confirmed.made.iter().all(stands)
                && confirmed.replaced.iter().all(is_replaced_by_it);
            if !is_untouched {
                return Err(Rejection::UndoTooLate { proposal: id });
            }
            let after = state.in_force().count().saturating_sub(confirmed.made.len());
            if after.saturating_add(confirmed.replaced.len()) > facts.limits.items_in_force_max {
                return Err(Rejection::TooManyItems { limit: facts.limits.items_in_force_max });
            }
            Ok(vec![undone])
        }
        Purpose::SwitchOff if state.is_off => {
            Ok(vec![undone, Event::ProtectionSwitched { is_on: true }])
        }
        Purpose::SwitchOn if !state.is_off => {
            Ok(vec![undone, Event::ProtectionSwitched { is_on: false }])
        }
        Purpose::SwitchOff | Purpose::SwitchOn => Err(Rejection::UndoTooLate { proposal: id }),
        Purpose::Reset | Purpose::Delete | Purpose::RollOver => {
            Err(Rejection::CannotUndo { proposal: id })
        }
    }
}

/// Tells whether a request may pass while recording is off: it can only switch it on.
pub(super) fn switches_on(state: &TaskState, action: &Action) -> bool {
    let opens = |id: &ProposalId| {
        state.proposals.get(id).is_some_and(|open| open.draft.purpose == Purpose::SwitchOn)
    };
    let takes_back = |id: &ProposalId| {
        let mut confirmed = state.confirmed.iter();
        confirmed.any(|found| found.proposal == *id && found.purpose == Purpose::SwitchOff)
    };
    match action {
        Action::Propose { draft } => draft.purpose == Purpose::SwitchOn,
        Action::Confirm { proposal, .. } => opens(proposal),
        Action::Undo { proposal } => takes_back(proposal),
        Action::ObservePrompt { prompt, .. } => prompt.answer.as_ref().is_some_and(|answer| {
            named_by(state, answer).is_ok_and(|id| match answer.verb {
                Verb::Confirm => opens(&id),
                Verb::Reject | Verb::Carry => false,
                Verb::Undo => takes_back(&id),
            })
        }),
        _ => false,
    }
}

/// Returns the proposals that wait and were not shown to the user yet.
pub fn unshown<'a>(
    state: &'a TaskState,
    facts: &'a Facts,
) -> impl Iterator<Item = (ProposalId, &'a Proposal)> {
    state
        .proposals
        .iter()
        .filter(|(_, proposal)| !proposal.is_shown && !is_expired(proposal, facts))
        .map(|(id, proposal)| (*id, proposal))
}

pub(super) fn is_expired(proposal: &Proposal, facts: &Facts) -> bool {
    facts.now.millis_since(proposal.opened_at) > PROPOSAL_OPEN_MILLIS_MAX
}

fn find(state: &TaskState, id: ProposalId) -> Result<&Proposal, Rejection> {
    state.proposals.get(&id).ok_or(Rejection::UnknownProposal { proposal: id })
}

fn ended(proposal: ProposalId, outcome: ProposalOutcome) -> Event {
    Event::ProposalEnded { proposal, outcome }
}
