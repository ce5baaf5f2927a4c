//! Calls that fail, do less than asked, or lie.

use std::io;

use super::call::CallKind;

/// What goes wrong with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The system refuses, and nothing happens (E).
    Refuse(Refusal),
    /// A write takes in one byte (E).
    WriteOneByte,
    /// A write takes in half of the bytes, at least one (E).
    WriteHalf,
    /// A sync answers success and does nothing (L).
    LieAboutSync,
    /// A sync answers an input/output error, and what it covers never becomes durable (F).
    FailSync,
}

/// How often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// At the first call that it can strike.
    Once,
    /// At every call that it can strike, from then on.
    Forever,
}

/// The system's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// ENOSPC; reading, removing and renaming still work.
    DiskFull,
    /// EDQUOT; as for a full disk.
    QuotaExceeded,
    /// EIO.
    InputOutput,
    /// EROFS; reading still works.
    ReadOnly,
    /// EACCES; files that are open already still work.
    AccessDenied,
    /// EMFILE; files that are open already still work.
    TooManyOpenFiles,
    /// EINTR.
    Interrupted,
}

impl Refusal {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::DiskFull,
        Self::QuotaExceeded,
        Self::InputOutput,
        Self::ReadOnly,
        Self::AccessDenied,
        Self::TooManyOpenFiles,
        Self::Interrupted,
    ];

    fn can_strike(self, kind: CallKind) -> bool {
        use CallKind as K;
        match self {
            Self::DiskFull | Self::QuotaExceeded => matches!(
                kind,
                K::CreateFile | K::CreateDirectory | K::Write | K::SetLength | K::SyncFile
            ),
            Self::InputOutput => kind != K::Lock,
            Self::ReadOnly => kind.is_change() || kind == K::OpenWrite,
            Self::AccessDenied => {
                !matches!(kind, K::Read | K::Write | K::SetLength | K::SyncFile | K::Lock)
            }
            Self::TooManyOpenFiles => matches!(
                kind,
                K::OpenRead | K::OpenWrite | K::CreateFile | K::SyncDirectory | K::List
            ),
            Self::Interrupted => matches!(
                kind,
                K::OpenRead | K::OpenWrite | K::CreateFile | K::Read | K::Write | K::Lock
            ),
        }
    }

    #[cfg(unix)]
    fn error(self) -> io::Error {
        use rustix::io::Errno;
        io::Error::from(match self {
            Self::DiskFull => Errno::NOSPC,
            Self::QuotaExceeded => Errno::DQUOT,
            Self::InputOutput => Errno::IO,
            Self::ReadOnly => Errno::ROFS,
            Self::AccessDenied => Errno::ACCESS,
            Self::TooManyOpenFiles => Errno::MFILE,
            Self::Interrupted => Errno::INTR,
        })
    }

    #[cfg(not(unix))]
    fn error(self) -> io::Error {
        use io::ErrorKind;
        match self {
            Self::DiskFull => ErrorKind::StorageFull.into(),
            Self::QuotaExceeded => ErrorKind::QuotaExceeded.into(),
            Self::InputOutput => io::Error::other("input/output error"),
            Self::ReadOnly => ErrorKind::ReadOnlyFilesystem.into(),
            Self::AccessDenied => ErrorKind::PermissionDenied.into(),
            Self::TooManyOpenFiles => io::Error::other("too many open files"),
            Self::Interrupted => ErrorKind::Interrupted.into(),
        }
    }
}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> Self {
        refusal.error()
    }
}

impl Fault {
    /// Tells whether this fault means anything for such a call.
    #[must_use]
    pub fn can_strike(self, kind: CallKind) -> bool {
        match self {
            Self::Refuse(refusal) => refusal.can_strike(kind),
            Self::WriteOneByte | Self::WriteHalf => kind == CallKind::Write,
            Self::LieAboutSync | Self::FailSync => kind.is_sync(),
        }
    }
}

/// A fault that waits for its call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Planned {
    pub(super) from_call: u64,
    pub(super) fault: Fault,
    pub(super) repeat: Repeat,
}

/// Takes the first fault that strikes this call; one that strikes once is used up.
pub(super) fn strike(planned: &mut Vec<Planned>, call: u64, kind: CallKind) -> Option<Fault> {
    let index = planned
        .iter()
        .position(|planned| planned.from_call <= call && planned.fault.can_strike(kind))?;
    let found = *planned.get(index)?;
    if found.repeat == Repeat::Once {
        planned.remove(index);
    }
    Some(found.fault)
}
