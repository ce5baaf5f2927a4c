//! One record: its bytes, and what makes it believable.
//!
//! Source: `docs/format.md`, "Record".

use sha2::{Digest as _, Sha256};

use crate::domain::chain::{Head, LinkHash, Sequence};
use crate::domain::ids::TaskRef;
use crate::domain::ports::Damage;
use crate::io::bytes::{Fields, disk_length, has_valid_checksum, memory_length, push_checksum};

/// The first bytes of a record; the first of them is no ASCII, so text rarely looks like one.
pub(super) const RECORD_MAGIC: [u8; 4] = [0xC7, b'R', b'E', b'C'];

/// The newest format that is read, and the one that is written.
pub(super) const FORMAT: u16 = 1;

/// Bytes before the payload.
pub(super) const HEADER_BYTES: usize = 80;

/// Bytes behind the payload: link and checksum.
pub(super) const TRAILER_BYTES: usize = 36;

/// Bytes of a record without its payload.
pub(super) const FRAME_BYTES: usize = HEADER_BYTES + TRAILER_BYTES;

/// Longest payload of any record of this format, in bytes.
pub const PAYLOAD_BYTES_MAX: u32 = 64 * 1024;

/// Bytes of a seal: its payload is the successor's number.
pub(super) const SEAL_BYTES: u64 = 116 + 4;

const _: () = assert!(FRAME_BYTES == 116, "SEAL_BYTES counts on it");

/// What a record is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A batch of the task.
    Data,
    /// The end of a segment; not part of the chain.
    Seal,
}

impl Kind {
    const fn code(self) -> u8 {
        match self {
            Self::Data => 1,
            Self::Seal => 2,
        }
    }

    const fn from_code(code: u8) -> Option<Self> {
        match code {
            1 => Some(Self::Data),
            2 => Some(Self::Seal),
            _ => None,
        }
    }
}

/// Where a record stands, and which one it follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) stream: TaskRef,
    pub(super) segment: u32,
    pub(super) offset_bytes: u64,
    /// The last record before it.
    pub(super) before: Head,
}

impl Place {
    /// A seal does not count: it repeats the number of the last record before it.
    const fn sequence(&self, kind: Kind) -> Sequence {
        match kind {
            Kind::Data => self.before.sequence.next(),
            Kind::Seal => self.before.sequence,
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Header {
    magic: [u8; 4],
    format: u16,
    kind: u8,
    reserved: u8,
    payload_bytes: u32,
    stream: TaskRef,
    segment: u32,
    offset_bytes: u64,
    sequence: Sequence,
    previous: LinkHash,
}

/// A record whose every field, checksum and link is right.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record<'a> {
    pub(super) kind: Kind,
    pub(super) sequence: Sequence,
    pub(super) payload: &'a [u8],
    pub(super) link: LinkHash,
    pub(super) total_bytes: u64,
}

/// Why bytes are not the record that should stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flaw {
    pub(super) what: Damage,
    /// The checksum is right: somebody wrote this whole, so it is no torn write.
    pub(super) is_whole: bool,
}

impl Flaw {
    const fn broken(what: Damage) -> Self {
        Self { what, is_whole: false }
    }

