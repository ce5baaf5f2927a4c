//! The anchor: a witness of the newest acknowledged record, outside the log's own folder.
//!
//! It is written behind each sync of the log and not synced itself, so after a power cut it may
//! lag; it never leads, unless the log lost something.
//!
//! Source: `docs/format.md`, "Anchor".

use super::error::{Tried, created, require_ours};
use super::names::Names;
use super::record::FORMAT;
use super::write::write_all;
use crate::domain::chain::{Head, Sequence};
use crate::domain::ids::TaskRef;
use crate::domain::ports::{LedgerError, Position};
use crate::io::bytes::{Fields, disk_length, has_valid_checksum, push_checksum};
use crate::io::fs::atomic::missing_is_none;
use crate::io::fs::{FileHandle, FileSystem, OpenMode, RelativePath};

const ANCHOR_MAGIC: [u8; 4] = [0xC7, b'A', b'N', b'C'];

/// Bytes of one slot.
const SLOT_BYTES: usize = 100;

/// Where the slots start: a page apart, so that one torn page cannot take both.
const SLOT_OFFSETS: [u64; 2] = [0, 4096];

/// What a slot says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Witness {
    /// Grows with each writing; the larger one is the newer slot.
    counter: u64,
    pub(super) position: Position,
}

impl Witness {
    pub(super) const fn head(&self) -> Head {
        self.position.head
    }

    /// Refuses another record with the sequence that is witnessed.
    pub(super) fn agree(&self, head: Head) -> Result<(), LedgerError> {
        let mine = self.position.head;
        if mine.sequence == head.sequence && mine.link != head.link {
            return Err(LedgerError::Forked { at: head.sequence });
        }
        Ok(())
    }

    fn encode(&self, stream: TaskRef) -> Vec<u8> {
        let position = &self.position;
        let mut bytes = Vec::with_capacity(SLOT_BYTES);
        bytes.extend_from_slice(&ANCHOR_MAGIC);
        bytes.extend_from_slice(&FORMAT.to_le_bytes());
        bytes.extend_from_slice(&[0, 0]);
        bytes.extend_from_slice(&self.counter.to_le_bytes());
        bytes.extend_from_slice(stream.as_bytes());
        bytes.extend_from_slice(&position.head.sequence.get().to_le_bytes());
        bytes.extend_from_slice(position.head.link.as_bytes());
        bytes.extend_from_slice(&position.segment.to_le_bytes());
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&position.record_offset_bytes.to_le_bytes());
        bytes.extend_from_slice(&position.end_offset_bytes.to_le_bytes());
        push_checksum(&mut bytes);
        bytes
    }

    /// `Ok(None)` for anything but a whole slot of this stream.
    fn decode(bytes: &[u8], stream: TaskRef) -> Result<Option<Self>, u16> {
        if bytes.len() != SLOT_BYTES || !has_valid_checksum(bytes) {
            return Ok(None);
        }
        let mut fields = Fields::new(bytes);
        if fields.array() != Some(ANCHOR_MAGIC) {
            return Ok(None);
        }
        match fields.number_u16() {
            Some(format) if format > FORMAT => return Err(format),
            Some(FORMAT) => {}
            _ => return Ok(None),
        }
        Ok(Self::decode_fields(fields, stream))
    }

    fn decode_fields(mut fields: Fields<'_>, stream: TaskRef) -> Option<Self> {
        let _reserved = fields.number_u16()?;
        let counter = fields.number_u64()?;
        if fields.stream()? != stream {
            return None;
        }
        let head = Head { sequence: Sequence::new(fields.number_u64()?), link: fields.link()? };
        let segment = fields.number_u32()?;
        let _reserved = fields.number_u32()?;
        let record_offset_bytes = fields.number_u64()?;
        let end_offset_bytes = fields.number_u64()?;
        let position = Position { head, segment, record_offset_bytes, end_offset_bytes };
        Some(Self { counter, position })
    }
}

/// What was found where the anchor should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// No file.
    Missing,
    /// A file without a whole slot: a crash while both were on their way, or damage.
    Unreadable,
    /// The newest whole slot.
    Witness(Witness),
}

impl Found {
    pub(super) const fn witness(self) -> Option<Witness> {
        match self {
            Self::Witness(witness) => Some(witness),
            Self::Missing | Self::Unreadable => None,
        }
    }
}

