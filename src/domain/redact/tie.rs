//! What ties a value to a name: `=`, `:`, a flag's blank, `is`, `是`, `は`, `ist`.

use std::sync::LazyLock;

use super::class::{byte_at, part, stands_at};
use super::pairs::Pairs;
use super::value::Tie;

/// Names of a password outside the ASCII alphabet or of several words.
const FOREIGN_NAMES: &[&str] = &[
    "密码",
    "口令",
    "密钥",
    "令牌",
    "密碼",
    "金鑰",
    "パスワード",
    "暗証番号",
    "비밀번호",
    "암호",
    "暗号",
    "contraseña",
    "mot de passe",
    "palavra passe",
    "пароль",
    "Пароль",
];
/// What says that the value follows, longest first where one begins another.
///
/// After the words that also begin ordinary sentences, the value must not look like a word.
const SAID: &[(&str, Tie)] = &[
    ("就是", Tie::Said),
    ("改成", Tie::Said),
    ("改为", Tie::Said),
    ("设为", Tie::Said),
    ("设成", Tie::Said),
    ("是", Tie::Said),
    ("为", Tie::Said),
    ("：", Tie::Said),
    ("＝", Tie::Said),
    ("は、", Tie::Beside),
    ("は", Tie::Beside),
    ("を", Tie::Beside),
    ("는", Tie::Beside),
    ("은", Tie::Beside),
    ("— ", Tie::Beside),
    ("– ", Tie::Beside),
];
/// The same after a blank.
const SAID_APART: &[(&str, Tie)] = &[
    ("is now ", Tie::Said),
    ("is set to ", Tie::Said),
    ("is ", Tie::Said),
    ("was changed to ", Tie::Said),
    ("was set to ", Tie::Said),
    ("has been changed to ", Tie::Said),
    ("has been set to ", Tie::Said),
    ("was ", Tie::Said),
    ("should be ", Tie::Beside),
    ("will be ", Tie::Beside),
    ("to ", Tie::Beside),
    ("with ", Tie::Beside),
    ("est ", Tie::Beside),
    ("es ", Tie::Beside),
    ("ist ", Tie::Beside),
    ("è ", Tie::Beside),
    ("é ", Tie::Beside),
    ("это ", Tie::Beside),
];
/// How far behind `for` the sign is looked for in `password for the staging host: …`.
const PURPOSE_BYTES_MAX: usize = 48;
/// How far behind a name its value's own name is looked for, as in `key="Password" value="…"`.
const APART_BYTES_MAX: usize = 40;

static OPENINGS: LazyLock<Pairs> = LazyLock::new(|| {
    let capitals = ["Co", "Mo", "Pa"];
    Pairs::of(FOREIGN_NAMES.iter().chain(&capitals).copied())
});

/// Returns where the foreign name that begins at `at` ends.
pub(super) fn foreign_name_end(bytes: &[u8], at: usize) -> Option<usize> {
    if !OPENINGS.has(byte_at(bytes, at), byte_at(bytes, at.saturating_add(1))) {
        return None;
    }
    let first = byte_at(bytes, at);
    let is_here = |name: &&str| {
        let is_likely = name.as_bytes().first().is_some_and(|own| own.eq_ignore_ascii_case(&first));
        is_likely
            && part(bytes, at, at.saturating_add(name.len())).eq_ignore_ascii_case(name.as_bytes())
    };
    FOREIGN_NAMES.iter().find(|name| is_here(name)).map(|name| at.saturating_add(name.len()))
}

/// Returns where the value begins that is tied to the name from `at` to `end`, and how.
pub(super) fn tie(bytes: &[u8], at: usize, end: usize) -> Option<(usize, Tie)> {
    let before = |back: usize| at.checked_sub(back).map_or(0, |place| byte_at(bytes, place));
    let is_flag = before(1) == b'-' && before(2) == b'-';
    if byte_at(bytes, end) == b'>' && before(1) == b'<' {
        return Some((end.saturating_add(1), Tie::Tight));
    }
    let after_quote = skip_quote(bytes, end);
    if let Some(value) = value_of_its_own_name(bytes, end, after_quote) {
        return Some((value, Tie::Loose));
    }
    let after_quote = after_quote + usize::from(byte_at(bytes, after_quote) == b']');
    let sign = skip_blanks(bytes, after_quote);
    let has_gap = sign > after_quote;
    if byte_at(bytes, sign) >= 0x80
        && let Some(found) = said(bytes, sign, SAID)
    {
        return Some(found);
    }
    if stands_at(bytes, sign, b"::") {
        return None;
    }
    if let Some(found) = signed(bytes, sign, if has_gap { Tie::Loose } else { Tie::Tight }) {
        return Some(found);
    }
    if !has_gap {
        return None;
    }
    if let Some(found) = said(bytes, sign, SAID_APART).or_else(|| purpose(bytes, sign)) {
        return Some(found);
    }
    Some((sign, if is_flag { Tie::Tight } else { Tie::Beside }))
}

