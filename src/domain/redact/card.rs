//! Payment card numbers: an issuer's opening, an issuer's length, and the check digit of ISO 7812.

use super::Found;
use super::class::byte_at;

/// The most digits of a card number.
const DIGITS_MAX: usize = 19;

/// Returns the card number that begins at `at`, plain or in groups.
pub(super) fn number_at(bytes: &[u8], at: usize) -> Option<Found> {
    if at > 0 && matches!(byte_at(bytes, at.saturating_sub(1)), b'.' | b'-' | b'_' | b'/' | b'#') {
        return None;
    }
    let mut digits = Vec::with_capacity(DIGITS_MAX);
    let mut groups = Vec::with_capacity(5);
    let mut group = 0_u8;
    let mut end = at;
    let separator = separator_after(bytes, at);
    loop {
        let byte = byte_at(bytes, end);
        if byte.is_ascii_digit() {
            if digits.len() == DIGITS_MAX {
                return None;
            }
            digits.push(byte - b'0');
            group = group.saturating_add(1);
        } else if Some(byte) == separator && byte_at(bytes, end.saturating_add(1)).is_ascii_digit()
        {
            groups.push(group);
            group = 0;
        } else {
            break;
        }
        end = end.saturating_add(1);
    }
    groups.push(group);
    let is_apart = !byte_at(bytes, end).is_ascii_alphanumeric() && byte_at(bytes, end) != b'_';
    let is_card = is_apart && is_grouped(&groups) && is_issued(&digits) && has_check_digit(&digits);
    is_card.then_some(Found { start: at, end, name: "card-number" })
}

/// Returns the separator behind the first group of four digits.
fn separator_after(bytes: &[u8], at: usize) -> Option<u8> {
    let byte = byte_at(bytes, at.saturating_add(4));
    matches!(byte, b' ' | b'-').then_some(byte)
}

fn is_grouped(groups: &[u8]) -> bool {
    matches!(groups, [_] | [4, 4, 4, 4] | [4, 6, 5] | [4, 4, 4, 4, 3])
}

/// Tells whether an issuer hands out numbers that begin so and are so long.
fn is_issued(digits: &[u8]) -> bool {
    let opening = |count: usize| {
        digits.iter().take(count).fold(0_u32, |sum, digit| sum * 10 + u32::from(*digit))
    };
    match digits.len() {
        15 => matches!(opening(2), 34 | 37),
        16 => {
            opening(1) == 4
                || matches!(opening(2), 51..=55 | 62 | 65)
                || matches!(opening(4), 2221..=2720 | 6011 | 3528..=3589)
        }
        19 => opening(2) == 62,
        _ => false,
    }
}

fn has_check_digit(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| match (place % 2, u32::from(*digit)) {
            (0, digit) => digit,
            (_, digit) if digit > 4 => digit * 2 - 9,
            (_, digit) => digit * 2,
        })
        .sum();
    sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != 0)
}
