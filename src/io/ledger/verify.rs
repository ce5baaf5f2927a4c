//! Reading everything, for a person who asks whether it is whole.

use super::SegmentLog;
use super::anchor::Found;
use super::error::Tried;
use super::scan::Scan;
use crate::domain::chain::{Basis, Head};
use crate::domain::ports::{LedgerError, Position};
use crate::io::fs::atomic::missing_is_none;

/// How far a verification has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifyProgress {
    /// Whole records so far.
    pub records: u64,
    /// Bytes of them.
    pub record_bytes: u64,
    /// Bytes of all segments together, headers and seals included.
    pub log_bytes: u64,
}

/// What the anchor says about a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnchorState {
    /// There is none: the next writer makes one.
    Missing,
    /// Neither of its slots is whole: the next writer makes them anew.
    Unreadable,
    /// It witnesses this record; the log may hold later ones.
    Witnesses(Head),
}

/// What a verification found.
#[derive(Debug)]
pub struct VerifyReport {
    /// Whole records, up to the problem if there is one.
    pub records: u64,
    /// Segment files.
    pub segments: u32,
    /// Bytes of all segments together.
    pub log_bytes: u64,
    /// The last whole record.
    pub head: Head,
    /// Always full.
    pub basis: Basis,
    /// Bytes behind the last whole record that the next writer sets aside.
    pub torn_bytes: u64,
    /// The witness.
    pub anchor: AnchorState,
    /// What is wrong; `None` when the log is whole.
    pub problem: Option<LedgerError>,
}

impl SegmentLog {
    /// Reads and checks everything, and changes nothing; needs no lock.
    ///
    /// `progress` is called behind each record.
    pub fn verify(&mut self, progress: &mut dyn FnMut(VerifyProgress)) -> VerifyReport {
        let mut report = VerifyReport {
            records: 0,
            segments: 0,
            log_bytes: 0,
            head: Head::EMPTY,
            basis: Basis::Full,
            torn_bytes: 0,
            anchor: AnchorState::Missing,
            problem: None,
        };
        report.problem = self.verify_into(&mut report, progress).err();
        report
    }

    fn verify_into(
        &mut self,
        report: &mut VerifyReport,
        progress: &mut dyn FnMut(VerifyProgress),
    ) -> Result<(), LedgerError> {
        (report.segments, report.log_bytes) = self.measure()?;
        let found = self.look_at_anchor()?;
        report.anchor = match found {
            Found::Missing => AnchorState::Missing,
            Found::Unreadable => AnchorState::Unreadable,
            Found::Witness(witness) => AnchorState::Witnesses(witness.head()),
        };
        let log_bytes = report.log_bytes;
        let mut record_bytes: u64 = 0;
        let end = self.read_only(Position::START, found, &mut |record| {
            report.records = report.records.saturating_add(1);
            report.head = record.position.head;
            let length = record
                .position
                .end_offset_bytes
                .saturating_sub(record.position.record_offset_bytes);
            record_bytes = record_bytes.saturating_add(length);
            progress(VerifyProgress { records: report.records, record_bytes, log_bytes });
        })?;
        report.torn_bytes = end.torn.map_or(0, |torn| torn.bytes);
        Ok(())
    }

    /// Counts the segment files and their bytes.
    fn measure(&mut self) -> Result<(u32, u64), LedgerError> {
        let disk = self.disk.as_ref();
        let scan = Scan::new(disk, &self.names, self.stream, &mut self.window, None);
        let last = scan.listed_max()?.unwrap_or(0);
        let (mut segments, mut log_bytes) = (0_u32, 0_u64);
        for number in 1..=last {
            let path = self.names.segment(number);
            if let Some(metadata) = missing_is_none(disk.metadata(&path)).tried("look at", &path)? {
                segments = segments.saturating_add(1);
                log_bytes = log_bytes.saturating_add(metadata.length_bytes);
            }
        }
        Ok((segments, log_bytes))
    }
}
