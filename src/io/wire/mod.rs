//! Builds the adapters and hands them to the actors.
//!
//! The one place that knows both sides. [`Home`] is a data root in use; [`Continuity`] is what an
//! embedder holds.

mod continuity;
mod effects;
mod lineage;
mod morning;
mod observe;
mod ports;
mod rollover;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::actors::error::TaskError;
use crate::actors::store::{Depth, Folded, TaskStore};
use crate::actors::supervisor::Workshop;
use crate::actors::world::World;
use crate::actors::writer::TaskWriter;
use crate::domain::budget::{Budget, ByteCount, RECOVERY_TOKENS_DEFAULT};
use crate::domain::ids::TaskRef;
use crate::domain::ports::LedgerError;
use crate::domain::rejection::Rejection;
use crate::io::clock::{SystemClock, SystemEntropy};
use crate::io::config::Settings;
use crate::io::fs::{FileSystem, RealDisk, RootError, is_irregular};
use crate::io::hosts::CODEX;
use crate::io::ledger::{LedgerConfig, PAYLOAD_BYTES_MAX, SegmentLog};
use crate::io::root::locate::{
    Lifetime, LocateError, Location, is_kept_in_memory, locate, refuse_inside,
};
use crate::io::root::{DataRoot, DataRootError};
use crate::io::task_files;
use crate::io::workspace::repository_top;
use crate::readmodels::texts::Texts;

pub use continuity::{Continuity, OpenError};
pub use observe::{ArmedNote, Note};
pub use ports::{HostTranscripts, Workspaces};
pub use rollover::RolledOver;

