//! From a host's session to its task.

use std::io;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::pointer::{self, POINTER_BYTES};
use super::{DataRoot, DataRootError, create_key_file, layout, read_key_file};
use crate::domain::confirmation::Code;
use crate::domain::ids::{SessionKey, TaskRef};
use crate::domain::ports::Damage;
use crate::io::fs::RelativePath;
use crate::io::fs::atomic::{self, Durability};

/// Separates this use of the root key from every other.
const PURPOSE: &[u8] = b"context-continuity session 1\0";
/// The same, for the names of successors.
const SUCCESSOR: &[u8] = b"context-continuity successor 1\0";
/// The same, for the codes by which a session goes on with an earlier task.
const CARRY: &[u8] = b"context-continuity carry 1\0";

/// What a session points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    /// Nothing: the session is not known.
    Absent,
    /// A task.
    Task(TaskRef),
    /// Something that cannot be believed; the task can be found by the sessions that the ledgers
    /// name, and bound again with [`DataRoot::rebind`].
    Damaged(Damage),
}

fn derive(root_key: &[u8; 32], host: &str, session: &str) -> Option<SessionKey> {
    let mut mac = Hmac::<Sha256>::new_from_slice(root_key).ok()?;
    mac.update(PURPOSE);
    let host_bytes = u64::try_from(host.len()).ok()?;
    mac.update(&host_bytes.to_le_bytes());
    mac.update(host.as_bytes());
    mac.update(session.as_bytes());
    Some(SessionKey::new(mac.finalize().into_bytes().into()))
}

fn named(root_key: &[u8; 32], host: &str, session: &str) -> SessionKey {
    match derive(root_key, host, session) {
        Some(key) => key,
        None => unreachable!("every key length suits the digest, and texts have 64-bit lengths"),
    }
}

/// Returns sixteen bytes that only the holder of the key can name. Parts have fixed lengths.
fn sixteen(root_key: &[u8; 32], purpose: &[u8], parts: &[&[u8]]) -> [u8; 16] {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(root_key) else {
        unreachable!("every key length suits the digest")
    };
    mac.update(purpose);
    for part in parts {
        mac.update(part);
    }
    let digest: [u8; 32] = mac.finalize().into_bytes().into();
    digest.first_chunk().copied().unwrap_or_default()
}

impl DataRoot {
    /// Returns the name of a task's successor: whoever begins it, after whatever crash, gives it
    /// this one. Creates the root key if there is none.
    ///
    /// # Errors
    /// As [`DataRoot::session_key`].
    pub fn successor_of(&self, task: TaskRef) -> Result<TaskRef, DataRootError> {
        let key = match self.root_key()? {
            Some(key) => key,
            None => create_key_file(&*self.fs, &layout::root_key())?,
        };
        Ok(TaskRef::new(sixteen(&key, SUCCESSOR, &[task.as_bytes()])))
    }

    /// Returns the code by which a session goes on with an earlier task; `None` while there is no
    /// root key. It is derived and stored nowhere: it holds for this one session.
    ///
    /// # Errors
    /// As [`DataRoot::find_session_key`].
    pub fn carry_code(
        &self,
        task: TaskRef,
        session: SessionKey,
    ) -> Result<Option<Code>, DataRootError> {
        let key = self.root_key()?;
        let parts = [task.as_bytes().as_slice(), session.as_bytes().as_slice()];
        Ok(key.map(|key| Code::from_random(sixteen(&key, CARRY, &parts))))
    }

    /// Returns the name of a host's session; `None` while there is no root key, and so no session
    /// that could be known. Creates nothing.
    ///
    /// # Errors
    /// [`DataRootError::Damaged`], [`DataRootError::KeyMissing`], [`DataRootError::Io`].
    pub fn find_session_key(
        &self,
        host: &str,
        session: &str,
    ) -> Result<Option<SessionKey>, DataRootError> {
        Ok(self.root_key()?.map(|key| named(&key, host, session)))
    }

    /// Checks that the key under which sessions find their tasks is whole, if any session points
    /// to a task. Creates nothing.
    ///
    /// # Errors
    /// [`DataRootError::Damaged`], [`DataRootError::KeyMissing`], [`DataRootError::Io`].
    pub fn check_root_key(&self) -> Result<(), DataRootError> {
        self.root_key().map(drop)
    }

