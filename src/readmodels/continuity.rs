//! What is in force for a task, from where, and what is uncertain: the view for people and agents.

use serde::Serialize;

use super::texts::Texts;
use crate::domain::act::Act;
use crate::domain::chain::{Basis, Head};
use crate::domain::fingerprint::{Checkout, Known, Workspace};
use crate::domain::origin::Channel;
use crate::domain::signal::SignalKind;
use crate::domain::task::TaskState;
use crate::domain::task::item::{
    Authority, Confidence, Gate, Item, ItemKind, Namespace, Scope, Status, Verification,
    VersionBinding,
};
use crate::domain::task::limits::{Limits, WARN_PERCENT};
use crate::domain::task::quote::{Quote, Stance};
use crate::domain::task::transition::{
    Arrival, BoundaryKind, CompactionTrigger, RecoveryClass, Transition,
};

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
    /// The task that this one was copied from.
    pub predecessor: Option<String>,
    /// What the user allowed there, which is not taken over.
    pub not_inherited: Vec<String>,
    /// Items in force.
    pub items: Vec<ItemView>,
    /// The user's own words, reading not confirmed.
    pub quotes: Vec<QuoteView>,
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
    /// Through which door it came.
    pub channel: Channel,
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

/// Builds the view.
#[must_use]
pub fn build(input: &ViewInput<'_>) -> ContinuityView {
    let ViewInput { state, texts, limits, .. } = *input;
    let items = state.in_force().map(|(id, item)| item_view(&id.to_string(), item, texts));
    let quotes = state.quotes.iter().map(|(id, quote)| quote_view(&id.to_string(), quote, texts));
    ContinuityView {
        schema: SCHEMA,
        task_ref: state.task.map(|task| task.to_string()).unwrap_or_default(),
        head: input.head.to_string(),
        basis: input.basis,
        generation: state.generation.get(),
        is_recording: !state.is_off,
        is_durable: input.is_durable,
        predecessor: state.predecessor.map(|predecessor| predecessor.task.to_string()),
        not_inherited: state
            .left_items
            .iter()
            .map(ToString::to_string)
            .chain(state.left_quotes.iter().map(ToString::to_string))
            .collect(),
        items: items.collect(),
        quotes: quotes.collect(),
        work: work_view(state, texts),
        boundary: state.transition.as_ref().map(boundary_view),
        open_children: state.children.len(),
        gaps: gaps(input),
        use_of_log: UseOfLog {
            events: state.event_count,
            events_max: limits.events_max,
            bytes: input.log_bytes,
            bytes_max: limits.log_bytes_max,
        },
    }
}

/// Builds the view of one item.
#[must_use]
pub fn item_view(id: &str, item: &Item, texts: &Texts) -> ItemView {
    let draft = &item.draft;
    let text = texts.item(&draft.body);
    let commit = draft.binding.as_ref().map(|binding| match binding {
        VersionBinding::ContainedIn(commit) | VersionBinding::CheckedAt(commit) => {
            commit.to_string()
        }
    });
    ItemView {
        id: id.to_owned(),
        namespace: draft.kind.namespace(),
        kind: draft.kind,
        statement: text.map(|text| text.statement.as_str().to_owned()),
        rationale: text
            .and_then(|text| text.rationale.as_ref())
            .map(|rationale| rationale.as_str().to_owned()),
        source_ref: text.map(|text| text.source.as_str().to_owned()),
        status: item.status,
        authority: draft.authority,
        channel: item.channel,
        verification: draft.verification,
        confidence: draft.confidence,
        recorded_at: item.recorded_at.to_string(),
        supersedes: draft.supersedes.iter().map(ToString::to_string).collect(),
        scope: draft.scope,
        act: draft.act,
        target: text.and_then(|text| text.target.as_ref()).map(|target| target.as_str().to_owned()),
        gate: draft.gate,
        evidence_digest: draft.evidence_digest.map(|digest| digest.to_string()),
        commit,
    }
}

