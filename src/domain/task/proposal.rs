//! What is put before the user, to be confirmed word for word.

use serde::{Deserialize, Serialize};

use super::item::{ItemDraft, Status};
use crate::domain::body::{BodyRef, ItemText};
use crate::domain::ids::{Digest, ItemId, QuoteId};
use crate::domain::text::Redacted;
use crate::domain::time::Timestamp;

/// The text of a proposal: what binds is this, not anybody's paraphrase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposalText {
    /// The whole text as shown.
    pub shown: Redacted,
    /// The items' texts, in the order of the drafts.
    pub items: Vec<ItemText>,
}

/// A proposal as it is opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposalDraft {
    /// The text as shown.
    pub body: BodyRef,
    /// Digest over the shown text and the drafts: what a confirmation must name.
    pub digest: Digest,
    /// The items to record, with user authority once confirmed.
    pub items: Vec<ItemDraft>,
    /// Quotes that the items put into words: a confirmation closes them.
    pub quotes: Vec<QuoteId>,
}

/// An open proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// What was opened.
    pub draft: ProposalDraft,
    /// When.
    pub opened_at: Timestamp,
    /// The items that it touches, as they stood then.
    pub touches: Vec<(ItemId, Status)>,
}

/// How a proposal ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalOutcome {
    /// The user confirmed it.
    Confirmed,
    /// The user refused it.
    Rejected,
    /// Nobody answered in time.
    Expired,
    /// An item that it touches changed.
    Stale,
    /// The task was reset.
    Reset,
}
