//! The one walk over the bytes that asks every matcher at the places where it could match.

use super::Found;
use super::armour::Armour;
use super::assignment::Assignments;
use super::class::{Class, byte_at, part, run_end, stands_at};
use super::commands::Commands;
use super::encoded::Encoded;
use super::shapes::Shapes;
use super::{card, matcher, shapes};

/// The longest rule name that can stand in a mark.
const NAME_BYTES_MAX: usize = 64;

/// Returns every secret in `bytes`, in order, none overlapping.
///
/// `is_seam` tells whether something invisible stood right before a place, which makes it a word
/// boundary; `has_seams` whether there is any such place.
pub(super) fn find(bytes: &[u8], has_seams: bool, is_seam: impl Fn(usize) -> bool) -> Vec<Found> {
    Scan { encoded: Some(Encoded::default()), ..Scan::of(bytes) }.run(has_seams, is_seam)
}

/// Returns every secret that stands in `bytes` as it is, not encoded once more.
pub(super) fn find_plain(bytes: &[u8]) -> Vec<Found> {
    Scan::of(bytes).run(false, |_| false)
}

/// What the matchers remember on their walk.
struct Scan<'a> {
    bytes: &'a [u8],
    armour: Armour,
    shapes: Shapes,
    assignments: Assignments,
    commands: Commands,
    encoded: Option<Encoded>,
}

impl<'a> Scan<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            armour: Armour::of(bytes),
            shapes: Shapes::default(),
            assignments: Assignments::default(),
            commands: Commands::default(),
            encoded: None,
        }
    }

    fn run(mut self, has_seams: bool, is_seam: impl Fn(usize) -> bool) -> Vec<Found> {
        let mut found = Vec::new();
        let mut at = 0_usize;
        let mut last_end = None;
        while let Some(byte) = self.bytes.get(at) {
            if !is_opening(*byte) {
                at += 1;
                continue;
            }
            if let Some(end) = mark_end(self.bytes, at) {
                at = end;
                last_end = Some(end);
                continue;
            }
            let is_boundary = last_end == Some(at) || is_boundary(self.bytes, at) || is_seam(at);
            match self.secret_at(at, is_boundary) {
                Some(secret) if secret.end > at && secret.end > secret.start => {
                    found.push(secret);
                    at = secret.end;
                    last_end = Some(at);
                }
                _ if is_boundary && !has_seams => at = self.word_end(at),
                _ => at = at.saturating_add(1),
            }
        }
        found
    }

    /// Returns where the next word may begin after the boundary at `at`: behind the letters and
    /// digits there, but after an escape (`\n`, `%3D`) the next byte is looked at as well.
    fn word_end(&self, at: usize) -> usize {
        let before = at.checked_sub(1).map_or(0, |last| byte_at(self.bytes, last));
        let next = at.saturating_add(1);
        match before {
            b'\\' | b'%' => next,
            _ if !byte_at(self.bytes, at).is_ascii_alphanumeric() => next,
            _ => run_end(self.bytes, next, Class::Alnum, usize::MAX),
        }
    }

    fn secret_at(&mut self, at: usize, is_boundary: bool) -> Option<Found> {
        let bytes = self.bytes;
        if is_boundary {
            self.commands.see(bytes, at);
        }
        let known = match byte_at(bytes, at) {
            b'-' => {
                let key = self.armour.key_at(bytes, at);
                key.or_else(|| shapes::flag_credentials_at(bytes, at))
                    .or_else(|| self.commands.password_at(bytes, at))
            }
            b':' => shapes::address_credentials_at(bytes, at),
            0x80.. => self.assignments.foreign_value_at(bytes, at),
            _ if !is_boundary => return None,
            b'0'..=b'9' => matcher::token_at(bytes, at)
                .or_else(|| shapes::bot_token_at(bytes, at))
                .or_else(|| shapes::directory_secret_at(bytes, at))
                .or_else(|| card::number_at(bytes, at)),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => matcher::token_at(bytes, at)
                .or_else(|| self.shapes.word_at(bytes, at))
                .or_else(|| self.assignments.value_at(bytes, at))
                .or_else(|| self.assignments.foreign_value_at(bytes, at)),
            _ => None,
        };
        known.or_else(|| self.encoded.as_mut().filter(|_| is_boundary)?.run_at(bytes, at))
    }
}

/// Tells whether a secret or a mark can begin with `byte`.
const fn is_opening(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | b'_' | b'[' | 0x80..)
}

/// Tells whether a word can begin at `at`: no letter or digit before it, counting an escaped line
/// break (`\n`) and a percent escape (`%3D`) as none.
fn is_boundary(bytes: &[u8], at: usize) -> bool {
    let Some(last) = at.checked_sub(1) else { return true };
    let before = byte_at(bytes, last);
    if !before.is_ascii_alphanumeric() {
        return true;
    }
    let earlier = |back: usize| at.checked_sub(back).map_or(0, |place| byte_at(bytes, place));
    let is_escape = matches!(before, b'n' | b'r' | b't') && earlier(2) == b'\\';
    let is_percent =
        before.is_ascii_hexdigit() && earlier(2).is_ascii_hexdigit() && earlier(3) == b'%';
    is_escape || is_percent
}

/// Returns where the mark that begins at `at` ends, if one does.
pub(super) fn mark_end(bytes: &[u8], at: usize) -> Option<usize> {
    const OPENING: &[u8] = b"[redacted:";
    if byte_at(bytes, at) != b'[' || !stands_at(bytes, at, OPENING) {
        return None;
    }
    let start = at.saturating_add(OPENING.len());
    let rest = part(bytes, start, bytes.len().min(start.saturating_add(NAME_BYTES_MAX)));
    let length =
        rest.iter().take_while(|byte| matches!(**byte, b'a'..=b'z' | b'0'..=b'9' | b'-')).count();
    let end = start.saturating_add(length);
    (length > 0 && byte_at(bytes, end) == b']').then(|| end.saturating_add(1))
}
