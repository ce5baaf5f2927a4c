//! The content of a disk at one moment.

use std::collections::{BTreeMap, BTreeSet};

use crate::io::fs::{EntryKind, Metadata, RelativePath};

/// A file or directory apart from its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeId(pub(super) u64);

/// The root directory.
pub(super) const ROOT: NodeId = NodeId(0);

/// What a node holds.
#[derive(Debug, Clone)]
pub(super) enum Content {
    File(Vec<u8>),
    Directory(BTreeMap<String, NodeId>),
    /// A link, pipe or device that somebody else put there.
    Other,
}

/// A node.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) content: Content,
    pub(super) outside_links: u64,
    pub(super) is_open_to_others: bool,
    pub(super) is_owned_by_us: bool,
    pub(super) modified_millis: i64,
}

impl Node {
    pub(super) fn new(content: Content, modified_millis: i64) -> Self {
        Self {
            content,
            outside_links: 0,
            is_open_to_others: false,
            is_owned_by_us: true,
            modified_millis,
        }
    }

    pub(super) fn kind(&self) -> EntryKind {
        match self.content {
            Content::File(_) => EntryKind::File,
            Content::Directory(_) => EntryKind::Directory,
            Content::Other => EntryKind::Other,
        }
    }
}

/// One change of a disk's content, small enough to be lost on its own.
#[derive(Debug, Clone)]
pub(super) enum Effect {
    Link {
        directory: NodeId,
        name: String,
        node: NodeId,
    },
    Unlink {
        directory: NodeId,
        name: String,
        node: NodeId,
    },
    Rename {
        from: (NodeId, String),
        to: (NodeId, String),
        node: NodeId,
    },
    Data {
        node: NodeId,
        offset: usize,
        bytes: Vec<u8>,
        at_millis: i64,
    },
    Length {
        node: NodeId,
        length: usize,
        at_millis: i64,
    },
    /// Extends with zeros, never cuts.
    Grow {
        node: NodeId,
        length: usize,
    },
}

impl Effect {
    /// Tells whether a sync of `node` covers this.
    pub(super) fn is_covered_by_sync_of(&self, synced: NodeId) -> bool {
        match self {
            Self::Link { directory, .. } | Self::Unlink { directory, .. } => *directory == synced,
            Self::Rename { to, .. } => to.0 == synced,
            Self::Data { node, .. } | Self::Length { node, .. } | Self::Grow { node, .. } => {
                *node == synced
            }
        }
    }

    /// Tells whether this changes names rather than content.
    pub(super) fn is_of_names(&self) -> bool {
        matches!(self, Self::Link { .. } | Self::Unlink { .. } | Self::Rename { .. })
    }
}

/// All nodes, named or not.
#[derive(Debug, Clone)]
pub(super) struct Image {
    pub(super) nodes: BTreeMap<NodeId, Node>,
}

impl Image {
    pub(super) fn empty() -> Self {
        let root = Node::new(Content::Directory(BTreeMap::new()), 0);
        Self { nodes: BTreeMap::from([(ROOT, root)]) }
    }

    pub(super) fn file(&self, node: NodeId) -> Option<&Vec<u8>> {
        match &self.nodes.get(&node)?.content {
            Content::File(bytes) => Some(bytes),
            _ => None,
        }
    }

    pub(super) fn directory(&self, node: NodeId) -> Option<&BTreeMap<String, NodeId>> {
        match &self.nodes.get(&node)?.content {
            Content::Directory(names) => Some(names),
            _ => None,
        }
    }

    /// Walks from the root; never through anything but directories.
    pub(super) fn find(&self, path: &RelativePath) -> Option<NodeId> {
        path.names().try_fold(ROOT, |at, name| self.directory(at)?.get(name).copied())
    }

    fn directory_mut(&mut self, node: NodeId) -> Option<&mut BTreeMap<String, NodeId>> {
        match &mut self.nodes.get_mut(&node)?.content {
            Content::Directory(names) => Some(names),
            _ => None,
        }
    }

