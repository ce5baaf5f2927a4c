//! Sessions, sub-agents, successors, and what a person does to a task as a whole.

use crate::domain::chain::{Head, Sequence};
use crate::domain::event::{Event, Predecessor, ResetKind};
use crate::domain::ids::{ItemId, QuoteId, TaskRef};
use crate::domain::origin::Channel;
use crate::domain::rejection::Rejection;
use crate::domain::signal::SignalKind;
use crate::domain::task::command::{Action, Succession};
use crate::domain::task::item::{InheritedItem, ItemKind, Status};
use crate::domain::task::limits::{CHILDREN_OPEN_MAX, SESSIONS_MAX, WRITE_BYTES_MAX};
use crate::domain::task::quote::InheritedQuote;
use crate::domain::task::testing::*;
use crate::domain::task::transition::BoundaryKind;

fn off() -> Action {
    Action::SwitchProtection { is_on: false }
}

fn inherit(kinds: &[(ItemKind, Status)]) -> Action {
    let items = kinds.iter().zip(1..).map(|((kind, status), number)| InheritedItem {
        item: ItemId::new(number),
        draft: said(*kind),
        status: *status,
    });
    Action::Inherit {
        succession: Succession::Fork,
        predecessor: Predecessor { task: TaskRef::new([9; 16]), head: Head::EMPTY },
        items: items.collect(),
        quotes: [SignalKind::Authorization, SignalKind::GoalChange]
            .into_iter()
            .zip(1..)
            .map(|(kind, number)| InheritedQuote {
                quote: QuoteId::new(number),
                draft: quote(kind),
            })
            .collect(),
    }
}

#[test]
fn while_off_nothing_is_observed_and_nothing_recorded() {
    let off = given(vec![]).and(Channel::OperatorTerminal, off());
    off.clone().when(Channel::HostPrompt, wrote(prompt(1))).then_nothing();
    off.clone()
        .when(Channel::ModelTool, record(inferred(ItemKind::Fact)))
        .then_rejected(Rejection::Off);
    let on = off.and(Channel::OperatorTerminal, Action::SwitchProtection { is_on: true });
    on.and(Channel::ModelTool, record(inferred(ItemKind::Fact)));
}

#[test]
fn only_an_operator_manages() {
    let rollback = Action::AcceptRollback { remembered: Sequence::new(4) };
    for action in [off(), Action::Reset { kind: ResetKind::Reset }, rollback] {
        for channel in EVERY_CHANNEL {
            let outcome = given(vec![]).when(channel, action.clone());
            assert_eq!(outcome.result.is_ok(), channel.is_operator());
            if !channel.is_operator() {
                outcome.then_rejected(Rejection::OperatorOnly);
            }
        }
    }
}

// covers: P-130
#[test]
fn clear_ends_what_is_in_force_and_keeps_history() {
    let full = given(vec![]).and(Channel::OperatorTerminal, record(said(ItemKind::Goal))).and(
        Channel::HostEvent,
        Action::ObserveBoundary { kind: BoundaryKind::Resume, work: None, is_completion: false },
    );
    let after = full.when(Channel::HostEvent, Action::ObserveClear);
    let reset = Event::TaskReset { kind: ResetKind::Cleared };
    let after = after.then_events(&[reset]);
    assert!(!after.state.has_content());
    assert_eq!(after.state.transition, None);
    assert_eq!(after.state.items.values().next().unwrap().status, Status::Closed);
    after.when(Channel::HostEvent, Action::ObserveClear).then_nothing();
}

#[test]
fn a_reset_of_nothing_leaves_nothing() {
    nothing()
        .when(Channel::OperatorTerminal, Action::Reset { kind: ResetKind::Reset })
        .then_nothing();
}

#[test]
fn a_session_ends_once() {
    given(vec![])
        .when(Channel::HostEvent, Action::ObserveSessionEnd)
        .then_events(&[Event::SessionEnded { session: SESSION }])
        .when(Channel::HostEvent, Action::ObserveSessionEnd)
        .then_nothing();
    nothing().when(Channel::HostEvent, Action::ObserveSessionEnd).then_nothing();
}

// field case F025
#[test]
fn children_start_and_end_once_and_are_bounded() {
    let start = |number| Action::ObserveChildStart { agent: keyed(number) };
    let stop = |number| Action::ObserveChildStop { agent: keyed(number) };
    let one = given(vec![]).and(Channel::HostEvent, start(1));
    one.clone().when(Channel::HostEvent, start(1)).then_nothing();
    one.clone().when(Channel::HostEvent, stop(2)).then_nothing();
    let ended = one.clone().and(Channel::HostEvent, stop(1));
    assert!(ended.state.children.is_empty());
    ended.when(Channel::HostEvent, stop(1)).then_nothing();
    let many =
        (2..=40).fold(one, |scenario, number| scenario.and(Channel::HostEvent, start(number)));
    assert_eq!(many.state.children.len(), CHILDREN_OPEN_MAX);
}

