//! Secrets that a prefix alone does not tell: signed tokens, credentials in addresses and headers.

use super::Found;
use super::class::{Class, byte_at, part, run_end, stands_at};
use super::matcher;
use super::scan::mark_end;
use super::value;

/// The longest user name and password of an address.
const USER_INFO_BYTES_MAX: usize = 512;

/// What has to be remembered between two places to stay linear.
#[derive(Default)]
pub(super) struct Shapes {
    /// No signed token begins before here.
    tokens_from: usize,
}

impl Shapes {
    /// Returns the secret with an inner shape that begins at `at`, a letter.
    pub(super) fn word_at(&mut self, bytes: &[u8], at: usize) -> Option<Found> {
        match byte_at(bytes, at) {
            b'e' => self.signed_token_at(bytes, at),
            b'B' | b'b' => scheme_credentials_at(bytes, at),
            b'M'..=b'O' => chat_bot_token_at(bytes, at),
            _ => None,
        }
        .or_else(|| directory_secret_at(bytes, at))
    }

    /// A JSON web token: two or more parts of base64url, the first a JSON object.
    fn signed_token_at(&mut self, bytes: &[u8], at: usize) -> Option<Found> {
        if at < self.tokens_from || !stands_at(bytes, at, b"eyJ") {
            return None;
        }
        let header_end = run_end(bytes, at, Class::Url64, usize::MAX);
        self.tokens_from = header_end;
        if byte_at(bytes, header_end) != b'.' || header_end.saturating_sub(at) < 10 {
            return None;
        }
        let body_start = header_end.saturating_add(1);
        let body_end = run_end(bytes, body_start, Class::Url64, usize::MAX);
        if body_end.saturating_sub(body_start) < 10 {
            return None;
        }
        let mut end = run_end(bytes, body_end, Class::Dotted, usize::MAX);
        while byte_at(bytes, end.saturating_sub(1)) == b'.' {
            end = end.saturating_sub(1);
        }
        self.tokens_from = end;
        Some(Found { start: at, end, name: "json-web-token" })
    }
}

/// `Bearer` and a token, `Basic` and an encoded pair, wherever they stand.
fn scheme_credentials_at(bytes: &[u8], at: usize) -> Option<Found> {
    let scheme = part(bytes, at, at.saturating_add(7));
    let (start, is_basic) = if scheme.eq_ignore_ascii_case(b"bearer ") {
        (at.saturating_add(7), false)
    } else if scheme.get(..6)?.eq_ignore_ascii_case(b"basic ") {
        (at.saturating_add(6), true)
    } else {
        return None;
    };
    if let Some(found) = matcher::token_at(bytes, start) {
        return Some(found);
    }
    if is_basic {
        let end = run_end(bytes, start, Class::Base64, USER_INFO_BYTES_MAX);
        let decoded = data_encoding::BASE64.decode(part(bytes, start, end)).ok()?;
        return decoded.contains(&b':').then_some(Found { start, end, name: "authorization" });
    }
    let is_token = |byte: u8| Class::AnyBase64.holds(byte) || matches!(byte, b'.' | b'~');
    let rest = bytes.get(start..).unwrap_or_default();
    let end = start.saturating_add(rest.iter().take_while(|byte| is_token(**byte)).count());
    let token = part(bytes, start, end);
    let is_secret = token.len() >= 16 && token.iter().any(u8::is_ascii_digit);
    is_secret.then_some(Found { start, end, name: "authorization" })
}

/// A chat bot's token: an encoded number, a time, a signature.
fn chat_bot_token_at(bytes: &[u8], at: usize) -> Option<Found> {
    let dot = |end: usize| byte_at(bytes, end) == b'.';
    let first = run_end(bytes, at, Class::Alnum, 29);
    if !(23..=28).contains(&first.saturating_sub(at)) || !dot(first) {
        return None;
    }
    let second = run_end(bytes, first.saturating_add(1), Class::Url64, 7);
    if second.saturating_sub(first) != 7 || !dot(second) {
        return None;
    }
    let third = second.saturating_add(1);
    let end = run_end(bytes, third, Class::Url64, 64);
    (end.saturating_sub(third) >= 27).then_some(Found { start: at, end, name: "discord-bot" })
}

