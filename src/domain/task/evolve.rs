//! Folds batches into state: no rules, no failure, whatever comes.

use std::collections::BTreeSet;

use super::item::{Item, Status};
use super::limits::{CHILDREN_OPEN_MAX, SESSIONS_MAX, SNAPSHOTS_MAX};
use super::quote::{Quote, QuoteClosure, QuoteDraft, take_back, take_up};
use super::transition::{BoundaryKind, Child, Transition};
use super::{LastPrompt, TaskState, WorkSeen, carried, evolve_proposal};
use crate::domain::chain::Sequence;
use crate::domain::event::{Batch, Event, Placed};
use crate::domain::ids::{Epoch, ItemId, KeyedDigest, QuoteId};

/// Items out of force that are kept before those that nothing refers to are dropped.
const RETIRED_KEPT_MAX: usize = 64;

/// Folds one batch, with its place in the log.
pub fn apply_batch(state: &mut TaskState, batch: &Batch, sequence: Sequence) {
    let placed = Placed { header: batch.header, sequence };
    for event in &batch.events {
        evolve(state, event, &placed);
    }
    state.commands.insert(batch.header.command);
    state.recorded_at = batch.header.recorded_at.at_least(state.recorded_at);
}

/// Folds one event.
///
/// Names that the state does not hold are passed over: an event that was decided against this very
/// history never has any.
pub fn evolve(state: &mut TaskState, event: &Event, placed: &Placed) {
    state.event_count = state.event_count.saturating_add(1);
    match event {
        Event::TaskOpened { task, predecessor, left_items, left_quotes } => {
            state.left_items.clone_from(left_items);
            state.left_quotes.clone_from(left_quotes);
            state.task = Some(*task);
            state.predecessor = *predecessor;
            state.is_fork = predecessor.is_some();
        }
        Event::KeyCreated { number } => state.key = *number,
        Event::PromptSeen { digest, .. } => prompt_seen(state, *digest, placed),
        Event::ModelSeen { model } => state.model = Some(*model),
        Event::QuoteRecorded { quote, draft } => quote_recorded(state, *quote, draft, placed),
        Event::QuotesClosed { quotes, closure } => quotes_closed(state, quotes, *closure),
        Event::WorkObjectSeen { body, identity, commit } => {
            state.work =
                Some(WorkSeen { body: *body, identity: *identity, commit: commit.clone() });
        }
        Event::ItemRecorded { item, draft, status } => {
            let item_value = Item {
                draft: draft.clone(),
                status: *status,
                channel: placed.header.origin.channel,
                recorded_at: placed.header.recorded_at,
                recorded_in: placed.sequence,
                superseded_by: None,
                corroboration: None,
            };
            item_recorded(state, *item, item_value);
        }
        Event::ItemsMarked { items, status, .. } => items_marked(state, items, *status),
        Event::ItemsCorroborated { items, corroboration } => {
            for id in items {
                if let Some(item) = state.items.get_mut(id) {
                    item.corroboration = Some(*corroboration);
                }
            }
            evolve_proposal::corroborated(state, items, *corroboration);
        }
        Event::ProposalOpened { proposal, draft } => {
            evolve_proposal::opened(state, *proposal, draft, placed);
        }
        Event::ProposalsShown { .. }
        | Event::CodeMissed { .. }
        | Event::ProposalEnded { .. }
        | Event::ConfirmationUndone { .. }
        | Event::TaskRolledOver { .. } => evolve_proposal::evolve(state, event, placed),
        Event::Unrecognised { .. } => {
            state.unrecognised_count = state.unrecognised_count.saturating_add(1);
        }
        Event::CarriedOver { carried } => carried::evolve(state, carried),
        Event::RollbackAccepted { .. } => {}
        other => evolve_lifecycle(state, other, placed),
    }
}

fn evolve_lifecycle(state: &mut TaskState, event: &Event, placed: &Placed) {
    match event {
        Event::SessionJoined { session, .. } => {
            if !state.sessions.contains(session) {
                if state.sessions.len() >= SESSIONS_MAX {
                    state.sessions.remove(0);
                }
                state.sessions.push(*session);
            }
            state.ended_session = None;
        }
        Event::SnapshotTaken { mark } => {
            state.snapshot_count = state.snapshot_count.max(mark.snapshot.get());
            if state.snapshots.len() >= SNAPSHOTS_MAX {
                state.snapshots.remove(0);
            }
            state.snapshots.push(*mark);
        }
        Event::ChildStarted { agent } => child_started(state, *agent, placed),
        Event::ChildEnded { agent } => state.children.retain(|child| child.agent != *agent),
        Event::SessionEnded { session } => state.ended_session = Some(*session),
        Event::TaskReset { .. } => {
            for item in state.items.values_mut().filter(|item| item.status.is_in_force()) {
                item.status = Status::Closed;
            }
            state.quotes.clear();
            state.proposals.clear();
            state.confirmed.clear();
            state.children.clear();
            state.transition = None;
            state.generation = state.generation.next();
            drop_retired(state);
        }
        Event::ProtectionSwitched { is_on } => state.is_off = !is_on,
        Event::MissedNotesTaken { count } => {
            state.missed_count = state.missed_count.saturating_add(*count);
        }
        other => evolve_transition(state, other, placed),
    }
}

