//! What holds for every history.

use proptest::prelude::*;
use proptest::strategy::ValueTree;

use super::proposal_strategies;
use crate::domain::chain::{Basis, Sequence};
use crate::domain::event::samples::header;
use crate::domain::event::wire::{decode, decode_value, encode, encode_value};
use crate::domain::event::{Batch, Event, MarkReason, Placed, ResetKind};
use crate::domain::ids::{Epoch, ItemId, QuoteId, SessionKey};
use crate::domain::origin::Channel;
use crate::domain::recovery::RecoveryPlan;
use crate::domain::signal::{SignalKind, SignalSet};
use crate::domain::task::command::{Action, Command};
use crate::domain::task::item::{Corroboration, ItemDraft, ItemKind, Status};
use crate::domain::task::limits::{ITEMS_IN_FORCE_MAX, Limits};
use crate::domain::task::quote::QuoteClosure;
use crate::domain::task::testing::*;
use crate::domain::task::transition::{Arrival, BoundaryKind, CompactionTrigger, RecoveryClass};
use crate::domain::task::{TaskState, apply_batch, decide, evolve};

fn item() -> impl Strategy<Value = ItemId> {
    prop_oneof![9 => 0..40_u32, 1 => Just(u32::MAX)].prop_map(ItemId::new)
}

pub(super) fn items() -> impl Strategy<Value = Vec<ItemId>> {
    proptest::collection::vec(item(), 0..4)
}

pub(super) fn any_draft() -> impl Strategy<Value = ItemDraft> {
    (0..13_usize, any::<bool>(), items()).prop_map(|(kind, is_said, supersedes)| {
        let kind = ItemKind::ALL[kind];
        let draft = if is_said { said(kind) } else { inferred(kind) };
        ItemDraft { supersedes, ..draft }
    })
}

fn status() -> impl Strategy<Value = Status> {
    prop::sample::select(vec![
        Status::Active,
        Status::Superseded,
        Status::Disputed,
        Status::Unverified,
        Status::Stale,
        Status::Closed,
    ])
}

fn kind() -> impl Strategy<Value = BoundaryKind> {
    prop::sample::select(vec![
        BoundaryKind::Compaction,
        BoundaryKind::Resume,
        BoundaryKind::Fork,
        BoundaryKind::ModelSwitch,
        BoundaryKind::Unknown,
    ])
}

fn epoch() -> impl Strategy<Value = Epoch> {
    (0..6_u32).prop_map(Epoch::new)
}

fn record_event() -> BoxedStrategy<Event> {
    prop_oneof![
        (item(), any_draft(), status()).prop_map(|(item, draft, status)| Event::ItemRecorded {
            item,
            draft,
            status
        }),
        (items(), status()).prop_map(|(items, status)| Event::ItemsMarked {
            items,
            status,
            reason: MarkReason::Settled
        }),
        items().prop_map(|items| Event::ItemsCorroborated {
            items,
            corroboration: Corroboration::Contradicted
        }),
        any::<u32>().prop_map(|id| Event::QuoteRecorded {
            quote: QuoteId::new(id),
            draft: quote(SignalKind::Cancel)
        }),
        any::<u32>().prop_map(|id| Event::QuotesClosed {
            quotes: vec![QuoteId::new(id)],
            closure: QuoteClosure::Crowded
        }),
        proposal_strategies::event(),
    ]
    .boxed()
}

fn boundary_event() -> BoxedStrategy<Event> {
    prop_oneof![
        (epoch(), kind(), any::<bool>()).prop_map(|(epoch, kind, is_announced)| {
            let trigger = CompactionTrigger::Unknown;
            Event::TransitionOpened { epoch, kind, trigger, snapshot: None, is_announced }
        }),
        epoch().prop_map(|epoch| Event::CompactionCompleted { epoch }),
        (epoch(), any::<bool>())
            .prop_map(|(epoch, is_completion)| Event::BoundaryCrossed { epoch, is_completion }),
        epoch().prop_map(|epoch| Event::RecoveryAssessed {
            epoch,
            class: RecoveryClass::Repaired,
            findings: vec![],
            basis: Basis::Full
        }),
        epoch().prop_map(|epoch| Event::RecoveryOffered { epoch, offer: offer() }),
        epoch().prop_map(|epoch| Event::OfferLookedUp { epoch, arrival: Arrival::NotFound }),
    ]
    .boxed()
}