/// A bot's number, a colon, and 35 letters that begin with `A`.
pub(super) fn bot_token_at(bytes: &[u8], at: usize) -> Option<Found> {
    let colon = run_end(bytes, at, Class::Digit, 12);
    if !(8..=10).contains(&colon.saturating_sub(at)) || byte_at(bytes, colon) != b':' {
        return None;
    }
    let start = colon.saturating_add(1);
    let end = run_end(bytes, start, Class::Url64, 36);
    (end.saturating_sub(start) == 35 && byte_at(bytes, start) == b'A').then_some(Found {
        start: at,
        end,
        name: "telegram-bot",
    })
}

/// A client secret of a directory: three letters, a digit, `Q~`, and 31 to 34 more.
pub(super) fn directory_secret_at(bytes: &[u8], at: usize) -> Option<Found> {
    let mark = at.saturating_add(3);
    if !byte_at(bytes, mark).is_ascii_digit() || !stands_at(bytes, mark + 1, b"Q~") {
        return None;
    }
    let start = mark.saturating_add(3);
    let is_secret = |byte: &u8| Class::Dotted.holds(*byte) || *byte == b'~';
    let rest = bytes.get(start..).unwrap_or_default();
    let count = rest.iter().take(35).take_while(|byte| is_secret(byte)).count();
    let end = start.saturating_add(count);
    (31..=34).contains(&count).then_some(Found { start: at, end, name: "azure-client-secret" })
}

/// The password, or the token, in `scheme://user:password@host`.
pub(super) fn address_credentials_at(bytes: &[u8], at: usize) -> Option<Found> {
    if !stands_at(bytes, at, b"://") {
        return None;
    }
    let start = at.saturating_add(3);
    let (mut colon, mut last_at) = (None, None);
    let rest = bytes.get(start..).unwrap_or_default();
    for (offset, byte) in rest.iter().take(USER_INFO_BYTES_MAX).enumerate() {
        match byte {
            b':' if colon.is_none() => colon = Some(start.saturating_add(offset)),
            b'@' => last_at = Some(start.saturating_add(offset)),
            b'/' | b'?' | b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'\'' | b'`' | b'<' => break,
            _ => {}
        }
    }
    let end = last_at?;
    let (start, name) = match colon {
        Some(colon) if colon < end => (colon.saturating_add(1), "url-password"),
        _ => (start, "url-token"),
    };
    let secret = part(bytes, start, end);
    let is_secret = match name {
        "url-token" => value::is_random(secret),
        _ => !secret.is_empty() && !value::is_placeholder(secret),
    };
    if !is_secret || mark_end(bytes, start).is_some() {
        return None;
    }
    let specific = matcher::token_at(bytes, start).filter(|found| found.end == end);
    Some(specific.unwrap_or(Found { start, end, name }))
}

/// The password in `-u user:password` and `--user user:password`.
pub(super) fn flag_credentials_at(bytes: &[u8], at: usize) -> Option<Found> {
    let flag = [b"--user ".as_slice(), b"--user=", b"-u "]
        .into_iter()
        .find(|flag| stands_at(bytes, at, flag))?;
    let is_flag = at == 0 || byte_at(bytes, at.saturating_sub(1)).is_ascii_whitespace();
    let user = at.saturating_add(flag.len());
    let colon = run_end(bytes, user, Class::Dotted, 64);
    if !is_flag || colon == user || byte_at(bytes, colon) != b':' {
        return None;
    }
    let start = colon.saturating_add(1);
    let rest = bytes.get(start..).unwrap_or_default().iter().take(USER_INFO_BYTES_MAX);
    let count = rest
        .take_while(|byte| byte.is_ascii_graphic() && !matches!(**byte, b'"' | b'\'' | b'/'))
        .count();
    let end = start.saturating_add(count);
    let secret = part(bytes, start, end);
    let is_number = secret.iter().all(u8::is_ascii_digit);
    let is_secret = count >= 4 && !is_number && !value::is_placeholder(secret);
    is_secret.then_some(Found { start, end, name: "password" })
}