fn quote_view(id: &str, quote: &Quote, texts: &Texts) -> QuoteView {
    let text = texts.quote(&quote.draft.body);
    QuoteView {
        id: id.to_owned(),
        kind: quote.draft.kind,
        words: text.map(|text| text.words.as_str().to_owned()),
        said_at: quote.said_at.to_string(),
        standing: if quote.possibly_replaced_by.is_some() {
            Standing::PossiblyReplaced
        } else {
            Standing::Current
        },
        possibly_replaced_by: quote.possibly_replaced_by.map(|id| id.to_string()),
        act: quote.draft.act.map(|(act, _)| act),
        stance: quote.draft.act.map(|(_, stance)| stance),
        target: text.and_then(|text| text.target.as_ref()).map(|target| target.as_str().to_owned()),
    }
}

fn work_view(state: &TaskState, texts: &Texts) -> Option<WorkView> {
    let work = state.work.as_ref()?;
    Some(match texts.workspace(&work.body) {
        Some(workspace) => describe(workspace),
        None => WorkView { commit: work.commit.as_ref().map(ToString::to_string), ..nowhere() },
    })
}

const fn nowhere() -> WorkView {
    WorkView { path: None, branch: None, checkout: None, commit: None }
}

/// Puts a workspace into words.
#[must_use]
pub fn describe(workspace: &Workspace) -> WorkView {
    match workspace {
        Workspace::Unnamed => nowhere(),
        Workspace::Missing { path } | Workspace::Folder { path, .. } => {
            WorkView { path: Some(path.as_str().to_owned()), ..nowhere() }
        }
        Workspace::Git { path, state, .. } => WorkView {
            path: Some(path.as_str().to_owned()),
            branch: match &state.checkout {
                Known::Known(Checkout::Branch(name) | Checkout::Unborn(name)) => {
                    Some(name.as_str().to_owned())
                }
                Known::Known(Checkout::Detached) | Known::Unknown => None,
            },
            checkout: match &state.checkout {
                Known::Known(Checkout::Branch(_)) => Some(CheckoutKind::Branch),
                Known::Known(Checkout::Unborn(_)) => Some(CheckoutKind::Unborn),
                Known::Known(Checkout::Detached) => Some(CheckoutKind::Detached),
                Known::Unknown => None,
            },
            commit: match &state.head {
                Known::Known(commit) => commit.as_ref().map(ToString::to_string),
                Known::Unknown => None,
            },
        },
    }
}

fn boundary_view(transition: &Transition) -> BoundaryView {
    let offer = transition.offer;
    BoundaryView {
        epoch: transition.epoch.to_string(),
        kind: transition.kind,
        trigger: transition.trigger,
        opened_at: transition.opened_at.to_string(),
        is_announced: transition.is_announced,
        is_completed: transition.is_completed,
        class: transition.class,
        offers: offer.map_or(0, |offer| offer.attempt),
        offered_tokens: offer.map(|offer| offer.tokens),
        omitted: offer.map(|offer| offer.omitted),
        arrival: transition.arrival,
    }
}

fn gaps(input: &ViewInput<'_>) -> Vec<Gap> {
    let state = input.state;
    let has_goal = state.of_kind(ItemKind::Goal).next().is_some()
        || state.quotes.values().any(|quote| quote.draft.kind == SignalKind::GoalChange);
    let percent = input.limits.percent_used(state.event_count, input.log_bytes);
    let found = [
        (!has_goal, Gap::NoGoal),
        (state.work.is_none(), Gap::NoWorkObject),
        (input.texts.lack_any_of(state), Gap::TextMissing),
        (state.missed_count > 0, Gap::EventsMissed),
        (state.quotes_crowded_out > 0, Gap::QuotesCrowdedOut),
        (state.unrecognised_count > 0, Gap::EventsUnrecognised),
        (state.open_transition().is_some(), Gap::BoundaryOpen),
        (percent >= WARN_PERCENT, Gap::LogNearlyFull),
    ];
    found.into_iter().filter(|(is_so, _)| *is_so).map(|(_, gap)| gap).collect()
}
