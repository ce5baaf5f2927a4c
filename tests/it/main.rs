//! The whole product as a host meets it: real processes, real payloads, read back by the library.

#![expect(
    clippy::disallowed_methods,
    reason = "prepares the disk and the environment that the product meets"
)]

mod actors;
mod concurrency;
mod damaged_files;
mod held_lock;
mod input;
mod killed;
mod lifecycle;
mod limits;
mod places;
mod recovery_text;
mod roots;
mod secrets;
mod sizes;
mod sub_agents;
mod system_calls;
mod views;

#[path = "../support/mod.rs"]
mod support;
