//! Items: recorded, corrected, contested, withdrawn, corroborated.

use crate::domain::event::{Event, MarkReason};
use crate::domain::ids::{Generation, ItemId, QuoteId};
use crate::domain::origin::Channel;
use crate::domain::rejection::Rejection;
use crate::domain::signal::SignalKind;
use crate::domain::task::command::Action;
use crate::domain::task::item::{
    Authority, Corroboration, ItemKind, Namespace, Status, Verification, first_status, is_legal,
};
use crate::domain::task::limits::{ITEMS_IN_FORCE_MAX, LINKS_MAX};
use crate::domain::task::testing::*;

const I1: ItemId = ItemId::new(1);
const I2: ItemId = ItemId::new(2);

#[test]
fn what_the_agent_records_is_unverified() {
    let draft = inferred(ItemKind::Goal);
    given(vec![])
        .when(Channel::ModelTool, record(draft.clone()))
        .then_events(&[Event::ItemRecorded { item: I1, draft, status: Status::Unverified }]);
}

// covers: P-048, P-101
#[test]
fn each_channel_mints_only_the_authority_that_is_its_own() {
    use Channel::{ControlHttp, OperatorTerminal, Probe};
    for channel in EVERY_CHANNEL {
        for authority in [Authority::User, Authority::VerifiedEvidence, Authority::AgentInference] {
            let is_allowed = match authority {
                Authority::User => channel == OperatorTerminal || channel == ControlHttp,
                Authority::VerifiedEvidence => channel == Probe,
                Authority::AgentInference => true,
            };
            let outcome = given(vec![]).when(channel, record(draft(ItemKind::Fact, authority)));
            match outcome.result {
                Ok(_) => assert!(is_allowed, "{channel:?} {authority:?}"),
                Err(rejection) => {
                    assert_eq!(rejection, Rejection::NotAuthorised);
                    assert!(!is_allowed, "{channel:?} {authority:?}");
                }
            }
        }
    }
}

#[test]
fn only_fitting_combinations_are_recorded() {
    for kind in ItemKind::ALL {
        for verification in [Verification::None, Verification::Claimed, Verification::Checked] {
            let with = |authority| {
                let mut draft = draft(kind, authority);
                draft.verification = verification;
                is_legal(&draft)
            };
            assert_eq!(with(Authority::User), verification != Verification::Claimed);
            assert_eq!(with(Authority::AgentInference), verification != Verification::Checked);
            let is_checked = verification == Verification::Checked;
            let is_operational = kind.namespace() == Namespace::Operational;
            assert_eq!(with(Authority::VerifiedEvidence), is_checked && is_operational);
        }
    }
    let mut claimed = inferred(ItemKind::Fact);
    claimed.verification = Verification::Checked;
    given(vec![])
        .when(Channel::ModelTool, record(claimed))
        .then_rejected(Rejection::IllegalCombination);
}

// covers: P-030
// field case F018
#[test]
fn a_completion_that_the_agent_claims_stays_unverified() {
    assert_eq!(first_status(&inferred(ItemKind::Completion)), Status::Unverified);
    assert_eq!(first_status(&said(ItemKind::Completion)), Status::Unverified);
    let checked = draft(ItemKind::Completion, Authority::VerifiedEvidence);
    assert_eq!(first_status(&checked), Status::Active);
    assert_eq!(first_status(&said(ItemKind::Dispute)), Status::Disputed);
}

// covers: P-086
// field case F015
#[test]
fn a_correction_supersedes_what_it_names() {
    let scenario = given(vec![]).and(Channel::OperatorTerminal, record(said(ItemKind::Fact))).and(
        Channel::OperatorTerminal,
        Action::Correct { draft: replacing(&[1], said(ItemKind::Correction)) },
    );
    assert_eq!(scenario.state.items[&I1].status, Status::Superseded);
    assert_eq!(scenario.state.items[&I1].superseded_by, Some(I2));
    assert_eq!(scenario.state.in_force().map(|(id, _)| id).collect::<Vec<_>>(), [I2]);
}