/// Looks at the anchor without changing it.
pub(super) fn look(
    disk: &dyn FileSystem,
    names: &Names,
    stream: TaskRef,
) -> Result<Found, LedgerError> {
    let opened =
        missing_is_none(disk.open(&names.anchor, OpenMode::Read)).tried("open", &names.anchor)?;
    let Some(file) = opened else { return Ok(Found::Missing) };
    newest(file.as_ref(), &names.anchor, stream)
}

fn newest(
    file: &dyn FileHandle,
    path: &RelativePath,
    stream: TaskRef,
) -> Result<Found, LedgerError> {
    let mut newest: Option<Witness> = None;
    for offset in SLOT_OFFSETS {
        let mut bytes = [0; SLOT_BYTES];
        let read_bytes = read_slot(file, &mut bytes, offset).tried("read", path)?;
        let slot = bytes.get(..read_bytes).unwrap_or_default();
        let witness = Witness::decode(slot, stream)
            .map_err(|found| LedgerError::NewerFormat { found, supported: FORMAT })?;
        newest = newest.max_by_counter(witness);
    }
    Ok(newest.map_or(Found::Unreadable, Found::Witness))
}

trait Newer {
    fn max_by_counter(self, other: Self) -> Self;
}

impl Newer for Option<Witness> {
    fn max_by_counter(self, other: Self) -> Self {
        [self, other].into_iter().flatten().max_by_key(|witness| witness.counter)
    }
}

fn read_slot(file: &dyn FileHandle, bytes: &mut [u8], offset: u64) -> std::io::Result<usize> {
    let mut filled = 0;
    while let Some(room) = bytes.get_mut(filled..).filter(|room| !room.is_empty()) {
        match file.read_at(room, offset.saturating_add(disk_length(filled)))? {
            0 => break,
            count => filled = filled.saturating_add(count),
        }
    }
    Ok(filled)
}

/// The writer's hold on the anchor.
pub(super) struct Anchor {
    file: Box<dyn FileHandle>,
    path: RelativePath,
    stream: TaskRef,
    counter: u64,
}

impl Anchor {
    /// Opens the anchor for writing, or creates it as a witness of `position`, durably.
    pub(super) fn open_or_create(
        disk: &dyn FileSystem,
        names: &Names,
        stream: TaskRef,
        position: Position,
    ) -> Result<Self, LedgerError> {
        let path = names.anchor.clone();
        let opened = missing_is_none(disk.open(&path, OpenMode::ReadWrite)).tried("open", &path)?;
        if let Some(file) = opened {
            require_ours(&path, &file.metadata().tried("look at", &path)?)?;
            let found = newest(file.as_ref(), &path, stream)?.witness();
            let counter = found.map_or(0, |witness| witness.counter);
            return Ok(Self { file, path, stream, counter });
        }
        let root = RelativePath::root();
        created(disk.create_directory(&names.anchors)).tried("create", &names.anchors)?;
        disk.sync_directory(&root).tried("sync", &root)?;
        let file = disk.open(&path, OpenMode::CreateNew).tried("create", &path)?;
        let mut anchor = Self { file, path, stream, counter: 0 };
        anchor.write(position)?;
        anchor.sync()?;
        disk.sync_directory(&names.anchors).tried("sync", &names.anchors)?;
        Ok(anchor)
    }

    /// Writes the older slot, without a sync.
    pub(super) fn write(&mut self, position: Position) -> Result<(), LedgerError> {
        self.counter = self.counter.saturating_add(1);
        let [even, odd] = SLOT_OFFSETS;
        let offset = if self.counter.is_multiple_of(2) { even } else { odd };
        let bytes = Witness { counter: self.counter, position }.encode(self.stream);
        write_all(self.file.as_mut(), &bytes, offset).tried("write", &self.path)
    }

    /// Returns when what was written is durable.
    pub(super) fn sync(&mut self) -> Result<(), LedgerError> {
        self.file.sync().tried("sync", &self.path)
    }

    /// Makes both slots say the same, durably, so that no older claim can come back.
    pub(super) fn replace(&mut self, position: Position) -> Result<(), LedgerError> {
        self.write(position)?;
        self.sync()?;
        self.write(position)?;
        self.sync()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_has_the_length_that_the_format_states() {
        let witness = Witness { counter: 3, position: Position::START };
        let bytes = witness.encode(TaskRef::new([1; 16]));
        assert_eq!(bytes.len(), SLOT_BYTES);
        assert_eq!(Witness::decode(&bytes, TaskRef::new([1; 16])), Ok(Some(witness)));
        assert_eq!(Witness::decode(&bytes, TaskRef::new([2; 16])), Ok(None));
    }
}
