//! Reads HEAD and the ref that it names, loose or packed.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use crate::domain::fingerprint::{Known, ObjectName};

use super::read::{self, Unread};
use super::repository::Repository;

/// Most bytes of `packed-refs` that are searched, about 130,000 refs.
pub const PACKED_REFS_BYTES_MAX: u64 = 8 * 1024 * 1024;
/// Longest name of a ref that is read, in bytes.
pub const REF_NAME_BYTES_MAX: usize = 1024;
/// Most refs that name another ref, one after the other.
const SYMBOLIC_REFS_MAX: usize = 5;

/// What HEAD says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// A ref, and its commit if it has one.
    Ref {
        /// The full name, such as `refs/heads/main`.
        name: String,
        /// Its commit; `None` inside if the ref does not exist yet.
        commit: Known<Option<ObjectName>>,
    },
    /// A commit.
    Detached(ObjectName),
    /// Not readable here.
    Unknown,
}

/// Reads HEAD of a worktree.
pub fn head(repository: &Repository) -> Head {
    if std::fs::symlink_metadata(repository.common_dir.join("reftable")).is_ok() {
        return Head::Unknown;
    }
    match read::one_line(&repository.git_dir, "HEAD").map(|line| Value::parse(&line)) {
        Ok(Some(Value::Object(commit))) => Head::Detached(commit),
        Ok(Some(Value::Name(name))) => {
            let commit = resolve(repository, &name);
            Head::Ref { name, commit }
        }
        Ok(None) | Err(_) => Head::Unknown,
    }
}

/// The content of HEAD or of a loose ref.
enum Value {
    Object(ObjectName),
    Name(String),
}

impl Value {
    fn parse(line: &str) -> Option<Self> {
        match line.strip_prefix("ref:") {
            Some(name) => {
                let name = name.trim();
                is_ref_name(name).then(|| Self::Name(name.to_owned()))
            }
            None => ObjectName::parse(line.trim_end()).map(Self::Object),
        }
    }
}

/// Tells whether a name can be looked up below the repository without leaving it.
fn is_ref_name(name: &str) -> bool {
    name.len() <= REF_NAME_BYTES_MAX
        && name.starts_with("refs/")
        && !name.contains('\\')
        && !name.contains(char::is_control)
        && name.split('/').all(|part| !part.is_empty() && !part.starts_with('.'))
}

fn resolve(repository: &Repository, name: &str) -> Known<Option<ObjectName>> {
    let mut name = name.to_owned();
    for _ in 0..SYMBOLIC_REFS_MAX {
        match loose(repository, &name) {
            Ok(Some(Value::Object(commit))) => return Known::Known(Some(commit)),
            Ok(Some(Value::Name(next))) => name = next,
            Err(Unread::Absent | Unread::Folder) => return packed(&repository.common_dir, &name),
            Ok(None) | Err(_) => return Known::Unknown,
        }
    }
    Known::Unknown
}

fn loose(repository: &Repository, name: &str) -> Result<Option<Value>, Unread> {
    let is_of_worktree = ["refs/bisect/", "refs/worktree/", "refs/rewritten/"]
        .iter()
        .any(|prefix| name.starts_with(prefix));
    let base = if is_of_worktree { &repository.git_dir } else { &repository.common_dir };
    read::one_line(base, name).map(|line| Value::parse(&line))
}

fn packed(common_dir: &Path, name: &str) -> Known<Option<ObjectName>> {
    let file = match read::open_below(common_dir, Path::new("packed-refs")) {
        Ok(file) => file,
        Err(Unread::Absent) => return Known::Known(None),
        Err(_) => return Known::Unknown,
    };
    let Ok(length_bytes) = file.metadata().map(|metadata| metadata.len()) else {
        return Known::Unknown;
    };
    let mut reader = BufReader::new(file.take(PACKED_REFS_BYTES_MAX));
    let mut line = Vec::new();
    loop {
        line.clear();
        match reader.read_until(b'\n', &mut line) {
            Ok(0) if length_bytes <= PACKED_REFS_BYTES_MAX => return Known::Known(None),
            Ok(0) | Err(_) => return Known::Unknown,
            Ok(_) => {}
        }
        // A line cut by the bound has no end and may name another ref than it seems to.
        let Some(entry) = line.strip_suffix(b"\n") else {
            return Known::Unknown;
        };
        let Some(object) = entry.strip_suffix(name.as_bytes()) else { continue };
        let Some(object) = object.strip_suffix(b" ") else { continue };
        return match std::str::from_utf8(object).ok().and_then(ObjectName::parse) {
            Some(commit) => Known::Known(Some(commit)),
            None => Known::Unknown,
        };
    }
}
