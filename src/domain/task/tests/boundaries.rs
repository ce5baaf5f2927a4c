//! Boundaries, command by command.

use crate::domain::chain::Basis;
use crate::domain::event::{Event, MarkReason};
use crate::domain::ids::{Epoch, ItemId, SnapshotId};
use crate::domain::origin::Channel;
use crate::domain::recovery::{Finding, RecoveryPlan};
use crate::domain::task::command::Action;
use crate::domain::task::item::{ItemKind, Status};
use crate::domain::task::testing::*;
use crate::domain::task::transition::{BoundaryKind, CompactionTrigger, Offer, RecoveryClass};

const E1: Epoch = Epoch::new(1);

fn plan(stale: Vec<ItemId>) -> RecoveryPlan {
    let findings = vec![Finding::NextActionStale];
    RecoveryPlan { class: RecoveryClass::ContinueWithMarkers, findings, stale }
}

fn recover(stale: Vec<ItemId>) -> Action {
    Action::Recover { plan: plan(stale), basis: Basis::Full, offer: Some(offer()) }
}

fn start(kind: BoundaryKind) -> Action {
    Action::ObserveBoundary { kind, work: Some(work(7)), is_completion: false }
}

fn assessed() -> Event {
    let RecoveryPlan { class, findings, .. } = plan(vec![]);
    Event::RecoveryAssessed { epoch: E1, class, findings, basis: Basis::Full }
}

#[test]
fn an_empty_start_leaves_nothing() {
    let stop = stopped(Some(work(1)));
    nothing()
        .when(Channel::HostEvent, start(BoundaryKind::Resume))
        .then_nothing()
        .when(Channel::HostEvent, stop)
        .then_nothing()
        .when(Channel::HostEvent, recover(vec![]))
        .then_nothing();
}

// covers: P-009
#[test]
fn an_announcement_names_the_snapshot_that_holds() {
    let trigger = CompactionTrigger::Manual;
    let scenario = given(vec![]);
    let mark = mark(1, &scenario.state);
    let pre = Action::ObservePreCompact { trigger, snapshot: Some(mark), work: None };
    scenario.when(Channel::HostEvent, pre).then_events(&[
        Event::SnapshotTaken { mark },
        Event::TransitionOpened {
            epoch: E1,
            kind: BoundaryKind::Compaction,
            trigger,
            snapshot: Some(SnapshotId::new(1)),
            is_announced: true,
        },
    ]);
}

#[test]
fn a_snapshot_of_another_state_holds_for_no_announcement() {
    let scenario = given(vec![]);
    let older = mark(1, &scenario.state);
    let pre =
        Action::ObservePreCompact { trigger: CompactionTrigger::Auto, snapshot: None, work: None };
    let scenario = scenario.and(Channel::ModelTool, record(inferred(ItemKind::Fact)));
    let mut scenario = scenario;
    scenario.apply(Channel::HostEvent, vec![Event::SnapshotTaken { mark: older }]);
    let after = scenario.and(Channel::HostEvent, pre);
    assert_eq!(after.state.transition.unwrap().snapshot, None);
}

// field case F020
#[test]
fn a_boundary_does_not_move_the_place_of_the_work() {
    let mut at_home = prompt(1);
    at_home.quotes = vec![];
    let scenario = given(vec![])
        .and(Channel::HostPrompt, Action::ObservePrompt { prompt: at_home, work: Some(work(1)) });
    let after = scenario
        .and(Channel::HostEvent, start(BoundaryKind::Resume))
        .and(Channel::HostPrompt, Action::ObservePrompt { prompt: prompt(2), work: Some(work(7)) });
    assert_eq!(after.state.work.unwrap().identity, keyed(1));
}

// covers: P-092, P-140
#[test]
fn the_first_recovery_assesses_and_offers_and_the_second_does_nothing() {
    let first = given(vec![])
        .and(Channel::ModelTool, record(inferred(ItemKind::NextAction)))
        .and(Channel::HostEvent, start(BoundaryKind::Resume));
    let wild = Offer { attempt: 9, ..offer() };
    let stale = vec![ItemId::new(1), ItemId::new(77)];
    let action = Action::Recover { plan: plan(stale), basis: Basis::Full, offer: Some(wild) };
    first
        .when(Channel::HostEvent, action.clone())
        .then_events(&[
            Event::ItemsMarked {
                items: vec![ItemId::new(1)],
                status: Status::Stale,
                reason: MarkReason::BoundaryCrossed,
            },
            assessed(),
            Event::RecoveryOffered { epoch: E1, offer: offer() },
        ])
        .when(Channel::HostEvent, action)
        .then_nothing();
}

#[test]
fn with_nothing_in_force_nothing_is_offered() {
    given(vec![])
        .and(Channel::HostEvent, start(BoundaryKind::Resume))
        .when(Channel::HostEvent, recover(vec![]))
        .then_events(&[assessed()]);
}

#[test]
fn what_lies_ahead_is_not_assessed() {
    given(vec![])
        .and(
            Channel::HostEvent,
            Action::ObservePreCompact {
                trigger: CompactionTrigger::Auto,
                snapshot: None,
                work: None,
            },
        )
        .when(Channel::HostEvent, recover(vec![]))
        .then_nothing();
}

#[test]
fn a_first_look_at_the_work_is_taken_at_any_boundary() {
    let after = given(vec![]).and(Channel::HostEvent, start(BoundaryKind::Resume));
    assert_eq!(after.state.work.unwrap().identity, keyed(7));
}
