//! Reads where the work stands, without running anything that a checkout brings.
//!
//! [`WorkspaceProbe::quick`] reads a handful of small files and starts no process.
//! [`WorkspaceProbe::full`] also asks the installed `git` once what is not committed. What cannot
//! be read within its bounds is unknown, never guessed. Nothing is ever written, and no folder but
//! the one asked about, and what its Git pointers name, is touched.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::domain::fingerprint::{Checkout, GitState, Known, ObjectName, Workspace};
use crate::domain::text::Redacted;

mod dirty;
mod filters;
mod git;
mod index;
mod read;
mod refs;
mod repository;

#[cfg(unix)]
#[cfg(test)]
mod tests;

pub use dirty::{STATUS_BYTES_MAX, STATUS_PATHS_MAX};
pub use read::SMALL_FILE_BYTES_MAX;
pub use refs::{PACKED_REFS_BYTES_MAX, REF_NAME_BYTES_MAX};

use git::Git;
use refs::Head;
use repository::{Kind, Repository};

/// Returns the top folder of the repository around `folder`; `None` outside of any, or if the
/// folder does not exist. Reads names only, and executes nothing.
#[must_use]
pub fn repository_top(folder: &Path) -> Option<PathBuf> {
    let folder = std::fs::canonicalize(folder).ok()?;
    Some(Repository::find(&folder)?.top)
}

/// Longest text that is kept of a path, in characters from its end.
pub const PATH_CHARS_MAX: usize = 256;
/// How long one question to `git` may take, unless told otherwise.
pub const GIT_TIME_LIMIT: Duration = Duration::from_millis(300);

/// Reads workspaces.
#[derive(Debug, Clone)]
pub struct WorkspaceProbe {
    git_time_limit: Duration,
    search_path: Option<OsString>,
    redact: fn(&str) -> Redacted,
}

impl WorkspaceProbe {
    /// Makes a probe that gives each question to `git` at most `git_time_limit`.
    ///
    /// Every path and branch name that is kept goes through `redact`. Without
    /// [`Self::with_search_path`] no `git` is found, and what only it can answer is unknown.
    #[must_use]
    pub const fn new(git_time_limit: Duration, redact: fn(&str) -> Redacted) -> Self {
        Self { git_time_limit, search_path: None, redact }
    }

    /// Names the folders in which `git` is looked for, in the form of the variable `PATH`.
    ///
    /// Relative and empty entries and those inside the workspace are passed over.
    #[must_use]
    pub fn with_search_path(mut self, search_path: impl Into<OsString>) -> Self {
        self.search_path = Some(search_path.into());
        self
    }

    /// Reads folder, repository, branch, HEAD and index by hand; starts no process.
    ///
    /// `folder` is what the host named. Without one, or with a relative one, the workspace is
    /// unnamed: the folder of our own process never stands in.
    #[must_use]
    pub fn quick(&self, folder: Option<&Path>) -> Workspace {
        match self.place(folder) {
            Place::Git { folder, repository } => self.git_workspace(&folder, &repository),
            Place::Other(workspace) => workspace,
        }
    }

    /// Reads what [`Self::quick`] reads, and asks `git` what is not committed.
    #[must_use]
    pub fn full(&self, folder: Option<&Path>) -> Workspace {
        let (folder, repository) = match self.place(folder) {
            Place::Git { folder, repository } => (folder, repository),
            Place::Other(workspace) => return workspace,
        };
        let mut workspace = self.git_workspace(&folder, &repository);
        if let Workspace::Git { state, .. } = &mut workspace
            && repository.kind != Kind::Bare
            && let Some(git) = self.git(&repository)
        {
            state.dirty = dirty::digest(&git, &repository.top, self.git_time_limit);
        }
        workspace
    }

    /// Tells whether `before` is `now` or one of its ancestors.
    ///
    /// Asks `git`, so it belongs at boundaries only. Unknown past the time limit, without a commit
    /// of that name, and for a "no" of a repository whose history was cut off.
    #[must_use]
    pub fn is_descendant(
        &self,
        folder: &Path,
        before: &ObjectName,
        now: &ObjectName,
    ) -> Known<bool> {
        if before == now {
            return Known::Known(true);
        }
        let Some((git, repository)) = self.git_at(folder) else { return Known::Unknown };
        let (before, now) = (before.to_string(), now.to_string());
        let arguments = ["merge-base", "--is-ancestor", &before, &now];
        match git.ask(&arguments, self.git_time_limit, 0).map(|answer| answer.code) {
            Some(0) => Known::Known(true),
            Some(1) if !is_shallow(&repository) => Known::Known(false),
            _ => Known::Unknown,
        }
    }

