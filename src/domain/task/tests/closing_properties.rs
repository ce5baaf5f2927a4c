//! What holds of closing for every course of a task.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::closing::{about, apart, of_act, prompt_of};
use crate::domain::act::Act;
use crate::domain::chain::Sequence;
use crate::domain::event::wire::{decode, encode};
use crate::domain::event::{Batch, BatchHeader, Event};
use crate::domain::ids::QuoteId;
use crate::domain::origin::Channel;
use crate::domain::signal::SignalKind;
use crate::domain::task::limits::{Limits, PASSING_QUOTES_OPEN_MAX, QUOTES_OPEN_MAX, quote_life};
use crate::domain::task::quote::{QuoteClosure, QuoteDraft, Stance, kept_as};
use crate::domain::task::testing::*;
use crate::domain::task::{TaskState, apply_batch};

/// What happens next.
#[derive(Debug, Clone)]
enum Step {
    /// A prompt; those of one number are equal but for what they say.
    Say(u32, Vec<QuoteDraft>),
    /// Prompts without a signal.
    Idle(u32),
    /// A boundary is crossed and compared.
    Cross,
}

fn draft() -> impl Strategy<Value = QuoteDraft> {
    let act = select(vec![
        None,
        None,
        None,
        Some((Act::Push, Stance::Forbidden)),
        Some((Act::Push, Stance::Allowed)),
        Some((Act::Deploy, Stance::NeedsYes)),
    ]);
    let words = subsequence((1..=5_u32).collect::<Vec<_>>(), 0..4);
    let values = subsequence((101..=103_u32).collect::<Vec<_>>(), 0..2);
    (select(SignalKind::ALL.to_vec()), words, values, act)
        .prop_map(|(kind, words, values, act)| of_act(act, about(kind, &words, &values)))
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0..40_u32, vec(draft(), 1..4)).prop_map(|(number, drafts)| Step::Say(number, drafts)),
        1 => (1..30_u32).prop_map(Step::Idle),
        1 => Just(Step::Cross),
    ];
    vec(step, 1..60)
}

fn start() -> Scenario {
    let mut scenario = given(vec![]);
    scenario.limits = Limits { events_max: u64::MAX / 100, ..Limits::default() };
    scenario
}

/// A quote as it was recorded, and why it closed.
struct Recorded {
    prompt: u32,
    draft: QuoteDraft,
    closure: Option<QuoteClosure>,
}

/// A course that is played, with all that it recorded.
struct Played {
    scenario: Scenario,
    batches: Vec<Batch>,
    quotes: BTreeMap<QuoteId, Recorded>,
}

impl Played {
    fn begin() -> Self {
        Self { scenario: start(), batches: Vec::new(), quotes: BTreeMap::new() }
    }

