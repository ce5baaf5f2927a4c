//! Finds prefixed tokens at a given place: prefix, alphabet, length, boundary.

use std::sync::LazyLock;

use super::Found;
use super::class::{Class, byte_at, part, stands_at};
use super::rules::{Boundary, RULES, Rule};

/// The least of a token that the end of the text cuts, for it to be told from a word.
const CUT_BYTES_MIN: usize = 8;

/// Rules by the low bits of the first two bytes of their prefix, in the order of the table.
static BY_OPENING: LazyLock<Vec<Vec<&'static Rule>>> = LazyLock::new(|| {
    let mut rules = vec![Vec::new(); 1024];
    for rule in RULES {
        let place = opening(rule.prefix.as_bytes(), 0);
        if let Some(place) = rules.get_mut(place) {
            place.push(rule);
        }
    }
    rules
});

fn opening(bytes: &[u8], at: usize) -> usize {
    let bits = |at: usize| usize::from(byte_at(bytes, at) & 0x1f);
    bits(at) << 5 | bits(at.saturating_add(1))
}

/// Returns the token that begins at `at`, a word boundary.
pub(super) fn token_at(bytes: &[u8], at: usize) -> Option<Found> {
    let rules = BY_OPENING.get(opening(bytes, at))?;
    let end_of = |rule: &Rule| rule_end(rule, bytes, at).or_else(|| cut_end(rule, bytes, at));
    rules.iter().find_map(|rule| {
        let end = end_of(rule)?;
        Some(Found { start: at, end, name: rule.name })
    })
}

/// Returns the end of the text, if it cuts a token of `rule` that begins at `at`: half of the
/// shortest token is there and does not read as words.
fn cut_end(rule: &Rule, bytes: &[u8], at: usize) -> Option<usize> {
    let left = bytes.len().checked_sub(at)?.checked_sub(rule.prefix.len())?;
    let (count_min, _) = rule.length;
    let is_cut = left < count_min && left >= count_min.div_ceil(2).max(CUT_BYTES_MIN);
    if !is_cut || rule.boundary != Boundary::Word || !stands_at(bytes, at, rule.prefix.as_bytes()) {
        return None;
    }
    let body = part(bytes, at.saturating_add(rule.prefix.len()), bytes.len());
    (body.iter().all(|byte| rule.class.holds(*byte)) && !reads_as_words(body))
        .then_some(bytes.len())
}

/// Returns where the token of `rule` that begins at `at` ends.
///
/// Looks at no more bytes than the rule's longest token has, or takes all it looked at.
pub(super) fn rule_end(rule: &Rule, bytes: &[u8], at: usize) -> Option<usize> {
    if !stands_at(bytes, at, rule.prefix.as_bytes()) {
        return None;
    }
    let start = at.saturating_add(rule.prefix.len());
    let end = body_end(bytes, start, rule.class, rule.length)?;
    let is_kept = match rule.boundary {
        Boundary::Word => true,
        Boundary::Alone => stands_alone(bytes, at) && !reads_as_words(part(bytes, start, end)),
    };
    is_kept.then_some(end)
}

/// Tells whether no name, path or version goes on at `at`.
///
/// A hyphen that begins a line is the mark of a line taken out.
pub(super) fn stands_alone(bytes: &[u8], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or(b'\n', |place| byte_at(bytes, place));
    match before(1) {
        b'-' => before(2) == b'\n',
        other => !matches!(other, b'_' | b'.' | b'/'),
    }
}

/// Neither a digit nor letters of both cases.
fn reads_as_words(body: &[u8]) -> bool {
    let has_digit = body.iter().any(u8::is_ascii_digit);
    let is_mixed =
        body.iter().any(u8::is_ascii_uppercase) && body.iter().any(u8::is_ascii_lowercase);
    !has_digit && !is_mixed
}

/// Returns where a body of `class` with a length in `length` ends.
///
/// A body cut by a line break goes on in the next line, as long as it is too short without it.
pub(super) fn body_end(
    bytes: &[u8],
    start: usize,
    class: Class,
    length: (usize, usize),
) -> Option<usize> {
    let (count_min, count_max) = length;
    let mut at = start;
    let mut count = 0_usize;
    let mut folds_left = 2_u8;
    loop {
        if class.holds(byte_at(bytes, at)) {
            count = count.saturating_add(1);
            if count > count_max {
                return None;
            }
            at = at.saturating_add(1);
            continue;
        }
        let may_fold = folds_left > 0 && count < count_min && count >= count_min.div_ceil(2).max(8);
        match may_fold.then(|| fold_end(bytes, at)).flatten() {
            Some(next) => {
                folds_left = folds_left.saturating_sub(1);
                at = next;
            }
            None => break,
        }
    }
    (count >= count_min).then_some(at)
}

/// Returns where the next line's text begins, if a line breaks at `at`: CR, LF and up to eight
/// blanks.
fn fold_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut next = at;
    if byte_at(bytes, next) == b'\r' {
        next = next.saturating_add(1);
    }
    if byte_at(bytes, next) != b'\n' {
        return None;
    }
    next = next.saturating_add(1);
    let blanks = bytes.get(next..).unwrap_or_default().iter().take(8);
    let count = blanks.take_while(|byte| matches!(**byte, b' ' | b'\t')).count();
    Some(next.saturating_add(count))
}
