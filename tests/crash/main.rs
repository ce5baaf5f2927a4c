//! Crash, damage and races: the ledger on a disk that does its worst.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::as_conversions,
    reason = "all of this is test code: a panic is a failed test, and the counts are its figures"
)]
#![expect(
    clippy::case_sensitive_file_extension_comparisons,
    reason = "our own names are lower case"
)]

mod flips;
mod forged;
mod forgetful;
mod images;
mod layout;
mod moved;
mod mutants;
mod ours_alone;
mod refusals;
mod script;
mod support;
mod task;
mod torn;
mod witness;
mod writers;
