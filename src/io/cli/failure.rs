//! Why a command came to nothing, how that is told, and the exit code.
//!
//! Source: `docs/reference/exit-codes.md`.

use std::error::Error;
use std::io::{self, Write as _};

use crate::actors::error::TaskError;
use crate::domain::escape::terminal_line;
use crate::domain::ports::LedgerError;
use crate::domain::redact::redact_str;
use crate::domain::rejection::Rejection;
use crate::io::fs::is_irregular;
use crate::io::root::DataRootError;
use crate::io::wire::{HomeError, OpenError};

/// Exit code for arguments that are not understood.
pub(super) const USAGE: u8 = 2;
/// Longest line of an error, in characters.
const LINE_CHARS_MAX: usize = 600;

const DAMAGED_HINT: &str =
    "`continuity verify` names every problem; nothing was changed, and nothing will be recorded";
const ROLLED_BACK_HINT: &str = "put back what is missing, or see `continuity recover` for going \
                                on without it";
const UNSAFE_HINT: &str = "look how that came about; then put the file itself where a link stands, \
                           remove its other names, and make it yours alone with `chmod 600`";
const ROOT_HINT: &str = "give a folder of your own with --data-root PATH";

/// What a command that did its work found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// What was asked is done.
    Done,
    /// The answer is out, and it says that something is damaged.
    Damaged,
}

impl Outcome {
    /// Returns the exit code.
    pub(super) const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Damaged => 4,
        }
    }
}

/// What kind of failure: one exit code each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A fault in this program, or one that it has no name for.
    Internal,
    /// Arguments that do not fit together.
    Usage,
    /// A place that cannot be used.
    Config,
    /// A ledger that cannot be believed.
    Damaged,
    /// Another process holds the task.
    Busy,
    /// No such task or entry, or a rule refuses.
    Refused,
    /// Nobody reads stdout any more.
    Closed,
}

/// Why a command came to nothing.
#[derive(Debug)]
pub(super) struct Failure {
    kind: Kind,
    lines: Vec<String>,
    hint: Option<String>,
}

impl Failure {
    /// Says in one line what happened.
    pub(super) fn new(kind: Kind, line: impl Into<String>) -> Self {
        Self { kind, lines: vec![line.into()], hint: None }
    }

    /// No such task or entry, or a rule refuses.
    pub(super) fn refused(line: impl Into<String>) -> Self {
        Self::new(Kind::Refused, line)
    }

    /// Takes over an error with its causes.
    pub(super) fn of(kind: Kind, error: &dyn Error) -> Self {
        let mut failure = Self::new(kind, error.to_string());
        let mut cause = error.source();
        while let Some(error) = cause {
            failure = failure.line(error.to_string());
            cause = error.source();
        }
        failure
    }

    /// Says what can be done about it.
    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// Adds a line below the first one.
    pub(super) fn line(mut self, line: impl Into<String>) -> Self {
        self.lines.push(line.into());
        self
    }

    /// Returns the exit code.
    pub(super) const fn code(&self) -> u8 {
        match self.kind {
            Kind::Closed => 0,
            Kind::Internal => 1,
            Kind::Usage => USAGE,
            Kind::Config => 3,
            Kind::Damaged => 4,
            Kind::Busy => 5,
            Kind::Refused => 6,
        }
    }

    /// Tells it on stderr.
    pub(super) fn tell(&self) {
        if self.kind == Kind::Closed {
            return;
        }
        let mut text = String::new();
        for (index, line) in self.lines.iter().enumerate() {
            text.push_str(if index == 0 { "error: " } else { "  " });
            text.push_str(&terminal_line(redact_str(line).as_str(), LINE_CHARS_MAX));
            text.push('\n');
        }
        if let Some(hint) = &self.hint {
            text.push_str("\nhint: ");
            text.push_str(hint);
            text.push('\n');
        }
        // Without stderr there is only the exit code.
        drop(io::stderr().write_all(text.as_bytes()));
    }
}

impl From<io::Error> for Failure {
    /// The only bare system error of a command is one of its own output.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::new(Kind::Closed, "stdout is closed");
        }
        Self::of(Kind::Internal, &error)
    }
}

