//! What can be asked of a task, and what has to be known to answer.

use super::carried::Continuation;
use super::item::{Corroboration, InheritedItem, ItemDraft};
use super::limits::Limits;
use super::proposal::ProposalDraft;
use super::quote::{InheritedQuote, QuoteDraft};
use super::transition::{Arrival, BoundaryKind, CompactionTrigger, Offer, SnapshotMark};
use crate::domain::body::BodyRef;
use crate::domain::chain::{Basis, Sequence};
use crate::domain::confirmation::Answer;
use crate::domain::event::{Predecessor, ResetKind};
use crate::domain::fingerprint::ObjectName;
use crate::domain::ids::{
    CommandId, Digest, Generation, ItemId, KeyedDigest, ProposalId, QuoteId, TaskRef,
};
use crate::domain::origin::Origin;
use crate::domain::recovery::RecoveryPlan;
use crate::domain::signal::SignalSet;
use crate::domain::time::Timestamp;

/// A request to a task.
#[derive(Debug, Clone)]
pub struct Command {
    /// Its name: seen twice, it does nothing twice. A host event without a turn id has a fresh one,
    /// since two equal prompts a minute apart are two.
    pub id: CommandId,
    /// Where it comes from.
    pub origin: Origin,
    /// The generation that the sender knew; `None` where the order cannot matter.
    pub expected_generation: Option<Generation>,
    /// What is asked.
    pub action: Action,
}

/// What has to be known of the world; a replay never asks again.
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    /// The time; an earlier one than the task has seen is raised to that.
    pub now: Timestamp,
    /// The task's own name, for its first event.
    pub task: TaskRef,
    /// Bytes of the log so far.
    pub log_bytes: u64,
    /// The bounds in force.
    pub limits: Limits,
}

/// What was seen of the user's prompt.
#[derive(Debug, Clone)]
pub struct PromptObserved {
    /// Keyed digest of the whole prompt.
    pub digest: KeyedDigest,
    /// Number of the key.
    pub key: u32,
    /// Length in characters.
    pub length_chars: u32,
    /// Continuity signals in it.
    pub signals: SignalSet,
    /// The words that carry them.
    pub quotes: Vec<QuoteDraft>,
    /// Keyed digest of the model's name, if the host told it.
    pub model: Option<KeyedDigest>,
    /// Whether a turn id told this event from others; without one a time window does.
    pub has_turn: bool,
    /// Whether an earlier offer arrived, if that was looked up.
    pub arrival: Option<Arrival>,
    /// Whether this prompt brought its session to the task, which had not heard of it.
    pub is_carried: bool,
    /// What the prompt answers, if it is an answer and nothing else.
    pub answer: Option<Answer>,
    /// What the host's transcript says of earlier confirmations.
    pub corroborations: Vec<(ProposalId, Corroboration)>,
}

/// Where the work was seen to stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkObserved {
    /// Where, in words.
    pub body: BodyRef,
    /// Keyed digest of folder, repository, branch and commit.
    pub identity: KeyedDigest,
    /// The commit, if there is one.
    pub commit: Option<ObjectName>,
}

/// In what way a task takes over from another one.
#[derive(Debug, Clone)]
pub enum Succession {
    /// The conversation was copied: all but what the user allowed there.
    Fork,
    /// The same conversation goes on in a new log: everything.
    RollOver(Box<Continuation>),
}

