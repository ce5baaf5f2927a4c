//! Taking hold of a log's end for writing, after it was read and found whole.
//!
//! Every step may be repeated after a crash. Nothing is cut before a copy of it is durable.

use super::anchor::{Anchor, Found};
use super::create::{create_log, discard_unfinished_log};
use super::error::{Tried, created, require_ours};
use super::scan::End;
use super::segment::FIRST_RECORD_OFFSET;
use super::tail::{Site, Tail};
use super::write::write_all;
use crate::domain::ports::{LedgerError, Position};
use crate::io::bytes::disk_length;
use crate::io::fs::atomic::missing_is_none;
use crate::io::fs::{FileHandle, OpenMode, RelativePath};

/// Copies of bytes cut at one place; more than a handful means that something else is wrong.
const COPIES_MAX: u32 = 1000;

/// Bytes copied at a time.
const COPY_BYTES: usize = 64 * 1024;

/// Opens the end of a log, mending what a crash may leave there.
pub(super) fn take_hold(site: &Site<'_>, end: &End, found: Found) -> Result<Tail, LedgerError> {
    let path = site.names.segment(end.segment);
    let mut file = site.disk.open(&path, OpenMode::ReadWrite).tried("open", &path)?;
    require_ours(&path, &file.metadata().tried("look at", &path)?)?;
    if end.torn.is_some() {
        set_aside(site, file.as_ref(), end)?;
        file.set_length(end.offset_bytes).tried("cut", &path)?;
        file.sync().tried("sync", &path)?;
    }
    if end.has_empty_successor {
        // Its name may not be durable, so it is created anew when it is needed. Should a crash
        // bring this one back, it is known by its header and removed again.
        let successor = site.names.segment(end.segment.saturating_add(1));
        site.disk.remove_file(&successor).tried("remove", &successor)?;
    }
    if end.segment > 1 && end.offset_bytes == FIRST_RECORD_OFFSET {
        // Who wrote the seal may have been stopped before its sync; nothing may follow it until
        // it is durable.
        let sealed = site.names.segment(end.segment.saturating_sub(1));
        let mut sealed_file =
            site.disk.open(&sealed, OpenMode::ReadWrite).tried("open", &sealed)?;
        sealed_file.sync().tried("sync", &sealed)?;
    }
    if end.position == Position::START && found == Found::Missing {
        drop(file);
        discard_unfinished_log(site.disk, site.names)?;
        return create_log(site.disk, site.names, site.stream);
    }
    let mut anchor = Anchor::open_or_create(site.disk, site.names, site.stream, end.position)?;
    match found {
        Found::Unreadable => anchor.replace(end.position)?,
        Found::Witness(witness) if witness.head() == end.position.head => {}
        Found::Witness(_) | Found::Missing => {
            // The newest records may be another process's that was stopped before its sync. Who
            // reads them under the lock may tell others of them.
            file.sync().tried("sync", &path)?;
            anchor.write(end.position)?;
        }
    }
    Ok(Tail {
        position: end.position,
        segment: end.segment,
        offset_bytes: end.offset_bytes,
        file,
        anchor,
    })
}

/// Makes a durable copy of a torn tail in `quarantine/`.
fn set_aside(site: &Site<'_>, from: &dyn FileHandle, end: &End) -> Result<(), LedgerError> {
    let names = site.names;
    created(site.disk.create_directory(&names.quarantine)).tried("create", &names.quarantine)?;
    site.disk.sync_directory(&names.task).tried("sync", &names.task)?;
    let (path, mut to) = open_copy(site, end)?;
    let source = names.segment(end.segment);
    let mut buffer = vec![0; COPY_BYTES];
    let mut copied_bytes: u64 = 0;
    loop {
        let at = end.offset_bytes.saturating_add(copied_bytes);
        let count = from.read_at(&mut buffer, at).tried("read", &source)?;
        let bytes = buffer.get(..count).unwrap_or_default();
        if bytes.is_empty() {
            break;
        }
        write_all(to.as_mut(), bytes, copied_bytes).tried("write", &path)?;
        copied_bytes = copied_bytes.saturating_add(disk_length(count));
    }
    to.sync().tried("sync", &path)?;
    site.disk.sync_directory(&names.quarantine).tried("sync", &names.quarantine)
}

fn open_copy(
    site: &Site<'_>,
    end: &End,
) -> Result<(RelativePath, Box<dyn FileHandle>), LedgerError> {
    let mut copy = 1;
    loop {
        let path = site.names.quarantined(end.segment, end.offset_bytes, copy);
        let is_taken =
            missing_is_none(site.disk.metadata(&path)).tried("look at", &path)?.is_some();
        if !is_taken || copy >= COPIES_MAX {
            let file = site.disk.open(&path, OpenMode::CreateNew).tried("create", &path)?;
            return Ok((path, file));
        }
        copy = copy.saturating_add(1);
    }
}
