//! The small view that an execution guard reads: typed fields and ids, no prose, no verdict.
//!
//! It is data. It decides nothing, grants nothing and has no way to write; what a guard makes of it
//! is the guard's. Texts behind the ids open through `explain`.

use serde::Serialize;

use super::texts::Texts;
use crate::domain::act::Act;
use crate::domain::chain::{Basis, Head};
use crate::domain::origin::Channel;
use crate::domain::recovery::guards_of;
use crate::domain::signal::SignalKind;
use crate::domain::task::TaskState;
use crate::domain::task::item::{Corroboration, Gate, Item, ItemKind, Status};
use crate::domain::task::quote::Stance;
use crate::domain::task::transition::RecoveryClass;

/// Name and version of the JSON form.
pub const SCHEMA: &str = "continuity.execution_guard.v1";

/// How far the view can be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "is", content = "why")]
pub enum Freshness {
    /// It is the fold of the log up to its end.
    Current,
    /// The log goes on behind it.
    Behind,
    /// The log is damaged, rolled back or forked.
    Damaged,
    /// The log could not be read, or there is none.
    Unknown,
}

/// What the task is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Nothing is known of the task.
    Unknown,
    /// Prompts are recorded.
    Working,
    /// A boundary was announced or crossed, and the state was not compared since.
    AtBoundary,
    /// The host session ended.
    Ended,
    /// Recording is off.
    Off,
}

/// The whole view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExecutionGuardView {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The task.
    pub task_ref: String,
    /// The bound contract; none can be bound yet.
    pub contract: Option<ContractRef>,
    /// What the task is doing.
    pub phase: Phase,
    /// Goals, constraints and pins in force.
    pub open_commitments: Vec<CommitmentRef>,
    /// Acts that wait for a yes or a check.
    pub unmet_gates: Vec<UnmetGate>,
    /// What the user allowed, as recorded words: never a grant.
    pub authorizations: Vec<AuthorizationRef>,
    /// Next actions whose act a constraint or gate in force is about.
    pub conflicts: Vec<Conflict>,
    /// What the user's own words say of acts; reading not confirmed.
    pub quoted_acts: Vec<QuotedAct>,
    /// Evidence in force.
    pub evidence_refs: Vec<EvidenceRef>,
    /// Items that were true of an earlier state of the work.
    pub stale_ids: Vec<String>,
    /// Items that are contested.
    pub disputed_ids: Vec<String>,
    /// Where the work was last seen.
    pub work_object: Option<WorkRef>,
    /// The newest record, as `sequence:hash8`.
    pub head: String,
    /// Counts changes of items.
    pub generation: u64,
    /// The class of the newest boundary that was assessed.
    pub recovery_class: Option<RecoveryClass>,
    /// When the newest record was written, in UTC.
    pub captured_at: String,
    /// How much of the log was verified; `None` if it could not be read to its end.
    pub basis: Option<Basis>,
    /// How far the view can be believed.
    pub freshness: Freshness,
}

/// A contract of an intent plugin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContractRef {
    /// Its name.
    pub contract_ref: String,
    /// Its version, never falling.
    pub contract_version: u64,
}

/// A commitment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommitmentRef {
    /// The item.
    pub id: String,
    /// Goal, constraint or pin.
    pub kind: ItemKind,
    /// The act that it is about.
    pub act: Option<Act>,
    /// What that act is about.
    pub target: Option<String>,
    /// Whether it is in force as it stands.
    pub status: Status,
}

/// An act that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnmetGate {
    /// The item that says so.
    pub id: String,
    /// The act.
    pub act: Option<Act>,
    /// What the act is about.
    pub target: Option<String>,
    /// What it waits for.
    pub needs: Gate,
}

/// What the user allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuthorizationRef {
    /// The item.
    pub id: String,
    /// The act.
    pub act: Option<Act>,
    /// What the act is about.
    pub target: Option<String>,
    /// Through which door it came.
    pub channel: Channel,
    /// What the host's transcript says of its confirmation; `None` before that was asked.
    pub corroboration: Option<Corroboration>,
}

/// A next action that something in force is against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conflict {
    /// The next action.
    pub id: String,
    /// Its act.
    pub act: Act,
    /// The constraints and gates about that act.
    pub with: Vec<String>,
}

/// What a quote says of an act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QuotedAct {
    /// The quote.
    pub id: String,
    /// The signal that the words carry.
    pub kind: SignalKind,
    /// The act.
    pub act: Act,
    /// What the words say of it.
    pub stance: Stance,
    /// What the act is about.
    pub target: Option<String>,
}

/// A piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EvidenceRef {
    /// The item.
    pub id: String,
    /// Digest of what it names.
    pub digest: Option<String>,
    /// Whether it still holds.
    pub status: Status,
}

