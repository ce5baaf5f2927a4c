//! Which task is meant.
//!
//! Folders are compared as stored text; no folder but the current one is looked at, so one that
//! hangs cannot hold up a command.

use std::path::Path;

use super::failure::{Failure, Kind};
use super::stage::{path_words, stored_name, talk};
use crate::actors::error::TaskError;
use crate::actors::store::{Depth, Folded};
use crate::domain::body::reference_from_end;
use crate::domain::ids::TaskRef;
use crate::domain::redact::redact_str;
use crate::io::wire::Home;
use crate::readmodels::continuity::describe;
use crate::readmodels::texts::Texts;

/// Fewest characters of a reference that name a task.
const PREFIX_CHARS_MIN: usize = 4;
/// Tasks that an error lists.
const LISTED_MAX: usize = 10;

/// A task as far as it can be read.
pub(super) struct Candidate {
    /// The task.
    pub task: TaskRef,
    /// Its state.
    pub reading: Result<(Folded, Texts), TaskError>,
}

impl Candidate {
    /// Reads a task from its checkpoint on.
    pub(super) fn read(home: &Home, task: TaskRef) -> Self {
        Self { task, reading: home.read(task, Depth::Newest) }
    }

    /// Returns where its work was last seen, as recorded.
    pub(super) fn folder(&self) -> Option<String> {
        let (folded, texts) = self.reading.as_ref().ok()?;
        let work = folded.state.work.as_ref()?;
        describe(texts.workspace(&work.body)?).path
    }

    /// Returns the task that goes on with it.
    pub(super) fn successor(&self) -> Option<TaskRef> {
        self.reading.as_ref().ok()?.0.state.successor
    }

    /// Returns when it was last written to, in milliseconds since 1970-01-01 UTC.
    pub(super) fn last_activity_millis(&self) -> i64 {
        match &self.reading {
            Ok((folded, _)) => folded.state.recorded_at.as_millis(),
            Err(_) => i64::MIN,
        }
    }
}

/// Returns the task that `named` names; without a name the latest task of the current folder or of
/// one above it, or the only task, with a word on where that one belongs.
pub(super) fn choose(home: &Home, named: Option<&str>) -> Result<TaskRef, Failure> {
    let tasks = home.root().tasks()?;
    match named {
        Some(named) => by_name(&tasks, named),
        None => by_place(home, &tasks)?.or_else(|candidates| the_only_one(&candidates)),
    }
}

/// Returns the task that `named` names; without a name the latest task of the current folder or of
/// one above it. What changes a task does not take one that belongs elsewhere.
pub(super) fn choose_here(home: &Home, named: Option<&str>) -> Result<TaskRef, Failure> {
    let tasks = home.root().tasks()?;
    match named {
        Some(named) => by_name(&tasks, named),
        None => by_place(home, &tasks)?.map_err(|candidates| not_here(&candidates)),
    }
}

fn by_name(tasks: &[TaskRef], named: &str) -> Result<TaskRef, Failure> {
    let shown = stored_name(named);
    let listing = "`continuity task list` shows the tasks that there are";
    if named.chars().count() < PREFIX_CHARS_MIN {
        let line = format!("{shown} is too short: a task is named by at least 4 characters");
        return Err(Failure::new(Kind::Usage, line).hint(listing));
    }
    let mut found = tasks.iter().filter(|task| task.to_string().starts_with(named));
    match (found.next(), found.next()) {
        (Some(task), None) => Ok(*task),
        (Some(_), Some(_)) => {
            Err(Failure::refused(format!("several tasks begin with {shown}")).hint(listing))
        }
        (None, _) => Err(Failure::refused(format!("there is no task {shown}")).hint(listing)),
    }
}

/// Returns the task of the current folder, or the candidates of which none belongs to it.
fn by_place(home: &Home, tasks: &[TaskRef]) -> Result<Result<TaskRef, Vec<Candidate>>, Failure> {
    if tasks.is_empty() {
        let place = format!("no task is recorded in {}", path_words(home.path()));
        return Err(Failure::refused(place).hint(
            "a task begins with your first prompt in a host whose hooks are installed and \
             trusted; see `continuity install codex`",
        ));
    }
    let mut candidates: Vec<_> = tasks.iter().map(|task| Candidate::read(home, *task)).collect();
    candidates.retain(|it| it.successor().is_none());
    Ok(latest_here(&candidates).ok_or(candidates))
}

/// Takes the only task there is, though it belongs elsewhere.
fn the_only_one(candidates: &[Candidate]) -> Result<TaskRef, Failure> {
    let [only] = candidates else { return Err(not_here(candidates)) };
    if let Some(folder) = only.folder() {
        let (short, folder) = (only.task.short(), stored_name(&folder));
        talk(&format!("note: task {short} belongs to {folder}, not to this folder"));
    }
    Ok(only.task)
}

/// Returns the latest task of the current folder or of one above it.
pub(super) fn latest_of_folder(home: &Home) -> Result<TaskRef, Failure> {
    let mut candidates: Vec<_> =
        home.root().tasks()?.into_iter().map(|task| Candidate::read(home, task)).collect();
    candidates.retain(|it| it.successor().is_none());
    latest_here(&candidates).ok_or_else(|| not_here(&candidates))
}

fn latest_here(candidates: &[Candidate]) -> Option<TaskRef> {
    let here = std::env::current_dir().and_then(|folder| folder.canonicalize()).ok()?;
    let above = here.ancestors().filter_map(recorded_form);
    let matching = above
        .map(|folder| {
            let is_there = |it: &&Candidate| it.folder().as_deref() == Some(folder.as_str());
            candidates.iter().filter(is_there).collect::<Vec<_>>()
        })
        .find(|matching| !matching.is_empty())?;
    let latest = matching.iter().max_by_key(|it| it.last_activity_millis())?;
    if matching.len() > 1 {
        let (short, count) = (latest.task.short(), matching.len());
        talk(&format!("note: task {short}, the latest of {count} in this folder"));
    }
    Some(latest.task)
}

/// Returns a path in the form in which a task records it.
fn recorded_form(path: &Path) -> Option<String> {
    let text = reference_from_end(&redact_str(&path.to_string_lossy()))?;
    Some(text.as_str().to_owned())
}

fn not_here(candidates: &[Candidate]) -> Failure {
    let line = match candidates.len() {
        1 => "the only task does not belong to this folder".to_owned(),
        several => format!("none of the {several} tasks belongs to this folder"),
    };
    let mut failure = Failure::refused(line).hint("name one by its reference, with --task REF");
    let mut listed: Vec<_> = candidates.iter().collect();
    listed.sort_by_key(|it| std::cmp::Reverse(it.last_activity_millis()));
    for candidate in listed.iter().take(LISTED_MAX) {
        let folder = candidate.folder();
        let folder = folder.as_deref().unwrap_or("(folder not known)");
        failure = failure.line(format!("{}  {}", candidate.task.short(), stored_name(folder)));
    }
    failure
}