// covers: P-086
#[test]
fn a_correction_of_nothing_is_rejected() {
    let draft = inferred(ItemKind::Correction);
    for action in [Action::Correct { draft: draft.clone() }, record(draft)] {
        given(vec![])
            .when(Channel::ModelTool, action)
            .then_rejected(Rejection::CorrectionOfNothing);
    }
    given(vec![])
        .when(Channel::ModelTool, Action::Correct { draft: inferred(ItemKind::Fact) })
        .then_rejected(Rejection::CorrectionOfNothing);
}

#[test]
fn an_inference_replaces_neither_the_users_words_nor_evidence() {
    for (channel, authority) in [
        (Channel::OperatorTerminal, Authority::User),
        (Channel::Probe, Authority::VerifiedEvidence),
    ] {
        let draft = replacing(&[1], inferred(ItemKind::Fact));
        given(vec![])
            .and(channel, record(self::draft(ItemKind::Fact, authority)))
            .when(Channel::ModelTool, Action::Correct { draft })
            .then_rejected(Rejection::NotAuthorised);
    }
    given(vec![])
        .and(Channel::OperatorTerminal, record(said(ItemKind::Fact)))
        .when(
            Channel::Probe,
            Action::Correct {
                draft: replacing(&[1], draft(ItemKind::Fact, Authority::VerifiedEvidence)),
            },
        )
        .then_rejected(Rejection::NotAuthorised);
}

// covers: P-103
#[test]
fn what_is_not_in_force_cannot_be_superseded_and_nothing_twice() {
    let unknown = Rejection::UnknownItem { item: ItemId::new(7) };
    given(vec![])
        .when(Channel::ModelTool, record(replacing(&[7], inferred(ItemKind::Fact))))
        .then_rejected(unknown);
    let one = given(vec![]).and(Channel::ModelTool, record(inferred(ItemKind::Fact)));
    one.clone()
        .when(Channel::ModelTool, record(replacing(&[1, 1], inferred(ItemKind::Fact))))
        .then_rejected(Rejection::UnknownItem { item: I1 });
    one.and(Channel::ModelTool, Action::Withdraw { item: I1 })
        .when(Channel::ModelTool, record(replacing(&[1], inferred(ItemKind::Fact))))
        .then_rejected(Rejection::UnknownItem { item: I1 });
}

#[test]
fn an_item_replaces_at_most_as_many_as_the_limit() {
    let mut scenario = given(vec![]);
    for _ in 0..=LINKS_MAX {
        scenario = scenario.and(Channel::ModelTool, record(inferred(ItemKind::Fact)));
    }
    let links: Vec<u32> = (1..=17).collect();
    scenario
        .clone()
        .when(Channel::ModelTool, record(replacing(&links, inferred(ItemKind::Fact))))
        .then_rejected(Rejection::LinkCount { found: 17, min: 0, max: LINKS_MAX });
    let replaced =
        scenario.and(Channel::ModelTool, record(replacing(&links[..16], inferred(ItemKind::Fact))));
    assert_eq!(replaced.state.in_force().count(), 2);
}

// covers: P-208
#[test]
fn the_last_item_fits_the_next_does_not_and_superseding_still_works() {
    let mut scenario = given(vec![]);
    for _ in 0..ITEMS_IN_FORCE_MAX {
        scenario = scenario.and(Channel::ModelTool, record(inferred(ItemKind::Fact)));
    }
    scenario
        .clone()
        .when(Channel::ModelTool, record(inferred(ItemKind::Fact)))
        .then_rejected(Rejection::TooManyItems { limit: ITEMS_IN_FORCE_MAX });
    let after = scenario.and(Channel::ModelTool, record(replacing(&[5], inferred(ItemKind::Fact))));
    assert_eq!(after.state.in_force().count(), ITEMS_IN_FORCE_MAX);
}

