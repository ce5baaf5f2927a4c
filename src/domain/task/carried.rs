//! What a task takes over when its log is full and a successor goes on with it.
//!
//! The same conversation goes on, so nothing is left behind: items and quotes keep their names, and
//! what an event of a new log cannot say of them is in one [`Carried`]. Open proposals, and what a
//! code could take back, stay in the old log.

use serde::{Deserialize, Serialize};

use super::command::WorkObserved;
use super::item::{Corroboration, InheritedItem};
use super::quote::{ClosedByRule, InheritedQuote, Moment, Overtaken};
use super::transition::Transition;
use super::{CommandsSeen, LastPrompt, TaskState};
use crate::domain::body::BodyRef;
use crate::domain::ids::{Generation, ItemId, KeyedDigest, QuoteId, SessionKey};
use crate::domain::origin::{Channel, HostNumber};
use crate::domain::signal::SignalKind;
use crate::domain::time::Timestamp;

/// Commands whose repetition the successor still recognises.
const COMMANDS_CARRIED_MAX: usize = 16;

/// What is said of an item beside its draft and status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriedItem {
    /// Which.
    pub item: ItemId,
    /// Through which door it first came.
    pub channel: Channel,
    /// When.
    pub recorded_at: Timestamp,
    /// What the host's transcript said of its confirmation.
    pub corroboration: Option<Corroboration>,
}

/// What is said of a quote beside its draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriedQuote {
    /// Which.
    pub quote: QuoteId,
    /// When the user wrote it.
    pub said_at: Timestamp,
    /// A later quote that possibly replaces it.
    pub possibly_replaced_by: Option<QuoteId>,
    /// Where in the task the user wrote it.
    pub said: Moment,
    /// Keyed digest of the whole prompt that held it.
    pub prompt: Option<KeyedDigest>,
    /// The kind by whose rules it is kept.
    pub kept_as: SignalKind,
    /// The first later quote that may close it.
    pub overtaken: Option<Overtaken>,
}

/// How far a task had come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Carried {
    /// Changes of items.
    pub generation: Generation,
    /// Items recorded ever.
    pub item_count: u32,
    /// Quotes recorded ever.
    pub quote_count: u32,
    /// Quotes closed because too many were open.
    pub quotes_crowded_out: u32,
    /// Quotes closed by rule.
    pub quotes_closed_by_rule: ClosedByRule,
    /// Prompts seen ever.
    pub prompt_count: u32,
    /// Boundaries that were crossed and compared.
    pub crossing_count: u32,
    /// Proposals opened ever.
    pub proposal_count: u32,
    /// Boundaries opened ever.
    pub epoch_count: u32,
    /// Whether the task began as a fork.
    pub is_fork: bool,
    /// Its items in force.
    pub items: Vec<CarriedItem>,
    /// Its open quotes.
    pub quotes: Vec<CarriedQuote>,
    /// The newest boundary; its snapshot and the record of its offer stay in the old log.
    pub transition: Option<Transition>,
    /// Prompts since the newest comparison or offer.
    pub prompts_since_offer: u32,
    /// Events that could not be recorded since the last boundary.
    pub missed_count: u32,
    /// The newest prompt.
    pub last_prompt: Option<LastPrompt>,
    /// The session whose end was the newest thing heard of the host.
    pub ended_session: Option<SessionKey>,
    /// The newest commands.
    pub commands: CommandsSeen,
}

/// Everything that a successor's first batch holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Continuation {
    /// Number of the key, whose bytes the successor has too; `None` if they were lost.
    pub key: Option<u32>,
    /// Sessions that joined, oldest first, with their hosts.
    pub sessions: Vec<(HostNumber, SessionKey)>,
    /// Where the work was last seen.
    pub work: Option<WorkObserved>,
    /// Keyed digest of the model's name.
    pub model: Option<KeyedDigest>,
    /// Sub-agents that have not ended.
    pub children: Vec<KeyedDigest>,
    /// Whether recording is off.
    pub is_off: bool,
    /// Items of the task that this one was forked from, which were not taken over.
    pub left_items: Vec<ItemId>,
    /// Quotes of that task.
    pub left_quotes: Vec<QuoteId>,
    /// The rest.
    pub carried: Carried,
}

