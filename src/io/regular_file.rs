//! Opens files of others for reading, so that none of them can make us wait or lead us elsewhere.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// Why a file was not opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    /// The name stands for nothing.
    Absent,
    /// A folder stands at the name.
    Folder,
    /// A link, pipe, socket or device stands at the name.
    NotRegular,
    /// Past a bound, or an error of the system.
    Refused,
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::Absent,
            _ => Self::Refused,
        }
    }
}

/// Opens the regular file at `path` for reading; its last name must not be a link.
///
/// The kind is asked before the file is opened, so that no pipe or device is ever touched, and
/// again on the open file. Never waits for a writer.
///
/// # Errors
/// [`Unread`].
pub fn open(path: &Path) -> Result<File, Unread> {
    let kind = std::fs::symlink_metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(Unread::Folder);
    }
    if !kind.is_file() {
        return Err(Unread::NotRegular);
    }
    let file = open_unfollowed(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(Unread::NotRegular) }
}

/// Reads the last `bytes_max` bytes of an open file, fewer if it is shorter, and tells whether they
/// are all of it.
///
/// # Errors
/// Whatever the system answers.
pub fn last_bytes(file: &mut File, bytes_max: u64) -> io::Result<(Vec<u8>, bool)> {
    let start = file.metadata()?.len().saturating_sub(bytes_max);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(bytes_max).read_to_end(&mut bytes)?;
    Ok((bytes, start == 0))
}

/// Fails on a link in the last name.
#[cfg(unix)]
fn open_unfollowed(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags =
        OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NOCTTY;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

/// Opens a link in the last name itself, and so no regular file.
#[cfg(windows)]
fn open_unfollowed(path: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt as _;
    const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
    std::fs::OpenOptions::new().read(true).custom_flags(FILE_FLAG_OPEN_REPARSE_POINT).open(path)
}
