//! When quotes close by rule, each rule at its border.

use crate::domain::act::Act;
use crate::domain::chain::Basis;
use crate::domain::event::Event;
use crate::domain::ids::{KeyedDigest, QuoteId};
use crate::domain::origin::Channel;
use crate::domain::recovery::RecoveryPlan;
use crate::domain::signal::SignalKind::{
    Authorization, Cancel, CompletionClaim, Correction, Dispute, GoalChange, HardConstraint,
};
use crate::domain::signal::{SignalKind, SubjectKey};
use crate::domain::task::command::{Action, PromptObserved};
use crate::domain::task::limits::{OVERTAKEN_AGE, QUOTES_OPEN_MAX, QuoteLife, quote_life};
use crate::domain::task::quote::{ClosedByRule, QuoteClosure, QuoteDraft, Stance};
use crate::domain::task::testing::*;
use crate::domain::task::transition::{BoundaryKind, RecoveryClass};

const PORT: u32 = 1;
const SERVER: u32 = 2;
const FORBIDDEN: Option<(Act, Stance)> = Some((Act::Push, Stance::Forbidden));

pub(super) fn about(kind: SignalKind, words: &[u32], values: &[u32]) -> QuoteDraft {
    let subject = SubjectKey::new(words.iter().copied(), values.iter().copied());
    QuoteDraft { subject, ..quote(kind) }
}

pub(super) fn of_act(act: Option<(Act, Stance)>, draft: QuoteDraft) -> QuoteDraft {
    QuoteDraft { act, ..draft }
}

/// Words that share a subject with no others.
pub(super) fn apart(kind: SignalKind, number: u32) -> QuoteDraft {
    about(kind, &[1_000 + 2 * number, 1_001 + 2 * number], &[])
}

impl Scenario {
    /// The user writes a prompt with these words in it; no two prompts are equal.
    pub(super) fn say(self, drafts: Vec<QuoteDraft>) -> Self {
        let number = self.state.prompt_count;
        self.say_as(number, drafts)
    }

    /// As [`Self::say`]; prompts of one number are equal.
    pub(super) fn say_as(self, number: u32, drafts: Vec<QuoteDraft>) -> Self {
        self.and(Channel::HostPrompt, wrote(prompt_of(number, drafts)))
    }

    pub(super) fn idle(self, prompts: u32) -> Self {
        (0..prompts).fold(self, |scenario, _| scenario.say(vec![]))
    }

    /// A boundary is crossed and compared.
    pub(super) fn cross(self) -> Self {
        let (kind, basis) = (BoundaryKind::Resume, Basis::Full);
        let class = RecoveryClass::Equivalent;
        let plan = RecoveryPlan { class, findings: vec![], stale: vec![] };
        let boundary = Action::ObserveBoundary { kind, work: None, is_completion: false };
        self.after_millis(60_000)
            .and(Channel::HostEvent, boundary)
            .and(Channel::HostEvent, Action::Recover { plan, basis, offer: None })
    }

    pub(super) fn open(&self) -> Vec<u32> {
        self.state.quotes.keys().map(|id| id.get()).collect()
    }

    pub(super) fn closed(&self) -> (u32, u32, u32) {
        let ClosedByRule { said_again, overtaken, spent } = self.state.quotes_closed_by_rule;
        (said_again, overtaken, spent)
    }
}

pub(super) fn prompt_of(number: u32, drafts: Vec<QuoteDraft>) -> PromptObserved {
    let mut digest = [0xee; 32];
    digest[..4].copy_from_slice(&number.to_le_bytes());
    let mut prompt = prompt(0);
    prompt.digest = KeyedDigest::new(digest);
    prompt.quotes = drafts;
    prompt
}

fn life(kind: SignalKind) -> QuoteLife {
    quote_life(kind).unwrap()
}

#[test]
fn the_same_rule_about_an_act_said_thirty_times_is_open_once() {
    let rule = || of_act(FORBIDDEN, about(HardConstraint, &[7, 8], &[]));
    let other = given(vec![]).say(vec![apart(HardConstraint, 1)]);
    let after = (0..30).fold(other, |scenario, _| scenario.say(vec![rule()]));
    assert_eq!(after.open(), [1, 31]);
    assert_eq!((after.closed(), after.state.quotes_crowded_out), ((29, 0, 0), 0));
}

