//! The writer's hold on the end of a log: appending and going on to the next segment.

use super::anchor::Anchor;
use super::create::create_segment;
use super::error::Tried;
use super::names::Names;
use super::record::{self, FRAME_BYTES, Kind, Place, SEAL_BYTES};
use super::segment::{FIRST_RECORD_OFFSET, SegmentHeader};
use super::write::write_all;
use crate::domain::chain::Head;
use crate::domain::ids::TaskRef;
use crate::domain::ports::{LedgerError, Position};
use crate::io::bytes::disk_length;
use crate::io::fs::{FileHandle, FileSystem};

/// Where the next record goes. Exists only under the lock, and only until something fails.
pub(super) struct Tail {
    /// Behind the last record.
    pub(super) position: Position,
    /// Where the next record goes: the last record's segment, or the one after it.
    pub(super) segment: u32,
    pub(super) offset_bytes: u64,
    pub(super) file: Box<dyn FileHandle>,
    pub(super) anchor: Anchor,
}

/// What a tail needs of its log.
pub(super) struct Site<'a> {
    pub(super) disk: &'a dyn FileSystem,
    pub(super) names: &'a Names,
    pub(super) stream: TaskRef,
    pub(super) segment_bytes_max: u64,
}

impl Tail {
    /// Appends one record and returns where it stands: it is then durable. The tail behind it is
    /// `Err` if the anchor could not be told; the record stands all the same.
    ///
    /// `buffer` is only memory to reuse.
    pub(super) fn append(
        self,
        site: &Site<'_>,
        payload: &[u8],
        buffer: &mut Vec<u8>,
    ) -> Result<(Position, Result<Self, LedgerError>), LedgerError> {
        let record_bytes = disk_length(payload.len().saturating_add(FRAME_BYTES));
        let needed = self.offset_bytes.saturating_add(record_bytes).saturating_add(SEAL_BYTES);
        let has_records = self.offset_bytes > FIRST_RECORD_OFFSET;
        let mut tail = if has_records && needed > site.segment_bytes_max {
            self.rotate(site, buffer)?
        } else {
            self
        };
        let offset_bytes = tail.offset_bytes;
        let link = record::encode(buffer, Kind::Data, &tail.place(site.stream), payload);
        tail.put(site, buffer)?;
        tail.position = Position {
            head: Head { sequence: tail.position.head.sequence.next(), link },
            segment: tail.segment,
            record_offset_bytes: offset_bytes,
            end_offset_bytes: tail.offset_bytes,
        };
        let position = tail.position;
        Ok((position, tail.anchor.write(position).map(|()| tail)))
    }

    /// Makes the next segment durable, then seals this one.
    ///
    /// The other way round, a crash between the two would look like a lost segment.
    fn rotate(mut self, site: &Site<'_>, buffer: &mut Vec<u8>) -> Result<Self, LedgerError> {
        let number = self.segment.saturating_add(1);
        let header = SegmentHeader { stream: site.stream, number, before: self.position.head };
        let file = create_segment(site.disk, site.names, &header)?;
        site.disk.sync_directory(&site.names.ledger).tried("sync", &site.names.ledger)?;
        record::encode(buffer, Kind::Seal, &self.place(site.stream), &number.to_le_bytes());
        self.put(site, buffer)?;
        Ok(Self { segment: number, offset_bytes: FIRST_RECORD_OFFSET, file, ..self })
    }

    /// The place of the next record.
    const fn place(&self, stream: TaskRef) -> Place {
        Place {
            stream,
            segment: self.segment,
            offset_bytes: self.offset_bytes,
            before: self.position.head,
        }
    }

    /// Writes a whole record at the end, and returns when it is durable.
    fn put(&mut self, site: &Site<'_>, bytes: &[u8]) -> Result<(), LedgerError> {
        let path = site.names.segment(self.segment);
        let written = write_all(self.file.as_mut(), bytes, self.offset_bytes)
            .tried("write", &path)
            .and_then(|()| self.file.sync().tried("sync", &path));
        if let Err(error) = written {
            // After a failed sync the bytes can be read and yet never reach the disk. A later
            // writer would build on them, so they are taken back, as far as the disk lets us.
            let _ = self.file.set_length(self.offset_bytes);
            return Err(error);
        }
        self.offset_bytes = self.offset_bytes.saturating_add(disk_length(bytes.len()));
        Ok(())
    }
}
