//! What an agent host reports, in one vocabulary for all hosts.
//!
//! A host's payload becomes a [`HostEvent`] in `io::hosts`; from there on nothing depends on the
//! host's own words. Text in it is data of others: carried, never obeyed.

use std::fmt;

use super::text::UntrustedText;

/// Bytes of a session, turn or agent id at most.
pub const HOST_ID_BYTES_MAX: usize = 256;

/// Bytes of a path that a host reports at most: the longest path of any supported system.
pub const HOST_PATH_BYTES_MAX: usize = 32 * 1024;

/// Bytes of a model's name at most.
pub const MODEL_NAME_BYTES_MAX: usize = 256;

/// A program that runs agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Host {
    /// `OpenAI` Codex.
    Codex,
    /// Claude Code.
    ClaudeCode,
    /// Gemini CLI.
    GeminiCli,
    /// Cursor.
    Cursor,
    /// `CodeBuddy` Code.
    CodeBuddy,
}

impl Host {
    /// Every host, in wire order.
    pub const ALL: [Self; 5] =
        [Self::Codex, Self::ClaudeCode, Self::GeminiCli, Self::Cursor, Self::CodeBuddy];

    /// Returns the number that stands for the host on disk; it never changes.
    #[must_use]
    pub const fn wire(self) -> u8 {
        match self {
            Self::Codex => 1,
            Self::ClaudeCode => 2,
            Self::GeminiCli => 3,
            Self::Cursor => 4,
            Self::CodeBuddy => 5,
        }
    }

    /// Returns the host with the given number on disk.
    #[must_use]
    pub fn from_wire(wire: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|host| host.wire() == wire)
    }

    /// Returns the name used on the command line, such as `codex`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Codex => "codex",
            Self::ClaudeCode => "claude-code",
            Self::GeminiCli => "gemini-cli",
            Self::Cursor => "cursor",
            Self::CodeBuddy => "codebuddy",
        }
    }

    /// Returns the host with the given name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|host| host.name() == name)
    }
}

impl fmt::Display for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Why a word of the host does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HostWordError {
    /// Nothing there.
    #[error("the value is empty")]
    Empty,
    /// Longer than any host makes it.
    #[error("the value has {bytes} bytes, at most {bytes_max} fit")]
    TooLong {
        /// Bytes found.
        bytes: usize,
        /// Bytes allowed.
        bytes_max: usize,
    },
}

macro_rules! host_word {
    ($(#[$doc:meta])* $name:ident, $bytes_max:expr) => {
        $(#[$doc])*
        ///
        /// Its `Debug` form shows the length only.
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Takes in a word of the host.
            ///
            /// # Errors
            /// [`HostWordError::Empty`] and [`HostWordError::TooLong`].
            pub fn new(text: impl Into<String>) -> Result<Self, HostWordError> {
                let text = text.into();
                if text.is_empty() {
                    return Err(HostWordError::Empty);
                }
                if text.len() > $bytes_max {
                    return Err(HostWordError::TooLong {
                        bytes: text.len(),
                        bytes_max: $bytes_max,
                    });
                }
                Ok(Self(text))
            }

            /// Returns the word, exactly as the host wrote it.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, concat!(stringify!($name), "({} bytes)"), self.0.len())
            }
        }
    };
}

host_word! {
    /// An opaque id of the host: 1 to [`HOST_ID_BYTES_MAX`] bytes, never part of a path of ours.
    HostId, HOST_ID_BYTES_MAX
}
host_word! {
    /// A path as the host reports it: 1 to [`HOST_PATH_BYTES_MAX`] bytes, checked by nobody yet.
    HostPath, HOST_PATH_BYTES_MAX
}
host_word! {
    /// A model's name as the host reports it: 1 to [`MODEL_NAME_BYTES_MAX`] bytes.
    ModelName, MODEL_NAME_BYTES_MAX
}

/// Tells that an event belongs to a sub-agent, so nothing in it is the user speaking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRef {
    /// The sub-agent; `None` if the host's mark was there but not readable as an id.
    pub id: Option<HostId>,
}

/// One report of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostEvent {
    /// Who reports.
    pub host: Host,
    /// The conversation; sub-agents may share their parent's.
    pub session: HostId,
    /// The turn, where the host counts turns.
    pub turn: Option<HostId>,
    /// Present if the event is a sub-agent's.
    pub agent: Option<AgentRef>,
    /// The session's working directory.
    pub cwd: Option<HostPath>,
    /// The host's own transcript file.
    pub transcript: Option<HostPath>,
    /// The model that answers now.
    pub model: Option<ModelName>,
    /// What happened.
    pub kind: HostEventKind,
}

