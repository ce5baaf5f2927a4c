//! Deleting a task for good.
//!
//! First the task's directory is renamed: under its new name, which is made durable, it is the
//! tombstone of a deletion that is not finished. Then everything in it and around it goes. Then the
//! empty directory is renamed once more, and says for ever that there was such a task. None of this
//! takes space, so it works on a full disk; a crash in between is made good by
//! [`DataRoot::finish_deletes`]. Only what a [`TaskRef`] names is ever removed, and no link is
//! followed on the way.

use std::io;

use super::{DataRoot, DataRootError, Lookup, layout};
use crate::domain::ids::{SessionKey, TaskRef};
use crate::io::fs::{EntryKind, FileHandle, OpenMode, RelativePath, atomic};

/// Directories within directories of a task, at most.
const DEPTH_MAX: u32 = 4;

impl DataRoot {
    /// Deletes a task: its directory, its anchor, its notes and the pointers to it. Only its empty
    /// lock file and an empty directory as a tombstone stay. All is durable on return.
    ///
    /// The caller holds the task's writer lock, and no handle to its other files.
    ///
    /// # Errors
    /// [`DataRootError::NoTask`] if no directory of that name, and no tombstone, is there: nothing
    /// was touched then. [`DataRootError::Foreign`] and [`DataRootError::Io`] leave a deletion that
    /// [`DataRoot::finish_deletes`] goes on with.
    pub fn delete_task(&self, task: TaskRef) -> Result<(), DataRootError> {
        if self.is_deleted(task)? {
            return self.remove_everything(task);
        }
        let directory = layout::task(task);
        let found = atomic::missing_is_none(self.fs.metadata(&directory))
            .map_err(DataRootError::on("examine", &directory))?;
        if found.is_none_or(|found| found.kind != EntryKind::Directory) {
            return Err(DataRootError::NoTask { task });
        }
        let (tombstones, tombstone) = (layout::tombstones(), layout::unfinished_tombstone(task));
        atomic::ensure_directory(&*self.fs, &tombstones)
            .map_err(DataRootError::on("create", &tombstones))?;
        self.fs.rename(&directory, &tombstone).map_err(DataRootError::on("rename", &directory))?;
        self.remove_everything(task)
    }

