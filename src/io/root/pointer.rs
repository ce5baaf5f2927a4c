//! The bytes of a session pointer.
//!
//! Bytes: magic `CCPTR\0\0\1`, the session key, the task reference, CRC-32C of all before in
//! little-endian order.

use crate::domain::ids::{SessionKey, TaskRef};
use crate::domain::ports::Damage;

const MAGIC: [u8; 8] = *b"CCPTR\0\0\x01";

/// Length of a pointer's file.
pub(super) const POINTER_BYTES: usize = 8 + 32 + 16 + 4;

pub(super) fn encode(session: SessionKey, task: TaskRef) -> Vec<u8> {
    let mut bytes =
        [MAGIC.as_slice(), session.as_bytes().as_slice(), task.as_bytes().as_slice()].concat();
    bytes.extend(crc32c::crc32c(&bytes).to_le_bytes());
    bytes
}

/// Reads a pointer; it must name the session that its file is named by.
pub(super) fn decode(bytes: &[u8], session: SessionKey) -> Result<TaskRef, Damage> {
    if bytes.is_empty() {
        return Err(Damage::MissingFile);
    }
    if bytes.len() != POINTER_BYTES {
        return Err(Damage::Length);
    }
    let (body, checksum) = bytes.split_last_chunk::<4>().ok_or(Damage::Length)?;
    if crc32c::crc32c(body).to_le_bytes() != *checksum {
        return Err(Damage::Checksum);
    }
    let rest = body.strip_prefix(MAGIC.as_slice()).ok_or(Damage::Magic)?;
    let task = rest.strip_prefix(session.as_bytes().as_slice()).ok_or(Damage::Position)?;
    task.try_into().map(TaskRef::new).map_err(|_| Damage::Length)
}