/// What happened in a host.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HostEventKind {
    /// A prompt was submitted; by the user only if the event has no agent.
    Prompt {
        /// The prompt, whole.
        text: UntrustedText,
    },
    /// A conversation begins or goes on.
    SessionStart {
        /// Why.
        source: StartSource,
    },
    /// A compaction is about to happen; it may still not happen.
    PreCompact {
        /// Who asked for it.
        trigger: Trigger,
    },
    /// A compaction has happened.
    PostCompact {
        /// Who asked for it.
        trigger: Trigger,
    },
    /// The agent ended its turn.
    Stop {
        /// Whether the turn went on only because a hook had asked for it.
        is_continued_by_hook: bool,
    },
    /// A sub-agent begins.
    SubagentStart,
    /// A sub-agent ended; its outcome is unknown.
    SubagentStop,
    /// The session ended; not every end is reported.
    SessionEnd,
    /// The user interrupted the turn.
    Interrupt,
    /// Something that we do not act on, or do not know.
    Ignored,
}

/// Why a conversation begins or goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StartSource {
    /// A new conversation.
    Startup,
    /// An old conversation, opened again.
    Resume,
    /// The user cleared the conversation.
    Clear,
    /// The conversation was compacted.
    Compact,
    /// A copy of another conversation.
    Fork,
    /// A reason that we do not know, or none.
    Other,
}

/// Who asked for a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Trigger {
    /// The user.
    Manual,
    /// The host, because the context was full.
    Auto,
    /// Somebody that we do not know.
    Other,
}

/// The kind of a [`HostEventKind`] without its content: what a host's table speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventRole {
    /// See [`HostEventKind::Prompt`].
    Prompt,
    /// See [`HostEventKind::SessionStart`].
    SessionStart,
    /// See [`HostEventKind::PreCompact`].
    PreCompact,
    /// See [`HostEventKind::PostCompact`].
    PostCompact,
    /// See [`HostEventKind::Stop`].
    Stop,
    /// See [`HostEventKind::SubagentStart`].
    SubagentStart,
    /// See [`HostEventKind::SubagentStop`].
    SubagentStop,
    /// See [`HostEventKind::SessionEnd`].
    SessionEnd,
    /// See [`HostEventKind::Interrupt`].
    Interrupt,
}

impl HostEventKind {
    /// Returns the kind without its content; `None` for [`HostEventKind::Ignored`].
    #[must_use]
    pub const fn role(&self) -> Option<EventRole> {
        match self {
            Self::Prompt { .. } => Some(EventRole::Prompt),
            Self::SessionStart { .. } => Some(EventRole::SessionStart),
            Self::PreCompact { .. } => Some(EventRole::PreCompact),
            Self::PostCompact { .. } => Some(EventRole::PostCompact),
            Self::Stop { .. } => Some(EventRole::Stop),
            Self::SubagentStart => Some(EventRole::SubagentStart),
            Self::SubagentStop => Some(EventRole::SubagentStop),
            Self::SessionEnd => Some(EventRole::SessionEnd),
            Self::Interrupt => Some(EventRole::Interrupt),
            Self::Ignored => None,
        }
    }
}

/// What we have to say to an event; mostly nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostReply {
    /// Text offered to the agent.
    pub context: Option<String>,
    /// Text shown to the user.
    pub notice: Option<String>,
}

impl HostReply {
    /// Tells whether there is nothing to say.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.context.as_deref().unwrap_or_default().is_empty()
            && self.notice.as_deref().unwrap_or_default().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_is_found_by_its_number_and_by_its_name() {
        for host in Host::ALL {
            assert_eq!(Host::from_wire(host.wire()), Some(host));
            assert_eq!(Host::from_name(host.name()), Some(host));
        }
        assert_eq!(Host::from_wire(0), None);
        assert_eq!(Host::from_name("Codex"), None);
    }

    #[test]
    fn an_id_fits_up_to_its_bound_and_not_beyond() {
        assert!(HostId::new("x".repeat(HOST_ID_BYTES_MAX)).is_ok());
        assert_eq!(
            HostId::new("x".repeat(HOST_ID_BYTES_MAX + 1)),
            Err(HostWordError::TooLong { bytes: 257, bytes_max: 256 })
        );
        assert_eq!(HostId::new(""), Err(HostWordError::Empty));
    }

    #[test]
    fn a_path_does_not_show_in_a_debug_form() {
        let path = HostPath::new("/home/ann/secret").expect("fits");
        assert_eq!(format!("{path:?}"), "HostPath(16 bytes)");
    }
}