    /// Tells whether a task was deleted, or is being deleted.
    ///
    /// # Errors
    /// [`DataRootError::Io`].
    pub fn is_deleted(&self, task: TaskRef) -> Result<bool, DataRootError> {
        for path in [layout::unfinished_tombstone(task), layout::tombstone(task)] {
            let found = atomic::missing_is_none(self.fs.metadata(&path))
                .map_err(DataRootError::on("examine", &path))?;
            if found.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lists the tasks whose deletion was begun and not finished. Creates nothing.
    ///
    /// # Errors
    /// [`DataRootError::Io`].
    pub fn unfinished_deletes(&self) -> Result<Vec<TaskRef>, DataRootError> {
        let names = self.names(&layout::tombstones())?;
        Ok(names.iter().filter_map(|name| layout::task_of_unfinished_tombstone(name)).collect())
    }

    /// Goes on with every deletion that was begun, but those whose task another process has locked;
    /// returns the tasks that are gone now.
    ///
    /// # Errors
    /// As for [`DataRoot::delete_task`].
    pub fn finish_deletes(&self) -> Result<Vec<TaskRef>, DataRootError> {
        let mut finished = Vec::new();
        for task in self.unfinished_deletes()? {
            if let Some(_lock) = self.try_lock(task)? {
                self.remove_everything(task)?;
                finished.push(task);
            }
        }
        Ok(finished)
    }

    fn try_lock(&self, task: TaskRef) -> Result<Option<Box<dyn FileHandle>>, DataRootError> {
        let (directory, path) = (layout::locks(), layout::lock(task));
        let opened = match atomic::open(&*self.fs, &path, OpenMode::ReadWrite) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                atomic::ensure_directory(&*self.fs, &directory)
                    .and_then(|()| atomic::open(&*self.fs, &path, OpenMode::CreateNew))
            }
            answer => answer,
        };
        let locked = opened.and_then(|mut handle| handle.try_lock().map(|()| handle));
        match locked {
            Ok(handle) => Ok(Some(handle)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(DataRootError::on("lock", &path)(error)),
        }
    }

    fn remove_everything(&self, task: TaskRef) -> Result<(), DataRootError> {
        let (tombstones, unfinished) = (layout::tombstones(), layout::unfinished_tombstone(task));
        // Also if it is there already: who renamed it may have been stopped before this sync.
        self.sync_if_there(&tombstones)?;
        self.remove_pointers(task)?;
        // A file system that does not rename in one step may show the old name again.
        self.remove_tree(&layout::task(task))?;
        self.sync_if_there(&layout::tasks())?;
        self.remove_file(&layout::anchor(task))?;
        self.sync_if_there(&layout::anchors())?;
        self.remove_notes(task)?;
        self.remove_content(&unfinished, 0)?;
        self.sync_if_there(&unfinished)?;
        atomic::missing_is_none(self.fs.rename(&unfinished, &layout::tombstone(task)))
            .map_err(DataRootError::on("rename", &unfinished))?;
        self.sync_if_there(&tombstones)
    }

    fn remove_pointers(&self, task: TaskRef) -> Result<(), DataRootError> {
        let directory = layout::sessions();
        for name in self.names(&directory)? {
            let Some(session) = session_key(&name) else { continue };
            let path = layout::session(session);
            if self.lookup(session)? == Lookup::Task(task) {
                self.remove_file(&path)?;
            }
        }
        self.sync_if_there(&directory)
    }

    fn remove_notes(&self, task: TaskRef) -> Result<(), DataRootError> {
        let directory = layout::missed();
        let prefix = layout::missed_prefix(task);
        for name in self.names(&directory)? {
            if let Some(path) = directory.child(&name).filter(|_| name.starts_with(&prefix)) {
                self.remove_file(&path)?;
            }
        }
        self.sync_if_there(&directory)
    }

    fn remove_tree(&self, directory: &RelativePath) -> Result<(), DataRootError> {
        self.remove_content(directory, 0)?;
        self.remove_directory(directory)
    }

    fn remove_directory(&self, directory: &RelativePath) -> Result<(), DataRootError> {
        match atomic::missing_is_none(self.fs.remove_directory(directory)) {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
                Err(DataRootError::Foreign { directory: directory.clone() })
            }
            Err(error) => Err(DataRootError::on("remove", directory)(error)),
        }
    }

    /// Removes what is in a directory; what has a name that is not ours stays, and is told last.
    fn remove_content(&self, directory: &RelativePath, depth: u32) -> Result<(), DataRootError> {
        let entries = atomic::list_or_empty(&*self.fs, directory)
            .map_err(DataRootError::on("list", directory))?;
        let mut has_foreign = false;
        for entry in entries {
            match directory.child(&entry.name) {
                Some(path) if entry.kind != EntryKind::Directory => self.remove_file(&path)?,
                Some(path) if depth < DEPTH_MAX => {
                    self.remove_content(&path, depth + 1)?;
                    self.remove_directory(&path)?;
                }
                _ => has_foreign = true,
            }
        }
        if has_foreign {
            return Err(DataRootError::Foreign { directory: directory.clone() });
        }
        Ok(())
    }

    fn names(&self, directory: &RelativePath) -> Result<Vec<String>, DataRootError> {
        let entries = atomic::list_or_empty(&*self.fs, directory)
            .map_err(DataRootError::on("list", directory))?;
        Ok(entries.into_iter().map(|entry| entry.name).collect())
    }

    fn remove_file(&self, path: &RelativePath) -> Result<(), DataRootError> {
        atomic::remove_if_there(&*self.fs, path)
            .map(|_| ())
            .map_err(DataRootError::on("remove", path))
    }

    fn sync_if_there(&self, directory: &RelativePath) -> Result<(), DataRootError> {
        atomic::missing_is_none(self.fs.sync_directory(directory))
            .map(|_| ())
            .map_err(DataRootError::on("sync", directory))
    }
}

/// Reads a pointer's file name.
fn session_key(name: &str) -> Option<SessionKey> {
    let bytes = data_encoding::HEXLOWER.decode(name.as_bytes()).ok()?;
    bytes.try_into().ok().map(SessionKey::new)
}
