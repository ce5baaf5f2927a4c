//! Values beside telling names: `DB_PASSWORD=…`, `"apiKey": "…"`, `password hunter2`, `密码是 …`.

use super::Found;
use super::class::{Class, byte_at, part, run_end, stands_at};
use super::matcher;
use super::scan::mark_end;
use super::value::{Strength, Tie, is_secret};

/// How much of a value is looked at before it is judged.
const VALUE_WINDOW_BYTES: usize = 512;
/// How much of a name is looked at, from its end.
const NAME_WINDOW_BYTES: usize = 64;

const STRONG: &[&str] = &[
    "password",
    "passwd",
    "passwort",
    "passphrase",
    "passcode",
    "kennwort",
    "contrasena",
    "secret",
    "secretkey",
    "apikey",
    "apitoken",
    "apisecret",
    "accesskey",
    "accesstoken",
    "authtoken",
    "authkey",
    "appkey",
    "refreshtoken",
    "idtoken",
    "bearertoken",
    "sessiontoken",
    "deploytoken",
    "bottoken",
    "usertoken",
    "clienttoken",
    "privatekey",
    "signingkey",
    "encryptionkey",
    "masterkey",
    "accountkey",
    "sharedkey",
    "servicekey",
    "storagekey",
    "webhooktoken",
    "licensekey",
    "licencekey",
    "mnemonic",
    "seedphrase",
    "recoverycode",
    "secretaccess",
];
/// Strong only with a sign behind: `pass` is a verb too.
const STRONG_SEGMENTS: &[&str] = &["pass", "pwd", "pw", "psw"];
const BEARER: &[&str] =
    &["token", "authorization", "cookie", "session", "sessionid", "sid", "csrf", "auth", "bearer"];
const WEAK: &[&str] = &["key", "credential", "credentials", "cert", "sig", "signature", "salt"];
/// Parts that make a key an open one.
const NOT_SECRET: &[&str] = &["public", "primary", "foreign", "cache", "partition", "translation"];
/// Parts that may follow the telling one: `DB_PASSWORD_PROD`.
const QUALIFIERS: &[&str] = &[
    "prod",
    "production",
    "dev",
    "development",
    "staging",
    "stage",
    "test",
    "live",
    "value",
    "val",
    "old",
    "new",
    "b64",
    "base64",
    "ro",
    "rw",
    "main",
    "primary",
    "secondary",
    "plain",
    "raw",
    "env",
];
const PASSWORDS_CJK: &[&str] =
    &["密码", "口令", "密钥", "令牌", "密碼", "金鑰", "パスワード", "비밀번호", "暗号"];
/// What ties a value to a name in Chinese, longest first.
const TIES_CJK: &[&str] = &["就是", "改成", "改为", "设为", "设成", "是", "为", "：", "＝"];

/// What has to be remembered between two names to stay linear.
#[derive(Debug, Default)]
pub(super) struct Assignments {
    /// Where the name last looked at begins and ends; no name begins inside.
    last: (usize, usize),
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
        let alone = strength(part(bytes, tail, end));
        let joined = || strength(part(bytes, last_start.max(end.saturating_sub(24)), end));
        let strength = match alone {
            Some(Strength::Strong) | None => alone,
            weak if is_joined => joined().filter(|both| *both == Strength::Strong).or(weak),
            weak => weak,
        }?;
        let tied = tie(bytes, at, end)?;
        let is_verb = part(bytes, at, end).eq_ignore_ascii_case(b"pass");
        if is_verb && matches!(tied.1, Tie::Beside | Tie::Said) {
            return None;
        }
        judge(bytes, tied, strength, part(bytes, tail, end))
    }
}

/// Returns the secret that is assigned to the Chinese, Japanese or Korean name that begins at `at`.
pub(super) fn cjk_value_at(bytes: &[u8], at: usize) -> Option<Found> {
    let name = PASSWORDS_CJK.iter().find(|name| stands_at(bytes, at, name.as_bytes()))?;
    let end = at.saturating_add(name.len());
    judge(bytes, tie(bytes, at, end)?, Strength::Strong, b"password")
}

fn name_end(bytes: &[u8], at: usize) -> usize {
    let mut end = run_end(bytes, at, Class::Dotted, usize::MAX);
    while end > at && matches!(byte_at(bytes, end.saturating_sub(1)), b'-' | b'.') {
        end = end.saturating_sub(1);
    }
    end
}

/// Returns how telling a name is.
fn strength(name: &[u8]) -> Option<Strength> {
    let mut segments = segments(name);
    while segments.len() > 1
        && segments.last().is_some_and(|last| {
            QUALIFIERS.contains(&last.as_str()) || last.bytes().all(|byte| byte.is_ascii_digit())
        })
    {
        segments.pop();
    }
    let last = segments.last()?.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let joined = segments.concat();
    let joined = joined.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let singular = joined.strip_suffix('s').unwrap_or(joined);
    let is_any = |names: &[&str]| {
        names.iter().any(|name| joined.ends_with(name) || singular.ends_with(name))
    };
    if NOT_SECRET.iter().any(|word| joined.contains(word)) {
        return None;
    }
    if is_any(STRONG) || STRONG_SEGMENTS.contains(&last) {
        Some(Strength::Strong)
    } else if is_any(BEARER) || last == "pat" {
        Some(Strength::Bearer)
    } else {
        WEAK.contains(&last).then_some(Strength::Weak)
    }
}

