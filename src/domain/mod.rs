//! What is true and what is allowed: plain functions over values.
//!
//! Nothing here touches the disk, the clock, the environment, a thread or the network.

pub mod budget;
pub mod chain;
pub mod escape;
pub mod fingerprint;
pub mod ids;
pub mod ports;
pub mod redact;
pub mod signal;
pub mod text;
pub mod time;
