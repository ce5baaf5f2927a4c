//! Logs on the fault disk, and what a recovery must find there.

use std::sync::Arc;

use context_continuity::domain::ids::TaskRef;
use context_continuity::domain::ports::{Ledger, LedgerError, Position, Reading};
use context_continuity::io::fs::fault::FaultDisk;
use context_continuity::io::fs::{FileSystem, RelativePath};
use context_continuity::io::ledger::{LedgerConfig, SegmentLog, VerifyReport};

pub const TASK: TaskRef = TaskRef::new([7; 16]);

/// Bytes of a segment's header.
pub const SEGMENT_HEADER: usize = 72;

/// Bytes of a record without its payload.
pub const FRAME: usize = 116;

/// Small segments, so that a short script crosses many of them.
pub const SMALL: LedgerConfig = LedgerConfig { segment_bytes_max: 2400, payload_bytes_max: 4096 };

/// One segment for everything.
pub const WIDE: LedgerConfig =
    LedgerConfig { segment_bytes_max: 1024 * 1024, payload_bytes_max: 16 * 1024 };

pub fn open_on(disk: impl FileSystem + 'static, config: LedgerConfig) -> SegmentLog {
    SegmentLog::new(Arc::new(disk), TASK, config)
}

pub fn open(disk: &FaultDisk, config: LedgerConfig) -> SegmentLog {
    open_on(disk.clone(), config)
}

pub fn path(text: &str) -> RelativePath {
    text.parse().unwrap()
}

pub fn segment(number: u32) -> RelativePath {
    path(&format!("tasks/{TASK}/ledger/{number:06}.seg"))
}

pub fn anchor() -> RelativePath {
    path(&format!("anchors/{TASK}"))
}

pub fn lock_file() -> RelativePath {
    path(&format!("locks/{TASK}.lock"))
}

/// The payload of record `number`, unlike any other of the same length.
pub fn payload(number: usize, length: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> = u64::try_from(number).unwrap().to_le_bytes().to_vec();
    bytes.resize(length.max(8), u8::try_from(number % 251).unwrap());
    bytes
}

/// Everything that a reading shows, and what it came to.
pub fn read_all(log: &mut SegmentLog) -> (Vec<Vec<u8>>, Result<Reading, LedgerError>) {
    let mut seen = Vec::new();
    let reading = log.read(Position::START, &mut |record| seen.push(record.payload.to_vec()));
    (seen, reading)
}

/// Reads without the lock.
pub fn peek(disk: &FaultDisk) -> (Vec<Vec<u8>>, Result<Reading, LedgerError>) {
    read_all(&mut open(disk, SMALL))
}

pub fn verify(disk: &FaultDisk) -> VerifyReport {
    open(disk, SMALL).verify(&mut |_| ())
}

/// Creates a log of `payloads` on a fresh disk.
pub fn written(config: LedgerConfig, payloads: &[Vec<u8>]) -> FaultDisk {
    let disk = FaultDisk::new();
    let mut log = open(&disk, config);
    log.lock(0).unwrap();
    log.create().unwrap();
    for payload in payloads {
        log.append(payload).unwrap();
    }
    log.flush_anchor().unwrap();
    disk
}

/// Puts the files of a disk, as changed by `change`, onto a fresh one.
pub fn copied(disk: &FaultDisk, change: impl Fn(&str, &mut Vec<u8>)) -> FaultDisk {
    let copy = FaultDisk::new();
    for (name, mut bytes) in disk.files() {
        change(&name, &mut bytes);
        copy.put(&path(&name), &bytes);
    }
    copy
}

/// Where each record of a segment of equal records starts.
pub fn record_range(index: usize, payload_bytes: usize) -> std::ops::Range<usize> {
    let length = payload_bytes + FRAME;
    let start = SEGMENT_HEADER + index * length;
    start..start + length
}