fn said(bytes: &[u8], at: usize, ties: &[(&str, Tie)]) -> Option<(usize, Tie)> {
    let first = bytes.get(at)?;
    let stands = |text: &str| {
        text.as_bytes().first() == Some(first) && stands_at(bytes, at, text.as_bytes())
    };
    let (text, tie) = ties.iter().find(|(text, _)| stands(text))?;
    Some((skip_blanks(bytes, at.saturating_add(text.len())), *tie))
}

/// A sign of assignment at `at`; `equals` is what a plain `=` ties.
fn signed(bytes: &[u8], at: usize, equals: Tie) -> Option<(usize, Tie)> {
    let (length, tie) = match (byte_at(bytes, at), byte_at(bytes, at.saturating_add(1))) {
        (b':', b'=') | (b'=', b'>' | b'=') => (2, Tie::Loose),
        (b'=', _) => (1, equals),
        (b':', _) => (1, Tie::Loose),
        _ => return None,
    };
    Some((skip_blanks(bytes, at.saturating_add(length)), tie))
}

/// `for staging: ` behind a name.
fn purpose(bytes: &[u8], at: usize) -> Option<(usize, Tie)> {
    if !stands_at(bytes, at, b"for ") {
        return None;
    }
    let rest = bytes.get(at..).unwrap_or_default().iter().take(PURPOSE_BYTES_MAX);
    let length = rest
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(**byte, b' ' | b'-' | b'_'))
        .count();
    let sign = at.saturating_add(length);
    if stands_at(bytes, sign, b": ") {
        return Some((skip_blanks(bytes, sign.saturating_add(1)), Tie::Beside));
    }
    let words = part(bytes, at, sign);
    let verb = memchr::memmem::find(words, b" is ")?;
    Some((at.saturating_add(verb).saturating_add(4), Tie::Beside))
}

/// The value behind a name that is itself a value: `key="Password" value="…"`,
/// `name: DB_PASSWORD` and `value: …` in the next line.
fn value_of_its_own_name(bytes: &[u8], end: usize, after_quote: usize) -> Option<usize> {
    if !matches!(byte_at(bytes, after_quote), b' ' | b'\r' | b'\n' | b',') {
        return None;
    }
    let is_between =
        |byte: &u8| matches!(*byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b'"' | b'\\');
    let gap = bytes.get(after_quote..).unwrap_or_default().iter().take(APART_BYTES_MAX);
    let name = after_quote.saturating_add(gap.take_while(|byte| is_between(byte)).count());
    let is_apart = after_quote > end || memchr::memchr(b'\n', part(bytes, end, name)).is_some();
    let name_end = name.saturating_add(5);
    if !is_apart || !part(bytes, name, name_end).eq_ignore_ascii_case(b"value") {
        return None;
    }
    let sign = skip_blanks(bytes, skip_quote(bytes, name_end));
    let is_sign = matches!(byte_at(bytes, sign), b'=' | b':');
    is_sign.then(|| skip_blanks(bytes, sign.saturating_add(1)))
}

fn skip_blanks(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default().iter().take(8);
    at.saturating_add(rest.take_while(|byte| matches!(**byte, b' ' | b'\t')).count())
}

/// Skips one quotation mark with the backslashes before it.
pub(super) fn skip_quote(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default().iter().take(4);
    let quote = at.saturating_add(rest.take_while(|byte| **byte == b'\\').count());
    if matches!(byte_at(bytes, quote), b'"' | b'\'' | b'`') { quote.saturating_add(1) } else { at }
}
