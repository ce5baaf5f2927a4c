//! Builds the view for people and agents: a pure function of state and texts.

use super::{
    BoundaryView, CheckoutKind, ContinuityView, Gap, ItemView, ProposalView, QuoteView,
    QuotesClosed, SCHEMA, Standing, UseOfLog, ViewInput, WorkView,
};
use crate::domain::fingerprint::{Checkout, Known, Workspace};
use crate::domain::signal::SignalKind;
use crate::domain::task::TaskState;
use crate::domain::task::item::{Item, ItemKind, VersionBinding};
use crate::domain::task::limits::WARN_PERCENT;
use crate::domain::task::proposal::Proposal;
use crate::domain::task::quote::Quote;
use crate::domain::task::transition::Transition;
use crate::readmodels::texts::Texts;

/// Builds the view.
#[must_use]
pub fn build(input: &ViewInput<'_>) -> ContinuityView {
    let ViewInput { state, texts, limits, .. } = *input;
    let items = state.in_force().map(|(id, item)| item_view(&id.to_string(), item, texts));
    let quotes = state.quotes.iter().map(|(id, quote)| quote_view(&id.to_string(), quote, texts));
    ContinuityView {
        schema: SCHEMA,
        task_ref: state.task.map(|task| task.to_string()).unwrap_or_default(),
        head: input.head.to_string(),
        basis: input.basis,
        generation: state.generation.get(),
        is_recording: !state.is_off,
        is_durable: input.is_durable,
        predecessor: state.predecessor.map(|predecessor| predecessor.task.to_string()),
        is_fork: state.is_fork,
        not_inherited: state
            .left_items
            .iter()
            .map(ToString::to_string)
            .chain(state.left_quotes.iter().map(ToString::to_string))
            .collect(),
        items: items.collect(),
        quotes: quotes.collect(),
        quotes_closed: quotes_closed(state),
        proposals: state
            .proposals
            .iter()
            .map(|(id, proposal)| proposal_view(&id.to_string(), proposal))
            .collect(),
        work: work_view(state, texts),
        boundary: state.transition.as_ref().map(boundary_view),
        open_children: state.children.len(),
        gaps: gaps(input),
        use_of_log: UseOfLog {
            events: state.event_count,
            events_max: limits.events_max,
            bytes: input.log_bytes,
            bytes_max: limits.log_bytes_max,
        },
    }
}

/// Builds the view of one item.
#[must_use]
pub fn item_view(id: &str, item: &Item, texts: &Texts) -> ItemView {
    let draft = &item.draft;
    let text = texts.item(&draft.body);
    let commit = draft.binding.as_ref().map(|binding| match binding {
        VersionBinding::ContainedIn(commit) | VersionBinding::CheckedAt(commit) => {
            commit.to_string()
        }
    });
    ItemView {
        id: id.to_owned(),
        namespace: draft.kind.namespace(),
        kind: draft.kind,
        statement: text.map(|text| text.statement.as_str().to_owned()),
        rationale: text
            .and_then(|text| text.rationale.as_ref())
            .map(|rationale| rationale.as_str().to_owned()),
        source_ref: text.map(|text| text.source.as_str().to_owned()),
        status: item.status,
        authority: draft.authority,
        channel: item.channel,
        corroboration: item.corroboration,
        verification: draft.verification,
        confidence: draft.confidence,
        recorded_at: item.recorded_at.to_string(),
        supersedes: draft.supersedes.iter().map(ToString::to_string).collect(),
        scope: draft.scope,
        act: draft.act,
        target: text.and_then(|text| text.target.as_ref()).map(|target| target.as_str().to_owned()),
        gate: draft.gate,
        evidence_digest: draft.evidence_digest.map(|digest| digest.to_string()),
        commit,
    }
}

fn proposal_view(id: &str, proposal: &Proposal) -> ProposalView {
    ProposalView {
        id: id.to_owned(),
        code: proposal.draft.code.to_string(),
        purpose: proposal.draft.purpose,
        items: proposal.draft.items.len(),
        is_shown: proposal.is_shown,
        expires_at: proposal.expires_at().to_string(),
    }
}

