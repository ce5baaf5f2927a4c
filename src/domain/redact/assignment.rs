//! Values beside telling names: `DB_PASSWORD=…`, `"apiKey": "…"`, `password hunter2`, `密码是 …`.

use super::Found;
use super::class::{Class, byte_at, contains, part, run_end};
use super::matcher;
use super::names::{NAME_WINDOW_BYTES, is_strong_pair, strength};
use super::scan::mark_end;
use super::tie::{foreign_name_end, skip_quote, tie};
use super::value::{Strength, Tie, can_be_tied, is_secret};

/// How much of a value is looked at before it is judged.
const VALUE_WINDOW_BYTES: usize = 512;
/// How many names are asked for a value within one piece of text without blanks and separators.
const NAMES_IN_VALUE_MAX: u32 = 32;
/// What has to be remembered between two names to stay linear.
#[derive(Debug, Default)]
pub(super) struct Assignments {
    /// Where the name last looked at begins and ends; no name begins inside.
    last: (usize, usize),
    ends: Ends,
}

/// Where the unbroken value ends that was last looked at.
#[derive(Debug, Default)]
struct Ends {
    start: usize,
    end: usize,
    /// How many names were asked for a value that ends there.
    asked: u32,
}

impl Ends {
    /// Returns where the value without quotes ends that begins at `start`; `None` if so many names
    /// stand in one unbroken piece that it is no list of values.
    ///
    /// Looks at every byte once, however many names are in it.
    fn bare(&mut self, bytes: &[u8], start: usize) -> Option<usize> {
        let is_known = (self.start..self.end).contains(&start);
        if is_known {
            self.asked += 1;
        } else {
            *self = Self { start, end: bare_end(bytes, start), asked: 1 };
        }
        let mut end = self.end.min(start.saturating_add(VALUE_WINDOW_BYTES));
        while end > start && b".,;:!?*".contains(&byte_at(bytes, end.saturating_sub(1))) {
            end = end.saturating_sub(1);
        }
        (self.asked <= NAMES_IN_VALUE_MAX).then_some(end)
    }
}

impl Assignments {
    /// Returns the secret that is assigned to the name that begins at `at`.
    pub(super) fn value_at(&mut self, bytes: &[u8], at: usize) -> Option<Found> {
        let (last_start, last_end) = self.last;
        if at < last_end {
            return None;
        }
        let end = name_end(bytes, at);
        self.last = (at, end);
        let tail = end.saturating_sub(NAME_WINDOW_BYTES).max(at);
        let is_joined = at == last_end.saturating_add(1) && byte_at(bytes, last_end) == b' ';
        let alone = strength(part(bytes, tail, end))?;
        let is_pair =
            is_joined && is_strong_pair(part(bytes, last_start, last_end), part(bytes, at, end));
        let strength = if is_pair { Strength::Strong } else { alone };
        let tied = tie(bytes, at, end)?;
        let is_verb = part(bytes, at, end).eq_ignore_ascii_case(b"pass");
        if is_verb && matches!(tied.1, Tie::Beside | Tie::Said) {
            return None;
        }
        judge(bytes, tied, strength, part(bytes, tail, end), &mut self.ends)
    }

    /// Returns the secret that is assigned to the name of another language that begins at `at`.
    pub(super) fn foreign_value_at(&mut self, bytes: &[u8], at: usize) -> Option<Found> {
        let end = foreign_name_end(bytes, at)?;
        judge(bytes, tie(bytes, at, end)?, Strength::Strong, b"password", &mut self.ends)
    }
}

fn name_end(bytes: &[u8], at: usize) -> usize {
    let mut end = run_end(bytes, at, Class::Dotted, usize::MAX);
    while end > at && matches!(byte_at(bytes, end.saturating_sub(1)), b'-' | b'.') {
        end = end.saturating_sub(1);
    }
    end
}

