//! Boundaries: announced, completed, crossed, assessed, and what is offered once.

use super::TaskState;
use super::command::{Action, Facts};
use super::decide::work_moved;
use super::item::Status;
use super::limits::{OFFERS_MAX, REPEAT_MILLIS_MAX};
use super::transition::{
    Arrival, BoundaryKind, CompactionTrigger, Offer, SnapshotMark, Transition,
};
use crate::domain::chain::Basis;
use crate::domain::event::{Event, MarkReason};
use crate::domain::ids::SnapshotId;
use crate::domain::recovery::RecoveryPlan;

pub(super) fn decide(state: &TaskState, action: &Action, facts: &Facts) -> Vec<Event> {
    match action {
        Action::ObservePreCompact { trigger, snapshot, work } => {
            if is_announcement_repeated(state, facts) {
                return Vec::new();
            }
            let mut events: Vec<Event> = work_moved(state, work.as_ref()).into_iter().collect();
            events.extend(announce(state, *trigger, *snapshot));
            events
        }
        Action::ObservePostCompact { trigger } => complete(state, *trigger, facts),
        Action::ObserveBoundary { kind, .. } => cross(state, *kind, facts),
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
    match transition.class {
        None => {
            moment == RecoveryMoment::SessionStart
                || transition.is_completed
                || transition.kind != BoundaryKind::Compaction
        }
        Some(_) => {
            moment == RecoveryMoment::Prompt
                && transition.arrival == Some(Arrival::NotFound)
                && transition.offer.is_some_and(|offer| offer.attempt < OFFERS_MAX)
        }
    }
}

fn is_announcement_repeated(state: &TaskState, facts: &Facts) -> bool {
    state.open_transition().is_some_and(|transition| {
        transition.is_announced
            && !transition.is_completed
            && facts.now.millis_since(transition.opened_at) <= REPEAT_MILLIS_MAX
    })
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
            if !transition.is_completed {
                return vec![Event::CompactionCompleted { epoch: transition.epoch }];
            }
            if transition.class.is_none() || is_recent(transition, facts) {
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

fn cross(state: &TaskState, kind: BoundaryKind, facts: &Facts) -> Vec<Event> {
    match &state.transition {
        // The boundary that lies open is the one that is crossed now.
        Some(transition) if transition.class.is_none() => {
            let is_same = transition.kind == kind
                || (transition.kind == BoundaryKind::Compaction && transition.is_completed);
            if is_same {
                return Vec::new();
            }
        }
        Some(transition) if is_recent(transition, facts) => {
            let is_repeated = transition.kind == kind || transition.is_completed;
            if is_repeated {
                return Vec::new();
            }
        }
        _ => {}
    }
    vec![open(state, kind, CompactionTrigger::Unknown, None, false)]
}

fn is_recent(transition: &Transition, facts: &Facts) -> bool {
    transition
        .assessed_at
        .is_some_and(|assessed_at| facts.now.millis_since(assessed_at) <= REPEAT_MILLIS_MAX)
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
    if transition.class.is_none() {
        if !plan.stale.is_empty() {
            events.push(Event::ItemsMarked {
                items: plan.stale.clone(),
                status: Status::Stale,
                reason: MarkReason::BoundaryCrossed,
            });
        }
        events.push(Event::RecoveryAssessed {
            epoch,
            class: plan.class,
            findings: plan.findings.clone(),
            basis,
        });
    }
    events.extend(offer.map(|offer| Event::RecoveryOffered { epoch, offer }));
    events
}
