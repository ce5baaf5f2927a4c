//! The real disk, below one held directory.
//!
//! Every directory is opened relative to the one above without following a link, and stays open:
//! what somebody swaps in later is never walked through. Unix modes and owners are checked where
//! the system has them.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::fs::{Dir, OpenOptions};

use super::real_handle::{RealHandle, describe};
use super::real_root::{self, RootError};
use super::{
    Entry, EntryKind, FileHandle, FileSystem, Metadata, NotRegular, OpenMode, RelativePath,
};

/// The real disk.
#[derive(Debug)]
pub struct RealDisk {
    path: PathBuf,
    root: OnceLock<Arc<Dir>>,
    directories: Mutex<BTreeMap<RelativePath, Arc<Dir>>>,
}

impl RealDisk {
    /// Opens an existing root.
    ///
    /// # Errors
    /// [`RootError`]: missing, reached through a link, another's, or open to others.
    pub fn open(root: &Path) -> Result<Self, RootError> {
        let disk = Self::at(root)?;
        if disk.root.get().is_some() {
            Ok(disk)
        } else {
            Err(RootError::Missing { root: root.to_owned() })
        }
    }

    /// Opens a root, creating it and what is missing above it; the root gets mode 0700.
    ///
    /// # Errors
    /// [`RootError`].
    pub fn create(root: &Path) -> Result<Self, RootError> {
        let disk = Self::at(root)?;
        disk.created_root()?;
        Ok(disk)
    }

    /// Opens a root that may not exist yet: until something is created in it, it is empty.
    ///
    /// # Errors
    /// [`RootError`], except for a missing root.
    pub fn at(root: &Path) -> Result<Self, RootError> {
        let held = OnceLock::new();
        match real_root::open(root) {
            Ok(directory) => drop(held.set(Arc::new(directory))),
            Err(RootError::Missing { .. }) => {}
            Err(other) => return Err(other),
        }
        Ok(Self { path: root.to_owned(), root: held, directories: Mutex::new(BTreeMap::new()) })
    }

    fn created_root(&self) -> Result<Arc<Dir>, RootError> {
        if let Some(root) = self.root.get() {
            return Ok(Arc::clone(root));
        }
        let created = Arc::new(real_root::create(&self.path)?);
        Ok(Arc::clone(self.root.get_or_init(|| created)))
    }

    fn existing_root(&self) -> io::Result<Arc<Dir>> {
        if let Some(root) = self.root.get() {
            return Ok(Arc::clone(root));
        }
        let opened = match real_root::open(&self.path) {
            Ok(directory) => Arc::new(directory),
            Err(RootError::Missing { .. }) => return Err(io::ErrorKind::NotFound.into()),
            Err(other) => return Err(io::Error::other(other)),
        };
        Ok(Arc::clone(self.root.get_or_init(|| opened)))
    }

    fn directory(&self, path: &RelativePath) -> io::Result<Arc<Dir>> {
        let Some(parent) = path.parent() else { return self.existing_root() };
        if let Some(found) = self.cached().get(path) {
            return Ok(Arc::clone(found));
        }
        let opened = Arc::new(open_directory(&*self.directory(&parent)?, path.name())?);
        self.cached().insert(path.clone(), Arc::clone(&opened));
        Ok(opened)
    }

    fn cached(&self) -> std::sync::MutexGuard<'_, BTreeMap<RelativePath, Arc<Dir>>> {
        self.directories.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a call on the directory that holds a name. A held directory that was removed and made
    /// again answers that nothing is there: then it is opened anew, once.
    fn within<T>(
        &self,
        path: &RelativePath,
        call: impl Fn(&Dir, &str) -> io::Result<T>,
    ) -> io::Result<T> {
        let parent = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
        let was_held = self.cached().contains_key(&parent);
        match call(&*self.directory(&parent)?, path.name()) {
            Err(error) if was_held && error.kind() == io::ErrorKind::NotFound => {
                self.forget(&parent);
                call(&*self.directory(&parent)?, path.name())
            }
            answer => answer,
        }
    }

    /// Lets go of a directory and everything that is held below it.
    fn forget_below(&self, path: &RelativePath) {
        let is_below =
            |held: &RelativePath| path.names().eq(held.names().take(path.names().count()));
        self.cached().retain(|held, _| !is_below(held));
    }