impl Continuation {
    /// Puts together what a successor of the task takes over. `host_of` tells of which host a
    /// session is; `has_key` tells whether the key's bytes could be handed over: without them no
    /// digest of the successor can be compared with one of these.
    #[must_use]
    pub fn of(
        state: &TaskState,
        has_key: bool,
        host_of: impl Fn(SessionKey) -> HostNumber,
    ) -> Self {
        let work = state.work.as_ref().map(|seen| WorkObserved {
            body: seen.body,
            identity: seen.identity,
            commit: seen.commit.clone(),
        });
        Self {
            key: has_key.then_some(state.key),
            sessions: state.sessions.iter().map(|key| (host_of(*key), *key)).collect(),
            work,
            model: state.model.filter(|_| has_key),
            children: state.children.iter().map(|child| child.agent).collect(),
            is_off: state.is_off,
            left_items: state.left_items.clone(),
            left_quotes: state.left_quotes.clone(),
            carried: carried(state),
        }
    }
}

fn carried(state: &TaskState) -> Carried {
    let items = state.in_force().map(|(item, found)| CarriedItem {
        item,
        channel: found.channel,
        recorded_at: found.recorded_at,
        corroboration: found.corroboration,
    });
    let quotes = state.quotes.iter().map(|(quote, found)| CarriedQuote {
        quote: *quote,
        said_at: found.said_at,
        possibly_replaced_by: found.possibly_replaced_by,
        said: found.said,
        prompt: found.prompt,
        kept_as: found.kept_as,
        overtaken: found.overtaken,
    });
    let transition = state.transition.clone().map(|transition| Transition {
        snapshot: None,
        offered_in: None,
        ..transition
    });
    Carried {
        generation: state.generation,
        item_count: state.item_count,
        quote_count: state.quote_count,
        quotes_crowded_out: state.quotes_crowded_out,
        quotes_closed_by_rule: state.quotes_closed_by_rule,
        prompt_count: state.prompt_count,
        crossing_count: state.crossing_count,
        proposal_count: state.proposal_count,
        epoch_count: state.epoch_count,
        is_fork: state.is_fork,
        items: items.collect(),
        quotes: quotes.collect(),
        transition,
        prompts_since_offer: state.prompts_since_offer,
        missed_count: state.missed_count,
        last_prompt: state.last_prompt,
        ended_session: state.ended_session,
        commands: state.commands.newest(COMMANDS_CARRIED_MAX),
    }
}

/// Returns what a successor of the task inherits, under the names that it has here. The texts stay
/// the same bodies.
#[must_use]
pub fn inheritance(state: &TaskState) -> (Vec<InheritedItem>, Vec<InheritedQuote>) {
    let items = state.in_force().map(|(item, found)| InheritedItem {
        item,
        draft: found.draft.clone(),
        status: found.status,
    });
    let quotes = state
        .quotes
        .iter()
        .map(|(quote, found)| InheritedQuote { quote: *quote, draft: found.draft.clone() });
    (items.collect(), quotes.collect())
}

/// Returns the bodies that a successor needs: of all that is in force, and of the work.
pub fn carried_bodies(state: &TaskState) -> impl Iterator<Item = BodyRef> {
    let items = state.in_force().map(|(_, item)| item.draft.body);
    let quotes = state.quotes.values().map(|quote| quote.draft.body);
    items.chain(quotes).chain(state.work.iter().map(|work| work.body))
}

/// Folds what an event of a new log cannot say of what was carried over.
pub(super) fn evolve(state: &mut TaskState, carried: &Carried) {
    for found in &carried.items {
        if let Some(item) = state.items.get_mut(&found.item) {
            item.channel = found.channel;
            item.recorded_at = found.recorded_at;
            item.corroboration = found.corroboration;
        }
    }
    for found in &carried.quotes {
        if let Some(quote) = state.quotes.get_mut(&found.quote) {
            quote.said_at = found.said_at;
            quote.possibly_replaced_by = found.possibly_replaced_by;
            quote.said = found.said;
            quote.prompt = found.prompt;
            quote.kept_as = found.kept_as;
            quote.overtaken = found.overtaken;
        }
    }
    state.generation = carried.generation;
    state.item_count = carried.item_count;
    state.quote_count = carried.quote_count;
    state.quotes_crowded_out = carried.quotes_crowded_out;
    state.quotes_closed_by_rule = carried.quotes_closed_by_rule;
    state.prompt_count = carried.prompt_count;
    state.crossing_count = carried.crossing_count;
    state.proposal_count = carried.proposal_count;
    state.epoch_count = carried.epoch_count;
    state.is_fork = carried.is_fork;
    state.transition.clone_from(&carried.transition);
    state.prompts_since_offer = carried.prompts_since_offer;
    state.missed_count = carried.missed_count;
    state.last_prompt = carried.last_prompt;
    state.ended_session = carried.ended_session;
    state.commands.extend(&carried.commands);
}
