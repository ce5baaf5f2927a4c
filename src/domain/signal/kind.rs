//! The seven kinds of signal, and sets of them.

use serde::{Deserialize, Serialize};

/// What a sentence of the user changes.
///
/// The order is the order in which a sentence that carries several kinds is filed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SignalKind {
    /// Something must, or must never, be done from here on.
    HardConstraint,
    /// An act is allowed.
    Authorization,
    /// What was said or done before is put right.
    Correction,
    /// The aim of the work is set or changed.
    GoalChange,
    /// Something under way is called off.
    Cancel,
    /// Something that was taken as true is doubted.
    Dispute,
    /// Something is said to be done.
    CompletionClaim,
}

impl SignalKind {
    /// Every kind, in the order of their bits.
    pub const ALL: [Self; 7] = [
        Self::HardConstraint,
        Self::Authorization,
        Self::Correction,
        Self::GoalChange,
        Self::Cancel,
        Self::Dispute,
        Self::CompletionClaim,
    ];

    /// Returns the bit that stands for this kind on disk; never reused.
    #[must_use]
    pub const fn bit(self) -> u16 {
        match self {
            Self::GoalChange => 1,
            Self::Correction => 1 << 1,
            Self::HardConstraint => 1 << 2,
            Self::Authorization => 1 << 3,
            Self::Dispute => 1 << 4,
            Self::CompletionClaim => 1 << 5,
            Self::Cancel => 1 << 6,
        }
    }

    /// Returns the name used in JSON and shown to people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::GoalChange => "goal_change",
            Self::Correction => "correction",
            Self::HardConstraint => "hard_constraint",
            Self::Authorization => "authorization",
            Self::Dispute => "dispute",
            Self::CompletionClaim => "completion_claim",
            Self::Cancel => "cancel",
        }
    }

    /// Returns the kind that [`SignalKind::name`] names.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A set of kinds: one bit each, unknown bits of newer releases kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SignalSet(u16);

impl SignalSet {
    /// Returns the bits, as they are stored.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Tells whether no signal is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Tells whether `kind` is in the set.
    #[must_use]
    pub const fn contains(self, kind: SignalKind) -> bool {
        self.0 & kind.bit() != 0
    }

    /// Returns the set with `kind` in it.
    #[must_use]
    pub const fn with(self, kind: SignalKind) -> Self {
        Self(self.0 | kind.bit())
    }

    /// Returns what is in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the kinds in the set, the one that a sentence is filed under first.
    pub fn kinds(self) -> impl Iterator<Item = SignalKind> {
        SignalKind::ALL.into_iter().filter(move |kind| self.contains(*kind))
    }
}

#[cfg(test)]
mod tests {
    use super::{SignalKind, SignalSet};

    #[test]
    fn every_kind_has_a_bit_and_a_name_of_its_own() {
        let mut all = SignalSet::default();
        for kind in SignalKind::ALL {
            assert!(!all.contains(kind));
            all = all.with(kind);
            assert_eq!(SignalKind::from_name(kind.name()), Some(kind));
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{}\"", kind.name()));
        }
        assert_eq!(all.bits(), 0b111_1111);
        assert_eq!(serde_json::to_string(&all).unwrap(), "127");
        assert_eq!(all.kinds().count(), 7);
    }
}
