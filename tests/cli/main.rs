//! The command line as people and programs meet it: whole output and exit code.

mod damage;
mod demo;
mod homes;
mod install;
mod person;
mod support;
mod tasks;
mod views;
