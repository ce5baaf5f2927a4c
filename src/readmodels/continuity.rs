//! What is in force for a task, from where, and what is uncertain: the view for people and agents.

mod build;

use serde::Serialize;

use super::texts::Texts;
use crate::domain::act::Act;
use crate::domain::chain::{Basis, Head};
use crate::domain::origin::Channel;
use crate::domain::signal::SignalKind;
use crate::domain::task::TaskState;
use crate::domain::task::item::{
    Authority, Confidence, Corroboration, Gate, ItemKind, Namespace, Scope, Status, Verification,
};
use crate::domain::task::limits::Limits;
use crate::domain::task::proposal::Purpose;
use crate::domain::task::quote::Stance;
use crate::domain::task::transition::{Arrival, BoundaryKind, CompactionTrigger, RecoveryClass};

pub use build::{build, describe, item_view};

/// Name and version of the JSON form.
pub const SCHEMA: &str = "continuity.view.v1";

/// What a view is built from.
#[derive(Debug, Clone, Copy)]
pub struct ViewInput<'a> {
    /// The fold of the log.
    pub state: &'a TaskState,
    /// The texts that it names.
    pub texts: &'a Texts,
    /// The newest record.
    pub head: Head,
    /// How much of the log was verified.
    pub basis: Basis,
    /// Bytes of the log.
    pub log_bytes: u64,
    /// Whether the data root outlives a restart of the machine.
    pub is_durable: bool,
    /// The bounds in force.
    pub limits: Limits,
}

/// The whole view.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContinuityView {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The task.
    pub task_ref: String,
    /// The newest record, as `sequence:hash8`.
    pub head: String,
    /// How much of the log was verified.
    pub basis: Basis,
    /// Counts changes of items.
    pub generation: u64,
    /// Whether events are recorded.
    pub is_recording: bool,
    /// Whether the data root outlives a restart of the machine.
    pub is_durable: bool,
    /// The task that this one was copied from, or whose full log it goes on with.
    pub predecessor: Option<String>,
    /// Whether the conversation is a copy of another task's.
    pub is_fork: bool,
    /// What the user allowed there, which is not taken over.
    pub not_inherited: Vec<String>,
    /// Items in force.
    pub items: Vec<ItemView>,
    /// The user's own words, reading not confirmed.
    pub quotes: Vec<QuoteView>,
    /// How many more of them were closed by rule.
    pub quotes_closed: QuotesClosed,
    /// What waits for the user's yes.
    pub proposals: Vec<ProposalView>,
    /// Where the work was last seen.
    pub work: Option<WorkView>,
    /// The newest boundary.
    pub boundary: Option<BoundaryView>,
    /// Sub-agents that have not ended.
    pub open_children: usize,
    /// What a person would expect and is not there.
    pub gaps: Vec<Gap>,
    /// How full the log is.
    pub use_of_log: UseOfLog,
}

/// An item, with everything that says how far it can be believed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemView {
    /// Its name.
    pub id: String,
    /// Who owns it.
    pub namespace: Namespace,
    /// What it says.
    pub kind: ItemKind,
    /// The wording; `None` if the text is missing.
    pub statement: Option<String>,
    /// Why.
    pub rationale: Option<String>,
    /// Where it comes from.
    pub source_ref: Option<String>,
    /// Whether it is in force.
    pub status: Status,
    /// Whose word it is.
    pub authority: Authority,
    /// Through which door it came; for the user's own, how it was confirmed.
    pub channel: Channel,
    /// What the host's transcript says of that confirmation, once it was asked.
    pub corroboration: Option<Corroboration>,
    /// How far it was checked.
    pub verification: Verification,
    /// How certain whoever recorded it was.
    pub confidence: Confidence,
    /// When, in UTC.
    pub recorded_at: String,
    /// Items that it replaces.
    pub supersedes: Vec<String>,
    /// How far it reaches.
    pub scope: Scope,
    /// The act it is about.
    pub act: Option<Act>,
    /// What that act is about.
    pub target: Option<String>,
    /// What that act waits for.
    pub gate: Option<Gate>,
    /// Digest of the evidence it names.
    pub evidence_digest: Option<String>,
    /// The commit it is about.
    pub commit: Option<String>,
}

