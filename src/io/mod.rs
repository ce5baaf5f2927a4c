//! Adapters: everything that touches the world, and decides nothing.

pub mod fs;
pub mod hosts;
pub mod ledger;
pub mod workspace;
