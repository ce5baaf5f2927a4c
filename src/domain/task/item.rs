//! One invariant of a task, and the words that say how far it can be believed.

use serde::{Deserialize, Serialize};

use crate::domain::act::Act;
use crate::domain::body::BodyRef;
use crate::domain::chain::Sequence;
use crate::domain::fingerprint::ObjectName;
use crate::domain::ids::{Digest, ItemId, TaskRef};
use crate::domain::origin::Channel;
use crate::domain::time::Timestamp;

/// Who owns an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Namespace {
    /// What the user wants; owned by an intent plugin where one is bound.
    Intent,
    /// Where the work stands.
    Operational,
}

/// What an item says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ItemKind {
    /// What the work is for.
    Goal,
    /// What must hold throughout.
    Constraint,
    /// What the user allowed, for one act and target; a record of words, never a grant.
    Authorization,
    /// What replaces an earlier statement.
    Correction,
    /// What was chosen, and why.
    Decision,
    /// What is open.
    Question,
    /// What is contested.
    Dispute,
    /// A reference to something checkable.
    Evidence,
    /// What the work is on.
    WorkObject,
    /// What is done.
    Completion,
    /// What was to be done next; never trusted after a boundary.
    NextAction,
    /// Anything else that changes the next action.
    Fact,
    /// What the user keeps on purpose, word for word.
    Pin,
}

impl ItemKind {
    /// Every kind, in the order of their wire numbers.
    pub const ALL: [Self; 13] = [
        Self::Goal,
        Self::Constraint,
        Self::Authorization,
        Self::Correction,
        Self::Decision,
        Self::Question,
        Self::Dispute,
        Self::Evidence,
        Self::WorkObject,
        Self::Completion,
        Self::NextAction,
        Self::Fact,
        Self::Pin,
    ];

    /// Returns the namespace that owns the kind.
    #[must_use]
    pub fn namespace(self) -> Namespace {
        match self {
            Self::Goal
            | Self::Constraint
            | Self::Authorization
            | Self::Correction
            | Self::Decision
            | Self::Question
            | Self::Dispute
            | Self::Pin => Namespace::Intent,
            Self::Evidence
            | Self::WorkObject
            | Self::Completion
            | Self::NextAction
            | Self::Fact => Namespace::Operational,
        }
    }

    /// Returns the name used for people and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Goal => "goal",
            Self::Constraint => "constraint",
            Self::Authorization => "authorization",
            Self::Correction => "correction",
            Self::Decision => "decision",
            Self::Question => "question",
            Self::Dispute => "dispute",
            Self::Evidence => "evidence",
            Self::WorkObject => "work_object",
            Self::Completion => "completion",
            Self::NextAction => "next_action",
            Self::Fact => "fact",
            Self::Pin => "pin",
        }
    }
}

/// Whether an item is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// In force.
    Active,
    /// Replaced by a later item.
    Superseded,
    /// Contested; stands beside what contests it.
    Disputed,
    /// Carried, not yet known to be true.
    Unverified,
    /// Was true of an earlier state of the work; to be derived again.
    Stale,
    /// Done with, or withdrawn.
    Closed,
}

impl Status {
    /// Tells whether the item is carried across a boundary.
    #[must_use]
    pub fn is_in_force(self) -> bool {
        !matches!(self, Self::Superseded | Self::Closed)
    }

    /// Returns the name used for people and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Superseded => "superseded",
            Self::Disputed => "disputed",
            Self::Unverified => "unverified",
            Self::Stale => "stale",
            Self::Closed => "closed",
        }
    }
}

/// Whose word an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Authority {
    /// The user's.
    User,
    /// Our own deterministic check of a Git object or a file digest.
    VerifiedEvidence,
    /// The agent's.
    AgentInference,
}

impl Authority {
    /// Returns the name used for people and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::VerifiedEvidence => "verified_evidence",
            Self::AgentInference => "agent_inference",
        }
    }
}

/// How far an item was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verification {
    /// Nothing to check, or not looked at.
    None,
    /// Somebody says so.
    Claimed,
    /// We looked.
    Checked,
}

/// How certain whoever recorded an item was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// A guess.
    Low,
    /// Likely.
    Medium,
    /// Sure.
    High,
}