/// How a quote stands beside later ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Nothing later is about the same.
    Current,
    /// A later quote is about the same; neither was confirmed.
    PossiblyReplaced,
}

/// The user's own words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuoteView {
    /// Its name.
    pub id: String,
    /// The signal that the words carry.
    pub kind: SignalKind,
    /// The words; `None` if the text is missing.
    pub words: Option<String>,
    /// When the user wrote them, in UTC.
    pub said_at: String,
    /// How it stands beside later ones.
    pub standing: Standing,
    /// The later quote, if there is one.
    pub possibly_replaced_by: Option<String>,
    /// The act that the words name.
    pub act: Option<Act>,
    /// What they say of it.
    pub stance: Option<Stance>,
    /// What that act is about.
    pub target: Option<String>,
}

/// How many quotes were closed by rule; the log holds them, and `explain` shows them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct QuotesClosed {
    /// Later words say the same.
    pub said_again: u32,
    /// Overtaken by later words on the same subject.
    pub overtaken: u32,
    /// Old, or outnumbered by newer ones of the kind.
    pub spent: u32,
    /// Made room for newer ones.
    pub crowded_out: u32,
}

/// Something that waits for the user's yes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProposalView {
    /// Its name.
    pub id: String,
    /// What the user types to answer.
    pub code: String,
    /// What a yes brings about.
    pub purpose: Purpose,
    /// Items that it records.
    pub items: usize,
    /// Whether the host was given its text to show to the user.
    pub is_shown: bool,
    /// Until when it can be confirmed, in UTC.
    pub expires_at: String,
}

/// Where the work was last seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WorkView {
    /// The folder, shortened from its start.
    pub path: Option<String>,
    /// The branch's name; `None` without one, or if it could not be read.
    pub branch: Option<String>,
    /// What is checked out; `None` outside Git, or if it could not be read.
    pub checkout: Option<CheckoutKind>,
    /// The commit.
    pub commit: Option<String>,
}

/// What is checked out, without its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckoutKind {
    /// A branch that has commits.
    Branch,
    /// A branch without a commit yet.
    Unborn,
    /// No branch.
    Detached,
}

/// The newest boundary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BoundaryView {
    /// Its number.
    pub epoch: String,
    /// What kind.
    pub kind: BoundaryKind,
    /// Who asked for it.
    pub trigger: CompactionTrigger,
    /// When it was opened, in UTC.
    pub opened_at: String,
    /// Whether the host announced it.
    pub is_announced: bool,
    /// Whether the host said that it happened.
    pub is_completed: bool,
    /// The class; `None` while it lies open.
    pub class: Option<RecoveryClass>,
    /// How often a text was offered.
    pub offers: u8,
    /// Tokens of the newest offer, by our estimate.
    pub offered_tokens: Option<u32>,
    /// What did not fit into it.
    pub omitted: Option<u32>,
    /// Whether it arrived, once that was looked up.
    pub arrival: Option<Arrival>,
}

/// What a person would expect and is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Gap {
    /// No item and no quote says what the work is for.
    NoGoal,
    /// Where the work stands was never seen.
    NoWorkObject,
    /// The text of an entry in force is missing.
    TextMissing,
    /// Events could not be recorded.
    EventsMissed,
    /// Older quotes made room for newer ones.
    QuotesCrowdedOut,
    /// Quotes were overtaken by later ones, or grew old.
    QuotesClosed,
    /// The log holds events of a newer release.
    EventsUnrecognised,
    /// A boundary was announced, and whether it was crossed is unknown.
    BoundaryOpen,
    /// The log is nearly full.
    LogNearlyFull,
}

/// How full the log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct UseOfLog {
    /// Events recorded.
    pub events: u64,
    /// Events allowed.
    pub events_max: u64,
    /// Bytes recorded.
    pub bytes: u64,
    /// Bytes allowed.
    pub bytes_max: u64,
}