/// Where the work was last seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WorkRef {
    /// Keyed digest of folder, repository, branch and commit: equal while none of them changes.
    pub identity: String,
    /// The commit.
    pub commit: Option<String>,
}

/// Builds the view.
#[must_use]
pub fn build(
    state: &TaskState,
    texts: &Texts,
    head: Head,
    basis: Basis,
    freshness: Freshness,
) -> ExecutionGuardView {
    let ids = |status: Status| -> Vec<String> {
        state
            .in_force()
            .filter(|(_, item)| item.status == status)
            .map(|(id, _)| id.to_string())
            .collect()
    };
    ExecutionGuardView {
        schema: SCHEMA,
        task_ref: state.task.map(|task| task.to_string()).unwrap_or_default(),
        contract: None,
        phase: phase(state),
        open_commitments: commitments(state, texts),
        unmet_gates: unmet_gates(state, texts),
        authorizations: authorizations(state, texts),
        conflicts: conflicts(state),
        quoted_acts: quoted_acts(state, texts),
        evidence_refs: evidence(state),
        stale_ids: ids(Status::Stale),
        disputed_ids: ids(Status::Disputed),
        work_object: state.work.as_ref().map(|work| WorkRef {
            identity: work.identity.to_string(),
            commit: work.commit.as_ref().map(ToString::to_string),
        }),
        head: head.to_string(),
        generation: state.generation.get(),
        recovery_class: state.transition.as_ref().and_then(|transition| transition.class),
        captured_at: state.recorded_at.to_string(),
        basis: matches!(freshness, Freshness::Current | Freshness::Behind).then_some(basis),
        freshness,
    }
}

fn phase(state: &TaskState) -> Phase {
    if state.task.is_none() {
        Phase::Unknown
    } else if state.is_off {
        Phase::Off
    } else if state.open_transition().is_some() {
        Phase::AtBoundary
    } else if state.ended_session.is_some() {
        Phase::Ended
    } else {
        Phase::Working
    }
}

fn target(item: &Item, texts: &Texts) -> Option<String> {
    let text = texts.item(&item.draft.body)?;
    text.target.as_ref().map(|target| target.as_str().to_owned())
}

fn commitments(state: &TaskState, texts: &Texts) -> Vec<CommitmentRef> {
    let is_commitment =
        |kind| matches!(kind, ItemKind::Goal | ItemKind::Constraint | ItemKind::Pin);
    let held = state.in_force().filter(|(_, item)| is_commitment(item.draft.kind));
    held.map(|(id, item)| CommitmentRef {
        id: id.to_string(),
        kind: item.draft.kind,
        act: item.draft.act,
        target: target(item, texts),
        status: item.status,
    })
    .collect()
}

fn unmet_gates(state: &TaskState, texts: &Texts) -> Vec<UnmetGate> {
    let waiting = state.in_force().filter_map(|(id, item)| {
        Some(UnmetGate {
            id: id.to_string(),
            act: item.draft.act,
            target: target(item, texts),
            needs: item.draft.gate?,
        })
    });
    waiting.collect()
}

fn authorizations(state: &TaskState, texts: &Texts) -> Vec<AuthorizationRef> {
    let held = state.of_kind(ItemKind::Authorization);
    held.map(|(id, item)| AuthorizationRef {
        id: id.to_string(),
        act: item.draft.act,
        target: target(item, texts),
        channel: item.channel,
        corroboration: item.corroboration,
    })
    .collect()
}

fn conflicts(state: &TaskState) -> Vec<Conflict> {
    let next = state.of_kind(ItemKind::NextAction);
    next.filter_map(|(id, item)| {
        let act = item.draft.act?;
        let with: Vec<String> = guards_of(state, act).map(|id| id.to_string()).collect();
        (!with.is_empty()).then(|| Conflict { id: id.to_string(), act, with })
    })
    .collect()
}

fn quoted_acts(state: &TaskState, texts: &Texts) -> Vec<QuotedAct> {
    let said = state.quotes.iter().filter_map(|(id, quote)| {
        let (act, stance) = quote.draft.act?;
        let text = texts.quote(&quote.draft.body);
        Some(QuotedAct {
            id: id.to_string(),
            kind: quote.draft.kind,
            act,
            stance,
            target: text
                .and_then(|text| text.target.as_ref())
                .map(|target| target.as_str().to_owned()),
        })
    });
    said.collect()
}

fn evidence(state: &TaskState) -> Vec<EvidenceRef> {
    let held = state.in_force().filter(|(_, item)| {
        matches!(item.draft.kind, ItemKind::Evidence | ItemKind::Completion)
            && item.draft.evidence_digest.is_some()
    });
    held.map(|(id, item)| EvidenceRef {
        id: id.to_string(),
        digest: item.draft.evidence_digest.map(|digest| digest.to_string()),
        status: item.status,
    })
    .collect()
}
