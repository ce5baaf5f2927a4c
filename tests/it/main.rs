//! The whole product as a host meets it: real processes, real payloads, read back by the library.

#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "prepares what the product meets; what goes wrong here must fail the run"
)]

mod actors;
mod completions;
mod concurrency;
mod confirm;
mod damaged_files;
mod documents;
mod field_cases;
mod held_lock;
mod homes;
mod input;
mod killed;
mod lifecycle;
mod limits;
mod lineage;
mod morning;
mod places;
mod recovery_text;
mod redaction;
mod redaction_pipe;
mod rollover;
mod rollover_stopped;
mod roots;
mod secrets;
mod signals;
mod silent_path;
mod sizes;
mod sub_agents;
mod system_calls;
mod views;

#[path = "../support/mod.rs"]
mod support;
