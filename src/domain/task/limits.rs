//! Every bound of a task, in one place.
//!
//! At a limit a command is refused clearly and nothing is lost; nothing is ever widened or deleted
//! to make room.

use serde::{Deserialize, Serialize};

use crate::domain::signal::SignalKind;

/// Events that a task's log holds.
pub const EVENTS_MAX: u64 = 2_000;
/// Bytes of a task's log.
pub const LOG_BYTES_MAX: u64 = 8 * 1024 * 1024;
/// Items in force at one time.
pub const ITEMS_IN_FORCE_MAX: usize = 128;
/// Snapshots kept; the oldest makes room for a new one, its event stays.
pub const SNAPSHOTS_MAX: usize = 3;
/// Quotes open at one time; the oldest of the least weight is closed and counted.
pub const QUOTES_OPEN_MAX: usize = 64;
/// Proposals open at one time.
pub const PROPOSALS_OPEN_MAX: usize = 8;
/// Items in one proposal.
pub const PROPOSAL_ITEMS_MAX: usize = 8;
/// Sub-agents that have started and not ended.
pub const CHILDREN_OPEN_MAX: usize = 32;
/// Host sessions that a task remembers by name.
pub const SESSIONS_MAX: usize = 64;
/// Items that one item replaces, or one command touches.
pub const LINKS_MAX: usize = 16;
/// Command ids remembered, so that a repetition is recognised.
pub const COMMANDS_REMEMBERED_MAX: usize = 4_096;
/// Bytes of one batch.
pub const WRITE_BYTES_MAX: u64 = 16 * 1024;
/// Bytes of a snapshot.
pub const SNAPSHOT_BYTES_MAX: usize = 64 * 1024;
/// How long a proposal may be confirmed, in milliseconds.
pub const PROPOSAL_OPEN_MILLIS_MAX: u64 = 10 * 60 * 1_000;
/// How long a proposal stays open so that a late answer can be told why it is too late.
pub const PROPOSAL_KEPT_MILLIS_MAX: u64 = 60 * 60 * 1_000;
/// Confirmations that can be taken back; older ones are replaced by a correction.
pub const UNDO_KEPT_MAX: usize = 8;
/// Wrong codes after which every open proposal ends: nobody mistypes so often.
pub const CODE_MISSES_MAX: u32 = 5;
/// Prompts behind a confirmation at which the host's transcript is asked about it.
pub const LOOKED_UP_PROMPTS_MAX: u32 = 16;
/// How long behind a confirmation the transcript is asked whatever the number of prompts.
pub const LOOKED_UP_MILLIS_MIN: u64 = 60 * 60 * 1_000;
/// Within this time, in milliseconds, an equal event without a turn is a repetition.
pub const REPEAT_MILLIS_MAX: u64 = 2_000;
/// Share of events and bytes that ordinary records may use; the rest is for boundaries, signals,
/// confirmations and management.
pub const ORDINARY_PERCENT: u64 = 85;
/// Share of events and bytes from which the user is told once.
pub const WARN_PERCENT: u64 = 80;
/// Events beyond the limit that lead out of a full log: a new one proposed, confirmed, begun.
pub const WAY_OUT_EVENTS: u64 = 32;
/// Bytes beyond the limit for the same.
pub const WAY_OUT_BYTES: u64 = 8 * WRITE_BYTES_MAX;
/// Times that a recovery text is offered for one boundary.
pub const OFFERS_MAX: u8 = 2;

/// How much has to come after words before they are old, in prompts of the user.
///
/// No clock: a task that rests over night or for a month has not gone on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuoteAge {
    /// Later prompts, once a boundary was crossed since.
    pub behind_boundary_prompts: u32,
    /// Later prompts without any boundary.
    pub alone_prompts: u32,
}

/// How long quotes of one kind are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuoteLife {
    /// The newest that no age closes.
    pub newest_kept: usize,
    /// Open at one time.
    pub open_max: usize,
    /// When the others are old.
    pub age: QuoteAge,
}

/// How long later words stand beside what they overtook before that closes.
pub const OVERTAKEN_AGE: QuoteAge = QuoteAge { behind_boundary_prompts: 10, alone_prompts: 40 };

/// Returns how long quotes of a kind are kept; `None` for constraints, which no age closes.
#[must_use]
pub const fn quote_life(kind: SignalKind) -> Option<QuoteLife> {
    let (newest_kept, open_max, behind_boundary_prompts, alone_prompts) = match kind {
        SignalKind::HardConstraint => return None,
        // What was allowed once is not allowed for ever, however well it was remembered.
        SignalKind::Authorization => (0, 8, 20, 60),
        // The aim outlives any age; a few before it may still be parts of it.
        SignalKind::GoalChange => (3, 8, 10, 40),
        // What was put right stays right for long, and the newest of it for good.
        SignalKind::Correction => (3, 12, 100, 200),
        SignalKind::Cancel => (0, 4, 30, 90),
        SignalKind::Dispute => (0, 8, 30, 90),
        SignalKind::CompletionClaim => (0, 4, 10, 40),
    };
    let age = QuoteAge { behind_boundary_prompts, alone_prompts };
    Some(QuoteLife { newest_kept, open_max, age })
}

