//! Agent hosts: how each one speaks, as a table.
//!
//! A row of [`HOSTS`] says which events a host reports, what it accepts as an answer, what proves
//! that a compaction happened, and what the host cannot do. Code elsewhere reads rows, it does not
//! ask which host it is. Nothing here decides what to record or to say.

mod codex;
pub mod install;
mod payload;
mod reply;
mod scan;
mod stdin;

use crate::domain::host_event::{EventRole, Host, HostEvent, HostEventKind, HostReply};

pub use codex::CODEX;
pub use payload::PayloadError;
pub use reply::ReplyError;
pub use scan::{PAYLOAD_BYTES_MAX, PAYLOAD_DEPTH_MAX};
pub use stdin::read_payload;

/// Every host that has a row, in the order in which they are listed to people.
pub static HOSTS: &[&HostSpec] = &[&CODEX];

/// What one host is like. Every field is a verified fact of the named version.
#[derive(Debug)]
pub struct HostSpec {
    /// The host.
    pub host: Host,
    /// Its name as people write it.
    pub title: &'static str,
    /// The version at which the row was verified.
    pub verified_version: &'static str,
    /// The events we know, in the order of the hook file; see [`EventSpec`].
    pub events: &'static [EventSpec],
    /// What proves that a compaction happened.
    pub completion: CompletionEvidence,
    /// How long injected text stays with the agent.
    pub context_lifetime: ContextLifetime,
    /// Bytes of injected text at most; more would be cut, or written to a file, by the host.
    pub context_bytes_max: usize,
    /// Where hooks are registered.
    pub hook_file: HookFile,
    /// What we may promise on this host.
    pub guarantee: Guarantee,
    /// What the host does not do, in words for people.
    pub missing: &'static [&'static str],
    /// Reads one payload.
    pub parse: fn(&[u8]) -> Result<HostEvent, PayloadError>,
    /// Writes one answer.
    pub render: fn(&HostEventKind, &HostReply) -> Result<Vec<u8>, ReplyError>,
}

/// One event of a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventSpec {
    /// The host's name for it.
    pub wire: &'static str,
    /// What it is in our words.
    pub role: EventRole,
    /// What the host accepts as an answer.
    pub reply: ReplyForm,
    /// Seconds after which the host kills the hook; `None` if we do not register for the event.
    pub timeout_seconds: Option<u32>,
}

/// What a host accepts as an answer to an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReplyForm {
    /// Nothing may be printed.
    Silent,
    /// A line for the user only.
    Notice,
    /// Text for the agent, and a line for the user.
    ContextAndNotice,
}

/// What proves that a compaction happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompletionEvidence {
    /// The event after the compaction.
    PostCompact,
    /// The session start with source `compact`.
    SessionStartCompact,
    /// Nothing: the outcome stays unknown.
    Nothing,
}

/// How long injected text stays with the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContextLifetime {
    /// Until the next compaction.
    UntilCompaction,
    /// For one request only.
    OneRequest,
}

/// Where a host looks for hooks of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookFile {
    /// Environment variable that names the host's folder.
    pub folder_variable: &'static str,
    /// The folder below the user's home without that variable.
    pub folder_default: &'static str,
    /// The file in that folder.
    pub file: &'static str,
    /// Keys beside `hooks` for which the host does not ignore the whole file; `None`: any.
    pub other_keys: Option<&'static [&'static str]>,
}

/// What we may promise on a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Guarantee {
    /// Both sides of a compaction are seen, and recovery text reaches the next request.
    Full,
    /// One side is inferred, or delivery cannot be relied on.
    Partial,
    /// No hooks: only capsules carry a task.
    CapsuleOnly,
}

impl HostSpec {
    /// Returns the row of an event by the host's name for it.
    #[must_use]
    pub fn event_named(&self, wire: &str) -> Option<&'static EventSpec> {
        self.events.iter().find(|event| event.wire == wire)
    }

    /// Returns the row of an event by what it is.
    #[must_use]
    pub fn event_of(&self, role: EventRole) -> Option<&'static EventSpec> {
        self.events.iter().find(|event| event.role == role)
    }
}

/// Returns the row of a host, if it has one.
#[must_use]
pub fn spec_of(host: Host) -> Option<&'static HostSpec> {
    HOSTS.iter().copied().find(|spec| spec.host == host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_host_names_an_event_or_a_role_twice() {
        for spec in HOSTS {
            for (index, event) in spec.events.iter().enumerate() {
                for other in &spec.events[index + 1..] {
                    assert_ne!(event.wire, other.wire, "{}", spec.title);
                    assert_ne!(event.role, other.role, "{}", spec.title);
                }
            }
        }
    }

    #[test]
    fn compaction_events_are_silent_on_every_host() {
        for spec in HOSTS {
            for event in spec.events {
                if matches!(event.role, EventRole::PreCompact | EventRole::PostCompact) {
                    assert_eq!(event.reply, ReplyForm::Silent, "{} {}", spec.title, event.wire);
                }
            }
        }
    }
}
