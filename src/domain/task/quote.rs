//! The user's own words, carried without any confirmation.
//!
//! A quote has none of the three authorities and does not move the generation. Of two quotes on one
//! subject the later stands as *later words* and the earlier as *possibly replaced*; neither is
//! removed for that alone. Quotes close by the rules of `closing.rs`; what is closed stays in
//! the log and is counted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::domain::act::Act;
use crate::domain::body::BodyRef;
use crate::domain::chain::Sequence;
use crate::domain::ids::{KeyedDigest, QuoteId};
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

/// A place in the course of a task, from which is measured how much came after.
///
/// Neither number is a time: a task that rests does not age.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Prompts seen until then, its own included.
    pub prompt: u32,
    /// Boundaries that lie behind.
    pub crossing: u32,
}

/// What later words did to a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overtaken {
    /// The later quote.
    pub by: QuoteId,
    /// When it was written.
    pub at: Moment,
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
    /// Where in the task the user wrote it.
    pub said: Moment,
    /// Keyed digest of the whole prompt that held it; `None` if it came with a fork.
    pub prompt: Option<KeyedDigest>,
    /// The kind by whose rules it is kept: its own, or that of a constraint whose place it took.
    pub kept_as: SignalKind,
    /// The first later quote that may close it.
    pub overtaken: Option<Overtaken>,
}

impl Quote {
    /// Wraps words that nothing has replaced yet.
    #[must_use]
    pub fn new(
        draft: QuoteDraft,
        said_at: Timestamp,
        recorded_in: Sequence,
        said: Moment,
        prompt: Option<KeyedDigest>,
    ) -> Self {
        let kept_as = kept_as(&draft);
        let (possibly_replaced_by, overtaken) = (None, None);
        Self { draft, said_at, recorded_in, possibly_replaced_by, said, prompt, kept_as, overtaken }
    }

    /// Tells whether both are of one kind, about the same thing, and say the same of one act.
    ///
    /// The words can still differ: "always use tabs" and "never use tabs" are alike. Words about
    /// nothing are like no others.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let subject = &self.draft.subject;
        let is_about_something = !subject.words().is_empty() || !subject.values().is_empty();
        is_about_something && self.has_marks_of(other)
    }

    /// Tells whether both surely say the same: they are alike and name one act with one stance, or
    /// the whole prompts were equal.
    #[must_use]
    pub fn says_the_same_as(&self, other: &Self) -> bool {
        let is_equal_prompt = self.prompt.is_some() && self.prompt == other.prompt;
        (is_equal_prompt && self.has_marks_of(other))
            || (self.draft.act.is_some() && self.is_like(other))
    }

    fn has_marks_of(&self, other: &Self) -> bool {
        let (one, two) = (&self.draft, &other.draft);
        one.kind == two.kind && one.subject == two.subject && one.act == two.act
    }

    /// Tells whether these words, which replace `earlier` by their subject, may close it in time.
    ///
    /// A doubt or a claim closes only doubts and claims. A constraint gives way only to a correction
    /// that is closer to it than a possible replacement has to be: about the same act if it names
    /// one, and about the very same subject, or naming the old value beside a new one.
    fn overtakes(&self, earlier: &Self) -> bool {
        use SignalKind::{
            Authorization, Cancel, CompletionClaim, Correction, Dispute, GoalChange, HardConstraint,
        };
        if self.said.prompt == earlier.said.prompt {
            return false;
        }
        let later = self.draft.kind;
        match earlier.kept_as {
            // Of two constraints with other values ("never touch module 5", "never touch module 6")
            // no rule can tell whether both are meant.
            HardConstraint => later == Correction && self.is_close_to(earlier),
            Authorization => {
                matches!(later, HardConstraint | Authorization | Correction | Cancel)
            }
            GoalChange | Correction | Cancel => {
                matches!(later, HardConstraint | GoalChange | Correction | Cancel)
            }
            Dispute | CompletionClaim => later != Authorization,
        }
    }

    fn is_close_to(&self, earlier: &Self) -> bool {
        let (later, earlier) = (&self.draft, &earlier.draft);
        let act = |draft: &QuoteDraft| draft.act.map(|(act, _)| act);
        if earlier.act.is_some() && act(later) != act(earlier) {
            return false;
        }
        let names_old_value =
            later.subject.values().iter().any(|value| earlier.subject.values().contains(value));
        later.subject.words() == earlier.subject.words() || names_old_value
    }
}

/// Words that surely forbid an act, or tie it to the user's yes, are kept as a constraint.
#[must_use]
pub fn kept_as(draft: &QuoteDraft) -> SignalKind {
    match draft.act {
        Some((_, Stance::Forbidden | Stance::NeedsYes)) => SignalKind::HardConstraint,
        _ => draft.kind,
    }
}

/// Puts a quote beside the open ones and marks those that it possibly replaces or overtakes.
///
/// Words that are like earlier ones overtake them, and are kept as they were; so is a correction
/// that overtakes a constraint.
pub fn take_up(open: &mut BTreeMap<QuoteId, Quote>, id: QuoteId, mut quote: Quote) {
    for earlier in open.values_mut() {
        let replaces = quote.draft.subject.replaces(&earlier.draft.subject, quote.draft.kind);
        if replaces {
            earlier.possibly_replaced_by = Some(id);
        }
        let is_later = quote.said.prompt != earlier.said.prompt;
        if (is_later && quote.is_like(earlier)) || (replaces && quote.overtakes(earlier)) {
            earlier.overtaken.get_or_insert(Overtaken { by: id, at: quote.said });
            if earlier.kept_as == SignalKind::HardConstraint {
                quote.kept_as = SignalKind::HardConstraint;
            }
        }
    }
    open.insert(id, quote);
}

/// Takes away the marks that a quote left on earlier ones: words that were withdrawn replace
/// nothing.
pub fn take_back(open: &mut BTreeMap<QuoteId, Quote>, id: QuoteId) {
    for earlier in open.values_mut() {
        earlier.possibly_replaced_by = earlier.possibly_replaced_by.filter(|by| *by != id);
        earlier.overtaken = earlier.overtaken.filter(|overtaken| overtaken.by != id);
    }
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
    /// Later words say the same.
    SaidAgain,
    /// Later words on the same subject have stood beside it for long enough.
    Overtaken,
    /// It is old, or many newer ones of its kind are open.
    Spent,
}

/// How many quotes were closed by rule, and by which.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClosedByRule {
    /// Later words say the same.
    pub said_again: u32,
    /// Overtaken by later words.
    pub overtaken: u32,
    /// Old, or outnumbered by newer ones of the kind.
    pub spent: u32,
}

impl ClosedByRule {
    /// Counts one more; closings for other reasons are not counted here.
    pub fn count(&mut self, closure: QuoteClosure) {
        let count = match closure {
            QuoteClosure::SaidAgain => &mut self.said_again,
            QuoteClosure::Overtaken => &mut self.overtaken,
            QuoteClosure::Spent => &mut self.spent,
            _ => return,
        };
        *count = count.saturating_add(1);
    }
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
