//! Digests what is not committed.

use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use crate::domain::fingerprint::Known;
use crate::domain::ids::Digest;

use super::git::Git;
use super::read;

/// Most bytes that are read of Git's list of changes.
pub const STATUS_BYTES_MAX: u64 = 1024 * 1024;
/// Most changed paths that are looked at.
pub const STATUS_PATHS_MAX: usize = 4096;

/// Digests Git's list of changed and new paths, with each one's size and time of change.
///
/// Git's list alone does not tell a second edit of a file from the first. A new folder counts as
/// one path. Ignored files and the inside of submodules are left out. Unknown past the time limit,
/// [`STATUS_BYTES_MAX`] or [`STATUS_PATHS_MAX`].
pub fn digest(git: &Git, top: &Path, limit: Duration) -> Known<Digest> {
    let arguments = [
        "status",
        "--porcelain=v2",
        "-z",
        "--untracked-files=normal",
        "--ignore-submodules=all",
        "--no-renames",
        "--no-ahead-behind",
    ];
    match git.ask(&arguments, limit, STATUS_BYTES_MAX) {
        Some(answer) if answer.code == 0 => match with_times(top, answer.output) {
            Some(bytes) => Known::Known(read::sha256(&bytes)),
            None => Known::Unknown,
        },
        _ => Known::Unknown,
    }
}

/// Appends what the disk says of every listed path; `None` past the bound or on a strange list.
fn with_times(top: &Path, mut output: Vec<u8>) -> Option<Vec<u8>> {
    let mut seen = Vec::new();
    for (count, entry) in
        output.split(|byte| *byte == 0).filter(|part| !part.is_empty()).enumerate()
    {
        if count >= STATUS_PATHS_MAX {
            return None;
        }
        let path = read::path_from_bytes(listed_path(entry)?);
        match std::fs::symlink_metadata(top.join(path)) {
            Ok(metadata) => {
                seen.extend(metadata.len().to_le_bytes());
                let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
                seen.extend(modified.as_nanos().to_le_bytes());
            }
            Err(_) => seen.push(0),
        }
    }
    output.push(0);
    output.extend(seen);
    Some(output)
}

/// Takes the path out of one entry of the porcelain format, version 2, without renames.
fn listed_path(entry: &[u8]) -> Option<&[u8]> {
    let fields_before = match entry.first()? {
        b'1' => 8,
        b'u' => 10,
        b'?' => 1,
        _ => return None,
    };
    entry.splitn(fields_before + 1, |byte| *byte == b' ').nth(fields_before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_path_is_found_whatever_bytes_it_holds() {
        let zero = "0".repeat(40);
        let changed = format!("1 .M N... 100644 100644 100644 {zero} {zero} a b.txt");
        assert_eq!(listed_path(changed.as_bytes()), Some(&b"a b.txt"[..]));
        let unmerged = format!("u UU N... 1 2 3 4 {zero} {zero} {zero} both sides");
        assert_eq!(listed_path(unmerged.as_bytes()), Some(&b"both sides"[..]));
        assert_eq!(listed_path(b"? new\n\xff"), Some(&b"new\n\xff"[..]));
        assert_eq!(listed_path(b"# branch.oid x"), None);
        assert_eq!(listed_path(b"1 .M"), None);
    }

    #[test]
    fn a_list_past_its_bound_is_unknown() {
        let top = Path::new("/");
        let at_bound = b"? new\0".repeat(STATUS_PATHS_MAX);
        let past_bound = b"? new\0".repeat(STATUS_PATHS_MAX + 1);
        assert!(with_times(top, at_bound).is_some());
        assert!(with_times(top, past_bound).is_none());
    }
}
