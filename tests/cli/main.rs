//! The command line as people and programs meet it: whole output and exit code.

#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test looks at files from outside, and stops at the first thing that is not so"
)]

mod asked;
mod damage;
mod demo;
mod erase;
mod guide;
mod homes;
mod install;
mod person;
mod succession;
mod support;
mod switches;
mod tasks;
mod terminal;
mod views;
mod words;
