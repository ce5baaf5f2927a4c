//! What is put before the user, to be confirmed word for word.

use serde::{Deserialize, Serialize};

use super::TaskState;
use super::item::{Corroboration, ItemDraft, Status};
use super::limits::{LOOKED_UP_MILLIS_MIN, LOOKED_UP_PROMPTS_MAX, PROPOSAL_OPEN_MILLIS_MAX};
use super::quote::Quote;
use crate::domain::body::{BodyRef, ItemText};
use crate::domain::confirmation::{Answer, Code, Verb};
use crate::domain::ids::{Digest, ItemId, ProposalId, QuoteId, SessionKey};
use crate::domain::text::{Redacted, UntrustedText};
use crate::domain::time::Timestamp;

/// The text of a proposal: what binds is this, not anybody's paraphrase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposalText {
    /// The whole text as shown.
    pub shown: Redacted,
    /// The items' texts, in the order of the drafts.
    pub items: Vec<ItemText>,
}

/// What a confirmation brings about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Purpose {
    /// The items are in force, with the user's authority.
    Items,
    /// Nothing is recorded any more.
    SwitchOff,
    /// Recording goes on.
    SwitchOn,
    /// The effective state is emptied; history stays.
    Reset,
    /// The task is deleted with everything that is kept of it.
    Delete,
    /// A successor with an empty log takes the effective state over.
    RollOver,
}

/// A proposal as it is opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposalDraft {
    /// The text as shown.
    pub body: BodyRef,
    /// Digest over the shown text and the drafts: what a confirmation must name.
    pub digest: Digest,
    /// The items to record, with user authority once confirmed; none for another purpose.
    pub items: Vec<ItemDraft>,
    /// Quotes that the items put into words: a confirmation closes them.
    pub quotes: Vec<QuoteId>,
    /// What a confirmation brings about.
    pub purpose: Purpose,
    /// What the user types to answer.
    pub code: Code,
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
    /// Whether the host was given its text to show to the user.
    pub is_shown: bool,
}

impl Proposal {
    /// Returns until when it can be confirmed.
    #[must_use]
    pub fn expires_at(&self) -> Timestamp {
        let open_millis = i64::try_from(PROPOSAL_OPEN_MILLIS_MAX).unwrap_or(i64::MAX);
        Timestamp::from_millis(self.opened_at.as_millis().saturating_add(open_millis))
    }
}

/// A proposal that was confirmed and can still be taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmed {
    /// Its name.
    pub proposal: ProposalId,
    /// What the user typed, and types to take it back.
    pub code: Code,
    /// What it brought about.
    pub purpose: Purpose,
    /// When.
    pub confirmed_at: Timestamp,
    /// Prompts of the task so far, the confirming one among them.
    pub confirmed_with: u32,
    /// The host session whose prompt confirmed it; `None` for an operator.
    pub session: Option<SessionKey>,
    /// The items that it made.
    pub made: Vec<ItemId>,
    /// The items that those replaced, as they stood before.
    pub replaced: Vec<(ItemId, Status)>,
    /// The quotes that it closed.
    pub quotes: Vec<(QuoteId, Quote)>,
    /// What the host's transcript says of the prompt; `None` before it was looked at.
    pub corroboration: Option<Corroboration>,
}

impl Confirmed {
    /// Tells whether the transcript is still to be asked: it made items, and neither was it found
    /// there nor contradicted. What stays uncheckable is asked about for
    /// [`LOOKED_UP_PROMPTS_MAX`] prompts, and for [`LOOKED_UP_MILLIS_MIN`] however many there are:
    /// forged prompts that follow each other at once must not outwait the transcript.
    #[must_use]
    pub fn is_unsettled(&self, state: &TaskState) -> bool {
        let prompts = state.prompt_count.saturating_sub(self.confirmed_with);
        let is_open = matches!(self.corroboration, None | Some(Corroboration::Uncheckable));
        let is_recent = state.recorded_at.millis_since(self.confirmed_at) <= LOOKED_UP_MILLIS_MIN;
        is_open && !self.made.is_empty() && (is_recent || prompts <= LOOKED_UP_PROMPTS_MAX)
    }

    /// Tells whether this text is the prompt that confirmed it.
    #[must_use]
    pub fn is_answered_by(&self, text: &str) -> bool {
        Answer::parse(&UntrustedText::new(text))
            .is_some_and(|answer| answer.verb == Verb::Confirm && answer.code == self.code)
    }
}

/// What is left to be done outside the task's log once a confirmation is recorded. It is done by
/// whoever comes next, until it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Delete the task.
    Delete,
    /// Begin the successor.
    RollOver,
}

/// When a new log was last offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RolloverOffer {
    /// Boundaries opened until then.
    pub epoch_count: u32,
    /// Whether the user refused it.
    pub is_refused: bool,
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
    /// Too many wrong codes were tried.
    Guessed,
}
