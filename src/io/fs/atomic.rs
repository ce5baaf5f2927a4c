//! Whole files: written at once, replaced or published in one step, read within a bound.
//!
//! The order is fixed: write beside the target, sync, rename, sync the directory. A failed sync is
//! never tried again; the file it belonged to is given up.

use std::io;

use data_encoding::HEXLOWER;

use super::{EntryKind, FileHandle, FileSystem, OpenMode, RelativePath};

/// Age from which a temporary file that nobody renamed is litter, in milliseconds.
pub const TEMPORARY_AGE_MILLIS_MAX: i64 = 60 * 60 * 1000;

/// How often in a row an interrupted call is made again.
const INTERRUPTIONS_MAX: u32 = 100;

const TEMPORARY_PREFIX: &str = "temporary-";
const TEMPORARY_RANDOM_BYTES: usize = 8;

/// What a returned write promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Content and name survive a power cut.
    Synced,
    /// They may be lost or come out empty: for what can be rebuilt and is checksummed.
    Cached,
}

/// Makes a call again while a signal interrupts it.
fn uninterrupted<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let mut interruptions = 0;
    loop {
        match call() {
            Err(error)
                if error.kind() == io::ErrorKind::Interrupted
                    && interruptions < INTERRUPTIONS_MAX =>
            {
                interruptions += 1;
            }
            other => return other,
        }
    }
}

/// Opens a file, again if a signal interrupts it.
///
/// # Errors
/// Those of [`FileSystem::open`].
pub fn open(
    fs: &dyn FileSystem,
    path: &RelativePath,
    mode: OpenMode,
) -> io::Result<Box<dyn FileHandle>> {
    uninterrupted(|| fs.open(path, mode))
}

/// Writes all bytes at `offset_bytes`, however few the system takes at once.
///
/// # Errors
/// The system's first refusal; `WriteZero` if it takes nothing. How much was written is then
/// unknown.
pub fn write_all_at(file: &mut dyn FileHandle, bytes: &[u8], offset_bytes: u64) -> io::Result<()> {
    let mut rest = bytes;
    let mut offset = offset_bytes;
    while !rest.is_empty() {
        let count = uninterrupted(|| file.write_at(rest, offset))?;
        if count == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        rest = rest.get(count..).unwrap_or_default();
        offset = offset.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
    }
    Ok(())
}

/// Fills the buffer from `offset_bytes` on as far as the file reaches; returns the bytes read.
///
/// # Errors
/// The system's first refusal.
pub fn read_full_at(
    file: &dyn FileHandle,
    buffer: &mut [u8],
    offset_bytes: u64,
) -> io::Result<usize> {
    let mut filled = 0;
    let mut offset = offset_bytes;
    while let Some(rest) = buffer.get_mut(filled..)
        && !rest.is_empty()
    {
        let count = uninterrupted(|| file.read_at(rest, offset))?;
        if count == 0 {
            break;
        }
        filled = filled.saturating_add(count);
        offset = offset.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
    }
    Ok(filled)
}

/// Reads a whole file of at most `bytes_max` bytes.
///
/// # Errors
/// `FileTooLarge` beyond the bound, before anything is allocated for it; `NotFound`; whatever the
/// system answers.
pub fn read_bounded(
    fs: &dyn FileSystem,
    path: &RelativePath,
    bytes_max: usize,
) -> io::Result<Vec<u8>> {
    let file = open(fs, path, OpenMode::Read)?;
    let length = usize::try_from(file.metadata()?.length_bytes)
        .ok()
        .filter(|length| *length <= bytes_max)
        .ok_or(io::ErrorKind::FileTooLarge)?;
    let mut bytes = vec![0; length];
    let count = read_full_at(&*file, &mut bytes, 0)?;
    bytes.truncate(count);
    Ok(bytes)
}

/// Creates a file that must not exist, and syncs it; its name is not synced.
///
/// # Errors
/// `AlreadyExists`; otherwise whatever the system answers, and no file is left as far as the
/// system lets it be removed.
pub fn create_file(
    fs: &dyn FileSystem,
    path: &RelativePath,
    bytes: &[u8],
    durability: Durability,
) -> io::Result<()> {
    let mut file = open(fs, path, OpenMode::CreateNew)?;
    let written = write_all_at(&mut *file, bytes, 0).and_then(|()| match durability {
        Durability::Synced => file.sync(),
        Durability::Cached => Ok(()),
    });
    drop(file);
    written.inspect_err(|_| give_up(fs, path))
}

/// Puts a file in place of another, or of none: old or new, never half.
///
/// # Errors
/// Whatever the system answers. The old file is then still there, unless only the last step, the
/// sync of the directory, failed: then it is unknown which of the two survives a power cut.
pub fn replace_file(
    fs: &dyn FileSystem,
    path: &RelativePath,
    bytes: &[u8],
    durability: Durability,
) -> io::Result<()> {
    put(fs, path, bytes, durability, |temporary| fs.rename(temporary, path))
}

