//! Typed acts (temporary, replaced by the signal branch).
use serde::{Deserialize, Serialize};
/// An act whose effect reaches beyond the working copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// push
    Push,
    /// publish
    Publish,
    /// deploy
    Deploy,
    /// delete
    Delete,
    /// pay
    Pay,
    /// message
    Message,
    /// install
    Install,
    /// reset
    Reset,
    /// migrate
    Migrate,
    /// other
    OtherIrreversible,
}
impl Act {
    /// name
    #[must_use]
    pub fn name(self) -> &'static str {
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
