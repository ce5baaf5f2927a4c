//! Compares what was kept with what is found after a lossy boundary, and says how far it holds.
//!
//! Everything here is a plain function over values: the state, the snapshot's digest, and two looks
//! at the workspace. No model's word enters.

mod finding;
mod reconcile;
pub mod snapshot;
#[cfg(test)]
mod tests;

pub use finding::Finding;
pub use reconcile::{ReconcileInput, RecoveryPlan, SnapshotReading, guards_of, reconcile};