    const fn whole(what: Damage) -> Self {
        Self { what, is_whole: true }
    }
}

/// Replaces `buffer` by the bytes of a record, and returns its link.
pub(super) fn encode(buffer: &mut Vec<u8>, kind: Kind, place: &Place, payload: &[u8]) -> LinkHash {
    assert!(
        disk_length(payload.len()) <= u64::from(PAYLOAD_BYTES_MAX),
        "the caller bounds the payload"
    );
    let payload_bytes = u32::try_from(payload.len()).unwrap_or(PAYLOAD_BYTES_MAX);
    buffer.clear();
    buffer.extend_from_slice(&RECORD_MAGIC);
    buffer.extend_from_slice(&FORMAT.to_le_bytes());
    buffer.extend_from_slice(&[kind.code(), 0]);
    buffer.extend_from_slice(&payload_bytes.to_le_bytes());
    buffer.extend_from_slice(place.stream.as_bytes());
    buffer.extend_from_slice(&place.segment.to_le_bytes());
    buffer.extend_from_slice(&place.offset_bytes.to_le_bytes());
    buffer.extend_from_slice(&place.sequence(kind).get().to_le_bytes());
    buffer.extend_from_slice(place.before.link.as_bytes());
    buffer.extend_from_slice(payload);
    let link = LinkHash::new(Sha256::digest(&*buffer).into());
    buffer.extend_from_slice(link.as_bytes());
    push_checksum(buffer);
    link
}

/// Returns how many bytes the record that starts in `header` claims, within the format's bound.
///
/// `header` may be longer or shorter than [`HEADER_BYTES`].
///
/// # Errors
/// A [`Flaw`] that says what is wrong with the header.
pub(super) fn claimed_bytes(header: &[u8]) -> Result<usize, Flaw> {
    let starts_right = header.iter().zip(RECORD_MAGIC).all(|(found, wanted)| *found == wanted);
    if !starts_right {
        return Err(Flaw::broken(Damage::Magic));
    }
    let header = parse(header).ok_or(Flaw::broken(Damage::Length))?;
    if header.payload_bytes > PAYLOAD_BYTES_MAX {
        return Err(Flaw::broken(Damage::Length));
    }
    Ok(memory_length(u64::from(header.payload_bytes)).saturating_add(FRAME_BYTES))
}

/// Tells whether `bytes` are exactly one record with a right checksum, wherever it belongs.
pub(super) fn is_whole(bytes: &[u8]) -> bool {
    claimed_bytes(bytes) == Ok(bytes.len()) && has_valid_checksum(bytes)
}

/// Believes `bytes` only if they are exactly the record that belongs at `place`.
///
/// # Errors
/// A [`Flaw`] that says what is wrong first.
pub(super) fn check<'a>(bytes: &'a [u8], place: &Place) -> Result<Record<'a>, Flaw> {
    if claimed_bytes(bytes)? != bytes.len() {
        return Err(Flaw::broken(Damage::Length));
    }
    if !has_valid_checksum(bytes) {
        return Err(Flaw::broken(Damage::Checksum));
    }
    let header = parse(bytes).ok_or(Flaw::broken(Damage::Length))?;
    let kind = Kind::from_code(header.kind)
        .filter(|_| header.format == FORMAT && header.magic == RECORD_MAGIC)
        .filter(|_| header.reserved == 0)
        .ok_or(Flaw::whole(Damage::Magic))?;
    let (covered, trailer) =
        bytes.split_last_chunk::<TRAILER_BYTES>().ok_or(Flaw::broken(Damage::Length))?;
    let stored = Fields::new(trailer).link().ok_or(Flaw::broken(Damage::Length))?;
    let link = LinkHash::new(Sha256::digest(covered).into());
    if stored != link {
        return Err(Flaw::whole(Damage::Link));
    }
    let sequence = place.sequence(kind);
    let stands_right = header.stream == place.stream
        && header.segment == place.segment
        && header.offset_bytes == place.offset_bytes
        && header.sequence == sequence;
    if !stands_right {
        return Err(Flaw::whole(Damage::Position));
    }
    if header.previous != place.before.link {
        return Err(Flaw::whole(Damage::Link));
    }
    let payload = covered.get(HEADER_BYTES..).ok_or(Flaw::broken(Damage::Length))?;
    Ok(Record { kind, sequence, payload, link, total_bytes: disk_length(bytes.len()) })
}

/// Reads which record a data record says it follows, so that it can be checked on its own.
pub(super) fn stated_before(bytes: &[u8]) -> Option<Head> {
    let header = parse(bytes)?;
    let sequence = Sequence::new(header.sequence.get().checked_sub(1)?);
    Some(Head { sequence, link: header.previous })
}

fn parse(bytes: &[u8]) -> Option<Header> {
    let mut fields = Fields::new(bytes);
    Some(Header {
        magic: fields.array()?,
        format: fields.number_u16()?,
        kind: fields.byte()?,
        reserved: fields.byte()?,
        payload_bytes: fields.number_u32()?,
        stream: fields.stream()?,
        segment: fields.number_u32()?,
        offset_bytes: fields.number_u64()?,
        sequence: Sequence::new(fields.number_u64()?),
        previous: fields.link()?,
    })
}
