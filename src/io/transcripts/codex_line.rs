//! A line of Codex's rollout file: one JSON object.
//!
//! Read from files that Codex wrote. A `response_item` of type `message` has a role, and beside its
//! content one kind for each part of it: `user.text` for what the user typed,
//! `hooks.additional_context` for what a hook injected. Instructions, notices and summaries have
//! other kinds, though their roles are the same. What the user sends is reported once more, as it
//! was sent: by `item_completed` with a `UserMessage`, in the older history mode by `user_message`.
//! A `compacted` line begins a new window. The form is not documented by the host; what is not
//! understood is uncheckable.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::domain::time::Timestamp;

/// The kind of a part that a hook injected.
const KIND_HOOK: &str = "hooks.additional_context";
/// The kind of a part that the user typed.
const KIND_USER: &str = "user.text";
/// The kind of a part whose origin Codex itself does not know.
const KIND_UNKNOWN: &str = "unknown";

/// One line, as far as it matters here.
pub struct Entry {
    /// When it was written, if it says so.
    pub at: Option<Timestamp>,
    /// Its number; each line has the next one. The older history mode has none.
    pub ordinal: Option<u64>,
    /// What it says.
    pub what: What,
}

/// What a line says.
pub enum What {
    /// Which conversation the lines after it belong to.
    Session(SessionMeta),
    /// A new window begins.
    Compaction,
    /// Earlier turns were taken back.
    RolledBack,
    /// A turn began.
    TurnStarted(Turn),
    /// A turn ended.
    TurnEnded(Turn),
    /// A message to or from the model.
    Message(Message),
    /// What the user sent.
    Sent(Sent),
    /// Anything else.
    Other,
}

impl Entry {
    /// Returns `None` for a line that is not what Codex writes.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let line: RawLine<'_> = serde_json::from_slice(line).ok()?;
        let at = line.timestamp.as_deref().and_then(|text| text.parse::<jiff::Timestamp>().ok());
        let what = match line.kind.as_ref() {
            "compacted" => What::Compaction,
            "session_meta" => What::Session(read(line.payload?)?),
            "event_msg" => What::of_event(line.payload?)?,
            "response_item" if kind_of(line.payload?)? == "message" => {
                What::Message(read(line.payload?)?)
            }
            _ => What::Other,
        };
        let at = at.map(|at| Timestamp::from_millis(at.as_millisecond()));
        Some(Self { at, ordinal: line.ordinal, what })
    }
}

impl What {
    fn of_event(payload: &RawValue) -> Option<Self> {
        Some(match kind_of(payload)?.as_ref() {
            "thread_rolled_back" => Self::RolledBack,
            "task_started" => Self::TurnStarted(read(payload)?),
            "task_complete" => Self::TurnEnded(read(payload)?),
            // Whatever it may say beside that: it has no answer.
            "turn_aborted" => Self::TurnEnded(Turn { answer: None, ..read(payload)? }),
            "item_completed" => {
                let completed: ItemCompleted<'_> = read(payload)?;
                if kind_of(completed.item)? != "UserMessage" {
                    return Some(Self::Other);
                }
                let sent: UserItem = read(completed.item)?;
                let typed = sent.content.iter().filter(|part| part.kind == "text");
                let text = typed.map(|part| part.text.as_str()).collect();
                Self::Sent(Sent { thread: completed.thread_id, text })
            }
            "user_message" => {
                let message: UserMessage = read(payload)?;
                Self::Sent(Sent { thread: None, text: message.message })
            }
            _ => Self::Other,
        })
    }
}

fn read<'a, T: Deserialize<'a>>(json: &'a RawValue) -> Option<T> {
    serde_json::from_str(json.get()).ok()
}

fn kind_of(payload: &RawValue) -> Option<Cow<'_, str>> {
    read::<Typed<'_>>(payload).map(|typed| typed.kind)
}

#[derive(Deserialize)]
struct RawLine<'a> {
    timestamp: Option<String>,
    ordinal: Option<u64>,
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

