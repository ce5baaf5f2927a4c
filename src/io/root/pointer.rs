//! The bytes of a session pointer.
//!
//! Bytes: magic `CCPTR\0\0\1`, the session key, the task reference, CRC-32C of all before in
//! little-endian order.

use crate::domain::ids::{SessionKey, TaskRef};
use crate::domain::ports::Damage;
use crate::io::bytes::{sealed, unsealed_exactly};

const MAGIC: [u8; 8] = *b"CCPTR\0\0\x01";

/// Length of a pointer's file.
pub(super) const POINTER_BYTES: usize = 8 + 32 + 16 + 4;

pub(super) fn encode(session: SessionKey, task: TaskRef) -> Vec<u8> {
    sealed([MAGIC.as_slice(), session.as_bytes().as_slice(), task.as_bytes().as_slice()].concat())
}

/// Reads a pointer; it must name the session that its file is named by.
pub(super) fn decode(bytes: &[u8], session: SessionKey) -> Result<TaskRef, Damage> {
    let mut fields = unsealed_exactly(bytes, POINTER_BYTES, MAGIC)?;
    if fields.array() != Some(*session.as_bytes()) {
        return Err(Damage::Position);
    }
    fields.array().map(TaskRef::new).ok_or(Damage::Length)
}