fn evolve_transition(state: &mut TaskState, event: &Event, placed: &Placed) {
    if let Event::TransitionOpened { epoch, kind, trigger, snapshot, is_announced } = event {
        state.epoch_count = state.epoch_count.max(epoch.get());
        let is_earlier_pending = state.transition.as_ref().is_some_and(Transition::is_pending);
        state.transition = Some(Transition {
            epoch: *epoch,
            kind: *kind,
            trigger: *trigger,
            opened_at: placed.header.recorded_at,
            opened_in: placed.sequence,
            snapshot: *snapshot,
            is_announced: *is_announced,
            is_crossed: *kind != BoundaryKind::Compaction,
            is_earlier_pending,
            is_completed: false,
            completed_at: None,
            started_at: None,
            class: None,
            assessed_at: None,
            offer: None,
            offered_in: None,
            arrival: None,
        });
        state.ended_session = None;
        return;
    }
    match event {
        Event::CompactionCompleted { epoch } => {
            if let Some(transition) = transition_of(state, *epoch) {
                cross(transition);
                transition.is_completed = true;
                transition.completed_at = Some(placed.header.recorded_at);
            }
        }
        Event::BoundaryCrossed { epoch, is_completion } => {
            if let Some(transition) = transition_of(state, *epoch) {
                cross(transition);
                transition.is_completed |= *is_completion;
                transition.started_at = Some(placed.header.recorded_at);
            }
            state.ended_session = None;
        }
        Event::RecoveryAssessed { epoch, class, .. } => {
            if let Some(transition) = transition_of(state, *epoch) {
                transition.class = Some(*class);
                transition.assessed_at = Some(placed.header.recorded_at);
            }
            state.crossing_count = state.crossing_count.saturating_add(1);
            state.missed_count = 0;
            state.prompts_since_offer = 0;
        }
        Event::RecoveryOffered { epoch, offer } => {
            if let Some(transition) = transition_of(state, *epoch) {
                transition.offer = Some(*offer);
                transition.offered_in = Some(placed.sequence);
                transition.arrival = None;
                state.prompts_since_offer = 0;
            }
        }
        Event::OfferLookedUp { epoch, arrival } => {
            if let Some(transition) = transition_of(state, *epoch) {
                transition.arrival = Some(*arrival);
            }
        }
        _ => {}
    }
}

/// A boundary that was assessed for an earlier one's sake, before it was crossed itself, is open
/// again once it is.
fn cross(transition: &mut Transition) {
    if !transition.is_crossed {
        transition.class = None;
        transition.assessed_at = None;
        transition.offer = None;
        transition.offered_in = None;
        transition.arrival = None;
    }
    transition.is_crossed = true;
}

fn transition_of(state: &mut TaskState, epoch: Epoch) -> Option<&mut Transition> {
    state.transition.as_mut().filter(|transition| transition.epoch == epoch)
}

fn prompt_seen(state: &mut TaskState, digest: KeyedDigest, placed: &Placed) {
    state.last_prompt = Some(LastPrompt {
        digest,
        session: placed.header.origin.session,
        seen_at: placed.header.recorded_at,
    });
    state.prompts_since_offer = state.prompts_since_offer.saturating_add(1);
    state.prompt_count = state.prompt_count.saturating_add(1);
    state.ended_session = None;
}

fn quote_recorded(state: &mut TaskState, id: QuoteId, draft: &QuoteDraft, placed: &Placed) {
    state.quote_count = state.quote_count.max(id.get());
    let (said_at, prompt) =
        (placed.header.recorded_at, state.last_prompt.map(|prompt| prompt.digest));
    let quote = Quote::new(draft.clone(), said_at, placed.sequence, state.moment(), prompt);
    take_up(&mut state.quotes, id, quote);
}

fn quotes_closed(state: &mut TaskState, quotes: &[QuoteId], closure: QuoteClosure) {
    for id in quotes {
        if state.quotes.remove(id).is_none() {
            continue;
        }
        match closure {
            QuoteClosure::Crowded => {
                state.quotes_crowded_out = state.quotes_crowded_out.saturating_add(1);
            }
            QuoteClosure::Withdrawn => take_back(&mut state.quotes, *id),
            other => state.quotes_closed_by_rule.count(other),
        }
    }
}

fn item_recorded(state: &mut TaskState, id: ItemId, item: Item) {
    state.item_count = state.item_count.max(id.get());
    for earlier in &item.draft.supersedes {
        if let Some(replaced) = state.items.get_mut(earlier) {
            replaced.status = Status::Superseded;
            replaced.superseded_by = Some(id);
        }
    }
    state.items.insert(id, item);
    state.generation = state.generation.next();
    drop_retired(state);
}

fn items_marked(state: &mut TaskState, items: &[ItemId], status: Status) {
    for id in items {
        if let Some(item) = state.items.get_mut(id) {
            item.status = status;
        }
    }
    state.generation = state.generation.next();
    drop_retired(state);
}

/// Drops items out of force that no item in force replaces, once many of them are held. The log
/// keeps them; the state is bounded.
pub(super) fn drop_retired(state: &mut TaskState) {
    let retired = state.items.values().filter(|item| !item.status.is_in_force()).count();
    if retired <= RETIRED_KEPT_MAX {
        return;
    }
    let replaced: BTreeSet<ItemId> =
        state.in_force().flat_map(|(_, item)| item.draft.supersedes.iter().copied()).collect();
    state.items.retain(|id, item| item.status.is_in_force() || replaced.contains(id));
}

fn child_started(state: &mut TaskState, agent: KeyedDigest, placed: &Placed) {
    if state.children.len() >= CHILDREN_OPEN_MAX {
        state.children.remove(0);
    }
    state.children.push(Child { agent, started_at: placed.header.recorded_at });
}