#[test]
fn an_equal_prompt_refreshes_its_words_whatever_they_are_about() {
    let rule = || vec![quote(HardConstraint), quote(Correction)];
    let after = given(vec![]).say_as(9, rule()).say_as(9, rule()).say_as(9, rule());
    assert_eq!((after.open(), after.closed()), (vec![5, 6], (4, 0, 0)));
    let (id, closure) = (|id| QuoteId::new(id), QuoteClosure::SaidAgain);
    let outcome = after.when(Channel::HostPrompt, wrote(prompt_of(9, rule())));
    let events = outcome.result.unwrap();
    assert_eq!(events.last(), Some(&Event::QuotesClosed { quotes: vec![id(5), id(6)], closure }));
}

#[test]
fn words_alike_of_unknown_stance_stand_first_and_newest_until_the_first_is_overtaken() {
    // "Always use tabs", "never use tabs": the marks do not tell them apart.
    let tabs = || vec![about(HardConstraint, &[7], &[])];
    let two = given(vec![]).say(tabs()).say(tabs());
    assert_eq!((two.open(), two.closed()), (vec![1, 2], (0, 0, 0)));
    let three = two.say(tabs());
    assert_eq!((three.open(), three.closed()), (vec![1, 3], (1, 0, 0)));
    let later = three.idle(OVERTAKEN_AGE.alone_prompts);
    assert_eq!((later.open(), later.closed()), (vec![3], (2, 0, 0)));
}

#[test]
fn another_kind_another_value_or_another_stance_is_not_said_again() {
    let base = || of_act(FORBIDDEN, about(HardConstraint, &[7, 8], &[5]));
    let others = [
        of_act(FORBIDDEN, about(Authorization, &[7, 8], &[5])),
        of_act(FORBIDDEN, about(HardConstraint, &[7, 8], &[6])),
        of_act(Some((Act::Push, Stance::NeedsYes)), about(HardConstraint, &[7, 8], &[5])),
        about(HardConstraint, &[7, 8], &[5]),
    ];
    for other in others {
        let after = given(vec![]).say(vec![base()]).say(vec![other]);
        assert_eq!(after.open(), [1, 2]);
    }
}

#[test]
fn words_of_one_prompt_never_close_each_other_but_past_their_number() {
    let both = vec![
        about(HardConstraint, &[PORT, SERVER], &[8080]),
        about(HardConstraint, &[PORT, SERVER], &[9090]),
        about(HardConstraint, &[PORT, SERVER], &[9090]),
    ];
    let after = given(vec![]).say(both).cross().idle(OVERTAKEN_AGE.alone_prompts + 1);
    assert_eq!(after.open(), [1, 2, 3]);
}

#[test]
fn an_overtaken_quote_closes_ten_prompts_later_behind_a_boundary_or_forty_without() {
    let told = given(vec![])
        .say(vec![about(HardConstraint, &[PORT, SERVER], &[8080])])
        .say(vec![about(Correction, &[PORT, SERVER], &[9090])]);
    for (story, prompts) in [
        (told.clone().cross(), OVERTAKEN_AGE.behind_boundary_prompts),
        (told, OVERTAKEN_AGE.alone_prompts),
    ] {
        let before = story.idle(prompts - 1);
        assert_eq!((before.open(), before.closed()), (vec![1, 2], (0, 0, 0)));
        let outcome = before.when(Channel::HostPrompt, wrote(prompt_of(900, vec![])));
        let (quotes, closure) = (vec![QuoteId::new(1)], QuoteClosure::Overtaken);
        assert_eq!(outcome.result.unwrap()[1..], [Event::QuotesClosed { quotes, closure }]);
        assert_eq!((outcome.scenario.open(), outcome.scenario.closed()), (vec![2], (0, 1, 0)));
    }
}

// covers: P-241
#[test]
fn a_constraint_gives_way_to_nothing_but_a_correction() {
    // Two constraints with other values may both be meant: "never touch module 5", "... module 6".
    for kind in [HardConstraint, Dispute, CompletionClaim, GoalChange, Authorization, Cancel] {
        let after = given(vec![])
            .say(vec![about(HardConstraint, &[PORT, SERVER], &[8080])])
            .say(vec![about(kind, &[PORT, SERVER], &[9090])]);
        let replaced = after.state.quotes[&QuoteId::new(1)].possibly_replaced_by;
        assert_eq!(replaced, Some(QuoteId::new(2)), "{kind:?}");
        let after = after.cross().idle(300);
        assert!(after.open().contains(&1), "{kind:?}");
        assert_eq!(after.closed().1, 0, "{kind:?}");
        // The later words stay too: the earlier ones must not stand as if nothing had been said.
        assert!(kind == Authorization || after.open().contains(&2), "{kind:?}");
    }
}

