//! The writer lock: an operating system lock on a file that is never removed.
//!
//! Its content means nothing, and the end of a process gives it back, so it cannot be stale.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use super::error::{Tried, created, require_ours};
use super::names::Names;
use crate::domain::ports::LedgerError;
use crate::io::fs::atomic::missing_is_none;
use crate::io::fs::{FileHandle, FileSystem, OpenMode};

/// Shortest pause between two tries, in milliseconds.
const PAUSE_MILLIS_MIN: u64 = 1;

/// Longest pause between two tries, in milliseconds.
const PAUSE_MILLIS_MAX: u64 = 8;

/// Takes the lock, trying for at most `patience_millis`; it ends with the handle.
///
/// # Errors
/// [`LedgerError::Busy`] when the patience is over.
pub(super) fn acquire(
    disk: &dyn FileSystem,
    names: &Names,
    patience_millis: u64,
) -> Result<Box<dyn FileHandle>, LedgerError> {
    let mut file = open_or_create(disk, names)?;
    require_ours(&names.lock, &file.metadata().tried("look at", &names.lock)?)?;
    let patience = Duration::from_millis(patience_millis);
    let started = Instant::now();
    let mut pause_millis = PAUSE_MILLIS_MIN;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error).tried("lock", &names.lock),
        }
        let left = patience.saturating_sub(started.elapsed());
        if left.is_zero() {
            return Err(LedgerError::Busy);
        }
        thread::sleep(Duration::from_millis(pause_millis).min(left));
        pause_millis = pause_millis.saturating_mul(2).min(PAUSE_MILLIS_MAX);
    }
}

fn open_or_create(
    disk: &dyn FileSystem,
    names: &Names,
) -> Result<Box<dyn FileHandle>, LedgerError> {
    let path = &names.lock;
    if let Some(file) = missing_is_none(disk.open(path, OpenMode::ReadWrite)).tried("open", path)? {
        return Ok(file);
    }
    created(disk.create_directory(&names.locks)).tried("create", &names.locks)?;
    match disk.open(path, OpenMode::CreateNew) {
        // Another writer was faster; its file serves both.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            disk.open(path, OpenMode::ReadWrite).tried("open", path)
        }
        answer => answer.tried("create", path),
    }
}
