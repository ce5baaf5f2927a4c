//! What a language has to say about signals: a table of phrases each, no code.
//!
//! To add a language, write one more data file and name it in [`LANGUAGES`].

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{LazyLock, OnceLock};

use super::kind::{SignalKind, SignalSet};
use super::pattern::{Pattern, openings_of};
use super::token::Sentence;
use super::typed::ActWords;
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

/// The data of one language.
pub(super) struct Language {
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

/// All languages, ready for use.
struct Rules {
    groups: Vec<&'static Group>,
    phrases: Vec<Phrase>,
    /// The last phrase that can begin with a token.
    openings: HashMap<&'static str, usize, BuildHasherDefault<OpeningHasher>>,
}

/// FNV-1a: the keys are our own few words, and hashing them is most of what a short prompt costs.
#[derive(Default)]
struct OpeningHasher(u64);

impl Hasher for OpeningHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// More than all languages have, so that nothing grows while a host waits.
const OPENINGS_EXPECTED: usize = 4_096;

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let mut rules = Rules {
        groups: LANGUAGES.iter().flat_map(|language| language.groups).collect(),
        phrases: Vec::with_capacity(OPENINGS_EXPECTED),
        openings: HashMap::with_capacity_and_hasher(
            OPENINGS_EXPECTED / 2,
            BuildHasherDefault::default(),
        ),
    };
    for (group, data) in rules.groups.iter().enumerate() {
        for text in data.phrases {
            for opening in openings_of(text) {
                let earlier = rules.openings.insert(opening, rules.phrases.len());
                rules.phrases.push(Phrase { group, text, pattern: OnceLock::new(), earlier });
            }
        }
    }
    rules
});

/// What makes a sentence a question, and what makes a question a request.
static QUESTIONS: LazyLock<Vec<Pattern>> =
    LazyLock::new(|| LANGUAGES.iter().flat_map(|language| parse(language.questions)).collect());
static REQUESTS: LazyLock<Vec<Pattern>> =
    LazyLock::new(|| LANGUAGES.iter().flat_map(|language| parse(language.requests)).collect());

fn parse(phrases: &'static [&'static str]) -> impl Iterator<Item = Pattern> {
    phrases.iter().map(|phrase| Pattern::parse(phrase))
}

/// Returns the phrases that can begin with `token`.
fn phrases_from(token: &str) -> impl Iterator<Item = &'static Phrase> {
    let rules = &*RULES;
    let at = |place: usize| rules.phrases.get(place);
    let last = rules.openings.get(token).copied().and_then(at);
    std::iter::successors(last, move |phrase| phrase.earlier.and_then(at))
}

/// Returns the signals that a sentence carries.
pub(super) fn signals_of(sentence: &Sentence) -> SignalSet {
    let mut candidates: Vec<usize> = Vec::new();
    for (at, token) in sentence.tokens().iter().enumerate() {
        for phrase in phrases_from(token) {
            if !candidates.contains(&phrase.group) && phrase.pattern().stands_at(sentence, at) {
                candidates.push(phrase.group);
            }
        }
    }
    if candidates.is_empty() {
        return SignalSet::default();
    }
    let is_any = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.is_in(sentence));
    let is_question = (sentence.has_question_mark() || is_any(&QUESTIONS)) && !is_any(&REQUESTS);
    candidates
        .into_iter()
        .filter_map(|number| RULES.groups.get(number))
        .filter(|group| {
            (group.asks || !is_question)
                && !parse(group.unless).any(|pattern| pattern.is_in(sentence))
        })
        .fold(SignalSet::default(), |set, group| set.with(group.kind))
}

/// Tells whether somebody speaks of himself or to somebody in the sentence.
pub(super) fn is_spoken(sentence: &Sentence) -> bool {
    sentence
        .tokens()
        .iter()
        .any(|token| LANGUAGES.iter().any(|language| language.speakers.contains(&token.as_str())))
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
        let found = |phrase: &str, opening: &str| {
            phrases_from(opening).any(|candidate| candidate.text == phrase)
        };
        for phrase in
            LANGUAGES.iter().flat_map(|language| language.groups).flat_map(|group| group.phrases)
        {
            assert!(openings_of(phrase).all(|opening| found(phrase, opening)), "{phrase}");
        }
        assert!(RULES.phrases.len() <= OPENINGS_EXPECTED, "{}", RULES.phrases.len());
    }
}
