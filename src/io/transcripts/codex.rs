//! The rollout file of Codex: one JSON object a line.
//!
//! Read from files that Codex wrote: a `response_item` of type `message` has a role, and beside its
//! content one kind for each part of it: `user.text` for what the user typed,
//! `hooks.additional_context` for what a hook injected. Instructions, skills of the workspace and
//! summaries have other kinds, though their roles are the same. A `compacted` line begins a new
//! window. The form is not documented by the host; what is not understood is uncheckable.

use std::borrow::Cow;
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{TAIL_BYTES_DEFAULT, Tail, TailReader, Unavailable, Uncheckable};
use crate::domain::time::Timestamp;

/// The kind of a part that a hook injected.
const KIND_HOOK: &str = "hooks.additional_context";
/// The kind of a part that the user typed.
const KIND_USER: &str = "user.text";
/// How much earlier than the hook's own time the host may have written a prompt.
const PROMPT_SLACK_MILLIS: i64 = 60_000;

/// How many compactions the part that was read shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compactions {
    /// Compactions seen.
    pub count: u32,
    /// Whether that is all there were: everything was read and understood.
    pub is_complete: bool,
}

/// The end of a rollout file, read once.
#[derive(Debug, Clone)]
pub struct CodexTranscript {
    tail: Result<Tail, Unavailable>,
}

impl CodexTranscript {
    /// Reads the last [`TAIL_BYTES_DEFAULT`] bytes of the file that the host named, if any.
    #[must_use]
    pub fn open(path: Option<&Path>) -> Self {
        Self::open_bounded(path, TAIL_BYTES_DEFAULT)
    }

    /// Reads the last `tail_bytes_max` bytes of the file that the host named, if any.
    #[must_use]
    pub fn open_bounded(path: Option<&Path>, tail_bytes_max: u64) -> Self {
        let tail = path
            .ok_or(Unavailable::Unnamed)
            .and_then(|path| TailReader::open(path, tail_bytes_max))
            .and_then(|mut reader| reader.read());
        Self { tail }
    }

    /// Tells whether `mark` stands in text that Codex marks as injected by a hook, after the newest
    /// compaction.
    ///
    /// The same words in a prompt, a tool's output, instructions or a summary do not count.
    ///
    /// # Errors
    /// [`Uncheckable`] if neither can be said.
    pub fn has_injected(&self, mark: &str) -> Result<bool, Uncheckable> {
        let tail = self.readable()?;
        let mut unclear = unclear_lines(tail);
        let mut is_window_read = tail.is_whole();
        for line in tail.lines().rev() {
            match Entry::parse(line) {
                None => unclear = unclear.or(Some(Uncheckable::UnreadableLines)),
                Some(Entry { what: What::Compaction, .. }) => {
                    is_window_read = true;
                    break;
                }
                Some(Entry { what: What::Message(message), .. }) => {
                    match message.holds_from_hook(mark) {
                        Mark::Injected => return Ok(true),
                        Mark::OfUnknownOrigin => unclear = Some(Uncheckable::NotMarked),
                        Mark::Absent => {}
                    }
                }
                Some(_) => {}
            }
        }
        match unclear {
            Some(reason) => Err(reason),
            None if is_window_read => Ok(false),
            None => Err(Uncheckable::BeyondTail),
        }
    }

    /// Returns the lines that begin with `word` in text that Codex marks as injected by a hook,
    /// newest first, at most `count_max`. Compactions do not matter here.
    #[must_use]
    pub fn injected_lines(&self, word: &str, count_max: usize) -> Vec<String> {
        let Ok(tail) = &self.tail else { return Vec::new() };
        let mut found = Vec::new();
        for line in tail.lines().rev() {
            if let Some(Entry { what: What::Message(message), .. }) = Entry::parse(line) {
                found.extend(message.lines_from_hook(word));
            }
            if found.len() >= count_max {
                break;
            }
        }
        found.truncate(count_max);
        found
    }

    /// Tells whether a prompt that a hook reported at `reported_at` stands in the transcript.
    ///
    /// `is_it` tells the prompt by its text without white space around it. It stands there if the
    /// user typed it not more than a minute before. It does not if a turn was completed since, all lines from then on are readable, and
    /// the prompt is not among them.
    ///
    /// # Errors
    /// [`Uncheckable`] if neither can be said.
    pub fn has_prompt(
        &self,
        is_it: &dyn Fn(&str) -> bool,
        reported_at: Timestamp,
    ) -> Result<bool, Uncheckable> {
        let tail = self.readable()?;
        let since = reported_at.as_millis().saturating_sub(PROMPT_SLACK_MILLIS);
        let mut unclear = unclear_lines(tail);
        let mut is_span_read = tail.is_whole();
        let mut is_turn_completed = false;
        for line in tail.lines().rev() {
            let Some((entry, at)) =
                Entry::parse(line).and_then(|entry| Some((entry.what, entry.at?)))
            else {
                unclear = unclear.or(Some(Uncheckable::UnreadableLines));
                continue;
            };
            if at.as_millis() < since {
                is_span_read = true;
                break;
            }
            match entry {
                What::Message(message) if message.is_typed(is_it) => return Ok(true),
                What::TurnCompleted if at > reported_at => is_turn_completed = true,
                _ => {}
            }
        }
        match unclear {
            Some(reason) => Err(reason),
            None if !is_turn_completed => Err(Uncheckable::NothingLater),
            None if !is_span_read => Err(Uncheckable::BeyondTail),
            None => Ok(false),
        }
    }

