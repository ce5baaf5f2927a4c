//! Reads a host's own transcript as a witness; copies nothing and writes nothing.
//!
//! A transcript is the host's, may be missing, late, huge or cut, and says what others wrote. So
//! every question has an answer for "cannot be checked", with the reason.

pub mod codex;
mod codex_line;
pub mod codex_origin;
pub mod codex_prompt;
#[cfg(test)]
mod codex_rollout;
mod tail;

pub use tail::{LINE_BYTES_MAX, TAIL_BYTES_DEFAULT, Tail, TailReader, Unavailable};

/// Why a transcript does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Uncheckable {
    /// There is nothing to read.
    Unavailable(Unavailable),
    /// What is asked for may lie before the part that was read.
    BeyondTail,
    /// Some lines in question are too long, unfinished or of another form.
    UnreadableLines,
    /// The text is there, but this version of the host does not say where it came from.
    NotMarked,
    /// Nothing later was written yet.
    NothingLater,
    /// The file is not, or does not say that it is, that session's own.
    OtherSession,
    /// Lines are missing, repeated, copied from elsewhere, undone, or not in order of time.
    Disordered,
    /// A turn of that time ended without an answer, so the host may have dropped a prompt.
    TurnLost,
}
