//! The text as an eye and a shell see it: without colour codes, without characters that have no
//! width, and with lines joined that a backslash continues.

use std::borrow::Cow;

use memchr::{memchr, memmem};

/// Blanks at the start of a continued line that are no part of what it continues.
const INDENT_BYTES_MAX: usize = 32;

/// The visible bytes of a text, and where each came from.
pub(super) struct Shadow<'a> {
    bytes: Cow<'a, [u8]>,
    /// Where each visible byte stood; empty if nothing was left out.
    origins: Vec<usize>,
}

impl<'a> Shadow<'a> {
    /// Leaves nothing out.
    pub(super) fn plain(text: &'a str) -> Self {
        Self { bytes: Cow::Borrowed(text.as_bytes()), origins: Vec::new() }
    }

    /// Leaves out terminal control sequences, characters without width, and continued line ends.
    ///
    /// `None` if the text has none of them.
    pub(super) fn of(text: &'a str) -> Option<Self> {
        if !needs_shadow(text) {
            return None;
        }
        let mut bytes = Vec::with_capacity(text.len());
        let mut origins = Vec::with_capacity(text.len());
        let mut sequence = Sequence::None;
        let mut joined_to = 0_usize;
        for (start, letter) in text.char_indices() {
            if start < joined_to {
                continue;
            }
            sequence = sequence.next(letter);
            if sequence != Sequence::None || is_invisible(letter) {
                if sequence == Sequence::Last {
                    sequence = Sequence::None;
                }
                continue;
            }
            if letter == '\\'
                && bytes.last() != Some(&b'\\')
                && let Some(end) = continued_line(text.as_bytes(), start)
            {
                joined_to = end;
                continue;
            }
            let mut buffer = [0_u8; 4];
            for (offset, byte) in letter.encode_utf8(&mut buffer).bytes().enumerate() {
                bytes.push(byte);
                origins.push(start.saturating_add(offset));
            }
        }
        Some(Self { bytes: Cow::Owned(bytes), origins })
    }

    /// Returns the visible bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Tells whether something was left out right before the visible byte at `at`.
    pub(super) fn is_seam(&self, at: usize) -> bool {
        let here = self.origins.get(at);
        let before = at.checked_sub(1).and_then(|before| self.origins.get(before));
        matches!((before, here), (Some(before), Some(here)) if here - before > 1)
    }

    /// Returns the range of the original text behind the visible bytes from `start` to `end`.
    pub(super) fn original(&self, start: usize, end: usize) -> (usize, usize) {
        let origin = |at: usize| self.origins.get(at).copied().unwrap_or(at);
        let last = end.saturating_sub(1).max(start);
        (origin(start), origin(last).saturating_add(1))
    }
}

fn needs_shadow(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr(0x1b, bytes).is_some()
        || memmem::find(bytes, b"\\\n").is_some()
        || memmem::find(bytes, b"\\\r\n").is_some()
        || (!text.is_ascii() && text.chars().any(is_invisible))
}

/// Returns where the next line's text begins, if the backslash at `at` ends its line.
fn continued_line(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at.saturating_add(1)..)?;
    let break_length = match rest {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => return None,
    };
    let line = rest.get(break_length..)?.iter().take(INDENT_BYTES_MAX);
    let indent = line.take_while(|byte| matches!(**byte, b' ' | b'\t')).count();
    Some(at.saturating_add(1).saturating_add(break_length).saturating_add(indent))
}

/// Where a letter stands in a terminal control sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sequence {
    None,
    Escape,
    Inside,
    /// The name of a character set follows.
    Charset,
    Last,
}

impl Sequence {
    fn next(self, letter: char) -> Self {
        match (self, letter) {
            (_, '\u{1b}') => Self::Escape,
            (_, '\u{9b}') | (Self::Escape, '[') | (Self::Inside, ' '..='?') => Self::Inside,
            (Self::Escape, '(' | ')') => Self::Charset,
            (Self::Inside, '@'..='~')
            | (Self::Charset, '0' | 'A' | 'B')
            | (Self::Escape, '7' | '8' | '=' | '>') => Self::Last,
            _ => Self::None,
        }
    }
}

fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{9b}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}