    fn with_file(
        &mut self,
        node: NodeId,
        at_millis: Option<i64>,
        change: impl FnOnce(&mut Vec<u8>),
    ) {
        let Some(node) = self.nodes.get_mut(&node) else { return };
        if let Content::File(bytes) = &mut node.content {
            change(bytes);
            node.modified_millis = at_millis.unwrap_or(node.modified_millis);
        }
    }

    fn remove_name(&mut self, directory: NodeId, name: &str, node: NodeId) {
        if let Some(names) = self.directory_mut(directory)
            && names.get(name) == Some(&node)
        {
            names.remove(name);
        }
    }

    fn insert_name(&mut self, directory: NodeId, name: &str, node: NodeId) {
        if let Some(names) = self.directory_mut(directory) {
            names.insert(name.to_owned(), node);
        }
    }

    /// Makes a change; one that has nothing to stand on does nothing.
    pub(super) fn apply(&mut self, effect: &Effect) {
        match effect {
            Effect::Link { directory, name, node } => self.insert_name(*directory, name, *node),
            Effect::Unlink { directory, name, node } => self.remove_name(*directory, name, *node),
            Effect::Rename { from, to, node } => {
                self.remove_name(from.0, &from.1, *node);
                self.insert_name(to.0, &to.1, *node);
            }
            Effect::Data { node, offset, bytes, at_millis } => {
                self.with_file(*node, Some(*at_millis), |file| {
                    let end = offset.saturating_add(bytes.len());
                    if file.len() < end && !bytes.is_empty() {
                        file.resize(end, 0);
                    }
                    if let Some(range) = file.get_mut(*offset..end) {
                        range.copy_from_slice(bytes);
                    }
                });
            }
            Effect::Length { node, length, at_millis } => {
                self.with_file(*node, Some(*at_millis), |file| file.resize(*length, 0));
            }
            Effect::Grow { node, length } => {
                self.with_file(*node, None, |file| file.resize(file.len().max(*length), 0));
            }
        }
    }

    /// Counts names in directories that the root leads to, and links from outside.
    pub(super) fn link_count(&self, node: NodeId) -> u64 {
        let inside = self
            .nodes
            .values()
            .filter_map(|other| match &other.content {
                Content::Directory(names) => Some(names.values()),
                _ => None,
            })
            .flatten()
            .filter(|named| **named == node)
            .count();
        let outside = self.nodes.get(&node).map_or(0, |node| node.outside_links);
        u64::try_from(inside).unwrap_or(u64::MAX).saturating_add(outside)
    }

    pub(super) fn metadata(&self, id: NodeId) -> Option<Metadata> {
        let node = self.nodes.get(&id)?;
        let length = self.file(id).map_or(0, Vec::len);
        Some(Metadata {
            kind: node.kind(),
            length_bytes: u64::try_from(length).unwrap_or(u64::MAX),
            link_count: if node.kind() == EntryKind::File { self.link_count(id) } else { 1 },
            is_open_to_others: node.is_open_to_others,
            is_owned_by_us: node.is_owned_by_us,
            modified_millis: node.modified_millis,
        })
    }

    /// Lists every named node but the root, parents first.
    pub(super) fn walk(&self) -> Vec<(String, NodeId)> {
        let mut found = Vec::new();
        let mut open = vec![(String::new(), ROOT)];
        let mut seen = BTreeSet::from([ROOT]);
        while let Some((path, directory)) = open.pop() {
            for (name, node) in self.directory(directory).into_iter().flatten() {
                let below = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
                if self.directory(*node).is_some() && seen.insert(*node) {
                    open.push((below.clone(), *node));
                }
                found.push((below, *node));
            }
        }
        found.sort();
        found
    }

    /// Forgets what has no name.
    pub(super) fn drop_unnamed(&mut self) {
        let named: BTreeSet<NodeId> =
            self.walk().into_iter().map(|(_, node)| node).chain([ROOT]).collect();
        self.nodes.retain(|id, _| named.contains(id));
    }
}
