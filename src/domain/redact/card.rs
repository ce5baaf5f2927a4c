//! Payment card numbers: an issuer's opening, an issuer's length, and the check digit of ISO 7812.

use super::Found;
use super::class::{byte_at, part};
use super::matcher::stands_alone;

/// The most digits of a card number.
const DIGITS_MAX: usize = 19;
/// The most groups that they are written in.
const GROUPS_MAX: usize = 5;

/// Returns the card number that begins at `at`, plain or in groups.
pub(super) fn number_at(bytes: &[u8], at: usize) -> Option<Found> {
    if !stands_alone(bytes, at) || (at > 0 && byte_at(bytes, at.saturating_sub(1)) == b'#') {
        return None;
    }
    let opening = part(bytes, at, at.saturating_add(4));
    if opening.len() < 4 || !opening.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut number = Number::default();
    let mut end = at;
    let separator = separator_after(bytes, at);
    loop {
        let byte = byte_at(bytes, end);
        if byte.is_ascii_digit() {
            number.push(byte - b'0')?;
        } else if Some(byte) == separator && byte_at(bytes, end.saturating_add(1)).is_ascii_digit()
        {
            number.open_group()?;
        } else {
            break;
        }
        end = end.saturating_add(1);
    }
    let is_apart = !byte_at(bytes, end).is_ascii_alphanumeric() && byte_at(bytes, end) != b'_';
    let is_card = is_apart
        && is_grouped(number.groups())
        && is_issued(number.digits())
        && has_check_digit(number.digits());
    is_card.then_some(Found { start: at, end, name: "card-number" })
}

/// Digits in groups, as far as a card number has them.
#[derive(Default)]
struct Number {
    digits: [u8; DIGITS_MAX],
    digit_count: usize,
    groups: [u8; GROUPS_MAX],
    group: usize,
}

impl Number {
    fn push(&mut self, digit: u8) -> Option<()> {
        *self.digits.get_mut(self.digit_count)? = digit;
        self.digit_count += 1;
        *self.groups.get_mut(self.group)? += 1;
        Some(())
    }

    fn open_group(&mut self) -> Option<()> {
        self.group += 1;
        (self.group < GROUPS_MAX).then_some(())
    }

    fn digits(&self) -> &[u8] {
        self.digits.get(..self.digit_count).unwrap_or_default()
    }

    fn groups(&self) -> &[u8] {
        self.groups.get(..=self.group).unwrap_or_default()
    }
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
