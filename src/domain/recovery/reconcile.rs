//! The decision table of recovery.

use crate::domain::act::Act;
use crate::domain::chain::Basis;
use crate::domain::fingerprint::{Difference, Drift, Known, ObjectName, Part, Workspace};
use crate::domain::ids::{Digest, ItemId};
use crate::domain::recovery::Finding;
use crate::domain::task::TaskState;
use crate::domain::task::item::{Authority, Item, ItemDraft, ItemKind, Status, VersionBinding};
use crate::domain::task::transition::{BoundaryKind, RecoveryClass};

/// What is left of the snapshot that holds for a boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnapshotReading {
    /// None was taken, and none was due: a resume or a model switch.
    NotDue,
    /// One was due, and none was taken.
    NotTaken,
    /// Its file is missing, empty or damaged, or of another content than the ledger names.
    Damaged,
    /// It was read.
    Read {
        /// Digest of the effective state that it holds.
        state_digest: Digest,
    },
}

/// What is compared.
#[derive(Debug, Clone, Copy)]
pub struct ReconcileInput<'a> {
    /// The fold of the ledger.
    pub state: &'a TaskState,
    /// What kind of boundary was crossed.
    pub kind: BoundaryKind,
    /// What is left of the snapshot.
    pub snapshot: SnapshotReading,
    /// How the workspace differs from where the work was last seen.
    pub drift: &'a Drift,
    /// Where the work stands now.
    pub now: &'a Workspace,
    /// Whether the commit now contains the one last seen; unknown if that was not asked.
    pub contains_last_head: Known<bool>,
    /// Commits that completions name and that HEAD does not contain.
    pub lost_commits: &'a [ObjectName],
    /// How much of the ledger was verified.
    pub basis: Basis,
    /// Whether the data root outlives a restart of the machine.
    pub is_durable: bool,
    /// Whether the text of an entry in force could not be read.
    pub is_text_missing: bool,
}

/// What came of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecoveryPlan {
    /// The gravest finding's class, `Equivalent` without any.
    pub class: RecoveryClass,
    /// What was found, in the order in which a person is told.
    pub findings: Vec<Finding>,
    /// Items that no longer hold as they are.
    pub stale: Vec<ItemId>,
}

impl RecoveryPlan {
    /// Adds a finding that showed later, such as what did not fit.
    pub fn add(&mut self, finding: Finding) {
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
            self.findings.sort_unstable();
            self.class = self.class.max(finding.class());
        }
    }
}

/// Compares, and classifies. Total: every input has an answer.
#[must_use]
pub fn reconcile(input: &ReconcileInput<'_>) -> RecoveryPlan {
    let mut plan =
        RecoveryPlan { class: RecoveryClass::Equivalent, findings: Vec::new(), stale: Vec::new() };
    boundary_findings(input, &mut plan);
    work_findings(input, &mut plan);
    item_findings(input.state, &mut plan);
    stale_items(input, &mut plan);
    ground_findings(input, &mut plan);
    plan
}

fn boundary_findings(input: &ReconcileInput<'_>, plan: &mut RecoveryPlan) {
    if input.kind == BoundaryKind::Compaction {
        let transition = input.state.transition.as_ref();
        if !transition.is_some_and(|transition| transition.is_announced) {
            plan.add(Finding::NotAnnounced);
        }
        if !transition.is_some_and(|transition| transition.is_completed) {
            plan.add(Finding::NotCompleted);
        }
    }
    match input.snapshot {
        SnapshotReading::NotDue => {}
        SnapshotReading::NotTaken => plan.add(Finding::SnapshotMissing),
        SnapshotReading::Damaged => plan.add(Finding::SnapshotDamaged),
        SnapshotReading::Read { state_digest } => {
            if state_digest != input.state.effective_digest() {
                plan.add(Finding::SnapshotOlder);
            }
        }
    }
}

/// A change that the session's own work explains is a marker; a change of the work object's
/// identity is a question.
fn work_findings(input: &ReconcileInput<'_>, plan: &mut RecoveryPlan) {
    let is_same_session =
        matches!(input.kind, BoundaryKind::Compaction | BoundaryKind::ModelSwitch);
    for difference in input.drift.iter() {
        match difference {
            // Another folder of the same worktree is where a shell went, not another work object.
            Difference::FolderChanged => {
                if is_elsewhere(input) {
                    plan.add(Finding::FolderChanged);
                }
            }
            Difference::RepositoryChanged => plan.add(Finding::RepositoryChanged),
            Difference::WorktreeChanged => plan.add(Finding::WorktreeChanged),
            Difference::Unregistered => plan.add(Finding::WorktreeUnregistered),
            Difference::Missing => plan.add(Finding::WorkMissing),
            Difference::BranchChanged { .. } | Difference::HeadRemoved if is_same_session => {
                plan.add(Finding::HeadMoved);
            }
            Difference::BranchChanged { .. } => plan.add(Finding::BranchChanged),
            Difference::HeadRemoved => plan.add(Finding::HeadNotDescendant),
            Difference::HeadMoved { from, .. } => {
                let is_explained = is_same_session || from.is_none();
                match input.contains_last_head {
                    _ if is_explained => plan.add(Finding::HeadMoved),
                    Known::Known(true) => plan.add(Finding::HeadMoved),
                    Known::Known(false) => plan.add(Finding::HeadNotDescendant),
                    Known::Unknown => {
                        plan.add(Finding::HeadMoved);
                        plan.add(Finding::WorkUnknown);
                    }
                }
            }
            Difference::Unknown { what: Part::Folder | Part::Checkout | Part::Head } => {
                plan.add(Finding::WorkUnknown);
            }
            Difference::IndexChanged | Difference::DirtyChanged | Difference::Unknown { .. } => {}
        }
    }
}

