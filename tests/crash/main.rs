//! Crash, damage and races: the ledger on a disk that does its worst.

mod flips;
mod forged;
mod forgetful;
mod images;
mod moved;
mod mutants;
mod ours_alone;
mod refusals;
mod script;
mod support;
mod torn;
mod witness;
mod writers;
