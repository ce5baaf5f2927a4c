//! Why a command is refused; state and log stay as they are.

use super::confirmation::Code;
use super::ids::{Generation, ItemId, ProposalId, QuoteId, TaskRef};

/// Why a command is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Rejection {
    /// The log has no room for records of this urgency.
    #[error("the task's log is full: {events} of {events_max} events, {log_bytes} bytes")]
    TaskFull {
        /// Events recorded.
        events: u64,
        /// Events allowed.
        events_max: u64,
        /// Bytes recorded.
        log_bytes: u64,
    },
    /// As many items are in force as may be.
    #[error("{limit} items are in force, and no more may be")]
    TooManyItems {
        /// Items allowed.
        limit: usize,
    },
    /// As many proposals are open as may be.
    #[error("{limit} proposals are open, and no more may be")]
    TooManyProposals {
        /// Proposals allowed.
        limit: usize,
    },
    /// A command names more items than [`super::task::limits::LINKS_MAX`], or none where one must be.
    #[error("a command names between {min} and {max} items, not {found}")]
    LinkCount {
        /// Items named.
        found: usize,
        /// Items needed.
        min: usize,
        /// Items allowed.
        max: usize,
    },
    /// The task has no such item in force.
    #[error("the task has no item {item} in force")]
    UnknownItem {
        /// The item named.
        item: ItemId,
    },
    /// The task has no such quote open.
    #[error("the task has no quote {quote} open")]
    UnknownQuote {
        /// The quote named.
        quote: QuoteId,
    },
    /// The task has no such proposal open.
    #[error("the task has no proposal {proposal} open")]
    UnknownProposal {
        /// The proposal named.
        proposal: ProposalId,
    },
    /// The state moved on since the sender looked.
    #[error("generation is {current}, not {expected}")]
    GenerationConflict {
        /// The generation that the sender knew.
        expected: Generation,
        /// The generation now.
        current: Generation,
    },
    /// The door may not mint what it asks for.
    #[error("this channel cannot record that with the authority it asks for")]
    NotAuthorised,
    /// Only a person may do this, through a door of their own.
    #[error("only a person may do this")]
    OperatorOnly,
    /// Authority, verification and kind do not fit together.
    #[error("authority, verification and kind do not fit together")]
    IllegalCombination,
    /// A correction that names nothing it corrects.
    #[error("a correction names what it corrects")]
    CorrectionOfNothing,
    /// The proposal's time is over.
    #[error("proposal {proposal} was not confirmed in time")]
    ProposalExpired {
        /// The proposal.
        proposal: ProposalId,
    },
    /// An item that the proposal touches changed since it was shown.
    #[error("an item that proposal {proposal} touches has changed since it was shown")]
    ProposalStale {
        /// The proposal.
        proposal: ProposalId,
    },
    /// No proposal has this code.
    #[error("no open proposal has the code {code}")]
    UnknownCode {
        /// What was typed.
        code: Code,
    },
    /// The code was used already.
    #[error("the code {code} was used already; `undo {code}` takes it back")]
    CodeUsed {
        /// What was typed.
        code: Code,
    },
    /// Another open proposal has this code.
    #[error("the code {code} is in use")]
    CodeTaken {
        /// The code drawn.
        code: Code,
    },
    /// Wrong codes were typed so often that the open proposals ended.
    #[error("too many wrong codes: {ended} open proposals were closed")]
    TooManyMisses {
        /// Proposals that ended.
        ended: usize,
    },
    /// What is asked for is so already.
    #[error("it is so already")]
    AlreadySo,
    /// A deletion is confirmed with the task's short name behind the code.
    #[error("a deletion is confirmed with the task's short name behind the code")]
    NameNeeded,
    /// The name behind the code is not this task's.
    #[error("the name behind the code is not this task's")]
    WrongName,
    /// What a confirmation made was changed since.
    #[error("what {proposal} made was changed since; correct it instead")]
    UndoTooLate {
        /// The proposal.
        proposal: ProposalId,
    },
    /// What was confirmed cannot be taken back.
    #[error("what {proposal} did cannot be taken back; the log keeps what was so before")]
    CannotUndo {
        /// The proposal.
        proposal: ProposalId,
    },
    /// The confirmation names another text than the one proposed.
    #[error("proposal {proposal} is not what was confirmed")]
    ProposalDiffers {
        /// The proposal.
        proposal: ProposalId,
    },
    /// Recording is switched off for this task.
    #[error("recording is off for this task")]
    Off,
    /// The log holds events that this release does not know, so it will not write.
    #[error("{count} events are of a newer release; this one only reads")]
    NewerEvents {
        /// Events not known.
        count: u32,
    },
    /// The log is full and closed: a new one took over, or is about to.
    #[error("a new log took this task over{}", successor_words(*successor))]
    RolledOver {
        /// The task that the new log is of; `None` if it is not begun yet.
        successor: Option<TaskRef>,
    },
    /// A code to go on with another task, where none can be gone on with.
    #[error("no task can be carried over by the code {code} here")]
    NothingToCarry {
        /// What was typed.
        code: Code,
    },
    /// Inheriting is only possible as a log's first batch.
    #[error("the task has a history of its own")]
    NotEmpty,
}

fn successor_words(successor: Option<TaskRef>) -> String {
    match successor {
        Some(successor) => format!(" as task {}", successor.short()),
        None => String::new(),
    }
}
