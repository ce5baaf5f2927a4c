//! Where each file is, relative to the data root.
//!
//! Source: `docs/format.md`, "Data root".

use std::str::FromStr;

use crate::domain::ids::{SessionKey, TaskRef};
use crate::io::fs::RelativePath;

/// Directories below a task's own.
pub const TASK_DIRECTORIES: [&str; 5] = ["ledger", "bodies", "snapshots", "keys", "quarantine"];

/// Ending of a tombstone whose deletion is not finished.
const UNFINISHED: &str = ".unfinished";

/// Joins a name that a type or a constant vouches for.
pub(crate) fn below(parent: &RelativePath, name: &str) -> RelativePath {
    match parent.child(name) {
        Some(path) => path,
        None => unreachable!("names of ours are plain: {name:?}"),
    }
}

fn top(name: &str) -> RelativePath {
    below(&RelativePath::root(), name)
}

/// Directory of all tasks.
#[must_use]
pub fn tasks() -> RelativePath {
    top("tasks")
}

/// Directory of one task.
#[must_use]
pub fn task(task: TaskRef) -> RelativePath {
    below(&tasks(), &task.to_string())
}

/// Directory of the anchors, outside every task's own.
#[must_use]
pub fn anchors() -> RelativePath {
    top("anchors")
}

/// The witness of one task's head.
#[must_use]
pub fn anchor(task: TaskRef) -> RelativePath {
    below(&anchors(), &task.to_string())
}

/// Directory of the lock files.
#[must_use]
pub fn locks() -> RelativePath {
    top("locks")
}

/// The empty file that a writer locks; never removed.
#[must_use]
pub fn lock(task: TaskRef) -> RelativePath {
    below(&locks(), &format!("{task}.lock"))
}

/// Directory of the session pointers.
#[must_use]
pub fn sessions() -> RelativePath {
    top("sessions")
}

/// The pointer from a session to its task.
#[must_use]
pub fn session(key: SessionKey) -> RelativePath {
    below(&sessions(), &key.to_string())
}

/// Directory of the notes on events that could not be recorded.
#[must_use]
pub fn missed() -> RelativePath {
    top("missed")
}

/// What the file name of a task's every note starts with.
#[must_use]
pub fn missed_prefix(task: TaskRef) -> String {
    format!("{task}-")
}

/// Directory of the tombstones.
#[must_use]
pub fn tombstones() -> RelativePath {
    top("tombstones")
}

/// The tombstone of a task that is gone: an empty directory.
#[must_use]
pub fn tombstone(task: TaskRef) -> RelativePath {
    below(&tombstones(), &task.to_string())
}

/// The tombstone of a task that is being deleted: what is left of its directory.
#[must_use]
pub fn unfinished_tombstone(task: TaskRef) -> RelativePath {
    below(&tombstones(), &format!("{task}{UNFINISHED}"))
}

/// Reads the name of an unfinished tombstone; `None` for every other name.
#[must_use]
pub fn task_of_unfinished_tombstone(name: &str) -> Option<TaskRef> {
    TaskRef::from_str(name.strip_suffix(UNFINISHED)?).ok()
}

/// The key that session names are made with.
#[must_use]
pub fn root_key() -> RelativePath {
    top("root.key")
}
