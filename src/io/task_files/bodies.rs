//! Bodies: one text each, in a file that erasing removes.

use std::io;

use data_encoding::HEXLOWER;

use super::{TaskStore, damaged, missing, on, too_large};
use crate::domain::ids::BodyId;
use crate::domain::ports::{Damage, LedgerError};
use crate::io::fs::atomic::{self, Durability};
use crate::io::fs::{OpenMode, RelativePath};
use crate::io::root::layout::below;

/// Longest body, in bytes.
pub const BODY_BYTES_MAX: usize = 1024 * 1024;

impl TaskStore {
    pub(super) fn body_path(&self, id: BodyId) -> RelativePath {
        below(&self.directory("bodies"), &id.to_string())
    }

    pub(super) fn put_bodies(&self, bodies: &[(BodyId, Vec<u8>)]) -> Result<(), LedgerError> {
        if bodies.is_empty() {
            return Ok(());
        }
        for (_, bytes) in bodies {
            if bytes.len() > BODY_BYTES_MAX {
                return Err(too_large(bytes.len(), BODY_BYTES_MAX));
            }
        }
        for (id, bytes) in bodies {
            self.put_body(&self.body_path(*id), bytes)?;
        }
        self.sync(&self.directory("bodies"))
    }

    fn put_body(&self, path: &RelativePath, bytes: &[u8]) -> Result<(), LedgerError> {
        match atomic::create_file(&*self.fs, path, bytes, Durability::Synced) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.confirm_body(path, bytes)
            }
            answer => answer.map_err(on("create", path)),
        }
    }

    /// Makes sure that a body which is there already is the same, and durable.
    fn confirm_body(&self, path: &RelativePath, bytes: &[u8]) -> Result<(), LedgerError> {
        let mut file =
            atomic::open(&*self.fs, path, OpenMode::ReadWrite).map_err(on("open", path))?;
        let metadata = file.metadata().map_err(on("examine", path))?;
        if let Some(why) = metadata.unsafe_reason() {
            return Err(LedgerError::Unsafe { file: path.to_string(), why });
        }
        if self.read(path, BODY_BYTES_MAX)?.as_deref() != Some(bytes) {
            return Err(damaged(path, Damage::Payload));
        }
        file.sync().map_err(on("sync", path))
    }

    pub(super) fn get_body(&self, id: BodyId) -> Result<Vec<u8>, LedgerError> {
        let path = self.body_path(id);
        self.read(&path, BODY_BYTES_MAX)?.ok_or_else(|| missing(&path))
    }

    pub(super) fn remove_body(&self, id: BodyId) -> Result<(), LedgerError> {
        let path = self.body_path(id);
        atomic::remove_if_there(&*self.fs, &path).map_err(on("remove", &path))?;
        self.sync(&self.directory("bodies"))
    }

    /// Lists every body that has a file, so that one which no record names can be erased: a
    /// process may be stopped between the two. Other names are left out.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn body_ids(&self) -> Result<Vec<BodyId>, LedgerError> {
        let directory = self.directory("bodies");
        let entries =
            atomic::list_or_empty(&*self.fs, &directory).map_err(on("list", &directory))?;
        let read = |name: &str| HEXLOWER.decode(name.as_bytes()).ok()?.try_into().ok();
        Ok(entries.iter().filter_map(|entry| read(&entry.name)).map(BodyId::new).collect())
    }
}