    /// Tells whether the repository holds a commit of that name.
    ///
    /// Asks `git`; unknown past the time limit. Nothing is fetched to find out.
    #[must_use]
    pub fn has_commit(&self, folder: &Path, commit: &ObjectName) -> Known<bool> {
        let Some((git, _)) = self.git_at(folder) else { return Known::Unknown };
        let named = format!("{commit}^{{commit}}");
        let arguments = ["rev-parse", "--verify", "--quiet", &named];
        match git.ask(&arguments, self.git_time_limit, 256).map(|answer| answer.code) {
            Some(0) => Known::Known(true),
            Some(1) => Known::Known(false),
            _ => Known::Unknown,
        }
    }

    fn place(&self, named: Option<&Path>) -> Place {
        let Some(named) = named.filter(|named| named.is_absolute()) else {
            return Place::Other(Workspace::Unnamed);
        };
        let real = std::fs::canonicalize(named)
            .ok()
            .filter(|real| std::fs::metadata(real).is_ok_and(|metadata| metadata.is_dir()));
        let Some(folder) = real else {
            return Place::Other(Workspace::Missing { path: self.path_text(named) });
        };
        match Repository::find(&folder) {
            Some(repository) => Place::Git { folder, repository },
            None => Place::Other(Workspace::Folder {
                path: self.path_text(&folder),
                folder: read::path_digest(&folder),
            }),
        }
    }

    fn git_workspace(&self, folder: &Path, repository: &Repository) -> Workspace {
        let (checkout, head) = self.checkout(repository);
        let index = if repository.is_readable() {
            index::digest(&repository.git_dir)
        } else {
            Known::Unknown
        };
        Workspace::Git {
            path: self.path_text(&repository.top),
            folder: read::path_digest(folder),
            state: GitState {
                common_dir: read::path_digest(&repository.common_dir),
                worktree: read::path_digest(&repository.top),
                is_registered: repository.is_registered(),
                checkout,
                head,
                index,
                dirty: Known::Unknown,
            },
        }
    }

    fn checkout(&self, repository: &Repository) -> (Known<Checkout>, Known<Option<ObjectName>>) {
        if !repository.is_readable() {
            return (Known::Unknown, Known::Unknown);
        }
        let (name, commit) = match refs::head(repository) {
            Head::Ref { name, commit } => (name, commit),
            Head::Detached(commit) => {
                return (Known::Known(Checkout::Detached), Known::Known(Some(commit)));
            }
            Head::Unknown => return (Known::Unknown, Known::Unknown),
        };
        let branch = (self.redact)(name.strip_prefix("refs/heads/").unwrap_or(&name));
        let checkout = match commit {
            Known::Known(Some(_)) => Known::Known(Checkout::Branch(branch)),
            Known::Known(None) => Known::Known(Checkout::Unborn(branch)),
            Known::Unknown => Known::Unknown,
        };
        (checkout, commit)
    }

    fn git(&self, repository: &Repository) -> Option<Git> {
        if !repository.is_readable() {
            return None;
        }
        Git::find(self.search_path.as_deref()?, repository)
    }

    fn git_at(&self, folder: &Path) -> Option<(Git, Repository)> {
        match self.place(Some(folder)) {
            Place::Git { repository, .. } => Some((self.git(&repository)?, repository)),
            Place::Other(_) => None,
        }
    }

    /// Redacts first and shortens then: a cut secret would no longer look like one.
    fn path_text(&self, path: &Path) -> Redacted {
        let text = (self.redact)(&path.to_string_lossy());
        let excess = text.as_str().chars().count().saturating_sub(PATH_CHARS_MAX);
        Redacted::assume(text.as_str().chars().skip(excess).collect::<String>())
    }
}

/// What a folder turned out to be.
enum Place {
    Git { folder: PathBuf, repository: Repository },
    Other(Workspace),
}

fn is_shallow(repository: &Repository) -> bool {
    std::fs::symlink_metadata(repository.common_dir.join("shallow")).is_ok()
}
