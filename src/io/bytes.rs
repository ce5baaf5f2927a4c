//! How files of ours are put into bytes: little-endian fields in order, a checksum at the end.
//!
//! Source: `docs/format.md`.

use crate::domain::chain::LinkHash;
use crate::domain::ids::TaskRef;
use crate::domain::ports::Damage;

/// Takes fields from the front of a slice; `None` once the slice is too short.
pub(super) struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(super) fn number_u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn number_u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn number_u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn stream(&mut self) -> Option<TaskRef> {
        self.array().map(TaskRef::new)
    }

    pub(super) fn link(&mut self) -> Option<LinkHash> {
        self.array().map(LinkHash::new)
    }

    /// Reads a length and exactly so many bytes up to the end.
    pub(super) fn rest(&mut self) -> Option<&'a [u8]> {
        let length = memory_length(u64::from(self.number_u32()?));
        (self.0.len() == length).then_some(self.0)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Tells whether the last four bytes are the CRC-32C of those before them.
pub(super) fn has_valid_checksum(bytes: &[u8]) -> bool {
    bytes
        .split_last_chunk::<4>()
        .is_some_and(|(covered, stored)| crc32c::crc32c(covered) == u32::from_le_bytes(*stored))
}

/// Appends the CRC-32C of everything in `buffer`.
pub(super) fn push_checksum(buffer: &mut Vec<u8>) {
    let checksum = crc32c::crc32c(buffer);
    buffer.extend_from_slice(&checksum.to_le_bytes());
}

/// Appends the checksum to a file that starts with its magic.
pub(super) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    push_checksum(&mut bytes);
    bytes
}

/// Takes checksum and magic off a whole file.
///
/// # Errors
/// What is wrong first: an empty file, a length, the checksum, the magic.
pub(super) fn unsealed(bytes: &[u8], magic: [u8; 8]) -> Result<Fields<'_>, Damage> {
    if bytes.is_empty() {
        return Err(Damage::MissingFile);
    }
    let (covered, _) = bytes.split_last_chunk::<4>().ok_or(Damage::Length)?;
    if !has_valid_checksum(bytes) {
        return Err(Damage::Checksum);
    }
    covered.strip_prefix(magic.as_slice()).map(Fields).ok_or(Damage::Magic)
}

/// The same for a file that is always `length` bytes long.
///
/// # Errors
/// As [`unsealed`].
pub(super) fn unsealed_exactly(
    bytes: &[u8],
    length: usize,
    magic: [u8; 8],
) -> Result<Fields<'_>, Damage> {
    if !bytes.is_empty() && bytes.len() != length {
        return Err(Damage::Length);
    }
    unsealed(bytes, magic)
}

/// A length in memory as a length on disk.
pub(super) fn disk_length(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// A length on disk as a length in memory; saturates where memory could not hold it.
pub(super) fn memory_length(length: u64) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}
