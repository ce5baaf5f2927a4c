//! The data root: which file of ours is where, and who may find it.
//!
//! Paths below the root are made from typed names only, never from text. Reading creates nothing:
//! a root that does not exist holds no tasks.

mod delete;
mod error;
mod key_file;
pub mod layout;
pub mod locate;
mod pointer;
mod sessions;
mod tasks;

use std::sync::Arc;

use crate::io::fs::FileSystem;

pub use error::DataRootError;
pub use key_file::{create_key_file, place_key_file, read_key_file};
pub use sessions::Lookup;

/// The data root over a disk.
#[derive(Clone)]
pub struct DataRoot {
    fs: Arc<dyn FileSystem>,
}

impl DataRoot {
    /// Wraps a disk whose root is the data root; touches nothing.
    #[must_use]
    pub fn new(fs: Arc<dyn FileSystem>) -> Self {
        Self { fs }
    }

    /// Returns the disk.
    #[must_use]
    pub fn fs(&self) -> &Arc<dyn FileSystem> {
        &self.fs
    }
}

#[cfg(test)]
mod delete_tests;
#[cfg(test)]
mod locate_tests;
#[cfg(test)]
mod session_tests;
