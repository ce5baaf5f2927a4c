//! The kinds of act that cannot simply be taken back.
//!
//! A typed act is all that classifying, asking and guarding ever read; prose is never branched on.

use serde::{Deserialize, Serialize};

/// One kind of act outside the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Act {
    /// Sends commits to a remote.
    Push,
    /// Makes a package, release or page public.
    Publish,
    /// Brings a version into an environment.
    Deploy,
    /// Removes files, branches, records or resources.
    Delete,
    /// Moves money.
    Pay,
    /// Writes to other people: mail, chat, comments.
    Message,
    /// Adds software or dependencies.
    Install,
    /// Throws away state: a hard reset, a dropped or truncated table.
    Reset,
    /// Changes a schema or moves stored data.
    Migrate,
    /// Anything else that cannot be undone.
    OtherIrreversible,
}

impl Act {
    /// Every act, in the order of the wire numbers.
    pub const ALL: [Self; 10] = [
        Self::Push,
        Self::Publish,
        Self::Deploy,
        Self::Delete,
        Self::Pay,
        Self::Message,
        Self::Install,
        Self::Reset,
        Self::Migrate,
        Self::OtherIrreversible,
    ];

    /// Returns the number that stands for this act on disk; never reused.
    #[must_use]
    pub const fn wire(self) -> u8 {
        match self {
            Self::Push => 1,
            Self::Publish => 2,
            Self::Deploy => 3,
            Self::Delete => 4,
            Self::Pay => 5,
            Self::Message => 6,
            Self::Install => 7,
            Self::Reset => 8,
            Self::Migrate => 9,
            Self::OtherIrreversible => 10,
        }
    }

    /// Returns the act behind a wire number; `None` for a number of a newer release.
    #[must_use]
    pub fn from_wire(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|act| act.wire() == number)
    }

    /// Returns the name used in JSON and shown to people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Push => "push",
            Self::Publish => "publish",
            Self::Deploy => "deploy",
            Self::Delete => "delete",
            Self::Pay => "pay",
            Self::Message => "message",
            Self::Install => "install",
            Self::Reset => "reset",
            Self::Migrate => "migrate",
            Self::OtherIrreversible => "other_irreversible",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Act;

    #[test]
    fn every_act_keeps_its_number_and_its_name() {
        for (number, act) in (1..).zip(Act::ALL) {
            assert_eq!(act.wire(), number);
            assert_eq!(Act::from_wire(number), Some(act));
            assert_eq!(serde_json::to_string(&act).unwrap(), format!("\"{}\"", act.name()));
        }
        assert_eq!(Act::from_wire(0), None);
        assert_eq!(Act::from_wire(11), None);
    }
}