/// Which conversation a file belongs to. A sub-agent's file names the root's session beside its own
/// id.
#[derive(Deserialize)]
pub struct SessionMeta {
    id: String,
    session_id: Option<String>,
    /// The conversation that this one was copied from.
    pub forked_from_id: Option<String>,
}

impl SessionMeta {
    /// Returns `None` for any other line.
    pub fn parse(line: &[u8]) -> Option<Self> {
        match Entry::parse(line)?.what {
            What::Session(meta) => Some(meta),
            _ => None,
        }
    }

    /// Tells whether these are the words of `session` itself.
    pub fn is_of(&self, session: &str) -> bool {
        self.id == session && self.session_id.as_deref().is_none_or(|root| root == session)
    }
}

/// A turn, where it begins or ends.
#[derive(Deserialize)]
pub struct Turn {
    /// Its name.
    #[serde(rename = "turn_id")]
    pub id: Option<String>,
    /// What the agent said last, where it ended with that.
    #[serde(rename = "last_agent_message")]
    pub answer: Option<String>,
}

#[derive(Deserialize)]
struct ItemCompleted<'a> {
    thread_id: Option<String>,
    #[serde(borrow)]
    item: &'a RawValue,
}

#[derive(Deserialize)]
struct UserItem {
    content: Vec<Part>,
}

#[derive(Deserialize)]
struct UserMessage {
    message: String,
}

/// What the user sent, without images and the like: the same text that a prompt's hook is given.
pub struct Sent {
    /// The conversation, where the line names it.
    pub thread: Option<String>,
    /// The text.
    pub text: String,
}

/// A message to or from the model.
#[derive(Deserialize)]
pub struct Message {
    role: String,
    content: Vec<Part>,
    #[serde(rename = "internal_chat_message_metadata_passthrough", default)]
    origin: Origin,
}

#[derive(Deserialize)]
struct Part {
    #[serde(rename = "type", default)]
    kind: String,
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
pub enum Mark {
    /// A hook gave it.
    Injected,
    /// It is there, but nothing says whence.
    OfUnknownOrigin,
    /// It is not there, or not from a hook.
    Absent,
}

/// Whose words a message to the model holds, if they are the ones that are sought.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// The message is what the user typed.
    User,
    /// The host says that a part of it is something else than typed.
    Other,
    /// A part of it equals them, and the host does not say whence it came.
    Unknown,
}

impl Message {
    /// Returns each part's text with its kind, `None` where the host names none.
    fn parts(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let kinds = self.origin.kinds.iter().map(|kind| Some(kind.as_str()));
        self.content.iter().map(|part| part.text.as_str()).zip(kinds.chain(std::iter::repeat(None)))
    }

    /// Tells whether a hook gave a text with this mark.
    pub fn holds_from_hook(&self, mark: &str) -> Mark {
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

    /// Returns the lines that begin with `word` in what hooks gave.
    pub fn lines_from_hook(&self, word: &str) -> Vec<String> {
        if self.role != "developer" {
            return Vec::new();
        }
        let injected = self.parts().filter(|(_, kind)| *kind == Some(KIND_HOOK));
        let lines = injected.flat_map(|(text, _)| text.lines());
        lines.filter(|line| line.starts_with(word)).map(str::to_owned).collect()
    }

    /// Tells whose words these are; `None` if they are not the ones that are sought.
    pub fn author(&self, is_sought: impl Fn(&str) -> bool) -> Option<Author> {
        if self.role != "user" {
            return None;
        }
        let typed: String = self
            .parts()
            .filter(|(_, kind)| *kind == Some(KIND_USER))
            .map(|(text, _)| text)
            .collect();
        if is_sought(&typed) {
            return Some(Author::User);
        }
        let mut kinds = self.parts().filter(|(text, _)| is_sought(text)).map(|part| part.1);
        kinds.next().map(|kind| match kind {
            None | Some(KIND_USER | KIND_UNKNOWN) => Author::Unknown,
            Some(_) => Author::Other,
        })
    }
}
