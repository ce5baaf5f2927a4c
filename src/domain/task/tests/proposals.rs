//! Proposals: shown, confirmed once, by the user, in time.

use crate::domain::event::Event;
use crate::domain::ids::{Digest, ItemId, ProposalId, QuoteId};
use crate::domain::origin::Channel;
use crate::domain::rejection::Rejection;
use crate::domain::signal::SignalKind;
use crate::domain::task::command::Action;
use crate::domain::task::item::{ItemDraft, ItemKind, Status};
use crate::domain::task::limits::{
    LINKS_MAX, PROPOSAL_ITEMS_MAX, PROPOSAL_KEPT_MILLIS_MAX, PROPOSAL_OPEN_MILLIS_MAX,
    PROPOSALS_OPEN_MAX,
};
use crate::domain::task::proposal::{ProposalOutcome, Purpose};
use crate::domain::task::quote::QuoteClosure;
use crate::domain::task::testing::*;

const P1: ProposalId = ProposalId::new(1);

fn propose(items: Vec<ItemDraft>) -> Action {
    Action::Propose { draft: proposal(items) }
}

/// A proposal beside others: its code is another one.
fn propose_beside(number: usize, items: Vec<ItemDraft>) -> Action {
    let code = format!("3C2{}", char::from(b"ACDEFGHJKMNPQRT"[number]));
    Action::Propose { draft: asking(Purpose::Items, &code, items) }
}

fn confirm(number: u32) -> Action {
    Action::Confirm { proposal: ProposalId::new(number), digest: proposal(vec![]).digest }
}

fn proposed() -> Scenario {
    given(vec![]).and(Channel::ModelTool, propose(vec![said(ItemKind::Goal)]))
}

// covers: P-048
#[test]
fn a_confirmed_proposal_is_the_users_word_and_is_used_once() {
    proposed()
        .when(Channel::HostPrompt, confirm(1))
        .then_events(&[
            Event::ProposalEnded { proposal: P1, outcome: ProposalOutcome::Confirmed },
            Event::ItemRecorded {
                item: ItemId::new(1),
                draft: said(ItemKind::Goal),
                status: Status::Active,
            },
        ])
        .when(Channel::HostPrompt, confirm(1))
        .then_rejected(Rejection::UnknownProposal { proposal: P1 });
}

#[test]
fn one_confirmation_carries_several_items() {
    let both = given(vec![])
        .and(Channel::ModelTool, propose(vec![said(ItemKind::Goal), said(ItemKind::Constraint)]))
        .and(Channel::HostPrompt, confirm(1));
    let kinds: Vec<_> = both.state.in_force().map(|(_, item)| item.draft.kind).collect();
    assert_eq!(kinds, [ItemKind::Goal, ItemKind::Constraint]);
}

#[test]
fn only_the_user_confirms_or_rejects() {
    for channel in EVERY_CHANNEL {
        let is_user = channel == Channel::HostPrompt || channel.is_operator();
        for action in [confirm(1), Action::Reject { proposal: P1 }] {
            let outcome = proposed().when(channel, action);
            assert_eq!(outcome.result.is_ok(), is_user, "{channel:?}");
            if !is_user {
                outcome.then_rejected(Rejection::OperatorOnly);
            }
        }
    }
}

#[test]
fn another_text_than_the_one_shown_is_not_confirmed() {
    proposed()
        .when(Channel::HostPrompt, Action::Confirm { proposal: P1, digest: Digest::new([5; 32]) })
        .then_rejected(Rejection::ProposalDiffers { proposal: P1 });
}

#[test]
fn a_proposal_can_be_confirmed_until_its_time_is_over_and_is_told_so_afterwards() {
    let open = i64::try_from(PROPOSAL_OPEN_MILLIS_MAX).unwrap();
    let kept = i64::try_from(PROPOSAL_KEPT_MILLIS_MAX).unwrap();
    proposed().after_millis(open).and(Channel::HostPrompt, confirm(1));
    let late = proposed().after_millis(open + 1).and(Channel::HostPrompt, wrote(prompt(1)));
    late.when(Channel::HostPrompt, confirm(1))
        .then_rejected(Rejection::ProposalExpired { proposal: P1 });
    let gone = proposed().after_millis(kept + 1).and(Channel::HostPrompt, wrote(prompt(1)));
    assert!(gone.state.proposals.is_empty());
}

#[test]
fn a_clock_that_goes_back_ends_no_proposal() {
    proposed().after_millis(-3_600_000).and(Channel::HostPrompt, confirm(1));
}

