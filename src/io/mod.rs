//! Adapters: everything that touches the world, and decides nothing.

mod bytes;
pub mod cli;
pub mod clock;
pub mod config;
pub mod fs;
pub mod hook;
pub mod hosts;
pub mod ledger;
pub mod operator;
mod regular_file;
pub mod root;
pub mod task_files;
pub mod transcripts;
pub mod wire;
pub mod workspace;
