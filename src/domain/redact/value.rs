//! Whether a value beside a telling name is a secret, or a word, a type, a piece of code.

use super::class::{Class, contains, part};
use super::words::is_word;

/// How much the name beside a value says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strength {
    /// `password`, `api_key`: any value that is not code is secret.
    Strong,
    /// `token`, `cookie`: only a value without meaning is secret.
    Bearer,
    /// `key`, `signature`: the same, but digests are not secret.
    Weak,
}

/// How a value is tied to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tie {
    /// In quotes, after a separator.
    Quoted,
    /// As in an environment file: `NAME=value`, `--name value`.
    Tight,
    /// `name: value`, `name = value`.
    Loose,
    /// `name is value`.
    Said,
    /// `name value`.
    Beside,
}

/// Tells whether `value` stands for a secret that is not there.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    let Some(first) = value.first() else { return true };
    let rest = part(value, 1, value.len());
    let is_name = |byte: &u8| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'{' | b'(');
    let opens = match first {
        b'<' | b'{' | b'[' | b'(' | b'*' => true,
        b'$' => rest.first().is_none_or(is_name),
        b'%' => rest.last() == Some(&b'%') || rest.len() < 3,
        _ => false,
    };
    let is_uniform = || value.iter().all(|byte| byte == first);
    let is_sample =
        || (0..value.len()).any(|at| begins_as_sample(value.get(at..).unwrap_or_default()));
    opens || is_uniform() || is_sample() || is_reference(value)
}

/// Tells whether `text` begins with a word that stands for a secret in documents.
fn begins_as_sample(text: &[u8]) -> bool {
    let word: &[u8] = match text.first() {
        Some(b'y' | b'Y') => b"your",
        Some(b'e' | b'E') => b"example",
        Some(b'p' | b'P') => b"placeholder",
        Some(b'r' | b'R') => b"redacted",
        Some(b'.') => b"...",
        Some(b'*') => b"***",
        _ => return false,
    };
    part(text, 0, word.len()).eq_ignore_ascii_case(word)
}

/// Where a secret is kept, not the secret.
fn is_reference(value: &[u8]) -> bool {
    let stores = [b"op://".as_slice(), b"vault:", b"arn:", b"ref+", b"file:", b"env:", b"secrets."];
    stores.iter().any(|store| value.starts_with(store))
}

/// A name with a value of its own.
fn is_assignment(value: &[u8]) -> bool {
    let length = value.iter().take_while(|byte| Class::Dotted.holds(**byte)).count();
    length > 0 && value.get(length) == Some(&b'=') && length.saturating_add(1) < value.len()
}

/// A name with an opening bracket right behind it.
fn is_call(value: &[u8]) -> bool {
    let is_name = |byte: &&u8| byte.is_ascii_alphabetic() || matches!(**byte, b'_' | b'.');
    let length = value.iter().take_while(is_name).count();
    length > 0 && value.get(length) == Some(&b'(')
}

/// Tells whether any value tied so can be a secret.
pub(super) const fn can_be_tied(strength: Strength, tie: Tie) -> bool {
    match strength {
        Strength::Strong => true,
        Strength::Bearer => !matches!(tie, Tie::Beside),
        Strength::Weak => !matches!(tie, Tie::Said | Tie::Beside),
    }
}

/// Tells whether `value`, at most some hundred bytes, is a secret.
///
/// `ends_line` says that nothing follows the value in its line.
pub(super) fn is_secret(value: &[u8], tie: Tie, strength: Strength, ends_line: bool) -> bool {
    let may_be = can_be_tied(strength, tie)
        && match strength {
            Strength::Strong => value.len() >= 3,
            Strength::Bearer | Strength::Weak => is_random(value),
        };
    if !may_be {
        return false;
    }
    let is_likely = match (strength, tie) {
        (Strength::Weak, _) => !is_digest(value),
        (Strength::Bearer, _) => true,
        (Strength::Strong, Tie::Quoted) => {
            !value.iter().any(u8::is_ascii_whitespace) && !is_word(value)
        }
        (Strength::Strong, Tie::Tight) => {
            !is_word(value) && !is_call(value) && !value.starts_with(b"`")
        }
        (Strength::Strong, Tie::Loose) => {
            let is_plain = value.iter().all(u8::is_ascii_alphabetic);
            !is_word(value)
                && !is_code(value)
                && (!is_plain || (ends_line && !is_joined_name(value)))
        }
        (Strength::Strong, Tie::Said) => is_mixed(value) || (is_last_word(value) && ends_line),
        (Strength::Strong, Tie::Beside) => {
            is_mixed(value) && !is_word(value) && !is_file(value) && !is_assignment(value)
        }
    };
    is_likely && !is_placeholder(value)
}

