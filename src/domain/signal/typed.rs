//! The act, the target and the gate in plain words, and only where there is no doubt.
//!
//! What comes out is a suggestion that is shown before it binds; where words could be read in two
//! ways there is none.

use super::kind::{SignalKind, SignalSet};
use super::language::{LANGUAGES, Language, signals_of};
use super::pattern::Pattern;
use super::sentence;
use super::speech;
use super::token::Sentence;
use crate::domain::act::Act;
use crate::domain::redact::redact_str;
use crate::domain::task::quote::Stance;
use crate::domain::text::Redacted;

/// An act that words speak of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedAct {
    /// The act.
    pub act: Act,
    /// A branch, environment, registry or path, as the user wrote it.
    pub target: Option<Redacted>,
    /// Whether it may be done.
    pub stance: Stance,
}

/// What a language says of acts, in the notation of [`super::pattern`].
pub(super) struct ActWords {
    /// The words of each act.
    pub(super) verbs: &'static [(Act, &'static [&'static str])],
    /// What stands right before such a word where it is a verb.
    pub(super) leads: &'static [&'static str],
    /// For acts whose words also mean other things: what an act is done to, one of which has to
    /// stand within [`OBJECT_TOKENS_MAX`] tokens of the word.
    pub(super) objects: &'static [(Act, &'static [&'static str])],
    /// What makes a word that is not about stored things an act where it stands right after it.
    pub(super) follows: &'static [&'static str],
    /// What ties a stance to something that is not the user's yes.
    pub(super) conditions: &'static [&'static str],
    /// What allows.
    pub(super) allows: &'static [&'static str],
    /// What forbids.
    pub(super) forbids: &'static [&'static str],
    /// What asks for the user's yes.
    pub(super) gates: &'static [&'static str],
    /// What stands before a target.
    pub(super) prepositions: &'static [&'static str],
    /// Targets that need no preposition.
    pub(super) places: &'static [&'static str],
}

/// How far from the word of an act its object may stand.
const OBJECT_TOKENS_MAX: usize = 5;

/// Returns the act that `text` allows, forbids or ties to the user's yes.
///
/// `None` where there is no act, more than one, a question, a condition, or both a permission and
/// a prohibition.
#[must_use]
pub fn act_of(text: &str) -> Option<TypedAct> {
    let mut found: Option<TypedAct> = None;
    for run in speech::runs(text) {
        for (start, end) in sentence::sentences(text, run) {
            let words = text.get(start..end).unwrap_or_default();
            match read(words) {
                Reading::Nothing => {}
                Reading::One(act) if found.is_none() => found = Some(act),
                Reading::One(_) | Reading::Unclear => return None,
            }
        }
    }
    found
}

/// What one sentence says of acts.
enum Reading {
    Nothing,
    Unclear,
    One(TypedAct),
}

fn read(words: &str) -> Reading {
    if words.chars().count() > sentence::SENTENCE_CHARS_MAX {
        return Reading::Nothing;
    }
    let sentence = Sentence::of(words);
    let signals = signals_of(&sentence);
    let binds =
        signals.contains(SignalKind::HardConstraint) || signals.contains(SignalKind::Authorization);
    if !binds || signals.contains(SignalKind::Dispute) {
        return Reading::Nothing;
    }
    let languages = sentence.languages().places().filter_map(|place| LANGUAGES.get(place));
    let verbs: Vec<Verb> = languages.flat_map(|language| verbs_in(&sentence, language)).collect();
    let [verb] = verbs.as_slice() else {
        return if verbs.is_empty() { Reading::Nothing } else { Reading::Unclear };
    };
    let is_plain = verb.is_certain(&sentence) && !verb.is_said_again(&sentence);
    let Some(stance) = verb.stance(&sentence, signals).filter(|_| is_plain) else {
        return Reading::Unclear;
    };
    let target = target_after(&sentence, verb.after, verb.language)
        .map(|token| redact_str(&as_written(words, &token)));
    Reading::One(TypedAct { act: verb.act, target, stance })
}

/// The word of an act in a sentence.
struct Verb {
    act: Act,
    /// Its first token, and the first one behind it.
    at: usize,
    after: usize,
    language: &'static Language,
}

