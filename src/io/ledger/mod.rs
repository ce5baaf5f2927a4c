//! The segment-file ledger: one hash-chained log for one task.
//!
//! One writer at a time, any number of readers without a lock. It never shows a byte that it has
//! not checked, never cuts anything but a torn tail, and never writes again after a write that
//! failed, until the log was read anew. It knows nothing of what the records mean.
//!
//! Source: `docs/format.md`.

use std::fmt;
use std::io;
use std::sync::Arc;

mod anchor;
mod create;
mod error;
mod lock;
mod names;
mod record;
mod repair;
mod scan;
mod segment;
mod tail;
mod verify;
mod window;
mod write;

pub(super) use error::refused;
pub use record::PAYLOAD_BYTES_MAX;
pub use verify::{AnchorState, VerifyProgress, VerifyReport};

use self::anchor::{Found, Witness};
use self::error::{Tried, damaged, missing};
use self::names::Names;
use self::scan::{End, Scan};
use self::tail::{Site, Tail};
use self::window::Window;
use super::fs::atomic::missing_is_none;
use super::fs::{FileHandle, FileSystem};
use crate::domain::chain::{Basis, Sequence};
use crate::domain::ids::TaskRef;
use crate::domain::ports::{Damage, Ledger, LedgerError, Position, Reading, RecordView};
use crate::domain::redact::redact_str;
use crate::io::bytes::disk_length;

/// How long the parts of a log may grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerConfig {
    /// Where a segment ends: no record is added that would take it, with its seal, past this many
    /// bytes. A segment holds at least one record.
    pub segment_bytes_max: u64,
    /// Longest payload of one record in bytes; never more than [`PAYLOAD_BYTES_MAX`].
    pub payload_bytes_max: u32,
}

impl Default for LedgerConfig {
    fn default() -> Self {
        Self { segment_bytes_max: 1024 * 1024, payload_bytes_max: 16 * 1024 }
    }
}

/// Whether this handle may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// Nothing failed.
    Whole,
    /// A write or sync failed: the lock must be taken anew.
    Failed,
    /// It was; now everything must be read anew.
    MustReread,
}

/// The log of one task, below a data root.
pub struct SegmentLog {
    disk: Arc<dyn FileSystem>,
    names: Names,
    stream: TaskRef,
    config: LedgerConfig,
    window: Window,
    record: Vec<u8>,
    lock: Option<Box<dyn FileHandle>>,
    trust: Trust,
    tail: Option<Tail>,
}

impl fmt::Debug for SegmentLog {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SegmentLog")
            .field("stream", &self.stream)
            .field("config", &self.config)
            .field("trust", &self.trust)
            .finish_non_exhaustive()
    }
}

impl SegmentLog {
    /// Names a log; touches nothing.
    #[must_use]
    pub fn new(disk: Arc<dyn FileSystem>, stream: TaskRef, config: LedgerConfig) -> Self {
        Self {
            disk,
            names: Names::new(stream),
            stream,
            config,
            window: Window::new(),
            record: Vec::new(),
            lock: None,
            trust: Trust::Whole,
            tail: None,
        }
    }

