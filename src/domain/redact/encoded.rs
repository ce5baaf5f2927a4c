//! Secrets inside base64 text, looked for by decoding each run once.
//!
//! Only a run that decodes to text is looked into, so that images, digests and ids stay. Where a
//! secret is within, the whole run goes: what is left of it could be decoded.

use super::Found;
use super::class::{Class, byte_at, part, run_end};
use super::scan;

/// The shortest run that is decoded: no secret is shorter.
const RUN_CHARS_MIN: usize = 16;
/// How many decoded bytes are asked to be text before the rest is decoded.
const PROBE_BYTES: usize = 32;
/// The shortest line that a run may be wrapped at.
const LINE_CHARS_MIN: usize = 60;
/// Blanks before the next line of a wrapped run.
const INDENT_BYTES_MAX: usize = 16;

/// What has to be remembered between two runs to stay linear.
#[derive(Debug, Default)]
pub(super) struct Encoded {
    /// No run begins before here.
    from: usize,
}

impl Encoded {
    /// Returns the run that begins at `at`, a word boundary, if a secret is encoded in it.
    pub(super) fn run_at(&mut self, bytes: &[u8], at: usize) -> Option<Found> {
        let is_long = Class::AnyBase64.holds(byte_at(bytes, at.saturating_add(RUN_CHARS_MIN - 1)));
        if at < self.from || !is_long {
            return None;
        }
        let before = at.checked_sub(1).map_or(0, |last| byte_at(bytes, last));
        if matches!(before, b'\\' | b'%') {
            return None;
        }
        let rest = bytes.get(at..)?;
        let length = rest.iter().take_while(|byte| value_of(**byte).is_some()).count();
        let end = at.saturating_add(length);
        self.from = end;
        if length < RUN_CHARS_MIN {
            return None;
        }
        let run = part(bytes, at, end);
        let after = |place: Option<usize>| place.map(|place| at + place + 1);
        let first = after(run.iter().position(|byte| matches!(byte, b'-' | b'_' | b'/')));
        let last = after(run.iter().rposition(|byte| *byte == b'/'));
        let starts = [Some(at), first, last.filter(|last| Some(*last) != first)];
        starts.into_iter().flatten().find_map(|start| {
            let run = Run::decode(bytes, start)?;
            let is_secret = !scan::find_plain(&run.text).is_empty();
            is_secret.then_some(Found { start, end: run.end, name: "base64" })
        })
    }
}

/// A decoded run.
struct Run {
    text: Vec<u8>,
    /// Where it ends, its padding included.
    end: usize,
}

impl Run {
    /// Decodes what begins at `start`, over wrapped lines, or gives up where it is no text.
    fn decode(bytes: &[u8], start: usize) -> Option<Self> {
        let mut text = Vec::new();
        let (mut at, mut line_start) = (start, start);
        let (mut bits, mut bit_count, mut count) = (0_u32, 0_u32, 0_usize);
        loop {
            let Some(value) = value_of(byte_at(bytes, at)) else {
                match next_line(bytes, line_start, at) {
                    Some(next) => {
                        at = next;
                        line_start = next;
                        continue;
                    }
                    None => break,
                }
            };
            bits = (bits << 6) | u32::from(value);
            bit_count += 6;
            count += 1;
            at += 1;
            if bit_count >= 8 {
                bit_count -= 8;
                let [.., byte] = (bits >> bit_count).to_be_bytes();
                text.push(byte);
                if text.len() == PROBE_BYTES && !is_text(&text) {
                    return None;
                }
            }
        }
        if count < RUN_CHARS_MIN {
            return None;
        }
        let padding = run_end(bytes, at, Class::Padding, 2);
        let text = if is_wide(&text) { text.into_iter().step_by(2).collect() } else { text };
        is_text(&text).then_some(Self { text, end: padding })
    }
}

/// The value of a letter in either alphabet.
const fn value_of(letter: u8) -> Option<u8> {
    match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

/// Returns where the run goes on, if its line was full and the next line has nothing else.
fn next_line(bytes: &[u8], line_start: usize, at: usize) -> Option<usize> {
    let length = at.saturating_sub(line_start);
    if length < LINE_CHARS_MIN || !length.is_multiple_of(4) {
        return None;
    }
    let rest = bytes.get(at..)?;
    let break_length = [b"\n".as_slice(), b"\r\n", b"\\n", b"\\r\\n"]
        .into_iter()
        .find(|text| rest.starts_with(text))
        .map(<[u8]>::len)?;
    let line = rest.get(break_length..)?;
    let indent = line.iter().take(INDENT_BYTES_MAX);
    let indent = indent.take_while(|byte| matches!(**byte, b' ' | b'\t')).count();
    let next = at + break_length + indent;
    let next_end = run_end(bytes, next, Class::AnyBase64, usize::MAX);
    let is_closed = matches!(byte_at(bytes, next_end), 0 | b'\r' | b'\n' | b'\\' | b'"' | b'\'');
    (next_end > next && is_closed).then_some(next)
}

/// Tells whether the bytes are text in UTF-16, as one shell encodes its commands.
fn is_wide(bytes: &[u8]) -> bool {
    bytes.len() >= 2 && bytes.iter().skip(1).step_by(2).take(PROBE_BYTES).all(|byte| *byte == 0)
}

/// Tells whether the bytes are text, perhaps cut within a character.
fn is_text(bytes: &[u8]) -> bool {
    let is_whole = match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    let is_shown = |byte: &u8| !byte.is_ascii_control() || matches!(byte, b'\t' | b'\r' | b'\n');
    is_wide(bytes) || (is_whole && bytes.iter().all(is_shown))
}
