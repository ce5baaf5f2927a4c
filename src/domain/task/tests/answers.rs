//! Answers of the user: one word, one code, once, in time, and taken back whole.

use crate::domain::confirmation::Answer;
use crate::domain::event::Event;
use crate::domain::ids::{ItemId, ProposalId, QuoteId};
use crate::domain::origin::Channel;
use crate::domain::rejection::Rejection;
use crate::domain::signal::SignalKind;
use crate::domain::task::command::{Action, PromptObserved};
use crate::domain::task::item::{Corroboration, ItemDraft, ItemKind, Status};
use crate::domain::task::limits::{
    CODE_MISSES_MAX, LOOKED_UP_MILLIS_MIN, LOOKED_UP_PROMPTS_MAX, PROPOSAL_OPEN_MILLIS_MAX,
    UNDO_KEPT_MAX,
};
use crate::domain::task::proposal::{Effect, ProposalDraft, ProposalOutcome, Purpose};
use crate::domain::task::quote::QuoteClosure;
use crate::domain::task::{answer as decide_answer, testing::*};
use crate::domain::text::UntrustedText;

const P1: ProposalId = ProposalId::new(1);

fn typed(words: &str) -> Action {
    let answer = Answer::parse(&UntrustedText::new(words));
    assert!(answer.is_some(), "{words}");
    wrote(PromptObserved { answer, ..prompt(7) })
}

fn asked(purpose: Purpose) -> Scenario {
    given(vec![]).and(Channel::ModelTool, propose(asking(purpose, "7QK4", vec![])))
}

fn propose(draft: ProposalDraft) -> Action {
    Action::Propose { draft }
}

/// A fact of the agent, and a proposal to replace it.
fn correcting() -> Scenario {
    given(vec![])
        .and(Channel::ModelTool, record(inferred(ItemKind::Fact)))
        .and(Channel::ModelTool, propose(replacement("7QK4", 1)))
}

fn replacement(code: &str, item: u32) -> ProposalDraft {
    asking(Purpose::Items, code, vec![replacing(&[item], said(ItemKind::Correction))])
}

fn status(scenario: &Scenario, item: u32) -> Status {
    scenario.state.items[&ItemId::new(item)].status
}

#[track_caller]
fn check_refused(scenario: &Scenario, words: &str, expected: Rejection) {
    let answer = Answer::parse(&UntrustedText::new(words)).unwrap();
    let refused = decide_answer(&scenario.state, &answer, &scenario.facts());
    assert_eq!(refused, Err(expected), "{words}");
    let after = scenario.clone().and(Channel::HostPrompt, typed(words));
    assert_eq!(after.state.items, scenario.state.items, "{words}");
    assert_eq!(after.state.is_off, scenario.state.is_off, "{words}");
}

// covers: P-118
#[test]
fn a_typed_code_puts_the_proposal_in_force_in_the_record_of_the_prompt() {
    let confirmed = correcting().and(Channel::HostPrompt, typed("确认 7qk4"));
    assert_eq!(status(&confirmed, 1), Status::Superseded);
    assert_eq!(status(&confirmed, 2), Status::Active);
    let item = &confirmed.state.items[&ItemId::new(2)];
    assert_eq!((item.channel, item.corroboration), (Channel::HostPrompt, None));
    let remembered = &confirmed.state.confirmed[0];
    assert_eq!((remembered.proposal, remembered.session), (P1, Some(SESSION)));
    assert_eq!(remembered.made, [ItemId::new(2)]);
}

// covers: P-120
#[test]
fn a_code_is_used_once() {
    let confirmed = correcting().and(Channel::HostPrompt, typed("confirm 7QK4"));
    let code = crate::domain::confirmation::Code::parse("7QK4").unwrap();
    check_refused(&confirmed, "confirm 7QK4", Rejection::CodeUsed { code });
    let rejected = correcting().and(Channel::HostPrompt, typed("reject 7QK4"));
    assert_eq!(status(&rejected, 1), Status::Unverified);
    check_refused(&rejected, "confirm 7QK4", Rejection::UnknownCode { code });
}

