//! Positions in a hash-chained log.
//!
//! Source: `docs/format.md`, "Record".

use std::fmt;

use data_encoding::HEXLOWER;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::ids::serialize_as_shown;

/// Position of a record in its log; the first record has sequence 1, an empty log is at 0.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Sequence(u64);

impl Sequence {
    /// Before the first record.
    pub const ZERO: Self = Self(0);

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

    /// Returns the position after this one; saturates at the end of the number range.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

/// SHA-256 over a whole record, the previous record's link included.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkHash([u8; 32]);

serialize_as_shown!(LinkHash, [u8; 32], |text| {
    HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok().map(Self)
});

impl LinkHash {
    /// The link before the first record.
    pub const ZERO: Self = Self([0; 32]);

    /// Wraps stored bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the first eight hexadecimal digits, as shown to people and in marks.
    #[must_use]
    pub fn short(&self) -> String {
        let mut text = HEXLOWER.encode(&self.0);
        text.truncate(8);
        text
    }
}

impl fmt::Display for LinkHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&HEXLOWER.encode(&self.0))
    }
}

impl fmt::Debug for LinkHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "LinkHash({})", self.short())
    }
}

/// The newest record of a log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Head {
    /// Its position.
    pub sequence: Sequence,
    /// Its link.
    pub link: LinkHash,
}

impl Head {
    /// The head of a log without records.
    pub const EMPTY: Self = Self { sequence: Sequence::ZERO, link: LinkHash::ZERO };
}

impl fmt::Display for Head {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.sequence, self.link.short())
    }
}

/// What an answer about a log rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Every record was read, its checksum and its link checked.
    Full,
    /// Records after this one were checked; earlier ones are taken from a checkpoint.
    Since(Sequence),
}
