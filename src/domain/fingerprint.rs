//! Where the work stands: folder, repository, branch, commit, and what is not committed.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::ids::{Digest, serialize_as_shown};
use super::text::Redacted;

/// A Git object name of 40 or 64 hexadecimal digits, kept as bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectName(Vec<u8>);

serialize_as_shown!(ObjectName, Vec<u8>, Self::parse);

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

/// The part of a workspace that a comparison could not judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The folder itself.
    Folder,
    /// Whether the repository knows the worktree.
    Registration,
    /// Branch or detached.
    Checkout,
    /// The commit.
    Head,
    /// The index.
    Index,
    /// What is not committed.
    Dirty,
}

/// One way in which a workspace differs from what it was.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Difference {
    /// The folder is gone or cannot be read.
    Missing,
    /// The host named another folder.
    FolderChanged,
    /// Another worktree.
    WorktreeChanged,
    /// Another repository, or one where none was, or none any more.
    RepositoryChanged,
    /// The repository no longer knows this worktree.
    Unregistered,
    /// Another branch, or detached.
    BranchChanged {
        /// What was checked out.
        from: Checkout,
        /// What is checked out now.
        to: Checkout,
    },
    /// Another commit; whether it descends from the earlier one is a question of its own.
    HeadMoved {
        /// The commit before; `None` if there was none yet.
        from: Option<ObjectName>,
        /// The commit now.
        to: ObjectName,
    },
    /// No commit any more where there was one.
    HeadRemoved,
    /// The index was written.
    IndexChanged,
    /// What is not committed differs.
    DirtyChanged,
    /// Not read on one side or both, so neither equal nor different.
    Unknown {
        /// What could not be compared.
        what: Part,
    },
}

/// How a workspace differs from what it was, in the order of [`Difference`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Drift(Vec<Difference>);

impl Drift {
    /// Returns the differences.
    pub fn iter(&self) -> impl Iterator<Item = &Difference> {
        self.0.iter()
    }

    /// Tells whether everything was read on both sides and is equal.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Tells whether the work stands in another place: folder, worktree or repository.
    #[must_use]
    pub fn is_elsewhere(&self) -> bool {
        self.0.iter().any(|difference| {
            matches!(
                difference,
                Difference::Missing
                    | Difference::FolderChanged
                    | Difference::WorktreeChanged
                    | Difference::RepositoryChanged
                    | Difference::Unregistered
            )
        })
    }
}

/// Compares a workspace with what it was.
///
/// Two unnamed workspaces are equal. What is unknown on either side is named as such: it is neither
/// equal nor different. Branch and commit are compared within one repository only, index and dirty
/// state within one worktree only.
#[must_use]
pub fn compare(before: &Workspace, now: &Workspace) -> Drift {
    use Difference::{FolderChanged, Missing, RepositoryChanged, Unknown};
    let mut found = Vec::new();
    match (before, now) {
        (Workspace::Unnamed, Workspace::Unnamed) => {}
        (_, Workspace::Missing { .. }) => found.push(Missing),
        (Workspace::Unnamed | Workspace::Missing { .. }, _) | (_, Workspace::Unnamed) => {
            found.push(Unknown { what: Part::Folder });
        }
        (
            Workspace::Folder { folder: before, .. } | Workspace::Git { folder: before, .. },
            Workspace::Folder { folder: now, .. } | Workspace::Git { folder: now, .. },
        ) if before != now => found.push(FolderChanged),
        _ => {}
    }
    match (before, now) {
        (Workspace::Git { state: before, .. }, Workspace::Git { state: now, .. }) => {
            compare_git(before, now, &mut found);
        }
        (Workspace::Git { .. }, Workspace::Folder { .. })
        | (Workspace::Folder { .. }, Workspace::Git { .. }) => found.push(RepositoryChanged),
        _ => {}
    }
    Drift(found)
}

fn compare_git(before: &GitState, now: &GitState, found: &mut Vec<Difference>) {
    let is_same_worktree = before.worktree == now.worktree;
    if !is_same_worktree {
        found.push(Difference::WorktreeChanged);
    }
    let is_same_repository = before.common_dir == now.common_dir;
    if !is_same_repository {
        found.push(Difference::RepositoryChanged);
    }
    match (before.is_registered, now.is_registered) {
        (Known::Known(true), Known::Known(false)) => found.push(Difference::Unregistered),
        (Known::Known(_), Known::Known(_)) => {}
        _ => found.push(Difference::Unknown { what: Part::Registration }),
    }
    if is_same_repository {
        compare_checkout(before, now, found);
        compare_head(before, now, found);
    }
    if is_same_repository && is_same_worktree {
        compare_digest(&before.index, &now.index, Difference::IndexChanged, Part::Index, found);
        compare_digest(&before.dirty, &now.dirty, Difference::DirtyChanged, Part::Dirty, found);
    }
}

fn compare_checkout(before: &GitState, now: &GitState, found: &mut Vec<Difference>) {
    use Checkout::{Branch, Unborn};
    let (Known::Known(from), Known::Known(to)) = (&before.checkout, &now.checkout) else {
        found.push(Difference::Unknown { what: Part::Checkout });
        return;
    };
    let is_same = match (from, to) {
        // A first commit does not make another branch.
        (Branch(from) | Unborn(from), Branch(to) | Unborn(to)) => from == to,
        _ => from == to,
    };
    if !is_same {
        found.push(Difference::BranchChanged { from: from.clone(), to: to.clone() });
    }
}

fn compare_head(before: &GitState, now: &GitState, found: &mut Vec<Difference>) {
    match (&before.head, &now.head) {
        (Known::Known(from), Known::Known(to)) if from == to => {}
        (Known::Known(from), Known::Known(Some(to))) => {
            found.push(Difference::HeadMoved { from: from.clone(), to: to.clone() });
        }
        (Known::Known(_), Known::Known(None)) => found.push(Difference::HeadRemoved),
        _ => found.push(Difference::Unknown { what: Part::Head }),
    }
}

fn compare_digest(
    before: &Known<Digest>,
    now: &Known<Digest>,
    changed: Difference,
    what: Part,
    found: &mut Vec<Difference>,
) {
    match (before, now) {
        (Known::Known(before), Known::Known(now)) if before == now => {}
        (Known::Known(_), Known::Known(_)) => found.push(changed),
        _ => found.push(Difference::Unknown { what }),
    }
}

#[cfg(test)]
#[path = "fingerprint_tests.rs"]
mod tests;