/// Why a data root cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HomeError {
    /// Its place is refused.
    #[error(transparent)]
    Place(#[from] LocateError),
    /// The directory is refused.
    #[error(transparent)]
    Directory(#[from] RootError),
    /// A file of the root itself is not as it must be.
    #[error(transparent)]
    Root(#[from] DataRootError),
    /// A task cannot do what it was asked.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// The runtime under the actors could not be started.
    #[error("cannot start the runtime")]
    Runtime(#[source] std::io::Error),
}

impl HomeError {
    /// Returns what a person can do about it, as half a sentence.
    #[must_use]
    pub fn way_out(&self) -> &'static str {
        match self {
            Self::Task(TaskError::Rejected(Rejection::TaskFull { .. })) => {
                "`continuity task rollover` lets it go on in a new log"
            }
            _ => "`continuity verify` shows the details",
        }
    }

    /// Tells whether the user has to know at once that nothing is protected: the ledger cannot be
    /// believed, is not ours alone, or is full, or the data root is refused.
    #[must_use]
    pub fn is_worth_a_line(&self) -> bool {
        match self {
            Self::Place(_) | Self::Directory(_) => true,
            Self::Root(error) => {
                matches!(error, DataRootError::Damaged { .. } | DataRootError::KeyMissing { .. })
                    || matches!(error, DataRootError::Io { source, .. } if is_irregular(source))
            }
            Self::Task(TaskError::Ledger(error)) => matches!(
                error,
                LedgerError::Damaged { .. }
                    | LedgerError::RolledBack { .. }
                    | LedgerError::Forked { .. }
                    | LedgerError::NewerFormat { .. }
                    | LedgerError::Unsafe { .. }
            ),
            Self::Task(TaskError::Rejected(rejection)) => {
                matches!(rejection, Rejection::NewerEvents { .. } | Rejection::TaskFull { .. })
            }
            _ => false,
        }
    }
}

/// A data root in use.
#[derive(Clone)]
pub struct Home {
    root: DataRoot,
    location: Location,
    settings: Settings,
}

impl Home {
    /// Finds the data root; creates nothing.
    ///
    /// `workspace` is the folder that the agent works in: a root inside it, or inside the
    /// repository around it, is refused.
    ///
    /// # Errors
    /// [`HomeError::Place`], [`HomeError::Directory`].
    pub fn open(settings: Settings, workspace: Option<&Path>) -> Result<Self, HomeError> {
        let location = locate(&settings.environment, workspace)?;
        if let Some(workspace) = workspace {
            refuse_linked_inside(&location, workspace, settings.environment.home.as_deref())?;
        }
        let location = location.on_file_system(is_kept_in_memory);
        let disk = RealDisk::at(&location.path)?;
        Ok(Self { root: DataRoot::new(Arc::new(disk)), location, settings })
    }

    /// Returns the root, for what concerns no single task.
    #[must_use]
    pub fn root(&self) -> &DataRoot {
        &self.root
    }

    /// Returns where the root is, and how long it lasts.
    #[must_use]
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// Returns where the root is.
    #[must_use]
    pub fn path(&self) -> &PathBuf {
        &self.location.path
    }

    /// Tells whether the root outlives a restart of the machine.
    #[must_use]
    pub fn is_durable(&self) -> bool {
        self.location.lifetime == Lifetime::Durable
    }

    /// Returns the settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns a task's log; touches nothing.
    #[must_use]
    pub fn log(&self, task: TaskRef) -> SegmentLog {
        SegmentLog::new(self.disk(), task, LedgerConfig::default())
    }

    /// Returns a task's files; touches nothing.
    #[must_use]
    pub fn files(&self, task: TaskRef) -> task_files::TaskStore {
        task_files::TaskStore::new(self.disk(), task)
    }

    /// Reads a task without locking or writing anything.
    ///
    /// # Errors
    /// [`TaskError::NoTask`], [`TaskError::Ledger`].
    pub fn read(&self, task: TaskRef, depth: Depth) -> Result<(Folded, Texts), TaskError> {
        self.task_writer(task).read(depth)
    }

    /// Folds a task's log without its texts; locks and writes nothing.
    fn fold(&self, task: TaskRef, depth: Depth) -> Result<Folded, HomeError> {
        if !self.has_log(task)? {
            return Err(TaskError::NoTask.into());
        }
        let mut store =
            TaskStore { ledger: Box::new(self.log(task)), files: Box::new(self.files(task)) };
        Ok(store.fold(depth).map_err(TaskError::from)?)
    }

    fn disk(&self) -> Arc<dyn FileSystem> {
        Arc::clone(self.root.fs())
    }

    fn task_writer(&self, task: TaskRef) -> TaskWriter {
        self.writer_over(task, self.log(task))
    }

    /// A writer for the one batch that holds a whole effective state. It must not be split, since a
    /// crash would leave half a state; so it may be as long as a record of the format can be.
    fn beginning_writer(&self, task: TaskRef) -> TaskWriter {
        let config =
            LedgerConfig { payload_bytes_max: PAYLOAD_BYTES_MAX, ..LedgerConfig::default() };
        self.writer_over(task, SegmentLog::new(self.disk(), task, config))
    }

    fn writer_over(&self, task: TaskRef, log: SegmentLog) -> TaskWriter {
        let store = TaskStore { ledger: Box::new(log), files: Box::new(self.files(task)) };
        let world = World {
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
            probe: Box::new(Workspaces::new(&self.settings)),
            transcripts: Box::new(HostTranscripts),
            limits: self.settings.limits,
            budget: Budget::recovery(
                RECOVERY_TOKENS_DEFAULT,
                ByteCount(u32::try_from(CODEX.context_bytes_max).unwrap_or(u32::MAX)),
            ),
            is_durable: self.is_durable(),
        };
        TaskWriter::new(task, store, world)
    }
}

/// A link must not lead where a plain path is refused.
fn refuse_linked_inside(
    location: &Location,
    workspace: &Path,
    home: Option<&Path>,
) -> Result<(), LocateError> {
    let real = Location { path: real_path(&location.path), ..location.clone() };
    let home = home.map(real_path);
    refuse_inside(&real, &real_path(workspace), home.as_deref())?;
    match repository_top(workspace) {
        // A repository that holds the whole home folder is its owner's, and no cloned one.
        Some(top) if !home.is_some_and(|home| home.starts_with(&top)) => {
            refuse_inside(&real, &top, None)
        }
        _ => Ok(()),
    }
}

/// Returns the path without links, as far as it exists.
fn real_path(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|existing| {
        let mut real = std::fs::canonicalize(existing).ok()?;
        real.extend(path.strip_prefix(existing).ok()?.components());
        Some(real)
    });
    found.unwrap_or_else(|| path.to_owned())
}

impl Workshop for Home {
    fn writer(&self, task: TaskRef) -> Result<TaskWriter, TaskError> {
        Ok(self.task_writer(task))
    }
}
