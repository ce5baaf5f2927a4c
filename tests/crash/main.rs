//! Crash, damage and races: the ledger on a disk that does its worst.

mod flips;
mod images;
mod moved;
mod refusals;
mod script;
mod support;
mod torn;
