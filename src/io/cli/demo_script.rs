//! What is played: events as Codex sent them, with the demo's own prompts and paths.

use serde_json::Value;

use super::demo_place::Place;
use super::failure::{Failure, Kind};

const PROMPT: &str = include_str!("../../../tests/fixtures/codex/payloads/user-prompt-submit.json");
const PRE_MANUAL: &str =
    include_str!("../../../tests/fixtures/codex/payloads/pre-compact-manual.json");
const POST_MANUAL: &str =
    include_str!("../../../tests/fixtures/codex/payloads/post-compact-manual.json");
const PRE_AUTO: &str = include_str!("../../../tests/fixtures/codex/payloads/pre-compact-auto.json");
const POST_AUTO: &str =
    include_str!("../../../tests/fixtures/codex/payloads/post-compact-auto.json");
const START_COMPACT: &str =
    include_str!("../../../tests/fixtures/codex/payloads/session-start-compact.json");

/// One step: what a person sees of it, and the events behind it.
pub(super) struct Scene {
    /// What happens.
    pub title: &'static str,
    /// What the user writes.
    pub prompt: Option<&'static str>,
    /// Name of a commit that the agent makes first.
    pub commit: Option<&'static str>,
    payloads: &'static [&'static str],
}

/// The steps, in order.
pub(super) const SCENES: &[Scene] = &[
    Scene {
        title: "An ordinary prompt",
        prompt: Some("Please look at why the upload test fails."),
        commit: None,
        payloads: &[PROMPT],
    },
    Scene {
        title: "A constraint and a value, in plain words",
        prompt: Some("Never push to main. The upload timeout must be 30 seconds."),
        commit: None,
        payloads: &[PROMPT],
    },
    Scene {
        title: "An ordinary question",
        prompt: Some("Which file holds the retry loop?"),
        commit: None,
        payloads: &[PROMPT],
    },
    Scene {
        title: "The value is changed",
        prompt: Some("Actually, the upload timeout must be 45 seconds, not 30."),
        commit: None,
        payloads: &[PROMPT],
    },
    Scene {
        title: "You type /compact: the conversation becomes a summary",
        prompt: None,
        commit: None,
        payloads: &[PRE_MANUAL, POST_MANUAL, START_COMPACT],
    },
    Scene {
        title: "The work goes on",
        prompt: Some("Please go on with the upload test."),
        commit: None,
        payloads: &[PROMPT],
    },
    Scene {
        title: "The agent commits; then the context is full and Codex compacts by itself",
        prompt: None,
        commit: Some("b07e4d18c6a2953f70d1e8427c5b9af6034d8e21"),
        payloads: &[PRE_AUTO, POST_AUTO, START_COMPACT],
    },
];

impl Scene {
    /// Returns the payloads of the step as bytes for the hook; `turn` tells the steps apart.
    pub(super) fn payloads(&self, place: &Place, turn: usize) -> Result<Vec<Vec<u8>>, Failure> {
        self.payloads.iter().map(|recorded| self.payload(recorded, place, turn)).collect()
    }

    fn payload(&self, recorded: &str, place: &Place, turn: usize) -> Result<Vec<u8>, Failure> {
        let broken = |error| Failure::of(Kind::Internal, &error);
        let mut payload: Value = serde_json::from_str(recorded).map_err(broken)?;
        let project = place.project().to_string_lossy().into_owned();
        let transcript = place.path().join("transcript.jsonl").to_string_lossy().into_owned();
        let mut put = |key: &str, value: String| {
            if let Some(field) = payload.get_mut(key) {
                *field = Value::String(value);
            }
        };
        put("cwd", project);
        put("transcript_path", transcript);
        put("turn_id", format!("turn-{turn}"));
        if let Some(prompt) = self.prompt {
            put("prompt", prompt.to_owned());
        }
        serde_json::to_vec(&payload).map_err(broken)
    }
}