// covers: P-112
#[test]
fn a_proposal_is_stale_only_if_an_item_that_it_touches_changed() {
    let touching = given(vec![])
        .and(Channel::ModelTool, record(inferred(ItemKind::Fact)))
        .and(Channel::ModelTool, record(inferred(ItemKind::Fact)))
        .and(Channel::ModelTool, propose(vec![replacing(&[1], said(ItemKind::Fact))]));
    touching
        .clone()
        .and(Channel::ModelTool, Action::Withdraw { item: ItemId::new(2) })
        .and(Channel::HostPrompt, confirm(1));
    touching
        .and(Channel::ModelTool, Action::Withdraw { item: ItemId::new(1) })
        .when(Channel::HostPrompt, confirm(1))
        .then_rejected(Rejection::ProposalStale { proposal: P1 });
}

#[test]
fn of_two_proposals_for_one_item_the_second_is_stale() {
    given(vec![])
        .and(Channel::ModelTool, record(inferred(ItemKind::Fact)))
        .and(Channel::ModelTool, propose(vec![replacing(&[1], said(ItemKind::Fact))]))
        .and(Channel::ModelTool, propose_beside(1, vec![replacing(&[1], said(ItemKind::Fact))]))
        .and(Channel::HostPrompt, confirm(1))
        .when(Channel::HostPrompt, confirm(2))
        .then_rejected(Rejection::ProposalStale { proposal: ProposalId::new(2) });
}

#[test]
fn proposals_are_bounded_and_expired_ones_make_room() {
    let mut full = given(vec![]);
    for number in 0..PROPOSALS_OPEN_MAX {
        full = full.and(Channel::ModelTool, propose_beside(number, vec![said(ItemKind::Fact)]));
    }
    full.clone()
        .when(Channel::ModelTool, propose(vec![said(ItemKind::Fact)]))
        .then_rejected(Rejection::TooManyProposals { limit: PROPOSALS_OPEN_MAX });
    let open = i64::try_from(PROPOSAL_OPEN_MILLIS_MAX).unwrap();
    let after =
        full.after_millis(open + 1).and(Channel::ModelTool, propose(vec![said(ItemKind::Fact)]));
    assert_eq!(after.state.proposals.len(), 1);
}

#[test]
fn a_proposal_holds_one_to_eight_items_of_the_users_authority() {
    for found in [0, PROPOSAL_ITEMS_MAX + 1] {
        given(vec![])
            .when(Channel::ModelTool, propose(vec![said(ItemKind::Fact); found]))
            .then_rejected(Rejection::LinkCount { found, min: 1, max: PROPOSAL_ITEMS_MAX });
    }
    given(vec![]).and(Channel::ModelTool, propose(vec![said(ItemKind::Fact); PROPOSAL_ITEMS_MAX]));
    given(vec![])
        .when(Channel::ModelTool, propose(vec![inferred(ItemKind::Fact)]))
        .then_rejected(Rejection::IllegalCombination);
}

// field case F004
#[test]
fn a_confirmation_closes_the_quotes_that_it_puts_into_words() {
    let mut words = prompt(1);
    words.quotes = vec![quote(SignalKind::GoalChange), quote(SignalKind::HardConstraint)];
    let mut draft = proposal(vec![said(ItemKind::Goal)]);
    draft.quotes = vec![QuoteId::new(1)];
    let quoted = given(vec![]).and(Channel::HostPrompt, wrote(words));
    let outcome = quoted
        .and(Channel::ModelTool, Action::Propose { draft })
        .when(Channel::HostPrompt, confirm(1));
    let closed =
        Event::QuotesClosed { quotes: vec![QuoteId::new(1)], closure: QuoteClosure::Confirmed };
    assert_eq!(outcome.result.unwrap().last(), Some(&closed));
    assert_eq!(outcome.scenario.state.quotes.len(), 1);
}

#[test]
fn a_proposal_names_open_quotes_and_few() {
    let mut draft = proposal(vec![said(ItemKind::Goal)]);
    draft.quotes = vec![QuoteId::new(9)];
    given(vec![])
        .when(Channel::ModelTool, Action::Propose { draft: draft.clone() })
        .then_rejected(Rejection::UnknownQuote { quote: QuoteId::new(9) });
    draft.quotes = vec![QuoteId::new(9); LINKS_MAX + 1];
    given(vec![])
        .when(Channel::ModelTool, Action::Propose { draft })
        .then_rejected(Rejection::LinkCount { found: LINKS_MAX + 1, min: 0, max: LINKS_MAX });
}
