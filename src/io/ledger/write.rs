//! Writing whole, or failing.

use std::io;

use crate::io::bytes::disk_length;
use crate::io::fs::FileHandle;

/// Writes all of `bytes` at `offset_bytes`, going on after a short write.
///
/// # Errors
/// The system's first refusal; `WriteZero` when it takes nothing. Nothing is tried twice.
pub(super) fn write_all(
    file: &mut dyn FileHandle,
    mut bytes: &[u8],
    mut offset_bytes: u64,
) -> io::Result<()> {
    while !bytes.is_empty() {
        let count = file.write_at(bytes, offset_bytes)?;
        bytes = match bytes.get(count..) {
            Some(rest) if count > 0 => rest,
            _ => return Err(io::ErrorKind::WriteZero.into()),
        };
        offset_bytes = offset_bytes.saturating_add(disk_length(count));
    }
    Ok(())
}