#[test]
fn a_constraint_about_an_act_is_overtaken_by_words_about_that_act_only() {
    let rule = of_act(FORBIDDEN, about(HardConstraint, &[7, 8], &[1]));
    let script = about(Correction, &[7, 8, 9], &[2]);
    let same_words = about(Correction, &[7, 8], &[2]);
    let of_it = of_act(Some((Act::Push, Stance::NeedsYes)), about(Correction, &[7, 8], &[2]));
    for (later, is_open) in [(script, true), (same_words, true), (of_it, false)] {
        let after = given(vec![]).say(vec![rule.clone()]).say(vec![later]).cross().idle(300);
        assert_eq!(after.open().contains(&1), is_open);
    }
}

#[test]
fn a_correction_that_took_a_constraints_place_is_kept_as_the_constraint_was() {
    let after = given(vec![])
        .say(vec![about(HardConstraint, &[PORT, SERVER], &[8080])])
        .say(vec![about(Correction, &[PORT, SERVER], &[9090])])
        .say((1..=4).map(|number| apart(Correction, number)).collect())
        .cross()
        .idle(life(Correction).age.alone_prompts);
    assert_eq!((after.open(), after.closed()), (vec![2, 4, 5, 6], (0, 1, 1)));
    assert_eq!(after.state.quotes[&QuoteId::new(2)].kept_as, HardConstraint);
}

#[test]
fn withdrawn_words_overtake_nothing() {
    let after = given(vec![])
        .say(vec![about(HardConstraint, &[PORT, SERVER], &[8080])])
        .say(vec![about(HardConstraint, &[PORT, SERVER], &[9090])])
        .and(Channel::OperatorTerminal, Action::CloseQuote { quote: QuoteId::new(2) })
        .cross()
        .idle(300);
    assert_eq!(after.open(), [1]);
    assert_eq!(after.state.quotes[&QuoteId::new(1)].possibly_replaced_by, None);
}

#[test]
fn the_newest_goal_is_only_marked_by_a_correction_and_no_age_closes_it() {
    let after = given(vec![])
        .say(vec![about(GoalChange, &[7, 8], &[])])
        .say(vec![about(Correction, &[7, 8, 9], &[])])
        .cross()
        .idle(1_000);
    assert_eq!(after.open(), [1, 2]);
    assert!(after.state.quotes[&QuoteId::new(1)].overtaken.is_some());
    let newer = after.say(vec![apart(GoalChange, 1)]);
    assert_eq!((newer.open(), newer.closed()), (vec![2, 3], (0, 1, 0)), "no longer the newest");
}

#[test]
fn words_close_by_age_at_the_prompt_that_their_kind_names_and_not_before() {
    for kind in [Authorization, Cancel, Dispute, CompletionClaim, GoalChange, Correction] {
        let life = life(kind);
        let newer = u32::try_from(life.newest_kept).unwrap();
        let said = (0..=newer).map(|number| apart(kind, number)).collect();
        let told = given(vec![]).say(said);
        let ages = [
            (told.clone().cross(), life.age.behind_boundary_prompts),
            (told, life.age.alone_prompts),
        ];
        for (story, prompts) in ages {
            let before = story.idle(prompts - 1);
            assert!(before.open().contains(&1), "{kind:?}");
            let after = before.idle(1);
            assert_eq!(after.open(), (2..=newer + 1).collect::<Vec<_>>(), "{kind:?}");
            assert_eq!(after.closed().2, 1, "{kind:?}");
        }
    }
}

// field case F009
#[test]
fn what_was_allowed_once_is_no_longer_carried_after_a_boundary_and_twenty_prompts() {
    let allowed = of_act(Some((Act::Push, Stance::Allowed)), apart(Authorization, 1));
    let told = given(vec![]).say(vec![allowed.clone()]).cross().idle(19);
    assert_eq!(told.open(), [1]);
    assert_eq!(told.clone().idle(1).open(), [0_u32; 0]);
    let again = told.say(vec![allowed]).idle(19);
    assert_eq!(again.open(), [2], "said again it counts from there");
    // Words that forbid, or wait for a yes, are kept whatever they are filed as.
    for stance in [Stance::Forbidden, Stance::NeedsYes] {
        let gate = of_act(Some((Act::Push, stance)), apart(Authorization, 1));
        assert_eq!(given(vec![]).say(vec![gate]).cross().idle(500).open(), [1]);
    }
}

