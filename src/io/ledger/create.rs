//! Bringing segments and logs into being, in an order that a crash cannot turn around.
//!
//! A segment gets its final name only when its header is durable, so a file of that name without a
//! whole header is damage and never a beginning.

use std::io;

use super::anchor::Anchor;
use super::error::{Tried, created};
use super::names::{Names, SEGMENT_NUMBER_MAX};
use super::segment::{FIRST_RECORD_OFFSET, SegmentHeader};
use super::tail::Tail;
use super::write::write_all;
use crate::domain::chain::Head;
use crate::domain::ids::TaskRef;
use crate::domain::ports::{LedgerError, Position};
use crate::io::fs::atomic::missing_is_none;
use crate::io::fs::{FileHandle, FileSystem, OpenMode, RelativePath};

/// Creates a segment behind `before`; its content is durable, its name is not yet.
pub(super) fn create_segment(
    disk: &dyn FileSystem,
    names: &Names,
    header: &SegmentHeader,
) -> Result<Box<dyn FileHandle>, LedgerError> {
    let path = names.segment(header.number);
    let unpublished = names.unpublished(header.number);
    if header.number > SEGMENT_NUMBER_MAX {
        return Err(io::ErrorKind::StorageFull.into()).tried("create", &path);
    }
    if missing_is_none(disk.metadata(&path)).tried("look at", &path)?.is_some() {
        return Err(io::ErrorKind::AlreadyExists.into()).tried("create", &path);
    }
    // A crash may have left one; nothing in it was ever part of the log.
    missing_is_none(disk.remove_file(&unpublished)).tried("remove", &unpublished)?;
    let mut file = disk.open(&unpublished, OpenMode::CreateNew).tried("create", &unpublished)?;
    write_all(file.as_mut(), &header.encode(), 0).tried("write", &unpublished)?;
    file.sync().tried("sync", &unpublished)?;
    disk.rename(&unpublished, &path).tried("rename", &unpublished)?;
    Ok(file)
}

/// Creates an empty log: directories, first segment, their names, and last the anchor.
pub(super) fn create_log(
    disk: &dyn FileSystem,
    names: &Names,
    stream: TaskRef,
) -> Result<Tail, LedgerError> {
    for directory in [&names.tasks, &names.task, &names.ledger, &names.anchors] {
        created(disk.create_directory(directory)).tried("create", directory)?;
    }
    let header = SegmentHeader { stream, number: 1, before: Head::EMPTY };
    let file = create_segment(disk, names, &header)?;
    // A directory's name is in its parent, so the whole way up is synced.
    for directory in [&names.ledger, &names.task, &names.tasks, &RelativePath::root()] {
        disk.sync_directory(directory).tried("sync", directory)?;
    }
    let anchor = Anchor::open_or_create(disk, names, stream, Position::START)?;
    Ok(Tail {
        position: Position::START,
        segment: 1,
        offset_bytes: FIRST_RECORD_OFFSET,
        file,
        anchor,
    })
}

/// Takes back a creation that did not come to its anchor.
///
/// What it left may look whole and still not be durable: a directory whose sync failed once is not
/// made durable by another sync. Directories that hold other things stay.
pub(super) fn discard_unfinished_log(
    disk: &dyn FileSystem,
    names: &Names,
) -> Result<(), LedgerError> {
    let first = names.segment(1);
    missing_is_none(disk.remove_file(&first)).tried("remove", &first)?;
    for directory in [&names.ledger, &names.task, &names.tasks, &names.anchors] {
        match disk.remove_directory(directory) {
            Err(error)
                if !matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty
                ) =>
            {
                return Err(error).tried("remove", directory);
            }
            _ => {}
        }
    }
    Ok(())
}
