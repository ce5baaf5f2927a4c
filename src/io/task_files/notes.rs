//! Notes on events that could not be recorded: a kind and a keyed digest, no text.

use std::io;

use data_encoding::HEXLOWER;

use super::{TaskStore, format, on};
use crate::domain::ports::{LedgerError, MissedNote};
use crate::io::fs::RelativePath;
use crate::io::fs::atomic::{self, Durability};
use crate::io::root::layout;

/// Most notes of one task; further ones are not left, and not taken in.
pub const MISSED_NOTES_MAX: usize = 64;

/// Kind of a note whose bytes were lost in a crash: something was missed, nobody knows what. Its
/// digest is all zeros.
pub const MISSED_KIND_UNKNOWN: u8 = 0;

const RANDOM_BYTES: usize = 8;

impl TaskStore {
    /// Reads the name of a note of this task; `None` for every other name.
    fn note_path(&self, name: &str) -> Option<RelativePath> {
        let digits = name.strip_prefix(&layout::missed_prefix(self.task))?;
        let random = HEXLOWER.decode(digits.as_bytes()).ok()?;
        (random.len() == RANDOM_BYTES).then(|| layout::below(&layout::missed(), name))
    }

    pub(super) fn leave_note(&self, kind: u8, digest: [u8; 32]) -> Result<(), LedgerError> {
        let directory = layout::missed();
        if self.note_count(&directory)? >= MISSED_NOTES_MAX {
            // That something was missed is told already.
            return Ok(());
        }
        let mut random = [0; RANDOM_BYTES];
        getrandom::fill(&mut random)
            .map_err(|error| on("name a note in", &directory)(io::Error::other(error)))?;
        let prefix = layout::missed_prefix(self.task);
        let path = layout::below(&directory, &format!("{prefix}{}", HEXLOWER.encode(&random)));
        // The content before any sync: whoever leaves a note may be ended while the disk hangs.
        let is_created =
            atomic::create_directory(&*self.fs, &directory).map_err(on("create", &directory))?;
        let bytes = format::encode_note(kind, digest);
        atomic::create_file(&*self.fs, &path, &bytes, Durability::Synced)
            .map_err(on("create", &path))?;
        self.sync(&directory)?;
        atomic::ensure_directory(&*self.fs, &directory)
            .inspect_err(|_| {
                // A directory whose name was never synced may vanish whatever is synced later: it
                // is taken back, so that the next note makes it anew.
                if is_created {
                    drop(atomic::remove_if_there(&*self.fs, &path));
                    drop(self.fs.remove_directory(&directory));
                }
            })
            .map_err(on("create", &directory))
    }

    fn note_count(&self, directory: &RelativePath) -> Result<usize, LedgerError> {
        let entries = atomic::list_or_empty(&*self.fs, directory).map_err(on("list", directory))?;
        Ok(entries.iter().filter(|entry| self.note_path(&entry.name).is_some()).count())
    }

    pub(super) fn list_notes(&self) -> Result<Vec<MissedNote>, LedgerError> {
        let directory = layout::missed();
        let entries =
            atomic::list_or_empty(&*self.fs, &directory).map_err(on("list", &directory))?;
        let mut dated = Vec::new();
        for entry in entries {
            let Some(path) = self.note_path(&entry.name) else { continue };
            let found =
                atomic::missing_is_none(self.fs.metadata(&path)).map_err(on("examine", &path))?;
            if let Some(found) = found {
                dated.push((found.modified_millis, entry.name, path));
            }
        }
        dated.sort();
        dated.truncate(MISSED_NOTES_MAX);
        let mut notes = Vec::new();
        for (_, name, path) in dated {
            let bytes = match self.read(&path, format::NOTE_BYTES) {
                Ok(None) => continue,
                Ok(Some(bytes)) => bytes,
                Err(LedgerError::Damaged { .. }) => Vec::new(),
                Err(other) => return Err(other),
            };
            let (kind, digest) =
                format::decode_note(&bytes).unwrap_or((MISSED_KIND_UNKNOWN, [0; 32]));
            notes.push(MissedNote { name, kind, digest });
        }
        Ok(notes)
    }

    pub(super) fn remove_notes(&self, notes: &[MissedNote]) -> Result<(), LedgerError> {
        let paths: Vec<_> = notes.iter().filter_map(|note| self.note_path(&note.name)).collect();
        if paths.is_empty() {
            return Ok(());
        }
        for path in &paths {
            atomic::remove_if_there(&*self.fs, path).map_err(on("remove", path))?;
        }
        self.sync(&layout::missed())
    }
}
