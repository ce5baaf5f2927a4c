//! Folds what becomes of proposals: no rules, no failure.

use super::TaskState;
use super::evolve::drop_retired;
use super::item::{Corroboration, Status};
use super::limits::UNDO_KEPT_MAX;
use super::proposal::{
    Confirmed, Effect, Proposal, ProposalDraft, ProposalOutcome, Purpose, RolloverOffer,
};
use crate::domain::event::{Event, Placed};
use crate::domain::ids::{ItemId, ProposalId};

pub(super) fn evolve(state: &mut TaskState, event: &Event, placed: &Placed) {
    match event {
        Event::ProposalsShown { proposals } => {
            for id in proposals {
                if let Some(open) = state.proposals.get_mut(id) {
                    open.is_shown = true;
                }
            }
        }
        Event::CodeMissed { misses } => state.code_misses = *misses,
        Event::ProposalEnded { proposal, outcome } => {
            let ended = state.proposals.remove(proposal);
            if *outcome == ProposalOutcome::Rejected
                && ended.as_ref().is_some_and(|ended| ended.draft.purpose == Purpose::RollOver)
                && let Some(offer) = &mut state.rollover_offer
            {
                offer.is_refused = true;
            }
            if let Some(ended) = ended.filter(|_| *outcome == ProposalOutcome::Confirmed) {
                state.code_misses = 0;
                confirmed(state, *proposal, ended, placed);
            }
        }
        Event::ConfirmationUndone { proposal } => undone(state, *proposal),
        Event::TaskRolledOver { successor } => {
            state.successor = Some(*successor);
            state.effect = None;
        }
        _ => {}
    }
}

pub(super) fn opened(
    state: &mut TaskState,
    id: ProposalId,
    draft: &ProposalDraft,
    placed: &Placed,
) {
    state.proposal_count = state.proposal_count.max(id.get());
    state.code_misses = 0;
    if draft.purpose == Purpose::RollOver {
        let epoch_count = state.epoch_count;
        state.rollover_offer = Some(RolloverOffer { epoch_count, is_refused: false });
    }
    let touches = draft
        .items
        .iter()
        .flat_map(|item| item.supersedes.iter())
        .filter_map(|item| state.items.get(item).map(|found| (*item, found.status)))
        .collect();
    let opened_at = placed.header.recorded_at;
    let proposal = Proposal { draft: draft.clone(), opened_at, touches, is_shown: false };
    state.proposals.insert(id, proposal);
}

/// Remembers what a confirmation replaces; the events behind this one replace it.
fn confirmed(state: &mut TaskState, id: ProposalId, proposal: Proposal, placed: &Placed) {
    let Proposal { draft, touches, .. } = proposal;
    match draft.purpose {
        Purpose::Delete => state.effect = Some(Effect::Delete),
        Purpose::RollOver => state.effect = Some(Effect::RollOver),
        Purpose::Items | Purpose::SwitchOff | Purpose::SwitchOn | Purpose::Reset => {}
    }
    let mut next = state.next_item();
    let mut made = Vec::with_capacity(draft.items.len());
    for _ in &draft.items {
        made.push(next);
        next = next.next();
    }
    let quotes = draft.quotes.iter().filter_map(|id| Some((*id, state.quotes.get(id)?.clone())));
    let confirmed = Confirmed {
        proposal: id,
        code: draft.code,
        purpose: draft.purpose,
        confirmed_at: placed.header.recorded_at,
        confirmed_with: state.prompt_count,
        session: placed.header.origin.session,
        made,
        replaced: touches,
        quotes: quotes.collect(),
        corroboration: None,
    };
    if state.confirmed.len() >= UNDO_KEPT_MAX {
        state.confirmed.remove(0);
    }
    state.confirmed.push(confirmed);
}

fn undone(state: &mut TaskState, id: ProposalId) {
    let Some(place) = state.confirmed.iter().position(|confirmed| confirmed.proposal == id) else {
        return;
    };
    let confirmed = state.confirmed.remove(place);
    for id in &confirmed.made {
        if let Some(item) = state.items.get_mut(id) {
            item.status = Status::Closed;
        }
    }
    for (id, status) in &confirmed.replaced {
        if let Some(item) = state.items.get_mut(id) {
            item.status = *status;
            item.superseded_by = None;
        }
    }
    for (id, quote) in confirmed.quotes {
        state.quotes.entry(id).or_insert(quote);
    }
    if confirmed.purpose == Purpose::Items {
        state.generation = state.generation.next();
    }
    drop_retired(state);
}

pub(super) fn corroborated(state: &mut TaskState, items: &[ItemId], answer: Corroboration) {
    for confirmed in &mut state.confirmed {
        if confirmed.made.iter().any(|item| items.contains(item)) {
            confirmed.corroboration = Some(answer);
        }
    }
}
