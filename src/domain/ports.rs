//! What the core asks of the world, in its own words.

use super::body::SALT_BYTES;
use super::chain::{Basis, Head, Sequence};
use super::fingerprint::{Known, ObjectName, Workspace};
use super::host_event::Host;
use super::ids::{BodyId, CommandId, TaskRef};
use super::task::item::Corroboration;
use super::task::transition::Arrival;
use super::time::Timestamp;

/// What is wrong with stored bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// The bytes do not start like a record, segment or other file of ours.
    Magic,
    /// A length field exceeds its bound or the file.
    Length,
    /// The CRC-32C does not match.
    Checksum,
    /// A record stands at another place, or in another log, than it names.
    Position,
    /// The link to the record before does not match.
    Link,
    /// A whole file is missing or empty where one must be.
    MissingFile,
    /// The payload is not a batch that we wrote.
    Payload,
}

/// What went wrong with a log on disk.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// The bytes are not what was written. Reading stops; nothing is repaired by guessing.
    #[error("{file} is damaged at byte {offset_bytes} ({what:?})")]
    Damaged {
        /// The file, relative to the data root.
        file: String,
        /// First byte that cannot be believed.
        offset_bytes: u64,
        /// How it shows.
        what: Damage,
    },
    /// The log ends before a head that was acknowledged.
    #[error("ledger ends at sequence {found}, but sequence {acknowledged} was acknowledged")]
    RolledBack {
        /// The newest position that a witness names.
        acknowledged: Sequence,
        /// Where the log ends.
        found: Sequence,
    },
    /// A witness names another record at a position that the log holds.
    #[error("ledger and its witness differ at sequence {at}")]
    Forked {
        /// The position.
        at: Sequence,
    },
    /// Another process holds the writer lock, and the patience of this call is over.
    #[error("another process is writing to this task")]
    Busy,
    /// Written by a newer release.
    #[error("format {found} is newer than {supported}, the newest this release reads")]
    NewerFormat {
        /// The format found.
        found: u16,
        /// The newest format that this release reads.
        supported: u16,
    },
    /// An earlier write or sync failed; what the disk holds is unknown until the log is reopened.
    #[error("an earlier write failed; reopen the ledger")]
    Poisoned,
    /// A file of ours has a second name, another owner or is open to others.
    #[error("{file} is not ours alone: {why}")]
    Unsafe {
        /// The file, relative to the data root.
        file: String,
        /// What was found.
        why: &'static str,
    },
    /// One record would be longer than a single write may be.
    #[error("a single write of {bytes} bytes exceeds {bytes_max}")]
    TooLarge {
        /// Bytes asked for.
        bytes: u64,
        /// Bytes allowed.
        bytes_max: u64,
    },
    /// There is no such log or file.
    #[error("{file} does not exist")]
    Missing {
        /// The file, relative to the data root.
        file: String,
    },
    /// The system refused.
    #[error("cannot {action} {file}")]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// The file, relative to the data root.
        file: String,
        /// The system's answer.
        #[source]
        source: std::io::Error,
    },
}

/// Where in a log a reader stands: just behind a record that it has folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The record.
    pub head: Head,
    /// Its segment, counted from 1; 0 before the first record.
    pub segment: u32,
    /// First byte of that record in its segment.
    pub record_offset_bytes: u64,
    /// First byte behind that record in its segment.
    pub end_offset_bytes: u64,
}

impl Position {
    /// Before the first record.
    pub const START: Self =
        Self { head: Head::EMPTY, segment: 0, record_offset_bytes: 0, end_offset_bytes: 0 };
}

/// A record as a reader sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordView<'a> {
    /// Behind this record.
    pub position: Position,
    /// The encoded batch.
    pub payload: &'a [u8],
}

/// What a reading came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// Behind the last whole record.
    pub position: Position,
    /// Full, or since the position that the reader started from.
    pub basis: Basis,
    /// Bytes of all segments together.
    pub log_bytes: u64,
    /// Bytes behind the last whole record that no whole record follows; zero after a clean end.
    pub torn_bytes: u64,
}

/// A stored fold of a log's beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// Version of the code that folded; another one means: rebuild.
    pub fold_version: u32,
    /// The last record folded.
    pub position: Position,
    /// Encoded state.
    pub state: Vec<u8>,
}

