//! The user's short answer to a proposal: one word and one code, typed as the whole prompt.
//!
//! The words are data per language. Anything beside the answer, before, behind or around it, makes
//! the prompt an ordinary one: a code inside a longer text confirms nothing.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::ids::{Digest, serialize_as_shown};
use super::text::UntrustedText;

/// Length of a code in characters.
pub const CODE_CHARS: usize = 4;
/// Longest text that can be an answer, in bytes; longer prompts are not looked at.
const ANSWER_BYTES_MAX: usize = 96;

const DIGITS: &[u8] = b"23456789";
/// Without letters that look like digits or like each other.
const LETTERS: &[u8] = b"ACDEFGHJKMNPQRTVWXY";

/// Names an open proposal for as long as it takes to type it.
///
/// No secret: it stands in the text that the agent sees. What counts is who typed it. It always
/// holds a digit and a letter, so that no word of a language is one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code([u8; CODE_CHARS]);

serialize_as_shown!(Code, [u8; CODE_CHARS], |text| Code::parse(text));

impl Code {
    /// Makes a code of random bytes.
    #[must_use]
    pub fn from_random(bytes: [u8; 16]) -> Self {
        let mut left = u128::from_le_bytes(bytes);
        let mut draw = |from: &[u8]| {
            let count = u128::try_from(from.len()).unwrap_or(1);
            let place = usize::try_from(left % count).unwrap_or(0);
            left /= count;
            from.get(place).copied().unwrap_or(b'2')
        };
        let all = [DIGITS, LETTERS].concat();
        let mut code = [draw(DIGITS), draw(LETTERS), draw(&all), draw(&all)];
        let turn = usize::try_from(left % 4).unwrap_or(0);
        code.rotate_left(turn);
        Self(code)
    }

    /// The code of a proposal that was recorded before proposals had one.
    #[must_use]
    pub fn from_digest(digest: &Digest) -> Self {
        let bytes = digest.as_bytes().first_chunk().copied().unwrap_or_default();
        Self::from_random(bytes)
    }

    /// Reads a code in either case; full-width letters and digits count as plain ones.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut code = [0; CODE_CHARS];
        let mut characters = text.chars();
        for place in &mut code {
            *place = u8::try_from(plain(characters.next()?)).ok()?.to_ascii_uppercase();
        }
        let is_known = |byte: &u8| DIGITS.contains(byte) || LETTERS.contains(byte);
        let is_code = characters.next().is_none()
            && code.iter().all(is_known)
            && code.iter().any(|byte| DIGITS.contains(byte))
            && code.iter().any(|byte| LETTERS.contains(byte));
        is_code.then_some(Self(code))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{}", char::from(*byte)))
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Code({self})")
    }
}

/// What an answer asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Let it be so.
    Confirm,
    /// Let it not be so.
    Reject,
    /// Take back what was confirmed.
    Undo,
    /// Go on with an earlier task in this conversation.
    Carry,
}

/// The words of each verb, in every language that has one.
const WORDS: &[(Verb, &[&str])] = &[
    (
        Verb::Confirm,
        &[
            "confirm",
            "确认",
            "確認",
            "bestätigen",
            "bestätige",
            "confirmar",
            "confirmo",
            "confirmer",
            "confirme",
        ],
    ),
    (
        Verb::Reject,
        &["reject", "拒绝", "拒絕", "却下", "ablehnen", "rechazar", "rejeter", "rejeitar"],
    ),
    (
        Verb::Undo,
        &["undo", "撤销", "撤銷", "取り消し", "rückgängig", "deshacer", "annuler", "desfazer"],
    ),
    (
        Verb::Carry,
        &["carry", "继续", "繼續", "引き継ぐ", "übernehmen", "retomar", "reprendre", "continuar"],
    ),
];

impl Verb {
    /// Returns the word that our own texts use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Reject => "reject",
            Self::Undo => "undo",
            Self::Carry => "carry",
        }
    }
}

/// A prompt that is an answer and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What it asks for.
    pub verb: Verb,
    /// Which proposal it names.
    pub code: Code,
    /// A task's short name, where the user typed one behind the code.
    pub name: Option<String>,
}

impl Answer {
    /// Reads a prompt as an answer; `None` for every other prompt.
    #[must_use]
    pub fn parse(prompt: &UntrustedText) -> Option<Self> {
        let text = prompt.expose().trim();
        if text.len() > ANSWER_BYTES_MAX || text.contains(['\n', '\r']) {
            return None;
        }
        let (verb, rest) = verb_of(text)?;
        let mut words = rest.split_whitespace();
        let code = Code::parse(words.next()?)?;
        let name = words.next().map(|word| word.chars().map(plain).collect::<String>());
        let is_name = |name: &String| name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if words.next().is_some() || name.as_ref().is_some_and(|name| !is_name(name)) {
            return None;
        }
        Some(Self { verb, code, name: name.map(|name| name.to_ascii_lowercase()) })
    }
}

/// Splits a verb off; between a word without letter case and its code no space is needed.
fn verb_of(text: &str) -> Option<(Verb, &str)> {
    for (verb, words) in WORDS {
        for word in *words {
            let Some(rest) = strip_word(text, word) else { continue };
            let is_apart = rest.starts_with(char::is_whitespace);
            if is_apart || !word.starts_with(char::is_lowercase) {
                return Some((*verb, rest));
            }
        }
    }
    None
}

fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let mut rest = text.chars();
    for expected in word.chars() {
        let found = rest.next()?;
        if found != expected && !found.to_lowercase().eq([expected]) {
            return None;
        }
    }
    Some(rest.as_str())
}

/// Returns the plain form of a full-width character.
fn plain(character: char) -> char {
    match character {
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character)
        }
        _ => character,
    }
}

#[cfg(test)]
mod tests;
