//! The tasks that the root holds.

use std::cmp::Reverse;

use super::{DataRoot, DataRootError, layout};
use crate::domain::ids::TaskRef;
use crate::io::fs::{EntryKind, RelativePath, atomic};

impl DataRoot {
    /// Lists the tasks by their directories, without opening any. Creates nothing.
    ///
    /// # Errors
    /// [`DataRootError::Io`].
    pub fn tasks(&self) -> Result<Vec<TaskRef>, DataRootError> {
        let directory = layout::tasks();
        let entries = atomic::list_or_empty(&*self.fs, &directory)
            .map_err(DataRootError::on("list", &directory))?;
        Ok(entries
            .into_iter()
            .filter(|entry| entry.kind == EntryKind::Directory)
            .filter_map(|entry| entry.name.parse().ok())
            .collect())
    }

    /// Lists the tasks whose logs were written to last, the newest first, at most `count_max`. Only
    /// the witness of each head is looked at: it is written with every record. Creates nothing.
    ///
    /// # Errors
    /// [`DataRootError::Io`].
    pub fn newest_tasks(&self, count_max: usize) -> Result<Vec<TaskRef>, DataRootError> {
        let mut tasks: Vec<(i64, TaskRef)> = Vec::new();
        for task in self.tasks()? {
            let path = layout::anchor(task);
            let found = atomic::missing_is_none(self.fs.metadata(&path))
                .map_err(DataRootError::on("examine", &path))?;
            tasks.extend(found.map(|found| (found.modified_millis, task)));
        }
        tasks.sort_unstable_by_key(|(modified, task)| (Reverse(*modified), *task));
        Ok(tasks.into_iter().take(count_max).map(|(_, task)| task).collect())
    }

    /// Creates a task's directories; they are durable on return. What exists already stays.
    ///
    /// # Errors
    /// [`DataRootError::Io`].
    pub fn create_task(&self, task: TaskRef) -> Result<(), DataRootError> {
        let fs = &*self.fs;
        let task = layout::task(task);
        for directory in [layout::anchors(), layout::locks(), layout::tombstones(), task.clone()] {
            atomic::ensure_directory(fs, &directory)
                .map_err(DataRootError::on("create", &directory))?;
        }
        let mut created = Vec::new();
        for name in layout::TASK_DIRECTORIES {
            let directory = layout::below(&task, name);
            let is_new = atomic::create_directory(fs, &directory)
                .map_err(DataRootError::on("create", &directory))?;
            created.extend(is_new.then_some(directory));
        }
        fs.sync_directory(&task).map_err(|error| {
            // Names whose sync failed may never become durable, so nothing is to rest on them.
            for directory in &created {
                drop(fs.remove_directory(directory));
            }
            DataRootError::on("sync", &task)(error)
        })
    }

    /// Removes what stopped writes left in the directories that all tasks share; returns how many
    /// files. `now_millis` is milliseconds since 1970-01-01 UTC.
    ///
    /// # Errors
    /// [`DataRootError::Io`].
    pub fn sweep(&self, now_millis: i64) -> Result<usize, DataRootError> {
        let shared = [
            RelativePath::root(),
            layout::sessions(),
            layout::tombstones(),
            layout::anchors(),
            layout::missed(),
        ];
        shared.iter().try_fold(0_usize, |count, directory| {
            atomic::sweep_temporaries(&*self.fs, directory, now_millis)
                .map(|swept| count.saturating_add(swept))
                .map_err(DataRootError::on("sweep", directory))
        })
    }
}