/// Splits a name at signs and where a capital begins a word; all in lower case.
fn segments(name: &[u8]) -> Vec<String> {
    let mut segments = vec![String::new()];
    let mut before = 0_u8;
    for byte in name {
        if !byte.is_ascii_alphanumeric()
            || (byte.is_ascii_uppercase() && before.is_ascii_lowercase())
        {
            segments.push(String::new());
        }
        if byte.is_ascii_alphanumeric()
            && let Some(last) = segments.last_mut()
        {
            last.push(char::from(byte.to_ascii_lowercase()));
        }
        before = *byte;
    }
    segments.retain(|segment| !segment.is_empty());
    segments
}

/// Returns where the value begins that is tied to the name from `at` to `end`, and how.
fn tie(bytes: &[u8], at: usize, end: usize) -> Option<(usize, Tie)> {
    let before = |back: usize| at.checked_sub(back).map_or(0, |place| byte_at(bytes, place));
    let is_flag = before(1) == b'-' && before(2) == b'-';
    let after_quote = skip_quote(bytes, end);
    let after_quote = after_quote + usize::from(byte_at(bytes, after_quote) == b']');
    let sign = skip_blanks(bytes, after_quote);
    let has_gap = sign > after_quote;
    if byte_at(bytes, end) == b'>' && before(1) == b'<' {
        return Some((end.saturating_add(1), Tie::Tight));
    }
    if let Some(text) = TIES_CJK.iter().find(|text| stands_at(bytes, sign, text.as_bytes())) {
        return Some((skip_blanks(bytes, sign.saturating_add(text.len())), Tie::Said));
    }
    let signs: &[(&[u8], Tie)] = &[
        (b":=", Tie::Loose),
        (b"=>", Tie::Loose),
        (b"==", Tie::Loose),
        (b"=", if has_gap { Tie::Loose } else { Tie::Tight }),
        (b":", Tie::Loose),
    ];
    if stands_at(bytes, sign, b"::") {
        return None;
    }
    if let Some((text, tie)) = signs.iter().find(|(text, _)| stands_at(bytes, sign, text)) {
        return Some((skip_blanks(bytes, sign.saturating_add(text.len())), *tie));
    }
    if !has_gap {
        return None;
    }
    for word in [b"is ".as_slice(), b"was ", b"to "] {
        if stands_at(bytes, sign, word) {
            return Some((skip_blanks(bytes, sign.saturating_add(word.len())), Tie::Said));
        }
    }
    Some((sign, if is_flag { Tie::Tight } else { Tie::Beside }))
}

fn skip_blanks(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default().iter().take(8);
    at.saturating_add(rest.take_while(|byte| matches!(**byte, b' ' | b'\t')).count())
}

/// Skips one quotation mark with the backslashes before it.
fn skip_quote(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default().iter().take(4);
    let quote = at.saturating_add(rest.take_while(|byte| **byte == b'\\').count());
    if matches!(byte_at(bytes, quote), b'"' | b'\'' | b'`') { quote.saturating_add(1) } else { at }
}

/// Decides over the value that begins at the place in `tied`.
fn judge(bytes: &[u8], tied: (usize, Tie), strength: Strength, name: &[u8]) -> Option<Found> {
    let (place, tie) = tied;
    if mark_end(bytes, place).is_some() {
        return None;
    }
    let unquoted = skip_quote(bytes, place);
    let (mut start, is_quoted) = (unquoted, unquoted > place);
    let scheme = scheme_length(bytes, start);
    start = start.saturating_add(scheme);
    if let Some(found) = matcher::token_at(bytes, start) {
        return Some(found);
    }
    let quote = byte_at(bytes, unquoted.saturating_sub(1));
    let closed = is_quoted.then(|| quoted_end(bytes, start, quote)).flatten();
    let (window_end, tie) = match closed {
        Some(end) if tie != Tie::Beside => (end, Tie::Quoted),
        Some(end) if quote == b'`' => (end, Tie::Beside),
        Some(end) => (end, Tie::Said),
        None => (bare_end(bytes, start), tie),
    };
    let value = part(bytes, start, window_end);
    let is_uncut = value.len() >= VALUE_WINDOW_BYTES && closed.is_none();
    let next = byte_at(bytes, window_end);
    let ends_line = matches!(next, 0 | b'\r' | b'\n' | b'.' | b'!' | b'?' | b',' | b';' | 0x80..)
        || (closed.is_some() && tie == Tie::Said);
    let ends_line = ends_line && (tie != Tie::Loose || matches!(next, 0 | b'\r' | b'\n'));
    let (strength, tie) = match (strength, scheme) {
        (strength, 0) => (strength, tie),
        _ => (Strength::Strong, Tie::Said),
    };
    if !is_secret(value, tie, strength, ends_line) {
        return None;
    }
    let rest = if is_uncut { bytes.get(window_end..).unwrap_or_default() } else { &[] };
    let more = rest.iter().take_while(|byte| byte.is_ascii_graphic()).count();
    let rule = if scheme > 0 { "authorization" } else { rule_name(name) };
    Some(Found { start, end: window_end.saturating_add(more), name: rule })
}

fn rule_name(name: &[u8]) -> &'static str {
    let lower = name.to_ascii_lowercase();
    let has = |word: &[u8]| memchr::memmem::find(&lower, word).is_some();
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

/// Returns where the value without quotes ends, looking at [`VALUE_WINDOW_BYTES`].
fn bare_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    while end < start.saturating_add(VALUE_WINDOW_BYTES) {
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
    while end > start && b".,;:!?*".contains(&byte_at(bytes, end.saturating_sub(1))) {
        end = end.saturating_sub(1);
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
