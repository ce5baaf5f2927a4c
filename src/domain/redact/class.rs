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
    /// `=`: what fills a base64 text up.
    Padding,
    /// `0-9 a-z A-Z _ - . / : % ?  = & @`: the tail of a web address.
    Address,
}

impl Class {
    /// Returns every character of the alphabet.
    pub(super) const fn letters(self) -> &'static str {
        match self {
            Self::Digit => "0123456789",
            Self::HexLower => "0123456789abcdef",
            Self::Hex => "0123456789ABCDEFabcdef",
            Self::Upper => "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
            Self::Lower => "0123456789abcdefghijklmnopqrstuvwxyz",
            Self::Alnum => "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            Self::Word => "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz",
            Self::Url64 => "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz",
            Self::Dotted => "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz",
            Self::Base64 => "+/0123456789=ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            Self::AnyBase64 => {
                "+-/0123456789=ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
            }
            Self::Padding => "=",
            Self::Address => {
                "%&-./0123456789:=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
            }
        }
    }

    /// Tells whether `byte` belongs to the alphabet.
    #[inline]
    pub(super) fn holds(self, byte: u8) -> bool {
        ALPHABETS.get(usize::from(byte)).is_some_and(|classes| classes & self.bit() != 0)
    }

    const fn bit(self) -> u16 {
        1 << match self {
            Self::Digit => 0,
            Self::HexLower => 1,
            Self::Hex => 2,
            Self::Upper => 3,
            Self::Lower => 4,
            Self::Alnum => 5,
            Self::Word => 6,
            Self::Url64 => 7,
            Self::Dotted => 8,
            Self::Base64 => 9,
            Self::AnyBase64 => 10,
            Self::Padding => 11,
            Self::Address => 12,
        }
    }
}

/// The alphabets that each byte belongs to, one bit each.
static ALPHABETS: [u16; 256] = alphabets();

#[expect(clippy::indexing_slicing, reason = "runs when this is compiled, where a slip is an error")]
const fn alphabets() -> [u16; 256] {
    const CLASSES: [Class; 13] = [
        Class::Digit,
        Class::HexLower,
        Class::Hex,
        Class::Upper,
        Class::Lower,
        Class::Alnum,
        Class::Word,
        Class::Url64,
        Class::Dotted,
        Class::Base64,
        Class::AnyBase64,
        Class::Padding,
        Class::Address,
    ];
    let mut alphabets = [0; 256];
    let (mut byte, mut place) = (0_u8, 0);
    while place < alphabets.len() {
        let mut number = 0;
        while number < CLASSES.len() {
            let letters = CLASSES[number].letters().as_bytes();
            let mut at = 0;
            while at < letters.len() {
                if letters[at] == byte {
                    alphabets[place] |= CLASSES[number].bit();
                }
                at += 1;
            }
            number += 1;
        }
        byte = byte.wrapping_add(1);
        place += 1;
    }
    alphabets
}

/// Returns the byte at `at`, or 0 past the end: no alphabet holds 0.
#[inline]
pub(super) fn byte_at(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

/// Returns the bytes from `start` to `end`, or nothing if the range is not inside.
#[inline]
pub(super) fn part(bytes: &[u8], start: usize, end: usize) -> &[u8] {
    bytes.get(start..end).unwrap_or_default()
}

/// Tells whether `needle` stands somewhere in `bytes`; for short ones, where setting up a search
/// costs more than the search.
pub(super) fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    let Some((first, rest)) = needle.split_first() else { return true };
    let mut left = bytes;
    while let Some(place) = memchr::memchr(*first, left) {
        left = left.get(place.saturating_add(1)..).unwrap_or_default();
        if left.starts_with(rest) {
            return true;
        }
    }
    false
}

/// Tells whether `needle` stands at `at`; its last byte, which tells most apart, is looked at first.
#[inline]
pub(super) fn stands_at(bytes: &[u8], at: usize, needle: &[u8]) -> bool {
    let end = at.saturating_add(needle.len());
    let is_likely = needle.last() == bytes.get(end.saturating_sub(1));
    is_likely && bytes.get(at..end).is_some_and(|found| found == needle)
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
