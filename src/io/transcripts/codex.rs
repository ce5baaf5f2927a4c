//! What hooks injected into a conversation of Codex, and its compactions, as its file shows.

use std::path::Path;

use super::codex_line::{Entry, Mark, What};
use super::{TAIL_BYTES_DEFAULT, Tail, TailReader, Unavailable, Uncheckable};

/// How many compactions the part that was read shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compactions {
    /// Compactions seen.
    pub count: u32,
    /// Whether that is all there were: everything was read and understood.
    pub is_complete: bool,
}

/// The end of a rollout file, read once.
#[derive(Debug, Clone)]
pub struct CodexTranscript {
    tail: Result<Tail, Unavailable>,
}

impl CodexTranscript {
    /// Reads the last [`TAIL_BYTES_DEFAULT`] bytes of the file that the host named, if any.
    #[must_use]
    pub fn open(path: Option<&Path>) -> Self {
        Self::open_bounded(path, TAIL_BYTES_DEFAULT)
    }

    /// Reads the last `tail_bytes_max` bytes of the file that the host named, if any.
    #[must_use]
    pub fn open_bounded(path: Option<&Path>, tail_bytes_max: u64) -> Self {
        let tail = path
            .ok_or(Unavailable::Unnamed)
            .and_then(|path| TailReader::open(path, tail_bytes_max))
            .and_then(|mut reader| reader.read());
        Self { tail }
    }

    /// Tells whether `mark` stands in text that Codex marks as injected by a hook, after the newest
    /// compaction.
    ///
    /// The same words in a prompt, a tool's output, instructions or a summary do not count.
    ///
    /// # Errors
    /// [`Uncheckable`] if neither can be said.
    pub fn has_injected(&self, mark: &str) -> Result<bool, Uncheckable> {
        let tail = self.readable()?;
        let mut unclear = tail.unclear_lines();
        let mut is_window_read = tail.is_whole();
        for line in tail.lines().rev() {
            match Entry::parse(line) {
                None => unclear = unclear.or(Some(Uncheckable::UnreadableLines)),
                Some(Entry { what: What::Compaction, .. }) => {
                    is_window_read = true;
                    break;
                }
                Some(Entry { what: What::Message(message), .. }) => {
                    match message.holds_from_hook(mark) {
                        Mark::Injected => return Ok(true),
                        Mark::OfUnknownOrigin => unclear = Some(Uncheckable::NotMarked),
                        Mark::Absent => {}
                    }
                }
                Some(_) => {}
            }
        }
        match unclear {
            Some(reason) => Err(reason),
            None if is_window_read => Ok(false),
            None => Err(Uncheckable::BeyondTail),
        }
    }

    /// Returns the lines that begin with `word` in text that Codex marks as injected by a hook,
    /// newest first, at most `count_max`. Compactions do not matter here.
    #[must_use]
    pub fn injected_lines(&self, word: &str, count_max: usize) -> Vec<String> {
        let Ok(tail) = &self.tail else { return Vec::new() };
        let mut found = Vec::new();
        for line in tail.lines().rev() {
            if let Some(Entry { what: What::Message(message), .. }) = Entry::parse(line) {
                found.extend(message.lines_from_hook(word));
            }
            if found.len() >= count_max {
                break;
            }
        }
        found.truncate(count_max);
        found
    }

    /// Counts the compactions in the part that was read.
    ///
    /// # Errors
    /// [`Unavailable`] if there is nothing to read.
    pub fn compactions_seen(&self) -> Result<Compactions, Unavailable> {
        let tail = self.tail.as_ref().map_err(|reason| *reason)?;
        let mut seen = Compactions {
            count: 0,
            is_complete: tail.is_whole() && tail.unclear_lines().is_none(),
        };
        for line in tail.lines() {
            match Entry::parse(line) {
                Some(Entry { what: What::Compaction, .. }) => {
                    seen.count = seen.count.saturating_add(1);
                }
                Some(_) => {}
                None => seen.is_complete = false,
            }
        }
        Ok(seen)
    }

    fn readable(&self) -> Result<&Tail, Uncheckable> {
        self.tail.as_ref().map_err(|reason| Uncheckable::Unavailable(*reason))
    }
}

#[cfg(test)]
#[path = "codex_tests.rs"]
mod tests;
