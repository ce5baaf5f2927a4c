//! The task aggregate: what one conversation and its successors are about.
//!
//! [`decide()`] holds all rules and changes nothing; [`evolve()`] holds none and cannot fail. State
//! comes from batches alone.

pub mod carried;
mod closing;
pub mod command;
mod commands_seen;
pub mod decide;
mod decide_boundary;
mod decide_item;
mod decide_manage;
mod decide_prompt;
mod decide_proposal;
mod decide_rollover;
pub mod evolve;
mod evolve_proposal;
pub mod item;
pub mod limits;
pub mod proposal;
pub mod quote;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
pub mod transition;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

pub use commands_seen::CommandsSeen;
pub use decide::decide;
pub use decide_boundary::{RecoveryMoment, is_recovery_due};
pub use decide_proposal::answer;
pub use decide_rollover::is_rollover_due;
pub use evolve::{apply_batch, evolve};

use self::item::{Item, ItemDraft, ItemKind, Status};
use self::proposal::{Confirmed, Effect, Proposal, RolloverOffer};
use self::quote::{ClosedByRule, Moment, Quote, QuoteDraft};
use self::transition::{Child, SnapshotMark, Transition};
use super::body::BodyRef;
use super::event::Predecessor;
use super::event::wire::encode_value;
use super::fingerprint::ObjectName;
use super::ids::{
    Digest, Epoch, Generation, ItemId, KeyedDigest, ProposalId, QuoteId, SessionKey, SnapshotId,
    TaskRef,
};
use super::time::Timestamp;

/// Version of the code that folds batches into a [`TaskState`]; a stored state of another version
/// is rebuilt.
pub const FOLD_VERSION: u32 = 3;

/// Where the work was last seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkSeen {
    /// Where, in words.
    pub body: BodyRef,
    /// Keyed digest of folder, repository, branch and commit.
    pub identity: KeyedDigest,
    /// The commit, if there is one.
    pub commit: Option<ObjectName>,
}

/// The newest prompt, to recognise its repetition where a host has no turn ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastPrompt {
    /// Its keyed digest.
    pub digest: KeyedDigest,
    /// The session that it was written in.
    pub session: Option<SessionKey>,
    /// When.
    pub seen_at: Timestamp,
}

/// Everything that is known of a task: the fold of its log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskState {
    /// Its name, once the log has begun.
    pub task: Option<TaskRef>,
    /// The task that it took over from.
    pub predecessor: Option<Predecessor>,
    /// Whether the conversation is a copy of another task's.
    pub is_fork: bool,
    /// Items of that task that were not taken over.
    pub left_items: Vec<ItemId>,
    /// Quotes of that task that were not taken over.
    pub left_quotes: Vec<QuoteId>,
    /// Number of the key for digests; 0 before the first.
    pub key: u32,
    /// Events folded.
    pub event_count: u64,
    /// Events folded that this release does not know.
    pub unrecognised_count: u32,
    /// Counts changes of items.
    pub generation: Generation,
    /// Time of the newest batch.
    pub recorded_at: Timestamp,
    /// Items in force, and those that one of them replaces directly.
    pub items: BTreeMap<ItemId, Item>,
    /// Items recorded ever; the next one is one more.
    pub item_count: u32,
    /// Open quotes.
    pub quotes: BTreeMap<QuoteId, Quote>,
    /// Quotes recorded ever.
    pub quote_count: u32,
    /// Quotes closed because too many were open.
    pub quotes_crowded_out: u32,
    /// Quotes closed because later words stand for them, or because they are old.
    pub quotes_closed_by_rule: ClosedByRule,
    /// Prompts seen ever.
    pub prompt_count: u32,
    /// Boundaries that were crossed and compared.
    pub crossing_count: u32,
    /// Open proposals.
    pub proposals: BTreeMap<ProposalId, Proposal>,
    /// Proposals opened ever.
    pub proposal_count: u32,
    /// The newest confirmations that can be taken back, oldest first.
    pub confirmed: Vec<Confirmed>,
    /// Wrong codes typed since the newest proposal was opened.
    pub code_misses: u32,
    /// What is left to be done outside the log.
    pub effect: Option<Effect>,
    /// The task that took over from this one.
    pub successor: Option<TaskRef>,
    /// The newest offer of a new log.
    pub rollover_offer: Option<RolloverOffer>,
    /// The newest snapshots, oldest first.
    pub snapshots: Vec<SnapshotMark>,
    /// Snapshots taken ever.
    pub snapshot_count: u32,
    /// The newest boundary, whether it is over or not.
    pub transition: Option<Transition>,
    /// Prompts since the newest comparison or offer.
    pub prompts_since_offer: u32,
    /// Boundaries opened ever.
    pub epoch_count: u32,
    /// Where the work was last seen.
    pub work: Option<WorkSeen>,
    /// Keyed digest of the model's name.
    pub model: Option<KeyedDigest>,
    /// Sessions that joined, oldest first.
    pub sessions: Vec<SessionKey>,
    /// The session whose end was the newest thing heard of the host.
    pub ended_session: Option<SessionKey>,
    /// Sub-agents that have not ended.
    pub children: Vec<Child>,
    /// Whether recording is off.
    pub is_off: bool,
    /// Events that could not be recorded since the last boundary.
    pub missed_count: u32,
    /// The newest prompt.
    pub last_prompt: Option<LastPrompt>,
    /// Commands seen.
    pub commands: CommandsSeen,
}