fn kind_of_system(error: &io::Error) -> Kind {
    match error.kind() {
        _ if is_irregular(error) => Kind::Config,
        io::ErrorKind::PermissionDenied
        | io::ErrorKind::ReadOnlyFilesystem
        | io::ErrorKind::NotFound => Kind::Config,
        _ => Kind::Internal,
    }
}

impl From<LedgerError> for Failure {
    fn from(error: LedgerError) -> Self {
        let (kind, hint) = match &error {
            LedgerError::Damaged { .. } | LedgerError::Missing { .. } => {
                (Kind::Damaged, Some(DAMAGED_HINT))
            }
            LedgerError::RolledBack { .. } | LedgerError::Forked { .. } => {
                (Kind::Damaged, Some(ROLLED_BACK_HINT))
            }
            LedgerError::NewerFormat { .. } => {
                (Kind::Damaged, Some("use the release that wrote it, or a later one"))
            }
            LedgerError::Busy => (Kind::Busy, Some("run it again in a moment")),
            LedgerError::Unsafe { .. } => (Kind::Config, Some(UNSAFE_HINT)),
            LedgerError::TooLarge { .. } => (Kind::Refused, None),
            LedgerError::Io { source, .. } => (kind_of_system(source), None),
            _ => (Kind::Internal, None),
        };
        let failure = Self::of(kind, &error);
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

impl From<Rejection> for Failure {
    fn from(error: Rejection) -> Self {
        let kind = if matches!(error, Rejection::NewerEvents { .. }) {
            Kind::Damaged
        } else {
            Kind::Refused
        };
        let failure = Self::of(kind, &error);
        match way_out(&error) {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

/// Says what can be done about a refusal by rule.
const fn way_out(error: &Rejection) -> Option<&'static str> {
    match error {
        Rejection::Off => Some("`continuity task on` has it recorded again"),
        Rejection::TooManyItems { .. } => {
            Some("`continuity correct ITEM TEXT` needs no room: it replaces what it names")
        }
        Rejection::TooManyProposals { .. } => {
            Some("answer one of them, or wait until one is too old; `continuity view` lists them")
        }
        Rejection::UnknownItem { .. } => Some("`continuity view` shows what is in force"),
        Rejection::UnknownCode { .. } => {
            Some("`continuity view` lists what waits for your yes; --task REF names another task")
        }
        Rejection::ProposalExpired { .. } | Rejection::ProposalStale { .. } => {
            Some("have it proposed again")
        }
        Rejection::NewerEvents { .. } => Some("use the release that wrote them, or a later one"),
        _ => None,
    }
}

impl From<TaskError> for Failure {
    fn from(error: TaskError) -> Self {
        match error {
            TaskError::Ledger(error) => error.into(),
            TaskError::Rejected(error) => error.into(),
            TaskError::NoTask => Self::of(Kind::Refused, &error)
                .hint("`continuity task list` shows the tasks that there are"),
            TaskError::Busy | TaskError::TimedOut => Self::of(Kind::Busy, &error),
            _ => Self::of(Kind::Internal, &error),
        }
    }
}

impl From<DataRootError> for Failure {
    fn from(error: DataRootError) -> Self {
        let kind = match &error {
            DataRootError::Damaged { .. } | DataRootError::KeyMissing { .. } => Kind::Damaged,
            DataRootError::NoTask { .. } => Kind::Refused,
            DataRootError::Foreign { .. } => Kind::Config,
            DataRootError::Io { source, .. } => kind_of_system(source),
            DataRootError::NoRandomness => Kind::Internal,
        };
        Self::of(kind, &error)
    }
}

impl From<HomeError> for Failure {
    fn from(error: HomeError) -> Self {
        match error {
            HomeError::Root(error) => error.into(),
            HomeError::Task(error) => error.into(),
            HomeError::Place(_) | HomeError::Directory(_) => {
                Self::of(Kind::Config, &error).hint(ROOT_HINT)
            }
            HomeError::Runtime(_) => Self::of(Kind::Internal, &error),
        }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Home(error) => error.into(),
            OpenError::Actors => Self::of(Kind::Internal, &error),
        }
    }
}
