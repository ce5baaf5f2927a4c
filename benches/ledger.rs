//! What a ledger costs: one append with its syncs, and a full reading of a million records.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot set itself up has no result")]

use std::hint::black_box;
use std::io;
use std::sync::Arc;

use context_continuity::domain::ids::TaskRef;
use context_continuity::domain::ports::{Ledger as _, Position};
use context_continuity::io::fs::{
    Entry, FileHandle, FileSystem, Metadata, OpenMode, RealDisk, RelativePath,
};
use context_continuity::io::ledger::{LedgerConfig, SegmentLog};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const TASK: TaskRef = TaskRef::new([7; 16]);

/// With its frame a record is then 300 bytes long.
const PAYLOAD: [u8; 184] = [5; 184];

/// Records of the full reading.
const RECORD_COUNT: u64 = 1_000_000;

fn opened(disk: Arc<dyn FileSystem>) -> SegmentLog {
    let mut log = SegmentLog::new(disk, TASK, LedgerConfig::default());
    log.lock(0).unwrap();
    if log.exists().unwrap() {
        log.read(Position::START, &mut |_| ()).unwrap();
    } else {
        log.create().unwrap();
    }
    log
}

fn append(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let disk = RealDisk::create(&folder.path().join("root")).unwrap();
    let mut log = opened(Arc::new(disk));
    criterion.bench_function("append and sync 300 bytes", |bencher| {
        bencher.iter(|| log.append(black_box(&PAYLOAD)).unwrap());
    });
}

fn scan(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let disk: Arc<dyn FileSystem> =
        Arc::new(RealDisk::create(&folder.path().join("root")).unwrap());
    let mut log = opened(Arc::new(Unsynced(Arc::clone(&disk))));
    for _ in 0..RECORD_COUNT {
        log.append(&PAYLOAD).unwrap();
    }
    drop(log);
    let mut group = criterion.benchmark_group("full reading of a million records");
    group.sample_size(10).throughput(Throughput::Elements(RECORD_COUNT));
    group.bench_function("300 bytes each", |bencher| {
        bencher.iter(|| {
            let mut log = SegmentLog::new(Arc::clone(&disk), TASK, LedgerConfig::default());
            let mut payload_bytes = 0;
            log.read(Position::START, &mut |record| payload_bytes += record.payload.len()).unwrap();
            black_box(payload_bytes)
        });
    });
    group.finish();
}

/// Fills a disk quickly: what is read back is the same, only not durable.
struct Unsynced(Arc<dyn FileSystem>);

struct UnsyncedHandle(Box<dyn FileHandle>);

impl FileHandle for UnsyncedHandle {
    fn read_at(&self, buffer: &mut [u8], offset_bytes: u64) -> io::Result<usize> {
        self.0.read_at(buffer, offset_bytes)
    }

    fn write_at(&mut self, bytes: &[u8], offset_bytes: u64) -> io::Result<usize> {
        self.0.write_at(bytes, offset_bytes)
    }

    fn set_length(&mut self, length_bytes: u64) -> io::Result<()> {
        self.0.set_length(length_bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn metadata(&self) -> io::Result<Metadata> {
        self.0.metadata()
    }

    fn try_lock(&mut self) -> io::Result<()> {
        self.0.try_lock()
    }
}

impl FileSystem for Unsynced {
    fn open(&self, path: &RelativePath, mode: OpenMode) -> io::Result<Box<dyn FileHandle>> {
        Ok(Box::new(UnsyncedHandle(self.0.open(path, mode)?)))
    }

    fn create_directory(&self, path: &RelativePath) -> io::Result<()> {
        self.0.create_directory(path)
    }

    fn sync_directory(&self, _: &RelativePath) -> io::Result<()> {
        Ok(())
    }

    fn list(&self, path: &RelativePath) -> io::Result<Vec<Entry>> {
        self.0.list(path)
    }

    fn metadata(&self, path: &RelativePath) -> io::Result<Metadata> {
        self.0.metadata(path)
    }

    fn rename(&self, from: &RelativePath, to: &RelativePath) -> io::Result<()> {
        self.0.rename(from, to)
    }

    fn publish(&self, from: &RelativePath, to: &RelativePath) -> io::Result<()> {
        self.0.publish(from, to)
    }

    fn remove_file(&self, path: &RelativePath) -> io::Result<()> {
        self.0.remove_file(path)
    }

    fn remove_directory(&self, path: &RelativePath) -> io::Result<()> {
        self.0.remove_directory(path)
    }
}

criterion_group!(benches, append, scan);
criterion_main!(benches);
