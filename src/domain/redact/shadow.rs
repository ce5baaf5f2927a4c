//! The text as an eye sees it: without colour codes and characters that have no width.

use std::borrow::Cow;

/// The visible bytes of a text, and where each came from.
pub(super) struct Shadow<'a> {
    bytes: Cow<'a, [u8]>,
    /// Where each visible byte stood; empty if nothing was left out.
    origins: Vec<usize>,
}

impl<'a> Shadow<'a> {
    /// Leaves out terminal control sequences and characters without width.
    pub(super) fn of(text: &'a str) -> Self {
        if !text.chars().any(|letter| letter == '\u{1b}' || is_invisible(letter)) {
            return Self { bytes: Cow::Borrowed(text.as_bytes()), origins: Vec::new() };
        }
        let mut bytes = Vec::with_capacity(text.len());
        let mut origins = Vec::with_capacity(text.len());
        let mut sequence = Sequence::None;
        for (start, letter) in text.char_indices() {
            sequence = sequence.next(letter);
            if sequence != Sequence::None || is_invisible(letter) {
                if sequence == Sequence::Last {
                    sequence = Sequence::None;
                }
                continue;
            }
            let mut buffer = [0_u8; 4];
            for (offset, byte) in letter.encode_utf8(&mut buffer).bytes().enumerate() {
                bytes.push(byte);
                origins.push(start.saturating_add(offset));
            }
        }
        Self { bytes: Cow::Owned(bytes), origins }
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

/// Where a letter stands in a terminal control sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sequence {
    None,
    Escape,
    Inside,
    Last,
}

impl Sequence {
    fn next(self, letter: char) -> Self {
        match (self, letter) {
            (_, '\u{1b}') => Self::Escape,
            (Self::Escape, '[') | (Self::Inside, ' '..='?') => Self::Inside,
            (Self::Inside, '@'..='~') => Self::Last,
            _ => Self::None,
        }
    }
}

fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}