/// Gives a new file a name that nothing has yet.
///
/// # Errors
/// `AlreadyExists`; otherwise whatever the system answers, and the name is taken back as far as the
/// system lets it be removed: a name whose sync failed once may never become durable.
pub fn publish_new(
    fs: &dyn FileSystem,
    path: &RelativePath,
    bytes: &[u8],
    durability: Durability,
) -> io::Result<()> {
    let mut is_published = false;
    let answer = put(fs, path, bytes, durability, |temporary| {
        fs.publish(temporary, path).inspect(|()| is_published = true)
    });
    answer.inspect_err(|_| {
        if is_published {
            give_up(fs, path);
        }
    })
}

fn put(
    fs: &dyn FileSystem,
    path: &RelativePath,
    bytes: &[u8],
    durability: Durability,
    place: impl FnOnce(&RelativePath) -> io::Result<()>,
) -> io::Result<()> {
    let directory = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let temporary = temporary_in(&directory)?;
    create_file(fs, &temporary, bytes, durability)?;
    place(&temporary).inspect_err(|_| give_up(fs, &temporary))?;
    match durability {
        Durability::Synced => fs.sync_directory(&directory),
        Durability::Cached => Ok(()),
    }
}

fn temporary_in(directory: &RelativePath) -> io::Result<RelativePath> {
    let mut random = [0; TEMPORARY_RANDOM_BYTES];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let name = format!("{TEMPORARY_PREFIX}{}", HEXLOWER.encode(&random));
    directory.child(&name).ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

/// Tells whether a name is one that [`replace_file`] or [`publish_new`] makes up.
#[must_use]
pub fn is_temporary(name: &str) -> bool {
    name.strip_prefix(TEMPORARY_PREFIX)
        .and_then(|digits| HEXLOWER.decode(digits.as_bytes()).ok())
        .is_some_and(|bytes| bytes.len() == TEMPORARY_RANDOM_BYTES)
}

/// Removes what a failed write left. The failure itself is what the caller hears of; a file that
/// cannot be removed is swept later.
fn give_up(fs: &dyn FileSystem, path: &RelativePath) {
    drop(fs.remove_file(path));
}

/// Removes temporary files that nobody renamed for an hour, and at once those that were published
/// but kept their first name; returns how many.
///
/// `now_millis` is milliseconds since 1970-01-01 UTC. A missing directory holds none.
///
/// # Errors
/// Whatever the system answers to listing, asking and removing.
pub fn sweep_temporaries(
    fs: &dyn FileSystem,
    directory: &RelativePath,
    now_millis: i64,
) -> io::Result<usize> {
    let mut removed_count = 0;
    for entry in list_or_empty(fs, directory)? {
        if entry.kind != EntryKind::File || !is_temporary(&entry.name) {
            continue;
        }
        let Some(path) = directory.child(&entry.name) else { continue };
        let Some(metadata) = missing_is_none(fs.metadata(&path))? else { continue };
        let age_millis = now_millis.saturating_sub(metadata.modified_millis);
        if metadata.link_count > 1 || age_millis > TEMPORARY_AGE_MILLIS_MAX {
            remove_if_there(fs, &path)?;
            removed_count += 1;
        }
    }
    Ok(removed_count)
}

/// Lists a directory; one that does not exist is empty.
///
/// # Errors
/// Whatever else the system answers.
pub fn list_or_empty(
    fs: &dyn FileSystem,
    directory: &RelativePath,
) -> io::Result<Vec<super::Entry>> {
    Ok(missing_is_none(uninterrupted(|| fs.list(directory)))?.unwrap_or_default())
}

/// Turns the answer that something does not exist into `None`.
///
/// # Errors
/// Every other error of `answer`.
pub fn missing_is_none<T>(answer: io::Result<T>) -> io::Result<Option<T>> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes a file's name; returns whether it was there.
///
/// # Errors
/// Whatever else the system answers.
pub fn remove_if_there(fs: &dyn FileSystem, path: &RelativePath) -> io::Result<bool> {
    Ok(missing_is_none(fs.remove_file(path))?.is_some())
}

/// Creates a directory and what is missing above it; all their names are durable on return.
///
/// Names that exist already are synced as well: the process that made them may have been stopped
/// before its own sync. A directory that was made here and whose name cannot be synced is taken
/// back: that name may never become durable.
///
/// # Errors
/// Whatever the system answers; `NotADirectory` if something else has the name.
pub fn ensure_directory(fs: &dyn FileSystem, path: &RelativePath) -> io::Result<()> {
    let Some(parent) = path.parent() else { return Ok(()) };
    ensure_directory(fs, &parent)?;
    let is_created = match missing_is_none(fs.metadata(path))? {
        Some(metadata) if metadata.kind == EntryKind::Directory => false,
        Some(_) => return Err(io::ErrorKind::NotADirectory.into()),
        None => create_directory(fs, path)?,
    };
    fs.sync_directory(&parent).inspect_err(|_| {
        if is_created {
            drop(fs.remove_directory(path));
        }
    })
}

/// Creates one directory; returns whether it was missing.
///
/// # Errors
/// Whatever the system answers.
pub fn create_directory(fs: &dyn FileSystem, path: &RelativePath) -> io::Result<bool> {
    match fs.create_directory(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}
