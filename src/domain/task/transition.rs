//! Lossy boundaries: what opened them, what was seen of them, what was offered.

use serde::{Deserialize, Serialize};

use crate::domain::chain::{Head, Sequence};
use crate::domain::ids::{Digest, Epoch, KeyedDigest, SnapshotId};
use crate::domain::time::Timestamp;

/// What kind of boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BoundaryKind {
    /// The host replaced the conversation by a summary.
    Compaction,
    /// An earlier conversation is taken up again.
    Resume,
    /// A conversation goes on under a new name.
    Fork,
    /// Another model answers.
    ModelSwitch,
    /// The host started a session for a reason that we do not know.
    Unknown,
}

impl BoundaryKind {
    /// Returns the name used for people and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Compaction => "compaction",
            Self::Resume => "resume",
            Self::Fork => "fork",
            Self::ModelSwitch => "model_switch",
            Self::Unknown => "unknown",
        }
    }
}

/// Who asked for a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompactionTrigger {
    /// The user.
    Manual,
    /// The host.
    Auto,
    /// Not said, or a word that we do not know.
    Unknown,
}

/// What the agent gets to know about how far its state can be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecoveryClass {
    /// Everything was compared, and nothing differs.
    Equivalent,
    /// Something was missing or older, and was put back from the ledger.
    Repaired,
    /// Something is not known; it is marked, and what does not depend on it can go on.
    ContinueWithMarkers,
    /// A mistake could not be undone: one question first.
    AskBeforeHighRisk,
}

impl RecoveryClass {
    /// Returns the name used for people and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Equivalent => "equivalent",
            Self::Repaired => "repaired",
            Self::ContinueWithMarkers => "continue_with_markers",
            Self::AskBeforeHighRisk => "ask_before_high_risk",
        }
    }
}

/// Whether an offered text was found where the host keeps what it gave to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrival {
    /// Found.
    Found,
    /// The place was readable, and it is not there.
    NotFound,
    /// The place could not be read.
    Uncheckable,
}

/// What was offered at a boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Offer {
    /// SHA-256 of the text without its mark line.
    pub digest: Digest,
    /// Tokens by our estimate.
    pub tokens: u32,
    /// Items and quotes that did not fit.
    pub omitted: u32,
    /// Which offer for this boundary, from 1.
    pub attempt: u8,
    /// The record that the text was built on; its mark names it.
    pub built_on: Head,
}

/// A snapshot as the state knows it; its content is a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotMark {
    /// Its name.
    pub snapshot: SnapshotId,
    /// SHA-256 of the file's content.
    pub digest: Digest,
    /// Digest of the effective state that it holds.
    pub state_digest: Digest,
}

/// How far a boundary has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "four separate facts, none follows from another")]
pub struct Transition {
    /// Its number.
    pub epoch: Epoch,
    /// What kind.
    pub kind: BoundaryKind,
    /// Who asked for it.
    pub trigger: CompactionTrigger,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// In which record.
    pub opened_in: Sequence,
    /// The snapshot that holds for it.
    pub snapshot: Option<SnapshotId>,
    /// Whether the host announced it before.
    pub is_announced: bool,
    /// Whether it is known to lie behind: by its kind, or by what the host sent since.
    pub is_crossed: bool,
    /// Whether an earlier boundary was crossed and never assessed, so that this one stands for both.
    pub is_earlier_pending: bool,
    /// Whether what this host counts as the sign of completion was seen.
    pub is_completed: bool,
    /// When the host said that the compaction happened.
    pub completed_at: Option<Timestamp>,
    /// When the host started the session behind the compaction.
    pub started_at: Option<Timestamp>,
    /// The class, once it was assessed.
    pub class: Option<RecoveryClass>,
    /// When it was assessed.
    pub assessed_at: Option<Timestamp>,
    /// The newest offer.
    pub offer: Option<Offer>,
    /// In which record the newest offer was claimed.
    pub offered_in: Option<Sequence>,
    /// Whether the offer arrived, once that was looked up.
    pub arrival: Option<Arrival>,
}

impl Transition {
    /// Tells whether the state is to be compared for it: it lies behind, or stands for one that
    /// does, and has no class yet.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.class.is_none() && (self.is_crossed || self.is_earlier_pending)
    }
}

/// A sub-agent that has started and not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Child {
    /// Its id under the task's key.
    pub agent: KeyedDigest,
    /// When it started.
    pub started_at: Timestamp,
}
