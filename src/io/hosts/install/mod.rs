//! Puts our hooks into a host's own hook file, and takes them out again.
//!
//! The file belongs to the user: every byte that is not ours stays as it is. [`plan_install`] and
//! [`plan_uninstall`] are pure and say what the file would become; [`HookFileOnDisk`] writes it.
//! There is no backup, since taking out is exact: a file that was installed into and taken out of
//! again holds the bytes it held before, and one that was not there is gone.

mod change;
mod disk;
mod document;
mod launcher;
mod layout;
mod plan;

pub use change::Plan;
pub use disk::HookFileOnDisk;
pub use launcher::{Launcher, LauncherError};
pub use plan::{plan_install, plan_uninstall};

/// Bytes of a hook file at most.
pub const HOOK_FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Why a hook file is left as it is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstallError {
    /// Not JSON, so the host reads none of it either.
    #[error("the hook file is not valid JSON at line {line}, column {column}")]
    Malformed {
        /// Line, counted from 1.
        line: usize,
        /// Column in bytes, counted from 1.
        column: usize,
    },
    /// It begins with a byte order mark; the host ignores such a file.
    #[error("the hook file begins with a byte order mark, which the host does not read")]
    ByteOrderMark,
    /// An object has a key twice; the host ignores such a file.
    #[error("the hook file has the key {key:?} twice in one object")]
    DuplicateKey {
        /// The key.
        key: String,
    },
    /// A part has another type than the host reads.
    #[error("{place} in the hook file is not {wanted}")]
    Unexpected {
        /// The part, such as `hooks.Stop`.
        place: String,
        /// The type it must have, with its article.
        wanted: &'static str,
    },
    /// More brackets within brackets than any hook file has.
    #[error("the hook file is nested deeper than {depth_max} levels")]
    TooDeep {
        /// Levels allowed.
        depth_max: u32,
    },
    /// Longer than we read.
    #[error("the hook file is longer than {bytes_max} bytes")]
    TooLong {
        /// Bytes allowed.
        bytes_max: u64,
    },
    /// Not UTF-8.
    #[error("the hook file is not UTF-8 text")]
    NotText,
    /// A link, folder or device: replacing it would not do what the user means.
    #[error("the hook file is not a regular file")]
    NotAFile,
    /// The host's folder is not there: the host has never run, or runs elsewhere.
    #[error("the host's folder does not exist")]
    NoFolder,
    /// Somebody wrote to the file after it was read.
    #[error("the hook file has changed since it was read")]
    Changed,
    /// The system refused.
    #[error("cannot {action} the hook file")]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// The system's answer.
        #[source]
        source: std::io::Error,
    },
}

#[cfg(test)]
mod tests;
