//! The rules of a task, told as stories.

mod answers;
mod boundaries;
mod host_orders;
mod items;
mod management;
mod prompts;
mod properties;
mod proposals;
mod rollover;
