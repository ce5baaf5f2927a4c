//! The rules of a task, told as stories.

mod answers;
mod boundaries;
mod closing;
mod closing_properties;
mod host_orders;
mod items;
mod management;
mod prompts;
mod properties;
mod proposal_strategies;
mod proposals;
mod rollover;