    fn prompt(&mut self, number: u32, drafts: Vec<QuoteDraft>) {
        let action = wrote(prompt_of(number, drafts));
        let command = self.scenario.command(Channel::HostPrompt, action);
        let events = self.scenario.carry_out(&command).unwrap();
        let prompt = self.scenario.state.prompt_count;
        for event in &events {
            match event {
                Event::QuoteRecorded { quote, draft } => {
                    let draft = draft.clone();
                    self.quotes.insert(*quote, Recorded { prompt, draft, closure: None });
                }
                Event::QuotesClosed { quotes, closure } => {
                    for id in quotes {
                        self.quotes.get_mut(id).unwrap().closure = Some(*closure);
                    }
                }
                _ => {}
            }
        }
        let recorded_at = self.scenario.facts().now;
        let header = BatchHeader { command: command.id, recorded_at, origin: command.origin };
        self.batches.push(Batch { header, events });
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Say(number, drafts) => self.prompt(number, drafts),
            Step::Idle(prompts) => {
                (0..prompts).for_each(|number| self.prompt(1_000 + number, vec![]));
            }
            Step::Cross => self.scenario = self.scenario.clone().cross(),
        }
    }

    fn state(&self) -> &TaskState {
        &self.scenario.state
    }

    /// Constraints that nothing later could be taken for a replacement of.
    fn unreplaced(&self) -> impl Iterator<Item = (&QuoteId, &Recorded)> {
        let constraints = self
            .quotes
            .iter()
            .filter(|(_, quote)| kept_as(&quote.draft) == SignalKind::HardConstraint);
        constraints.filter(|(_, quote)| {
            !self.quotes.values().any(|later| {
                let (one, two) = (&quote.draft, &later.draft);
                let is_corrected = two.kind == SignalKind::Correction
                    && two
                        .subject
                        .values()
                        .iter()
                        .any(|value| one.subject.values().contains(value));
                later.prompt > quote.prompt
                    && (one.subject.words() == two.subject.words() || is_corrected)
            })
        })
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_unreplaced_constraint_closes_only_for_lack_of_room(steps in steps()) {
        let mut played = Played::begin();
        for step in steps {
            played.step(step);
            for (id, quote) in played.unreplaced() {
                let is_kept = matches!(quote.closure, None | Some(QuoteClosure::Crowded));
                prop_assert!(is_kept, "{id}: {:?}", quote.closure);
            }
            let constraints = played.state().quotes.values();
            let constraints = constraints.filter(|quote| quote.kept_as == SignalKind::HardConstraint);
            let is_full = constraints.count() + 1 >= QUOTES_OPEN_MAX;
            let crowded = played.unreplaced().any(|(_, quote)| quote.closure.is_some());
            prop_assert!(!crowded || is_full, "only constraints and the goal push one out");
        }
    }

    #[test]
    fn what_is_open_is_bounded_and_what_is_closed_is_counted(steps in steps()) {
        let mut played = Played::begin();
        for step in steps {
            let is_prompt = !matches!(step, Step::Cross);
            played.step(step);
            let state = played.state();
            prop_assert!(state.quotes.len() <= QUOTES_OPEN_MAX);
            let count = |kind| state.quotes.values().filter(|quote| quote.kept_as == kind).count();
            for kind in SignalKind::ALL {
                let open_max = quote_life(kind).map_or(QUOTES_OPEN_MAX, |life| life.open_max);
                prop_assert!(!is_prompt || count(kind) <= open_max, "{kind:?}");
            }
            let passing = state.quotes.len() - count(SignalKind::HardConstraint);
            prop_assert!(passing <= PASSING_QUOTES_OPEN_MAX);
            let closed = state.quotes_closed_by_rule;
            let closed = closed.said_again + closed.overtaken + closed.spent;
            let open = u32::try_from(state.quotes.len()).unwrap();
            prop_assert_eq!(open + closed + state.quotes_crowded_out, state.quote_count);
        }
    }

    #[test]
    fn the_newest_goal_and_the_newest_correction_are_open(steps in steps()) {
        let mut played = Played::begin();
        for step in steps {
            played.step(step);
            for kind in [SignalKind::GoalChange, SignalKind::Correction] {
                let newest = played.quotes.iter().filter(|(_, quote)| quote.draft.kind == kind);
                let newest = newest.map(|(id, quote)| (id, quote.closure)).next_back();
                if let Some((id, closure)) = newest {
                    // A correction gives way to later words, and to as many constraints as fit.
                    let may_close = kind == SignalKind::Correction
                        && matches!(
                            closure,
                            Some(QuoteClosure::Overtaken | QuoteClosure::Crowded)
                        );
                    prop_assert!(closure.is_none() || may_close, "{id} {closure:?}");
                }
            }
        }
    }

    // covers: P-094
    #[test]
    fn a_replay_closes_what_was_closed_live(steps in steps()) {
        let mut played = Played::begin();
        for step in steps.into_iter().filter(|step| !matches!(step, Step::Cross)) {
            played.step(step);
        }
        let mut replayed = start().state;
        for (batch, number) in played.batches.iter().zip(2..) {
            let read = decode(&encode(batch).unwrap()).unwrap();
            apply_batch(&mut replayed, &read, Sequence::new(number));
        }
        prop_assert_eq!(&replayed, played.state());
    }

    #[test]
    fn the_order_of_unrelated_words_of_other_kinds_in_a_prompt_changes_nothing(
        prompts in vec(vec(select(SignalKind::ALL.to_vec()), 1..3), 1..3).prop_shuffle(),
        idle in 0..220_u32,
        is_crossed in any::<bool>(),
    ) {
        // Of one kind the newest stand, and within a prompt the last is the newest.
        let end = |is_reordered: bool| {
            let mut number = 0;
            let said = prompts.iter().fold(start(), |scenario, kinds| {
                let mut drafts: Vec<QuoteDraft> = kinds.iter().map(|kind| {
                    number += 1;
                    apart(*kind, number)
                }).collect();
                if is_reordered {
                    drafts.sort_by_key(|draft| Reverse(draft.kind));
                }
                scenario.say(drafts)
            });
            let said = if is_crossed { said.cross() } else { said };
            let after = said.idle(idle).state;
            after.quotes.values().map(|quote| format!("{:?}", quote.draft)).collect::<BTreeSet<_>>()
        };
        prop_assert_eq!(end(false), end(true));
    }
}
