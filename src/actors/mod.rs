//! The order of work, and nothing else: lock, catch up, decide, append, evolve, acknowledge.
//!
//! Actors reach the world through the ports of [`crate::domain::ports`] only. A hook process runs the
//! same [`task::TaskActor`] as a long-lived one; there is no second way in.

pub mod error;
pub mod mailbox;
pub mod observe;
pub mod projector;
pub mod recovery;
pub mod store;
pub mod supervisor;
pub mod task;
pub mod world;
pub mod writer;
