//! Names of things, each its own type.

use std::fmt;
use std::str::FromStr;

use data_encoding::{BASE32_NOPAD, HEXLOWER};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Why a name was not understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a {what}")]
pub struct InvalidId {
    /// What was expected.
    pub what: &'static str,
}

/// People and JSON see an id as they would type it; the compact encoding keeps its bytes or number.
macro_rules! serialize_as_shown {
    ($name:ident, $inner:ty, $from_text:expr) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(self)
                } else {
                    self.0.serialize(serializer)
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    let text = String::deserialize(deserializer)?;
                    let parse: fn(&str) -> Option<Self> = $from_text;
                    parse(&text).ok_or_else(|| D::Error::custom("not an id as it is shown"))
                } else {
                    <$inner>::deserialize(deserializer).map(Self)
                }
            }
        }
    };
}

pub(super) use serialize_as_shown;

/// Names one task: 16 random bytes, shown as 26 lower-case base32 letters and digits.
///
/// The shown form is safe as a file name on every system, and it is the only form that ever
/// becomes part of a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskRef([u8; 16]);

serialize_as_shown!(TaskRef, [u8; 16], |text| text.parse().ok());

impl TaskRef {
    /// Wraps random bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// Returns the six characters that a person types.
    #[must_use]
    pub fn short(&self) -> String {
        let mut text = self.to_string();
        text.truncate(6);
        text
    }
}

impl fmt::Display for TaskRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&BASE32_NOPAD.encode(&self.0).to_ascii_lowercase())
    }
}

impl fmt::Debug for TaskRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "TaskRef({self})")
    }
}

impl FromStr for TaskRef {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let invalid = InvalidId { what: "task reference" };
        if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(invalid);
        }
        BASE32_NOPAD
            .decode(text.to_ascii_uppercase().as_bytes())
            .ok()
            .and_then(|bytes| bytes.try_into().ok())
            .map(Self)
            .ok_or(invalid)
    }
}

macro_rules! random_id {
    ($(#[$doc:meta])* $name:ident, $bytes:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; $bytes]);

        serialize_as_shown!($name, [u8; $bytes], |text| {
            HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok().map(Self)
        });

        impl $name {
            /// Wraps stored or random bytes.
            #[must_use]
            pub const fn new(bytes: [u8; $bytes]) -> Self {
                Self(bytes)
            }

            /// Returns the bytes.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; $bytes] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&HEXLOWER.encode(&self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, concat!(stringify!($name), "({})"), self)
            }
        }
    };
}

random_id! {
    /// Names one text body outside the chain; random, and the body's file name in hexadecimal.
    BodyId, 16
}
random_id! {
    /// Names one command, so that sending it twice does nothing twice.
    ///
    /// For host events: HMAC over host, session, event, turn and digest, cut to 16 bytes.
    CommandId, 16
}
random_id! {
    /// Names one host session: HMAC-SHA-256 under the root key over host and session id.
    SessionKey, 32
}
random_id! {
    /// SHA-256 over a body's salt and bytes: binds a text to the chain without showing it.
    Commitment, 32
}
random_id! {
    /// HMAC-SHA-256 of a text under the task's key.
    KeyedDigest, 32
}
random_id! {
    /// SHA-256 of something that needs no hiding.
    Digest, 32
}

macro_rules! counted_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal, $what:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        serialize_as_shown!($name, u32, |text| text.parse().ok());

        impl $name {
            /// Wraps a stored number.
            #[must_use]
            pub const fn new(number: u32) -> Self {
                Self(number)
            }

            /// Returns the number.
            #[must_use]
            pub const fn get(self) -> u32 {
                self.0
            }

            /// Returns the next one; saturates at the end of the number range.
            #[must_use]
            pub const fn next(self) -> Self {
                Self(self.0.saturating_add(1))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, concat!($prefix, "{}"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                text.strip_prefix($prefix)
                    .filter(|digits| !digits.starts_with(['0', '+']))
                    .and_then(|digits| digits.parse().ok())
                    .map(Self)
                    .ok_or(InvalidId { what: $what })
            }
        }
    };
}

counted_id! {
    /// Names an item within its task, such as `i7`; counted, never used twice.
    ItemId, "i", "item id"
}
counted_id! {
    /// Names a quote within its task, such as `q3`.
    QuoteId, "q", "quote id"
}
counted_id! {
    /// Names a proposal within its task, such as `p2`.
    ProposalId, "p", "proposal id"
}
counted_id! {
    /// Names a snapshot within its task, such as `s4`.
    SnapshotId, "s", "snapshot id"
}
counted_id! {
    /// Counts the lossy boundaries of a task, such as `e5`.
    Epoch, "e", "epoch"
}

/// Counts the events that changed an intent or operational item.
///
/// Optimistic concurrency binds to it; prompts, quotes and boundaries do not move it.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Generation(u64);

impl Generation {
    /// Wraps a stored number.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// Returns the number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Returns the next one; saturates at the end of the number range.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}
