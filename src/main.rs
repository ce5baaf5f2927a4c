//! The `continuity` command.

fn main() {}
