//! An open file of the real disk.

use std::fs::{File, TryLockError};
use std::io;

use cap_fs_ext::MetadataExt as _;

use super::{EntryKind, FileHandle, Metadata};

/// An open file.
#[derive(Debug)]
pub(super) struct RealHandle(File);

impl RealHandle {
    pub(super) fn new(file: File) -> Self {
        Self(file)
    }
}

/// Puts the system's answer into our words.
pub(super) fn describe(metadata: &cap_fs_ext::Metadata) -> Metadata {
    let kind = match metadata.file_type() {
        kind if kind.is_file() => EntryKind::File,
        kind if kind.is_dir() => EntryKind::Directory,
        _ => EntryKind::Other,
    };
    let modified = metadata
        .modified()
        .ok()
        .and_then(|time| time.into_std().duration_since(std::time::UNIX_EPOCH).ok())
        .map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX));
    let (is_owned_by_us, is_open_to_others) = ownership(metadata);
    Metadata {
        kind,
        length_bytes: metadata.len(),
        link_count: if kind == EntryKind::File { metadata.nlink() } else { 1 },
        is_open_to_others,
        is_owned_by_us,
        modified_millis: modified,
    }
}

#[cfg(unix)]
fn ownership(metadata: &cap_fs_ext::Metadata) -> (bool, bool) {
    use cap_std::fs::MetadataExt as _;
    let is_ours = metadata.uid() == rustix::process::geteuid().as_raw();
    (is_ours, metadata.mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn ownership(_metadata: &cap_fs_ext::Metadata) -> (bool, bool) {
    (true, false)
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset_bytes: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset_bytes)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], offset_bytes: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset_bytes)
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], offset_bytes: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::write_at(file, bytes, offset_bytes)
}

#[cfg(windows)]
fn write_at(file: &File, bytes: &[u8], offset_bytes: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_write(file, bytes, offset_bytes)
}

impl FileHandle for RealHandle {
    fn read_at(&self, buffer: &mut [u8], offset_bytes: u64) -> io::Result<usize> {
        read_at(&self.0, buffer, offset_bytes)
    }

    fn write_at(&mut self, bytes: &[u8], offset_bytes: u64) -> io::Result<usize> {
        write_at(&self.0, bytes, offset_bytes)
    }

    fn set_length(&mut self, length_bytes: u64) -> io::Result<()> {
        self.0.set_len(length_bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn metadata(&self) -> io::Result<Metadata> {
        Ok(describe(&cap_fs_ext::Metadata::from_file(&self.0)?))
    }

    fn try_lock(&mut self) -> io::Result<()> {
        self.0.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => io::ErrorKind::WouldBlock.into(),
            TryLockError::Error(error) => error,
        })
    }
}
