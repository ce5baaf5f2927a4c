//! What the host and the user send in a step of the script.

use context_continuity::domain::confirmation::Code;
use context_continuity::domain::host_event::{
    AgentRef, Host, HostEvent, HostEventKind, HostId, HostPath, ModelName, Trigger,
};
use context_continuity::domain::ids::Digest;
use context_continuity::domain::task::transition::Arrival;
use context_continuity::domain::text::UntrustedText;

use super::script::{Do, Step, Which};

pub const HOST: Host = Host::Codex;

pub fn proposal_code(number: u32) -> Code {
    Code::from_digest(&proposal_digest(number))
}

pub fn proposal_digest(number: u32) -> Digest {
    Digest::new([u8::try_from(number).unwrap(); 32])
}

/// Returns what the host reports in this step; `None` for what is no host event.
pub fn host_event(session: &str, act: &Do, number: usize) -> Option<HostEvent> {
    let kind = match act {
        Do::Prompt(text) | Do::PromptTo(text, _) => {
            HostEventKind::Prompt { text: UntrustedText::new(*text) }
        }
        Do::Answer(verb, proposal) => {
            let words = format!("{} {}", verb.word(), proposal_code(*proposal));
            HostEventKind::Prompt { text: UntrustedText::new(words) }
        }
        Do::Start(source) => HostEventKind::SessionStart { source: *source },
        Do::PreCompact => HostEventKind::PreCompact { trigger: Trigger::Auto },
        Do::PostCompact => HostEventKind::PostCompact { trigger: Trigger::Auto },
        Do::ChildStart => HostEventKind::SubagentStart,
        Do::ChildStop => HostEventKind::SubagentStop,
        Do::Stop => HostEventKind::Stop { is_continued_by_hook: false },
        Do::End => HostEventKind::SessionEnd,
        _ => return None,
    };
    let is_child = matches!(act, Do::ChildStart | Do::ChildStop);
    let model = match act {
        Do::PromptTo(_, model) => Some(ModelName::new(*model).unwrap()),
        _ => None,
    };
    Some(HostEvent {
        host: HOST,
        session: HostId::new(session).unwrap(),
        turn: Some(HostId::new(format!("turn-{number}")).unwrap()),
        agent: is_child.then(|| AgentRef { id: Some(HostId::new("child").unwrap()) }),
        cwd: Some(HostPath::new("/srv/app").unwrap()),
        transcript: Some(HostPath::new("/srv/transcript").unwrap()),
        model,
        kind,
    })
}

/// A prompt that carries words, after everything else.
pub fn last_prompt() -> Step {
    Step {
        act: Do::Prompt("Never delete the golden files."),
        on: Which::First,
        session: "three",
        commit: 3,
        arrival: Arrival::Found,
        is_same_process: false,
    }
}
