//! An open file of the fault disk.

use std::io;

use super::call::CallKind;
use super::disk::{FaultDisk, State};
use super::failure::Fault;
use super::image::{Effect, NodeId};
use crate::io::fs::{FileHandle, Metadata, RelativePath};

/// An open file; its lock ends with it.
pub(super) struct FaultHandle {
    pub(super) disk: FaultDisk,
    pub(super) path: RelativePath,
    pub(super) node: NodeId,
    pub(super) id: u64,
    pub(super) is_writable: bool,
}

fn position(bytes: u64) -> io::Result<usize> {
    usize::try_from(bytes).map_err(|_| io::ErrorKind::FileTooLarge.into())
}

impl FaultHandle {
    fn content<'a>(&self, state: &'a State) -> io::Result<&'a Vec<u8>> {
        state.live.file(self.node).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn require_writable(&self) -> io::Result<()> {
        if self.is_writable { Ok(()) } else { Err(io::ErrorKind::PermissionDenied.into()) }
    }
}

impl FileHandle for FaultHandle {
    fn read_at(&self, buffer: &mut [u8], offset_bytes: u64) -> io::Result<usize> {
        let (state, _) = self.disk.enter(CallKind::Read, &self.path)?;
        let content = self.content(&state)?;
        let rest = content.get(position(offset_bytes)?..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        Ok(count)
    }

    fn write_at(&mut self, bytes: &[u8], offset_bytes: u64) -> io::Result<usize> {
        let (mut state, fault) = self.disk.enter(CallKind::Write, &self.path)?;
        self.require_writable()?;
        let count = match fault {
            Some(Fault::WriteOneByte) => bytes.len().min(1),
            Some(Fault::WriteHalf) => bytes.len().div_ceil(2),
            _ => bytes.len(),
        };
        let bytes = bytes.get(..count).unwrap_or_default().to_vec();
        let at_millis = state.now_millis;
        let offset = position(offset_bytes)?;
        state.change(Effect::Data { node: self.node, offset, bytes, at_millis });
        Ok(count)
    }

    fn set_length(&mut self, length_bytes: u64) -> io::Result<()> {
        let (mut state, _) = self.disk.enter(CallKind::SetLength, &self.path)?;
        self.require_writable()?;
        let at_millis = state.now_millis;
        let length = position(length_bytes)?;
        state.change(Effect::Length { node: self.node, length, at_millis });
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        let (mut state, fault) = self.disk.enter(CallKind::SyncFile, &self.path)?;
        state.sync(self.node, fault)
    }

    fn metadata(&self) -> io::Result<Metadata> {
        let (state, _) = self.disk.enter(CallKind::Metadata, &self.path)?;
        state.live.metadata(self.node).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn try_lock(&mut self) -> io::Result<()> {
        let (mut state, _) = self.disk.enter(CallKind::Lock, &self.path)?;
        let holder = *state.locks.entry(self.node).or_insert(self.id);
        if holder == self.id { Ok(()) } else { Err(io::ErrorKind::WouldBlock.into()) }
    }
}

impl Drop for FaultHandle {
    fn drop(&mut self) {
        let mut state = self.disk.state();
        if state.locks.get(&self.node) == Some(&self.id) {
            state.locks.remove(&self.node);
        }
    }
}
