//! Several writers and readers of one log, one step after the other in every order.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use context_continuity::domain::ports::{Ledger as _, LedgerError, Position};
use context_continuity::io::fs::FileSystem;
use context_continuity::io::fs::fault::{Fault, FaultDisk, Repeat};
use context_continuity::io::ledger::SegmentLog;

use crate::script::{play, script};
use crate::support::{SMALL, open, payload, peek, read_all, verify, written};

/// A writer's critical section, one step at a time.
struct Writer {
    log: SegmentLog,
    name: usize,
    step: usize,
    at: Position,
    acknowledged: Vec<Vec<u8>>,
}

const STEPS: usize = 6;

impl Writer {
    fn new(disk: &FaultDisk, name: usize) -> Self {
        let log = open(disk, SMALL);
        Self { log, name, step: 0, at: Position::START, acknowledged: Vec::new() }
    }

    /// Takes one step; a lock that is held elsewhere leaves it where it is.
    fn advance(&mut self) {
        match self.step {
            0 => match self.log.lock(0) {
                Ok(()) => {}
                Err(LedgerError::Busy) => return,
                Err(error) => panic!("{error}"),
            },
            1 => self.at = self.log.read(Position::START, &mut |_| ()).unwrap().position,
            2 | 3 => {
                let bytes = payload(self.name * 100 + self.step, 600);
                let position = self.log.append(&bytes).unwrap();
                assert_eq!(position.head.sequence, self.at.head.sequence.next());
                self.at = position;
                self.acknowledged.push(bytes);
            }
            4 => self.log.flush_anchor().unwrap(),
            5 => self.log.unlock(),
            _ => return,
        }
        self.step += 1;
    }
}

// covers: P-158
#[test]
fn two_writers_append_each_record_once_in_any_interleaving() {
    let mut order_count = 0;
    for order in 0_u32..1 << (2 * STEPS) {
        if order.count_ones() as usize != STEPS {
            continue;
        }
        order_count += 1;
        let disk = written(SMALL, &[]);
        let mut writers = [Writer::new(&disk, 1), Writer::new(&disk, 2)];
        for turn in 0..2 * STEPS {
            writers[usize::from(order >> turn & 1 == 1)].advance();
        }
        while writers.iter().any(|writer| writer.step < STEPS) {
            writers.iter_mut().for_each(Writer::advance);
        }
        let (mut seen, reading) = peek(&disk);
        assert_eq!(reading.unwrap().position.head.sequence.get(), 4, "order {order:b}");
        let [first, second] = writers;
        let mut wanted = [first.acknowledged, second.acknowledged].concat();
        seen.sort();
        wanted.sort();
        assert_eq!(seen, wanted, "order {order:b}");
    }
    assert_eq!(order_count, 924);
}

#[test]
fn a_writer_without_the_lock_or_a_reading_is_refused() {
    let disk = written(SMALL, &[payload(0, 10)]);
    let mut log = open(&disk, SMALL);
    assert!(matches!(log.append(b"x"), Err(LedgerError::Poisoned)));
    assert!(matches!(log.create(), Err(LedgerError::Poisoned)));
    assert!(matches!(log.accept_rollback(), Err(LedgerError::Poisoned)));
    read_all(&mut log).1.unwrap();
    assert!(matches!(log.append(b"x"), Err(LedgerError::Poisoned)));
    log.lock(0).unwrap();
    assert!(matches!(log.append(b"x"), Err(LedgerError::Poisoned)));
    read_all(&mut log).1.unwrap();
    log.append(b"x").unwrap();
    log.unlock();
    assert!(matches!(log.append(b"x"), Err(LedgerError::Poisoned)));
}

#[test]
fn the_lock_is_busy_for_others_and_free_once_its_holder_is_gone() {
    let disk = written(SMALL, &[payload(0, 10)]);
    disk.edit(&crate::support::lock_file(), |bytes| bytes.extend_from_slice(b"pid 1"));
    for _ in 0..100 {
        let mut holder = open(&disk, SMALL);
        holder.lock(0).unwrap();
        let mut other = open(&disk, SMALL);
        assert!(matches!(other.lock(0), Err(LedgerError::Busy)));
        drop(holder);
        other.lock(0).unwrap();
    }
}

/// Watches a script from outside at each of its calls.
fn watch(faults: &[Fault], look: impl Fn(&FaultDisk) + Send + Sync + 'static) -> FaultDisk {
    let disk = FaultDisk::new();
    for fault in faults {
        disk.plan(0, *fault, Repeat::Forever);
    }
    let door: Arc<dyn FileSystem> = Arc::new(disk.clone());
    let (watched, is_looking) = (disk.clone(), AtomicBool::new(false));
    disk.before_each_call(move |_| {
        if !is_looking.swap(true, Ordering::SeqCst) {
            look(&watched);
            is_looking.store(false, Ordering::SeqCst);
        }
    });
    play(&disk, &door, &script()).1.unwrap();
    disk.clear_hook();
    disk
}

#[test]
fn a_reader_sees_a_whole_prefix_before_every_call_of_a_writer() {
    for faults in [&[][..], &[Fault::WriteHalf]] {
        let last: Arc<Mutex<Vec<Vec<u8>>>> = Arc::default();
        let looked = Arc::clone(&last);
        let disk = watch(faults, move |disk| {
            let (seen, reading) = peek(disk);
            let mut last = looked.lock().unwrap();
            match reading {
                Ok(_) => {}
                Err(LedgerError::Missing { .. }) if last.is_empty() => {}
                other => panic!("{other:?}"),
            }
            assert!(seen.starts_with(&last), "a reader saw a record that went away");
            *last = seen;
        });
        assert_eq!(peek(&disk).0, *last.lock().unwrap());
    }
}

#[test]
fn a_follower_that_reads_the_tail_misses_nothing() {
    let state = Arc::new(Mutex::new((Position::START, Vec::new())));
    let shared = Arc::clone(&state);
    let disk = watch(&[], move |disk| {
        let mut state = shared.lock().unwrap();
        let (from, mut seen) = state.clone();
        let reading =
            open(disk, SMALL).read(from, &mut |record| seen.push(record.payload.to_vec()));
        match reading {
            Ok(reading) => *state = (reading.position, seen),
            Err(LedgerError::Missing { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    });
    assert_eq!(peek(&disk).0, state.lock().unwrap().1);
}

#[test]
fn a_reading_leaves_the_disk_as_it_was() {
    let disk = FaultDisk::new();
    assert!(!open(&disk, SMALL).exists().unwrap());
    assert!(matches!(peek(&disk).1, Err(LedgerError::Missing { .. })));
    assert!(disk.paths().is_empty());
    let disk = written(SMALL, &[payload(0, 10)]);
    let before = disk.call_count();
    peek(&disk).1.unwrap();
    assert!(verify(&disk).problem.is_none());
    let calls = disk.calls();
    assert!(calls.iter().skip(usize::try_from(before).unwrap()).all(|call| !call.kind.is_change()));
}
