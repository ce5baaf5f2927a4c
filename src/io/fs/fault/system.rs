//! The door: the fault disk as a file system.

use std::collections::BTreeMap;
use std::io;

use super::call::CallKind;
use super::disk::{FaultDisk, State};
use super::handle::FaultHandle;
use super::image::{Content, Effect, NodeId};
use crate::io::fs::{
    Entry, EntryKind, FileHandle, FileSystem, Metadata, NotRegular, OpenMode, RelativePath,
};

/// Finds the directory that holds a name; anything but directories on the way is refused.
fn holding(state: &State, path: &RelativePath) -> io::Result<(NodeId, String)> {
    let parent = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    Ok((directory(state, &parent)?, path.name().to_owned()))
}

fn directory(state: &State, path: &RelativePath) -> io::Result<NodeId> {
    let mut at = super::image::ROOT;
    for name in path.names() {
        let names = state.live.directory(at).ok_or(io::ErrorKind::NotADirectory)?;
        at = *names.get(name).ok_or(io::ErrorKind::NotFound)?;
        state.live.directory(at).ok_or(io::ErrorKind::NotADirectory)?;
    }
    Ok(at)
}

fn named(state: &State, (parent, name): &(NodeId, String)) -> Option<NodeId> {
    state.live.directory(*parent)?.get(name).copied()
}

fn kind(state: &State, node: NodeId) -> EntryKind {
    state.live.nodes.get(&node).map_or(EntryKind::Other, super::image::Node::kind)
}

impl FileSystem for FaultDisk {
    fn open(&self, path: &RelativePath, mode: OpenMode) -> io::Result<Box<dyn FileHandle>> {
        let call = match mode {
            OpenMode::Read => CallKind::OpenRead,
            OpenMode::ReadWrite => CallKind::OpenWrite,
            OpenMode::CreateNew => CallKind::CreateFile,
        };
        let (mut state, _) = self.enter(call, path)?;
        let place = holding(&state, path)?;
        let node = match (mode, named(&state, &place)) {
            (OpenMode::CreateNew, Some(_)) => return Err(io::ErrorKind::AlreadyExists.into()),
            (OpenMode::CreateNew, None) => {
                let node = state.allocate(Content::File(Vec::new()));
                state.change(Effect::Link { directory: place.0, name: place.1, node });
                node
            }
            (_, None) => return Err(io::ErrorKind::NotFound.into()),
            (_, Some(node)) => node,
        };
        if kind(&state, node) != EntryKind::File {
            return Err(NotRegular.into());
        }
        let id = state.new_handle();
        let is_writable = mode != OpenMode::Read;
        Ok(Box::new(FaultHandle { disk: self.clone(), path: path.clone(), node, id, is_writable }))
    }

    fn create_directory(&self, path: &RelativePath) -> io::Result<()> {
        let (mut state, _) = self.enter(CallKind::CreateDirectory, path)?;
        let place = holding(&state, path)?;
        if named(&state, &place).is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let node = state.allocate(Content::Directory(BTreeMap::new()));
        state.change(Effect::Link { directory: place.0, name: place.1, node });
        Ok(())
    }

    fn sync_directory(&self, path: &RelativePath) -> io::Result<()> {
        let (mut state, fault) = self.enter(CallKind::SyncDirectory, path)?;
        let node = directory(&state, path)?;
        state.sync(node, fault)
    }

    fn list(&self, path: &RelativePath) -> io::Result<Vec<Entry>> {
        let (state, _) = self.enter(CallKind::List, path)?;
        let names = state.live.directory(directory(&state, path)?);
        Ok(names
            .into_iter()
            .flatten()
            .map(|(name, node)| Entry { name: name.clone(), kind: kind(&state, *node) })
            .collect())
    }

    fn metadata(&self, path: &RelativePath) -> io::Result<Metadata> {
        let (state, _) = self.enter(CallKind::Metadata, path)?;
        let node = match path.parent() {
            None => super::image::ROOT,
            Some(_) => named(&state, &holding(&state, path)?).ok_or(io::ErrorKind::NotFound)?,
        };
        state.live.metadata(node).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn rename(&self, from: &RelativePath, to: &RelativePath) -> io::Result<()> {
        let (mut state, _) = self.enter(CallKind::Rename, to)?;
        let (from, to) = (holding(&state, from)?, holding(&state, to)?);
        let node = named(&state, &from).ok_or(io::ErrorKind::NotFound)?;
        let replaced = named(&state, &to);
        if replaced == Some(node) {
            return Ok(());
        }
        if replaced.is_some_and(|replaced| kind(&state, replaced) == EntryKind::Directory) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        state.change(Effect::Rename { from, to, node });
        Ok(())
    }

    fn publish(&self, from: &RelativePath, to: &RelativePath) -> io::Result<()> {
        let (mut state, _) = self.enter(CallKind::Publish, to)?;
        let (from, to) = (holding(&state, from)?, holding(&state, to)?);
        let node = named(&state, &from).ok_or(io::ErrorKind::NotFound)?;
        if named(&state, &to).is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        state.change(Effect::Link { directory: to.0, name: to.1, node });
        state.change(Effect::Unlink { directory: from.0, name: from.1, node });
        Ok(())
    }

    fn remove_file(&self, path: &RelativePath) -> io::Result<()> {
        let (mut state, _) = self.enter(CallKind::RemoveFile, path)?;
        let place = holding(&state, path)?;
        let node = named(&state, &place).ok_or(io::ErrorKind::NotFound)?;
        if kind(&state, node) == EntryKind::Directory {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        state.change(Effect::Unlink { directory: place.0, name: place.1, node });
        Ok(())
    }

    fn remove_directory(&self, path: &RelativePath) -> io::Result<()> {
        let (mut state, _) = self.enter(CallKind::RemoveDirectory, path)?;
        let place = holding(&state, path)?;
        let node = named(&state, &place).ok_or(io::ErrorKind::NotFound)?;
        let names = state.live.directory(node).ok_or(io::ErrorKind::NotADirectory)?;
        if !names.is_empty() {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
        state.change(Effect::Unlink { directory: place.0, name: place.1, node });
        Ok(())
    }
}
