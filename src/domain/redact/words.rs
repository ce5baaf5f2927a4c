//! Words that stand beside telling names and are no secrets.

use std::sync::LazyLock;

/// Words that follow such names in prose and code, sorted.
const WORDS: &[&str] = &[
    "already",
    "also",
    "always",
    "and",
    "argon2",
    "argon2id",
    "array",
    "auth",
    "available",
    "base64",
    "basic",
    "bcrypt",
    "bearer",
    "being",
    "bool",
    "boolean",
    "but",
    "bytes",
    "change",
    "char",
    "correct",
    "default",
    "different",
    "digest",
    "done",
    "email",
    "empty",
    "error",
    "es256",
    "example",
    "fail",
    "false",
    "field",
    "file",
    "for",
    "form",
    "from",
    "gone",
    "hash",
    "here",
    "hidden",
    "hs256",
    "http2",
    "incorrect",
    "input",
    "insecure",
    "integer",
    "into",
    "invalid",
    "ipv4",
    "ipv6",
    "just",
    "kept",
    "known",
    "left",
    "login",
    "long",
    "lost",
    "masked",
    "maxlength",
    "md5",
    "mine",
    "minlength",
    "missing",
    "must",
    "name",
    "necessary",
    "never",
    "none",
    "not",
    "null",
    "number",
    "oauth2",
    "object",
    "okay",
    "only",
    "open",
    "option",
    "optional",
    "passwd",
    "password",
    "path",
    "pbkdf2",
    "placeholder",
    "plain",
    "plaintext",
    "private",
    "prompt",
    "public",
    "read",
    "redacted",
    "required",
    "reset",
    "rs256",
    "safe",
    "salt",
    "same",
    "sample",
    "scrypt",
    "secret",
    "secure",
    "self",
    "sent",
    "set",
    "sha-256",
    "sha1",
    "sha256",
    "sha512",
    "shall",
    "short",
    "should",
    "shown",
    "stale",
    "stdin",
    "still",
    "str",
    "string",
    "strong",
    "success",
    "text",
    "that",
    "the",
    "there",
    "this",
    "token",
    "too",
    "true",
    "type",
    "undefined",
    "unknown",
    "unsafe",
    "unset",
    "user",
    "username",
    "utf-8",
    "utf8",
    "valid",
    "value",
    "varchar",
    "visible",
    "void",
    "weak",
    "what",
    "when",
    "where",
    "which",
    "will",
    "with",
    "without",
    "would",
    "written",
    "wrong",
    "x509",
    "your",
];

/// [`WORDS`] by their first letter.
static BY_FIRST_LETTER: LazyLock<Vec<Vec<&'static [u8]>>> = LazyLock::new(|| {
    let mut words = vec![Vec::new(); 32];
    for word in WORDS {
        let place = word.as_bytes().first().map(|first| usize::from(first & 0x1f));
        if let Some(place) = place.and_then(|place| words.get_mut(place)) {
            place.push(word.as_bytes());
        }
    }
    words
});

/// Tells whether `value` is one of those words, in any case.
pub(super) fn is_word(value: &[u8]) -> bool {
    let Some(first) = value.first() else { return false };
    let words = BY_FIRST_LETTER.get(usize::from(first & 0x1f));
    words.is_some_and(|words| words.iter().any(|word| value.eq_ignore_ascii_case(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_and_every_one_is_found_in_any_case() {
        assert!(WORDS.is_sorted());
        let is_missed = |word: &&&str| {
            !is_word(word.as_bytes()) || !is_word(word.to_ascii_uppercase().as_bytes())
        };
        let missed: Vec<_> = WORDS.iter().filter(is_missed).collect();
        assert_eq!(missed, Vec::<&&str>::new());
        assert!(!is_word(b"") && !is_word(b"hunter2"));
    }
}
