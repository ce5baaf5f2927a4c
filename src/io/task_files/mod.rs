//! The files of one task beside its log: bodies, checkpoint, snapshots, keys and missed notes.
//!
//! Text is only ever in bodies, so that removing a body's file erases it. What can be rebuilt is
//! written without a sync and carries a checksum; everything else is durable on return.

mod bodies;
mod format;
mod notes;
mod snapshots;

use std::io;
use std::sync::Arc;

use crate::domain::ids::{BodyId, TaskRef};
use crate::domain::ports::{Checkpoint, Damage, LedgerError, MissedNote, TaskFiles};
use crate::io::bytes::disk_length;
use crate::io::fs::atomic::{self, Durability};
use crate::io::fs::{FileSystem, RelativePath};
use crate::io::ledger::refused;
use crate::io::root::layout::{self, below};
use crate::io::root::{DataRootError, create_key_file, place_key_file, read_key_file};

pub use bodies::BODY_BYTES_MAX;
pub use notes::{MISSED_KIND_UNKNOWN, MISSED_NOTES_MAX};

/// Longest checkpoint and snapshot file, in bytes.
pub const FOLD_BYTES_MAX: usize = 16 * 1024 * 1024;

/// The files of one task.
pub struct TaskStore {
    fs: Arc<dyn FileSystem>,
    task: TaskRef,
}

impl TaskStore {
    /// Names a task's files; touches nothing.
    #[must_use]
    pub fn new(fs: Arc<dyn FileSystem>, task: TaskRef) -> Self {
        Self { fs, task }
    }

    /// Removes what stopped writes left in the task's directories; returns how many files.
    /// `now_millis` is milliseconds since 1970-01-01 UTC.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn sweep(&self, now_millis: i64) -> Result<usize, LedgerError> {
        let mut swept_count = 0;
        for directory in
            [layout::task(self.task), self.directory("snapshots"), self.directory("keys")]
        {
            swept_count += atomic::sweep_temporaries(&*self.fs, &directory, now_millis)
                .map_err(on("sweep", &directory))?;
        }
        Ok(swept_count)
    }

    /// Takes over the key of a task that this one goes on with, durably, under the same number.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn adopt_key(&self, number: u32, key: &[u8; 32]) -> Result<(), LedgerError> {
        let path = self.key_path(number);
        place_key_file(&*self.fs, &path, key).map_err(|error| in_ledger_words(error, &path))
    }

    fn directory(&self, name: &str) -> RelativePath {
        below(&layout::task(self.task), name)
    }

    fn checkpoint_path(&self) -> RelativePath {
        self.directory("checkpoint")
    }

    fn key_path(&self, number: u32) -> RelativePath {
        below(&self.directory("keys"), &number.to_string())
    }

    /// Refuses to go on if a file is there and is not ours alone.
    fn require_safe(&self, path: &RelativePath) -> Result<(), LedgerError> {
        let found = atomic::missing_is_none(self.fs.metadata(path)).map_err(on("examine", path))?;
        match found.and_then(|found| found.unsafe_reason()) {
            Some(why) => Err(LedgerError::Unsafe { file: path.to_string(), why }),
            None => Ok(()),
        }
    }

    /// Reads a file that may be missing.
    fn read(&self, path: &RelativePath, bytes_max: usize) -> Result<Option<Vec<u8>>, LedgerError> {
        match atomic::missing_is_none(atomic::read_bounded(&*self.fs, path, bytes_max)) {
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                Err(damaged(path, Damage::Length))
            }
            answer => answer.map_err(on("read", path)),
        }
    }

    fn sync(&self, directory: &RelativePath) -> Result<(), LedgerError> {
        self.fs.sync_directory(directory).map_err(on("sync", directory))
    }
}

/// Returns a function that names what was tried, and on what.
fn on(action: &'static str, path: &RelativePath) -> impl Fn(io::Error) -> LedgerError {
    move |source| refused(action, path, source)
}

fn damaged(path: &RelativePath, what: Damage) -> LedgerError {
    LedgerError::Damaged { file: path.to_string(), offset_bytes: 0, what }
}

fn missing(path: &RelativePath) -> LedgerError {
    LedgerError::Missing { file: path.to_string() }
}

fn too_large(length: usize, length_max: usize) -> LedgerError {
    LedgerError::TooLarge { bytes: disk_length(length), bytes_max: disk_length(length_max) }
}

fn in_ledger_words(error: DataRootError, path: &RelativePath) -> LedgerError {
    match error {
        DataRootError::Damaged { file, what } => damaged(&file, what),
        DataRootError::Io { action, file, source } => on(action, &file)(source),
        other => on("create", path)(io::Error::other(other)),
    }
}

impl TaskFiles for TaskStore {
    fn store_bodies(&mut self, bodies: &[(BodyId, Vec<u8>)]) -> Result<(), LedgerError> {
        self.put_bodies(bodies)
    }

    fn load_body(&self, id: BodyId) -> Result<Vec<u8>, LedgerError> {
        self.get_body(id)
    }

    fn erase_body(&mut self, id: BodyId) -> Result<(), LedgerError> {
        self.remove_body(id)
    }

    fn load_checkpoint(&self) -> Result<Option<Checkpoint>, LedgerError> {
        match self.read(&self.checkpoint_path(), FOLD_BYTES_MAX) {
            Ok(bytes) => Ok(bytes.and_then(|bytes| format::decode_checkpoint(&bytes))),
            Err(LedgerError::Damaged { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    fn store_checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), LedgerError> {
        let path = self.checkpoint_path();
        self.require_safe(&path)?;
        let bytes = format::encode_checkpoint(checkpoint);
        atomic::replace_file(&*self.fs, &path, &bytes, Durability::Cached)
            .map_err(on("replace", &path))
    }

    fn store_snapshot(
        &mut self,
        number: u32,
        bytes: &[u8],
        keep_count: u32,
    ) -> Result<(), LedgerError> {
        self.put_snapshot(number, bytes)?;
        self.prune_snapshots(number, keep_count)
    }

    fn load_snapshot(&self, number: u32) -> Result<Vec<u8>, LedgerError> {
        self.get_snapshot(number)
    }

    fn load_key(&self, number: u32) -> Result<[u8; 32], LedgerError> {
        let path = self.key_path(number);
        read_key_file(&*self.fs, &path)
            .map_err(|error| in_ledger_words(error, &path))?
            .ok_or_else(|| missing(&path))
    }

    fn create_key(&mut self, number: u32) -> Result<[u8; 32], LedgerError> {
        let path = self.key_path(number);
        create_key_file(&*self.fs, &path).map_err(|error| in_ledger_words(error, &path))
    }

    fn missed_notes(&self) -> Result<Vec<MissedNote>, LedgerError> {
        self.list_notes()
    }

    fn remove_missed_notes(&mut self, notes: &[MissedNote]) -> Result<(), LedgerError> {
        self.remove_notes(notes)
    }

    fn leave_missed_note(&self, kind: u8, digest: [u8; 32]) -> Result<(), LedgerError> {
        self.leave_note(kind, digest)
    }
}

#[cfg(test)]
mod crash_tests;
#[cfg(test)]
mod tests;