// covers: P-120
#[test]
fn a_code_is_good_for_ten_minutes_and_a_clock_that_jumps_over_them_is_told() {
    let open = i64::try_from(PROPOSAL_OPEN_MILLIS_MAX).unwrap();
    let last = correcting().after_millis(open).and(Channel::HostPrompt, typed("confirm 7QK4"));
    assert_eq!(status(&last, 2), Status::Active);
    let late = correcting().after_millis(open + 1);
    check_refused(&late, "confirm 7QK4", Rejection::ProposalExpired { proposal: P1 });
    let back =
        correcting().after_millis(-30 * open).and(Channel::HostPrompt, typed("confirm 7QK4"));
    assert_eq!(status(&back, 2), Status::Active);
}

// covers: P-112
#[test]
fn a_proposal_that_touches_a_changed_item_is_stale_and_told() {
    let stale = correcting().and(Channel::ModelTool, Action::Withdraw { item: ItemId::new(1) });
    check_refused(&stale, "confirm 7QK4", Rejection::ProposalStale { proposal: P1 });
}

#[test]
fn wrong_codes_are_counted_and_after_too_many_every_open_proposal_ends() {
    let mut scenario = correcting();
    for misses in 1..CODE_MISSES_MAX {
        scenario = scenario.and(Channel::HostPrompt, typed("confirm 2A2A"));
        assert_eq!(scenario.state.code_misses, misses);
        assert_eq!(scenario.state.proposals.len(), 1);
    }
    let confirmed = scenario.clone().and(Channel::HostPrompt, typed("confirm 7QK4"));
    assert_eq!(confirmed.state.code_misses, 0);
    let ended = scenario.and(Channel::HostPrompt, typed("confirm 2A2A"));
    assert!(ended.state.proposals.is_empty());
    assert_eq!(status(&ended, 1), Status::Unverified);
}

#[test]
fn a_wrong_code_without_an_open_proposal_leaves_the_prompt_only() {
    let events = given(vec![]).when(Channel::HostPrompt, typed("confirm 2A2A")).result.unwrap();
    assert!(matches!(&events[..], [Event::PromptSeen { .. }]), "{events:?}");
}

#[test]
fn undo_restores_what_was_replaced_and_the_quotes_behind_it() {
    let mut draft = replacement("7QK4", 1);
    draft.quotes = vec![QuoteId::new(1)];
    let said = PromptObserved { quotes: vec![quote(SignalKind::Correction)], ..prompt(1) };
    let before = given(vec![])
        .and(Channel::ModelTool, record(inferred(ItemKind::Fact)))
        .and(Channel::HostPrompt, wrote(said));
    let confirmed = before
        .clone()
        .and(Channel::ModelTool, propose(draft))
        .and(Channel::HostPrompt, typed("confirm 7QK4"));
    assert!(confirmed.state.quotes.is_empty());
    let undone = confirmed.and(Channel::HostPrompt, typed("undo 7QK4"));
    assert_eq!((status(&undone, 1), status(&undone, 2)), (Status::Unverified, Status::Closed));
    assert_eq!(undone.state.quotes, before.state.quotes);
    assert_eq!(undone.state.effective_digest(), before.state.effective_digest());
    let code = crate::domain::confirmation::Code::parse("7QK4").unwrap();
    check_refused(&undone, "undo 7QK4", Rejection::UnknownCode { code });
}

#[test]
fn undo_after_a_further_change_is_refused() {
    let confirmed = correcting().and(Channel::HostPrompt, typed("confirm 7QK4"));
    let corrected = confirmed
        .clone()
        .and(Channel::ModelTool, propose(replacement("3A3A", 2)))
        .and(Channel::HostPrompt, typed("confirm 3A3A"));
    let too_late = Rejection::UndoTooLate { proposal: P1 };
    check_refused(&corrected, "undo 7QK4", too_late);
    let both = corrected
        .and(Channel::HostPrompt, typed("undo 3A3A"))
        .and(Channel::HostPrompt, typed("undo 7QK4"));
    assert_eq!(status(&both, 1), Status::Unverified);
    let withdrawn =
        confirmed.and(Channel::OperatorTerminal, Action::Withdraw { item: ItemId::new(2) });
    check_refused(&withdrawn, "undo 7QK4", too_late);
}

