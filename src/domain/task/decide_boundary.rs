//! Boundaries: announced, completed, crossed, assessed, and what is offered once.

use super::TaskState;
use super::command::{Action, Command, Facts, WorkObserved};
use super::decide::work_moved;
use super::item::Status;
use super::limits::{OFFERS_MAX, REPEAT_MILLIS_MAX};
use super::transition::{
    Arrival, BoundaryKind, CompactionTrigger, Offer, SnapshotMark, Transition,
};
use crate::domain::chain::Basis;
use crate::domain::event::{Event, MarkReason};
use crate::domain::ids::{Epoch, ItemId, SessionKey, SnapshotId};
use crate::domain::recovery::RecoveryPlan;
use crate::domain::time::Timestamp;

pub(super) fn decide(state: &TaskState, command: &Command, facts: &Facts) -> Vec<Event> {
    match &command.action {
        Action::ObservePreCompact { trigger, snapshot, work } => {
            if is_announcement_repeated(state, snapshot.as_ref(), facts) {
                return Vec::new();
            }
            let mut events = first_look(state, work.as_ref());
            events.extend(announce(state, *trigger, *snapshot));
            events
        }
        Action::ObservePostCompact { trigger } => complete(state, *trigger, facts),
        Action::ObserveBoundary { kind, work, is_completion } => {
            let mut events = first_look(state, work.as_ref());
            let session = command.origin.session;
            let crossed = cross(state, *kind, *is_completion, session, facts);
            if crossed.is_empty() {
                return Vec::new();
            }
            events.extend(crossed);
            events
        }
        Action::Recover { plan, basis, offer } => recover(state, plan, *basis, *offer),
        _ => Vec::new(),
    }
}

/// When the question of recovery is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecoveryMoment {
    /// The host starts or takes up a session: by itself a sign that the boundary was crossed.
    SessionStart,
    /// The user wrote a prompt.
    Prompt,
}

/// Tells whether the state is to be compared, and a text offered, now: a boundary was crossed and
/// not assessed yet, or an offer was looked for and not found.
#[must_use]
pub fn is_recovery_due(state: &TaskState, moment: RecoveryMoment) -> bool {
    let Some(transition) = &state.transition else {
        return false;
    };
    transition.is_pending() || (moment == RecoveryMoment::Prompt && is_offer_lost(transition))
}

fn is_offer_lost(transition: &Transition) -> bool {
    transition.class.is_some()
        && transition.arrival == Some(Arrival::NotFound)
        && transition.offer.is_some_and(|offer| offer.attempt < OFFERS_MAX)
}

/// The place where the work was last seen is the one of the last prompt or stop; a boundary only
/// fills it in if it was never seen.
fn first_look(state: &TaskState, work: Option<&WorkObserved>) -> Vec<Event> {
    if state.work.is_some() {
        return Vec::new();
    }
    work_moved(state, work).into_iter().collect()
}

/// While an announced compaction lies ahead, another announcement of the same state adds nothing:
/// one host announces before every turn.
fn is_announcement_repeated(
    state: &TaskState,
    snapshot: Option<&SnapshotMark>,
    facts: &Facts,
) -> bool {
    let Some(transition) = state.open_transition() else {
        return false;
    };
    if !transition.is_announced || transition.is_crossed {
        return false;
    }
    let held = state.snapshots.iter().find(|mark| Some(mark.snapshot) == transition.snapshot);
    let is_held = match held {
        Some(mark) => mark.state_digest == state.effective_digest(),
        None => snapshot.is_none(),
    };
    is_held || is_recent(Some(transition.opened_at), facts)
}

fn announce(
    state: &TaskState,
    trigger: CompactionTrigger,
    snapshot: Option<SnapshotMark>,
) -> Vec<Event> {
    let mut events = Vec::new();
    events.extend(snapshot.map(|mark| Event::SnapshotTaken { mark }));
    let holds = snapshot.or_else(|| state.snapshots.last().copied());
    let holds = holds.filter(|mark| mark.state_digest == state.effective_digest());
    let holds = holds.map(|mark| mark.snapshot);
    events.push(open(state, BoundaryKind::Compaction, trigger, holds, true));
    events
}

fn open(
    state: &TaskState,
    kind: BoundaryKind,
    trigger: CompactionTrigger,
    snapshot: Option<SnapshotId>,
    is_announced: bool,
) -> Event {
    Event::TransitionOpened { epoch: state.next_epoch(), kind, trigger, snapshot, is_announced }
}

