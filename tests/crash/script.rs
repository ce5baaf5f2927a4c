//! A script of ledger commands, and the oracle for whatever a crash leaves of it.

use std::sync::Arc;

use context_continuity::domain::ports::{Ledger as _, LedgerError, Position};
use context_continuity::io::fs::FileSystem;
use context_continuity::io::fs::fault::FaultDisk;
use context_continuity::io::ledger::{AnchorState, SegmentLog};

use crate::support::{SMALL, TASK, open, payload, read_all, verify};

#[derive(Debug, Clone, Copy)]
pub enum Step {
    Create,
    Append(usize),
    Flush,
    /// Gives the lock back, takes it again and reads the tail.
    Relock,
    /// Another process goes on.
    Reopen,
}

/// Crosses every path that writes: creation, short, empty, long and oversized records, rotation by
/// each of them, flush, tail reading and reopening.
pub fn script() -> Vec<Step> {
    use Step::{Append, Create, Flush, Relock, Reopen};
    let mut steps = vec![Create];
    for round in 0..4 {
        steps.extend([Append(40), Append(300), Append(8), Flush, Append(600), Append(900)]);
        steps.push(if round % 2 == 0 { Relock } else { Reopen });
        steps.extend([Append(1), Append(2000), Append(200)]);
    }
    steps.push(Flush);
    steps
}

/// What was sent, acknowledged and flushed, each with the number of calls made by then.
#[derive(Debug, Clone, Default)]
pub struct History {
    pub sent: Vec<(u64, Vec<u8>)>,
    pub acknowledged: Vec<u64>,
    pub flushed: Vec<(u64, usize)>,
}

impl History {
    /// Records acknowledged when `calls` calls had been made.
    pub fn acknowledged_by(&self, calls: u64) -> usize {
        self.acknowledged.iter().filter(|at| **at <= calls).count()
    }

    fn sent_by(&self, calls: u64) -> usize {
        self.sent.iter().filter(|(at, _)| *at < calls).count()
    }

    fn flushed_by(&self, calls: u64) -> usize {
        self.flushed
            .iter()
            .filter(|(at, _)| *at <= calls)
            .map(|(_, count)| *count)
            .max()
            .unwrap_or(0)
    }

    fn payloads(&self) -> Vec<Vec<u8>> {
        self.sent.iter().map(|(_, bytes)| bytes.clone()).collect()
    }
}

/// Plays the script through `door`, which leads to `disk`, until something fails.
pub fn play(
    disk: &FaultDisk,
    door: &Arc<dyn FileSystem>,
    steps: &[Step],
) -> (History, Result<(), LedgerError>) {
    let mut history = History::default();
    let mut log = SegmentLog::new(Arc::clone(door), TASK, SMALL);
    let mut at = Position::START;
    let mut outcome = log.lock(0);
    for step in steps {
        if outcome.is_err() {
            break;
        }
        outcome = match step {
            Step::Create => log.create(),
            Step::Append(length) => {
                let bytes = payload(history.sent.len(), *length);
                history.sent.push((disk.call_count(), bytes.clone()));
                log.append(&bytes).map(|position| {
                    at = position;
                    history.acknowledged.push(disk.call_count());
                })
            }
            Step::Flush => log.flush_anchor().map(|()| {
                history.flushed.push((disk.call_count(), history.acknowledged.len()));
            }),
            Step::Relock => {
                log.unlock();
                log.lock(0).and_then(|()| log.read(at, &mut |_| ()).map(|_| ()))
            }
            Step::Reopen => {
                log = SegmentLog::new(Arc::clone(door), TASK, SMALL);
                log.lock(0).and_then(|()| log.read(Position::START, &mut |_| ()).map(|_| ()))
            }
        };
    }
    (history, outcome)
}

/// Recovers a disk that a crash after `calls` calls left, and holds it against what was promised.
pub fn recover(disk: &FaultDisk, history: &History, calls: u64) -> Result<(), String> {
    let acknowledged = history.acknowledged_by(calls);
    let sent = history.payloads();
    let witnessed = match verify(disk).anchor {
        AnchorState::Witnesses(head) => usize::try_from(head.sequence.get()).unwrap(),
        _ => 0,
    };
    // Both slots may have been on their way when the power went: then nothing is witnessed.
    let mut log = open(disk, SMALL);
    log.lock(0).map_err(|error| format!("lock: {error}"))?;
    if !log.exists().map_err(|error| format!("exists: {error}"))? {
        if acknowledged > 0 {
            return Err(format!("{acknowledged} acknowledged records are gone with the log"));
        }
        return log.create().map_err(|error| format!("create: {error}"));
    }
    let (found, reading) = read_all(&mut log);
    reading.map_err(|error| format!("read with {acknowledged} acknowledged: {error}"))?;
    if found.len() < acknowledged || found.len() > history.sent_by(calls) {
        return Err(format!("{} records of {acknowledged} acknowledged", found.len()));
    }
    if found != sent[..found.len()] {
        return Err("another record than was sent".into());
    }
    if witnessed > found.len() {
        return Err(format!("the anchor leads: {witnessed} of {}", found.len()));
    }
    go_on(disk, &mut log, &found)
}

/// Repeats the recovery, appends behind it, and cuts the power once more.
fn go_on(disk: &FaultDisk, log: &mut SegmentLog, found: &[Vec<u8>]) -> Result<(), String> {
    use context_continuity::io::fs::fault::Policy;
    let files = disk.files();
    log.unlock();
    log.lock(0).map_err(|error| format!("second lock: {error}"))?;
    let (again, reading) = read_all(log);
    let reading = reading.map_err(|error| format!("second read: {error}"))?;
    if again != found || disk.files() != files || reading.torn_bytes > 0 {
        return Err("a second recovery changed something".into());
    }
    let powerless = disk.crash(Policy::LoseAll);
    let (after_cut, reading) = crate::support::peek(&powerless);
    match reading {
        Ok(reading) if reading.torn_bytes == 0 && after_cut == found => {}
        other => return Err(format!("recovered, but not durably: {other:?}")),
    }
    let next = payload(9999, 50);
    log.append(&next).map_err(|error| format!("append: {error}"))?;
    let (last, reading) = crate::support::peek(&disk.crash(Policy::LoseAll));
    reading.map_err(|error| format!("read after append: {error}"))?;
    let wanted: Vec<Vec<u8>> = found.iter().cloned().chain([next]).collect();
    if last == wanted { Ok(()) } else { Err("the record behind a recovery is lost".into()) }
}

/// The flushed witness must still be there when nothing else of the anchor was written since.
pub fn witness_is_kept(disk: &FaultDisk, history: &History, calls: u64) -> Result<(), String> {
    let flushed = history.flushed_by(calls);
    match verify(disk).anchor {
        AnchorState::Witnesses(head) if head.sequence.get() >= flushed as u64 => Ok(()),
        _ if flushed == 0 => Ok(()),
        other => Err(format!("flushed at {flushed}, but the anchor is {other:?}")),
    }
}