impl Verb {
    /// Tells whether the word is about the act and not about something else it could mean.
    fn is_certain(&self, sentence: &Sentence) -> bool {
        let words = &self.language.acts;
        let Some((_, objects)) = words.objects.iter().find(|(act, _)| *act == self.act) else {
            return true;
        };
        let is_of_stored_things = matches!(self.act, Act::Delete | Act::Reset);
        let next = sentence.tokens().get(self.after);
        let is_followed = sentence.is_clause_end(self.after)
            || next.is_some_and(|next| words.follows.contains(&next.as_str()));
        let places = self.at.saturating_sub(OBJECT_TOKENS_MAX)..=self.after + OBJECT_TOKENS_MAX;
        (is_followed && !is_of_stored_things)
            || objects.iter().any(|object| {
                let object = super::token::split(object);
                places.clone().any(|at| {
                    (at < self.at || at >= self.after) && sentence.has_sequence(at, &object)
                })
            })
    }

    /// Tells whether a word of the same act is said once more in the sentence.
    fn is_said_again(&self, sentence: &Sentence) -> bool {
        let words = self.language.acts.verbs.iter().filter(|(act, _)| *act == self.act);
        let words: Vec<_> = words
            .flat_map(|(_, words)| words.iter().map(|word| super::token::split(word)))
            .collect();
        (0..sentence.len())
            .filter(|at| *at < self.at || *at >= self.after)
            .any(|at| words.iter().any(|word| sentence.has_sequence(at, word)))
    }

    /// Returns whether the act may be done, if the sentence says just one thing about that.
    fn stance(&self, sentence: &Sentence, signals: SignalSet) -> Option<Stance> {
        let words = &self.language.acts;
        let has =
            |phrases: &[&str]| phrases.iter().any(|phrase| Pattern::parse(phrase).is_in(sentence));
        let is_allowed = signals.contains(SignalKind::Authorization) && has(words.allows);
        if has(words.conditions) {
            return None;
        }
        match (has(words.gates), has(words.forbids), is_allowed) {
            (true, _, false) => Some(Stance::NeedsYes),
            (false, true, false) => Some(Stance::Forbidden),
            (false, false, true) => Some(Stance::Allowed),
            _ => None,
        }
    }
}

/// Returns the acts named as verbs.
fn verbs_in(sentence: &Sentence, language: &'static Language) -> Vec<Verb> {
    let mut found: Vec<Verb> = Vec::new();
    for at in 0..sentence.len() {
        let before = at.checked_sub(1).and_then(|before| sentence.tokens().get(before));
        let is_led = sentence.is_clause_start(at)
            || before.is_some_and(|before| language.acts.leads.contains(&before.as_str()));
        let is_taken = found.last().is_some_and(|verb| at < verb.after);
        if !is_led || is_taken {
            continue;
        }
        for (act, words) in language.acts.verbs {
            let longest = words
                .iter()
                .map(|word| super::token::split(word))
                .filter(|sequence| sentence.has_sequence(at, sequence))
                .map(|sequence| sequence.len())
                .max();
            if let Some(length) = longest {
                found.push(Verb { act: *act, at, after: at.saturating_add(length), language });
            }
        }
    }
    found
}

/// Returns the target named within a few tokens after the verb.
fn target_after(sentence: &Sentence, after: usize, language: &Language) -> Option<String> {
    let words = &language.acts;
    let rest = sentence.tokens().get(after..)?;
    let (mut is_next, mut was_stop_word) = (false, false);
    for (offset, token) in rest.iter().take(6).enumerate() {
        if sentence.is_clause_end(after.saturating_add(offset)) {
            return None;
        }
        let place = words.places.iter().find(|place| {
            sentence.has_sequence(after.saturating_add(offset), &super::token::split(place))
        });
        if let Some(place) = place {
            return Some((*place).to_owned());
        }
        let is_plain = token.chars().all(|letter| letter.is_ascii_alphabetic());
        let is_ascii = token.is_ascii() && token.chars().any(char::is_alphanumeric);
        let is_stop_word = language.stop_words.contains(&token.as_str());
        if is_ascii && !is_stop_word && (is_next || !is_plain) && !token.contains('\'') {
            return Some(token.clone());
        }
        let is_preposition = words.prepositions.contains(&token.as_str());
        is_next = is_preposition || (is_next && is_stop_word && !was_stop_word);
        was_stop_word = is_stop_word && !is_preposition;
    }
    None
}

/// Returns a token as the text spells it.
fn as_written(text: &str, token: &str) -> String {
    text.split(|letter: char| {
        letter.is_whitespace() || ",;:!?()".contains(letter) || !letter.is_ascii()
    })
    .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
    .find(|word| word.to_lowercase() == token)
    .unwrap_or(token)
    .to_owned()
}
