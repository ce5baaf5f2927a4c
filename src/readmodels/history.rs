//! What happened, in order: the log as people read it, and the story of one entry.

use serde::Serialize;

use crate::domain::chain::Sequence;
use crate::domain::event::{Batch, Event};
use crate::domain::ids::{ItemId, QuoteId};
use crate::domain::origin::Origin;

/// Name and version of the JSON form.
pub const SCHEMA: &str = "continuity.log.v1";

/// One event with its place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LogEntry {
    /// The record.
    pub sequence: u64,
    /// When, in UTC.
    pub recorded_at: String,
    /// Through which door.
    pub origin: Origin,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// An entry whose story is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// An item.
    Item(ItemId),
    /// A quote.
    Quote(QuoteId),
}

/// Spreads a batch into log entries.
pub fn entries(batch: &Batch, sequence: Sequence) -> impl Iterator<Item = LogEntry> + '_ {
    batch.events.iter().map(move |event| LogEntry {
        sequence: sequence.get(),
        recorded_at: batch.header.recorded_at.to_string(),
        origin: batch.header.origin,
        event: event.clone(),
    })
}

/// Tells whether an event belongs to the story of an entry: recorded, replaced, marked, closed.
#[must_use]
pub fn concerns(event: &Event, subject: Subject) -> bool {
    match (event, subject) {
        (Event::ItemRecorded { item, draft, .. }, Subject::Item(asked)) => {
            *item == asked || draft.supersedes.contains(&asked)
        }
        (Event::ItemsMarked { items, .. }, Subject::Item(asked)) => items.contains(&asked),
        (Event::ProposalOpened { draft, .. }, Subject::Item(asked)) => {
            draft.items.iter().any(|item| item.supersedes.contains(&asked))
        }
        (Event::QuoteRecorded { quote, .. }, Subject::Quote(asked)) => *quote == asked,
        (Event::QuotesClosed { quotes, .. }, Subject::Quote(asked)) => quotes.contains(&asked),
        _ => false,
    }
}