fn complete(state: &TaskState, trigger: CompactionTrigger, facts: &Facts) -> Vec<Event> {
    match &state.transition {
        Some(transition) if transition.kind == BoundaryKind::Compaction => {
            if transition.completed_at.is_none() {
                return vec![Event::CompactionCompleted { epoch: transition.epoch }];
            }
            if transition.class.is_none()
                || is_recent(transition.completed_at, facts)
                || is_recent(transition.assessed_at, facts)
            {
                return Vec::new();
            }
        }
        _ => {}
    }
    vec![
        open(state, BoundaryKind::Compaction, trigger, None, false),
        Event::CompactionCompleted { epoch: state.next_epoch() },
    ]
}

/// A start of a session belongs to the boundary that lies open, if there is one. An empty start
/// leaves nothing.
fn cross(
    state: &TaskState,
    kind: BoundaryKind,
    is_completion: bool,
    session: Option<SessionKey>,
    facts: &Facts,
) -> Vec<Event> {
    if state.task.is_none() {
        return Vec::new();
    }
    if let Some(transition) = &state.transition {
        let is_compaction = transition.kind == BoundaryKind::Compaction;
        if is_compaction && kind == BoundaryKind::Compaction {
            if is_awaiting_start(state, transition, facts) {
                let epoch = transition.epoch;
                return vec![Event::BoundaryCrossed { epoch, is_completion }];
            }
            if transition.class.is_none() || is_recent(transition.started_at, facts) {
                return Vec::new();
            }
        } else {
            let is_same = transition.kind == kind || (is_compaction && transition.is_crossed);
            let is_repeated =
                !is_another_start(state, session) && is_recent(transition.assessed_at, facts);
            if is_same && (transition.class.is_none() || is_repeated) {
                return Vec::new();
            }
        }
    }
    let mut events = vec![open(state, kind, CompactionTrigger::Unknown, None, false)];
    if kind == BoundaryKind::Compaction {
        events.push(Event::BoundaryCrossed { epoch: state.next_epoch(), is_completion });
    }
    events
}

/// A compaction's session start may come long after it, with the next turn, but not after prompts
/// that were answered in between.
fn is_awaiting_start(state: &TaskState, transition: &Transition, facts: &Facts) -> bool {
    transition.started_at.is_none()
        && (transition.class.is_none()
            || !transition.is_crossed
            || state.prompts_since_offer == 0
            || is_recent(transition.assessed_at, facts))
}

/// A session that is new here, or that had ended, starts: however soon that is, it is no repetition
/// of a start before.
fn is_another_start(state: &TaskState, session: Option<SessionKey>) -> bool {
    session.is_some_and(|session| {
        !state.sessions.contains(&session) || state.ended_session == Some(session)
    })
}

fn is_recent(then: Option<Timestamp>, facts: &Facts) -> bool {
    then.is_some_and(|then| facts.now.millis_since(then) <= REPEAT_MILLIS_MAX)
}

fn recover(
    state: &TaskState,
    plan: &RecoveryPlan,
    basis: Basis,
    offer: Option<Offer>,
) -> Vec<Event> {
    let Some(transition) = &state.transition else {
        return Vec::new();
    };
    let epoch = transition.epoch;
    let mut events = Vec::new();
    let attempt = if transition.is_pending() {
        events.extend(assess(state, plan, basis, epoch));
        1
    } else if is_offer_lost(transition) {
        transition.offer.map_or(1, |offer| offer.attempt.saturating_add(1))
    } else {
        return events;
    };
    let offer = offer.filter(|_| state.has_content()).map(|offer| Offer { attempt, ..offer });
    events.extend(offer.map(|offer| Event::RecoveryOffered { epoch, offer }));
    events
}

fn assess(state: &TaskState, plan: &RecoveryPlan, basis: Basis, epoch: Epoch) -> Vec<Event> {
    let mut events = Vec::new();
    let is_to_mark = |item: &ItemId| {
        state.item_in_force(*item).is_some_and(|found| found.status != Status::Stale)
    };
    let items: Vec<ItemId> = plan.stale.iter().copied().filter(is_to_mark).collect();
    if !items.is_empty() {
        let reason = MarkReason::BoundaryCrossed;
        events.push(Event::ItemsMarked { items, status: Status::Stale, reason });
    }
    let findings = plan.findings.clone();
    events.push(Event::RecoveryAssessed { epoch, class: plan.class, findings, basis });
    events
}
