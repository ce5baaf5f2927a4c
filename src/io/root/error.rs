//! What can go wrong with the data root.

use crate::domain::ids::TaskRef;
use crate::domain::ports::Damage;
use crate::io::fs::RelativePath;

/// What went wrong with the data root.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataRootError {
    /// A file is not what was written.
    #[error("{file} is damaged ({what:?})")]
    Damaged {
        /// The file, relative to the data root.
        file: RelativePath,
        /// How it shows.
        what: Damage,
    },
    /// Sessions point to tasks under names that only this key gives, and it is not there. It is not
    /// made anew: the pointers would never be found again.
    #[error("{file} is missing, so that no session finds its task")]
    KeyMissing {
        /// The file, relative to the data root.
        file: RelativePath,
    },
    /// Nothing of ours, or something that is no directory, stands where the task would be.
    #[error("there is no task {task}")]
    NoTask {
        /// The task.
        task: TaskRef,
    },
    /// Something that we did not put there keeps a directory from being removed.
    #[error("{directory} holds a file that is not ours; remove it by hand")]
    Foreign {
        /// The directory, relative to the data root.
        directory: RelativePath,
    },
    /// The operating system gave no random numbers.
    #[error("the system gives no random numbers")]
    NoRandomness,
    /// The system refused.
    #[error("cannot {action} {file}")]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// The file or directory, relative to the data root.
        file: RelativePath,
        /// The system's answer.
        #[source]
        source: std::io::Error,
    },
}

impl DataRootError {
    /// Returns a function that names what was tried, and on what.
    pub(super) fn on(action: &'static str, file: &RelativePath) -> impl Fn(std::io::Error) -> Self {
        move |source| Self::Io { action, file: file.clone(), source }
    }
}
