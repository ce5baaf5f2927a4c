//! The disk's answers in the ledger's words.

use std::io;

use crate::domain::ports::{Damage, LedgerError};
use crate::io::fs::{IRREGULAR, Metadata, RelativePath, is_irregular};

/// Says what was tried on which file.
pub(super) trait Tried<T> {
    fn tried(self, action: &'static str, file: &RelativePath) -> Result<T, LedgerError>;
}

impl<T> Tried<T> for io::Result<T> {
    fn tried(self, action: &'static str, file: &RelativePath) -> Result<T, LedgerError> {
        self.map_err(|source| refused(action, file, source))
    }
}

/// Puts a refusal of the system into the ledger's words: what is no file of ours is named as such.
pub(in crate::io) fn refused(
    action: &'static str,
    file: &RelativePath,
    source: io::Error,
) -> LedgerError {
    let file = file.as_str().to_owned();
    if is_irregular(&source) {
        return LedgerError::Unsafe { file, why: IRREGULAR };
    }
    LedgerError::Io { action, file, source }
}

/// Makes "already there" an answer instead of an error; true if it is new.
pub(super) fn created(answer: io::Result<()>) -> io::Result<bool> {
    match answer {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

pub(super) fn damaged(file: &RelativePath, offset_bytes: u64, what: Damage) -> LedgerError {
    LedgerError::Damaged { file: file.as_str().to_owned(), offset_bytes, what }
}

pub(super) fn missing(file: &RelativePath) -> LedgerError {
    LedgerError::Missing { file: file.as_str().to_owned() }
}

/// Refuses a file that is not ours alone.
pub(super) fn require_ours(file: &RelativePath, metadata: &Metadata) -> Result<(), LedgerError> {
    match metadata.unsafe_reason() {
        Some(why) => Err(LedgerError::Unsafe { file: file.as_str().to_owned(), why }),
        None => Ok(()),
    }
}
