//! A log that fills up: when a new one is offered, and what the old one still takes.

use super::closing::about;
use crate::domain::chain::{Head, Sequence};
use crate::domain::event::{Event, Predecessor};
use crate::domain::ids::{ProposalId, QuoteId, TaskRef};
use crate::domain::origin::{Channel, HostNumber};
use crate::domain::rejection::Rejection;
use crate::domain::signal::SignalKind;
use crate::domain::task::carried::{Continuation, inheritance};
use crate::domain::task::command::{Action, PromptObserved, Succession};
use crate::domain::task::is_rollover_due;
use crate::domain::task::item::ItemKind;
use crate::domain::task::limits::PROPOSAL_OPEN_MILLIS_MAX;
use crate::domain::task::proposal::{ProposalDraft, Purpose};
use crate::domain::task::quote::ClosedByRule;
use crate::domain::task::testing::*;
use crate::domain::task::transition::{BoundaryKind, CompactionTrigger};

const P1: ProposalId = ProposalId::new(1);
const SUCCESSOR: TaskRef = TaskRef::new([8; 16]);

fn draft(code: &str) -> ProposalDraft {
    asking(Purpose::RollOver, code, vec![])
}

fn stop(code: &str) -> Action {
    Action::ObserveStop {
        work: None,
        is_shown: true,
        corroborations: Vec::new(),
        rollover: Some(draft(code)),
    }
}

fn holding(event_count: u64) -> Scenario {
    let mut scenario = given(vec![]);
    scenario.state.event_count = event_count;
    scenario
}

fn is_due(scenario: &Scenario) -> bool {
    is_rollover_due(&scenario.state, &scenario.facts())
}

fn late(scenario: Scenario) -> Scenario {
    scenario.after_millis(i64::try_from(PROPOSAL_OPEN_MILLIS_MAX).unwrap() + 1)
}

fn resume() -> Action {
    Action::ObserveBoundary { kind: BoundaryKind::Resume, work: None, is_completion: false }
}

#[test]
fn a_new_log_is_offered_from_four_fifths_on_and_not_before() {
    assert!(!is_due(&holding(1_599)));
    assert!(is_due(&holding(1_600)));
    let mut bytes = given(vec![]);
    bytes.limits.log_bytes_max = 1_000;
    bytes.log_bytes = 799;
    assert!(!is_due(&bytes));
    bytes.log_bytes = 800;
    assert!(is_due(&bytes));
    holding(1_599).when(Channel::HostEvent, stop("2A22")).then_nothing();
    holding(1_600).when(Channel::HostEvent, stop("2A22")).then_events(&[
        Event::ProposalOpened { proposal: P1, draft: draft("2A22") },
        Event::ProposalsShown { proposals: vec![P1] },
    ]);
}

#[test]
fn it_is_offered_once_until_it_expired_and_a_boundary_was_crossed_since() {
    let offered = holding(1_600).and(Channel::HostEvent, stop("2A22"));
    assert!(!is_due(&offered));
    let expired = late(offered.clone());
    assert!(!is_due(&expired));
    let announced =
        Action::ObservePreCompact { trigger: CompactionTrigger::Auto, snapshot: None, work: None };
    assert!(!is_due(&expired.clone().and(Channel::HostEvent, announced)));
    let crossed = expired.and(Channel::HostEvent, resume());
    assert!(is_due(&crossed));
    let again = crossed.and(Channel::HostEvent, stop("3A33"));
    assert!(!is_due(&again));
    assert!(!is_due(&offered.and(Channel::HostEvent, resume())), "it still is open");
}

#[test]
fn refused_it_is_not_offered_again() {
    let refused = holding(1_600)
        .and(Channel::HostEvent, stop("2A22"))
        .and(Channel::OperatorTerminal, Action::Reject { proposal: P1 });
    assert!(!is_due(&late(refused).and(Channel::HostEvent, resume())));
}

#[test]
fn a_host_that_shows_nothing_is_offered_nothing() {
    let mut unseen = stop("2A22");
    if let Action::ObserveStop { is_shown, .. } = &mut unseen {
        *is_shown = false;
    }
    holding(1_600).when(Channel::HostEvent, unseen).then_nothing();
}

