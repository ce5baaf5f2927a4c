//! The one door to the disk.
//!
//! Everything that we keep goes through [`FileSystem`]: the real disk in use, a disk that loses,
//! tears and refuses in tests. A path is relative to one held root; no link is followed in any of
//! its components, files are created 0600 and directories 0700.
//!
//! An implementation decides nothing: it does not retry, does not create parents, does not sync
//! unless asked to.

use std::io;

pub mod atomic;
pub mod fault;
mod path;
mod real;
mod real_handle;
mod real_root;

pub use path::{InvalidPath, NAME_BYTES_MAX, RelativePath};
pub use real::RealDisk;
pub use real_root::RootError;

/// Answer of [`FileSystem::open`] for a directory, link, pipe or device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a regular file")]
pub struct NotRegular;

impl From<NotRegular> for io::Error {
    fn from(error: NotRegular) -> Self {
        Self::new(io::ErrorKind::InvalidInput, error)
    }
}

/// Tells whether a call failed because something else than a file or directory of ours stands at the
/// path, or above it: a link, pipe or device.
#[must_use]
pub fn is_irregular(error: &io::Error) -> bool {
    let inner = error.get_ref();
    error.kind() == io::ErrorKind::NotADirectory
        || inner.is_some_and(|inner| inner.downcast_ref::<NotRegular>().is_some())
}

/// Why a file is refused for which [`is_irregular`] holds.
pub const IRREGULAR: &str = "it is not a regular file";

/// How a file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenMode {
    /// An existing file, for reading.
    Read,
    /// An existing file, for reading and writing.
    ReadWrite,
    /// A file that must not exist yet, for reading and writing.
    CreateNew,
}

/// What a name in a directory stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A link, pipe, socket or device: never opened.
    Other,
}

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name, if it is valid UTF-8; other names are left out of listings.
    pub name: String,
    /// What it stands for.
    pub kind: EntryKind,
}

/// What the disk says about a file or directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metadata {
    /// File, directory or something that we never open.
    pub kind: EntryKind,
    /// Length in bytes.
    pub length_bytes: u64,
    /// Names that this file has; more than one means that somebody linked it. 1 for a directory.
    pub link_count: u64,
    /// Whether group or others may read or write it; always false where the system has no modes.
    pub is_open_to_others: bool,
    /// Whether it belongs to the user that runs this process.
    pub is_owned_by_us: bool,
    /// Time of the last change in milliseconds since 1970-01-01 UTC.
    pub modified_millis: i64,
}

impl Metadata {
    /// Returns why this file must not be written to; `None` if it is ours alone.
    #[must_use]
    pub const fn unsafe_reason(&self) -> Option<&'static str> {
        match self {
            Self { kind: EntryKind::Directory | EntryKind::Other, .. } => Some(IRREGULAR),
            Self { link_count: 2.., .. } => Some("it has a second name"),
            Self { is_owned_by_us: false, .. } => Some("another user owns it"),
            Self { is_open_to_others: true, .. } => Some("others may read or write it"),
            _ => None,
        }
    }
}

/// An open file.
pub trait FileHandle: Send {
    /// Reads at most `buffer.len()` bytes at `offset_bytes`; zero at the end of the file.
    ///
    /// # Errors
    /// Whatever the system answers.
    fn read_at(&self, buffer: &mut [u8], offset_bytes: u64) -> io::Result<usize>;

    /// Writes at most `bytes.len()` bytes at `offset_bytes`; the count may be smaller.
    ///
    /// # Errors
    /// Whatever the system answers.
    fn write_at(&mut self, bytes: &[u8], offset_bytes: u64) -> io::Result<usize>;

    /// Cuts or extends the file.
    ///
    /// # Errors
    /// Whatever the system answers.
    fn set_length(&mut self, length_bytes: u64) -> io::Result<()>;

    /// Returns when the content and length are durable.
    ///
    /// # Errors
    /// Whatever the system answers; the content is then of unknown durability.
    fn sync(&mut self) -> io::Result<()>;

    /// Asks about this very file, whatever its name stands for by now.
    ///
    /// # Errors
    /// Whatever the system answers.
    fn metadata(&self) -> io::Result<Metadata>;

    /// Takes the exclusive lock on this file if it is free; it ends with the handle.
    ///
    /// # Errors
    /// `WouldBlock` if another handle holds it.
    fn try_lock(&mut self) -> io::Result<()>;
}

/// A disk, below one root.
pub trait FileSystem: Send + Sync {
    /// Opens a regular file without following a link.
    ///
    /// # Errors
    /// `NotFound`, `AlreadyExists` for [`OpenMode::CreateNew`], [`NotRegular`] in an
    /// `InvalidInput` for what is no file, and whatever the system answers.
    fn open(&self, path: &RelativePath, mode: OpenMode) -> io::Result<Box<dyn FileHandle>>;

    /// Creates one directory, its parent must exist.
    ///
    /// # Errors
    /// `AlreadyExists`, and whatever the system answers.
    fn create_directory(&self, path: &RelativePath) -> io::Result<()>;

    /// Returns when the names in a directory are durable.
    ///
    /// # Errors
    /// Whatever the system answers.
    fn sync_directory(&self, path: &RelativePath) -> io::Result<()>;

    /// Lists a directory, sorted by name.
    ///
    /// # Errors
    /// Whatever the system answers.
    fn list(&self, path: &RelativePath) -> io::Result<Vec<Entry>>;

    /// Asks about a name without following a link.
    ///
    /// # Errors
    /// `NotFound`, and whatever the system answers.
    fn metadata(&self, path: &RelativePath) -> io::Result<Metadata>;

    /// Gives a file a new name, replacing the file that had it; or a directory one that nothing has.
    ///
    /// # Errors
    /// Whatever the system answers.
    fn rename(&self, from: &RelativePath, to: &RelativePath) -> io::Result<()>;

    /// Gives a file a new name that nothing has yet, in one step. Its old name then goes; a crash
    /// may leave both.
    ///
    /// # Errors
    /// `AlreadyExists`, and whatever the system answers.
    fn publish(&self, from: &RelativePath, to: &RelativePath) -> io::Result<()>;

    /// Removes a file's name.
    ///
    /// # Errors
    /// `NotFound`, and whatever the system answers.
    fn remove_file(&self, path: &RelativePath) -> io::Result<()>;

    /// Removes an empty directory.
    ///
    /// # Errors
    /// `NotFound`, `DirectoryNotEmpty`, and whatever the system answers.
    fn remove_directory(&self, path: &RelativePath) -> io::Result<()>;
}

#[cfg(test)]
mod atomic_tests;
#[cfg(test)]
mod contract_tests;
#[cfg(test)]
#[cfg(unix)]
mod real_tests;
