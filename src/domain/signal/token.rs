//! A sentence as tokens: words in lower case, single CJK letters, and the signs between clauses.
//!
//! Inline code and quoted spans become one blank token each: they are mentioned, not said.

use super::vocabulary::{LanguageSet, Role, languages_of, word};

/// Stands for a span of code or a quotation.
const MENTION: &str = "`";

/// The tokens of one sentence.
pub(super) struct Sentence {
    tokens: Vec<String>,
    clause_openings: Vec<bool>,
    openings: Vec<bool>,
    languages: LanguageSet,
}

impl Sentence {
    /// Splits a sentence.
    pub(super) fn of(text: &str) -> Self {
        let mut tokens = split(&without_mentions(text));
        for token in &mut tokens {
            if let Some(full) = word(token).full {
                full.clone_into(token);
            }
        }
        let mut clause_openings = Vec::with_capacity(tokens.len());
        let mut openings = Vec::with_capacity(tokens.len());
        let (mut at_clause, mut at_sentence) = (true, true);
        for token in &tokens {
            clause_openings.push(at_clause);
            openings.push(at_sentence);
            let is_sign = is_sign(token);
            let word = word(token);
            at_sentence = at_sentence && (is_sign || word.is(Role::Filler));
            at_clause = is_sign || word.is(Role::Joint) || (at_clause && word.is(Role::Filler));
        }
        let languages = languages_of(&tokens);
        Self { tokens, clause_openings, openings, languages }
    }

    /// Returns the number of tokens.
    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Returns the tokens.
    pub(super) fn tokens(&self) -> &[String] {
        &self.tokens
    }

    /// Returns the languages that the sentence can be in.
    pub(super) fn languages(&self) -> LanguageSet {
        self.languages
    }

    pub(super) fn is_clause_start(&self, at: usize) -> bool {
        self.clause_openings.get(at).copied().unwrap_or(false)
    }

    pub(super) fn is_sentence_start(&self, at: usize) -> bool {
        self.openings.get(at).copied().unwrap_or(false)
    }

    /// Tells whether a clause ends right before token `at`.
    pub(super) fn is_clause_end(&self, at: usize) -> bool {
        self.tokens.get(at).is_none_or(|token| is_sign(token) || word(token).is(Role::Joint))
    }

    pub(super) fn has_sequence(&self, at: usize, sequence: &[String]) -> bool {
        let rest = self.tokens.get(at..).unwrap_or_default();
        sequence.len() <= rest.len()
            && sequence.iter().zip(rest).all(|(wanted, token)| is_word(token, wanted))
    }

    /// Tells whether the sentence ends with a question mark.
    pub(super) fn has_question_mark(&self) -> bool {
        self.tokens.last().is_some_and(|token| token == "?")
    }
}

/// Tells whether a token is `wanted`, which may be the end (`*ing`) or the start (`push*`) of one.
fn is_word(token: &str, wanted: &str) -> bool {
    if let Some(end) = wanted.strip_prefix('*') {
        return token.len() > end.len() && token.ends_with(end);
    }
    match wanted.strip_suffix('*') {
        Some(start) => token.starts_with(start),
        None => token == wanted,
    }
}

fn is_sign(token: &str) -> bool {
    matches!(token, "," | ";" | ":" | "." | "!" | "?" | "(" | ")" | "-" | "…")
}

/// Splits text into tokens.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_inner = |next: Option<&char>| next.is_some_and(|next| next.is_alphanumeric());
        match letter {
            '’' | '\'' if !word.is_empty() && is_inner(letters.peek()) => word.push('\''),
            '.' | '-' | '/' | '_' | '@' | '+' if !word.is_empty() && is_inner(letters.peek()) => {
                word.push(letter);
            }
            letter if is_cjk(letter) => {
                flush(&mut word, &mut tokens);
                tokens.push(letter.to_string());
            }
            letter if letter.is_alphanumeric() => word.extend(letter.to_lowercase()),
            letter => {
                flush(&mut word, &mut tokens);
                if let Some(sign) = sign(letter) {
                    tokens.push(sign.to_owned());
                }
            }
        }
    }
    flush(&mut word, &mut tokens);
    tokens
}

fn flush(word: &mut String, tokens: &mut Vec<String>) {
    if !word.is_empty() {
        tokens.push(std::mem::take(word));
    }
}

fn sign(letter: char) -> Option<&'static str> {
    Some(match letter {
        ',' | '，' | '、' => ",",
        ';' | '；' | '\n' => ";",
        ':' | '：' => ":",
        '.' | '。' => ".",
        '!' | '！' => "!",
        '?' | '？' => "?",
        '(' | '（' => "(",
        ')' | '）' => ")",
        '-' | '–' | '—' => "-",
        '…' => "…",
        '`' => MENTION,
        _ => return None,
    })
}

/// Tells whether a letter is a token by itself.
pub(super) fn is_cjk(letter: char) -> bool {
    matches!(letter,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2ffff}')
}

/// Puts one blank mention in place of every span of code or quotation.
fn without_mentions(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, opening)) =
        rest.char_indices().find(|(_, letter)| closing_of(*letter).is_some())
    {
        let closing = closing_of(opening).unwrap_or(opening);
        let (before, span) = rest.split_at(at);
        kept.push_str(before);
        let inside = span.get(opening.len_utf8()..).unwrap_or_default();
        kept.push(' ');
        rest = inside;
        if let Some(end) = inside.find(closing) {
            kept.push_str(MENTION);
            kept.push(' ');
            rest = inside.get(end + closing.len_utf8()..).unwrap_or_default();
        }
    }
    kept.push_str(rest);
    kept
}

fn closing_of(opening: char) -> Option<char> {
    Some(match opening {
        '`' => '`',
        '"' => '"',
        '“' => '”',
        '「' => '」',
        '『' => '』',
        '«' => '»',
        _ => return None,
    })
}
