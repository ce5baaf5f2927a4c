//! A log that fills up: when a new one is offered, what its first batch holds, and what the old one
//! still takes.

use super::TaskState;
use super::carried::Continuation;
use super::command::{Action, Command, Facts};
use super::decide_proposal::is_expired;
use super::item::InheritedItem;
use super::limits::WARN_PERCENT;
use super::proposal::{ProposalOutcome, Purpose};
use super::quote::InheritedQuote;
use crate::domain::event::Event;
use crate::domain::ids::{ProposalId, SessionKey};
use crate::domain::origin::Channel;
use crate::domain::rejection::Rejection;

/// Tells whether a new log is to be put before the user now: once when the log fills up, and again
/// only if that was not answered in time and a boundary was crossed since.
#[must_use]
pub fn is_rollover_due(state: &TaskState, facts: &Facts) -> bool {
    let percent = facts.limits.percent_used(state.event_count, facts.log_bytes);
    if percent < WARN_PERCENT || state.task.is_none() || state.is_off || state.is_left() {
        return false;
    }
    let is_open = state
        .proposals
        .values()
        .any(|open| open.draft.purpose == Purpose::RollOver && !is_expired(open, facts));
    match state.rollover_offer {
        _ if is_open => false,
        None => true,
        Some(offer) => {
            let is_behind = state.transition.as_ref().is_some_and(|it| it.is_crossed);
            !offer.is_refused && is_behind && state.epoch_count > offer.epoch_count
        }
    }
}

/// Returns whether a request is part of the way out of a full log, which a full log must not refuse.
pub(super) fn is_way_out(state: &TaskState, command: &Command, events: &[Event]) -> bool {
    let is_rollover = |id: &ProposalId| {
        state.proposals.get(id).is_some_and(|open| open.draft.purpose == Purpose::RollOver)
    };
    events.iter().any(|event| match event {
        Event::ProposalOpened { draft, .. } => {
            draft.purpose == Purpose::RollOver && command.origin.channel != Channel::ModelTool
        }
        Event::ProposalEnded { proposal, outcome: ProposalOutcome::Confirmed } => {
            is_rollover(proposal)
        }
        Event::TaskRolledOver { .. } => true,
        _ => false,
    })
}

/// Notes that a successor took over: what a confirmed new log, or the user's own word in a session
/// that had only begun, brings about. Decides nothing for any other request.
pub(super) fn decide(state: &TaskState, command: &Command) -> Result<Vec<Event>, Rejection> {
    let Action::RollOver { successor } = &command.action else { return Ok(Vec::new()) };
    let is_users =
        command.origin.channel == Channel::HostPrompt || command.origin.channel.is_operator();
    let is_allowed = state.is_left() || (is_users && state.is_only_begun());
    match state.successor {
        _ if !is_allowed || state.task.is_none() => Err(Rejection::NotAuthorised),
        Some(found) if found == *successor => Ok(Vec::new()),
        Some(found) => Err(Rejection::RolledOver { successor: Some(found) }),
        None => Ok(vec![Event::TaskRolledOver { successor: *successor }]),
    }
}

/// What the first batch of a new log holds behind its opening. `joined` is the session that the
/// opening names already.
pub(super) fn carry_over(
    continuation: &Continuation,
    items: &[InheritedItem],
    quotes: &[InheritedQuote],
    joined: Option<SessionKey>,
) -> Vec<Event> {
    let mut events = Vec::new();
    events.extend(continuation.key.map(|number| Event::KeyCreated { number }));
    let others = continuation.sessions.iter().filter(|(_, session)| Some(*session) != joined);
    events.extend(
        others.map(|(host, session)| Event::SessionJoined { host: *host, session: *session }),
    );
    events.extend(items.iter().map(|item| Event::ItemRecorded {
        item: item.item,
        draft: item.draft.clone(),
        status: item.status,
    }));
    events.extend(
        quotes
            .iter()
            .map(|quote| Event::QuoteRecorded { quote: quote.quote, draft: quote.draft.clone() }),
    );
    events.extend(continuation.work.clone().map(|work| Event::WorkObjectSeen {
        body: work.body,
        identity: work.identity,
        commit: work.commit,
    }));
    events.extend(continuation.model.map(|model| Event::ModelSeen { model }));
    events.extend(continuation.children.iter().map(|agent| Event::ChildStarted { agent: *agent }));
    if continuation.is_off {
        events.push(Event::ProtectionSwitched { is_on: false });
    }
    events.push(Event::CarriedOver { carried: Box::new(continuation.carried.clone()) });
    events
}