    /// A pointer is bound only after the key is durable, so no crash leaves one without the other.
    fn root_key(&self) -> Result<Option<[u8; 32]>, DataRootError> {
        let file = layout::root_key();
        if let Some(key) = read_key_file(&*self.fs, &file)? {
            return Ok(Some(key));
        }
        let directory = layout::sessions();
        let pointers = atomic::list_or_empty(&*self.fs, &directory)
            .map_err(DataRootError::on("list", &directory))?;
        if pointers.is_empty() { Ok(None) } else { self.root_key_of_a_race(file) }
    }

    /// Another process may have made the key, and bound a session, between the two looks.
    fn root_key_of_a_race(&self, file: RelativePath) -> Result<Option<[u8; 32]>, DataRootError> {
        match read_key_file(&*self.fs, &file)? {
            Some(key) => Ok(Some(key)),
            None => Err(DataRootError::KeyMissing { file }),
        }
    }

    /// Returns the name of a host's session, creating the root key if there is none.
    ///
    /// A key that is there already costs no sync: [`DataRoot::bind`] makes it durable together
    /// with the directory of the pointers, before anything rests on it.
    ///
    /// # Errors
    /// [`DataRootError::Damaged`], [`DataRootError::KeyMissing`], [`DataRootError::NoRandomness`],
    /// [`DataRootError::Io`].
    pub fn session_key(&self, host: &str, session: &str) -> Result<SessionKey, DataRootError> {
        if let Some(key) = self.find_session_key(host, session)? {
            return Ok(key);
        }
        let key = create_key_file(&*self.fs, &layout::root_key())?;
        Ok(named(&key, host, session))
    }

    /// Tells which task a session belongs to. Creates nothing.
    ///
    /// # Errors
    /// [`DataRootError::Io`]. A damaged pointer is an answer, not an error.
    pub fn lookup(&self, session: SessionKey) -> Result<Lookup, DataRootError> {
        let path = layout::session(session);
        match atomic::missing_is_none(atomic::read_bounded(&*self.fs, &path, POINTER_BYTES)) {
            Ok(None) => Ok(Lookup::Absent),
            Ok(Some(bytes)) => Ok(match pointer::decode(&bytes, session) {
                Ok(task) => Lookup::Task(task),
                Err(what) => Lookup::Damaged(what),
            }),
            Err(error) => match error.kind() {
                io::ErrorKind::FileTooLarge => Ok(Lookup::Damaged(Damage::Length)),
                io::ErrorKind::InvalidInput => Ok(Lookup::Damaged(Damage::Magic)),
                _ => Err(DataRootError::on("read", &path)(error)),
            },
        }
    }

    /// Binds a session to a task durably, unless it is bound already; returns the task that it is
    /// bound to.
    ///
    /// # Errors
    /// [`DataRootError::Damaged`] if a damaged pointer is in the way; [`DataRootError::Io`].
    pub fn bind(&self, session: SessionKey, task: TaskRef) -> Result<TaskRef, DataRootError> {
        let (directory, path) = (layout::sessions(), layout::session(session));
        atomic::ensure_directory(&*self.fs, &directory)
            .map_err(DataRootError::on("create", &directory))?;
        let bytes = pointer::encode(session, task);
        match atomic::publish_new(&*self.fs, &path, &bytes, Durability::Synced) {
            Ok(()) => return Ok(task),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(DataRootError::on("create", &path)(error)),
        }
        // The winner may have been stopped before its own sync.
        self.fs.sync_directory(&directory).map_err(DataRootError::on("sync", &directory))?;
        match self.lookup(session)? {
            Lookup::Task(winner) => Ok(winner),
            Lookup::Absent => Err(DataRootError::Damaged { file: path, what: Damage::MissingFile }),
            Lookup::Damaged(what) => Err(DataRootError::Damaged { file: path, what }),
        }
    }

    /// Binds a session to a task durably, whatever it was bound to: a repair.
    ///
    /// # Errors
    /// [`DataRootError::Io`].
    pub fn rebind(&self, session: SessionKey, task: TaskRef) -> Result<(), DataRootError> {
        let (directory, path) = (layout::sessions(), layout::session(session));
        atomic::ensure_directory(&*self.fs, &directory)
            .map_err(DataRootError::on("create", &directory))?;
        let bytes = pointer::encode(session, task);
        atomic::replace_file(&*self.fs, &path, &bytes, Durability::Synced)
            .map_err(DataRootError::on("replace", &path))
    }
}