fn event() -> impl Strategy<Value = Event> {
    let fixed: Vec<Event> =
        crate::domain::event::samples::events().into_iter().map(|(_, event)| event).collect();
    prop_oneof![
        record_event(),
        boundary_event(),
        prop::sample::select(fixed),
        any::<u8>().prop_map(|id| Event::SessionJoined {
            host: header().origin.host,
            session: SessionKey::new([id; 32])
        }),
        any::<u32>().prop_map(|count| Event::MissedNotesTaken { count }),
        any::<u8>().prop_map(|id| Event::ChildStarted { agent: keyed(id) }),
        any::<u16>().prop_map(|kind| Event::Unrecognised { kind, version: 1 }),
    ]
}

fn observation() -> impl Strategy<Value = Action> {
    let trigger = CompactionTrigger::Auto;
    prop_oneof![
        (0..9_u8, any::<bool>()).prop_map(|(number, is_quoted)| {
            let mut prompt = prompt(number);
            if is_quoted {
                prompt.quotes = vec![quote(SignalKind::GoalChange)];
                prompt.signals = SignalSet::default().with(SignalKind::GoalChange);
            }
            wrote(prompt)
        }),
        Just(Action::ObservePreCompact { trigger, snapshot: None, work: None }),
        Just(Action::ObservePostCompact { trigger }),
        kind().prop_map(|kind| Action::ObserveBoundary { kind, work: None, is_completion: false }),
        Just(Action::ObserveSessionEnd),
        (0..50_u8).prop_map(|id| Action::ObserveChildStart { agent: keyed(id) }),
        items().prop_map(|stale| Action::Recover {
            plan: RecoveryPlan { class: RecoveryClass::Repaired, findings: vec![], stale },
            basis: Basis::Full,
            offer: Some(offer())
        }),
    ]
}

fn any_action() -> impl Strategy<Value = Action> {
    prop_oneof![
        4 => observation(),
        3 => any_draft().prop_map(record),
        1 => items().prop_map(|items| Action::Contest { items }),
        1 => item().prop_map(|item| Action::Withdraw { item }),
        4 => proposal_strategies::action(),
        1 => Just(Action::ObserveClear),
        1 => any::<bool>().prop_map(|is_on| Action::SwitchProtection { is_on }),
        1 => Just(Action::Reset { kind: ResetKind::Reset }),
    ]
}

pub(super) fn history() -> impl Strategy<Value = Vec<(Channel, Action)>> {
    let channel = prop::sample::select(EVERY_CHANNEL.to_vec());
    proptest::collection::vec((channel, any_action()), 1..60)
}

