//! Bytes of checkpoints, snapshots and notes.
//!
//! Each starts with an eight-byte magic that ends in its format number, and ends with the CRC-32C
//! of everything before. Numbers are in little-endian order, lengths in bytes.
//!
//! Source: `docs/format.md`, "Files beside the log".

use crate::domain::chain::{Head, LinkHash, Sequence};
use crate::domain::ports::{Checkpoint, Damage, Position};
use crate::io::bytes::{sealed, unsealed};

const CHECKPOINT_MAGIC: [u8; 8] = *b"CCFOLD\0\x01";
const SNAPSHOT_MAGIC: [u8; 8] = *b"CCSNAP\0\x01";
const NOTE_MAGIC: [u8; 8] = *b"CCMISS\0\x01";

/// Length of a note's file.
pub(super) const NOTE_BYTES: usize = 8 + 1 + 32 + 4;

fn length(bytes: &[u8]) -> [u8; 4] {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes()
}

pub(super) fn encode_checkpoint(checkpoint: &Checkpoint) -> Vec<u8> {
    let Position { head, segment, record_offset_bytes, end_offset_bytes } = checkpoint.position;
    let mut bytes = CHECKPOINT_MAGIC.to_vec();
    bytes.extend(checkpoint.fold_version.to_le_bytes());
    bytes.extend(head.sequence.get().to_le_bytes());
    bytes.extend(head.link.as_bytes());
    bytes.extend(segment.to_le_bytes());
    bytes.extend(record_offset_bytes.to_le_bytes());
    bytes.extend(end_offset_bytes.to_le_bytes());
    bytes.extend(length(&checkpoint.state));
    bytes.extend(&checkpoint.state);
    sealed(bytes)
}

/// Reads a checkpoint; whatever is wrong with it, it is built anew.
pub(super) fn decode_checkpoint(bytes: &[u8]) -> Option<Checkpoint> {
    let mut fields = unsealed(bytes, CHECKPOINT_MAGIC).ok()?;
    let fold_version = fields.number_u32()?;
    let sequence = Sequence::new(fields.number_u64()?);
    let link = LinkHash::new(fields.array()?);
    let position = Position {
        head: Head { sequence, link },
        segment: fields.number_u32()?,
        record_offset_bytes: fields.number_u64()?,
        end_offset_bytes: fields.number_u64()?,
    };
    Some(Checkpoint { fold_version, position, state: fields.rest()?.to_vec() })
}

pub(super) fn encode_snapshot(number: u32, content: &[u8]) -> Vec<u8> {
    let mut bytes = SNAPSHOT_MAGIC.to_vec();
    bytes.extend(number.to_le_bytes());
    bytes.extend(length(content));
    bytes.extend(content);
    sealed(bytes)
}

/// Reads a snapshot, which must carry the number that its file is named by.
pub(super) fn decode_snapshot(bytes: &[u8], number: u32) -> Result<Vec<u8>, Damage> {
    let mut fields = unsealed(bytes, SNAPSHOT_MAGIC)?;
    if fields.number_u32().ok_or(Damage::Length)? != number {
        return Err(Damage::Position);
    }
    fields.rest().map(<[u8]>::to_vec).ok_or(Damage::Length)
}

pub(super) fn encode_note(kind: u8, digest: [u8; 32]) -> Vec<u8> {
    let mut bytes = NOTE_MAGIC.to_vec();
    bytes.push(kind);
    bytes.extend(digest);
    sealed(bytes)
}

pub(super) fn decode_note(bytes: &[u8]) -> Option<(u8, [u8; 32])> {
    let mut fields = unsealed(bytes, NOTE_MAGIC).ok()?;
    let [kind] = fields.array()?;
    let digest = fields.array()?;
    fields.is_empty().then_some((kind, digest))
}
