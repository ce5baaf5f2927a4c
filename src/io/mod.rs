//! Adapters: everything that touches the world, and decides nothing.

pub mod fs;
pub mod hosts;
pub mod ledger;
mod regular_file;
pub mod root;
pub mod task_files;
pub mod transcripts;
pub mod workspace;
