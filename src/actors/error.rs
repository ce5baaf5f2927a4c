//! What a task's actor answers when it cannot do what it was asked.

use crate::domain::event::wire::WireError;
use crate::domain::ports::LedgerError;
use crate::domain::rejection::Rejection;
use crate::readmodels::execution_guard::Freshness;

/// Why a request to a task came to nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// The task refuses; nothing has changed.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// The log or a file beside it is not as it must be, or the disk refuses.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A batch or body could not be put into bytes.
    #[error(transparent)]
    Encoding(#[from] WireError),
    /// There is no such task.
    #[error("there is no such task")]
    NoTask,
    /// Too many requests wait already.
    #[error("too many requests wait for this task")]
    Busy,
    /// No answer came in time; whether the request was carried out is unknown.
    #[error("no answer in time; whether it was carried out is unknown")]
    TimedOut,
    /// The actor has failed too often and is not started again.
    #[error("this task's actor failed {restarts} times within {within_millis} ms and is stopped")]
    Down {
        /// How often it was started again.
        restarts: u32,
        /// Within which time.
        within_millis: u64,
    },
    /// The actor ended while the request waited; whether it was carried out is unknown.
    #[error("the task's actor ended; whether the request was carried out is unknown")]
    Gone,
}

impl TaskError {
    /// Returns how far a view can be believed whose log answered with this error.
    #[must_use]
    pub fn freshness(&self) -> Freshness {
        match self {
            Self::Ledger(
                LedgerError::Damaged { .. }
                | LedgerError::RolledBack { .. }
                | LedgerError::Forked { .. }
                | LedgerError::Missing { .. },
            ) => Freshness::Damaged,
            _ => Freshness::Unknown,
        }
    }
}
