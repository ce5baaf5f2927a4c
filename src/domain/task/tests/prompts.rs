//! What the user's prompt leaves behind.

use crate::domain::event::Event;
use crate::domain::ids::{Generation, QuoteId};
use crate::domain::origin::Channel;
use crate::domain::signal::{SignalKind, SignalSet, Subject, SubjectKey};
use crate::domain::task::command::Action;
use crate::domain::task::item::ItemKind;
use crate::domain::task::limits::{QUOTES_OPEN_MAX, REPEAT_MILLIS_MAX};
use crate::domain::task::testing::*;
use crate::domain::task::transition::BoundaryKind;

fn quoting(number: u8, kind: SignalKind) -> Action {
    let mut prompt = prompt(number);
    prompt.quotes = vec![quote(kind)];
    wrote(prompt)
}

// covers: P-201
// field case F002
#[test]
fn an_ordinary_prompt_leaves_digest_length_and_signals_only() {
    given(vec![]).when(Channel::HostPrompt, wrote(prompt(1))).then_events(&[Event::PromptSeen {
        digest: keyed(1),
        key: 0,
        length_chars: 12,
        signals: SignalSet::default(),
    }]);
}

// field case F001
#[test]
fn a_side_question_leaves_the_goal_as_it_is() {
    let goal = given(vec![]).and(Channel::OperatorTerminal, record(said(ItemKind::Goal)));
    let before = goal.state.effective_digest();
    let after = goal.and(Channel::HostPrompt, wrote(prompt(1)));
    assert_eq!(after.state.effective_digest(), before);
    assert_eq!(after.state.generation, Generation::new(1));
}

#[test]
fn without_turns_an_equal_prompt_is_a_repetition_within_the_window_only() {
    let window = i64::try_from(REPEAT_MILLIS_MAX).unwrap();
    let mut again = prompt(1);
    again.has_turn = false;
    let first = given(vec![]).and(Channel::HostPrompt, wrote(again.clone()));
    first
        .clone()
        .after_millis(window)
        .when(Channel::HostPrompt, wrote(again.clone()))
        .then_nothing();
    let later = first.clone().after_millis(window + 1).when(Channel::HostPrompt, wrote(again));
    assert_eq!(later.result.unwrap().len(), 1);
    let mut other = first;
    let mut command = other.command(Channel::HostPrompt, wrote(prompt(1)));
    command.origin.session = Some(crate::domain::ids::SessionKey::new([6; 32]));
    assert_eq!(other.carry_out(&command).unwrap().len(), 2, "another session's equal prompt");
}

#[test]
fn a_repeated_command_does_nothing() {
    let mut scenario = given(vec![]);
    let command = scenario.command(Channel::HostPrompt, quoting(1, SignalKind::GoalChange));
    assert_eq!(scenario.carry_out(&command).unwrap().len(), 2);
    let before = scenario.state.clone();
    assert_eq!(scenario.carry_out(&command), Ok(vec![]));
    assert_eq!(scenario.state, before);
}

// covers: P-241
#[test]
fn a_quote_moves_no_generation_and_marks_the_earlier_one_on_its_subject() {
    let about = |value: &str| {
        let mut prompt = prompt(1);
        let mut draft = quote(SignalKind::HardConstraint);
        let about = Subject { words: vec!["port".to_owned()], values: vec![value.to_owned()] };
        draft.subject = SubjectKey::of(&about, |word| {
            u32::try_from(word.len()).unwrap() + u32::from(word.as_bytes()[0])
        });
        prompt.quotes = vec![draft];
        wrote(prompt)
    };
    let after = given(vec![])
        .and(Channel::HostPrompt, about("8080"))
        .and(Channel::HostPrompt, about("9090"));
    assert_eq!(after.state.generation, Generation::new(0));
    assert!(after.state.items.is_empty(), "words alone make no item");
    let replaced: Vec<_> =
        after.state.quotes.values().map(|quote| quote.possibly_replaced_by).collect();
    assert_eq!(replaced, [Some(QuoteId::new(2)), None]);
}

#[test]
fn too_many_quotes_close_the_oldest_of_the_least_weight_and_count_it() {
    let all = |number, kinds: &[SignalKind]| {
        let mut prompt = prompt(number);
        prompt.quotes = kinds.iter().copied().map(quote).collect();
        wrote(prompt)
    };
    let constraints = |number, count| all(number, &vec![SignalKind::HardConstraint; count]);
    let kinds = [SignalKind::HardConstraint, SignalKind::CompletionClaim];
    let full = given(vec![])
        .and(Channel::HostPrompt, all(1, &kinds))
        .and(Channel::HostPrompt, constraints(2, QUOTES_OPEN_MAX - 2));
    assert_eq!(full.state.quotes_crowded_out, 0);
    assert_eq!(full.state.quotes.len(), QUOTES_OPEN_MAX);
    let after = full.and(Channel::HostPrompt, constraints(3, 1));
    assert_eq!(after.state.quotes.len(), QUOTES_OPEN_MAX);
    assert_eq!(after.state.quotes_crowded_out, 1);
    assert!(!after.state.quotes.contains_key(&QuoteId::new(2)));
}

// covers: P-065
#[test]
fn another_model_is_a_boundary_once() {
    let by = |number| {
        let mut prompt = prompt(number);
        prompt.model = Some(keyed(number));
        wrote(prompt)
    };
    let first = given(vec![])
        .and(Channel::ModelTool, record(inferred(ItemKind::Fact)))
        .and(Channel::HostPrompt, by(1));
    assert_eq!(first.state.transition, None, "the first model is no switch");
    let digest = first.state.effective_digest();
    let second = first.and(Channel::HostPrompt, by(2));
    assert_eq!(second.state.transition.as_ref().unwrap().kind, BoundaryKind::ModelSwitch);
    assert_eq!(second.state.effective_digest(), digest);
    assert_eq!(second.and(Channel::HostPrompt, by(2)).state.epoch_count, 1);
    let empty = given(vec![]).and(Channel::HostPrompt, by(1)).and(Channel::HostPrompt, by(2));
    assert_eq!(empty.state.transition, None, "nothing in force, nothing to carry");
}

#[test]
fn a_lost_key_is_no_other_model() {
    let by = |key, model| {
        let mut prompt = prompt(model);
        prompt.key = key;
        prompt.model = Some(keyed(model));
        wrote(prompt)
    };
    let after = given(vec![])
        .and(Channel::ModelTool, record(inferred(ItemKind::Fact)))
        .and(Channel::HostPrompt, by(1, 1))
        .and(Channel::HostPrompt, by(2, 2));
    assert_eq!(after.state.transition, None);
    let after = after.and(Channel::HostPrompt, by(2, 3));
    assert_eq!(after.state.transition.as_ref().unwrap().kind, BoundaryKind::ModelSwitch);
}

#[test]
fn the_work_is_recorded_only_when_it_moved() {
    let at = |number| Action::ObservePrompt { prompt: prompt(1), work: Some(work(number)) };
    let count = |outcome: Outcome| outcome.result.unwrap().len();
    let there = given(vec![]).and(Channel::HostPrompt, at(1));
    assert_eq!(count(there.clone().when(Channel::HostPrompt, at(1))), 1);
    assert_eq!(count(there.when(Channel::HostPrompt, at(2))), 2);
}