/// Tells whether the work stands in another place: not merely in another folder of one worktree.
fn is_elsewhere(input: &ReconcileInput<'_>) -> bool {
    let is_worktree_kept = matches!(input.now, Workspace::Git { .. })
        && !input.drift.iter().any(|difference| {
            matches!(
                difference,
                Difference::WorktreeChanged
                    | Difference::RepositoryChanged
                    | Difference::Unregistered
            )
        });
    !is_worktree_kept && input.drift.is_elsewhere()
}

fn item_findings(state: &TaskState, plan: &mut RecoveryPlan) {
    for (_, item) in state.in_force() {
        match (item.status, item.draft.kind) {
            (Status::Disputed, ItemKind::Goal) => plan.add(Finding::GoalDisputed),
            (Status::Disputed, ItemKind::Authorization) => plan.add(Finding::AuthorizationDisputed),
            (Status::Disputed, ItemKind::Constraint) => plan.add(Finding::ConstraintDisputed),
            (Status::Disputed, _) => plan.add(Finding::OtherDisputed),
            (_, ItemKind::Question) if item.draft.act.is_some() => {
                plan.add(Finding::HighRiskQuestionOpen);
            }
            _ => {}
        }
    }
    let is_guarded = |item: &Item| {
        item.draft
            .act
            .is_some_and(|act| item.draft.gate.is_some() || guards_of(state, act).next().is_some())
    };
    if state.of_kind(ItemKind::NextAction).any(|(_, item)| is_guarded(item)) {
        plan.add(Finding::GateUnmet);
    }
    if !state.children.is_empty() {
        plan.add(Finding::ChildOutcomeUnknown);
    }
}

/// Returns the items in force that forbid the act, or wait for a yes or a check before it.
///
/// A constraint about an act holds it back; so does any item with a gate, but for the next action
/// itself.
pub fn guards_of(state: &TaskState, act: Act) -> impl Iterator<Item = ItemId> {
    let guards = state.in_force().filter(move |(_, item)| {
        item.draft.act == Some(act)
            && item.draft.kind != ItemKind::NextAction
            && (item.draft.gate.is_some() || item.draft.kind == ItemKind::Constraint)
    });
    guards.map(|(id, _)| id)
}

fn stale_items(input: &ReconcileInput<'_>, plan: &mut RecoveryPlan) {
    for (id, item) in input.state.in_force().filter(|(_, item)| item.status != Status::Stale) {
        let finding = match item.draft.kind {
            ItemKind::NextAction => Some(Finding::NextActionStale),
            // A dispute is the graver doubt, and stays.
            ItemKind::Completion | ItemKind::Evidence
                if item.status != Status::Disputed && is_outdated(input, &item.draft) =>
            {
                Some(Finding::CompletionStale)
            }
            _ => None,
        };
        if let Some(finding) = finding {
            plan.stale.push(id);
            plan.add(finding);
        }
    }
}

fn is_outdated(input: &ReconcileInput<'_>, draft: &ItemDraft) -> bool {
    match (&draft.binding, head_of(input.now)) {
        (Some(VersionBinding::CheckedAt(commit)), Known::Known(head)) => {
            head.as_ref() != Some(commit)
        }
        (Some(VersionBinding::ContainedIn(commit)), _) => input.lost_commits.contains(commit),
        (Some(VersionBinding::CheckedAt(_)), Known::Unknown) => true,
        (None, _) => is_elsewhere(input),
    }
}

fn head_of(workspace: &Workspace) -> Known<Option<ObjectName>> {
    match workspace {
        Workspace::Git { state, .. } => state.head.clone(),
        _ => Known::Unknown,
    }
}

fn ground_findings(input: &ReconcileInput<'_>, plan: &mut RecoveryPlan) {
    if !input.is_durable {
        let has_authority =
            input.state.in_force().any(|(_, item)| item.draft.authority == Authority::User);
        plan.add(if has_authority { Finding::VolatileAuthority } else { Finding::VolatileRoot });
    }
    if input.state.missed_count > 0 {
        plan.add(Finding::EventsMissed);
    }
    if input.state.unrecognised_count > 0 {
        plan.add(Finding::EventsUnrecognised);
    }
    if input.basis != Basis::Full {
        plan.add(Finding::PartlyVerified);
    }
    if input.is_text_missing {
        plan.add(Finding::TextMissing);
    }
}
