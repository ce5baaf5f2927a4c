//! The texts that a state names, as far as they could be read.

use std::collections::BTreeMap;

use crate::domain::body::{Body, BodyRef, ItemText, QuoteText};
use crate::domain::fingerprint::Workspace;
use crate::domain::ids::BodyId;
use crate::domain::task::TaskState;
use crate::domain::task::proposal::ProposalText;

/// Texts by body. A body that is missing, damaged or not the one recorded is simply not here: that
/// harms the one entry that names it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts(BTreeMap<BodyId, Body>);

impl Texts {
    /// Opens the bodies that `state` names, as far as `load` finds them.
    #[must_use]
    pub fn gather(state: &TaskState, mut load: impl FnMut(BodyId) -> Option<Vec<u8>>) -> Self {
        let bodies = named_bodies(state).filter_map(|reference| {
            let body = Body::open(&load(reference.id)?, reference).ok()?;
            Some((reference.id, body))
        });
        Self(bodies.collect())
    }

    /// Returns an item's text.
    #[must_use]
    pub fn item(&self, reference: &BodyRef) -> Option<&ItemText> {
        match self.0.get(&reference.id) {
            Some(Body::Item(text)) => Some(text),
            _ => None,
        }
    }

    /// Returns a quote's text.
    #[must_use]
    pub fn quote(&self, reference: &BodyRef) -> Option<&QuoteText> {
        match self.0.get(&reference.id) {
            Some(Body::Quote(text)) => Some(text),
            _ => None,
        }
    }

    /// Returns a proposal's text.
    #[must_use]
    pub fn proposal(&self, reference: &BodyRef) -> Option<&ProposalText> {
        match self.0.get(&reference.id) {
            Some(Body::Proposal(text)) => Some(text),
            _ => None,
        }
    }

    /// Returns where the work stood.
    #[must_use]
    pub fn workspace(&self, reference: &BodyRef) -> Option<&Workspace> {
        match self.0.get(&reference.id) {
            Some(Body::Workspace(workspace)) => Some(workspace),
            _ => None,
        }
    }

    /// Tells whether the text of anything in force is missing.
    #[must_use]
    pub fn lack_any_of(&self, state: &TaskState) -> bool {
        in_force_bodies(state).any(|reference| !self.0.contains_key(&reference.id))
    }
}

fn named_bodies(state: &TaskState) -> impl Iterator<Item = &BodyRef> {
    let proposals = state.proposals.values().map(|proposal| &proposal.draft.body);
    in_force_bodies(state).chain(proposals)
}

fn in_force_bodies(state: &TaskState) -> impl Iterator<Item = &BodyRef> {
    let items = state.in_force().map(|(_, item)| &item.draft.body);
    let quotes = state.quotes.values().map(|quote| &quote.draft.body);
    let work = state.work.iter().map(|work| &work.body);
    items.chain(quotes).chain(work)
}
