//! The alphabets that tokens are written in.

/// A set of ASCII bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// `0-9`.
    Digit,
    /// `0-9 a-f`.
    HexLower,
    /// `0-9 a-f A-F`.
    Hex,
    /// `0-9 A-Z`.
    Upper,
    /// `0-9 a-z`.
    Lower,
    /// `0-9 a-z A-Z`.
    Alnum,
    /// `0-9 a-z A-Z _`.
    Word,
    /// `0-9 a-z A-Z _ -`.
    Url64,
    /// `0-9 a-z A-Z _ - .`.
    Dotted,
    /// `0-9 a-z A-Z + / =`.
    Base64,
    /// `0-9 a-z A-Z + / = _ -`.
    AnyBase64,
    /// `0-9 a-z A-Z _ - . / : % ?  = & @`: the tail of a web address.
    Address,
}

impl Class {
    /// Tells whether `byte` belongs to the alphabet.
    pub(super) const fn holds(self, byte: u8) -> bool {
        match self {
            Self::Digit => byte.is_ascii_digit(),
            Self::HexLower => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Upper => matches!(byte, b'0'..=b'9' | b'A'..=b'Z'),
            Self::Lower => matches!(byte, b'0'..=b'9' | b'a'..=b'z'),
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Word => byte.is_ascii_alphanumeric() || byte == b'_',
            Self::Url64 => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
            Self::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='),
            Self::AnyBase64 => {
                byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-')
            }
            Self::Address => {
                byte.is_ascii_alphanumeric()
                    || matches!(
                        byte,
                        b'_' | b'-' | b'.' | b'/' | b':' | b'%' | b'?' | b'=' | b'&' | b'@'
                    )
            }
        }
    }
}

/// Returns the byte at `at`, or 0 past the end: no alphabet holds 0.
pub(super) fn byte_at(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

/// Returns the bytes from `start` to `end`, or nothing if the range is not inside.
pub(super) fn part(bytes: &[u8], start: usize, end: usize) -> &[u8] {
    bytes.get(start..end).unwrap_or_default()
}

/// Tells whether `needle` stands at `at`.
pub(super) fn stands_at(bytes: &[u8], at: usize, needle: &[u8]) -> bool {
    bytes.get(at..).is_some_and(|rest| rest.starts_with(needle))
}

/// Returns where the run of `class` that begins at `start` ends, looking at `count_max` bytes.
pub(super) fn run_end(bytes: &[u8], start: usize, class: Class, count_max: usize) -> usize {
    let count = bytes
        .get(start..)
        .unwrap_or_default()
        .iter()
        .take(count_max)
        .take_while(|byte| class.holds(**byte))
        .count();
    start.saturating_add(count)
}