/// What an act waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// The user's yes.
    UserYes,
    /// A check.
    Evidence,
}

/// How far an item reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The whole task.
    Task,
    /// One delegated part, by number.
    Part(u32),
}

/// Which version of the work a completion or a piece of evidence is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VersionBinding {
    /// Holds while this commit is part of the history of HEAD.
    ContainedIn(ObjectName),
    /// Was seen at exactly this commit.
    CheckedAt(ObjectName),
}

/// Where an item came from when a task took over another's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ItemOrigin {
    /// The other task.
    pub task: TaskRef,
    /// The item there.
    pub item: ItemId,
}

/// What the host's own transcript says of the prompt that confirmed an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Corroboration {
    /// The prompt is there.
    Found,
    /// Later lines are readable, and the prompt is not there.
    Contradicted,
    /// No transcript, a late one, or one that cannot be read.
    Uncheckable,
}

/// What is said about an item when it is recorded; the text is in its body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemDraft {
    /// What it says.
    pub kind: ItemKind,
    /// Its text.
    pub body: BodyRef,
    /// Whose word it is.
    pub authority: Authority,
    /// How far it was checked.
    pub verification: Verification,
    /// How certain whoever recorded it was.
    pub confidence: Confidence,
    /// Digest of the evidence it names.
    pub evidence_digest: Option<Digest>,
    /// Items that it replaces.
    pub supersedes: Vec<ItemId>,
    /// How far it reaches.
    pub scope: Scope,
    /// The act it is about.
    pub act: Option<Act>,
    /// What that act waits for.
    pub gate: Option<Gate>,
    /// Which version of the work it is about.
    pub binding: Option<VersionBinding>,
    /// Whether its body has a rationale.
    pub has_rationale: bool,
    /// Where it came from, if another task had it first.
    pub copied_from: Option<ItemOrigin>,
}

impl ItemDraft {
    /// Says no more than what, where its text is and whose word it is: not checked, of high
    /// confidence, about the whole task and about no act.
    #[must_use]
    pub const fn new(kind: ItemKind, body: BodyRef, authority: Authority) -> Self {
        Self {
            kind,
            body,
            authority,
            verification: Verification::None,
            confidence: Confidence::High,
            evidence_digest: None,
            supersedes: Vec::new(),
            scope: Scope::Task,
            act: None,
            gate: None,
            binding: None,
            has_rationale: false,
            copied_from: None,
        }
    }
}

/// An item as the state knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// What was said when it was recorded.
    pub draft: ItemDraft,
    /// Whether it is in force.
    pub status: Status,
    /// Through which door it came.
    pub channel: Channel,
    /// When.
    pub recorded_at: Timestamp,
    /// In which record.
    pub recorded_in: Sequence,
    /// The item that replaced it.
    pub superseded_by: Option<ItemId>,
    /// What the host's transcript says of its confirmation, once that was asked.
    pub corroboration: Option<Corroboration>,
}

/// An item that another task hands over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InheritedItem {
    /// Its name there.
    pub item: ItemId,
    /// What was said, its body copied.
    pub draft: ItemDraft,
    /// How it stood there; a dispute stays a dispute.
    pub status: Status,
}

/// Tells whether authority, verification and status may stand together when an item is recorded.
///
/// The table is published in `docs/concepts/items.md`.
#[must_use]
pub fn is_legal(draft: &ItemDraft) -> bool {
    match draft.authority {
        Authority::User => draft.verification != Verification::Claimed,
        Authority::VerifiedEvidence => {
            draft.verification == Verification::Checked
                && draft.kind.namespace() == Namespace::Operational
        }
        Authority::AgentInference => draft.verification != Verification::Checked,
    }
}

/// Returns the status that an item starts with.
#[must_use]
pub fn first_status(draft: &ItemDraft) -> Status {
    match (draft.authority, draft.kind) {
        (_, ItemKind::Dispute) => Status::Disputed,
        (Authority::AgentInference, _) => Status::Unverified,
        (Authority::User, ItemKind::Completion) if draft.verification == Verification::None => {
            Status::Unverified
        }
        _ => Status::Active,
    }
}
