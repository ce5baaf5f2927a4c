//! A whole task on the fault disk: every path that writes, and everything that can stop it there.

mod checkpoints;
mod errors;
mod flips;
mod images;
mod kills;
mod oracle;
mod paths;
mod player;
mod ports;
mod script;
mod sent;

/// Whether every policy, every error and every repetition is played, not one of each.
#[expect(clippy::disallowed_methods, reason = "a test's own switch is no setting of the product")]
fn is_full_campaign() -> bool {
    std::env::var_os("CONTINUITY_CAMPAIGN").is_some_and(|value| value == "full")
}
