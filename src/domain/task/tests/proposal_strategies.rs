//! Proposals and answers for random histories, and what holds for every one of them.

use proptest::prelude::*;

use super::properties::{any_draft, history, items, play};
use crate::domain::confirmation::{Answer, Code, Verb};
use crate::domain::event::Event;
use crate::domain::ids::{ProposalId, TaskRef};
use crate::domain::origin::Channel;
use crate::domain::task::TaskState;
use crate::domain::task::command::{Action, PromptObserved};
use crate::domain::task::item::{Authority, Corroboration, Item};
use crate::domain::task::proposal::{ProposalDraft, ProposalOutcome, Purpose};
use crate::domain::task::testing::*;

const CODES: [&str; 4] = ["2A22", "3C3C", "4D4D", "5E5E"];

fn code() -> impl Strategy<Value = &'static str> {
    prop::sample::select(CODES.to_vec())
}

fn id() -> impl Strategy<Value = ProposalId> {
    prop_oneof![9 => 0..9_u32, 1 => any::<u32>()].prop_map(ProposalId::new)
}

fn corroboration() -> impl Strategy<Value = Corroboration> {
    prop::sample::select(vec![
        Corroboration::Found,
        Corroboration::Contradicted,
        Corroboration::Uncheckable,
    ])
}

fn draft() -> impl Strategy<Value = ProposalDraft> {
    let purpose = prop::sample::select(vec![
        Purpose::Items,
        Purpose::Items,
        Purpose::Items,
        Purpose::SwitchOff,
        Purpose::SwitchOn,
        Purpose::Reset,
        Purpose::Delete,
        Purpose::RollOver,
    ]);
    (purpose, code(), any_draft()).prop_map(|(purpose, code, item)| {
        let items = if purpose == Purpose::Items { vec![item] } else { Vec::new() };
        asking(purpose, code, items)
    })
}

fn answer() -> impl Strategy<Value = Action> {
    let verb = prop::sample::select(vec![Verb::Confirm, Verb::Confirm, Verb::Reject, Verb::Undo]);
    (verb, code(), any::<bool>()).prop_map(|(verb, code, is_named)| {
        let name = is_named.then(|| TASK.short());
        let answer = Some(Answer { verb, code: Code::parse(code).unwrap(), name });
        wrote(PromptObserved { answer, ..prompt(9) })
    })
}

pub(super) fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        3 => draft().prop_map(|draft| Action::Propose { draft }),
        3 => answer(),
        1 => (0..9_u32).prop_map(|id| Action::Confirm {
            proposal: ProposalId::new(id),
            digest: proposal(vec![]).digest
        }),
        1 => id().prop_map(|proposal| Action::Undo { proposal }),
        1 => (id(), corroboration(), any::<bool>()).prop_map(|(id, found, is_shown)| {
            let corroborations = vec![(id, found)];
            Action::ObserveStop { work: None, is_shown, corroborations, rollover: None }
        }),
        1 => Just(Action::RollOver { successor: TaskRef::new([8; 16]) }),
    ]
}

pub(super) fn event() -> impl Strategy<Value = Event> {
    let outcome = prop::sample::select(vec![
        ProposalOutcome::Confirmed,
        ProposalOutcome::Confirmed,
        ProposalOutcome::Rejected,
        ProposalOutcome::Stale,
        ProposalOutcome::Guessed,
    ]);
    prop_oneof![
        (id(), draft()).prop_map(|(proposal, draft)| Event::ProposalOpened { proposal, draft }),
        (id(), outcome).prop_map(|(proposal, outcome)| Event::ProposalEnded { proposal, outcome }),
        id().prop_map(|proposal| Event::ProposalsShown { proposals: vec![proposal] }),
        id().prop_map(|proposal| Event::ConfirmationUndone { proposal }),
        any::<u32>().prop_map(|misses| Event::CodeMissed { misses }),
        items().prop_map(|items| Event::ItemsCorroborated {
            items,
            corroboration: Corroboration::Contradicted
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_confirmation_taken_back_at_once_leaves_everything_as_it_was(
        history in history(),
        draft in draft(),
    ) {
        let (mut scenario, _, _) = play(history);
        let ask = |scenario: &mut Scenario, channel, action| {
            let command = scenario.command(channel, action);
            scenario.carry_out(&command)
        };
        let is_open = ask(&mut scenario, Channel::ModelTool, Action::Propose { draft: draft.clone() });
        let before = scenario.state.clone();
        let proposal = ProposalId::new(before.proposal_count);
        let digest = draft.digest;
        let confirm = Action::Confirm { proposal, digest };
        let is_confirmed = is_open.is_ok_and(|events| !events.is_empty())
            && ask(&mut scenario, Channel::OperatorTerminal, confirm).is_ok();
        let undo = Action::Undo { proposal };
        let is_undone =
            is_confirmed && ask(&mut scenario, Channel::OperatorTerminal, undo).is_ok();
        prop_assume!(is_undone);
        let after = scenario.state;
        let in_force = |state: &TaskState| {
            state.in_force().map(|(id, item)| (id, item.clone())).collect::<Vec<_>>()
        };
        prop_assert_eq!(in_force(&after), in_force(&before));
        prop_assert_eq!(after.quotes, before.quotes);
        prop_assert_eq!(after.is_off, before.is_off);
    }

    #[test]
    fn no_code_of_a_model_or_probe_puts_anything_in_force_as_the_users_word(history in history()) {
        let history = history.into_iter().map(|(channel, action)| match channel {
            Channel::HostPrompt | Channel::OperatorTerminal | Channel::ControlHttp => {
                (Channel::ModelTool, action)
            }
            other => (other, action),
        });
        // A prompt never comes through a tool.
        let history = history.filter(|(_, action)| !matches!(action, Action::ObservePrompt { .. }));
        let (scenario, _, _) = play(history.collect());
        prop_assert!(scenario.state.confirmed.is_empty());
        let is_users = |item: &Item| {
            item.draft.authority == Authority::User
        };
        prop_assert!(!scenario.state.items.values().any(is_users));
    }
}
