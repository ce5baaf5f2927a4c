//! Signals (temporary, replaced by the signal branch).
use serde::{Deserialize, Serialize};
/// kind
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SignalKind {
    /// goal
    GoalChange,
    /// correction
    Correction,
    /// constraint
    HardConstraint,
    /// authorization
    Authorization,
    /// dispute
    Dispute,
    /// completion
    CompletionClaim,
    /// cancel
    Cancel,
}
/// set
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SignalSet(u16);
impl SignalSet {
    /// empty
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// add
    #[must_use]
    pub fn with(self, kind: SignalKind) -> Self {
        Self(
            self.0
                | (1 << (match kind {
                    SignalKind::GoalChange => 0,
                    SignalKind::Correction => 1,
                    SignalKind::HardConstraint => 2,
                    SignalKind::Authorization => 3,
                    SignalKind::Dispute => 4,
                    SignalKind::CompletionClaim => 5,
                    SignalKind::Cancel => 6,
                })),
        )
    }
}
/// subject
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SubjectKey {
    /// words
    pub words: Vec<u32>,
    /// values
    pub values: Vec<u32>,
}
impl SubjectKey {
    /// replaces
    #[must_use]
    pub fn replaces(&self, earlier: &Self, kind: SignalKind) -> bool {
        let same = self.words.iter().any(|w| earlier.words.contains(w));
        same && (self.values != earlier.values
            || matches!(kind, SignalKind::Correction | SignalKind::GoalChange | SignalKind::Cancel))
    }
}
/// set
pub struct Signals {
    /// set
    pub set: SignalSet,
    /// quotes
    pub quotes: Vec<SignalQuote>,
}
/// quote
pub struct SignalQuote {
    /// kind
    pub kind: SignalKind,
    /// text
    pub text: crate::domain::text::Redacted,
    /// subject
    pub subject: Subject,
    /// act
    pub act: Option<QuotedAct>,
}
/// act
pub struct QuotedAct {
    /// act
    pub act: crate::domain::act::Act,
    /// target
    pub target: Option<crate::domain::text::Redacted>,
    /// stance
    pub stance: crate::domain::task::quote::Stance,
}
/// subject
pub struct Subject {
    /// w
    pub words: Vec<String>,
    /// v
    pub values: Vec<String>,
}
/// detect
#[must_use]
pub fn detect(_text: &crate::domain::text::UntrustedText) -> Signals {
    Signals { set: SignalSet::default(), quotes: Vec::new() }
}
/// host
#[must_use]
pub fn is_host_made(_text: &crate::domain::text::UntrustedText) -> bool {
    false
}
impl SubjectKey {
    /// new
    #[must_use]
    pub fn new(w: impl Iterator<Item = u32>, v: impl Iterator<Item = u32>) -> Self {
        Self { words: w.collect(), values: v.collect() }
    }
}
