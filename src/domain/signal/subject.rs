//! What words are about, so that later words on the same thing can be told from others.
//!
//! A subject orders and marks quotes; it never removes one.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::kind::SignalKind;
use super::token::{is_cjk, split};
use super::vocabulary::{Role, word};

/// The most content words of a subject.
pub const SUBJECT_WORDS_MAX: usize = 8;
/// The most values of a subject.
pub const SUBJECT_VALUES_MAX: usize = 8;

/// What words are about, in plain text; only ever kept as keyed hashes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subject {
    /// Content words in lower case, CJK in pairs of letters; at most [`SUBJECT_WORDS_MAX`].
    pub words: Vec<String>,
    /// Numbers, versions and numbered names; at most [`SUBJECT_VALUES_MAX`].
    pub values: Vec<String>,
}

/// Returns what `text` is about.
///
/// Words without content, the words that make a signal, and values are no part of the words, so
/// that "from now on use port 8080" and "actually use port 9090 instead" share `port`.
#[must_use]
pub fn subject_of(text: &str) -> Subject {
    let mut subject = Subject::default();
    let mut letters: Vec<String> = Vec::new();
    for token in split(&without_marks(text)) {
        let is_letter = token.chars().next().is_some_and(is_cjk);
        if is_letter && !is_stop_word(&token) {
            letters.push(token);
            continue;
        }
        take_pairs(&mut letters, &mut subject.words);
        if is_letter || !token.chars().any(char::is_alphanumeric) || is_stop_word(&token) {
            continue;
        }
        if is_value(&token) {
            push_new(&mut subject.values, token, SUBJECT_VALUES_MAX);
        } else {
            push_new(&mut subject.words, singular(&token), SUBJECT_WORDS_MAX);
        }
    }
    take_pairs(&mut letters, &mut subject.words);
    subject
}

/// Leaves out what redaction put in place.
fn without_marks(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[redacted:") {
        kept.push_str(before);
        kept.push(' ');
        rest = after.split_once(']').map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept
}

fn is_stop_word(token: &str) -> bool {
    word(token).is(Role::Stop)
}

/// A number, a version, or a name with a number in it, but no path and no file.
fn is_value(token: &str) -> bool {
    let has_digit = token.chars().any(|letter| letter.is_ascii_digit());
    let is_file = token
        .rsplit_once('.')
        .is_some_and(|(_, extension)| extension.chars().all(|letter| letter.is_ascii_alphabetic()));
    has_digit && !is_file && !token.contains('/')
}

fn singular(word: &str) -> String {
    let stem =
        word.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with(['s', 'u', 'i']));
    stem.unwrap_or(word).to_owned()
}

fn push_new(words: &mut Vec<String>, word: String, count_max: usize) {
    if words.len() < count_max && !words.contains(&word) {
        words.push(word);
    }
}

/// Turns a run of CJK letters into pairs; a single letter stands for itself.
fn take_pairs(letters: &mut Vec<String>, words: &mut Vec<String>) {
    match letters.as_slice() {
        [] => {}
        [single] => push_new(words, single.clone(), SUBJECT_WORDS_MAX),
        _ => {
            for (first, second) in letters.iter().zip(letters.iter().skip(1)) {
                push_new(words, format!("{first}{second}"), SUBJECT_WORDS_MAX);
            }
        }
    }
    letters.clear();
}

/// A subject as keyed hashes, sorted: what is kept beside a quote.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SubjectKey {
    words: Vec<u32>,
    values: Vec<u32>,
}

impl SubjectKey {
    /// Takes the hashes of a subject's words and values, in any order.
    #[must_use]
    pub fn new(
        words: impl IntoIterator<Item = u32>,
        values: impl IntoIterator<Item = u32>,
    ) -> Self {
        let sorted = |set: BTreeSet<u32>| set.into_iter().collect();
        Self {
            words: sorted(words.into_iter().collect()),
            values: sorted(values.into_iter().collect()),
        }
    }

    /// Hashes a subject with `hash`, which the caller keys for its task.
    #[must_use]
    pub fn of(subject: &Subject, hash: impl Fn(&str) -> u32) -> Self {
        Self::new(
            subject.words.iter().map(|word| hash(word)),
            subject.values.iter().map(|value| hash(value)),
        )
    }

    /// Returns the hashes of the words, sorted.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Returns the hashes of the values, sorted.
    #[must_use]
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Tells whether these later words plausibly replace the `earlier` ones.
    ///
    /// They do on the same subject, if they give it another value, or if they are a correction, a
    /// change of goal or a cancellation; and where they name the earlier value beside a new one.
    /// The same words said again replace nothing, unless they cancel.
    #[must_use]
    pub fn replaces(&self, earlier: &Self, later_kind: SignalKind) -> bool {
        let is_said_again = self == earlier && later_kind != SignalKind::Cancel;
        if is_said_again {
            return false;
        }
        if self.names_old_value_of(earlier) {
            return true;
        }
        if !same_subject(&self.words, &earlier.words) {
            return false;
        }
        let is_revised = !self.values.is_empty()
            && !earlier.values.is_empty()
            && self.values.iter().any(|value| earlier.values.binary_search(value).is_err());
        let turns = match later_kind {
            SignalKind::Correction | SignalKind::GoalChange | SignalKind::Cancel => true,
            SignalKind::HardConstraint
            | SignalKind::Authorization
            | SignalKind::Dispute
            | SignalKind::CompletionClaim => false,
        };
        is_revised || turns
    }

    /// "9090 instead of 8080": a shared word, the earlier value, and one that is new.
    fn names_old_value_of(&self, earlier: &Self) -> bool {
        let is_in = |set: &[u32], value: &u32| set.binary_search(value).is_ok();
        self.words.iter().any(|word| is_in(&earlier.words, word))
            && self.values.iter().any(|value| is_in(&earlier.values, value))
            && self.values.iter().any(|value| !is_in(&earlier.values, value))
    }
}

/// Tells whether two sorted sets of word hashes are about the same thing.
///
/// Two shared words that are two thirds of the shorter set, or a shorter set of one or two words
/// that is all contained in one not much longer. One common word among several is not enough.
#[must_use]
pub fn same_subject(first: &[u32], second: &[u32]) -> bool {
    let shared = first.iter().filter(|word| second.binary_search(word).is_ok()).count();
    let shorter = first.len().min(second.len());
    let longer = first.len().max(second.len());
    let is_mostly_shared = shared >= 2 && shared.saturating_mul(3) >= shorter.saturating_mul(2);
    let is_contained = shared == shorter && longer <= shorter.saturating_add(1);
    shared > 0 && (is_mostly_shared || is_contained)
}
