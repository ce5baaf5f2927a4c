//! Whether the user really typed a prompt, as the rollout file of Codex shows.
//!
//! *Typed* is what Codex reports as sent by the user, whether it began a turn or came into a
//! running one. All else that reaches the model in the user's role (instructions, environment,
//! hook prompts, notices of sub-agents, goals, shell commands, what a compaction keeps) has no such
//! report. *Not typed* needs more: an unbroken file that shows a later message and its answer,
//! and no turn of that time in which the host may have dropped a prompt. All else is uncheckable.

use std::path::Path;

use super::codex_line::{Author, Entry, SessionMeta, Turn, What};
use super::{TAIL_BYTES_DEFAULT, Tail, TailReader, Uncheckable};
use crate::domain::ports::PromptSought;
use crate::domain::time::Timestamp;

/// How far the host's clock and ours may be apart; both run on one machine.
const CLOCK_TOLERANCE_MILLIS: i64 = 60_000;

/// Tells whether the prompt that is sought stands in the file as typed by the user.
///
/// At most the first line and the last [`TAIL_BYTES_DEFAULT`] bytes are looked at.
///
/// # Errors
/// [`Uncheckable`] if neither can be said.
pub fn is_recorded(path: &Path, asked: &PromptSought<'_>) -> Result<bool, Uncheckable> {
    is_recorded_within(path, asked, TAIL_BYTES_DEFAULT)
}

fn is_recorded_within(
    path: &Path,
    asked: &PromptSought<'_>,
    tail_bytes_max: u64,
) -> Result<bool, Uncheckable> {
    let mut reader = TailReader::open(path, tail_bytes_max).map_err(Uncheckable::Unavailable)?;
    let first_line = reader.read_first_line().map_err(Uncheckable::Unavailable)?;
    let is_own = is_named_for(path, asked.session)
        && SessionMeta::parse(&first_line).is_some_and(|meta| meta.is_of(asked.session));
    if !is_own {
        return Err(Uncheckable::OtherSession);
    }
    let tail = reader.read().map_err(Uncheckable::Unavailable)?;
    let span = Span::around(asked.written_at);
    let seen = Seen::in_span(&tail, asked, span);
    if seen.is_typed()? {
        return Ok(true);
    }
    if let Some(reason) = tail.unclear_lines() {
        return Err(reason);
    }
    if !seen.is_span_read {
        return Err(Uncheckable::BeyondTail);
    }
    Course::follow(&tail, span).map(|()| false)
}

/// Codex names a file for its time and its session.
fn is_named_for(path: &Path, session: &str) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let stem = name.and_then(|name| name.strip_suffix(".jsonl"));
    let rest = stem.and_then(|stem| stem.strip_suffix(session));
    !session.is_empty() && rest.is_some_and(|rest| rest.ends_with('-'))
}

/// A prompt is never empty.
fn is_prompt(asked: &PromptSought<'_>, text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && (asked.is_sought)(text)
}

/// The time in which the host may have written the prompt, by its own clock.
#[derive(Clone, Copy)]
struct Span {
    /// An equal text from before is another prompt.
    since: Timestamp,
    /// A turn that began later is a later one.
    until: Timestamp,
}

impl Span {
    const fn around(written_at: Timestamp) -> Self {
        let millis = written_at.as_millis();
        Self {
            since: Timestamp::from_millis(millis.saturating_sub(CLOCK_TOLERANCE_MILLIS)),
            until: Timestamp::from_millis(millis.saturating_add(CLOCK_TOLERANCE_MILLIS)),
        }
    }
}

/// What the lines since the span's beginning say of the prompt.
#[derive(Default)]
struct Seen {
    is_span_read: bool,
    report: Report,
    /// Lines were copied from another conversation.
    has_copies: bool,
    authors: Vec<Author>,
}

/// How the prompt was reported as sent.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Report {
    #[default]
    None,
    /// In a line without a number, which may be a copy.
    Unnumbered,
    /// In a line with a number, which never is.
    Numbered,
}

impl Seen {
    /// Goes back from the end until lines are older than the span.
    fn in_span(tail: &Tail, asked: &PromptSought<'_>, span: Span) -> Self {
        let mut seen = Self { is_span_read: tail.is_whole(), ..Self::default() };
        for entry in tail.lines().rev().filter_map(Entry::parse) {
            let Some(at) = entry.at else { continue };
            if at < span.since {
                seen.is_span_read = true;
                break;
            }
            seen.take(&entry, asked);
        }
        seen
    }

    fn take(&mut self, entry: &Entry, asked: &PromptSought<'_>) {
        match &entry.what {
            What::Session(meta) => self.has_copies |= !meta.is_of(asked.session),
            What::Message(message) => {
                self.authors.extend(message.author(|text| is_prompt(asked, text)));
            }
            What::Sent(sent) if is_prompt(asked, &sent.text) => {
                let is_here = sent.thread.as_deref().is_none_or(|thread| thread == asked.session);
                let report = match entry.ordinal {
                    _ if !is_here => Report::None,
                    None => Report::Unnumbered,
                    Some(_) => Report::Numbered,
                };
                self.report = self.report.max(report);
            }
            _ => {}
        }
    }

