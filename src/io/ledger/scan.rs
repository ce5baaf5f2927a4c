//! Reading a log from a position to its end, believing nothing unchecked.
//!
//! It takes no lock and changes nothing. A writer may append meanwhile: what looks wrong is looked
//! at once more with fresh bytes before it is called damage.

use super::anchor::Witness;
use super::error::{Tried, damaged, missing};
use super::names::{Names, segment_number};
use super::record::{self, FORMAT, Flaw, HEADER_BYTES, Kind, Place, RECORD_MAGIC, Record};
use super::segment::{FIRST_RECORD_OFFSET, HeaderFlaw, SEGMENT_HEADER_BYTES, SegmentHeader};
use super::window::Window;
use crate::domain::chain::Head;
use crate::domain::ids::TaskRef;
use crate::domain::ports::{Damage, LedgerError, Position, RecordView};
use crate::io::bytes::{disk_length, memory_length};
use crate::io::fs::atomic::missing_is_none;
use crate::io::fs::{FileHandle, FileSystem, OpenMode};

/// Invalid bytes at the very end of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Torn {
    pub(super) bytes: u64,
    pub(super) what: Damage,
}

/// Where a reading ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    /// Behind the last record.
    pub(super) position: Position,
    /// The segment in which the log ends.
    pub(super) segment: u32,
    /// First byte behind the last whole record in it.
    pub(super) offset_bytes: u64,
    pub(super) torn: Option<Torn>,
    /// A next segment was created, but its predecessor was not sealed: a crash between the two.
    pub(super) has_empty_successor: bool,
    /// Of all segments together.
    pub(super) log_bytes: u64,
}

impl End {
    /// Bytes of all segments once a writer has mended the end.
    pub(super) fn mended_bytes(&self) -> u64 {
        let torn_bytes = self.torn.map_or(0, |torn| torn.bytes);
        let successor_bytes = if self.has_empty_successor { FIRST_RECORD_OFFSET } else { 0 };
        self.log_bytes.saturating_sub(torn_bytes).saturating_sub(successor_bytes)
    }
}

/// One reading.
pub(super) struct Scan<'a> {
    pub(super) disk: &'a dyn FileSystem,
    pub(super) names: &'a Names,
    pub(super) stream: TaskRef,
    pub(super) window: &'a mut Window,
    /// Compared with the record that it names.
    pub(super) witness: Option<Witness>,
    place: Position,
    segment: u32,
    offset_bytes: u64,
    looked_again_at: Option<(u32, u64)>,
}

enum Stop {
    Sealed,
    Open(Option<Flaw>),
}

type File = Box<dyn FileHandle>;

impl<'a> Scan<'a> {
    pub(super) const fn new(
        disk: &'a dyn FileSystem,
        names: &'a Names,
        stream: TaskRef,
        window: &'a mut Window,
        witness: Option<Witness>,
    ) -> Self {
        Self {
            disk,
            names,
            stream,
            window,
            witness,
            place: Position::START,
            segment: 1,
            offset_bytes: FIRST_RECORD_OFFSET,
            looked_again_at: None,
        }
    }

