//! The first bytes of a segment file.
//!
//! Source: `docs/format.md`, "Segment header".

use super::record::FORMAT;
use crate::domain::chain::{Head, LinkHash, Sequence};
use crate::domain::ids::TaskRef;
use crate::domain::ports::Damage;
use crate::io::bytes::{Fields, has_valid_checksum, push_checksum};

/// The first bytes of a segment.
const SEGMENT_MAGIC: [u8; 4] = [0xC7, b'S', b'E', b'G'];

/// Length of the header in every format, so that an old release can tell a newer one from damage.
pub(super) const SEGMENT_HEADER_BYTES: usize = 72;

/// The same as an offset in the file: where the first record starts.
pub(super) const FIRST_RECORD_OFFSET: u64 = 72;

/// Which segment this is, and what came before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SegmentHeader {
    pub(super) stream: TaskRef,
    pub(super) number: u32,
    /// Before the segment's first record.
    pub(super) before: Head,
}

/// Why a segment's first bytes are not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeaderFlaw {
    Damaged(Damage),
    NewerFormat(u16),
}

impl SegmentHeader {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(SEGMENT_HEADER_BYTES);
        bytes.extend_from_slice(&SEGMENT_MAGIC);
        bytes.extend_from_slice(&FORMAT.to_le_bytes());
        bytes.extend_from_slice(&[0, 0]);
        bytes.extend_from_slice(self.stream.as_bytes());
        bytes.extend_from_slice(&self.number.to_le_bytes());
        bytes.extend_from_slice(&self.before.sequence.next().get().to_le_bytes());
        bytes.extend_from_slice(self.before.link.as_bytes());
        push_checksum(&mut bytes);
        bytes
    }

    /// Reads a header; `bytes` may be longer or shorter than [`SEGMENT_HEADER_BYTES`].
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, HeaderFlaw> {
        if bytes.is_empty() {
            return Err(HeaderFlaw::Damaged(Damage::MissingFile));
        }
        let starts_right = bytes.iter().zip(SEGMENT_MAGIC).all(|(found, wanted)| *found == wanted);
        if !starts_right {
            return Err(HeaderFlaw::Damaged(Damage::Magic));
        }
        let short = HeaderFlaw::Damaged(Damage::Length);
        let bytes = bytes.get(..SEGMENT_HEADER_BYTES).ok_or(short)?;
        if !has_valid_checksum(bytes) {
            return Err(HeaderFlaw::Damaged(Damage::Checksum));
        }
        let mut fields = Fields::new(bytes);
        let _magic: [u8; 4] = fields.array().ok_or(short)?;
        let format = fields.number_u16().ok_or(short)?;
        if format > FORMAT {
            return Err(HeaderFlaw::NewerFormat(format));
        }
        let reserved = fields.number_u16().ok_or(short)?;
        if format != FORMAT || reserved != 0 {
            return Err(HeaderFlaw::Damaged(Damage::Magic));
        }
        let stream = fields.stream().ok_or(short)?;
        let number = fields.number_u32().ok_or(short)?;
        let first: u64 = fields.number_u64().ok_or(short)?;
        let link: LinkHash = fields.link().ok_or(short)?;
        let before = first.checked_sub(1).ok_or(HeaderFlaw::Damaged(Damage::Position))?;
        Ok(Self { stream, number, before: Head { sequence: Sequence::new(before), link } })
    }
}
