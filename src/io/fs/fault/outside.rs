//! What somebody else does to the disk, and what a test sees of it.
//!
//! None of this is a call: it is not numbered, no fault strikes it, and it is durable at once.

use std::collections::BTreeMap;

use super::disk::{FaultDisk, State};
use super::image::{Content, Effect, Node, NodeId, ROOT};
use super::journal::Step;
use crate::io::fs::RelativePath;

impl State {
    fn outside(&mut self, effect: Effect) {
        self.live.apply(&effect);
        self.record(Step::Outside(effect));
    }

    fn outside_directory(&mut self, path: &RelativePath) -> NodeId {
        let mut at = ROOT;
        for name in path.names() {
            let found = self.live.directory(at).and_then(|names| names.get(name)).copied();
            at = found.unwrap_or_else(|| {
                let node = self.allocate(Content::Directory(BTreeMap::new()));
                self.outside(Effect::Link { directory: at, name: name.to_owned(), node });
                node
            });
        }
        at
    }

    fn outside_name(&mut self, path: &RelativePath, content: Content) {
        let Some(parent) = path.parent() else { return };
        let directory = self.outside_directory(&parent);
        let node = self.allocate(content);
        self.outside(Effect::Link { directory, name: path.name().to_owned(), node });
    }

    fn outside_attributes(&mut self, path: &RelativePath, change: impl FnOnce(&mut Node)) {
        let Some(id) = self.live.find(path) else { return };
        let Some(node) = self.live.nodes.get_mut(&id) else { return };
        change(node);
        let node = node.clone();
        self.record(Step::Attributes(id, node));
    }
}

impl FaultDisk {
    /// Puts a file there, with its directories, in place of whatever had the name.
    pub fn put(&self, path: &RelativePath, bytes: &[u8]) {
        self.state().outside_name(path, Content::File(bytes.to_vec()));
    }

    /// Puts a link, pipe or device there, in place of whatever had the name.
    pub fn put_other(&self, path: &RelativePath) {
        self.state().outside_name(path, Content::Other);
    }

    /// Changes a file's bytes in place; open handles see it. Nothing happens without the file.
    pub fn edit(&self, path: &RelativePath, change: impl FnOnce(&mut Vec<u8>)) {
        let mut state = self.state();
        let Some(node) = state.live.find(path) else { return };
        let Some(mut bytes) = state.live.file(node).cloned() else { return };
        change(&mut bytes);
        let at_millis = state.now_millis;
        state.outside(Effect::Length { node, length: bytes.len(), at_millis });
        state.outside(Effect::Data { node, offset: 0, bytes, at_millis });
    }

    /// Removes a name, and with a directory everything below it.
    pub fn take_away(&self, path: &RelativePath) {
        let mut state = self.state();
        let (Some(node), Some(parent)) = (state.live.find(path), path.parent()) else { return };
        let Some(directory) = state.live.find(&parent) else { return };
        state.outside(Effect::Unlink { directory, name: path.name().to_owned(), node });
    }

    /// Gives a file one more name outside the root.
    pub fn add_link(&self, path: &RelativePath) {
        self.state().outside_attributes(path, |node| {
            node.outside_links = node.outside_links.saturating_add(1);
        });
    }

    /// Opens a file or directory to other users.
    pub fn open_to_others(&self, path: &RelativePath) {
        self.state().outside_attributes(path, |node| node.is_open_to_others = true);
    }

    /// Makes a file or directory another user's.
    pub fn give_away(&self, path: &RelativePath) {
        self.state().outside_attributes(path, |node| node.is_owned_by_us = false);
    }

    /// Returns a file's bytes as a reader would see them now.
    #[must_use]
    pub fn content(&self, path: &RelativePath) -> Option<Vec<u8>> {
        let state = self.state();
        state.live.find(path).and_then(|node| state.live.file(node)).cloned()
    }

    /// Returns every file with its bytes, by path.
    #[must_use]
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let state = self.state();
        let named = state.live.walk().into_iter();
        named.filter_map(|(path, node)| Some((path, state.live.file(node)?.clone()))).collect()
    }

    /// Returns the path of everything that has a name: files, directories and others.
    #[must_use]
    pub fn paths(&self) -> Vec<String> {
        self.state().live.walk().into_iter().map(|(path, _)| path).collect()
    }
}
