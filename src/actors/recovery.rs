//! The actor that compares and words what is offered after a boundary.
//!
//! It owns nothing and writes nothing: a request carries everything, so a panic here costs one
//! answer and no state.

use ractor::{Actor, ActorProcessingErr, ActorRef, RpcReplyPort};
use sha2::{Digest as _, Sha256};

use crate::domain::budget::Budget;
use crate::domain::chain::{Basis, Head};
use crate::domain::fingerprint::{Known, ObjectName, Workspace, compare};
use crate::domain::ids::Digest;
use crate::domain::recovery::{Finding, ReconcileInput, RecoveryPlan, SnapshotReading, reconcile};
use crate::domain::task::TaskState;
use crate::domain::task::item::Status;
use crate::domain::task::limits::Limits;
use crate::domain::task::transition::{BoundaryKind, Offer};
use crate::domain::text::Redacted;
use crate::readmodels::continuity::{ViewInput, build as build_view, describe};
use crate::readmodels::layout::STATEMENTS;
use crate::readmodels::question::notice;
use crate::readmodels::recovery_context::build as build_context;
use crate::readmodels::texts::Texts;

/// Everything that a comparison needs.
#[derive(Debug, Clone)]
pub struct RecoveryRequest {
    /// The fold of the log, the boundary crossed.
    pub state: TaskState,
    /// The texts that it names.
    pub texts: Texts,
    /// The newest record.
    pub head: Head,
    /// How much of the log was verified.
    pub basis: Basis,
    /// Bytes of the log.
    pub log_bytes: u64,
    /// What kind of boundary.
    pub kind: BoundaryKind,
    /// What is left of the snapshot.
    pub snapshot: SnapshotReading,
    /// Where the work stands.
    pub now: Workspace,
    /// The folder that the host names.
    pub folder: Option<Redacted>,
    /// Whether HEAD contains the commit last seen.
    pub contains_last_head: Known<bool>,
    /// Commits that completions name and HEAD does not contain.
    pub lost_commits: Vec<ObjectName>,
    /// Whether the data root outlives a restart of the machine.
    pub is_durable: bool,
    /// The bounds of the task.
    pub limits: Limits,
    /// What the text may cost.
    pub budget: Budget,
}

/// What came of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecoveryAnswer {
    /// The class, what was found, and what is stale.
    pub plan: RecoveryPlan,
    /// What is offered; `None` if nothing is in force.
    pub offer: Option<Offer>,
    /// The offered text without its mark line.
    pub body: String,
    /// What the user is shown.
    pub notice: Option<String>,
}

/// Compares and words. Pure: same request, same answer.
#[must_use]
pub fn assess(request: &RecoveryRequest) -> RecoveryAnswer {
    let before = request.state.work.as_ref().and_then(|work| request.texts.workspace(&work.body));
    let drift = compare(before.unwrap_or(&request.now), &request.now);
    let mut plan = reconcile(&ReconcileInput {
        state: &request.state,
        kind: request.kind,
        snapshot: request.snapshot,
        drift: &drift,
        now: &request.now,
        contains_last_head: request.contains_last_head,
        lost_commits: &request.lost_commits,
        basis: request.basis,
        is_durable: request.is_durable,
        is_text_missing: request.texts.lack_any_of(&request.state),
    });
    let state = with_stale_items(request, &plan);
    let view = build_view(&ViewInput {
        state: &state,
        texts: &request.texts,
        head: request.head,
        basis: request.basis,
        log_bytes: request.log_bytes,
        is_durable: request.is_durable,
        limits: request.limits,
    });
    let now = describe(&request.now);
    let context = build_context(&view, Some(&now), &plan.findings, &request.budget, &STATEMENTS);
    if context.omitted_count > 0 {
        plan.add(Finding::Trimmed);
    }
    let attempt = state.transition.as_ref().and_then(|transition| transition.offer);
    let offer = (!context.body.is_empty()).then(|| Offer {
        digest: Digest::new(Sha256::digest(context.body.as_bytes()).into()),
        tokens: context.tokens.0,
        omitted: u32::try_from(context.omitted_count).unwrap_or(u32::MAX),
        attempt: attempt.map_or(1, |offer| offer.attempt.saturating_add(1)),
        built_on: request.head,
    });
    let notice = notice(&plan, before, &request.now, request.folder.as_ref());
    RecoveryAnswer { plan, offer, body: context.body, notice }
}

fn with_stale_items(request: &RecoveryRequest, plan: &RecoveryPlan) -> TaskState {
    let mut state = request.state.clone();
    for id in &plan.stale {
        if let Some(item) = state.items.get_mut(id) {
            item.status = Status::Stale;
        }
    }
    state
}

/// A request to the actor.
pub struct Assess {
    /// What is compared.
    pub request: Box<RecoveryRequest>,
    /// Where the answer goes.
    pub reply: RpcReplyPort<RecoveryAnswer>,
}

/// Started and restarted by whoever needs it; holds no state.
pub struct RecoveryActor;

impl Actor for RecoveryActor {
    type Msg = Assess;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _myself: ActorRef<Assess>, (): ()) -> Result<(), ActorProcessingErr> {
        Ok(())
    }

    async fn handle(
        &self,
        _myself: ActorRef<Assess>,
        message: Assess,
        (): &mut (),
    ) -> Result<(), ActorProcessingErr> {
        if !message.reply.is_closed() {
            let answer = assess(&message.request);
            if message.reply.send(answer).is_err() {
                tracing::debug!("nobody waits for the comparison any more");
            }
        }
        Ok(())
    }
}