#[test]
fn of_each_kind_only_so_many_are_open_and_the_oldest_close() {
    for kind in [Authorization, Cancel, Dispute, CompletionClaim, GoalChange, Correction] {
        let open_max = u32::try_from(life(kind).open_max).unwrap();
        let story = |count| {
            let said = (1..=count).map(|number| vec![apart(kind, number)]);
            said.fold(given(vec![]), Scenario::say)
        };
        assert_eq!(story(open_max).open().len(), life(kind).open_max, "{kind:?}");
        let over = story(open_max + 1);
        assert_eq!(over.open(), (2..=open_max + 1).collect::<Vec<_>>(), "{kind:?}");
        assert_eq!(over.closed(), (0, 0, 1), "{kind:?}");
    }
}

#[test]
fn later_words_of_an_open_constraint_make_room_after_all_others_of_their_kind() {
    let open_max = u32::try_from(life(Correction).open_max).unwrap();
    let after = given(vec![])
        .say(vec![of_act(FORBIDDEN, about(HardConstraint, &[7, 8], &[1]))])
        .say(vec![about(Correction, &[7, 8, 9], &[2])])
        .say((1..=open_max).map(|number| apart(Correction, number)).collect());
    assert_eq!(after.open(), [vec![1, 2], (4..=open_max + 2).collect()].concat());
    assert_eq!(after.closed(), (0, 0, 1));
}

#[test]
fn nothing_grows_old_while_a_boundary_waits_for_its_comparison() {
    let kind = BoundaryKind::Resume;
    let boundary = Action::ObserveBoundary { kind, work: None, is_completion: false };
    let waiting = given(vec![])
        .say(vec![apart(Dispute, 1)])
        .idle(30)
        .and(Channel::HostEvent, boundary)
        .idle(100);
    assert_eq!(waiting.open(), [1]);
    assert_eq!(waiting.cross().idle(1).open(), [0_u32; 0]);
}

#[test]
fn a_boundary_that_waits_for_its_comparison_lies_before_what_is_said_now() {
    let kind = BoundaryKind::Resume;
    let boundary = Action::ObserveBoundary { kind, work: None, is_completion: false };
    let (class, basis) = (RecoveryClass::Equivalent, Basis::Full);
    let plan = RecoveryPlan { class, findings: vec![], stale: vec![] };
    let said = given(vec![])
        .and(Channel::HostEvent, boundary)
        .say(vec![apart(CompletionClaim, 1)])
        .and(Channel::HostEvent, Action::Recover { plan, basis, offer: None });
    let age = life(CompletionClaim).age;
    let later = said.idle(age.alone_prompts - 1);
    assert_eq!(later.open(), [1], "no boundary was crossed since");
    assert_eq!(later.idle(1).open(), [0_u32; 0]);
}

#[test]
fn at_the_limit_of_all_kinds_the_newest_goal_stays_and_constraints_go_last() {
    let mut story = given(vec![]).say(vec![apart(GoalChange, 1), apart(Correction, 1)]);
    let room = u32::try_from(QUOTES_OPEN_MAX).unwrap() - 2;
    story = story.say((1..=room).map(|number| apart(HardConstraint, number)).collect());
    assert_eq!((story.open().len(), story.state.quotes_crowded_out), (QUOTES_OPEN_MAX, 0));
    let over = story.say(vec![apart(HardConstraint, 900)]);
    assert_eq!((over.open()[..2].to_vec(), over.state.quotes_crowded_out), (vec![1, 3], 1));
    let over = over.say(vec![apart(HardConstraint, 901)]);
    assert_eq!((over.open()[..2].to_vec(), over.state.quotes_crowded_out), (vec![1, 4], 2));
    assert_eq!(over.closed(), (0, 0, 0));
}

#[test]
fn at_the_limit_of_all_kinds_what_was_overtaken_goes_before_what_stands() {
    let room = u32::try_from(QUOTES_OPEN_MAX).unwrap() - 2;
    let after = given(vec![])
        .say(vec![about(HardConstraint, &[PORT, SERVER], &[8080]), apart(CompletionClaim, 1)])
        .say(vec![about(Correction, &[PORT, SERVER], &[9090])])
        .say((1..=room).map(|number| apart(HardConstraint, number)).collect());
    assert_eq!((after.open().len(), after.state.quotes_crowded_out), (QUOTES_OPEN_MAX, 1));
    assert_eq!(after.open()[..2], [2, 3]);
}

#[test]
fn the_numbers_of_the_reasons_on_disk_are_frozen() {
    let reasons = [
        QuoteClosure::Crowded,
        QuoteClosure::Confirmed,
        QuoteClosure::Reset,
        QuoteClosure::Withdrawn,
        QuoteClosure::SaidAgain,
        QuoteClosure::Overtaken,
        QuoteClosure::Spent,
    ];
    for (reason, number) in reasons.into_iter().zip(0_u8..) {
        assert_eq!(postcard::to_stdvec(&reason).unwrap(), [number]);
    }
}
