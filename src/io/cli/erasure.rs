//! The words and keys of a task, gathered before it is deleted, and the proof that they are gone.

use std::collections::{BTreeMap, BTreeSet};

use super::byte_scan::{Scanned, Sought, scan};
use super::failure::{Failure, Kind};
use super::forms::{forms_of_bytes, forms_of_text, pieces};
use super::verify_files::bodies_of;
use crate::domain::body::{Body, BodyRef, Reference, Statement};
use crate::domain::event::wire::decode;
use crate::domain::ids::{BodyId, TaskRef};
use crate::domain::ports::{Ledger as _, Position, TaskFiles as _};
use crate::io::root::layout;
use crate::io::wire::Home;
use crate::readmodels::continuity::describe;

/// Pieces of texts that are looked for; of longer texts in all, the first pieces of each.
const PIECES_MAX: usize = 16_384;
/// Keys of a task that are looked for.
const KEYS_MAX: u32 = 64;

/// What must be gone.
pub(super) struct Traces {
    task: TaskRef,
    /// Pieces of its texts, its keys and its name.
    pieces_sought: Sought,
    /// Its statements and quotes as a whole: what another task holds a copy of.
    wholes_sought: Sought,
    /// Pieces of texts, and keys, that are looked for.
    pub pieces: usize,
}

/// What is left.
#[derive(Debug)]
pub(super) struct Proof {
    /// Files and bytes read.
    pub scanned: Scanned,
    /// Other tasks that recorded some of the same words, or a copy of them.
    pub others: BTreeSet<TaskRef>,
}

impl Traces {
    /// Reads the texts and keys of a task, as far as they can be read: a damaged one too.
    pub(super) fn gather(home: &Home, task: TaskRef) -> Self {
        let texts = texts(home, task);
        let mut rounds: Vec<_> = texts.iter().map(|it| pieces(&it.text).into_iter()).collect();
        let mut found = BTreeSet::new();
        while found.len() < PIECES_MAX {
            let round: Vec<&str> = rounds.iter_mut().filter_map(Iterator::next).collect();
            if round.is_empty() {
                break;
            }
            found.extend(round);
        }
        let mut forms: BTreeSet<Vec<u8>> =
            found.iter().flat_map(|piece| forms_of_text(piece)).collect();
        let files = home.files(task);
        let keys: Vec<_> = (1..=KEYS_MAX).map_while(|number| files.load_key(number).ok()).collect();
        forms.extend(keys.iter().flat_map(|key| forms_of_bytes(key)));
        forms.extend(forms_of_text(&task.to_string()));
        forms.extend(forms_of_bytes(task.as_bytes()));
        let wholes =
            texts.iter().filter(|text| text.is_said).flat_map(|it| forms_of_text(&it.text));
        Self {
            task,
            pieces_sought: Sought::new(forms),
            wholes_sought: Sought::new(wholes.collect()),
            pieces: found.len() + keys.len(),
        }
    }

    /// Looks through every file of the data root. What other tasks recorded themselves is theirs.
    pub(super) fn look_for(&self, home: &Home) -> Result<Proof, Failure> {
        let known = [layout::tombstone(self.task), layout::lock(self.task)];
        let is_known = |path: &str| known.iter().any(|known| known.as_str() == path);
        let is_other = |path: &str| other_task(path).filter(|other| *other != self.task);
        let sought_in = |path: &str| match is_other(path) {
            Some(_) => &self.wholes_sought,
            None => &self.pieces_sought,
        };
        let mut scanned = scan(home.path(), sought_in, is_known)
            .map_err(|error| Failure::of(Kind::Config, &error).line("scanning the data root"))?;
        let mut others = BTreeSet::new();
        scanned.places.retain(|(path, _)| match is_other(path) {
            Some(other) => {
                others.insert(other);
                false
            }
            None => true,
        });
        Ok(Proof { scanned, others })
    }
}

fn other_task(path: &str) -> Option<TaskRef> {
    path.strip_prefix("tasks/")?.split_once('/')?.0.parse().ok()
}

/// A text of the task.
struct Said {
    text: String,
    /// Whether somebody said it: a statement or a quote, not a path or a source.
    is_said: bool,
}

impl Said {
    fn words(text: &Statement) -> Self {
        Self { text: text.as_str().to_owned(), is_said: true }
    }

    fn beside(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_said: false }
    }
}

fn texts(home: &Home, task: TaskRef) -> Vec<Said> {
    let mut named: BTreeMap<BodyId, BodyRef> = BTreeMap::new();
    // A damaged log names fewer; the texts that it does not name are read without their shape.
    drop(home.log(task).read(Position::START, &mut |record| {
        let batch = decode(record.payload).ok();
        let bodies = batch.iter().flat_map(|batch| &batch.events).flat_map(bodies_of);
        named.extend(bodies.map(|body| (body.id, body)));
    }));
    let files = home.files(task);
    let mut texts = Vec::new();
    for id in files.body_ids().unwrap_or_default() {
        let Ok(bytes) = files.load_body(id) else { continue };
        match named.get(&id).and_then(|reference| Body::open(&bytes, reference).ok()) {
            Some(body) => texts.extend(texts_of(body)),
            None => texts.extend(runs(&bytes)),
        }
    }
    texts
}

fn texts_of(body: Body) -> Vec<Said> {
    let reference = |text: &Reference| Said::beside(text.as_str());
    match body {
        Body::Item(text) => {
            let mut texts = vec![Said::words(&text.statement), reference(&text.source)];
            texts.extend(text.rationale.iter().map(Said::words));
            texts.extend(text.target.iter().map(reference));
            texts
        }
        Body::Quote(text) => {
            let target = text.target.iter().map(reference);
            std::iter::once(Said::words(&text.words)).chain(target).collect()
        }
        Body::Workspace(workspace) => {
            let work = describe(&workspace);
            work.path.into_iter().chain(work.branch).map(Said::beside).collect()
        }
        // Its items have their words in bodies of their own; the rest is said of every proposal.
        Body::Proposal(text) => {
            text.items.iter().flat_map(|text| texts_of(Body::Item(text.clone()))).collect()
        }
    }
}

/// Returns what reads as text in bytes whose shape is not known.
fn runs(bytes: &[u8]) -> Vec<Said> {
    let text = String::from_utf8_lossy(bytes);
    let runs = text.split(|it: char| it.is_control() || it == char::REPLACEMENT_CHARACTER);
    runs.map(Said::beside).collect()
}
