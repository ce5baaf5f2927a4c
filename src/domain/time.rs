//! Time as the ledger knows it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Milliseconds since 1970-01-01 UTC.
///
/// Order in the ledger is by sequence; a stamp only tells a person when. The aggregate never lets
/// it go back within a task.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Wraps milliseconds since 1970-01-01 UTC.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Returns milliseconds since 1970-01-01 UTC.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Returns the later of the two: how a stamp is kept from going back.
    #[must_use]
    pub fn at_least(self, earlier: Self) -> Self {
        self.max(earlier)
    }

    /// Returns the milliseconds from `earlier` to this stamp; zero if the clock went back.
    #[must_use]
    pub fn millis_since(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }
}

/// RFC 3339 in UTC with seconds; a stamp outside the calendar shows its number.
impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_second(self.0.div_euclid(1_000)) {
            Ok(stamp) => write!(formatter, "{stamp}"),
            Err(_) => write!(formatter, "{} ms", self.0),
        }
    }
}
