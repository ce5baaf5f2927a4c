//! Adapters: everything that touches the world, and decides nothing.

pub mod fs;
pub mod ledger;
pub mod root;
pub mod task_files;
pub mod workspace;