/// Plays a history and returns its end, its commands and its batches.
pub(super) fn play(history: Vec<(Channel, Action)>) -> (Scenario, Vec<Command>, Vec<Batch>) {
    let mut scenario = nothing();
    let (mut commands, mut batches) = (Vec::new(), Vec::new());
    for (channel, action) in history {
        scenario.now += 1_000;
        let command = scenario.command(channel, action);
        if let Ok(events) = scenario.carry_out(&command)
            && !events.is_empty()
        {
            let recorded_at = scenario.facts().now;
            let header = crate::domain::event::BatchHeader {
                command: command.id,
                recorded_at,
                origin: command.origin,
            };
            batches.push(Batch { header, events });
            commands.push(command);
        }
    }
    (scenario, commands, batches)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    // covers: P-076, P-094, P-127
    #[test]
    fn a_replay_of_the_written_batches_is_the_live_state(history in history()) {
        let (scenario, _, batches) = play(history);
        let mut replayed = TaskState::initial();
        for (batch, number) in batches.iter().zip(1..) {
            let read = decode(&encode(batch).unwrap()).unwrap();
            apply_batch(&mut replayed, &read, Sequence::new(number));
        }
        prop_assert_eq!(&replayed, &scenario.state);
        let stored = encode_value(&scenario.state).unwrap();
        prop_assert_eq!(decode_value::<TaskState>(&stored), Ok(replayed));
    }

    // covers: P-123
    #[test]
    fn repeated_commands_change_nothing_in_any_order(
        history in history(),
        order in proptest::collection::vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let (mut scenario, commands, _) = play(history);
        let before = scenario.state.clone();
        for index in order {
            if !commands.is_empty() {
                prop_assert_eq!(scenario.carry_out(&commands[index.index(commands.len())]), Ok(vec![]));
            }
        }
        prop_assert_eq!(scenario.state, before);
    }

    #[test]
    fn no_sequence_of_events_makes_the_fold_panic(events in proptest::collection::vec(event(), 0..120)) {
        let mut state = TaskState::initial();
        let placed = Placed { header: header(), sequence: Sequence::new(1) };
        for event in &events {
            evolve(&mut state, event, &placed);
        }
        prop_assert_eq!(usize::try_from(state.event_count), Ok(events.len()));
        let mut scenario = nothing();
        scenario.state = state;
        let command = scenario.command(Channel::HostPrompt, wrote(prompt(1)));
        let _any_answer = decide(&scenario.state, &command, &scenario.facts());
    }

    #[test]
    fn prompts_and_boundaries_leave_generation_and_effective_state(
        history in history(),
        later in proptest::collection::vec(observation(), 0..20),
    ) {
        let (mut scenario, _, _) = play(history);
        let mut digest = scenario.state.effective_digest();
        let generation = scenario.state.generation;
        for action in later {
            let is_left_alone = match &action {
                Action::ObservePrompt { prompt, .. } => prompt.quotes.is_empty(),
                Action::Recover { plan, .. } => plan.stale.is_empty(),
                _ => true,
            };
            if is_left_alone {
                let command = scenario.command(Channel::HostEvent, action);
                let events = scenario.carry_out(&command).unwrap_or_default();
                // Old words close with the course of the task; nothing else moves the digest.
                if events.iter().any(|event| matches!(event, Event::QuotesClosed { .. })) {
                    digest = scenario.state.effective_digest();
                }
            }
        }
        prop_assert_eq!(scenario.state.effective_digest(), digest);
        prop_assert_eq!(scenario.state.generation, generation);
    }

    #[test]
    fn the_generation_moves_with_items_and_only_then(history in history()) {
        let (scenario, _, batches) = play(history);
        let moves = batches.iter().flat_map(|batch| &batch.events).filter(|event| matches!(
            event,
            Event::ItemRecorded { .. } | Event::ItemsMarked { .. } | Event::TaskReset { .. }
        ));
        prop_assert_eq!(usize::try_from(scenario.state.generation.get()), Ok(moves.count()));
    }
}

#[test]
fn a_long_run_keeps_the_state_bounded() {
    let mut scenario = nothing();
    scenario.limits = Limits { events_max: u64::MAX / 100, ..Limits::default() };
    let runner = &mut proptest::test_runner::TestRunner::deterministic();
    for channel in EVERY_CHANNEL.into_iter().cycle().take(6_000) {
        let action = any_action().new_tree(runner).unwrap().current();
        let command = scenario.command(channel, action);
        let _any_answer = scenario.carry_out(&command);
        scenario.now += 7;
        assert!(scenario.state.in_force().count() <= ITEMS_IN_FORCE_MAX);
        assert!(scenario.state.items.len() <= ITEMS_IN_FORCE_MAX * 5);
    }
    assert!(encode_value(&scenario.state).unwrap().len() < 256 * 1024);
}
