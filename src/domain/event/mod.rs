//! What happened to a task: past-tense facts, and the batches that one command leaves.
//!
//! A record of the log holds one [`Batch`], so a crash never leaves half a decision. Events hold ids
//! and commitments; every text is a body outside the chain.
//!
//! Source: `docs/format.md`, "Batch".

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
mod upcast;
pub mod wire;

use serde::{Deserialize, Serialize};

use super::body::BodyRef;
use super::chain::{Basis, Head, Sequence};
use super::fingerprint::ObjectName;
use super::ids::{
    BodyId, CommandId, Epoch, ItemId, KeyedDigest, ProposalId, QuoteId, SessionKey, SnapshotId,
    TaskRef,
};
use super::origin::{HostNumber, Origin};
use super::recovery::Finding;
use super::signal::SignalSet;
use super::task::carried::Carried;
use super::task::item::{Corroboration, ItemDraft, Status};
use super::task::proposal::{ProposalDraft, ProposalOutcome};
use super::task::quote::{QuoteClosure, QuoteDraft};
use super::task::transition::{
    Arrival, BoundaryKind, CompactionTrigger, Offer, RecoveryClass, SnapshotMark,
};
use super::time::Timestamp;

/// What one command left, with what holds for all of its events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// What holds for all events.
    pub header: BatchHeader,
    /// The events, in order; never empty.
    pub events: Vec<Event>,
}

/// What holds for all events of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchHeader {
    /// The command, so that its repetition is recognised.
    pub command: CommandId,
    /// When; never earlier than the batch before.
    pub recorded_at: Timestamp,
    /// Through which door.
    pub origin: Origin,
}

/// A batch header together with its place in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// What holds for all events.
    pub header: BatchHeader,
    /// The record.
    pub sequence: Sequence,
}

/// A task that this one takes over from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Predecessor {
    /// The other task.
    pub task: TaskRef,
    /// Its newest record when it was taken over.
    pub head: Head,
}

/// Why items changed their status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkReason {
    /// A boundary was crossed.
    BoundaryCrossed,
    /// The work object is at another version.
    VersionMoved,
    /// A person or the agent said that it is done with.
    Withdrawn,
    /// Another item contests it.
    Contested,
    /// A dispute was settled.
    Settled,
    /// The host's transcript contradicts the confirmation.
    Contradicted,
    /// The task was reset or cleared.
    Reset,
}

/// Why the effective state was emptied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResetKind {
    /// A person asked for it.
    Reset,
    /// The host's session was cleared.
    Cleared,
}