fn quote_view(id: &str, quote: &Quote, texts: &Texts) -> QuoteView {
    let text = texts.quote(&quote.draft.body);
    QuoteView {
        id: id.to_owned(),
        kind: quote.draft.kind,
        words: text.map(|text| text.words.as_str().to_owned()),
        said_at: quote.said_at.to_string(),
        standing: if quote.possibly_replaced_by.is_some() {
            Standing::PossiblyReplaced
        } else {
            Standing::Current
        },
        possibly_replaced_by: quote.possibly_replaced_by.map(|id| id.to_string()),
        act: quote.draft.act.map(|(act, _)| act),
        stance: quote.draft.act.map(|(_, stance)| stance),
        target: text.and_then(|text| text.target.as_ref()).map(|target| target.as_str().to_owned()),
    }
}

const fn quotes_closed(state: &TaskState) -> QuotesClosed {
    let by_rule = state.quotes_closed_by_rule;
    QuotesClosed {
        said_again: by_rule.said_again,
        overtaken: by_rule.overtaken,
        spent: by_rule.spent,
        crowded_out: state.quotes_crowded_out,
    }
}

fn work_view(state: &TaskState, texts: &Texts) -> Option<WorkView> {
    let work = state.work.as_ref()?;
    Some(match texts.workspace(&work.body) {
        Some(workspace) => describe(workspace),
        None => WorkView { commit: work.commit.as_ref().map(ToString::to_string), ..nowhere() },
    })
}

const fn nowhere() -> WorkView {
    WorkView { path: None, branch: None, checkout: None, commit: None }
}

/// Puts a workspace into words.
#[must_use]
pub fn describe(workspace: &Workspace) -> WorkView {
    match workspace {
        Workspace::Unnamed => nowhere(),
        Workspace::Missing { path } | Workspace::Folder { path, .. } => {
            WorkView { path: Some(path.as_str().to_owned()), ..nowhere() }
        }
        Workspace::Git { path, state, .. } => WorkView {
            path: Some(path.as_str().to_owned()),
            branch: match &state.checkout {
                Known::Known(Checkout::Branch(name) | Checkout::Unborn(name)) => {
                    Some(name.as_str().to_owned())
                }
                Known::Known(Checkout::Detached) | Known::Unknown => None,
            },
            checkout: match &state.checkout {
                Known::Known(Checkout::Branch(_)) => Some(CheckoutKind::Branch),
                Known::Known(Checkout::Unborn(_)) => Some(CheckoutKind::Unborn),
                Known::Known(Checkout::Detached) => Some(CheckoutKind::Detached),
                Known::Unknown => None,
            },
            commit: match &state.head {
                Known::Known(commit) => commit.as_ref().map(ToString::to_string),
                Known::Unknown => None,
            },
        },
    }
}

fn boundary_view(transition: &Transition) -> BoundaryView {
    let offer = transition.offer;
    BoundaryView {
        epoch: transition.epoch.to_string(),
        kind: transition.kind,
        trigger: transition.trigger,
        opened_at: transition.opened_at.to_string(),
        is_announced: transition.is_announced,
        is_completed: transition.is_completed,
        class: transition.class,
        offers: offer.map_or(0, |offer| offer.attempt),
        offered_tokens: offer.map(|offer| offer.tokens),
        omitted: offer.map(|offer| offer.omitted),
        arrival: transition.arrival,
    }
}

fn gaps(input: &ViewInput<'_>) -> Vec<Gap> {
    let state = input.state;
    let has_goal = state.of_kind(ItemKind::Goal).next().is_some()
        || state.quotes.values().any(|quote| quote.draft.kind == SignalKind::GoalChange);
    let closed = quotes_closed(state);
    let percent = input.limits.percent_used(state.event_count, input.log_bytes);
    let found = [
        (!has_goal, Gap::NoGoal),
        (state.work.is_none(), Gap::NoWorkObject),
        (input.texts.lack_any_of(state), Gap::TextMissing),
        (state.missed_count > 0, Gap::EventsMissed),
        (closed.crowded_out > 0, Gap::QuotesCrowdedOut),
        (closed.overtaken > 0 || closed.spent > 0, Gap::QuotesClosed),
        (state.unrecognised_count > 0, Gap::EventsUnrecognised),
        (state.open_transition().is_some(), Gap::BoundaryOpen),
        (percent >= WARN_PERCENT, Gap::LogNearlyFull),
    ];
    found.into_iter().filter(|(is_so, _)| *is_so).map(|(_, gap)| gap).collect()
}
