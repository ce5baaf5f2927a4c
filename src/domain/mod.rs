//! What is true and what is allowed: plain functions over values.
//!
//! Nothing here touches the disk, the clock, the environment, a thread or the network.

pub mod act;
pub mod body;
pub mod budget;
pub mod chain;
pub mod confirmation;
pub mod escape;
pub mod event;
pub mod fingerprint;
pub mod host_event;
pub mod ids;
pub mod keyed;
pub mod origin;
pub mod ports;
pub mod recovery;
pub mod redact;
pub mod rejection;
pub mod signal;
pub mod task;
pub mod text;
pub mod time;