/// What a state digest covers: what is in force, and nothing of when or how often.
#[derive(Serialize)]
struct Effective<'a> {
    items: Vec<(ItemId, &'a ItemDraft, Status)>,
    quotes: Vec<(QuoteId, &'a QuoteDraft, Option<QuoteId>)>,
    proposals: Vec<ProposalId>,
    is_off: bool,
}

impl TaskState {
    /// The state before the first batch.
    #[must_use]
    pub fn initial() -> Self {
        Self::default()
    }

    /// Returns the items that are carried across a boundary, in the order of their names.
    pub fn in_force(&self) -> impl Iterator<Item = (ItemId, &Item)> {
        self.items
            .iter()
            .filter(|(_, item)| item.status.is_in_force())
            .map(|(id, item)| (*id, item))
    }

    /// Returns an item that is in force.
    #[must_use]
    pub fn item_in_force(&self, id: ItemId) -> Option<&Item> {
        self.items.get(&id).filter(|item| item.status.is_in_force())
    }

    /// Returns the items in force of one kind.
    pub fn of_kind(&self, kind: ItemKind) -> impl Iterator<Item = (ItemId, &Item)> {
        self.in_force().filter(move |(_, item)| item.draft.kind == kind)
    }

    /// Tells whether there is anything to carry across a boundary.
    #[must_use]
    pub fn has_content(&self) -> bool {
        !self.quotes.is_empty() || self.in_force().next().is_some()
    }

    /// Tells whether nothing is recorded here any more: a successor took over, or is about to.
    #[must_use]
    pub fn is_left(&self) -> bool {
        self.successor.is_some() || self.effect == Some(Effect::RollOver)
    }

    /// Tells whether nothing but one session's first prompt was recorded, and nothing inherited: so
    /// little that the session can still go on with another task.
    #[must_use]
    pub fn is_only_begun(&self) -> bool {
        self.predecessor.is_none()
            && self.transition.is_none()
            && self.item_count == 0
            && self.prompts_since_offer <= 1
            && self.sessions.len() <= 1
    }

    /// Returns the task in whose name the newest offer was made: the predecessor, if that offer was
    /// carried over.
    #[must_use]
    pub fn offered_as(&self) -> Option<TaskRef> {
        let is_carried = self.transition.as_ref().is_some_and(|it| it.offered_in.is_none());
        match self.predecessor {
            Some(predecessor) if is_carried => Some(predecessor.task),
            _ => self.task,
        }
    }

    /// Returns the name that the next item gets.
    #[must_use]
    pub fn next_item(&self) -> ItemId {
        ItemId::new(self.item_count.saturating_add(1))
    }

    /// Returns the name that the next snapshot gets.
    #[must_use]
    pub fn next_snapshot(&self) -> SnapshotId {
        SnapshotId::new(self.snapshot_count.saturating_add(1))
    }

    /// Returns the number that the next boundary gets.
    #[must_use]
    pub fn next_epoch(&self) -> Epoch {
        Epoch::new(self.epoch_count.saturating_add(1))
    }

    /// Returns where the task stands: a boundary that waits for its comparison lies behind already.
    #[must_use]
    pub fn moment(&self) -> Moment {
        let is_pending = self.transition.as_ref().is_some_and(Transition::is_pending);
        let crossing = self.crossing_count.saturating_add(u32::from(is_pending));
        Moment { prompt: self.prompt_count, crossing }
    }

    /// Returns the boundary that has not been assessed yet.
    #[must_use]
    pub fn open_transition(&self) -> Option<&Transition> {
        self.transition.as_ref().filter(|transition| transition.class.is_none())
    }

    /// Returns the digest of the effective state: commitments and typed fields, never text.
    ///
    /// Two states with the same digest would offer the same text.
    #[must_use]
    pub fn effective_digest(&self) -> Digest {
        let effective = Effective {
            items: self.in_force().map(|(id, item)| (id, &item.draft, item.status)).collect(),
            quotes: self
                .quotes
                .iter()
                .map(|(id, quote)| (*id, &quote.draft, quote.possibly_replaced_by))
                .collect(),
            proposals: self.proposals.keys().copied().collect(),
            is_off: self.is_off,
        };
        // Two states that could not be put into bytes must not pass for the same.
        let Ok(bytes) = encode_value(&effective) else {
            unreachable!("typed fields of known length always have bytes")
        };
        Digest::new(Sha256::digest(bytes).into())
    }
}
