//! Bounded reading of files that a checkout may have prepared against us.
//!
//! Opens regular files only, without waiting and without following a link in any name below the
//! base folder. Never writes.

use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::domain::ids::Digest;
use crate::io::regular_file;

pub use crate::io::regular_file::Unread;

/// Most bytes that are read of a small file: HEAD, a loose ref, a pointer, a config.
pub const SMALL_FILE_BYTES_MAX: u64 = 64 * 1024;

/// Opens the regular file `name` below `base`; no component of `name` may be a link or go up.
///
/// # Errors
/// [`Unread`].
pub fn open_below(base: &Path, name: &Path) -> Result<File, Unread> {
    let mut path = base.to_path_buf();
    let mut components = name.components().peekable();
    while let Some(component) = components.next() {
        let Component::Normal(part) = component else {
            return Err(Unread::Refused);
        };
        path.push(part);
        if components.peek().is_some() {
            let kind = std::fs::symlink_metadata(&path)?.file_type();
            if kind.is_symlink() {
                return Err(Unread::NotRegular);
            }
            if !kind.is_dir() {
                return Err(Unread::Absent);
            }
        }
    }
    regular_file::open(&path)
}

/// Reads a whole small file below `base`.
///
/// # Errors
/// [`Unread`]; [`Unread::Refused`] above [`SMALL_FILE_BYTES_MAX`].
pub fn small_file(base: &Path, name: &str) -> Result<Vec<u8>, Unread> {
    let file = open_below(base, Path::new(name))?;
    let mut bytes = Vec::new();
    let count = file.take(SMALL_FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    let is_within = u64::try_from(count).is_ok_and(|count| count <= SMALL_FILE_BYTES_MAX);
    if is_within { Ok(bytes) } else { Err(Unread::Refused) }
}

/// Reads a small file that holds one line of UTF-8, without its line end.
///
/// # Errors
/// [`Unread`]; [`Unread::Refused`] for anything but one line.
pub fn one_line(base: &Path, name: &str) -> Result<String, Unread> {
    let bytes = small_file(base, name)?;
    let text = String::from_utf8(bytes).map_err(|_| Unread::Refused)?;
    let line = text.trim_end_matches(['\n', '\r']);
    if line.is_empty() || line.contains(['\n', '\r', '\0']) {
        return Err(Unread::Refused);
    }
    Ok(line.to_owned())
}

/// Digests all bytes of a path, so that different folders never share a key.
///
/// No Unicode form is folded: where the file system tells two spellings apart, so do we; where it
/// does not, the real path has one spelling.
pub fn path_digest(path: &Path) -> Digest {
    sha256(&path_bytes(path))
}

/// Digests bytes.
pub fn sha256(bytes: &[u8]) -> Digest {
    Digest::new(Sha256::digest(bytes).into())
}

/// Returns the bytes of a path as the system keeps them.
#[cfg(unix)]
pub fn path_bytes(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt as _;
    path.as_os_str().as_bytes().to_vec()
}

/// Returns the UTF-16 units of a path, little end first.
#[cfg(windows)]
pub fn path_bytes(path: &Path) -> Vec<u8> {
    use std::os::windows::ffi::OsStrExt as _;
    path.as_os_str().encode_wide().flat_map(u16::to_le_bytes).collect()
}

/// Makes a path of bytes that Git wrote.
#[cfg(unix)]
pub fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    std::ffi::OsStr::from_bytes(bytes).into()
}

/// Makes a path of bytes that Git wrote; what is no UTF-8 names nothing here.
#[cfg(windows)]
pub fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}
