//! Searches every byte below a folder, names included.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// Every file below a folder, in order.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Every file below a folder that holds `needle`, in its bytes or in its name.
pub fn files_with(folder: &Path, needle: &str) -> Vec<PathBuf> {
    let is_hit = |path: &PathBuf| {
        contains(path.as_os_str().as_bytes(), needle.as_bytes())
            || fs::read(path).is_ok_and(|bytes| contains(&bytes, needle.as_bytes()))
    };
    files_below(folder).into_iter().filter(is_hit).collect()
}

/// Names and contents of every file below a folder.
pub fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).unwrap_or_default();
        (path, bytes)
    };
    files_below(folder).into_iter().map(read).collect()
}

pub fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    memchr::memmem::find(bytes, needle).is_some()
}
