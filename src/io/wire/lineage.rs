//! Finds the task that a new session goes on with, by what the host's own transcript says.
//!
//! Either the host names the conversation that it copied, or one of our marks stands there. A mark
//! counts only in text that the host itself marks as given by a hook, and only if it was
//! written under the key of the task that it names. So neither a file in a repository nor the model
//! can claim a lineage.

use std::path::Path;

use super::{Home, HomeError};
use crate::actors::error::TaskError;
use crate::actors::store::{Depth, Folded};
use crate::domain::body::{Body, BodyRef, Sealed};
use crate::domain::event::Predecessor;
use crate::domain::host_event::{Host, HostEvent};
use crate::domain::ids::{CommandId, SessionKey, TaskRef};
use crate::domain::keyed::{MARK_WORD, TaskKey, task_of_mark};
use crate::domain::origin::{Channel, Origin};
use crate::domain::ports::{Entropy, LedgerError, TaskFiles};
use crate::domain::task::command::{Action, Command, Succession};
use crate::domain::task::item::{InheritedItem, ItemDraft, ItemOrigin};
use crate::domain::task::quote::{InheritedQuote, QuoteDraft};
use crate::io::clock::SystemEntropy;
use crate::io::root::Lookup;
use crate::io::transcripts::codex::CodexTranscript;
use crate::io::transcripts::codex_origin::fork_parent;

/// Successors in a row that are followed.
const SUCCESSORS_MAX: usize = 64;
/// Marks looked at in one transcript.
const MARKS_MAX: usize = 16;

impl Home {
    /// Returns the task that the transcript of an event names: by the host's own link to the
    /// conversation that was copied, or by a mark of ours.
    pub(super) fn ancestor(&self, event: &HostEvent) -> Result<Option<TaskRef>, HomeError> {
        let Some(transcript) = event.transcript.as_ref().filter(|_| event.host == Host::Codex)
        else {
            return Ok(None);
        };
        let path = Path::new(transcript.as_str());
        if let Some(parent) = fork_parent(path, event.session.as_str())
            && let Some(key) = self.root().find_session_key(event.host.name(), &parent)?
            && let Lookup::Task(task) = self.root().lookup(key)?
            && self.has_log(task)?
        {
            return self.newest(task).map(Some);
        }
        let transcript = CodexTranscript::open(Some(path));
        for mark in transcript.injected_lines(MARK_WORD, MARKS_MAX) {
            if let Some(task) = task_of_mark(&mark)
                && self.has_written(task, &mark)?
            {
                return self.newest(task).map(Some);
            }
        }
        Ok(None)
    }

    /// Returns the task that goes on with this one, through every successor that is there.
    ///
    /// # Errors
    /// [`HomeError::Task`].
    pub fn newest(&self, task: TaskRef) -> Result<TaskRef, HomeError> {
        let mut task = task;
        for _ in 0..SUCCESSORS_MAX {
            match self.fold(task, Depth::Newest)?.state.successor {
                Some(next) if self.has_log(next)? => task = next,
                _ => break,
            }
        }
        Ok(task)
    }

    fn has_written(&self, task: TaskRef, mark: &str) -> Result<bool, HomeError> {
        if !self.has_log(task)? {
            return Ok(false);
        }
        let (folded, _) = self.read(task, Depth::Newest)?;
        let files = self.files(task);
        let is_ours = |number: u32| match files.load_key(number) {
            Ok(bytes) => TaskKey::new(number, bytes).has_written(mark),
            Err(_) => false,
        };
        Ok((1..=folded.state.key).any(is_ours))
    }

    /// Begins `task` with what is in force in `ancestor`, texts copied under new names.
    pub(super) fn inherit(
        &self,
        ancestor: TaskRef,
        task: TaskRef,
        session: SessionKey,
        host: Host,
    ) -> Result<(Command, Vec<Sealed>), HomeError> {
        let (folded, _) = self.read(ancestor, Depth::Full)?;
        let copier = Copier { home: self, ancestor };
        let (items, mut bodies) = copier.items(&folded)?;
        let (quotes, quote_bodies) = copier.quotes(&folded)?;
        bodies.extend(quote_bodies);
        let predecessor = Predecessor { task: ancestor, head: folded.head() };
        let origin = Origin::of_session(Channel::HostEvent, host, session);
        let command = Command {
            id: CommandId::new(*task.as_bytes()),
            origin,
            expected_generation: None,
            action: Action::Inherit { succession: Succession::Fork, predecessor, items, quotes },
        };
        Ok((command, bodies))
    }
}

/// Copies texts from one task for another.
struct Copier<'a> {
    home: &'a Home,
    ancestor: TaskRef,
}

impl Copier<'_> {
    fn items(&self, folded: &Folded) -> Result<(Vec<InheritedItem>, Vec<Sealed>), HomeError> {
        let mut items = Vec::new();
        let mut bodies = Vec::new();
        for (id, item) in folded.state.in_force() {
            let Some(sealed) = self.copy(&item.draft.body)? else { continue };
            let copied_from = Some(ItemOrigin { task: self.ancestor, item: id });
            let draft = ItemDraft { body: sealed.reference, copied_from, ..item.draft.clone() };
            items.push(InheritedItem { item: id, draft, status: item.status });
            bodies.push(sealed);
        }
        Ok((items, bodies))
    }

    fn quotes(&self, folded: &Folded) -> Result<(Vec<InheritedQuote>, Vec<Sealed>), HomeError> {
        let mut quotes = Vec::new();
        let mut bodies = Vec::new();
        for (id, quote) in &folded.state.quotes {
            let Some(sealed) = self.copy(&quote.draft.body)? else { continue };
            let draft = QuoteDraft { body: sealed.reference, ..quote.draft.clone() };
            quotes.push(InheritedQuote { quote: *id, draft });
            bodies.push(sealed);
        }
        Ok((quotes, bodies))
    }

    /// A text that cannot be read there is not made up here: the entry stays behind.
    fn copy(&self, reference: &BodyRef) -> Result<Option<Sealed>, HomeError> {
        let bytes = match self.home.files(self.ancestor).load_body(reference.id) {
            Ok(bytes) => bytes,
            Err(LedgerError::Missing { .. }) => return Ok(None),
            Err(error) => return Err(TaskError::from(error).into()),
        };
        let Ok(body) = Body::open(&bytes, reference) else { return Ok(None) };
        let (id, salt) = SystemEntropy.new_body().map_err(TaskError::from)?;
        Ok(body.seal(id, salt).ok())
    }
}