/// The log of one task, as the actors need it. Synchronous: the caller chooses the thread.
pub trait Ledger: Send {
    /// Tells whether the log exists, without creating anything.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    fn exists(&self) -> Result<bool, LedgerError>;

    /// Takes the writer lock, trying for at most `patience_millis`.
    ///
    /// # Errors
    /// [`LedgerError::Busy`] when the patience is over.
    fn lock(&mut self, patience_millis: u64) -> Result<(), LedgerError>;

    /// Gives the writer lock back; without one, nothing happens.
    fn unlock(&mut self);

    /// Tells whether a write or sync failed, so that only what is read anew from the start may be
    /// built upon.
    fn is_poisoned(&self) -> bool;

    /// Creates an empty log. The lock must be held.
    ///
    /// # Errors
    /// [`LedgerError::Io`]; [`LedgerError::RolledBack`] if a witness remembers an earlier log.
    fn create(&mut self) -> Result<(), LedgerError>;

    /// Shows every whole record behind `from` to `visit`, in order.
    ///
    /// From [`Position::START`] every link is checked; from elsewhere the record at `from` is
    /// checked again first. With the lock held, a torn tail is set aside in `quarantine/` and cut;
    /// without it, it is only counted. The anchor is compared at the end.
    ///
    /// # Errors
    /// [`LedgerError::Damaged`], [`LedgerError::RolledBack`], [`LedgerError::Forked`],
    /// [`LedgerError::NewerFormat`], [`LedgerError::Unsafe`], [`LedgerError::Missing`],
    /// [`LedgerError::Io`]. What `visit` has seen until then was valid.
    fn read(
        &mut self,
        from: Position,
        visit: &mut dyn FnMut(RecordView<'_>),
    ) -> Result<Reading, LedgerError>;

    /// Appends one record behind the last one read, and returns when it is durable.
    ///
    /// The lock must be held, and [`Ledger::read`] must have been called since it was taken. If only
    /// the witness of a durable record fails, the record stands, and later writes are refused.
    ///
    /// # Errors
    /// [`LedgerError::TooLarge`] before anything is written; [`LedgerError::Io`] when the fate of
    /// the record is unknown, after which every write answers [`LedgerError::Poisoned`].
    fn append(&mut self, payload: &[u8]) -> Result<Position, LedgerError>;

    /// Returns when the anchor is durable: at boundaries.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    fn flush_anchor(&mut self) -> Result<(), LedgerError>;

    /// Makes the present end of a rolled back or forked log the accepted one: a person's decision.
    ///
    /// # Errors
    /// [`LedgerError::Io`], [`LedgerError::Damaged`] if the log itself is not whole.
    fn accept_rollback(&mut self) -> Result<Position, LedgerError>;
}

/// The task's files beside its log.
pub trait TaskFiles: Send {
    /// Writes bodies and returns when they and their names are durable. A body that is already
    /// there with equal bytes is left as it is.
    ///
    /// # Errors
    /// [`LedgerError::Io`], [`LedgerError::Damaged`] if another body has the name.
    fn store_bodies(&mut self, bodies: &[(BodyId, Vec<u8>)]) -> Result<(), LedgerError>;

    /// Reads one body's bytes.
    ///
    /// # Errors
    /// [`LedgerError::Missing`], [`LedgerError::Io`].
    fn load_body(&self, id: BodyId) -> Result<Vec<u8>, LedgerError>;

    /// Removes a body; one that is gone already is no error.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    fn erase_body(&mut self, id: BodyId) -> Result<(), LedgerError>;

    /// Reads the checkpoint; `None` if there is none or its checksum is wrong.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    fn load_checkpoint(&self) -> Result<Option<Checkpoint>, LedgerError>;

    /// Replaces the checkpoint; it may be lost in a crash, never half.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    fn store_checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), LedgerError>;

    /// Stores a snapshot durably and removes all but the newest `keep_count`.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    fn store_snapshot(
        &mut self,
        number: u32,
        bytes: &[u8],
        keep_count: u32,
    ) -> Result<(), LedgerError>;

    /// Reads a snapshot; `Damaged` for an empty file or a wrong checksum.
    ///
    /// # Errors
    /// [`LedgerError::Missing`], [`LedgerError::Damaged`], [`LedgerError::Io`].
    fn load_snapshot(&self, number: u32) -> Result<Vec<u8>, LedgerError>;

