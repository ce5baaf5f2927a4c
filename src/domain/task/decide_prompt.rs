//! What the user's prompt leaves behind.

use super::TaskState;
use super::command::{Facts, PromptObserved, WorkObserved};
use super::decide::work_moved;
use super::limits::{PROPOSAL_OPEN_MILLIS_MAX, REPEAT_MILLIS_MAX};
use super::proposal::ProposalOutcome;
use super::quote::{QuoteClosure, weight};
use super::transition::{Arrival, BoundaryKind, CompactionTrigger};
use crate::domain::event::Event;
use crate::domain::ids::QuoteId;
use crate::domain::signal::SignalKind;

pub(super) fn decide(
    state: &TaskState,
    prompt: &PromptObserved,
    work: Option<&WorkObserved>,
    facts: &Facts,
) -> Vec<Event> {
    if is_repetition(state, prompt, facts) {
        return Vec::new();
    }
    let mut events = Vec::new();
    if prompt.key != state.key {
        events.push(Event::KeyCreated { number: prompt.key });
    }
    events.extend(work_moved(state, work));
    events.push(Event::PromptSeen {
        digest: prompt.digest,
        key: prompt.key,
        length_chars: prompt.length_chars,
        signals: prompt.signals,
    });
    record_quotes(state, prompt, facts, &mut events);
    events.extend(arrival(state, prompt));
    switch_model(state, prompt, &mut events);
    expire_proposals(state, facts, &mut events);
    events
}

/// Only a host without turn ids needs the clock; elsewhere the command's name tells.
fn is_repetition(state: &TaskState, prompt: &PromptObserved, facts: &Facts) -> bool {
    !prompt.has_turn
        && state.last_prompt.is_some_and(|last| {
            last.digest == prompt.digest
                && facts.now.millis_since(last.seen_at) <= REPEAT_MILLIS_MAX
        })
}

fn record_quotes(
    state: &TaskState,
    prompt: &PromptObserved,
    facts: &Facts,
    events: &mut Vec<Event>,
) {
    let mut open: Vec<(QuoteId, SignalKind)> =
        state.quotes.iter().map(|(id, quote)| (*id, quote.draft.kind)).collect();
    let mut number = state.quote_count;
    for draft in &prompt.quotes {
        number = number.saturating_add(1);
        let quote = QuoteId::new(number);
        open.push((quote, draft.kind));
        events.push(Event::QuoteRecorded { quote, draft: draft.clone() });
    }
    let excess = open.len().saturating_sub(facts.limits.quotes_open_max);
    if excess > 0 {
        open.sort_by_key(|(quote, kind)| (weight(*kind), *quote));
        let mut quotes: Vec<QuoteId> = open.into_iter().take(excess).map(|(id, _)| id).collect();
        quotes.sort_unstable();
        events.push(Event::QuotesClosed { quotes, closure: QuoteClosure::Crowded });
    }
}

/// An offer that is not found is only believed missing from the second prompt on: at the first one
/// the host may not have written its transcript yet.
fn arrival(state: &TaskState, prompt: &PromptObserved) -> Option<Event> {
    let arrival = prompt.arrival?;
    let transition = state.transition.as_ref()?;
    if transition.offer.is_none() || transition.arrival.is_some() {
        return None;
    }
    let is_settled = match arrival {
        Arrival::Found => true,
        Arrival::NotFound => state.prompts_since_offer >= 1,
        Arrival::Uncheckable => false,
    };
    is_settled.then_some(Event::OfferLookedUp { epoch: transition.epoch, arrival })
}

fn switch_model(state: &TaskState, prompt: &PromptObserved, events: &mut Vec<Event>) {
    let Some(model) = prompt.model.filter(|model| state.model != Some(*model)) else {
        return;
    };
    events.push(Event::ModelSeen { model });
    let is_switch = state.model.is_some();
    let is_boundary_ahead =
        state.open_transition().is_some_and(|transition| transition.is_completed);
    if is_switch && state.has_content() && !is_boundary_ahead {
        events.push(Event::TransitionOpened {
            epoch: state.next_epoch(),
            kind: BoundaryKind::ModelSwitch,
            trigger: CompactionTrigger::Unknown,
            snapshot: None,
            is_announced: false,
        });
    }
}

fn expire_proposals(state: &TaskState, facts: &Facts, events: &mut Vec<Event>) {
    for (id, proposal) in &state.proposals {
        if facts.now.millis_since(proposal.opened_at) > PROPOSAL_OPEN_MILLIS_MAX {
            events.push(Event::ProposalEnded { proposal: *id, outcome: ProposalOutcome::Expired });
        }
    }
}
