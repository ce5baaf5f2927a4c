//! One task's log and files, and the state folded from them.

use crate::domain::chain::{Basis, Head, Sequence};
use crate::domain::event::wire::{WireError, decode, decode_value, encode_value};
use crate::domain::keyed::TaskKey;
use crate::domain::ports::{
    Checkpoint, Damage, Ledger, LedgerError, Position, Reading, RecordView, TaskFiles,
};
use crate::domain::task::{FOLD_VERSION, TaskState, apply_batch};
use crate::readmodels::execution_guard::Freshness;

/// Records after which the checkpoint is written anew.
pub const CHECKPOINT_RECORDS: u64 = 64;
/// Fold version of a checkpoint that holds nothing; no code ever folds by it.
const VOID_FOLD_VERSION: u32 = 0;

const _: () = assert!(FOLD_VERSION != VOID_FOLD_VERSION);

/// Bytes of log above which a boundary verifies only what is new.
pub const FULL_READ_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// A task's log and the files beside it.
pub struct TaskStore {
    /// The log.
    pub ledger: Box<dyn Ledger>,
    /// The files beside it.
    pub files: Box<dyn TaskFiles>,
}

/// A state with the place that it is the fold up to.
#[derive(Debug, Clone)]
pub struct Folded {
    /// The fold.
    pub state: TaskState,
    /// The last record in it.
    pub position: Position,
    /// How much of the log was verified.
    pub basis: Basis,
    /// Bytes of the log.
    pub log_bytes: u64,
    /// Bytes behind the last whole record.
    pub torn_bytes: u64,
    /// The record that the stored checkpoint stands at.
    pub checkpoint_at: Sequence,
}

impl Folded {
    /// The fold of a log without records.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            state: TaskState::initial(),
            position: Position::START,
            basis: Basis::Full,
            log_bytes: 0,
            torn_bytes: 0,
            checkpoint_at: Sequence::ZERO,
        }
    }

    /// Returns the newest record.
    #[must_use]
    pub fn head(&self) -> Head {
        self.position.head
    }

    /// Returns how far a view of this fold can be believed.
    #[must_use]
    pub fn freshness(&self) -> Freshness {
        if self.torn_bytes > 0 { Freshness::Behind } else { Freshness::Current }
    }

    fn take_in(&mut self, reading: &Reading) {
        self.position = reading.position;
        self.log_bytes = reading.log_bytes;
        self.torn_bytes = reading.torn_bytes;
    }
}

/// How much of a log is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// From the checkpoint on.
    Newest,
    /// Everything.
    Full,
}

impl TaskStore {
    /// Folds the log. With the lock held, a torn tail is set aside first.
    ///
    /// # Errors
    /// [`LedgerError`]; a batch that cannot be decoded is damage of its segment.
    pub fn fold(&mut self, depth: Depth) -> Result<Folded, LedgerError> {
        let mut folded = match depth {
            Depth::Newest => self.start_at_checkpoint()?,
            Depth::Full => Folded::empty(),
        };
        self.catch_up(&mut folded)?;
        Ok(folded)
    }

    /// Brings a fold up to the end of the log.
    ///
    /// # Errors
    /// As [`TaskStore::fold`]; the fold is then not to be used.
    pub fn catch_up(&mut self, folded: &mut Folded) -> Result<(), LedgerError> {
        let mut failure = None;
        let reading = self.ledger.read(folded.position, &mut |record| {
            if failure.is_none()
                && let Err(error) = fold_record(&mut folded.state, &record)
            {
                failure = Some(error);
            }
        })?;
        if let Some(error) = failure {
            return Err(error);
        }
        folded.take_in(&reading);
        Ok(())
    }

    /// A checkpoint of other code, or one that does not decode, is no checkpoint.
    fn start_at_checkpoint(&self) -> Result<Folded, LedgerError> {
        let Some(checkpoint) = self.files.load_checkpoint()? else {
            return Ok(Folded::empty());
        };
        if checkpoint.fold_version != FOLD_VERSION {
            return Ok(Folded::empty());
        }
        let Ok(state) = decode_value::<TaskState>(&checkpoint.state) else {
            return Ok(Folded::empty());
        };
        let sequence = checkpoint.position.head.sequence;
        Ok(Folded {
            state,
            position: checkpoint.position,
            basis: Basis::Since(sequence),
            log_bytes: 0,
            torn_bytes: 0,
            checkpoint_at: sequence,
        })
    }

    /// Writes the checkpoint of a fold.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn store_checkpoint(&mut self, folded: &mut Folded) -> Result<(), LedgerError> {
        let Ok(state) = encode_value(&folded.state) else {
            return Ok(());
        };
        let position = folded.position;
        self.files.store_checkpoint(&Checkpoint { fold_version: FOLD_VERSION, position, state })?;
        folded.checkpoint_at = position.head.sequence;
        Ok(())
    }

    /// Makes every later reading begin at the start of the log: it holds damage that a reading from
    /// a checkpoint would pass by, and a damaged log is not written. The lock must be held.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn void_checkpoint(&mut self) -> Result<(), LedgerError> {
        let (position, state) = (Position::START, Vec::new());
        self.files.store_checkpoint(&Checkpoint {
            fold_version: VOID_FOLD_VERSION,
            position,
            state,
        })
    }

    /// Returns the task's key, and makes a new one if the last is lost.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn key(&mut self, number: u32) -> Result<TaskKey, LedgerError> {
        let mut number = number.max(1);
        loop {
            match self.files.load_key(number) {
                Ok(bytes) => return Ok(TaskKey::new(number, bytes)),
                Err(LedgerError::Missing { .. }) => {
                    let bytes = self.files.create_key(number)?;
                    return Ok(TaskKey::new(number, bytes));
                }
                Err(LedgerError::Damaged { .. }) => number = number.saturating_add(1),
                Err(error) => return Err(error),
            }
        }
    }
}

fn fold_record(state: &mut TaskState, record: &RecordView<'_>) -> Result<(), LedgerError> {
    match decode(record.payload) {
        Ok(batch) => {
            apply_batch(state, &batch, record.position.head.sequence);
            Ok(())
        }
        Err(WireError::NewerFormat { found }) => {
            Err(LedgerError::NewerFormat { found: found.into(), supported: 1 })
        }
        Err(_) => Err(LedgerError::Damaged {
            file: format!("segment {}", record.position.segment),
            offset_bytes: record.position.record_offset_bytes,
            what: Damage::Payload,
        }),
    }
}