/// Tells whether `value` looks drawn at random: letters and digits, long, with many different ones.
pub(super) fn is_random(value: &[u8]) -> bool {
    let has_both =
        value.iter().any(u8::is_ascii_digit) && value.iter().any(u8::is_ascii_alphabetic);
    if value.len() < 12 || !has_both {
        return false;
    }
    let mut seen = [false; 256];
    for byte in value {
        if let Some(slot) = seen.get_mut(usize::from(*byte)) {
            *slot = true;
        }
    }
    let distinct = seen.iter().filter(|slot| **slot).count();
    let is_token =
        value.iter().all(|byte| Class::AnyBase64.holds(*byte) || b".~%:!*".contains(byte));
    let slashes = value.iter().filter(|byte| matches!(**byte, b'/' | b'.')).count();
    distinct >= 8
        && is_token
        && slashes.saturating_mul(8) <= value.len()
        && !is_uuid(value)
        && !contains(value, b"::")
        && !has_long_words(value)
}

/// Tells whether most of `value` is words, as in `release-candidate-2`.
fn has_long_words(value: &[u8]) -> bool {
    let words = value.split(|byte| matches!(byte, b'-' | b'_' | b'.' | b'/' | b':'));
    let lettered: usize =
        words.filter(|word| word.iter().all(u8::is_ascii_lowercase)).map(<[u8]>::len).sum();
    lettered.saturating_mul(2) > value.len()
}

/// Hexadecimal of the length of a Git object name or a digest.
fn is_digest(value: &[u8]) -> bool {
    matches!(value.len(), 32 | 40 | 56 | 64 | 96 | 128) && value.iter().all(u8::is_ascii_hexdigit)
}

fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// A call, an index, a path of names, a variable.
fn is_code(value: &[u8]) -> bool {
    let is_name = |byte: &u8| Class::Dotted.holds(*byte);
    let has_brackets = value.iter().any(|byte| b"()[]{}<>".contains(byte));
    let has_digit = value.iter().any(u8::is_ascii_digit);
    let is_path = value.iter().all(is_name)
        && value.iter().any(|byte| matches!(byte, b'.' | b'_'))
        && !has_digit;
    has_brackets
        || is_path
        || value.starts_with(b"&")
        || value.starts_with(b"/")
        || value.starts_with(b"~/")
        || contains(value, b"::")
}

/// A name of two or more words run together, as types and variables have it.
fn is_joined_name(value: &[u8]) -> bool {
    value.iter().skip(1).any(u8::is_ascii_uppercase) && value.iter().any(u8::is_ascii_lowercase)
}

/// Letters and digits together, or digits alone, as passwords are and words are not.
fn is_mixed(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let has_sign = value.iter().any(|byte| b"@!#$^&*+=?~%".contains(byte));
    (letters > 0 && digits > 0 && value.len() >= 5)
        || (digits >= 4 && digits == value.len())
        || (letters > 0 && has_sign && value.len() >= 6)
}

/// A word that can be a password: no participle and none of the usual predicates.
fn is_last_word(value: &[u8]) -> bool {
    value.len() >= 4
        && !is_word(value)
        && !value.ends_with(b"ed")
        && !value.ends_with(b"ing")
        && !value.ends_with(b"able")
}

fn is_file(value: &[u8]) -> bool {
    let extension = value.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let is_named = extension.len() < value.len()
        && extension.len() <= 4
        && extension.iter().all(|byte| Class::Lower.holds(*byte));
    is_named || value.contains(&b'/') || value.contains(&b'(')
}