/// Decides over the value that begins at the place in `tied`.
fn judge(
    bytes: &[u8],
    tied: (usize, Tie),
    strength: Strength,
    name: &[u8],
    ends: &mut Ends,
) -> Option<Found> {
    let (place, tie) = tied;
    if mark_end(bytes, place).is_some() {
        return None;
    }
    let unquoted = skip_quote(bytes, place);
    let (mut start, is_quoted) = (unquoted, unquoted > place);
    let scheme = scheme_length(bytes, start);
    start = start.saturating_add(scheme);
    if scheme == 0 && !is_quoted && !can_be_tied(strength, tie) {
        return None;
    }
    if let Some(found) = matcher::token_at(bytes, start) {
        return Some(found);
    }
    let quote = byte_at(bytes, unquoted.saturating_sub(1));
    let closed = is_quoted.then(|| quoted_end(bytes, start, quote)).flatten();
    let (window_end, tie) = match closed {
        Some(end) if tie != Tie::Beside => (end, Tie::Quoted),
        Some(end) if quote == b'`' => (end, Tie::Beside),
        Some(end) => (end, Tie::Said),
        None => (ends.bare(bytes, start)?, tie),
    };
    let value = part(bytes, start, window_end);
    let is_uncut = value.len() >= VALUE_WINDOW_BYTES && closed.is_none();
    let next = byte_at(bytes, window_end);
    let ends_line = matches!(next, 0 | b'\r' | b'\n' | b'.' | b'!' | b'?' | b',' | b';' | 0x80..)
        || (closed.is_some() && tie == Tie::Said);
    let ends_line = ends_line && (tie != Tie::Loose || matches!(next, 0 | b'\r' | b'\n'));
    let rule = rule_name(name);
    let (strength, tie) = match (strength, scheme) {
        (Strength::Strong, 0) if tie == Tie::Said && !matches!(rule, "password" | "secret") => {
            (strength, Tie::Beside)
        }
        (strength, 0) => (strength, tie),
        _ => (Strength::Strong, Tie::Said),
    };
    if !is_secret(value, tie, strength, ends_line) {
        return None;
    }
    let rest = if is_uncut { bytes.get(window_end..).unwrap_or_default() } else { &[] };
    let more = rest.iter().take_while(|byte| byte.is_ascii_graphic()).count();
    let rule = if scheme > 0 { "authorization" } else { rule };
    Some(Found { start, end: window_end.saturating_add(more), name: rule })
}

fn rule_name(name: &[u8]) -> &'static str {
    let lower = name.to_ascii_lowercase();
    let has = |word: &[u8]| contains(&lower, word);
    if has(b"pass") || has(b"pw") {
        "password"
    } else if has(b"cookie") || has(b"session") {
        "session"
    } else if has(b"token") {
        "token"
    } else if has(b"key") {
        "key"
    } else {
        "secret"
    }
}

/// Returns how long the authorization scheme at `at` is, its blank included.
fn scheme_length(bytes: &[u8], at: usize) -> usize {
    [b"bearer ".as_slice(), b"basic ", b"token ", b"apikey ", b"digest "]
        .into_iter()
        .find(|scheme| {
            part(bytes, at, at.saturating_add(scheme.len())).eq_ignore_ascii_case(scheme)
        })
        .map_or(0, <[u8]>::len)
}

/// Returns where the quoted value ends, without the backslashes before the closing mark.
fn quoted_end(bytes: &[u8], start: usize, quote: u8) -> Option<usize> {
    let rest = bytes.get(start..).unwrap_or_default().iter().take(VALUE_WINDOW_BYTES * 8);
    let length = rest.take_while(|byte| **byte != quote && **byte != b'\n').count();
    let mut end = start.saturating_add(length);
    if byte_at(bytes, end) != quote {
        return None;
    }
    while end > start && byte_at(bytes, end.saturating_sub(1)) == b'\\' {
        end = end.saturating_sub(1);
    }
    Some(end)
}

/// Returns where the piece of text that begins at `start` meets what closes a value without quotes.
fn bare_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    loop {
        let byte = byte_at(bytes, end);
        let ends = match byte {
            b'"' | b'\'' | b'`' => true,
            b'<' => byte_at(bytes, end.saturating_add(1)) == b'/',
            b'&' | b',' | b';' | b')' | b'}' | b']' | b'\\' => is_value_sign_last(bytes, end),
            _ => !byte.is_ascii_graphic(),
        };
        if ends {
            break;
        }
        end = end.saturating_add(1);
    }
    end
}

/// Tells whether the sign at `at` closes a value: nothing follows, or another name with a value.
fn is_value_sign_last(bytes: &[u8], at: usize) -> bool {
    let next = at.saturating_add(1);
    let byte = byte_at(bytes, next);
    if byte_at(bytes, at) == b'\\' {
        return matches!(byte, b'n' | b'r' | b't' | b'"' | b'\'' | b'\\');
    }
    if !byte.is_ascii_graphic() || b"\"',;)]}".contains(&byte) {
        return true;
    }
    let name_end = run_end(bytes, next, Class::Url64, 32);
    name_end > next && matches!(byte_at(bytes, name_end), b'=' | b':')
}