/// Quotes besides constraints that are open at one time.
pub const PASSING_QUOTES_OPEN_MAX: usize = passing_quotes_open_max();

const fn passing_quotes_open_max() -> usize {
    let mut rest: &[SignalKind] = &SignalKind::ALL;
    let mut sum = 0_usize;
    while let Some((kind, behind)) = rest.split_first() {
        if let Some(life) = quote_life(*kind) {
            sum = sum.saturating_add(life.open_max);
        }
        rest = behind;
    }
    sum
}

const _: () = assert!(PASSING_QUOTES_OPEN_MAX < QUOTES_OPEN_MAX, "constraints have room");
const _: () = assert!(ORDINARY_PERCENT < 100 && WARN_PERCENT < ORDINARY_PERCENT);
const _: () = assert!(PROPOSAL_OPEN_MILLIS_MAX < PROPOSAL_KEPT_MILLIS_MAX);
const _: () = assert!(WRITE_BYTES_MAX < LOG_BYTES_MAX);
const _: () = assert!(EVENTS_MAX <= 4_096, "every command of a task is remembered");

/// The bounds that an embedder may set; hooks and the command line use the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Events that the log holds.
    pub events_max: u64,
    /// Bytes that the log holds.
    pub log_bytes_max: u64,
    /// Items in force at one time.
    pub items_in_force_max: usize,
    /// Quotes open at one time.
    pub quotes_open_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            events_max: EVENTS_MAX,
            log_bytes_max: LOG_BYTES_MAX,
            items_in_force_max: ITEMS_IN_FORCE_MAX,
            quotes_open_max: QUOTES_OPEN_MAX,
        }
    }
}

/// What a command is for, as far as room in the log is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// May use the ordinary share.
    Ordinary,
    /// May use the reserve too.
    Reserved,
    /// Leads out of a full log: may go beyond it by [`WAY_OUT_EVENTS`] and a few writes.
    WayOut,
    /// A new log's first batch: the whole effective state, bounded by its own limits.
    Whole,
}

impl Limits {
    /// Tells whether `added` more events fit behind `events` events in `log_bytes` bytes.
    #[must_use]
    pub fn have_room(&self, urgency: Urgency, events: u64, added: u64, log_bytes: u64) -> bool {
        let (percent, more_events, more_bytes) = match urgency {
            Urgency::Ordinary => (ORDINARY_PERCENT, 0, 0),
            Urgency::Reserved => (100, 0, 0),
            Urgency::WayOut => (100, WAY_OUT_EVENTS, WAY_OUT_BYTES),
            Urgency::Whole => return true,
        };
        let share = |max: u64, more| (max.saturating_mul(percent) / 100).saturating_add(more);
        let events_allowed = share(self.events_max, more_events);
        let bytes_allowed = share(self.log_bytes_max, more_bytes);
        events.saturating_add(added) <= events_allowed
            && log_bytes.saturating_add(WRITE_BYTES_MAX) <= bytes_allowed
    }

    /// Tells how full the log is in percent, by the fuller of events and bytes.
    #[must_use]
    pub fn percent_used(&self, events: u64, log_bytes: u64) -> u64 {
        let by_events = events.saturating_mul(100) / self.events_max.max(1);
        let by_bytes = log_bytes.saturating_mul(100) / self.log_bytes_max.max(1);
        by_events.max(by_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_records_stop_at_their_share_and_reserved_ones_at_the_end() {
        let limits = Limits::default();
        assert!(limits.have_room(Urgency::Ordinary, 1_699, 1, 0));
        assert!(!limits.have_room(Urgency::Ordinary, 1_700, 1, 0));
        assert!(limits.have_room(Urgency::Reserved, 1_999, 1, 0));
        assert!(!limits.have_room(Urgency::Reserved, 2_000, 1, 0));
    }

    #[test]
    fn the_way_out_of_a_full_log_goes_a_little_beyond_it() {
        let limits = Limits::default();
        assert!(limits.have_room(Urgency::WayOut, 2_000 + WAY_OUT_EVENTS - 1, 1, LOG_BYTES_MAX));
        assert!(!limits.have_room(Urgency::WayOut, 2_000 + WAY_OUT_EVENTS, 1, LOG_BYTES_MAX));
        assert!(!limits.have_room(Urgency::WayOut, 0, 1, LOG_BYTES_MAX + WAY_OUT_BYTES));
    }

    // covers: P-206
    #[test]
    fn bytes_bound_the_log_as_events_do() {
        let limits = Limits::default();
        let last = LOG_BYTES_MAX - WRITE_BYTES_MAX;
        assert!(limits.have_room(Urgency::Reserved, 0, 1, last));
        assert!(!limits.have_room(Urgency::Reserved, 0, 1, last + 1));
    }
}