    /// Reads everything behind `from`, which must be the start or have passed [`Self::holds`].
    pub(super) fn run(
        mut self,
        from: Position,
        visit: &mut dyn FnMut(RecordView<'_>),
    ) -> Result<End, LedgerError> {
        self.place = from;
        if let Some(witness) = self.witness {
            witness.agree(from.head)?;
        }
        if from.segment > 0 {
            self.segment = from.segment;
            self.offset_bytes = from.end_offset_bytes;
        }
        let listed_max = self.listed_max()?.ok_or_else(|| missing(&self.names.ledger))?;
        let mut file = self.open(self.segment)?.ok_or_else(|| self.lost(self.segment))?;
        self.check_header(file.as_ref(), self.segment, from == Position::START)?;
        loop {
            match self.read_segment(file.as_ref(), visit)? {
                Stop::Sealed => {
                    self.segment = self.segment.saturating_add(1);
                    self.offset_bytes = FIRST_RECORD_OFFSET;
                    file = self.open(self.segment)?.ok_or_else(|| self.lost(self.segment))?;
                    self.check_header(file.as_ref(), self.segment, true)?;
                }
                Stop::Open(flaw) => {
                    if let Some(end) = self.end(file.as_ref(), flaw, listed_max)? {
                        return Ok(end);
                    }
                }
            }
        }
    }

    /// Tells whether the log holds exactly the record that `from` names.
    pub(super) fn holds(&mut self, from: Position) -> Result<bool, LedgerError> {
        let Some(file) = self.open(from.segment)? else { return Ok(false) };
        self.check_header(file.as_ref(), from.segment, false)?;
        let path = self.names.segment(from.segment);
        let Some(length) = from.end_offset_bytes.checked_sub(from.record_offset_bytes) else {
            return Ok(false);
        };
        let wanted = memory_length(length);
        self.window.forget();
        let bytes = self
            .window
            .look(file.as_ref(), from.record_offset_bytes, wanted)
            .tried("read", &path)?;
        let Some(before) = record::stated_before(bytes) else { return Ok(false) };
        let place = Place {
            stream: self.stream,
            segment: from.segment,
            offset_bytes: from.record_offset_bytes,
            before,
        };
        Ok(record::check(bytes, &place).is_ok_and(|record| {
            record.kind == Kind::Data
                && record.link == from.head.link
                && record.sequence == from.head.sequence
        }))
    }

    /// Returns the largest number of a segment; `None` without any.
    pub(super) fn listed_max(&self) -> Result<Option<u32>, LedgerError> {
        let listed = missing_is_none(self.disk.list(&self.names.ledger))
            .tried("list", &self.names.ledger)?;
        let numbers = listed.iter().flatten().filter_map(|entry| segment_number(&entry.name));
        Ok(numbers.max())
    }

    fn open(&mut self, segment: u32) -> Result<Option<File>, LedgerError> {
        self.window.forget();
        let path = self.names.segment(segment);
        missing_is_none(self.disk.open(&path, OpenMode::Read)).tried("open", &path)
    }

    fn lost(&self, segment: u32) -> LedgerError {
        damaged(&self.names.segment(segment), 0, Damage::MissingFile)
    }

    fn check_header(
        &mut self,
        file: &dyn FileHandle,
        segment: u32,
        follows_place: bool,
    ) -> Result<Head, LedgerError> {
        let path = self.names.segment(segment);
        let bytes = self.window.look(file, 0, SEGMENT_HEADER_BYTES).tried("read", &path)?;
        let header = match SegmentHeader::decode(bytes) {
            Ok(header) => header,
            Err(HeaderFlaw::Damaged(what)) => return Err(damaged(&path, 0, what)),
            Err(HeaderFlaw::NewerFormat(found)) => {
                return Err(LedgerError::NewerFormat { found, supported: FORMAT });
            }
        };
        let is_ours = header.stream == self.stream && header.number == segment;
        if !is_ours || (follows_place && header.before.sequence != self.place.head.sequence) {
            return Err(damaged(&path, 0, Damage::Position));
        }
        if follows_place && header.before.link != self.place.head.link {
            return Err(damaged(&path, 0, Damage::Link));
        }
        Ok(header.before)
    }

    fn read_segment(
        &mut self,
        file: &dyn FileHandle,
        visit: &mut dyn FnMut(RecordView<'_>),
    ) -> Result<Stop, LedgerError> {
        let path = self.names.segment(self.segment);
        loop {
            let offset_bytes = self.offset_bytes;
            let place = Place {
                stream: self.stream,
                segment: self.segment,
                offset_bytes,
                before: self.place.head,
            };
            let header = self.window.look(file, offset_bytes, HEADER_BYTES).tried("read", &path)?;
            if header.is_empty() {
                return Ok(Stop::Open(None));
            }
            let claimed = match record::claimed_bytes(header) {
                Ok(claimed) => claimed,
                Err(flaw) => return Ok(Stop::Open(Some(flaw))),
            };
            let bytes = self.window.look(file, offset_bytes, claimed).tried("read", &path)?;
            let record = match record::check(bytes, &place) {
                Ok(record) => record,
                Err(flaw) => return Ok(Stop::Open(Some(flaw))),
            };
            self.offset_bytes = offset_bytes.saturating_add(record.total_bytes);
            if record.kind == Kind::Seal {
                let successor = self.segment.saturating_add(1).to_le_bytes();
                if record.payload != successor {
                    return Err(damaged(&path, offset_bytes, Damage::Position));
                }
                let behind = self.window.look(file, self.offset_bytes, 1).tried("read", &path)?;
                if !behind.is_empty() {
                    return Err(damaged(&path, self.offset_bytes, Damage::Length));
                }
                return Ok(Stop::Sealed);
            }
            self.place = accept(&record, self.segment, offset_bytes, self.witness)?;
            visit(RecordView { position: self.place, payload: record.payload });
        }
    }

    /// Judges the end of an unsealed segment; `None` means that it is worth another look.
    fn end(
        &mut self,
        file: &dyn FileHandle,
        flaw: Option<Flaw>,
        listed_max: u32,
    ) -> Result<Option<End>, LedgerError> {
        let path = self.names.segment(self.segment);
        let here = (self.segment, self.offset_bytes);
        let is_last_look = self.looked_again_at == Some(here);
        if let Some(flaw) = flaw
            && (flaw.is_whole || self.is_followed_by_a_record(file)?)
        {
            return self.look_again(is_last_look, damaged(&path, here.1, flaw.what));
        }
        let next = self.segment.saturating_add(1);
        let has_empty_successor = match self.open(next)? {
            None if listed_max > next
                || (listed_max == next && self.listed_max()? > Some(here.0)) =>
            {
                return self.look_again(is_last_look, self.lost(next));
            }
            None => false,
            Some(successor) => {
                let before = self.check_header(successor.as_ref(), next, false)?;
                let length = successor.metadata().tried("look at", &path)?.length_bytes;
                let is_empty = length == FIRST_RECORD_OFFSET && listed_max <= next;
                if !is_empty {
                    let what = flaw.map_or(Damage::Length, |flaw| flaw.what);
                    return self.look_again(is_last_look, damaged(&path, here.1, what));
                }
                // One that was removed may come back after a power cut, and is then behind.
                if before.sequence >= self.place.head.sequence && before != self.place.head {
                    return self.look_again(is_last_look, damaged(&path, here.1, Damage::Link));
                }
                true
            }
        };
        self.window.forget();
        let length = file.metadata().tried("look at", &path)?.length_bytes;
        let torn_bytes = length.saturating_sub(self.offset_bytes);
        let torn = flaw.map(|flaw| Torn { bytes: torn_bytes, what: flaw.what });
        Ok(Some(End {
            position: self.place,
            segment: self.segment,
            offset_bytes: self.offset_bytes,
            torn,
            has_empty_successor,
            log_bytes: self.log_bytes(has_empty_successor)?,
        }))
    }

    fn look_again(
        &mut self,
        is_last_look: bool,
        error: LedgerError,
    ) -> Result<Option<End>, LedgerError> {
        self.window.forget();
        if is_last_look {
            return Err(error);
        }
        self.looked_again_at = Some((self.segment, self.offset_bytes));
        Ok(None)
    }

    /// Searches everything behind the present offset for a record with a right checksum.
    fn is_followed_by_a_record(&mut self, file: &dyn FileHandle) -> Result<bool, LedgerError> {
        let path = self.names.segment(self.segment);
        let mut offset_bytes = self.offset_bytes.saturating_add(1);
        loop {
            let bytes = self.window.look(file, offset_bytes, SEARCH_BYTES).tried("read", &path)?;
            let searched = bytes.len();
            let found = memchr::memmem::find(bytes, &RECORD_MAGIC);
            let Some(found) = found else {
                if searched < SEARCH_BYTES {
                    return Ok(false);
                }
                let step = disk_length(SEARCH_BYTES - RECORD_MAGIC.len() + 1);
                offset_bytes = offset_bytes.saturating_add(step);
                continue;
            };
            offset_bytes = offset_bytes.saturating_add(disk_length(found));
            let header = self.window.look(file, offset_bytes, HEADER_BYTES).tried("read", &path)?;
            if let Ok(claimed) = record::claimed_bytes(header) {
                let bytes = self.window.look(file, offset_bytes, claimed).tried("read", &path)?;
                if record::is_whole(bytes) {
                    return Ok(true);
                }
            }
            offset_bytes = offset_bytes.saturating_add(1);
        }
    }

    fn log_bytes(&self, has_empty_successor: bool) -> Result<u64, LedgerError> {
        let mut total = if has_empty_successor { FIRST_RECORD_OFFSET } else { 0 };
        for number in 1..=self.segment {
            let path = self.names.segment(number);
            let metadata = missing_is_none(self.disk.metadata(&path)).tried("look at", &path)?;
            let metadata = metadata.ok_or_else(|| self.lost(number))?;
            total = metadata.length_bytes.saturating_add(total);
        }
        Ok(total)
    }
}

/// Bytes searched at a time for a record behind invalid ones.
const SEARCH_BYTES: usize = 32 * 1024;

/// Moves behind a checked record, unless the witness names another one with its sequence.
fn accept(
    record: &Record<'_>,
    segment: u32,
    offset_bytes: u64,
    witness: Option<Witness>,
) -> Result<Position, LedgerError> {
    let head = Head { sequence: record.sequence, link: record.link };
    if let Some(witness) = witness {
        witness.agree(head)?;
    }
    Ok(Position {
        head,
        segment,
        record_offset_bytes: offset_bytes,
        end_offset_bytes: offset_bytes.saturating_add(record.total_bytes),
    })
}
