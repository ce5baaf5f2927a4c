//! What the user's prompt leaves behind.

use super::TaskState;
use super::closing;
use super::command::{Facts, PromptObserved, WorkObserved};
use super::decide::work_moved;
use super::decide_item::corroborated;
use super::decide_proposal;
use super::limits::{PROPOSAL_KEPT_MILLIS_MAX, REPEAT_MILLIS_MAX};
use super::proposal::ProposalOutcome;
use super::transition::{Arrival, BoundaryKind, CompactionTrigger, Transition};
use crate::domain::confirmation::Answer;
use crate::domain::event::Event;
use crate::domain::ids::{ProposalId, SessionKey};
use crate::domain::rejection::Rejection;

pub(super) fn decide(
    state: &TaskState,
    prompt: &PromptObserved,
    work: Option<&WorkObserved>,
    session: Option<SessionKey>,
    facts: &Facts,
) -> Vec<Event> {
    if is_repetition(state, prompt, session, facts) {
        return Vec::new();
    }
    let mut events = Vec::new();
    if prompt.key != state.key {
        events.push(Event::KeyCreated { number: prompt.key });
    }
    let is_taken_up_unseen = prompt.is_carried || unseen_start(state, session).is_some();
    if !is_taken_up_unseen && !state.transition.as_ref().is_some_and(Transition::is_pending) {
        // Otherwise the comparison still needs the place before the boundary.
        events.extend(work_moved(state, work));
    }
    events.push(Event::PromptSeen {
        digest: prompt.digest,
        key: prompt.key,
        length_chars: prompt.length_chars,
        signals: prompt.signals,
    });
    if let Some(answer) = prompt.answer.as_ref().filter(|_| !prompt.is_carried) {
        events.extend(answered(state, answer, facts));
    }
    events.extend(closing::take_up_quotes(state, prompt, facts));
    events.extend(corroborated(state, &prompt.corroborations));
    events.extend(arrival(state, prompt));
    events.extend(taken_up(state, prompt).or_else(|| unseen_start(state, session)));
    switch_model(state, prompt, &mut events);
    expire_proposals(state, facts, &mut events);
    events
}

/// An answer that is refused is told to the user, and leaves at most a count.
fn answered(state: &TaskState, answer: &Answer, facts: &Facts) -> Vec<Event> {
    match decide_proposal::answer(state, answer, facts) {
        Ok((_, events)) => events,
        Err(Rejection::UnknownCode { .. }) => decide_proposal::missed(state, facts),
        Err(_) => Vec::new(),
    }
}

/// Only a host without turn ids needs the clock; elsewhere the command's name tells.
fn is_repetition(
    state: &TaskState,
    prompt: &PromptObserved,
    session: Option<SessionKey>,
    facts: &Facts,
) -> bool {
    !prompt.has_turn
        && state.last_prompt.is_some_and(|last| {
            last.digest == prompt.digest
                && last.session == session
                && facts.now.millis_since(last.seen_at) <= REPEAT_MILLIS_MAX
        })
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

/// A session goes on with this task by the user's word: as if an earlier conversation were resumed.
fn taken_up(state: &TaskState, prompt: &PromptObserved) -> Option<Event> {
    prompt.is_carried.then(|| Event::TransitionOpened {
        epoch: state.next_epoch(),
        kind: BoundaryKind::Resume,
        trigger: CompactionTrigger::Unknown,
        snapshot: None,
        is_announced: false,
    })
}

/// A prompt in a session that had ended: it was taken up again, and the host did not say so.
fn unseen_start(state: &TaskState, session: Option<SessionKey>) -> Option<Event> {
    let is_unseen = session.is_some()
        && state.ended_session == session
        && state.has_content()
        && !state.transition.as_ref().is_some_and(Transition::is_pending);
    is_unseen.then(|| Event::TransitionOpened {
        epoch: state.next_epoch(),
        kind: BoundaryKind::Unknown,
        trigger: CompactionTrigger::Unknown,
        snapshot: None,
        is_announced: false,
    })
}

fn switch_model(state: &TaskState, prompt: &PromptObserved, events: &mut Vec<Event>) {
    let Some(model) = prompt.model.filter(|model| state.model != Some(*model)) else {
        return;
    };
    events.push(Event::ModelSeen { model });
    // Digests under two keys cannot be compared: a lost key is no other model.
    let is_switch = state.model.is_some() && prompt.key == state.key;
    let is_due_already = state.transition.as_ref().is_some_and(Transition::is_pending);
    let is_opened = events.iter().any(|event| matches!(event, Event::TransitionOpened { .. }));
    if is_switch && state.has_content() && !is_due_already && !is_opened {
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
    let has_ended = |id: ProposalId, events: &[Event]| {
        let is_end = |event: &Event| matches!(event, Event::ProposalEnded { proposal, .. } if *proposal == id);
        events.iter().any(is_end)
    };
    for (id, proposal) in &state.proposals {
        if !has_ended(*id, events)
            && facts.now.millis_since(proposal.opened_at) > PROPOSAL_KEPT_MILLIS_MAX
        {
            events.push(Event::ProposalEnded { proposal: *id, outcome: ProposalOutcome::Expired });
        }
    }
}
