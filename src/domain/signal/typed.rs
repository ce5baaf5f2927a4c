//! The act, the target and the gate in plain words, and only where there is no doubt.
//!
//! What comes out is a suggestion that is shown before it binds; where words could be read in two
//! ways there is none.

use super::kind::SignalKind;
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
            let Reading::One(act) = read(words) else {
                if matches!(read(words), Reading::Unclear) {
                    return None;
                }
                continue;
            };
            if found.replace(act).is_some() {
                return None;
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
    let mut verbs: Vec<(Act, usize, &Language)> = Vec::new();
    for language in LANGUAGES {
        verbs.extend(verbs_in(&sentence, language));
    }
    let [(act, after, language)] = verbs.as_slice() else {
        return if verbs.is_empty() { Reading::Nothing } else { Reading::Unclear };
    };
    let has =
        |phrases: &[&str]| phrases.iter().any(|phrase| Pattern::parse(phrase).is_in(&sentence));
    let stance =
        match (has(language.acts.gates), has(language.acts.forbids), has(language.acts.allows)) {
            (true, _, false) => Stance::NeedsYes,
            (false, true, false) => Stance::Forbidden,
            (false, false, true) => Stance::Allowed,
            _ => return Reading::Unclear,
        };
    let target = target_after(&sentence, *after, language)
        .map(|token| redact_str(&as_written(words, &token)));
    Reading::One(TypedAct { act: *act, target, stance })
}

/// Returns the acts named as verbs, each with the place behind its word.
fn verbs_in<'a>(sentence: &Sentence, language: &'a Language) -> Vec<(Act, usize, &'a Language)> {
    let mut found = Vec::new();
    for at in 0..sentence.len() {
        let is_led = sentence.is_clause_start(at)
            || at
                .checked_sub(1)
                .and_then(|before| sentence.tokens().get(before))
                .is_some_and(|before| language.acts.leads.contains(&before.as_str()));
        if !is_led {
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
                found.push((*act, at.saturating_add(length), language));
            }
        }
    }
    found
}

/// Returns the target named within a few tokens after the verb.
fn target_after(sentence: &Sentence, after: usize, language: &Language) -> Option<String> {
    let words = &language.acts;
    let rest = sentence.tokens().get(after..)?;
    let mut is_next = false;
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
        is_next = words.prepositions.contains(&token.as_str()) || (is_next && is_stop_word);
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
