//! Keeps a coding agent's task true across compaction, resume and handoff.

pub mod actors;
pub mod domain;
pub mod io;
pub mod readmodels;
