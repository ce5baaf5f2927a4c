//! Phrases as data: what a rule of a language looks for in the tokens of a sentence.
//!
//! A phrase is elements between blanks. `a|b` stands for one of them, `_` joins the words of one
//! alternative (`do_not|don't`), `*` in front of or behind a part of a word stands for the rest of
//! it (`*ing`, `push*`; not where a phrase begins), `~` for up to four tokens of any kind, `~~` for up to ten. `^`
//! in front: only at the beginning of a clause; `^^`: only at the beginning of the sentence; `$`
//! at the end, or among alternatives: only before the end of a clause. Chinese needs no blanks: a letter is a token.

use super::token::{Sentence, is_cjk, split};

/// How many tokens `~` and `~~` stand for at most.
const GAP_SHORT: usize = 4;
const GAP_LONG: usize = 10;

/// Where a phrase may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Anchor {
    Anywhere,
    Clause,
    Sentence,
}

#[derive(Debug, Clone)]
enum Element {
    /// One of these token sequences; an empty one stands for the end of a clause.
    OneOf(Vec<Vec<String>>),
    /// At most so many tokens.
    Gap(usize),
    /// The end of a clause.
    End,
}

/// One phrase, ready to be looked for.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    anchor: Anchor,
    elements: Vec<Element>,
}

impl Pattern {
    /// Reads a phrase in the notation of this module.
    pub(super) fn parse(phrase: &str) -> Self {
        let mut anchor = Anchor::Anywhere;
        let mut elements = Vec::new();
        for part in phrase.split(' ').filter(|part| !part.is_empty()) {
            match part {
                "^" => anchor = Anchor::Clause,
                "^^" => anchor = Anchor::Sentence,
                "$" => elements.push(Element::End),
                "~" => elements.push(Element::Gap(GAP_SHORT)),
                "~~" => elements.push(Element::Gap(GAP_LONG)),
                words => elements.push(Element::OneOf(alternatives(words))),
            }
        }
        Self { anchor, elements }
    }

    /// Returns the tokens that the phrase can begin with.
    #[cfg(test)]
    pub(super) fn openings(&self) -> impl Iterator<Item = &str> {
        let first = match self.elements.first() {
            Some(Element::OneOf(words)) => words.as_slice(),
            _ => &[],
        };
        first.iter().filter_map(|sequence| sequence.first().map(String::as_str))
    }

    /// Tells whether the phrase stands at token `at`.
    pub(super) fn stands_at(&self, sentence: &Sentence, at: usize) -> bool {
        let is_placed = match self.anchor {
            Anchor::Anywhere => true,
            Anchor::Clause => sentence.is_clause_start(at),
            Anchor::Sentence => sentence.is_sentence_start(at),
        };
        is_placed && goes_on(&self.elements, sentence, at)
    }

    /// Tells whether the phrase stands anywhere in the sentence.
    pub(super) fn is_in(&self, sentence: &Sentence) -> bool {
        (0..sentence.len()).any(|at| self.stands_at(sentence, at))
    }
}

/// Returns the tokens that a phrase can begin with, without reading all of it; none for one that
/// begins with a gap.
pub(super) fn openings_of(phrase: &str) -> impl Iterator<Item = &str> {
    let words = phrase.split(' ').find(|part| !matches!(*part, "" | "^" | "^^"));
    let words = words.filter(|words| !matches!(*words, "~" | "~~" | "$"));
    words.into_iter().flat_map(|words| words.split('|')).map(first_token)
}

/// Returns the first token of a word: one CJK letter, or what stands before the next or a blank.
fn first_token(word: &str) -> &str {
    // A sign in front of a word is dropped, as in any text.
    let word = word.trim_start_matches('\'');
    let stop = word.char_indices().find(|(_, letter)| *letter == '_' || is_cjk(*letter));
    let end = match stop {
        Some((0, letter)) => letter.len_utf8(),
        Some((at, _)) => at,
        None => word.len(),
    };
    word.get(..end).unwrap_or_default()
}

fn alternatives(words: &str) -> Vec<Vec<String>> {
    let of_word = |word: &str| {
        let is_part = word.starts_with('*') || word.ends_with('*');
        if is_part { vec![word.to_owned()] } else { split(&word.replace('_', " ")) }
    };
    words.split('|').map(of_word).collect()
}

fn goes_on(elements: &[Element], sentence: &Sentence, at: usize) -> bool {
    let Some((element, rest)) = elements.split_first() else { return true };
    match element {
        Element::End => sentence.is_clause_end(at) && goes_on(rest, sentence, at),
        Element::Gap(count_max) => (0..=*count_max)
            .take_while(|skipped| at + skipped <= sentence.len())
            .any(|skipped| goes_on(rest, sentence, at + skipped)),
        Element::OneOf(sequences) => sequences.iter().any(|sequence| {
            (!sequence.is_empty() || sentence.is_clause_end(at))
                && sentence.has_sequence(at, sequence)
                && goes_on(rest, sentence, at + sequence.len())
        }),
    }
}
