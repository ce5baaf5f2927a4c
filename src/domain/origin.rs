//! Through which door something came in, and what that door may mint.

use serde::{Deserialize, Serialize};

use super::host_event::Host;
use super::ids::SessionKey;
use super::task::item::Authority;

/// The door.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Channel {
    /// A host event that carries the user's own prompt.
    HostPrompt,
    /// Any other host event.
    HostEvent,
    /// The command line on a terminal that no agent host is an ancestor of.
    OperatorTerminal,
    /// The control bearer of the local HTTP API.
    ControlHttp,
    /// A tool call of the model.
    ModelTool,
    /// Our own deterministic look at Git objects and file digests.
    Probe,
}

impl Channel {
    /// Tells whether an item with this authority may be recorded through this door at once.
    ///
    /// A prompt mints user authority only by confirming a proposal, which is another rule.
    #[must_use]
    pub fn may_record(self, authority: Authority) -> bool {
        match authority {
            Authority::User => matches!(self, Self::OperatorTerminal | Self::ControlHttp),
            Authority::VerifiedEvidence => self == Self::Probe,
            Authority::AgentInference => true,
        }
    }

    /// Tells whether a person acts through this door, not a program on its own.
    #[must_use]
    pub fn is_operator(self) -> bool {
        matches!(self, Self::OperatorTerminal | Self::ControlHttp)
    }
}

/// Number of a host in stored events; the names are in the host table.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct HostNumber(u8);

impl HostNumber {
    /// No host: the command line or the library.
    pub const NONE: Self = Self(0);

    /// Wraps a stored number.
    #[must_use]
    pub const fn new(number: u8) -> Self {
        Self(number)
    }

    /// Returns the number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// Where a command comes from; stored with every batch and shown with every item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The door.
    pub channel: Channel,
    /// The host, if one is involved.
    pub host: HostNumber,
    /// The host session, if one is involved.
    pub session: Option<SessionKey>,
}

impl Origin {
    /// A person on a terminal: no host, no session.
    pub const OPERATOR: Self =
        Self { channel: Channel::OperatorTerminal, host: HostNumber::NONE, session: None };

    /// A session of a host.
    #[must_use]
    pub const fn of_session(channel: Channel, host: Host, session: SessionKey) -> Self {
        Self { channel, host: HostNumber::new(host.wire()), session: Some(session) }
    }
}
