//! What a comparison can come to, and how much each matters.

use serde::{Deserialize, Serialize};

use crate::domain::task::transition::RecoveryClass;

/// One thing that a comparison came to.
///
/// The order is the order in which a person is told: what cannot be undone first. New ones are
/// added at the end of their class's names in stored events, never in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Finding {
    /// The session goes on in another folder.
    FolderChanged,
    /// The folder belongs to another repository.
    RepositoryChanged,
    /// The folder is another worktree of the same repository.
    WorktreeChanged,
    /// The repository does not know the worktree.
    WorktreeUnregistered,
    /// The folder is gone.
    WorkMissing,
    /// Another branch is checked out.
    BranchChanged,
    /// HEAD does not contain the commit that it named before.
    HeadNotDescendant,
    /// Two goals cannot both hold.
    GoalDisputed,
    /// What was allowed is contested.
    AuthorizationDisputed,
    /// What must hold is contested.
    ConstraintDisputed,
    /// An act that reaches outside is next, and what it waits for has not come.
    GateUnmet,
    /// An open question is about an act that reaches outside.
    HighRiskQuestionOpen,
    /// Items with the user's authority live in a place that may vanish.
    VolatileAuthority,
    /// No snapshot was taken for this boundary.
    SnapshotMissing,
    /// The snapshot's file is gone or damaged; the ledger is whole.
    SnapshotDamaged,
    /// The state moved on after the snapshot.
    SnapshotOlder,
    /// The host did not announce the compaction.
    NotAnnounced,
    /// The host did not say that the compaction happened.
    NotCompleted,
    /// What was to be done next has to be derived again.
    NextActionStale,
    /// Completions were checked at an earlier version of the work.
    CompletionStale,
    /// HEAD moved on to a later commit.
    HeadMoved,
    /// Where the work stands could not be read.
    WorkUnknown,
    /// A sub-agent ended or vanished; what came of it is unknown.
    ChildOutcomeUnknown,
    /// Not everything fitted into the offered text.
    Trimmed,
    /// The data root may vanish, but nothing of the user's authority is in it.
    VolatileRoot,
    /// Some events may not have been recorded.
    EventsMissed,
    /// Only the newest part of the log was verified.
    PartlyVerified,
    /// The text of an item or quote cannot be read.
    TextMissing,
    /// Something of lower risk is contested.
    OtherDisputed,
    /// The log holds events of a newer release.
    EventsUnrecognised,
}

impl Finding {
    /// Returns the class that this finding alone asks for.
    #[must_use]
    pub fn class(self) -> RecoveryClass {
        match self {
            Self::FolderChanged
            | Self::RepositoryChanged
            | Self::WorktreeChanged
            | Self::WorktreeUnregistered
            | Self::WorkMissing
            | Self::BranchChanged
            | Self::HeadNotDescendant
            | Self::GoalDisputed
            | Self::AuthorizationDisputed
            | Self::ConstraintDisputed
            | Self::GateUnmet
            | Self::HighRiskQuestionOpen
            | Self::VolatileAuthority => RecoveryClass::AskBeforeHighRisk,
            Self::SnapshotMissing | Self::SnapshotDamaged | Self::SnapshotOlder => {
                RecoveryClass::Repaired
            }
            Self::NotAnnounced
            | Self::NotCompleted
            | Self::NextActionStale
            | Self::CompletionStale
            | Self::HeadMoved
            | Self::WorkUnknown
            | Self::ChildOutcomeUnknown
            | Self::Trimmed
            | Self::VolatileRoot
            | Self::EventsMissed
            | Self::PartlyVerified
            | Self::TextMissing
            | Self::OtherDisputed
            | Self::EventsUnrecognised => RecoveryClass::ContinueWithMarkers,
        }
    }

    /// Returns the sentence for people and for the agent: states what is so, asks for nothing.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::FolderChanged => "the session is in another folder than before",
            Self::RepositoryChanged => "the folder belongs to another repository than before",
            Self::WorktreeChanged => "the folder is another worktree than before",
            Self::WorktreeUnregistered => "the folder is not a registered worktree",
            Self::WorkMissing => "the working folder is missing",
            Self::BranchChanged => "another branch is checked out than before",
            Self::HeadNotDescendant => "HEAD does not contain the commit seen before",
            Self::GoalDisputed => "the goal is disputed",
            Self::AuthorizationDisputed => "an authorization is disputed",
            Self::ConstraintDisputed => "a constraint is disputed",
            Self::GateUnmet => "an act waits for a yes or a check that has not come",
            Self::HighRiskQuestionOpen => "a question about an act that cannot be undone is open",
            Self::VolatileAuthority => "the user's items are in a place that may vanish",
            Self::SnapshotMissing => "no snapshot was taken before this boundary",
            Self::SnapshotDamaged => "the snapshot is missing or damaged; rebuilt from the ledger",
            Self::SnapshotOlder => "the ledger is newer than the snapshot; the ledger holds",
            Self::NotAnnounced => "the host did not announce this compaction; it was unprotected",
            Self::NotCompleted => "whether the compaction completed is unknown",
            Self::NextActionStale => "the next action is stale; to be derived again",
            Self::CompletionStale => "a completion was checked at an earlier version",
            Self::HeadMoved => "HEAD moved on since it was last seen",
            Self::WorkUnknown => "where the work stands could not be read",
            Self::ChildOutcomeUnknown => "a sub-agent has not ended; its outcome is unknown",
            Self::Trimmed => "not everything fits here",
            Self::VolatileRoot => "continuity data is in a place that may vanish",
            Self::EventsMissed => "some events may not have been recorded",
            Self::PartlyVerified => "only the newest part of the ledger was verified",
            Self::TextMissing => "the text of an entry is missing",
            Self::OtherDisputed => "a statement is disputed",
            Self::EventsUnrecognised => "the ledger holds events of a newer release",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_of_several_findings_is_the_gravest() {
        let findings = [Finding::Trimmed, Finding::BranchChanged, Finding::SnapshotOlder];
        let class = findings.iter().map(|finding| finding.class()).max();
        assert_eq!(class, Some(RecoveryClass::AskBeforeHighRisk));
    }
}