#[test]
fn a_confirmed_new_log_closes_this_one_but_for_its_end() {
    let digest = draft("2A22").digest;
    let confirmed = given(vec![])
        .and(Channel::ModelTool, Action::Propose { draft: draft("2A22") })
        .and(Channel::OperatorTerminal, Action::Confirm { proposal: P1, digest });
    let refusal = |successor| Rejection::RolledOver { successor };
    for action in [
        wrote(prompt(1)),
        resume(),
        stop("3A33"),
        record(inferred(ItemKind::Fact)),
        Action::Undo { proposal: P1 },
    ] {
        confirmed.clone().when(Channel::OperatorTerminal, action).then_rejected(refusal(None));
    }
    let over = Action::RollOver { successor: SUCCESSOR };
    let closed = confirmed
        .when(Channel::HostEvent, over.clone())
        .then_events(&[Event::TaskRolledOver { successor: SUCCESSOR }]);
    closed.clone().when(Channel::HostEvent, over).then_nothing();
    let other = Action::RollOver { successor: TaskRef::new([9; 16]) };
    closed.clone().when(Channel::HostEvent, other).then_rejected(refusal(Some(SUCCESSOR)));
    closed.when(Channel::HostPrompt, wrote(prompt(1))).then_rejected(refusal(Some(SUCCESSOR)));
}

#[test]
fn only_the_user_lets_a_session_that_had_only_begun_go_on_elsewhere() {
    let over = Action::RollOver { successor: SUCCESSOR };
    let begun = given(vec![]).and(Channel::HostPrompt, wrote(prompt(1)));
    for channel in EVERY_CHANNEL {
        let is_users = channel == Channel::HostPrompt || channel.is_operator();
        assert_eq!(begun.clone().when(channel, over.clone()).result.is_ok(), is_users);
    }
    let more = begun.clone().and(Channel::HostPrompt, wrote(prompt(2)));
    more.when(Channel::HostPrompt, over.clone()).then_rejected(Rejection::NotAuthorised);
    let item = begun.and(Channel::ModelTool, record(inferred(ItemKind::Fact)));
    item.when(Channel::HostPrompt, over).then_rejected(Rejection::NotAuthorised);
}

#[test]
fn words_are_taken_in_by_no_model_and_only_where_a_task_is() {
    let take = Action::TakeIn { quotes: vec![quote(SignalKind::GoalChange)] };
    for channel in [Channel::ModelTool, Channel::Probe] {
        given(vec![]).when(channel, take.clone()).then_rejected(Rejection::NotAuthorised);
    }
    nothing().when(Channel::HostEvent, take.clone()).then_nothing();
    assert_eq!(given(vec![]).and(Channel::HostEvent, take).state.quotes.len(), 1);
}

#[test]
fn a_successor_goes_on_with_the_age_and_the_standing_of_every_quote() {
    let rule = about(SignalKind::HardConstraint, &[7, 8], &[8080]);
    let words = about(SignalKind::Correction, &[7, 8], &[9090]);
    let said = |number, draft| wrote(PromptObserved { quotes: vec![draft], ..prompt(number) });
    let old = given(vec![])
        .and(Channel::HostPrompt, said(1, rule))
        .and(Channel::HostPrompt, said(2, words))
        .and(Channel::HostPrompt, said(3, about(SignalKind::Cancel, &[1, 2], &[3])))
        .and(Channel::HostPrompt, said(4, about(SignalKind::Cancel, &[1, 2], &[3])));
    let old =
        (5..60).fold(old, |story, number| story.and(Channel::HostPrompt, wrote(prompt(number))));
    let kept = &old.state.quotes[&QuoteId::new(2)];
    assert_eq!(kept.kept_as, SignalKind::HardConstraint, "it took a constraint's place");
    assert!(old.state.quotes_closed_by_rule != ClosedByRule::default());
    let (items, quotes) = inheritance(&old.state);
    let continuation = Continuation::of(&old.state, true, |_| HostNumber::new(1));
    let new = nothing().and(
        Channel::HostEvent,
        Action::Inherit {
            succession: Succession::RollOver(Box::new(continuation)),
            predecessor: Predecessor { task: TASK, head: Head::EMPTY },
            items,
            quotes,
        },
    );
    let standing = |scenario: &Scenario| {
        let state = &scenario.state;
        let mut quotes = state.quotes.clone();
        // The record is one of the new log.
        for quote in quotes.values_mut() {
            quote.recorded_in = Sequence::new(0);
        }
        (quotes, state.moment(), state.quotes_closed_by_rule)
    };
    assert_eq!(standing(&new), standing(&old));
}
