//! Tells whether the index is the same as before, without reading it.

use std::path::Path;
use std::time::UNIX_EPOCH;

use crate::domain::fingerprint::Known;
use crate::domain::ids::Digest;
use crate::io::regular_file::last_bytes;

use super::read::{self, Unread};

/// Bytes at the end of an index that hold its own checksum, in both object formats.
const TRAILER_BYTES: u64 = 32;

/// Digests the index's trailing checksum, its size in bytes and its time of change.
///
/// A repository without an index has a digest of its own. Git also rewrites the index to remember
/// times of files, so a new digest means "written since", not "something else is staged".
pub fn digest(git_dir: &Path) -> Known<Digest> {
    let mut file = match read::open_below(git_dir, Path::new("index")) {
        Ok(file) => file,
        Err(Unread::Absent) => return Known::Known(read::sha256(b"no index")),
        Err(_) => return Known::Unknown,
    };
    let Ok(metadata) = file.metadata() else { return Known::Unknown };
    let Ok((trailer, _)) = last_bytes(&mut file, TRAILER_BYTES) else { return Known::Unknown };
    let Some(modified) =
        metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok())
    else {
        return Known::Unknown;
    };
    let mut bytes = metadata.len().to_le_bytes().to_vec();
    bytes.extend(modified.as_nanos().to_le_bytes());
    bytes.extend(trailer);
    Known::Known(read::sha256(&bytes))
}
