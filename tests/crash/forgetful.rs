//! A door that leaves out one kind of sync: each must be missed by some oracle.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use context_continuity::io::fs::fault::FaultDisk;
use context_continuity::io::fs::{Entry, FileHandle, FileSystem, Metadata, OpenMode, RelativePath};

/// Which sync is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Omission {
    /// Of a record, before it is acknowledged.
    Record,
    /// Of a seal, before the log goes on in the next segment.
    Seal,
    /// Of a segment's header, before it gets its name.
    Header,
    /// Of a cut.
    Cut,
    /// Of the copy of what is cut.
    QuarantinedCopy,
    /// Of the anchor.
    Anchor,
    /// Of the directory whose path ends so.
    Directory(&'static str),
    /// Of the segments' directory, but for the first time.
    Rotation,
}

/// What a handle did last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    Header,
    Record,
    Seal,
    Cut,
}

pub struct Forgetful {
    disk: FaultDisk,
    omission: Omission,
    has_synced_segments: AtomicBool,
}

impl Forgetful {
    pub fn new(disk: FaultDisk, omission: Omission) -> Self {
        Self { disk, omission, has_synced_segments: AtomicBool::new(false) }
    }
}

struct ForgetfulHandle {
    handle: Box<dyn FileHandle>,
    path: RelativePath,
    omission: Omission,
    last: Last,
}

impl ForgetfulHandle {
    fn is_forgotten(&self) -> bool {
        let is_segment = self.path.as_str().contains("/ledger/");
        match self.omission {
            Omission::Record => is_segment && self.last == Last::Record,
            Omission::Seal => is_segment && self.last == Last::Seal,
            Omission::Header => is_segment && self.last == Last::Header,
            Omission::Cut => is_segment && self.last == Last::Cut,
            Omission::QuarantinedCopy => self.path.as_str().contains("/quarantine/"),
            Omission::Anchor => self.path.as_str().starts_with("anchors/"),
            Omission::Directory(_) | Omission::Rotation => false,
        }
    }
}

impl FileHandle for ForgetfulHandle {
    fn read_at(&self, buffer: &mut [u8], offset_bytes: u64) -> io::Result<usize> {
        self.handle.read_at(buffer, offset_bytes)
    }

    fn write_at(&mut self, bytes: &[u8], offset_bytes: u64) -> io::Result<usize> {
        self.last = match (offset_bytes, bytes.get(6)) {
            (0, _) => Last::Header,
            (_, Some(2)) => Last::Seal,
            _ => Last::Record,
        };
        self.handle.write_at(bytes, offset_bytes)
    }

    fn set_length(&mut self, length_bytes: u64) -> io::Result<()> {
        self.last = Last::Cut;
        self.handle.set_length(length_bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.is_forgotten() { Ok(()) } else { self.handle.sync() }
    }

    fn metadata(&self) -> io::Result<Metadata> {
        self.handle.metadata()
    }

    fn try_lock(&mut self) -> io::Result<()> {
        self.handle.try_lock()
    }
}

impl FileSystem for Forgetful {
    fn open(&self, path: &RelativePath, mode: OpenMode) -> io::Result<Box<dyn FileHandle>> {
        let handle = self.disk.open(path, mode)?;
        let (path, omission) = (path.clone(), self.omission);
        Ok(Box::new(ForgetfulHandle { handle, path, omission, last: Last::Nothing }))
    }

    fn create_directory(&self, path: &RelativePath) -> io::Result<()> {
        self.disk.create_directory(path)
    }

    fn sync_directory(&self, path: &RelativePath) -> io::Result<()> {
        match self.omission {
            Omission::Directory(name) if path.name() == name => Ok(()),
            Omission::Rotation
                if path.name() == "ledger"
                    && self.has_synced_segments.swap(true, Ordering::SeqCst) =>
            {
                Ok(())
            }
            _ => self.disk.sync_directory(path),
        }
    }

    fn list(&self, path: &RelativePath) -> io::Result<Vec<Entry>> {
        self.disk.list(path)
    }

    fn metadata(&self, path: &RelativePath) -> io::Result<Metadata> {
        self.disk.metadata(path)
    }

    fn rename(&self, from: &RelativePath, to: &RelativePath) -> io::Result<()> {
        self.disk.rename(from, to)
    }

    fn publish(&self, from: &RelativePath, to: &RelativePath) -> io::Result<()> {
        self.disk.publish(from, to)
    }

    fn remove_file(&self, path: &RelativePath) -> io::Result<()> {
        self.disk.remove_file(path)
    }

    fn remove_directory(&self, path: &RelativePath) -> io::Result<()> {
        self.disk.remove_directory(path)
    }
}