/// What is asked.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Action {
    /// The user wrote a prompt that is not empty.
    ObservePrompt {
        /// What was seen of it.
        prompt: PromptObserved,
        /// Where the work stands.
        work: Option<WorkObserved>,
    },
    /// The host announced a compaction.
    ObservePreCompact {
        /// Who asked for it.
        trigger: CompactionTrigger,
        /// The snapshot taken; `None` where the last one still holds or none could be written.
        snapshot: Option<SnapshotMark>,
        /// Where the work stands.
        work: Option<WorkObserved>,
    },
    /// The host said that a compaction happened.
    ObservePostCompact {
        /// Who asked for it.
        trigger: CompactionTrigger,
    },
    /// The host started or took up a session.
    ObserveBoundary {
        /// What kind of boundary that is.
        kind: BoundaryKind,
        /// Where the work stands; taken only if it was never seen before, for the comparison needs
        /// the earlier place.
        work: Option<WorkObserved>,
        /// Whether this host counts the event itself as the sign that a compaction completed.
        is_completion: bool,
    },
    /// The host cleared this very session.
    ObserveClear,
    /// A turn ended.
    ObserveStop {
        /// Where the work stands.
        work: Option<WorkObserved>,
        /// Whether the host shows our line to the user now.
        is_shown: bool,
        /// What the host's transcript says of earlier confirmations.
        corroborations: Vec<(ProposalId, Corroboration)>,
        /// A new log, to be put before the user because this one fills up.
        rollover: Option<ProposalDraft>,
    },
    /// A sub-agent started.
    ObserveChildStart {
        /// Keyed digest of its id.
        agent: KeyedDigest,
    },
    /// A sub-agent ended.
    ObserveChildStop {
        /// Keyed digest of its id.
        agent: KeyedDigest,
    },
    /// The host session ended.
    ObserveSessionEnd,
    /// The state was compared; offer what is due. The text may be given out only if the answer
    /// holds a `RecoveryOffered`: whoever comes second gets none.
    Recover {
        /// What came of the comparison.
        plan: RecoveryPlan,
        /// How much of the log was verified.
        basis: Basis,
        /// The text that is offered, if there is anything to offer.
        offer: Option<Offer>,
    },
    /// Record an item.
    Record {
        /// What is said.
        draft: ItemDraft,
    },
    /// Replace an item: the draft supersedes it.
    Correct {
        /// What is said instead; `supersedes` names at least one item.
        draft: ItemDraft,
    },
    /// Put items side by side that cannot both hold.
    Contest {
        /// At least two items in force.
        items: Vec<ItemId>,
    },
    /// Say that an item is done with.
    Withdraw {
        /// Which.
        item: ItemId,
    },
    /// Close a quote.
    CloseQuote {
        /// Which.
        quote: QuoteId,
    },
    /// Put items before the user.
    Propose {
        /// What is proposed.
        draft: ProposalDraft,
    },
    /// The user confirmed a proposal.
    Confirm {
        /// Which.
        proposal: ProposalId,
        /// Digest of what the user saw.
        digest: Digest,
    },
    /// The user refused a proposal.
    Reject {
        /// Which.
        proposal: ProposalId,
    },
    /// Take a confirmation back.
    Undo {
        /// The proposal.
        proposal: ProposalId,
    },
    /// Note that a successor took over.
    RollOver {
        /// The successor.
        successor: TaskRef,
    },
    /// Note what the host's transcript says of the prompt that confirmed items.
    Corroborate {
        /// Items that one confirmation made.
        items: Vec<ItemId>,
        /// What was found.
        corroboration: Corroboration,
    },
    /// Take over another task's effective state, in the log's first batch.
    Inherit {
        /// In what way.
        succession: Succession,
        /// The other task.
        predecessor: Predecessor,
        /// Its items in force.
        items: Vec<InheritedItem>,
        /// Its open quotes.
        quotes: Vec<InheritedQuote>,
    },
    /// Take in words that the user wrote in a session before it went on with this task.
    TakeIn {
        /// The words.
        quotes: Vec<QuoteDraft>,
    },
    /// Empty the effective state.
    Reset {
        /// Why.
        kind: ResetKind,
    },
    /// Switch recording off or on.
    SwitchProtection {
        /// Whether it is to be on.
        is_on: bool,
    },
    /// Take in notes of events that could not be recorded.
    TakeMissedNotes {
        /// How many.
        count: u32,
    },
    /// Use a new key for digests.
    UseKey {
        /// Its number.
        number: u32,
    },
    /// Go on with a log that a witness contradicts.
    AcceptRollback {
        /// The head that the witness remembered.
        remembered: Sequence,
    },
}
