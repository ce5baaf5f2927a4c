//! The record of calls.

use crate::io::fs::RelativePath;

/// What was asked of the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CallKind {
    /// Opening an existing file for reading.
    OpenRead,
    /// Opening an existing file for reading and writing.
    OpenWrite,
    /// Creating a file.
    CreateFile,
    /// Creating a directory.
    CreateDirectory,
    /// Reading from a file.
    Read,
    /// Writing to a file.
    Write,
    /// Cutting or extending a file.
    SetLength,
    /// Making a file durable.
    SyncFile,
    /// Making a directory's names durable.
    SyncDirectory,
    /// Asking about a name or an open file.
    Metadata,
    /// Listing a directory.
    List,
    /// Renaming a file.
    Rename,
    /// Giving a file a name that nothing has yet.
    Publish,
    /// Removing a file's name.
    RemoveFile,
    /// Removing an empty directory.
    RemoveDirectory,
    /// Taking a lock.
    Lock,
}

impl CallKind {
    /// Tells whether a sync is asked for.
    #[must_use]
    pub const fn is_sync(self) -> bool {
        matches!(self, Self::SyncFile | Self::SyncDirectory)
    }

    /// Tells whether the call may change what the disk holds.
    #[must_use]
    pub const fn is_change(self) -> bool {
        matches!(
            self,
            Self::CreateFile
                | Self::CreateDirectory
                | Self::Write
                | Self::SetLength
                | Self::Rename
                | Self::Publish
                | Self::RemoveFile
                | Self::RemoveDirectory
        )
    }
}

/// One call, as recorded before it ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Position among all calls of this disk, from 1.
    pub number: u64,
    /// What was asked.
    pub kind: CallKind,
    /// Of which path; for an open file, the path that it was opened by; for a rename, the new one.
    pub path: RelativePath,
}
