//! What a language has to say about signals: a table of phrases each, no code.
//!
//! To add a language, write one more data file and name it in [`LANGUAGES`].

use std::collections::HashMap;
use std::sync::LazyLock;

use super::kind::{SignalKind, SignalSet};
use super::pattern::Pattern;
use super::token::Sentence;
use super::typed::ActWords;
use super::{chinese, english};

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
pub(super) static LANGUAGES: &[&Language] = &[&english::LANGUAGE, &chinese::LANGUAGE];

/// A group with its phrases read.
struct Compiled {
    kind: SignalKind,
    unless: Vec<Pattern>,
    asks: bool,
}

/// All languages, ready for use; phrases by their first token.
struct Rules {
    groups: Vec<Compiled>,
    phrases: HashMap<String, Vec<(usize, Pattern)>>,
    questions: Vec<Pattern>,
    requests: Vec<Pattern>,
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let mut rules = Rules {
        groups: Vec::new(),
        phrases: HashMap::new(),
        questions: Vec::new(),
        requests: Vec::new(),
    };
    let parse = |phrases: &[&str]| phrases.iter().map(|phrase| Pattern::parse(phrase)).collect();
    for language in LANGUAGES {
        for group in language.groups {
            let number = rules.groups.len();
            let unless = parse(group.unless);
            rules.groups.push(Compiled { kind: group.kind, unless, asks: group.asks });
            for phrase in group.phrases {
                let pattern = Pattern::parse(phrase);
                for opening in pattern.openings() {
                    let known = rules.phrases.entry(opening.to_owned()).or_default();
                    known.push((number, pattern.clone()));
                }
            }
        }
        let questions: Vec<Pattern> = parse(language.questions);
        rules.questions.extend(questions);
        let requests: Vec<Pattern> = parse(language.requests);
        rules.requests.extend(requests);
    }
    rules
});

/// Returns the signals that a sentence carries.
pub(super) fn signals_of(sentence: &Sentence) -> SignalSet {
    let mut candidates: Vec<usize> = Vec::new();
    for (at, token) in sentence.tokens().iter().enumerate() {
        for (number, pattern) in RULES.phrases.get(token).into_iter().flatten() {
            if !candidates.contains(number) && pattern.stands_at(sentence, at) {
                candidates.push(*number);
            }
        }
    }
    if candidates.is_empty() {
        return SignalSet::default();
    }
    let is_any = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.is_in(sentence));
    let is_question =
        (sentence.has_question_mark() || is_any(&RULES.questions)) && !is_any(&RULES.requests);
    candidates
        .into_iter()
        .filter_map(|number| RULES.groups.get(number))
        .filter(|group| (group.asks || !is_question) && !is_any(&group.unless))
        .fold(SignalSet::default(), |set, group| set.with(group.kind))
}

/// Tells whether somebody speaks of himself or to somebody in the sentence.
pub(super) fn is_spoken(sentence: &Sentence) -> bool {
    sentence
        .tokens()
        .iter()
        .any(|token| LANGUAGES.iter().any(|language| language.speakers.contains(&token.as_str())))
}
