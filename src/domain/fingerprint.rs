//! Where the work stands: folder, repository, branch, commit, and what is not committed.

use serde::{Deserialize, Serialize};

use super::ids::Digest;
use super::text::Redacted;

/// A Git object name of 40 or 64 hexadecimal digits, kept as bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ObjectName(Vec<u8>);

impl ObjectName {
    /// Parses 40 (SHA-1) or 64 (SHA-256) lower-case hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != 40 && text.len() != 64 {
            return None;
        }
        data_encoding::HEXLOWER.decode(text.as_bytes()).ok().map(Self)
    }

    /// Returns the first ten digits, as shown to people.
    #[must_use]
    pub fn short(&self) -> String {
        let mut text = self.to_string();
        text.truncate(10);
        text
    }
}

impl std::fmt::Display for ObjectName {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&data_encoding::HEXLOWER.encode(&self.0))
    }
}

/// What is checked out.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Checkout {
    /// A branch that has commits; the name without `refs/heads/`.
    Branch(Redacted),
    /// A branch without a commit yet.
    Unborn(Redacted),
    /// No branch.
    Detached,
}

/// A value that was either read or not; never guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Known<T> {
    /// Read.
    Known(T),
    /// Not read: past a bound in bytes, files or time, unreadable, or not asked for.
    Unknown,
}

/// The Git side of a fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GitState {
    /// SHA-256 of the real path of the common directory: the same for all worktrees of a repository.
    pub common_dir: Digest,
    /// SHA-256 of the real path of the worktree's top folder.
    pub worktree: Digest,
    /// Whether the worktree is the main one or one that the repository knows of; unknown if unread.
    pub is_registered: Known<bool>,
    /// Branch or detached; unknown for a ref storage we do not read.
    pub checkout: Known<Checkout>,
    /// The commit that HEAD names; `None` inside for an unborn branch.
    pub head: Known<Option<ObjectName>>,
    /// Digest over the index file's own trailing checksum, size and time of change.
    pub index: Known<Digest>,
    /// Digest over the list of uncommitted changes; only taken at boundaries.
    pub dirty: Known<Digest>,
}

/// Where the work stands, as read at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Workspace {
    /// The host named no folder.
    Unnamed,
    /// The folder does not exist any more, or cannot be read.
    Missing {
        /// The folder as the host named it.
        path: Redacted,
    },
    /// A folder outside any repository.
    Folder {
        /// The real path, shortened to its last 256 characters.
        path: Redacted,
        /// SHA-256 of the real path's bytes.
        folder: Digest,
    },
    /// A folder inside a Git worktree.
    Git {
        /// The real path of the worktree's top folder, shortened to its last 256 characters.
        path: Redacted,
        /// SHA-256 of the real path's bytes of the folder that the host named.
        folder: Digest,
        /// What Git says.
        state: GitState,
    },
}