/// A fact about a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
#[non_exhaustive]
pub enum Event {
    /// The log begins.
    TaskOpened {
        /// The task.
        task: TaskRef,
        /// The task that it takes over from.
        predecessor: Option<Predecessor>,
        /// Items there that are not taken over: what the user allowed.
        left_items: Vec<ItemId>,
        /// Quotes there that are not taken over.
        left_quotes: Vec<QuoteId>,
    },
    /// A new key for digests is in use.
    KeyCreated {
        /// Its number.
        number: u32,
    },
    /// A host session belongs to the task.
    SessionJoined {
        /// The host.
        host: HostNumber,
        /// The session.
        session: SessionKey,
    },
    /// The user wrote something.
    PromptSeen {
        /// Keyed digest of the whole prompt.
        digest: KeyedDigest,
        /// Number of the key.
        key: u32,
        /// Length in characters.
        length_chars: u32,
        /// Continuity signals in it.
        signals: SignalSet,
    },
    /// Another model answers from here on.
    ModelSeen {
        /// Keyed digest of its name.
        model: KeyedDigest,
    },
    /// Some of the user's words are carried.
    QuoteRecorded {
        /// Its name.
        quote: QuoteId,
        /// What was recorded.
        draft: QuoteDraft,
    },
    /// Quotes are open no more.
    QuotesClosed {
        /// Which.
        quotes: Vec<QuoteId>,
        /// Why.
        closure: QuoteClosure,
    },
    /// The work stands elsewhere than at the last look.
    WorkObjectSeen {
        /// Where, in words.
        body: BodyRef,
        /// Keyed digest of folder, repository, branch and commit.
        identity: KeyedDigest,
        /// The commit, if there is one.
        commit: Option<ObjectName>,
    },
    /// An item is in the task.
    ItemRecorded {
        /// Its name.
        item: ItemId,
        /// What was said.
        draft: ItemDraft,
        /// The status that it starts with.
        status: Status,
    },
    /// Items have another status.
    ItemsMarked {
        /// Which.
        items: Vec<ItemId>,
        /// The status from here on.
        status: Status,
        /// Why.
        reason: MarkReason,
    },
    /// A proposal waits for the user.
    ProposalOpened {
        /// Its name.
        proposal: ProposalId,
        /// What is proposed.
        draft: ProposalDraft,
    },
    /// A proposal waits no more.
    ProposalEnded {
        /// Which.
        proposal: ProposalId,
        /// How it ended.
        outcome: ProposalOutcome,
    },
    /// The host was given the text of proposals to show to the user.
    ProposalsShown {
        /// Which.
        proposals: Vec<ProposalId>,
    },
    /// A code that names no proposal was typed while one was open.
    CodeMissed {
        /// How often that happened since the newest proposal was opened.
        misses: u32,
    },
    /// The user took a confirmation back.
    ConfirmationUndone {
        /// The proposal.
        proposal: ProposalId,
    },
    /// A successor took the effective state over.
    TaskRolledOver {
        /// The successor.
        successor: TaskRef,
    },
    /// A full log's whole effective state is in this log: the events before this one, and what they
    /// cannot say.
    CarriedOver {
        /// The rest.
        carried: Box<Carried>,
    },
    /// The effective state was put into a file.
    SnapshotTaken {
        /// Which, and what it holds.
        mark: SnapshotMark,
    },
    /// A lossy boundary is ahead, or was just noticed.
    TransitionOpened {
        /// Its number.
        epoch: Epoch,
        /// What kind.
        kind: BoundaryKind,
        /// Who asked for it.
        trigger: CompactionTrigger,
        /// The snapshot that holds for it.
        snapshot: Option<SnapshotId>,
        /// Whether the host announced it before it happened.
        is_announced: bool,
    },
    /// The host said that a compaction happened.
    CompactionCompleted {
        /// Which boundary.
        epoch: Epoch,
    },
    /// The host started a session behind the boundary.
    BoundaryCrossed {
        /// Which boundary.
        epoch: Epoch,
        /// Whether this host counts that as the sign that the compaction completed.
        is_completion: bool,
    },
    /// The host's own transcript was asked whether the user wrote a confirmation.
    ItemsCorroborated {
        /// The items that the confirmation made.
        items: Vec<ItemId>,
        /// The answer.
        corroboration: Corroboration,
    },
    /// The state was compared after a boundary.
    RecoveryAssessed {
        /// Which boundary.
        epoch: Epoch,
        /// The class.
        class: RecoveryClass,
        /// What was found.
        findings: Vec<Finding>,
        /// How much of the log was verified.
        basis: Basis,
    },
    /// A text was offered to the agent; whether it arrives is another fact.
    RecoveryOffered {
        /// Which boundary.
        epoch: Epoch,
        /// What was offered.
        offer: Offer,
    },
    /// The host's transcript was asked whether an offer arrived.
    OfferLookedUp {
        /// Which boundary.
        epoch: Epoch,
        /// The answer.
        arrival: Arrival,
    },
    /// A sub-agent started.
    ChildStarted {
        /// Keyed digest of its id.
        agent: KeyedDigest,
    },
    /// A sub-agent ended; what came of it is unknown.
    ChildEnded {
        /// Keyed digest of its id.
        agent: KeyedDigest,
    },
    /// A host session ended.
    SessionEnded {
        /// Which.
        session: SessionKey,
    },
    /// The effective state was emptied; history stays.
    TaskReset {
        /// Why.
        kind: ResetKind,
    },
    /// Recording was switched off or on.
    ProtectionSwitched {
        /// Whether it is on from here.
        is_on: bool,
    },
    /// Earlier processes could not record something.
    MissedNotesTaken {
        /// How many events.
        count: u32,
    },
    /// A person accepted a log that ends before an acknowledged record, or differs from it.
    RollbackAccepted {
        /// The head that a witness remembered.
        remembered: Sequence,
    },
    /// An event of a kind or version that this release does not know.
    Unrecognised {
        /// Its kind.
        kind: u16,
        /// Its version.
        version: u16,
    },
}

impl Event {
    /// Returns the bodies that the event names.
    #[must_use]
    pub fn bodies(&self) -> Vec<BodyId> {
        match self {
            Self::QuoteRecorded { draft, .. } => vec![draft.body.id],
            Self::WorkObjectSeen { body, .. } => vec![body.id],
            Self::ItemRecorded { draft, .. } => vec![draft.body.id],
            Self::ProposalOpened { draft, .. } => std::iter::once(draft.body.id)
                .chain(draft.items.iter().map(|item| item.body.id))
                .collect(),
            _ => Vec::new(),
        }
    }
}
