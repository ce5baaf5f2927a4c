//! Armoured private keys: many lines that go together.

use memchr::memmem;

use super::Found;
use super::class::{Class, byte_at, part, run_end, stands_at};

const ARMOUR_BEGIN: &[u8] = b"-----BEGIN ";
const ARMOUR_END: &[u8] = b"-----END ";
/// The longest label in an armour line, `PRIVATE KEY` included.
const LABEL_BYTES_MAX: usize = 64;
/// The longest armoured key that is taken whole; a longer one is taken word by word.
const ARMOUR_BYTES_MAX: usize = 64 * 1024;
/// The most blanks and marks between two lines.
const GAP_BYTES_MAX: usize = 16;

/// What has to be remembered between two keys to stay linear.
pub(super) struct Armour {
    /// Where armour ends, in order, not yet passed.
    ends: std::iter::Peekable<std::vec::IntoIter<usize>>,
}

impl Armour {
    /// Looks through `bytes` once for the ends of armoured keys.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let ends: Vec<usize> = memmem::find_iter(bytes, ARMOUR_END).collect();
        Self { ends: ends.into_iter().peekable() }
    }

    /// Returns the armoured private key that begins at `at`.
    ///
    /// Without an end line the base64 words that follow are taken.
    pub(super) fn key_at(&mut self, bytes: &[u8], at: usize) -> Option<Found> {
        if !stands_at(bytes, at, ARMOUR_BEGIN) {
            return None;
        }
        let label_start = at.saturating_add(ARMOUR_BEGIN.len());
        let label_end = armour_line_end(bytes, label_start)?;
        while self.ends.peek().is_some_and(|end| *end < label_end) {
            self.ends.next();
        }
        let limit = label_end.saturating_add(ARMOUR_BYTES_MAX);
        let end = self.ends.peek().filter(|end| **end <= limit).map_or_else(
            || base64_words_end(bytes, label_end),
            |end| {
                let start = end.saturating_add(ARMOUR_END.len());
                armour_line_end(bytes, start).unwrap_or(start)
            },
        );
        Some(Found { start: at, end, name: "private-key" })
    }
}

/// Returns where the armour line ends whose label begins at `start`, for a private key's label.
fn armour_line_end(bytes: &[u8], start: usize) -> Option<usize> {
    let line = part(bytes, start, bytes.len().min(start.saturating_add(LABEL_BYTES_MAX)));
    let dashes = memmem::find(line, b"-----")?;
    memmem::find(part(line, 0, dashes), b"PRIVATE KEY")?;
    Some(start.saturating_add(dashes).saturating_add(5))
}

/// Returns where the base64 words after `start` end; a word counts if it has 16 letters or more.
///
/// Between two of them may stand what a line begins and ends with in a diff, a mail, a list.
fn base64_words_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    loop {
        let gap = bytes.get(end..).unwrap_or_default().iter().take(GAP_BYTES_MAX);
        let gap = gap.take_while(|byte| b" \r\n\t->|,\"'".contains(*byte)).count();
        let mut word = end.saturating_add(gap);
        while byte_at(bytes, word) == b'\\' {
            let is_escape = matches!(byte_at(bytes, word + 1), b'n' | b'r' | b'\\');
            word = word.saturating_add(if is_escape { 2 } else { 1 });
        }
        if let Some(line_end) = armour_header_end(bytes, word) {
            end = line_end;
            continue;
        }
        let word_end = run_end(bytes, word, Class::Base64, usize::MAX);
        if word_end.saturating_sub(word) < 16 {
            return end;
        }
        end = word_end;
    }
}

/// Returns where the header line of an armour ends that begins at `at`.
fn armour_header_end(bytes: &[u8], at: usize) -> Option<usize> {
    const HEADERS: [&[u8]; 4] = [b"Proc-Type: ", b"DEK-Info: ", b"Version: ", b"Comment: "];
    HEADERS.iter().find(|header| stands_at(bytes, at, header))?;
    let line = part(bytes, at, bytes.len().min(at.saturating_add(LABEL_BYTES_MAX)));
    let length = line.iter().take_while(|byte| !matches!(**byte, b'\r' | b'\n' | b'\\')).count();
    Some(at.saturating_add(length))
}