    fn site(&self) -> Site<'_> {
        Site {
            disk: self.disk.as_ref(),
            names: &self.names,
            stream: self.stream,
            segment_bytes_max: self.config.segment_bytes_max,
        }
    }

    fn scan(&mut self, witness: Option<Witness>) -> Scan<'_> {
        Scan::new(self.disk.as_ref(), &self.names, self.stream, &mut self.window, witness)
    }

    fn look_at_anchor(&self) -> Result<Found, LedgerError> {
        anchor::look(self.disk.as_ref(), &self.names, self.stream)
    }

    /// Tells whether the first segment is there: the cheap way to see that there is a log.
    fn has_first_segment(&self) -> Result<bool, LedgerError> {
        let path = self.names.segment(1);
        Ok(missing_is_none(self.disk.metadata(&path)).tried("look at", &path)?.is_some())
    }

    /// Answers for a log without a single segment.
    fn require_segments(&mut self, found: Found) -> Result<(), LedgerError> {
        if self.has_first_segment()? || self.scan(None).listed_max()?.is_some() {
            return Ok(());
        }
        Err(match found {
            Found::Missing => missing(&self.names.ledger),
            Found::Unreadable => damaged(&self.names.segment(1), 0, Damage::MissingFile),
            Found::Witness(witness) => LedgerError::RolledBack {
                acknowledged: witness.head().sequence,
                found: Sequence::ZERO,
            },
        })
    }

    /// Says why the log does not hold the record that a reader stands behind.
    fn disagree(&mut self, from: Position, witness: Option<Witness>) -> LedgerError {
        match self.scan(witness).run(Position::START, &mut |_| ()) {
            Err(error) => error,
            Ok(end) if end.position.head.sequence < from.head.sequence => LedgerError::RolledBack {
                acknowledged: from.head.sequence,
                found: end.position.head.sequence,
            },
            Ok(_) => LedgerError::Forked { at: from.head.sequence },
        }
    }

    /// Reads without changing anything, and compares with the anchor.
    fn read_only(
        &mut self,
        from: Position,
        found: Found,
        visit: &mut dyn FnMut(RecordView<'_>),
    ) -> Result<End, LedgerError> {
        self.require_segments(found)?;
        let witness = found.witness();
        if from != Position::START && !self.scan(None).holds(from)? {
            return Err(self.disagree(from, witness));
        }
        let end = self.scan(witness).run(from, visit)?;
        let ends_at = end.position.head.sequence;
        match (witness, end.torn) {
            (Some(witness), Some(torn)) if witness.head().sequence > ends_at => {
                Err(damaged(&self.names.segment(end.segment), end.offset_bytes, torn.what))
            }
            (Some(witness), None) if witness.head().sequence > ends_at => {
                Err(LedgerError::RolledBack {
                    acknowledged: witness.head().sequence,
                    found: ends_at,
                })
            }
            _ => Ok(end),
        }
    }

    fn take_hold(&mut self, end: &End, found: Found) -> Result<(), LedgerError> {
        match repair::take_hold(&self.site(), end, found) {
            Ok(tail) => {
                self.tail = Some(tail);
                self.trust = Trust::Whole;
                Ok(())
            }
            Err(error) => Err(self.fail(error)),
        }
    }

    /// Ends writing with this hold on the log.
    fn fail(&mut self, error: LedgerError) -> LedgerError {
        self.tail = None;
        self.trust = Trust::Failed;
        error
    }

    const fn may_take_hold(&self, from_start: bool) -> bool {
        self.lock.is_some()
            && match self.trust {
                Trust::Whole => true,
                Trust::MustReread => from_start,
                Trust::Failed => false,
            }
    }
}

impl Ledger for SegmentLog {
    fn exists(&self) -> Result<bool, LedgerError> {
        if self.has_first_segment()? {
            return Ok(true);
        }
        let mut window = Window::new();
        let disk = self.disk.as_ref();
        let scan = Scan::new(disk, &self.names, self.stream, &mut window, None);
        if scan.listed_max()?.is_some() {
            return Ok(true);
        }
        // A witness without its log is a log that was lost, not one that never was.
        let anchor = missing_is_none(disk.metadata(&self.names.anchor));
        Ok(anchor.tried("look at", &self.names.anchor)?.is_some())
    }

    fn lock(&mut self, patience_millis: u64) -> Result<(), LedgerError> {
        if self.lock.is_some() && self.trust != Trust::Failed {
            return Ok(());
        }
        self.unlock();
        self.lock = Some(lock::acquire(self.disk.as_ref(), &self.names, patience_millis)?);
        if self.trust == Trust::Failed {
            self.trust = Trust::MustReread;
        }
        Ok(())
    }

