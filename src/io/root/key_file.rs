//! A file that holds one random key.
//!
//! Bytes: magic `CCKEY\0\0\1`, 32 random bytes, CRC-32C of both in little-endian order.

use std::io;

use super::DataRootError;
use crate::domain::ports::Damage;
use crate::io::bytes::{sealed, unsealed_exactly};
use crate::io::fs::atomic::{self, Durability};
use crate::io::fs::{FileSystem, RelativePath};

const MAGIC: [u8; 8] = *b"CCKEY\0\0\x01";
const FILE_BYTES: usize = 8 + 32 + 4;

fn encode(key: &[u8; 32]) -> Vec<u8> {
    sealed([MAGIC.as_slice(), key.as_slice()].concat())
}

fn decode(bytes: &[u8]) -> Result<[u8; 32], Damage> {
    unsealed_exactly(bytes, FILE_BYTES, MAGIC)?.array().ok_or(Damage::Length)
}

/// Reads a key; `None` if there is no such file.
///
/// # Errors
/// [`DataRootError::Damaged`], [`DataRootError::Io`].
pub fn read_key_file(
    fs: &dyn FileSystem,
    path: &RelativePath,
) -> Result<Option<[u8; 32]>, DataRootError> {
    let bytes = match atomic::missing_is_none(atomic::read_bounded(fs, path, FILE_BYTES)) {
        Ok(None) => return Ok(None),
        Ok(Some(bytes)) => bytes,
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            return Err(DataRootError::Damaged { file: path.clone(), what: Damage::Length });
        }
        Err(error) => return Err(DataRootError::on("read", path)(error)),
    };
    decode(&bytes).map(Some).map_err(|what| DataRootError::Damaged { file: path.clone(), what })
}

/// Returns the key of a file, creating it durably if it is not there. Of two processes that create
/// it, both return the key of the one that came first.
///
/// The directory must exist.
///
/// # Errors
/// [`DataRootError::Damaged`]: a damaged key is never replaced. [`DataRootError::NoRandomness`],
/// [`DataRootError::Io`].
pub fn create_key_file(
    fs: &dyn FileSystem,
    path: &RelativePath,
) -> Result<[u8; 32], DataRootError> {
    if let Some(key) = read_key_file(fs, path)? {
        return sync_name(fs, path).map(|()| key);
    }
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(|_| DataRootError::NoRandomness)?;
    match atomic::publish_new(fs, path, &encode(&key), Durability::Synced) {
        Ok(()) => Ok(key),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let what = Damage::MissingFile;
            let gone = || DataRootError::Damaged { file: path.clone(), what };
            let winner = read_key_file(fs, path)?.ok_or_else(gone)?;
            sync_name(fs, path).map(|()| winner)
        }
        Err(error) => Err(DataRootError::on("create", path)(error)),
    }
}

/// Puts a given key into a file durably, if there is none; another key that is there stays.
///
/// The directory must exist.
///
/// # Errors
/// [`DataRootError::Io`].
pub fn place_key_file(
    fs: &dyn FileSystem,
    path: &RelativePath,
    key: &[u8; 32],
) -> Result<(), DataRootError> {
    match atomic::publish_new(fs, path, &encode(key), Durability::Synced) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => sync_name(fs, path),
        answer => answer.map_err(DataRootError::on("create", path)),
    }
}

/// Makes the name of a key durable that another process created: it may have been stopped before
/// its own sync.
fn sync_name(fs: &dyn FileSystem, path: &RelativePath) -> Result<(), DataRootError> {
    let directory = path.parent().unwrap_or(RelativePath::root());
    fs.sync_directory(&directory).map_err(DataRootError::on("sync", &directory))
}
