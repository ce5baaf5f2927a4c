//! Payloads of a host, built from the recorded ones.

use serde_json::{Map, Value};

/// One payload before it is sent.
#[derive(Debug, Clone)]
pub struct Event {
    fields: Map<String, Value>,
}

impl Event {
    /// Reads a recorded payload of Codex by its name.
    pub fn recorded(name: &str) -> Self {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/codex/payloads");
        let text = std::fs::read_to_string(format!("{folder}/{name}.json")).expect(name);
        match serde_json::from_str(&text).expect(name) {
            Value::Object(fields) => Self { fields },
            other => panic!("{name} holds {other}"),
        }
    }

    pub fn prompt(turn: &str, text: &str) -> Self {
        Self::recorded("user-prompt-submit").with("turn_id", turn).with("prompt", text)
    }

    pub fn start(source: &str) -> Self {
        Self::recorded("session-start-startup").with("source", source)
    }

    pub fn pre_compact(trigger: &str) -> Self {
        Self::recorded("pre-compact-manual").with("trigger", trigger)
    }

    pub fn post_compact(trigger: &str) -> Self {
        Self::recorded("post-compact-manual").with("trigger", trigger)
    }

    pub fn stop() -> Self {
        Self::recorded("stop")
    }

    /// The end of a turn whose last message is given.
    pub fn stop_saying(words: &str) -> Self {
        Self::stop().with("last_assistant_message", words)
    }

    pub fn end() -> Self {
        Self::recorded("session-end")
    }

    pub fn child_start(agent: &str) -> Self {
        Self::recorded("subagent-start").with("agent_id", agent)
    }

    pub fn child_stop(agent: &str) -> Self {
        Self::recorded("subagent-stop").with("agent_id", agent)
    }

    /// Puts a value in a field's place.
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(field.to_owned(), value.into());
        self
    }

    pub fn without(mut self, field: &str) -> Self {
        self.fields.remove(field);
        self
    }

    pub fn of_session(self, session: &str) -> Self {
        self.with("session_id", session)
    }

    /// As if a sub-agent had caused it.
    pub fn of_agent(self, agent: &str) -> Self {
        self.with("agent_id", agent).with("agent_type", "explorer")
    }

    pub fn in_folder(self, folder: &std::path::Path) -> Self {
        self.with("cwd", folder.to_str().expect("a folder in Unicode"))
    }

    pub fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(&self.fields).expect("JSON")
    }

    /// The value of a field that holds text.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.fields.get(field).and_then(Value::as_str)
    }
}
