//! What a language has to say about signals: a table of phrases each, no code.
//!
//! To add a language, write one more data file and name it in [`LANGUAGES`].

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{LazyLock, OnceLock};

use super::kind::{SignalKind, SignalSet};
use super::pattern::{Pattern, openings_of};
use super::token::Sentence;
use super::typed::ActWords;
use super::vocabulary::{Role, WordMap, word};
use super::{chinese, english, french, german, japanese, portuguese, spanish};

/// Phrases that carry one kind of signal.
pub(super) struct Group {
    /// What the phrases carry.
    pub(super) kind: SignalKind,
    /// The phrases, in the notation of [`super::pattern`].
    pub(super) phrases: &'static [&'static str],
    /// Phrases beside which the group carries nothing.
    pub(super) unless: &'static [&'static str],
    /// Whether a question carries it too.
    pub(super) asks: bool,
}

/// How text looks that a language is read in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// Any text.
    Anyhow,
    /// Text with Han letters and no kana.
    InHan,
    /// Text with kana.
    InKana,
    /// Text with one of the language's small words, or with a letter that ASCII does not have.
    WithItsWords,
}

/// The data of one language.
pub(super) struct Language {
    /// What text it is looked for in.
    pub(super) written: Written,
    /// What speaks of acts.
    pub(super) acts: ActWords,
    /// What carries signals.
    pub(super) groups: &'static [Group],
    /// What makes a sentence a question, beside a question mark.
    pub(super) questions: &'static [&'static str],
    /// What makes a question a polite request.
    pub(super) requests: &'static [&'static str],
    /// Words that people write short or without their sign, each with its full form.
    pub(super) spellings: &'static [(&'static str, &'static str)],
    /// Words before the first word that counts.
    pub(super) fillers: &'static [&'static str],
    /// Words that begin a clause.
    pub(super) joints: &'static [&'static str],
    /// Words by which people speak of themselves and to the agent.
    pub(super) speakers: &'static [&'static str],
    /// Words that name no subject.
    pub(super) stop_words: &'static [&'static str],
}

/// Every language.
pub(super) static LANGUAGES: &[&Language] = &[
    &english::LANGUAGE,
    &chinese::LANGUAGE,
    &japanese::LANGUAGE,
    &german::LANGUAGE,
    &spanish::LANGUAGE,
    &french::LANGUAGE,
    &portuguese::LANGUAGE,
];

/// A phrase that is read when it is first looked for: a prompt meets few of the many.
struct Phrase {
    group: usize,
    text: &'static str,
    pattern: OnceLock<Pattern>,
    /// The phrase before this one with the same opening.
    earlier: Option<usize>,
}

impl Phrase {
    fn pattern(&self) -> &Pattern {
        self.pattern.get_or_init(|| Pattern::parse(self.text))
    }
}

/// One language, ready for use.
struct Rules {
    phrases: Vec<Phrase>,
    /// The last phrase that can begin with a token.
    openings: WordMap<usize>,
    /// What silences each group.
    unless: Vec<OnceLock<Vec<Pattern>>>,
    questions: OnceLock<Vec<Pattern>>,
    requests: OnceLock<Vec<Pattern>>,
}

/// More than any language has, so that nothing grows while a host waits.
const OPENINGS_EXPECTED: usize = 1_792;

impl Rules {
    fn of(language: &Language) -> Self {
        let mut rules = Self {
            phrases: Vec::with_capacity(OPENINGS_EXPECTED),
            openings: HashMap::with_capacity_and_hasher(
                OPENINGS_EXPECTED / 2,
                BuildHasherDefault::default(),
            ),
            unless: language.groups.iter().map(|_| OnceLock::new()).collect(),
            questions: OnceLock::new(),
            requests: OnceLock::new(),
        };
        for (group, data) in language.groups.iter().enumerate() {
            for text in data.phrases {
                for opening in openings_of(text) {
                    let earlier = rules.openings.insert(opening, rules.phrases.len());
                    rules.phrases.push(Phrase { group, text, pattern: OnceLock::new(), earlier });
                }
            }
        }
        rules
    }

    /// Returns the phrases that can begin with `token`.
    fn phrases_from(&self, token: &str) -> impl Iterator<Item = &Phrase> {
        let at = |place: usize| self.phrases.get(place);
        let last = self.openings.get(token).copied().and_then(at);
        std::iter::successors(last, move |phrase| phrase.earlier.and_then(at))
    }

