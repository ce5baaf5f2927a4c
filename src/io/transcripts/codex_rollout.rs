//! Rollout files in the form that Codex writes, made line by line, and what is asked of them.
#![expect(clippy::disallowed_methods, reason = "the tests play the host, which writes as it likes")]

use std::path::PathBuf;

use serde_json::{Value, json};

use super::Uncheckable;
use super::codex_prompt::is_recorded;
use crate::domain::ports::PromptSought;
use crate::domain::time::Timestamp;

/// The session of every file that is made here.
pub const SESSION: &str = "00000000-0000-7000-8000-0000000000aa";
/// The prompt that is sought.
pub const PROMPT: &str = "confirm 7QK4";
/// When the hook reported it, in seconds.
pub const REPORTED: i64 = 600;
/// Well behind the tolerance, in seconds.
pub const LATER: i64 = 900;

const START_MILLIS: i64 = 1_796_000_000_000;

/// A time in seconds from the start of the conversation.
pub fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_millis(START_MILLIS + seconds * 1_000)
}

/// A file in the making.
#[derive(Clone)]
pub struct Rollout {
    pub lines: Vec<String>,
    turn_count: u32,
}

impl Rollout {
    /// A conversation with one finished turn in its first seconds.
    pub fn new() -> Self {
        let new = Self { lines: Vec::new(), turn_count: 0 };
        let meta = json!({"session_id": SESSION, "id": SESSION, "cwd": "/srv/project",
            "source": "cli", "history_mode": "paginated"});
        new.line(0, "session_meta", &meta).turn(1, "fix the parser")
    }

    pub fn line(mut self, at: i64, kind: &str, payload: &Value) -> Self {
        let stamp = jiff::Timestamp::from_millisecond(moment(at).as_millis()).unwrap();
        let line = json!({"timestamp": format!("{stamp:.3}"), "ordinal": self.lines.len(),
            "type": kind, "payload": payload});
        self.lines.push(line.to_string());
        self
    }

    pub fn raw(mut self, line: &str) -> Self {
        self.lines.push(line.to_owned());
        self
    }

    pub fn started(mut self, at: i64) -> Self {
        self.turn_count += 1;
        let turn = self.turn_name();
        self.line(at, "event_msg", &json!({"type": "task_started", "turn_id": turn}))
    }

    pub fn ended(self, at: i64, answer: Option<&str>) -> Self {
        let payload = json!({"type": "task_complete", "turn_id": self.turn_name(),
            "last_agent_message": answer, "duration_ms": 5});
        self.line(at, "event_msg", &payload)
    }

    pub fn aborted(self, at: i64) -> Self {
        let payload = json!({"type": "turn_aborted", "turn_id": self.turn_name(),
            "reason": "interrupted"});
        self.line(at, "event_msg", &payload)
    }

    /// A message to or from the model of one part, and where that part came from.
    pub fn message(self, at: i64, role: &str, text: &str, kinds: &[&str]) -> Self {
        let payload = json!({"type": "message", "role": role,
            "content": [{"type": "input_text", "text": text}],
            "internal_chat_message_metadata_passthrough": {"content_item_kinds": kinds}});
        self.line(at, "response_item", &payload)
    }

    /// The report that the user sent these parts.
    pub fn sent(self, at: i64, thread: &str, content: &Value) -> Self {
        let item = json!({"type": "UserMessage", "id": "u", "content": content});
        let payload = json!({"type": "item_completed", "thread_id": thread, "item": item});
        self.line(at, "event_msg", &payload)
    }

    /// Both lines that Codex writes of what the user typed.
    pub fn typed(self, at: i64, text: &str) -> Self {
        let part = json!([{"type": "text", "text": text, "text_elements": []}]);
        self.message(at, "user", text, &["user.text"]).sent(at, SESSION, &part)
    }

    pub fn answer(self, at: i64, text: &str) -> Self {
        self.message(at, "assistant", text, &["unknown"])
    }

    /// A whole turn.
    pub fn turn(self, at: i64, prompt: &str) -> Self {
        self.started(at).typed(at, prompt).answer(at, "done").ended(at, Some("done"))
    }

    pub fn later_turn(self) -> Self {
        self.turn(LATER, "go on")
    }

    pub fn text(&self) -> String {
        self.lines.join("\n") + "\n"
    }

    fn turn_name(&self) -> String {
        format!("turn-{}", self.turn_count)
    }
}

/// A file on the disk, named as Codex names it.
pub struct Saved {
    folder: tempfile::TempDir,
}

impl Saved {
    pub fn new(content: &[u8]) -> Self {
        let saved = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::write(saved.path(), content).unwrap();
        saved
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join(format!("rollout-2026-11-30T00-53-20-{SESSION}.jsonl"))
    }
}

pub fn asked(seconds: i64) -> PromptSought<'static> {
    PromptSought {
        is_sought: &|text| text == PROMPT,
        written_at: moment(seconds),
        session: SESSION,
    }
}

/// What a file with this content says of the prompt that was reported at that second.
pub fn recorded_at(content: &[u8], seconds: i64) -> Result<bool, Uncheckable> {
    is_recorded(&Saved::new(content).path(), &asked(seconds))
}

/// What this file says of the prompt that was reported at [`REPORTED`].
#[track_caller]
pub fn check(rollout: &Rollout, expect: Result<bool, Uncheckable>) {
    assert_eq!(recorded_at(rollout.text().as_bytes(), REPORTED), expect);
}