    /// Lets go of a directory and everything that is held above or below it.
    fn forget(&self, path: &RelativePath) {
        let is_related =
            |held: &RelativePath| held.names().zip(path.names()).all(|(one, other)| one == other);
        self.cached().retain(|held, _| !is_related(held));
    }
}

/// Opens a directory by its name, never through a link.
fn open_directory(parent: &Dir, name: &str) -> io::Result<Dir> {
    parent.open_dir_nofollow(name).map_err(|error| {
        if real_root::is_link_refused(&error) { io::ErrorKind::NotADirectory.into() } else { error }
    })
}

fn options(mode: OpenMode) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No);
    match mode {
        OpenMode::Read => {}
        OpenMode::ReadWrite => {
            options.write(true);
        }
        OpenMode::CreateNew => {
            options.write(true).create_new(true);
        }
    }
    #[cfg(unix)]
    {
        use cap_fs_ext::OpenOptionsSyncExt as _;
        use cap_std::fs::OpenOptionsExt as _;
        options.nonblock(true).mode(0o600);
    }
    options
}

fn open_file(parent: &Dir, name: &str, mode: OpenMode) -> io::Result<RealHandle> {
    let file = match parent.open_with(name, &options(mode)) {
        Ok(file) => file.into_std(),
        Err(error) if real_root::is_irregular(&error) => return Err(NotRegular.into()),
        Err(error) => return Err(error),
    };
    if !file.metadata()?.is_file() {
        return Err(NotRegular.into());
    }
    if mode == OpenMode::CreateNew {
        real_root::restore_owner_mode(&file)?;
    }
    Ok(RealHandle::new(file))
}

impl FileSystem for RealDisk {
    fn open(&self, path: &RelativePath, mode: OpenMode) -> io::Result<Box<dyn FileHandle>> {
        if mode == OpenMode::CreateNew {
            self.created_root().map_err(io::Error::other)?;
        }
        let handle = self.within(path, |parent, name| open_file(parent, name, mode))?;
        Ok(Box::new(handle))
    }

    fn create_directory(&self, path: &RelativePath) -> io::Result<()> {
        self.created_root().map_err(io::Error::other)?;
        self.within(path, real_root::create_private_directory)
    }

    fn sync_directory(&self, path: &RelativePath) -> io::Result<()> {
        real_root::sync_directory(&*self.directory(path)?)
    }

    fn list(&self, path: &RelativePath) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        let directory = match path.parent() {
            None => self.existing_root()?,
            Some(_) => Arc::new(self.within(path, open_directory)?),
        };
        for entry in directory.entries()? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let kind = match entry.file_type()? {
                kind if kind.is_file() => EntryKind::File,
                kind if kind.is_dir() => EntryKind::Directory,
                _ => EntryKind::Other,
            };
            entries.push(Entry { name, kind });
        }
        entries.sort();
        Ok(entries)
    }

    fn metadata(&self, path: &RelativePath) -> io::Result<Metadata> {
        if path.parent().is_none() {
            return Ok(describe(&self.existing_root()?.dir_metadata()?));
        }
        self.within(path, |parent, name| Ok(describe(&parent.symlink_metadata(name)?)))
    }

    fn rename(&self, from: &RelativePath, to: &RelativePath) -> io::Result<()> {
        self.within(from, |parent, name| {
            self.within(to, |target, new_name| parent.rename(name, target, new_name))
        })?;
        self.forget_below(from);
        Ok(())
    }

    fn publish(&self, from: &RelativePath, to: &RelativePath) -> io::Result<()> {
        self.within(from, |parent, name| {
            self.within(to, |target, new_name| parent.hard_link(name, target, new_name))
        })?;
        self.within(from, |parent, name| parent.remove_file(name))
    }

    fn remove_file(&self, path: &RelativePath) -> io::Result<()> {
        self.within(path, |parent, name| parent.remove_file(name))
    }

    fn remove_directory(&self, path: &RelativePath) -> io::Result<()> {
        self.within(path, |parent, name| parent.remove_dir(name))?;
        self.forget_below(path);
        Ok(())
    }
}
