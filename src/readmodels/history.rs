//! What happened, in order: the log as people read it, and the story of one entry.

use serde::Serialize;

use crate::domain::chain::Sequence;
use crate::domain::event::{Batch, Event};
use crate::domain::ids::{ItemId, ProposalId, QuoteId};
use crate::domain::origin::Origin;
use crate::domain::task::proposal::ProposalOutcome;

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
    /// A proposal.
    Proposal(ProposalId),
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

/// Tells whether an event belongs to the story of an entry: recorded, replaced, marked, closed,
/// proposed, answered, taken back.
#[must_use]
pub fn concerns(event: &Event, subject: Subject) -> bool {
    match (event, subject) {
        (Event::ItemRecorded { item, draft, .. }, Subject::Item(asked)) => {
            *item == asked || draft.supersedes.contains(&asked)
        }
        (
            Event::ItemsMarked { items, .. } | Event::ItemsCorroborated { items, .. },
            Subject::Item(asked),
        ) => items.contains(&asked),
        (Event::ProposalOpened { draft, .. }, Subject::Item(asked)) => {
            draft.items.iter().any(|item| item.supersedes.contains(&asked))
        }
        (
            Event::ProposalOpened { proposal, .. }
            | Event::ProposalEnded { proposal, .. }
            | Event::ConfirmationUndone { proposal },
            Subject::Proposal(asked),
        ) => *proposal == asked,
        (Event::ProposalsShown { proposals }, Subject::Proposal(asked)) => {
            proposals.contains(&asked)
        }
        (Event::QuoteRecorded { quote, .. }, Subject::Quote(asked)) => *quote == asked,
        (Event::QuotesClosed { quotes, .. }, Subject::Quote(asked)) => quotes.contains(&asked),
        _ => false,
    }
}

/// Notices which confirmation an item came from: it stands before the item, in the same record.
#[derive(Debug, Clone, Default)]
pub struct ConfirmationSeen {
    newest: Option<LogEntry>,
    of_item: Option<ProposalId>,
}

impl ConfirmationSeen {
    /// Takes the next event of the log in, in order. Returns an earlier event that belongs to the
    /// story of `asked` only now: the confirmation that made it.
    pub fn take(&mut self, entry: &LogEntry, asked: ItemId) -> Option<LogEntry> {
        match &entry.event {
            Event::ProposalEnded { outcome: ProposalOutcome::Confirmed, .. } => {
                self.newest = Some(entry.clone());
                None
            }
            Event::ItemRecorded { item, .. } if *item == asked => {
                let made_it = self.newest.take().filter(|it| it.sequence == entry.sequence)?;
                if let Event::ProposalEnded { proposal, .. } = &made_it.event {
                    self.of_item = Some(*proposal);
                }
                Some(made_it)
            }
            Event::ConfirmationUndone { proposal } if self.of_item == Some(*proposal) => {
                Some(entry.clone())
            }
            _ => None,
        }
    }

    /// Returns the proposal whose confirmation made the item.
    #[must_use]
    pub fn proposal(&self) -> Option<ProposalId> {
        self.of_item
    }
}