#[test]
fn the_newest_confirmations_can_be_taken_back_and_older_ones_cannot() {
    let mut scenario = given(vec![]);
    let letters = "ACDEFGHJKM".chars();
    let codes: Vec<String> = letters.map(|letter| format!("2{letter}22")).collect();
    for code in &codes[..=UNDO_KEPT_MAX] {
        let items: Vec<ItemDraft> = vec![said(ItemKind::Fact)];
        scenario = scenario
            .and(Channel::ModelTool, propose(asking(Purpose::Items, code, items)))
            .and(Channel::HostPrompt, typed(&format!("confirm {code}")));
    }
    let first = crate::domain::confirmation::Code::parse(&codes[0]).unwrap();
    check_refused(&scenario, &format!("undo {first}"), Rejection::UnknownCode { code: first });
    scenario.and(Channel::HostPrompt, typed(&format!("undo {}", codes[1])));
}

#[test]
fn off_by_code_ends_recording_and_only_its_own_code_brings_it_back() {
    let off = asked(Purpose::SwitchOff).and(Channel::HostPrompt, typed("confirm 7QK4"));
    assert!(off.state.is_off);
    let off = off.when(Channel::HostPrompt, wrote(prompt(2))).then_nothing();
    let off = off.when(Channel::HostPrompt, typed("confirm 2A2A")).then_nothing();
    let on = off.clone().and(Channel::HostPrompt, typed("undo 7QK4"));
    assert!(!on.state.is_off);
    let asked_on = off.and(Channel::ModelTool, propose(asking(Purpose::SwitchOn, "3A3A", vec![])));
    asked_on
        .clone()
        .when(
            Channel::ModelTool,
            propose(asking(Purpose::Items, "4A4A", vec![said(ItemKind::Fact)])),
        )
        .then_rejected(Rejection::Off);
    let on = asked_on.and(Channel::HostPrompt, typed("confirm 3A3A"));
    assert!(!on.state.is_off);
    check_refused(&on, "undo 7QK4", Rejection::UndoTooLate { proposal: P1 });
}

#[test]
fn a_reset_by_code_empties_what_is_in_force_and_cannot_be_taken_back() {
    let reset = correcting()
        .and(Channel::ModelTool, propose(asking(Purpose::Reset, "3A3A", vec![])))
        .and(Channel::HostPrompt, typed("confirm 3A3A"));
    assert!(!reset.state.has_content() && reset.state.proposals.is_empty());
    let code = crate::domain::confirmation::Code::parse("3A3A").unwrap();
    check_refused(&reset, "undo 3A3A", Rejection::UnknownCode { code });
}

// covers: P-210
#[test]
fn a_deletion_wants_the_short_name_of_this_very_task() {
    let asked = asked(Purpose::Delete);
    check_refused(&asked, "confirm 7QK4", Rejection::NameNeeded);
    check_refused(&asked, "confirm 7QK4 zzzzzz", Rejection::WrongName);
    check_refused(&asked, &format!("reject 7QK4 {}", TASK.short()), Rejection::WrongName);
    let words = format!("confirm 7QK4 {}", TASK.short());
    let confirmed = asked.and(Channel::HostPrompt, typed(&words));
    assert_eq!(confirmed.state.effect, Some(Effect::Delete));
    let named = format!("confirm 7QK4 {}", TASK.short());
    check_refused(&self::asked(Purpose::Reset), &named, Rejection::WrongName);
}

#[test]
fn a_confirmed_new_log_is_begun_by_whoever_comes_next_and_only_then() {
    let successor = crate::domain::ids::TaskRef::new([8; 16]);
    let roll = Action::RollOver { successor };
    let asked = asked(Purpose::RollOver);
    asked.clone().when(Channel::HostEvent, roll.clone()).then_rejected(Rejection::NotAuthorised);
    let confirmed = asked.and(Channel::HostPrompt, typed("confirm 7QK4"));
    assert_eq!(confirmed.state.effect, Some(Effect::RollOver));
    let done = confirmed.and(Channel::HostEvent, roll);
    assert_eq!((done.state.effect, done.state.successor), (None, Some(successor)));
}

#[test]
fn a_proposal_is_shown_once_at_the_end_of_a_turn_where_the_host_shows_it() {
    let unseen = Action::ObserveStop {
        work: None,
        is_shown: false,
        corroborations: Vec::new(),
        rollover: None,
    };
    let asked = correcting().when(Channel::HostEvent, unseen).then_nothing();
    let shown = Event::ProposalsShown { proposals: vec![P1] };
    let asked = asked.when(Channel::HostEvent, stopped(None)).then_events(&[shown]);
    let asked = asked.when(Channel::HostEvent, stopped(None)).then_nothing();
    let open = i64::try_from(PROPOSAL_OPEN_MILLIS_MAX).unwrap();
    correcting().after_millis(open + 1).when(Channel::HostEvent, stopped(None)).then_nothing();
    asked.and(Channel::HostPrompt, typed("confirm 7QK4"));
}