    fn unlock(&mut self) {
        self.tail = None;
        self.lock = None;
    }

    fn is_poisoned(&self) -> bool {
        self.trust != Trust::Whole
    }

    fn create(&mut self) -> Result<(), LedgerError> {
        if !self.may_take_hold(true) {
            return Err(LedgerError::Poisoned);
        }
        let found = self.look_at_anchor()?;
        match self.require_segments(found) {
            Err(LedgerError::Missing { .. }) => {}
            Err(error) => return Err(error),
            Ok(()) => {
                let exists = Err(io::ErrorKind::AlreadyExists.into());
                return exists.tried("create", &self.names.ledger);
            }
        }
        match create::create_log(self.disk.as_ref(), &self.names, self.stream) {
            Ok(tail) => {
                self.tail = Some(tail);
                self.trust = Trust::Whole;
                Ok(())
            }
            Err(error) => Err(self.fail(error)),
        }
    }

    fn read(
        &mut self,
        from: Position,
        visit: &mut dyn FnMut(RecordView<'_>),
    ) -> Result<Reading, LedgerError> {
        self.tail = None;
        // Before the log, so that a writer who goes on meanwhile cannot make it lead.
        let found = self.look_at_anchor()?;
        let end = self.read_only(from, found, visit)?;
        let torn_bytes = end.torn.map_or(0, |torn| torn.bytes);
        let mut log_bytes = end.log_bytes;
        if self.may_take_hold(from == Position::START) {
            self.take_hold(&end, found)?;
            log_bytes = end.mended_bytes();
        }
        let basis = match from.head.sequence {
            Sequence::ZERO => Basis::Full,
            since => Basis::Since(since),
        };
        Ok(Reading { position: end.position, basis, log_bytes, torn_bytes })
    }

    fn append(&mut self, payload: &[u8]) -> Result<Position, LedgerError> {
        let bytes = disk_length(payload.len());
        let bytes_max = u64::from(self.config.payload_bytes_max.min(PAYLOAD_BYTES_MAX));
        if bytes > bytes_max {
            return Err(LedgerError::TooLarge { bytes, bytes_max });
        }
        let Some(tail) = self.tail.take().filter(|_| self.trust == Trust::Whole) else {
            return Err(LedgerError::Poisoned);
        };
        let mut record = std::mem::take(&mut self.record);
        let appended = tail.append(&self.site(), payload, &mut record);
        self.record = record;
        match appended {
            Ok((position, Ok(tail))) => {
                self.tail = Some(tail);
                Ok(position)
            }
            Ok((position, Err(error))) => {
                let error = self.fail(error);
                tracing::warn!(error = %redact_str(&error.to_string()), "the record stands, its witness could not be written");
                Ok(position)
            }
            Err(error) => Err(self.fail(error)),
        }
    }

    fn flush_anchor(&mut self) -> Result<(), LedgerError> {
        let Some(tail) = self.tail.as_mut() else { return Err(LedgerError::Poisoned) };
        let anchors = &self.names.anchors;
        // Its name too: who created it may have been stopped before that sync.
        let flushed = tail.anchor.sync();
        match flushed.and_then(|()| self.disk.sync_directory(anchors).tried("sync", anchors)) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.fail(error)),
        }
    }

    fn accept_rollback(&mut self) -> Result<Position, LedgerError> {
        self.tail = None;
        if !self.may_take_hold(true) {
            return Err(LedgerError::Poisoned);
        }
        let found = self.look_at_anchor()?;
        self.require_segments(found)?;
        let end = self.scan(None).run(Position::START, &mut |_| ())?;
        self.take_hold(&end, found)?;
        let Some(tail) = self.tail.as_mut() else { return Err(LedgerError::Poisoned) };
        match tail.anchor.replace(end.position) {
            Ok(()) => Ok(end.position),
            Err(error) => Err(self.fail(error)),
        }
    }
}
