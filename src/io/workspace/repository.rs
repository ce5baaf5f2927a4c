//! Finds the repository of a folder by reading, as Git would.
//!
//! A pointer may lead anywhere: what it names is read within bounds, never written or run.

use std::path::{Component, Path, PathBuf};

use crate::domain::fingerprint::Known;

use super::read::{self, Unread};

/// Where a repository keeps its parts; every path is real unless it leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// The worktree's top folder; of a bare repository the repository itself.
    pub top: PathBuf,
    /// Holds HEAD and the index of this worktree.
    pub git_dir: PathBuf,
    /// Holds what all worktrees share: refs, objects, config.
    pub common_dir: PathBuf,
    /// How the worktree belongs to the repository.
    pub kind: Kind,
}

/// How a worktree belongs to its repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The main worktree; a submodule's and a separated one count as such.
    Main,
    /// No worktree at all.
    Bare,
    /// A further worktree; whether the repository still knows it.
    Linked(Known<bool>),
    /// A pointer that leads to no repository, or to the main folder of another one.
    Stray,
    /// A pointer that we do not read: a link, pipe or device, or past its bound.
    Unreadable,
}

impl Repository {
    /// Finds the repository around `folder`, a real path; `None` outside of any.
    pub fn find(folder: &Path) -> Option<Self> {
        folder.ancestors().find_map(|top| Self::at(top).or_else(|| Self::bare(top)))
    }

    /// Tells whether the repository knows this worktree.
    pub const fn is_registered(&self) -> Known<bool> {
        match self.kind {
            Kind::Main | Kind::Bare => Known::Known(true),
            Kind::Linked(is_registered) => is_registered,
            Kind::Stray => Known::Known(false),
            Kind::Unreadable => Known::Unknown,
        }
    }

    /// Tells whether HEAD can be asked for at all.
    pub const fn is_readable(&self) -> bool {
        !matches!(self.kind, Kind::Stray | Kind::Unreadable)
    }

    fn at(top: &Path) -> Option<Self> {
        let entry = top.join(".git");
        let kind = std::fs::symlink_metadata(&entry).ok()?.file_type();
        if kind.is_dir() {
            return is_git_dir(&entry).then(|| Self::whole(top, entry, Kind::Main));
        }
        if kind.is_symlink() {
            // Git takes a link to a folder for the folder; it is no more than a pointer.
            return Some(match std::fs::canonicalize(&entry) {
                Ok(target) if is_git_dir(&target) => Self::pointed(top, target),
                Ok(target) => Self::whole(top, target, Kind::Unreadable),
                Err(_) => Self::whole(top, entry, Kind::Unreadable),
            });
        }
        Some(match pointer(top, ".git", "gitdir: ") {
            Ok(target) => Self::pointed(top, target),
            Err(_) => Self::whole(top, entry, Kind::Unreadable),
        })
    }

    fn bare(top: &Path) -> Option<Self> {
        is_git_dir(top).then(|| Self::whole(top, top.to_path_buf(), Kind::Bare))
    }

    fn whole(top: &Path, git_dir: PathBuf, kind: Kind) -> Self {
        Self { top: top.to_path_buf(), common_dir: git_dir.clone(), git_dir, kind }
    }

    /// Reads what the pointer in `top` names.
    fn pointed(top: &Path, target: PathBuf) -> Self {
        let Ok(git_dir) = std::fs::canonicalize(&target) else {
            return Self::gone(top, target);
        };
        let common_dir = match pointer(&git_dir, "commondir", "") {
            Ok(named) => match std::fs::canonicalize(named) {
                Ok(common_dir) if is_git_dir(&common_dir) => common_dir,
                _ => return Self::whole(top, git_dir, Kind::Stray),
            },
            Err(Unread::Absent) => return Self::separate(top, git_dir),
            Err(_) => return Self::whole(top, git_dir, Kind::Unreadable),
        };
        let kind = Kind::Linked(points_back(top, &git_dir, &common_dir));
        Self { top: top.to_path_buf(), git_dir, common_dir, kind }
    }

    /// A repository outside its worktree: a submodule's or a separated one.
    fn separate(top: &Path, git_dir: PathBuf) -> Self {
        let is_main_of_another = git_dir.file_name().is_some_and(|name| name == ".git")
            && git_dir.parent().is_some_and(|parent| parent != top);
        let kind =
            if is_git_dir(&git_dir) && !is_main_of_another { Kind::Main } else { Kind::Stray };
        Self::whole(top, git_dir, kind)
    }

    /// A worktree whose registration was removed: the repository may still be there.
    fn gone(top: &Path, target: PathBuf) -> Self {
        let common_dir = target
            .parent()
            .filter(|parent| parent.file_name().is_some_and(|name| name == "worktrees"))
            .and_then(Path::parent)
            .and_then(|common_dir| std::fs::canonicalize(common_dir).ok())
            .filter(|common_dir| is_git_dir(common_dir))
            .unwrap_or_else(|| target.clone());
        Self { top: top.to_path_buf(), git_dir: target, common_dir, kind: Kind::Stray }
    }
}

/// Tells whether `path` has the three names that make a folder a repository.
fn is_git_dir(path: &Path) -> bool {
    let is_folder = |name: &str| {
        std::fs::symlink_metadata(path.join(name)).is_ok_and(|metadata| {
            metadata.is_dir() || (metadata.is_symlink() && path.join(name).is_dir())
        })
    };
    std::fs::symlink_metadata(path.join("HEAD")).is_ok()
        && is_folder("objects")
        && is_folder("refs")
}

/// Reads a one-line file that names a path, absolute or relative to `base`.
fn pointer(base: &Path, name: &str, prefix: &str) -> Result<PathBuf, Unread> {
    let line = read::one_line(base, name)?;
    let target = line.strip_prefix(prefix).ok_or(Unread::Refused)?;
    Ok(plain(&base.join(target)))
}

/// Takes `.` and `..` out of a path by its words alone: what it names may not exist any more.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            _ => plain.push(component),
        }
    }
    // A link before `..` changes what is meant; then the system's own reading counts.
    std::fs::canonicalize(path).unwrap_or(plain)
}

/// Tells whether the repository's record of this worktree names this very folder.
fn points_back(top: &Path, git_dir: &Path, common_dir: &Path) -> Known<bool> {
    if git_dir.parent() != Some(common_dir.join("worktrees").as_path()) {
        return Known::Known(false);
    }
    match pointer(git_dir, "gitdir", "") {
        Ok(entry) => {
            let top_named = entry.parent().and_then(|parent| std::fs::canonicalize(parent).ok());
            Known::Known(top_named.is_some_and(|named| named == top))
        }
        Err(Unread::Absent) => Known::Known(false),
        Err(_) => Known::Unknown,
    }
}
