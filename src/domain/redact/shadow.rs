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
    fn plain(text: &'a str) -> Self {
        Self { bytes: Cow::Borrowed(text.as_bytes()), origins: Vec::new() }
    }

    /// Returns the ways to read the text, the text as it stands last.
    pub(super) fn views(text: &'a str) -> impl Iterator<Item = Self> {
        let (has_hidden, has_continued) = (has_hidden(text), has_continued(text));
        let tight = (has_hidden || has_continued).then_some(Indent::Dropped);
        let spaced = has_continued.then_some(Indent::One);
        let seen = tight.into_iter().chain(spaced).map(|indent| Self::seen(text, indent));
        seen.chain(std::iter::once_with(|| Self::plain(text)))
    }

    /// Leaves out terminal control sequences, characters without width, and continued line ends.
    fn seen(text: &'a str, indent: Indent) -> Self {
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
                && let Some(end) = continued_line(text.as_bytes(), start, indent)
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
        Self { bytes: Cow::Owned(bytes), origins }
    }

    /// Returns the visible bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Tells whether anything was left out.
    pub(super) fn has_seams(&self) -> bool {
        !self.origins.is_empty()
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

/// What becomes of the blanks before a continued line: a quoted string drops them, a shell keeps one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Indent {
    Dropped,
    One,
}

fn has_hidden(text: &str) -> bool {
    memchr(0x1b, text.as_bytes()).is_some() || (!text.is_ascii() && text.chars().any(is_invisible))
}

fn has_continued(text: &str) -> bool {
    [b"\\\n".as_slice(), b"\\\r\n"].iter().any(|end| memmem::find(text.as_bytes(), end).is_some())
}

/// Returns where the next line's text begins, if the backslash at `at` ends its line.
fn continued_line(bytes: &[u8], at: usize, indent: Indent) -> Option<usize> {
    let rest = bytes.get(at.saturating_add(1)..)?;
    let break_length = match rest {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => return None,
    };
    let line = rest.get(break_length..)?.iter().take(INDENT_BYTES_MAX);
    let count = line.take_while(|byte| matches!(**byte, b' ' | b'\t')).count();
    let blanks = match indent {
        Indent::Dropped => count,
        Indent::One => count.saturating_sub(1),
    };
    Some(at.saturating_add(1).saturating_add(break_length).saturating_add(blanks))
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
