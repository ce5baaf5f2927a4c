//! Where the files of one log lie below the data root.
//!
//! Source: `docs/format.md`, "Files".

use crate::domain::ids::TaskRef;
use crate::io::fs::RelativePath;
use crate::io::root::layout::{self, below};

/// Digits of a segment's number in its file name.
const NUMBER_DIGITS: usize = 6;

/// The largest segment number that its file name can hold.
pub(super) const SEGMENT_NUMBER_MAX: u32 = 999_999;

/// The paths of one log.
#[derive(Debug, Clone)]
pub(super) struct Names {
    pub(super) tasks: RelativePath,
    pub(super) task: RelativePath,
    pub(super) ledger: RelativePath,
    pub(super) quarantine: RelativePath,
    pub(super) anchors: RelativePath,
    pub(super) anchor: RelativePath,
    pub(super) locks: RelativePath,
    pub(super) lock: RelativePath,
}

impl Names {
    pub(super) fn new(stream: TaskRef) -> Self {
        let task = layout::task(stream);
        Self {
            ledger: below(&task, "ledger"),
            quarantine: below(&task, "quarantine"),
            anchor: layout::anchor(stream),
            lock: layout::lock(stream),
            tasks: layout::tasks(),
            task,
            anchors: layout::anchors(),
            locks: layout::locks(),
        }
    }

    /// The file of a segment.
    pub(super) fn segment(&self, number: u32) -> RelativePath {
        below(&self.ledger, &format!("{number:0NUMBER_DIGITS$}.seg"))
    }

    /// A segment that does not belong to the log yet.
    pub(super) fn unpublished(&self, number: u32) -> RelativePath {
        below(&self.ledger, &format!("{number:0NUMBER_DIGITS$}.new"))
    }

    /// Where bytes that were cut off are kept; `copy` counts from 1.
    pub(super) fn quarantined(&self, segment: u32, offset_bytes: u64, copy: u32) -> RelativePath {
        let name = format!("{segment:0NUMBER_DIGITS$}-{offset_bytes}");
        match copy {
            1 => below(&self.quarantine, &name),
            _ => below(&self.quarantine, &format!("{name}-{copy}")),
        }
    }
}

/// Returns the number in a segment's file name; `None` for any other name.
pub(super) fn segment_number(name: &str) -> Option<u32> {
    let digits = name.strip_suffix(".seg")?;
    let is_number = digits.len() == NUMBER_DIGITS && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten().filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_six_digits_and_the_suffix_name_a_segment() {
        assert_eq!(segment_number("000001.seg"), Some(1));
        assert_eq!(segment_number("999999.seg"), Some(SEGMENT_NUMBER_MAX));
        for other in ["000000.seg", "1.seg", "0000001.seg", "+00001.seg", "000001.new", ".seg"] {
            assert_eq!(segment_number(other), None, "{other}");
        }
    }

    #[test]
    fn a_segment_path_names_its_number() {
        let names = Names::new(TaskRef::new([7; 16]));
        assert_eq!(segment_number(names.segment(42).name()), Some(42));
        assert_eq!(names.quarantined(3, 17, 1).name(), "000003-17");
        assert_eq!(names.quarantined(3, 17, 2).name(), "000003-17-2");
    }
}
