//! Finds the end of the first JSON object in a stream of bytes, in one linear pass.
//!
//! It looks at brackets and string ends only, so that a payload can be acted on as soon as it is
//! whole, and a bomb of brackets is refused before a parser sees it. Whether the object is valid
//! is not its business.

use super::payload::PayloadError;

/// Bytes of a payload at most, leading marks and white space included.
pub const PAYLOAD_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Brackets within brackets at most.
pub const PAYLOAD_DEPTH_MAX: u32 = 64;

/// The first byte of a UTF-8 byte order mark.
const MARK_FIRST: u8 = 0xEF;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Before the object; the number counts bytes seen of a byte order mark.
    Before(u8),
    Between,
    InString,
    InEscape,
    Done,
}

/// Where the object lies in the bytes fed so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    /// Offset of the opening bracket.
    pub start: usize,
    /// Offset behind the closing bracket.
    pub end: usize,
}

/// Follows one object through pieces of a stream.
#[derive(Debug)]
pub(super) struct ObjectScanner {
    phase: Phase,
    depth: u32,
    start: usize,
    offset: usize,
}

impl ObjectScanner {
    /// Stands before the first byte.
    pub(super) const fn new() -> Self {
        Self { phase: Phase::Before(0), depth: 0, start: 0, offset: 0 }
    }

    /// Tells whether anything but marks and white space has been seen.
    pub(super) const fn has_started(&self) -> bool {
        !matches!(self.phase, Phase::Before(_))
    }

    /// Takes in the next piece; `Some` once the object is whole.
    ///
    /// # Errors
    /// [`PayloadError::NotAnObject`] and [`PayloadError::TooDeep`].
    pub(super) fn feed(&mut self, piece: &[u8]) -> Result<Option<Extent>, PayloadError> {
        let mut rest = piece;
        while let Some((&byte, behind)) = rest.split_first() {
            if self.phase == Phase::InString {
                let skip = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
                self.offset += skip;
                rest = rest.get(skip..).unwrap_or_default();
                if let Some((&stop, behind)) = rest.split_first() {
                    self.phase = if stop == b'"' { Phase::Between } else { Phase::InEscape };
                    self.offset += 1;
                    rest = behind;
                }
                continue;
            }
            self.step(byte)?;
            self.offset += 1;
            rest = behind;
            if self.phase == Phase::Done {
                return Ok(Some(Extent { start: self.start, end: self.offset }));
            }
        }
        Ok(None)
    }

    fn step(&mut self, byte: u8) -> Result<(), PayloadError> {
        self.phase = match (self.phase, byte) {
            (Phase::Before(0), MARK_FIRST) => Phase::Before(1),
            (Phase::Before(1), 0xBB) => Phase::Before(2),
            (Phase::Before(2), 0xBF) | (Phase::Before(0), b' ' | b'\t' | b'\r' | b'\n') => {
                Phase::Before(0)
            }
            (Phase::Before(0), b'{') => {
                self.start = self.offset;
                self.depth = 1;
                Phase::Between
            }
            (Phase::Before(_), _) => return Err(PayloadError::NotAnObject),
            (Phase::Between, b'"') | (Phase::InEscape, _) => Phase::InString,
            (Phase::Between, b'{' | b'[') => {
                self.depth += 1;
                if self.depth > PAYLOAD_DEPTH_MAX {
                    return Err(PayloadError::TooDeep { depth_max: PAYLOAD_DEPTH_MAX });
                }
                Phase::Between
            }
            (Phase::Between, b'}' | b']') => {
                self.depth -= 1;
                if self.depth == 0 { Phase::Done } else { Phase::Between }
            }
            (phase, _) => phase,
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(bytes: &[u8]) -> Result<Option<Extent>, PayloadError> {
        ObjectScanner::new().feed(bytes)
    }

    #[test]
    fn the_object_ends_at_its_own_bracket_whatever_its_strings_hold() {
        let text = br#"  {"a":"}\"}\\","b":[{"c":"\\\""}]} trailing"#;
        let found = extent(text).expect("scans").expect("whole");
        assert_eq!(&text[found.start..found.end], br#"{"a":"}\"}\\","b":[{"c":"\\\""}]}"#);
    }

    #[test]
    fn every_way_to_cut_a_payload_in_two_gives_the_same_extent() {
        let text = "\u{feff}\u{feff}\r\n{\"a\":\"\\\"{\u{1f600}\",\"b\":{}}\r\n".as_bytes();
        let whole = extent(text).expect("scans").expect("whole");
        for cut in 0..=text.len() {
            let mut scanner = ObjectScanner::new();
            let first = scanner.feed(&text[..cut]).expect("scans");
            let found = first.or_else(|| scanner.feed(&text[cut..]).expect("scans"));
            assert_eq!(found, Some(whole), "cut at {cut}");
        }
    }

    #[test]
    fn brackets_are_counted_up_to_the_bound_and_not_beyond() {
        let deep = |depth: usize| format!("{{\"a\":{}", "[".repeat(depth - 1));
        assert_eq!(extent(deep(64).as_bytes()), Ok(None));
        assert_eq!(extent(deep(65).as_bytes()), Err(PayloadError::TooDeep { depth_max: 64 }));
    }

    #[test]
    fn anything_but_an_object_is_refused_at_its_first_byte() {
        for text in ["[", "\"", "1", "null", "}", "\u{fffd}"] {
            assert_eq!(extent(text.as_bytes()), Err(PayloadError::NotAnObject), "{text}");
        }
    }
}
