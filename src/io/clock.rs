//! The system's time and random numbers.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::domain::ports::{Clock, Entropy, LedgerError};
use crate::domain::time::Timestamp;

/// The system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the Clock port's real implementation")]
    fn now(&self) -> Timestamp {
        let millis = match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
            Err(before) => {
                i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |millis| -millis)
            }
        };
        Timestamp::from_millis(millis)
    }
}

/// The system's random numbers.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn sixteen_bytes(&self) -> Result<[u8; 16], LedgerError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| LedgerError::Io {
            action: "read random bytes from",
            file: "the system".to_owned(),
            source: std::io::Error::other(error),
        })?;
        Ok(bytes)
    }
}
