//! One reused buffer over an open file.

use std::io;

use super::record::PAYLOAD_BYTES_MAX;
use crate::io::bytes::{disk_length, memory_length};
use crate::io::fs::FileHandle;

/// Bytes held at once: what one read asks for at most.
const WINDOW_BYTES: usize = 256 * 1024;

const _: () = assert!(
    WINDOW_BYTES >= 2 * 64 * 1024 && PAYLOAD_BYTES_MAX == 64 * 1024,
    "any record fits into the window"
);

/// Shows parts of a file, reading ahead in large steps.
pub(super) struct Window {
    buffer: Vec<u8>,
    filled: usize,
    start_bytes: u64,
}

impl Window {
    pub(super) const fn new() -> Self {
        Self { buffer: Vec::new(), filled: 0, start_bytes: 0 }
    }

    /// Forgets what was read, so that the next look asks the disk again.
    pub(super) const fn forget(&mut self) {
        self.filled = 0;
    }

    /// Returns `wanted` bytes at `offset_bytes`, fewer only at the end of the file.
    ///
    /// `wanted` is at most [`WINDOW_BYTES`]. Always of the file that was asked for first since
    /// [`Window::forget`].
    pub(super) fn look(
        &mut self,
        file: &dyn FileHandle,
        offset_bytes: u64,
        wanted: usize,
    ) -> io::Result<&[u8]> {
        let wanted = wanted.min(WINDOW_BYTES);
        if self.held_from(offset_bytes) < wanted {
            self.refill(file, offset_bytes, wanted)?;
        }
        let available = self.held_from(offset_bytes).min(wanted);
        let skipped = memory_length(offset_bytes.saturating_sub(self.start_bytes));
        Ok(self.buffer.get(skipped..skipped.saturating_add(available)).unwrap_or_default())
    }

    /// Returns how many bytes at and behind `offset_bytes` are held.
    fn held_from(&self, offset_bytes: u64) -> usize {
        offset_bytes
            .checked_sub(self.start_bytes)
            .map_or(0, |skipped| self.filled.saturating_sub(memory_length(skipped)))
    }

    fn refill(
        &mut self,
        file: &dyn FileHandle,
        offset_bytes: u64,
        wanted: usize,
    ) -> io::Result<()> {
        if self.buffer.is_empty() {
            // Zeroed by the system page by page: what is never read into costs nothing.
            self.buffer = vec![0; WINDOW_BYTES];
        }
        let kept = self.held_from(offset_bytes);
        self.buffer.copy_within(self.filled.saturating_sub(kept)..self.filled, 0);
        self.filled = kept;
        self.start_bytes = offset_bytes;
        while self.filled < wanted {
            let at = offset_bytes.saturating_add(disk_length(self.filled));
            let Some(room) = self.buffer.get_mut(self.filled..) else { break };
            match file.read_at(room, at)? {
                0 => break,
                count => self.filled = self.filled.saturating_add(count).min(WINDOW_BYTES),
            }
        }
        Ok(())
    }
}