    /// Returns the groups of which a phrase stands in the sentence.
    fn candidates(&self, sentence: &Sentence) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        for (at, token) in sentence.tokens().iter().enumerate() {
            for phrase in self.phrases_from(token) {
                if !found.contains(&phrase.group) && phrase.pattern().stands_at(sentence, at) {
                    found.push(phrase.group);
                }
            }
        }
        found
    }

    /// Tells whether the group of this number is silenced in the sentence.
    fn is_silenced(&self, number: usize, group: &Group, sentence: &Sentence) -> bool {
        self.unless.get(number).is_some_and(|unless| is_any(unless, group.unless, sentence))
    }
}

/// Reads `phrases` once, and tells whether one stands in the sentence.
fn is_any(
    patterns: &OnceLock<Vec<Pattern>>,
    phrases: &'static [&'static str],
    sentence: &Sentence,
) -> bool {
    patterns
        .get_or_init(|| phrases.iter().map(|phrase| Pattern::parse(phrase)).collect())
        .iter()
        .any(|pattern| pattern.is_in(sentence))
}

static RULES: LazyLock<Vec<OnceLock<Rules>>> =
    LazyLock::new(|| LANGUAGES.iter().map(|_| OnceLock::new()).collect());

/// Returns the languages that a sentence can be in, ready for use.
fn spoken_in(sentence: &Sentence) -> impl Iterator<Item = (&'static Language, &'static Rules)> {
    sentence.languages().places().filter_map(|place| {
        let language = *LANGUAGES.get(place)?;
        Some((language, RULES.get(place)?.get_or_init(|| Rules::of(language))))
    })
}

/// Returns the signals that a sentence carries.
pub(super) fn signals_of(sentence: &Sentence) -> SignalSet {
    let candidates: Vec<_> = spoken_in(sentence)
        .flat_map(|(language, rules)| {
            let numbers = rules.candidates(sentence).into_iter();
            numbers.filter_map(move |number| Some((rules, number, language.groups.get(number)?)))
        })
        .collect();
    if candidates.is_empty() {
        return SignalSet::default();
    }
    let is_question = is_question(sentence);
    candidates
        .into_iter()
        .filter(|(rules, number, group)| {
            (group.asks || !is_question) && !rules.is_silenced(*number, group, sentence)
        })
        .fold(SignalSet::default(), |set, (_, _, group)| set.with(group.kind))
}

/// Tells whether the sentence asks, and does not politely tell.
fn is_question(sentence: &Sentence) -> bool {
    let asks = sentence.has_question_mark()
        || spoken_in(sentence)
            .any(|(language, rules)| is_any(&rules.questions, language.questions, sentence));
    asks && !spoken_in(sentence)
        .any(|(language, rules)| is_any(&rules.requests, language.requests, sentence))
}

/// Tells whether somebody speaks of himself or to somebody in the sentence.
pub(super) fn is_spoken(sentence: &Sentence) -> bool {
    sentence.tokens().iter().any(|token| word(token).is(Role::Speaker))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_found_without_reading_a_phrase_are_those_of_the_phrase() {
        for phrase in
            LANGUAGES.iter().flat_map(|language| language.groups).flat_map(|group| group.phrases)
        {
            let quick: Vec<&str> = openings_of(phrase).collect();
            let read = Pattern::parse(phrase);
            assert_eq!(quick, read.openings().collect::<Vec<_>>(), "{phrase}");
            assert!(quick.iter().all(|word| !word.contains('*')), "{phrase}");
        }
    }

    #[test]
    fn every_phrase_is_found_by_each_of_its_openings() {
        for language in LANGUAGES {
            let rules = Rules::of(language);
            let found = |phrase: &str, opening: &str| {
                rules.phrases_from(opening).any(|candidate| candidate.text == phrase)
            };
            for phrase in language.groups.iter().flat_map(|group| group.phrases) {
                assert!(openings_of(phrase).all(|opening| found(phrase, opening)), "{phrase}");
            }
            assert!(rules.phrases.len() <= OPENINGS_EXPECTED, "{}", rules.phrases.len());
        }
    }
}