#[test]
fn sessions_are_remembered_up_to_the_limit() {
    let mut scenario = given(vec![]);
    for number in 0..70 {
        let mut command = scenario.command(Channel::HostPrompt, wrote(prompt(number)));
        command.origin.session = Some(crate::domain::ids::SessionKey::new([number; 32]));
        scenario.carry_out(&command).unwrap();
    }
    assert_eq!(scenario.state.sessions.len(), SESSIONS_MAX);
}

#[test]
fn a_successor_inherits_everything_but_what_was_allowed() {
    let outcome = nothing().when(
        Channel::HostEvent,
        inherit(&[
            (ItemKind::Authorization, Status::Active),
            (ItemKind::Goal, Status::Disputed),
            (ItemKind::Completion, Status::Active),
            (ItemKind::Constraint, Status::Active),
        ]),
    );
    let found: Vec<_> =
        outcome.scenario.state.in_force().map(|(_, item)| (item.draft.kind, item.status)).collect();
    assert_eq!(
        found,
        [
            (ItemKind::Goal, Status::Disputed),
            (ItemKind::Completion, Status::Stale),
            (ItemKind::Constraint, Status::Active),
        ]
    );
    let kinds: Vec<_> = outcome.scenario.state.quotes.values().map(|q| q.draft.kind).collect();
    assert_eq!(kinds, [SignalKind::GoalChange]);
}

#[test]
fn inheriting_is_only_for_a_new_task_and_never_by_the_model() {
    given(vec![]).when(Channel::HostEvent, inherit(&[])).then_rejected(Rejection::NotEmpty);
    nothing().when(Channel::ModelTool, inherit(&[])).then_rejected(Rejection::NotAuthorised);
    let limit = nothing().limits.items_in_force_max;
    nothing()
        .when(Channel::HostEvent, inherit(&vec![(ItemKind::Goal, Status::Active); limit + 1]))
        .then_rejected(Rejection::TooManyItems { limit });
}

// covers: P-129, P-207
#[test]
fn the_reserve_is_for_what_cannot_wait() {
    let full = |rejected_at: u64| Rejection::TaskFull {
        events: rejected_at,
        events_max: 2_000,
        log_bytes: 0,
    };
    let at = |count| {
        let mut scenario = given(vec![]);
        scenario.state.event_count = count;
        scenario
    };
    at(1_699).and(Channel::HostPrompt, wrote(prompt(1)));
    at(1_700).when(Channel::HostPrompt, wrote(prompt(1))).then_rejected(full(1_700));
    at(1_700)
        .when(
            Channel::ModelTool,
            Action::Correct { draft: replacing(&[1], inferred(ItemKind::Fact)) },
        )
        .then_rejected(Rejection::UnknownItem { item: ItemId::new(1) });
    at(1_999).and(Channel::OperatorTerminal, off());
    at(2_000).when(Channel::OperatorTerminal, off()).then_rejected(full(2_000));
    let mut bytes = at(2);
    bytes.log_bytes = bytes.limits.log_bytes_max - WRITE_BYTES_MAX;
    bytes.clone().and(Channel::OperatorTerminal, off());
    bytes.log_bytes += 1;
    assert!(matches!(
        bytes.when(Channel::OperatorTerminal, off()).result,
        Err(Rejection::TaskFull { .. })
    ));
}

#[test]
fn the_models_calls_never_reach_the_reserve() {
    let mut scenario = given(vec![]).and(Channel::ModelTool, record(inferred(ItemKind::Fact)));
    scenario.state.event_count = 1_700;
    let item = ItemId::new(1);
    let withdraw = Action::Withdraw { item };
    let outcome = scenario.clone().when(Channel::ModelTool, withdraw.clone());
    assert!(matches!(outcome.result, Err(Rejection::TaskFull { .. })));
    scenario.and(Channel::OperatorTerminal, withdraw);
}

#[test]
fn a_log_with_newer_events_is_only_read() {
    given(vec![Event::Unrecognised { kind: 900, version: 1 }])
        .when(Channel::HostPrompt, wrote(prompt(1)))
        .then_rejected(Rejection::NewerEvents { count: 1 });
}

#[test]
fn missed_notes_and_keys_are_recorded_when_there_are_any() {
    given(vec![])
        .when(Channel::HostEvent, Action::TakeMissedNotes { count: 0 })
        .then_nothing()
        .when(Channel::HostEvent, Action::TakeMissedNotes { count: 2 })
        .then_events(&[Event::MissedNotesTaken { count: 2 }])
        .when(Channel::HostEvent, Action::UseKey { number: 3 })
        .then_events(&[Event::KeyCreated { number: 3 }])
        .when(Channel::HostEvent, Action::UseKey { number: 3 })
        .then_nothing();
}