#[test]
fn a_confirmation_that_the_transcript_contradicts_is_unverified_and_one_that_it_shows_stays() {
    let confirmed = correcting().and(Channel::HostPrompt, typed("confirm 7QK4"));
    for (found, expected) in [
        (Corroboration::Found, Status::Active),
        (Corroboration::Uncheckable, Status::Active),
        (Corroboration::Contradicted, Status::Unverified),
    ] {
        let corroborations = vec![(P1, found)];
        let seen = PromptObserved { corroborations: corroborations.clone(), ..prompt(3) };
        let stop =
            Action::ObserveStop { work: None, is_shown: true, corroborations, rollover: None };
        for action in [wrote(seen), stop] {
            let after = confirmed.clone().and(Channel::HostPrompt, action);
            assert_eq!(status(&after, 2), expected, "{found:?}");
            let item = &after.state.items[&ItemId::new(2)];
            assert_eq!(item.corroboration, Some(found));
            assert_eq!(after.state.confirmed[0].corroboration, Some(found));
        }
    }
}

#[test]
fn what_a_confirmation_closes_and_ends_is_in_one_record() {
    let said = PromptObserved { quotes: vec![quote(SignalKind::Correction)], ..prompt(1) };
    let mut draft = asking(Purpose::Items, "7QK4", vec![said_fact(), said_fact()]);
    draft.quotes = vec![QuoteId::new(1)];
    let events = given(vec![])
        .and(Channel::HostPrompt, wrote(said))
        .and(Channel::ModelTool, propose(draft))
        .when(Channel::HostPrompt, typed("confirm 7QK4"))
        .result
        .unwrap();
    let closed =
        Event::QuotesClosed { quotes: vec![QuoteId::new(1)], closure: QuoteClosure::Confirmed };
    let ended = Event::ProposalEnded { proposal: P1, outcome: ProposalOutcome::Confirmed };
    assert!(events.contains(&closed) && events.contains(&ended), "{events:?}");
    let items = events.iter().filter(|event| matches!(event, Event::ItemRecorded { .. }));
    assert_eq!(items.count(), 2);
}

fn said_fact() -> ItemDraft {
    said(ItemKind::Fact)
}

#[test]
fn a_switch_to_what_is_so_already_is_refused_when_proposed_and_when_confirmed() {
    given(vec![])
        .when(Channel::ModelTool, propose(asking(Purpose::SwitchOn, "7QK4", vec![])))
        .then_rejected(Rejection::AlreadySo);
    let on = Action::SwitchProtection { is_on: true };
    let asked_twice = asked(Purpose::SwitchOff)
        .and(Channel::HostPrompt, typed("confirm 7QK4"))
        .and(Channel::ModelTool, propose(asking(Purpose::SwitchOn, "3A3A", vec![])))
        .and(Channel::OperatorTerminal, on);
    check_refused(&asked_twice, "confirm 3A3A", Rejection::AlreadySo);
}

#[test]
fn many_prompts_at_once_do_not_outwait_the_lookup_of_a_confirmation() {
    let mut scenario = correcting().and(Channel::HostPrompt, typed("confirm 7QK4"));
    let is_unsettled =
        |scenario: &Scenario| scenario.state.confirmed[0].is_unsettled(&scenario.state);
    for number in 0..=LOOKED_UP_PROMPTS_MAX {
        scenario = scenario.and(Channel::HostPrompt, wrote(prompt(u8::try_from(number).unwrap())));
        assert!(is_unsettled(&scenario), "{number}");
    }
    let hour = i64::try_from(LOOKED_UP_MILLIS_MIN).unwrap();
    let later = scenario.after_millis(hour).and(Channel::HostPrompt, wrote(prompt(99)));
    assert!(is_unsettled(&later));
    let over = later.after_millis(1).and(Channel::HostPrompt, wrote(prompt(100)));
    assert!(!is_unsettled(&over));
}