    /// Reads the task's key of the given number.
    ///
    /// # Errors
    /// [`LedgerError::Missing`], [`LedgerError::Damaged`], [`LedgerError::Io`].
    fn load_key(&self, number: u32) -> Result<[u8; 32], LedgerError>;

    /// Creates the task's key of the given number durably, and returns it.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    fn create_key(&mut self, number: u32) -> Result<[u8; 32], LedgerError>;

    /// Takes in and removes the notes that earlier processes left when they could not append:
    /// event kind and keyed digest, at most 64 of them, oldest first.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    fn missed_notes(&self) -> Result<Vec<MissedNote>, LedgerError>;

    /// Removes notes that have been recorded.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    fn remove_missed_notes(&mut self, notes: &[MissedNote]) -> Result<(), LedgerError>;

    /// Leaves a note that an event could not be recorded. Works without the lock.
    ///
    /// # Errors
    /// [`LedgerError::Io`]: then nothing is left, and that is all that can be done.
    fn leave_missed_note(&self, kind: u8, digest: [u8; 32]) -> Result<(), LedgerError>;
}

/// A note that an event could not be recorded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissedNote {
    /// The note's file name.
    pub name: String,
    /// Which kind of event.
    pub kind: u8,
    /// Keyed digest of what was missed.
    pub digest: [u8; 32],
}

/// The time.
pub trait Clock: Send + Sync {
    /// Returns the system's time now; it may jump either way.
    fn now(&self) -> Timestamp;
}

/// Random bytes: names, salts, keys.
pub trait Entropy: Send + Sync {
    /// Returns sixteen random bytes.
    ///
    /// # Errors
    /// [`LedgerError::Io`] if the system gives none.
    fn sixteen_bytes(&self) -> Result<[u8; 16], LedgerError>;

    /// Returns a name for a new body, and a salt.
    ///
    /// # Errors
    /// As [`Entropy::sixteen_bytes`].
    fn new_body(&self) -> Result<(BodyId, [u8; SALT_BYTES]), LedgerError> {
        Ok((BodyId::new(self.sixteen_bytes()?), self.sixteen_bytes()?))
    }

    /// Returns a name for a command that nothing repeats.
    ///
    /// # Errors
    /// As [`Entropy::sixteen_bytes`].
    fn new_command(&self) -> Result<CommandId, LedgerError> {
        Ok(CommandId::new(self.sixteen_bytes()?))
    }

    /// Returns a name for a new task.
    ///
    /// # Errors
    /// As [`Entropy::sixteen_bytes`].
    fn new_task(&self) -> Result<TaskRef, LedgerError> {
        Ok(TaskRef::new(self.sixteen_bytes()?))
    }
}

/// How closely a workspace is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeDepth {
    /// Folder, repository, branch, commit and index, read by hand: no process is started.
    Quick,
    /// The same, and what is not committed.
    Full,
}

/// Looks at where the work stands; writes nothing, and executes nothing that a checkout brings.
pub trait WorkspaceProbe: Send {
    /// Looks at the folder that the host named.
    fn look(&self, folder: Option<&str>, depth: ProbeDepth) -> Workspace;

    /// Tells whether the history of HEAD in `folder` contains `commit`.
    fn head_contains(&self, folder: &str, commit: &ObjectName) -> Known<bool>;
}

/// Reads what a host keeps of its conversations, in place.
pub trait Transcripts: Send {
    /// Tells whether a text with this mark stands where the host keeps what hooks gave it.
    fn offer_arrived(&self, host: Host, transcript: &str, mark: &str) -> Arrival;

    /// Tells whether the host recorded the prompt that is sought as typed by the user.
    fn prompt_recorded(
        &self,
        host: Host,
        transcript: &str,
        asked: &PromptSought<'_>,
    ) -> Corroboration;
}

/// A prompt that a hook reported.
pub struct PromptSought<'a> {
    /// Tells whether a text, without white space around it, is the prompt.
    pub is_sought: &'a dyn Fn(&str) -> bool,
    /// When the hook reported it, by our clock and not held back or forward for the ledger's sake.
    pub written_at: Timestamp,
    /// The session that it was typed in, as the host names it.
    pub session: &'a str,
}