    /// Counts the compactions in the part that was read.
    ///
    /// # Errors
    /// [`Unavailable`] if there is nothing to read.
    pub fn compactions_seen(&self) -> Result<Compactions, Unavailable> {
        let tail = self.tail.as_ref().map_err(|reason| *reason)?;
        let mut seen =
            Compactions { count: 0, is_complete: tail.is_whole() && unclear_lines(tail).is_none() };
        for line in tail.lines() {
            match Entry::parse(line) {
                Some(Entry { what: What::Compaction, .. }) => {
                    seen.count = seen.count.saturating_add(1);
                }
                Some(_) => {}
                None => seen.is_complete = false,
            }
        }
        Ok(seen)
    }

    fn readable(&self) -> Result<&Tail, Uncheckable> {
        self.tail.as_ref().map_err(|reason| Uncheckable::Unavailable(*reason))
    }
}

/// Lines that were not even given out may hold anything.
fn unclear_lines(tail: &Tail) -> Option<Uncheckable> {
    (tail.has_open_end() || tail.skipped_line_count() > 0).then_some(Uncheckable::UnreadableLines)
}

/// One line, as far as it matters here.
struct Entry {
    at: Option<Timestamp>,
    what: What,
}

enum What {
    Compaction,
    TurnCompleted,
    Message(Message),
    Other,
}

impl Entry {
    /// Returns `None` for a line that is not what Codex writes.
    fn parse(line: &[u8]) -> Option<Self> {
        let line: RawLine<'_> = serde_json::from_slice(line).ok()?;
        let at = line.timestamp.as_deref().and_then(|text| text.parse::<jiff::Timestamp>().ok());
        let what = match line.kind.as_ref() {
            "compacted" => What::Compaction,
            "event_msg" if Typed::is(line.payload?, "task_complete")? => What::TurnCompleted,
            "response_item" if Typed::is(line.payload?, "message")? => {
                What::Message(serde_json::from_str(line.payload?.get()).ok()?)
            }
            _ => What::Other,
        };
        Some(Self { at: at.map(|at| Timestamp::from_millis(at.as_millisecond())), what })
    }
}

#[derive(Deserialize)]
struct RawLine<'a> {
    timestamp: Option<String>,
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Typed<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
}

impl Typed<'_> {
    fn is(payload: &RawValue, kind: &str) -> Option<bool> {
        let typed: Typed<'_> = serde_json::from_str(payload.get()).ok()?;
        Some(typed.kind == kind)
    }
}

#[derive(Deserialize)]
struct Message {
    role: String,
    content: Vec<Part>,
    #[serde(rename = "internal_chat_message_metadata_passthrough", default)]
    origin: Origin,
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    text: String,
}

/// Where the parts of a message came from, one kind for each; empty in older versions.
#[derive(Default, Deserialize)]
struct Origin {
    #[serde(rename = "content_item_kinds", default)]
    kinds: Vec<String>,
}

/// What a message has to do with a mark.
enum Mark {
    Injected,
    OfUnknownOrigin,
    Absent,
}

impl Message {
    /// Returns each part's text with its kind, `None` where the host names none.
    fn parts(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let kinds = self.origin.kinds.iter().map(|kind| Some(kind.as_str()));
        self.content.iter().map(|part| part.text.as_str()).zip(kinds.chain(std::iter::repeat(None)))
    }

    fn holds_from_hook(&self, mark: &str) -> Mark {
        if self.role != "developer" || mark.is_empty() {
            return Mark::Absent;
        }
        let kinds: Vec<Option<&str>> =
            self.parts().filter(|(text, _)| text.contains(mark)).map(|(_, kind)| kind).collect();
        if kinds.contains(&Some(KIND_HOOK)) {
            Mark::Injected
        } else if kinds.contains(&None) {
            Mark::OfUnknownOrigin
        } else {
            Mark::Absent
        }
    }

    fn lines_from_hook(&self, word: &str) -> Vec<String> {
        if self.role != "developer" {
            return Vec::new();
        }
        let injected = self.parts().filter(|(_, kind)| *kind == Some(KIND_HOOK));
        let lines = injected.flat_map(|(text, _)| text.lines());
        lines.filter(|line| line.starts_with(word)).map(str::to_owned).collect()
    }

    /// A version that names no kinds is believed by the role alone.
    fn is_typed(&self, is_it: &dyn Fn(&str) -> bool) -> bool {
        self.role == "user"
            && self
                .parts()
                .any(|(text, kind)| kind.is_none_or(|kind| kind == KIND_USER) && is_it(text.trim()))
    }
}

#[cfg(test)]
#[path = "codex_tests.rs"]
mod tests;
