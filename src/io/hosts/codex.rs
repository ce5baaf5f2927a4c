//! `OpenAI` Codex: its row in the table, its payloads and its answers.
//!
//! Facts verified by running version 0.171.0. A sub-agent shares its parent's session id; the
//! presence of `agent_id` is the only mark, so a mark of any type counts.

use serde::Deserialize;

use super::payload::{self, PayloadError, RawField};
use super::reply::{self, ReplyError};
use super::{
    CompletionEvidence, ContextLifetime, EventSpec, Guarantee, HookFile, HostSpec, ReplyForm,
};
use crate::domain::host_event::{
    AgentRef, EventRole, Host, HostEvent, HostEventKind, HostReply, StartSource, Trigger,
};
use crate::domain::text::UntrustedText;

/// The row of Codex.
///
/// Codex writes injected text above 2,500 tokens, estimated as bytes / 4, to a file in the
/// temporary folder; the bound stays a fifth below that. The order of events is the order of the
/// hook file, which is part of the keys under which Codex stores trust: new ones go last.
pub static CODEX: HostSpec = HostSpec {
    host: Host::Codex,
    title: "Codex",
    verified_version: "0.171.0",
    events: EVENTS,
    completion: CompletionEvidence::PostCompact,
    context_lifetime: ContextLifetime::UntilCompaction,
    context_bytes_max: 8_000,
    hook_file: HookFile {
        folder_variable: "CODEX_HOME",
        folder_default: ".codex",
        file: "hooks.json",
        other_keys: Some(&["description"]),
    },
    guarantee: Guarantee::Full,
    missing: &[
        "hooks run only after the user has trusted them, and a skipped hook is not reported",
        "a sub-agent whose context is compacted gets no session start, so nothing is offered to it",
        "prompts that a parent sends to its sub-agents by the newer agent tools are not reported",
        "the end of a session is not reported on clear, nor when the process is killed",
        "a new conversation after clear or fork does not name the one before",
    ],
    parse,
    render,
};

const EVENTS: &[EventSpec] = &[
    event("SessionStart", EventRole::SessionStart, ReplyForm::ContextAndNotice, Some(5)),
    event("UserPromptSubmit", EventRole::Prompt, ReplyForm::ContextAndNotice, Some(5)),
    event("PreCompact", EventRole::PreCompact, ReplyForm::Silent, Some(5)),
    event("PostCompact", EventRole::PostCompact, ReplyForm::Silent, Some(5)),
    event("Stop", EventRole::Stop, ReplyForm::Notice, Some(5)),
    event("SubagentStart", EventRole::SubagentStart, ReplyForm::ContextAndNotice, Some(5)),
    event("SubagentStop", EventRole::SubagentStop, ReplyForm::Notice, Some(5)),
    event("SessionEnd", EventRole::SessionEnd, ReplyForm::Silent, Some(3)),
    event("Interrupt", EventRole::Interrupt, ReplyForm::Notice, None),
];

const fn event(
    wire: &'static str,
    role: EventRole,
    reply: ReplyForm,
    timeout_seconds: Option<u32>,
) -> EventSpec {
    EventSpec { wire, role, reply, timeout_seconds }
}

#[derive(Deserialize)]
struct Payload<'a> {
    #[serde(borrow)]
    hook_event_name: RawField<'a>,
    #[serde(borrow)]
    session_id: RawField<'a>,
    #[serde(borrow)]
    turn_id: RawField<'a>,
    #[serde(borrow)]
    agent_id: RawField<'a>,
    #[serde(borrow)]
    cwd: RawField<'a>,
    #[serde(borrow)]
    transcript_path: RawField<'a>,
    #[serde(borrow)]
    model: RawField<'a>,
    #[serde(borrow)]
    prompt: RawField<'a>,
    #[serde(borrow)]
    source: RawField<'a>,
    #[serde(borrow)]
    trigger: RawField<'a>,
    #[serde(borrow)]
    stop_hook_active: RawField<'a>,
}

/// Reads one payload of a Codex hook.
///
/// # Errors
/// [`PayloadError`], if the event, the session or a prompt's text cannot be known.
fn parse(bytes: &[u8]) -> Result<HostEvent, PayloadError> {
    let text = payload::readable(bytes)?;
    let fields: Payload<'_> = payload::fields(&text)?;
    let name = payload::needed_text(fields.hook_event_name, "hook_event_name")?;
    let kind = match CODEX.event_named(&name).map(|event| event.role) {
        None => HostEventKind::Ignored,
        Some(role) => kind_of(role, &fields)?,
    };
    let is_of_agent = fields.agent_id.is_some()
        || matches!(kind, HostEventKind::SubagentStart | HostEventKind::SubagentStop);
    Ok(HostEvent {
        host: Host::Codex,
        session: payload::needed_id(fields.session_id, "session_id")?,
        turn: payload::id_of(fields.turn_id),
        agent: is_of_agent.then(|| AgentRef { id: payload::id_of(fields.agent_id) }),
        cwd: payload::path_of(fields.cwd),
        transcript: payload::path_of(fields.transcript_path),
        model: payload::model_of(fields.model),
        kind,
    })
}

fn kind_of(role: EventRole, fields: &Payload<'_>) -> Result<HostEventKind, PayloadError> {
    Ok(match role {
        EventRole::Prompt => HostEventKind::Prompt {
            text: UntrustedText::new(payload::needed_text(fields.prompt, "prompt")?),
        },
        EventRole::SessionStart => HostEventKind::SessionStart { source: source_of(fields.source) },
        EventRole::PreCompact => HostEventKind::PreCompact { trigger: trigger_of(fields.trigger) },
        EventRole::PostCompact => {
            HostEventKind::PostCompact { trigger: trigger_of(fields.trigger) }
        }
        EventRole::Stop => {
            HostEventKind::Stop { is_continued_by_hook: payload::is_true(fields.stop_hook_active) }
        }
        EventRole::SubagentStart => HostEventKind::SubagentStart,
        EventRole::SubagentStop => HostEventKind::SubagentStop,
        EventRole::SessionEnd => HostEventKind::SessionEnd,
        EventRole::Interrupt => HostEventKind::Interrupt,
    })
}

fn source_of(field: RawField<'_>) -> StartSource {
    match payload::text_of(field).as_deref() {
        Some("startup") => StartSource::Startup,
        Some("resume") => StartSource::Resume,
        Some("clear") => StartSource::Clear,
        Some("compact") => StartSource::Compact,
        Some("fork") => StartSource::Fork,
        _ => StartSource::Other,
    }
}

fn trigger_of(field: RawField<'_>) -> Trigger {
    match payload::text_of(field).as_deref() {
        Some("manual") => Trigger::Manual,
        Some("auto") => Trigger::Auto,
        _ => Trigger::Other,
    }
}

/// Writes the answer of a Codex hook.
///
/// # Errors
/// [`ReplyError`].
fn render(kind: &HostEventKind, reply: &HostReply) -> Result<Vec<u8>, ReplyError> {
    reply::render(&CODEX, kind, reply)
}

#[cfg(test)]
mod reply_tests;
#[cfg(test)]
mod tests;