// covers: P-105
#[test]
fn contested_items_stand_side_by_side() {
    let two = given(vec![])
        .and(Channel::OperatorTerminal, record(said(ItemKind::Goal)))
        .and(Channel::OperatorTerminal, record(said(ItemKind::Goal)));
    let contest = Action::Contest { items: vec![I1, I2] };
    two.clone()
        .when(Channel::ModelTool, Action::Contest { items: vec![I1] })
        .then_rejected(Rejection::LinkCount { found: 1, min: 2, max: LINKS_MAX });
    two.when(Channel::ModelTool, contest.clone())
        .then_events(&[Event::ItemsMarked {
            items: vec![I1, I2],
            status: Status::Disputed,
            reason: MarkReason::Contested,
        }])
        .when(Channel::ModelTool, contest)
        .then_nothing();
}

#[test]
fn only_a_person_withdraws_what_the_user_said() {
    let withdraw = Action::Withdraw { item: I1 };
    for channel in EVERY_CHANNEL {
        let user = given(vec![])
            .and(Channel::OperatorTerminal, record(said(ItemKind::Constraint)))
            .when(channel, withdraw.clone());
        let is_person = channel.is_operator() || channel == Channel::HostPrompt;
        assert_eq!(user.result.is_ok(), is_person, "{channel:?}");
        if !is_person {
            user.then_rejected(Rejection::OperatorOnly);
        }
        given(vec![])
            .and(Channel::ModelTool, record(inferred(ItemKind::Fact)))
            .and(channel, withdraw.clone());
    }
}

#[test]
fn only_an_operator_closes_a_quote_and_only_an_open_one() {
    let mut words = prompt(1);
    words.quotes = vec![quote(SignalKind::HardConstraint)];
    let quoted = given(vec![]).and(Channel::HostPrompt, wrote(words));
    let close = |number| Action::CloseQuote { quote: QuoteId::new(number) };
    quoted
        .clone()
        .when(Channel::ModelTool, close(1))
        .then_rejected(Rejection::OperatorOnly)
        .when(Channel::OperatorTerminal, close(2))
        .then_rejected(Rejection::UnknownQuote { quote: QuoteId::new(2) });
    assert!(quoted.and(Channel::ControlHttp, close(1)).state.quotes.is_empty());
}

#[test]
fn a_sender_that_knows_an_older_generation_is_refused() {
    let mut scenario = given(vec![]).and(Channel::ModelTool, record(inferred(ItemKind::Fact)));
    let mut command = scenario.command(Channel::ModelTool, record(inferred(ItemKind::Fact)));
    command.expected_generation = Some(Generation::new(0));
    let conflict =
        Rejection::GenerationConflict { expected: Generation::new(0), current: Generation::new(1) };
    assert_eq!(scenario.carry_out(&command), Err(conflict));
    command.expected_generation = Some(Generation::new(1));
    assert!(scenario.carry_out(&command).is_ok());
}

#[test]
fn only_a_contradicted_confirmation_is_demoted() {
    let confirmed = given(vec![])
        .and(Channel::ModelTool, Action::Propose { draft: proposal(vec![said(ItemKind::Goal)]) })
        .and(
            Channel::HostPrompt,
            Action::Confirm {
                proposal: crate::domain::ids::ProposalId::new(1),
                digest: proposal(vec![]).digest,
            },
        );
    let ask = |corroboration| Action::Corroborate { items: vec![I1], corroboration };
    for (corroboration, status) in [
        (Corroboration::Found, Status::Active),
        (Corroboration::Uncheckable, Status::Active),
        (Corroboration::Contradicted, Status::Unverified),
    ] {
        let after = confirmed.clone().and(Channel::HostEvent, ask(corroboration));
        assert_eq!(after.state.items[&I1].status, status);
        assert_eq!(after.state.items[&I1].corroboration, Some(corroboration));
        after.when(Channel::HostEvent, ask(corroboration)).then_nothing();
    }
    confirmed
        .when(Channel::ModelTool, ask(Corroboration::Found))
        .then_rejected(Rejection::NotAuthorised);
}
