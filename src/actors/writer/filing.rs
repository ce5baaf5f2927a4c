//! Puts a proposal together: draws its code, words it, and seals its texts.

use sha2::{Digest as _, Sha256};

use super::{Pending, TaskWriter};
use crate::actors::error::TaskError;
use crate::actors::observe::Observation;
use crate::actors::store::{Depth, Folded};
use crate::domain::act::Act;
use crate::domain::body::{Body, ItemText, Sealed};
use crate::domain::confirmation::Code;
use crate::domain::event::Event;
use crate::domain::event::wire::{WireError, encode_value};
use crate::domain::ids::{Digest, ItemId, ProposalId, QuoteId};
use crate::domain::origin::Origin;
use crate::domain::redact::redact_str;
use crate::domain::task::command::{Action, Command};
use crate::domain::task::item::{Authority, Gate, ItemDraft, ItemKind};
use crate::domain::task::proposal::{ProposalDraft, ProposalText, Purpose};
use crate::domain::task::{decide, is_rollover_due};
use crate::readmodels::confirmation::{Proposed, proposal_text};

/// Draws of a code before giving up; a second one is needed once in ten thousand proposals.
const DRAWS_MAX: usize = 8;

/// An item that is to be put before the user.
#[derive(Debug, Clone)]
pub struct NewItem {
    /// What it says.
    pub kind: ItemKind,
    /// Its text, redacted.
    pub text: ItemText,
    /// Items in force that it replaces.
    pub supersedes: Vec<ItemId>,
    /// The act it is about.
    pub act: Option<Act>,
    /// What that act waits for.
    pub gate: Option<Gate>,
}

/// What is to be put before the user.
#[derive(Debug, Clone)]
pub struct Filing {
    /// Who files it.
    pub origin: Origin,
    /// What a confirmation brings about.
    pub purpose: Purpose,
    /// The items; none for another purpose than [`Purpose::Items`].
    pub items: Vec<NewItem>,
    /// Quotes that the items put into words.
    pub quotes: Vec<QuoteId>,
}

/// A proposal that waits for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filed {
    /// Its name.
    pub proposal: ProposalId,
    /// What the user types to answer.
    pub code: Code,
    /// The whole text: what binds.
    pub shown: String,
}

impl NewItem {
    /// Returns what is recorded of it, once it is the user's word.
    #[must_use]
    pub fn draft(&self, sealed: &Sealed) -> ItemDraft {
        ItemDraft {
            supersedes: self.supersedes.clone(),
            act: self.act,
            gate: self.gate,
            has_rationale: self.text.rationale.is_some(),
            ..ItemDraft::new(self.kind, sealed.reference, Authority::User)
        }
    }
}

impl TaskWriter {
    /// Locks, catches up and opens a proposal.
    ///
    /// # Errors
    /// [`TaskError`]; the lock is free again.
    pub fn file(
        &mut self,
        filing: &Filing,
        patience_millis: u64,
    ) -> Result<(Pending, Filed), TaskError> {
        self.store.ledger.lock(patience_millis)?;
        let filed = self.file_locked(filing);
        if filed.is_err() {
            self.store.ledger.unlock();
        }
        filed
    }

    fn file_locked(&mut self, filing: &Filing) -> Result<(Pending, Filed), TaskError> {
        if !self.store.ledger.exists()? {
            return Err(TaskError::NoTask);
        }
        let folded = self.catch_up(Depth::Newest)?;
        let (draft, bodies, shown) = self.compose(filing, &folded)?;
        let code = draft.code;
        let command = Command {
            id: self.world.entropy.new_command()?,
            origin: filing.origin,
            expected_generation: None,
            action: Action::Propose { draft },
        };
        let events = decide(&folded.state, &command, &self.facts(&folded))?;
        let opened = events.iter().find_map(|event| match event {
            Event::ProposalOpened { proposal, .. } => Some(*proposal),
            _ => None,
        });
        let proposal = opened.ok_or(TaskError::Encoding(WireError::Unwritable))?;
        self.folded = Some(folded);
        let (snapshot, workspace, notes) = (None, None, Vec::new());
        let pending = Pending { command, events, bodies, snapshot, workspace, notes };
        Ok((pending, Filed { proposal, code, shown }))
    }

    /// Adds the proposal of a new log to the end of a turn, where that is due.
    pub(super) fn with_rollover(
        &self,
        folded: &Folded,
        mut observation: Observation,
    ) -> Result<Observation, TaskError> {
        let origin = observation.command.origin;
        let Action::ObserveStop { is_shown: true, rollover, .. } = &mut observation.command.action
        else {
            return Ok(observation);
        };
        if is_rollover_due(&folded.state, &self.facts(folded)) {
            let (items, quotes) = (Vec::new(), Vec::new());
            let filing = Filing { origin, purpose: Purpose::RollOver, items, quotes };
            let (draft, bodies, _) = self.compose(&filing, folded)?;
            *rollover = Some(draft);
            observation.bodies.extend(bodies);
        }
        Ok(observation)
    }

    fn compose(
        &self,
        filing: &Filing,
        folded: &Folded,
    ) -> Result<(ProposalDraft, Vec<Sealed>, String), TaskError> {
        let mut bodies = Vec::with_capacity(filing.items.len().saturating_add(1));
        let mut items = Vec::with_capacity(filing.items.len());
        for item in &filing.items {
            let sealed = self.world.seal(&Body::Item(item.text.clone()))?;
            items.push((item.draft(&sealed), item.text.clone()));
            bodies.push(sealed);
        }
        let code = self.draw_code(folded)?;
        let task = folded.state.task.unwrap_or(self.task);
        let proposed = Proposed { task, purpose: filing.purpose, code, items: &items };
        let shown = proposal_text(&proposed, &folded.state, &self.texts(&folded.state));
        let text = ProposalText { shown: redact_str(&shown), items: Vec::new() };
        let sealed = self.world.seal(&Body::Proposal(text))?;
        let items: Vec<ItemDraft> = items.into_iter().map(|(draft, _)| draft).collect();
        let bound = encode_value(&(&shown, &items, &filing.quotes, filing.purpose))?;
        let draft = ProposalDraft {
            body: sealed.reference,
            digest: Digest::new(Sha256::digest(&bound).into()),
            items,
            quotes: filing.quotes.clone(),
            purpose: filing.purpose,
            code,
        };
        bodies.push(sealed);
        Ok((draft, bodies, shown))
    }

    /// Draws a code that nothing else of the task answers to.
    fn draw_code(&self, folded: &Folded) -> Result<Code, TaskError> {
        let state = &folded.state;
        let mut code = Code::from_random(self.world.entropy.sixteen_bytes()?);
        for _ in 1..DRAWS_MAX {
            let is_taken = state.proposals.values().any(|open| open.draft.code == code)
                || state.confirmed.iter().any(|confirmed| confirmed.code == code);
            if !is_taken {
                break;
            }
            code = Code::from_random(self.world.entropy.sixteen_bytes()?);
        }
        Ok(code)
    }
}
