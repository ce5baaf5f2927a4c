//! Snapshots: numbered, checksummed, the newest few kept.

use super::{FOLD_BYTES_MAX, TaskStore, damaged, format, missing, on, too_large};
use crate::domain::ports::LedgerError;
use crate::io::fs::RelativePath;
use crate::io::fs::atomic::{self, Durability};
use crate::io::root::layout::below;

impl TaskStore {
    fn snapshot_path(&self, number: u32) -> RelativePath {
        below(&self.directory("snapshots"), &number.to_string())
    }

    pub(super) fn put_snapshot(&self, number: u32, bytes: &[u8]) -> Result<(), LedgerError> {
        let path = self.snapshot_path(number);
        self.require_safe(&path)?;
        let file = format::encode_snapshot(number, bytes);
        if file.len() > FOLD_BYTES_MAX {
            return Err(too_large(file.len(), FOLD_BYTES_MAX));
        }
        atomic::replace_file(&*self.fs, &path, &file, Durability::Synced)
            .map_err(on("replace", &path))
    }

    /// Removes all snapshots but the newest `keep_count`; the one of `number` always stays.
    pub(super) fn prune_snapshots(&self, number: u32, keep_count: u32) -> Result<(), LedgerError> {
        let directory = self.directory("snapshots");
        let entries =
            atomic::list_or_empty(&*self.fs, &directory).map_err(on("list", &directory))?;
        let mut numbers: Vec<u32> = entries
            .iter()
            .filter_map(|entry| {
                let found: u32 = entry.name.parse().ok()?;
                (found.to_string() == entry.name).then_some(found)
            })
            .collect();
        numbers.sort_unstable_by(|one, other| other.cmp(one));
        let keep_count = usize::try_from(keep_count).unwrap_or(usize::MAX);
        let old: Vec<u32> =
            numbers.into_iter().skip(keep_count).filter(|old| *old != number).collect();
        if old.is_empty() {
            return Ok(());
        }
        for number in old {
            let path = self.snapshot_path(number);
            atomic::remove_if_there(&*self.fs, &path).map_err(on("remove", &path))?;
        }
        self.sync(&directory)
    }

    pub(super) fn get_snapshot(&self, number: u32) -> Result<Vec<u8>, LedgerError> {
        let path = self.snapshot_path(number);
        let bytes = self.read(&path, FOLD_BYTES_MAX)?.ok_or_else(|| missing(&path))?;
        format::decode_snapshot(&bytes, number).map_err(|what| damaged(&path, what))
    }
}
