//! Proposals: shown in full, confirmed once, by the user.

use super::TaskState;
use super::command::{Action, Command, Facts};
use super::decide::ensure_item_room;
use super::decide_item::ensure_draft;
use super::item::{Authority, first_status};
use super::limits::{LINKS_MAX, PROPOSAL_ITEMS_MAX, PROPOSAL_OPEN_MILLIS_MAX, PROPOSALS_OPEN_MAX};
use super::proposal::{Proposal, ProposalDraft, ProposalOutcome};
use super::quote::QuoteClosure;
use crate::domain::event::Event;
use crate::domain::ids::{Digest, ItemId, ProposalId, QuoteId};
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
        Action::Confirm { .. } | Action::Reject { .. } if !is_user => Err(Rejection::OperatorOnly),
        Action::Confirm { proposal, digest } => confirm(state, *proposal, *digest, facts),
        Action::Reject { proposal } => {
            find(state, *proposal)?;
            Ok(vec![ended(*proposal, ProposalOutcome::Rejected)])
        }
        _ => Ok(Vec::new()),
    }
}

fn propose(
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
    if draft.items.is_empty() || draft.items.len() > PROPOSAL_ITEMS_MAX {
        return Err(Rejection::LinkCount {
            found: draft.items.len(),
            min: 1,
            max: PROPOSAL_ITEMS_MAX,
        });
    }
    for item in &draft.items {
        if item.authority != Authority::User {
            return Err(Rejection::IllegalCombination);
        }
        ensure_draft(state, item)?;
    }
    if draft.quotes.len() > LINKS_MAX {
        return Err(Rejection::LinkCount { found: draft.quotes.len(), min: 0, max: LINKS_MAX });
    }
    if let Some(quote) = draft.quotes.iter().find(|quote| !state.quotes.contains_key(quote)) {
        return Err(Rejection::UnknownQuote { quote: *quote });
    }
    ensure_item_room(state, &draft.items, facts)?;
    let mut events: Vec<Event> =
        expired.into_iter().map(|id| ended(id, ProposalOutcome::Expired)).collect();
    let proposal = ProposalId::new(state.proposal_count.saturating_add(1));
    events.push(Event::ProposalOpened { proposal, draft: draft.clone() });
    Ok(events)
}

fn confirm(
    state: &TaskState,
    id: ProposalId,
    digest: Digest,
    facts: &Facts,
) -> Result<Vec<Event>, Rejection> {
    let proposal = find(state, id)?;
    if proposal.draft.digest != digest {
        return Err(Rejection::ProposalDiffers { proposal: id });
    }
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
    ensure_item_room(state, &proposal.draft.items, facts)?;
    let mut events = vec![ended(id, ProposalOutcome::Confirmed)];
    let mut number = state.item_count;
    for draft in &proposal.draft.items {
        number = number.saturating_add(1);
        events.push(Event::ItemRecorded {
            item: ItemId::new(number),
            draft: draft.clone(),
            status: first_status(draft),
        });
    }
    let quotes: Vec<QuoteId> = proposal
        .draft
        .quotes
        .iter()
        .copied()
        .filter(|quote| state.quotes.contains_key(quote))
        .collect();
    if !quotes.is_empty() {
        events.push(Event::QuotesClosed { quotes, closure: QuoteClosure::Confirmed });
    }
    Ok(events)
}

fn is_expired(proposal: &Proposal, facts: &Facts) -> bool {
    facts.now.millis_since(proposal.opened_at) > PROPOSAL_OPEN_MILLIS_MAX
}

fn find(state: &TaskState, id: ProposalId) -> Result<&Proposal, Rejection> {
    state.proposals.get(&id).ok_or(Rejection::UnknownProposal { proposal: id })
}

fn ended(proposal: ProposalId, outcome: ProposalOutcome) -> Event {
    Event::ProposalEnded { proposal, outcome }
}