    /// Tells whether the prompt was typed; `Ok(false)` if no line speaks for it.
    fn is_typed(&self) -> Result<bool, Uncheckable> {
        let has = |author| self.authors.contains(&author);
        let is_sent = self.report != Report::None;
        if self.has_copies {
            Err(Uncheckable::Disordered)
        } else if is_sent && has(Author::Other) && !has(Author::User) {
            // What the host marks as not typed outweighs an equal text.
            Err(Uncheckable::NotMarked)
        } else if self.report == Report::Unnumbered && !self.is_span_read {
            Err(Uncheckable::BeyondTail)
        } else if !is_sent && (has(Author::User) || has(Author::Unknown)) {
            Err(Uncheckable::NotMarked)
        } else {
            Ok(is_sent)
        }
    }
}

/// How the conversation went on, from the first line that was read.
struct Course {
    span: Span,
    next_ordinal: Option<u64>,
    latest: Timestamp,
    running: Running,
    has_gone_on: bool,
}

/// The turn at one point of the file.
#[derive(PartialEq, Eq)]
enum Running {
    /// What came before was not read.
    Unknown,
    /// None runs.
    Nothing,
    /// It may be the turn of the prompt.
    Early(Option<String>),
    /// It began after the prompt's time.
    Late { id: Option<String>, has_message: bool },
}

impl Course {
    /// Succeeds if the host provably went on after the span, and lost nothing on the way.
    fn follow(tail: &Tail, span: Span) -> Result<(), Uncheckable> {
        let mut course = Self {
            span,
            next_ordinal: None,
            latest: Timestamp::from_millis(i64::MIN),
            running: if tail.is_whole() { Running::Nothing } else { Running::Unknown },
            has_gone_on: false,
        };
        for line in tail.lines() {
            let entry = Entry::parse(line).ok_or(Uncheckable::UnreadableLines)?;
            let at = entry.at.ok_or(Uncheckable::UnreadableLines)?;
            course.take_place(entry.ordinal, at)?;
            course.take(entry.what, at)?;
        }
        if course.has_gone_on { Ok(()) } else { Err(Uncheckable::NothingLater) }
    }

    /// Refuses a gap, a repetition and a clock that was set back.
    fn take_place(&mut self, ordinal: Option<u64>, at: Timestamp) -> Result<(), Uncheckable> {
        let ordinal = ordinal.ok_or(Uncheckable::Disordered)?;
        let is_next = self.next_ordinal.is_none_or(|next| next == ordinal);
        let back_millis = self.latest.as_millis().saturating_sub(at.as_millis());
        if !is_next || back_millis > CLOCK_TOLERANCE_MILLIS {
            return Err(Uncheckable::Disordered);
        }
        self.next_ordinal = Some(ordinal.checked_add(1).ok_or(Uncheckable::Disordered)?);
        self.latest = self.latest.at_least(at);
        Ok(())
    }

    fn take(&mut self, what: What, at: Timestamp) -> Result<(), Uncheckable> {
        match what {
            What::TurnStarted(turn) => self.start(turn, at),
            What::TurnEnded(turn) => self.end(&turn, at),
            What::RolledBack if at >= self.span.since => Err(Uncheckable::Disordered),
            What::Sent(_) => {
                if let Running::Late { has_message, .. } = &mut self.running {
                    *has_message = true;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A turn that was cut off by a new one may have taken a prompt with it.
    fn start(&mut self, turn: Turn, at: Timestamp) -> Result<(), Uncheckable> {
        let is_cut_off = matches!(self.running, Running::Unknown | Running::Early(_));
        if is_cut_off && at >= self.span.since {
            return Err(Uncheckable::TurnLost);
        }
        self.running = if at > self.span.until {
            Running::Late { id: turn.id, has_message: false }
        } else {
            Running::Early(turn.id)
        };
        Ok(())
    }

    /// So may one that ended without an answer: interrupted, or its prompt refused by another hook.
    fn end(&mut self, turn: &Turn, at: Timestamp) -> Result<(), Uncheckable> {
        let is_answered = turn.answer.is_some();
        let is_lost = match std::mem::replace(&mut self.running, Running::Nothing) {
            Running::Unknown => !is_answered,
            Running::Early(id) => !is_answered || id != turn.id,
            Running::Late { id, has_message } => {
                self.has_gone_on |= is_answered && has_message && id == turn.id;
                false
            }
            Running::Nothing => true,
        };
        if is_lost && at >= self.span.since { Err(Uncheckable::TurnLost) } else { Ok(()) }
    }
}

#[cfg(test)]
#[path = "codex_prompt_damage_tests.rs"]
mod damage_tests;
#[cfg(test)]
#[path = "codex_prompt_tests.rs"]
mod tests;
