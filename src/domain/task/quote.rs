//! The user's own words, carried without any confirmation.
//!
//! A quote has none of the three authorities and does not move the generation. Of two quotes on one
//! subject the later stands as *later words* and the earlier as *possibly replaced*; neither is
//! ever removed for that.

use serde::{Deserialize, Serialize};

use crate::domain::act::Act;
use crate::domain::body::BodyRef;
use crate::domain::chain::Sequence;
use crate::domain::ids::QuoteId;
use crate::domain::signal::{SignalKind, SubjectKey};
use crate::domain::time::Timestamp;

/// What the words say of an act, where the rule is certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// It may be done.
    Allowed,
    /// It must not be done.
    Forbidden,
    /// It waits for the user's yes.
    NeedsYes,
}

/// A quote as it is recorded; the words are in its body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteDraft {
    /// The signal that the words carry.
    pub kind: SignalKind,
    /// The words.
    pub body: BodyRef,
    /// What they are about, hashed under the task's key.
    pub subject: SubjectKey,
    /// The act that they name.
    pub act: Option<(Act, Stance)>,
}

/// An open quote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// What was recorded.
    pub draft: QuoteDraft,
    /// When the user wrote it.
    pub said_at: Timestamp,
    /// In which record.
    pub recorded_in: Sequence,
    /// A later quote that possibly replaces it.
    pub possibly_replaced_by: Option<QuoteId>,
}

/// Why a quote is open no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuoteClosure {
    /// More quotes were open than [`super::limits::QUOTES_OPEN_MAX`]; counted, not forgotten.
    Crowded,
    /// An item with the user's authority says it now.
    Confirmed,
    /// The task was reset or cleared.
    Reset,
    /// A person closed it.
    Withdrawn,
}

/// Returns how much a quote of this kind weighs when room is short; more is kept longer.
#[must_use]
pub fn weight(kind: SignalKind) -> u8 {
    match kind {
        SignalKind::HardConstraint => 6,
        SignalKind::Authorization => 5,
        SignalKind::GoalChange => 4,
        SignalKind::Correction | SignalKind::Cancel => 3,
        SignalKind::Dispute => 2,
        SignalKind::CompletionClaim => 1,
    }
}

/// A quote that another task hands over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InheritedQuote {
    /// Its name there.
    pub quote: QuoteId,
    /// What was recorded, its body copied.
    pub draft: QuoteDraft,
}
