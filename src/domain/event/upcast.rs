//! Old payloads, one step each to the present event.

use serde::Deserialize;

use super::Event;
use super::wire::{WireError, decode_payload};
use crate::domain::body::BodyRef;
use crate::domain::confirmation::Code;
use crate::domain::ids::{Digest, ProposalId, QuoteId};
use crate::domain::task::item::ItemDraft;
use crate::domain::task::proposal::{ProposalDraft, Purpose};

/// Before proposals had a code, and a purpose beside items.
#[derive(Deserialize)]
struct ProposalDraft1 {
    body: BodyRef,
    digest: Digest,
    items: Vec<ItemDraft>,
    quotes: Vec<QuoteId>,
}

pub(super) fn proposal_opened_1(payload: &[u8]) -> Result<Event, WireError> {
    let (proposal, draft): (ProposalId, ProposalDraft1) = decode_payload(payload)?;
    let ProposalDraft1 { body, digest, items, quotes } = draft;
    let (purpose, code) = (Purpose::Items, Code::from_digest(&digest));
    let draft = ProposalDraft { body, digest, items, quotes, purpose, code };
    Ok(Event::ProposalOpened { proposal, draft })
}
