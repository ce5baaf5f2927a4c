//! Which sentences of a prompt change what happens next.
//!
//! Rules are data, one file a language (`english`, `chinese`, `german.rs` and so on); what the user did not say
//! (quotes, code, logs, pastes, what a host wrapped) carries nothing. A signal is a reason to keep
//! the words, with their time and source; it decides nothing and is never an item by itself.

mod chinese;
mod english;
mod french;
mod german;
mod japanese;
mod kind;
mod language;
mod machine;
mod pattern;
mod portuguese;
mod sentence;
mod spanish;
mod speech;
mod subject;
mod token;
mod typed;
mod vocabulary;

#[cfg(test)]
mod tests;

pub use kind::{SignalKind, SignalSet};
pub use subject::{
    SUBJECT_VALUES_MAX, SUBJECT_WORDS_MAX, Subject, SubjectKey, same_subject, subject_of,
};
pub use typed::{TypedAct, act_of};

use super::redact::redact;
use super::text::{Redacted, UntrustedText};
use token::Sentence;

/// The most characters of all quotes of one prompt together.
pub const QUOTE_CHARS_MAX: usize = 512;
/// The most quotes of one prompt.
pub const QUOTES_MAX: usize = 8;
/// A quote cut to less than this says nothing, and is left out.
const CUT_CHARS_MIN: usize = 40;

/// Words of the user that carry a signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignalQuote {
    /// The kind that the quote is filed under.
    pub kind: SignalKind,
    /// Every kind that the words carry.
    pub kinds: SignalSet,
    /// Whole sentences; cut only where one alone is too long, which ends it with `…`.
    pub text: Redacted,
    /// What the words are about.
    pub subject: Subject,
}

/// What a prompt changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signals {
    /// Every kind of signal in the prompt.
    pub set: SignalSet,
    /// The words, in the order of the prompt: at most [`QUOTES_MAX`], and [`QUOTE_CHARS_MAX`]
    /// characters in all.
    pub quotes: Vec<SignalQuote>,
    /// Sentences with a signal that found no room.
    pub omitted_count: u32,
}

/// Finds the signals in a prompt of the user.
///
/// The prompt is redacted before anything else is done with it. Linear in its length.
#[must_use]
pub fn detect(prompt: &UntrustedText) -> Signals {
    let is_silent = speech::is_command(prompt.expose()) || speech::is_host_made(prompt.expose());
    if is_silent {
        return Signals::default();
    }
    let clean = redact(prompt);
    collect(&carriers(clean.as_str()))
}

/// Tells whether the whole prompt was written by the host and not by the user: notifications,
/// reminders, hook context, the summary that a compaction leaves.
#[must_use]
pub fn is_host_made(prompt: &UntrustedText) -> bool {
    speech::is_host_made(prompt.expose())
}

/// Sentences that carry a signal, with what they carry, in order.
fn carriers(text: &str) -> Vec<(SignalSet, String)> {
    let mut found: Vec<(SignalSet, String)> = Vec::new();
    for run in speech::runs(text) {
        let mut wants_more = false;
        for (start, end) in sentence::sentences(text, run) {
            let words = text.get(start..end).unwrap_or_default();
            if words.chars().count() > sentence::SENTENCE_CHARS_MAX {
                continue;
            }
            let sentence = Sentence::of(words);
            let set = language::signals_of(&sentence);
            let is_carrier = !set.is_empty() && (!run.is_long || language::is_spoken(&sentence));
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            if is_carrier {
                wants_more = set.contains(SignalKind::Correction) && is_bare(&words);
                found.push((set, words));
            } else if std::mem::take(&mut wants_more)
                && let Some((_, before)) = found.last_mut()
            {
                before.push(' ');
                before.push_str(&words);
            }
        }
    }
    found
}

/// Tells whether a sentence says that something is wrong, but not what is right.
fn is_bare(words: &str) -> bool {
    let subject = subject_of(words);
    subject.words.len() < 2 && subject.values.is_empty()
}

/// Fits the sentences into the room there is: those filed first come first.
fn collect(found: &[(SignalSet, String)]) -> Signals {
    let set = found.iter().fold(SignalSet::default(), |set, (kinds, _)| set.union(*kinds));
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|place| found.get(*place).and_then(|(kinds, _)| kinds.kinds().next()));
    let mut chars_left = QUOTE_CHARS_MAX;
    let mut kept: Vec<(usize, SignalQuote)> = Vec::new();
    for place in order {
        let Some((kinds, words)) = found.get(place) else { continue };
        let Some(kind) = kinds.kinds().next() else { continue };
        let is_known = kept.iter().any(|(_, quote)| quote.text.as_str() == words);
        if is_known || kept.len() == QUOTES_MAX {
            continue;
        }
        let Some(text) = fit(words, chars_left) else { continue };
        chars_left = chars_left.saturating_sub(text.chars().count());
        let subject = subject_of(&text);
        kept.push((
            place,
            SignalQuote { kind, kinds: *kinds, text: Redacted::assume(text), subject },
        ));
    }
    kept.sort_by_key(|(place, _)| *place);
    let omitted_count = u32::try_from(found.len().saturating_sub(kept.len())).unwrap_or(u32::MAX);
    Signals { set, quotes: kept.into_iter().map(|(_, quote)| quote).collect(), omitted_count }
}

/// Returns `words` whole or cut to `chars_max`, or nothing where too little would be left.
fn fit(words: &str, chars_max: usize) -> Option<String> {
    if words.chars().count() <= chars_max {
        return Some(words.to_owned());
    }
    if chars_max < CUT_CHARS_MIN {
        return None;
    }
    let mut cut: String = words.chars().take(chars_max.saturating_sub(1)).collect();
    if let Some(mark) = cut.rfind("[redacted:")
        && !cut.get(mark..).unwrap_or_default().contains(']')
    {
        cut.truncate(mark);
    }
    cut.push('…');
    Some(cut)
}
