//! `continuity task delete`: removes everything of one task for good, and proves it.

use std::io::Write as _;
use std::path::{Component, Path, PathBuf};

use serde::Serialize;

use super::door::{Asking, Door, ask};
use super::erasure::{Proof, Traces};
use super::failure::{Failure, Kind, Outcome};
use super::lineage::{Relative, relatives};
use super::stage::{Stage, path_words, stored_name};
use super::task_switch::{Arguments, require_confirmed};
use super::which;
use crate::domain::ids::TaskRef;
use crate::domain::ports::Ledger as _;
use crate::domain::task::proposal::Purpose;
use crate::io::root::layout;
use crate::io::wire::Home;

/// Name and version of the JSON form.
const SCHEMA: &str = "continuity.task_delete.v1";

pub(super) const EXAMPLES: &str = "\
On a terminal of your own it is done at once: say which task twice, the second time with its whole
reference. Anywhere else, and where an agent started this program, it is put before you: nothing is
deleted until you type the code and the task's short name. Nothing brings a deleted task back.

Afterwards every file below the data root is read, and searched for the task's words.

Examples:
  continuity task delete k3v7qd    says what would be done, and the whole reference
  continuity task delete k3v7qd --confirm k3v7qdabcdefghijklmnopqrst";

/// How long to wait for another writer, in milliseconds.
const PATIENCE_MILLIS: u64 = 2_000;
/// What deleting cannot reach.
const OUT_OF_REACH: [&str; 2] = [
    "the host's own transcripts, which hold what you wrote and what the agent was offered",
    "whatever you copied, exported or backed up elsewhere",
];

#[derive(Debug, Serialize)]
struct Deleted {
    schema: &'static str,
    task_ref: String,
    folder: String,
    /// Files and bytes that were searched.
    scanned_files: u64,
    scanned_bytes: u64,
    /// Pieces of texts and keys that were looked for, each in every form.
    sought_pieces: usize,
    /// Places that still hold something of the task.
    left: Vec<Left>,
    /// Tasks of the same lineage.
    lineage: Vec<Kin>,
    /// Other tasks that recorded some of the same words themselves.
    same_words_in: Vec<String>,
    out_of_reach: [&'static str; 2],
}

#[derive(Debug, Serialize)]
struct Left {
    file: String,
    where_in_it: String,
}

#[derive(Debug, Serialize)]
struct Kin {
    task_ref: String,
    is: &'static str,
    /// Whether its own records hold words of the deleted task.
    holds_copies: bool,
}

/// Deletes a task, or has it confirmed by the user. Works on a damaged one too.
pub(super) fn run(arguments: &Arguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    let home = stage.home()?;
    let task = which::choose_here(&home, arguments.task.as_deref())?;
    if let Door::Elsewhere(refusal) = Door::look() {
        let (purpose, items, was_redacted) = (Purpose::Delete, Vec::new(), false);
        ask(stage, Asking { task, purpose, items, refusal, was_redacted }, arguments.json)?;
        return Ok(Outcome::Done);
    }
    let folder = checked_folder(&home, task)?;
    let words = format!("this deletes all that is recorded of task {}, for good", task.short());
    let confirmed = require_confirmed(task, arguments.confirm.as_deref(), &words);
    confirmed.map_err(|failure| preview(failure, &home, task, &folder))?;
    delete_and_tell(stage, task, arguments.json)
}

/// Says what would be removed, and what would not.
fn preview(failure: Failure, home: &Home, task: TaskRef, folder: &Path) -> Failure {
    let failure = failure.line(format!("folder {}", path_words(folder)));
    relatives(home, task).iter().fold(failure, |failure, relative| {
        let line = kin_words(relative);
        failure.line(format!("{line}; may hold copies, and is deleted on its own"))
    })
}

fn kin_words(relative: &Relative) -> String {
    let place = relative.folder.as_deref().map(|folder| format!(", in {}", stored_name(folder)));
    format!("task {}: {}{}", relative.task.short(), relative.how, place.unwrap_or_default())
}

/// Returns the task's folder, once its plain path and its real one are the same place below the
/// data root.
fn checked_folder(home: &Home, task: TaskRef) -> Result<PathBuf, Failure> {
    let folder = home.path().join(layout::task(task).as_str());
    let is_plain = folder.is_absolute()
        && folder.components().all(|it| !matches!(it, Component::ParentDir | Component::CurDir));
    let refused = |why: &str| {
        let line = format!("the folder of task {} {why}; nothing was done", task.short());
        Failure::new(Kind::Config, line).line(path_words(&folder))
    };
    if !is_plain {
        return Err(refused("has no plain path"));
    }
    let real = |path: &Path| std::fs::canonicalize(path);
    let (root, found) = match (real(home.path()), real(&folder)) {
        (Ok(root), Ok(found)) => (root, found),
        (Err(error), _) | (_, Err(error)) => {
            return Err(refused(&format!("is not there: {error}")));
        }
    };
    if found != root.join(layout::task(task).as_str()) {
        return Err(refused("leads elsewhere").line(path_words(&found)));
    }
    Ok(folder)
}

/// Deletes a task, searches every file that is left, and tells what came of it.
pub(super) fn delete_and_tell(
    stage: &mut Stage,
    task: TaskRef,
    is_json: bool,
) -> Result<Outcome, Failure> {
    let home = stage.home()?;
    let folder = checked_folder(&home, task)?;
    let kin = relatives(&home, task);
    let mut log = home.log(task);
    log.lock(PATIENCE_MILLIS)?;
    let traces = Traces::gather(&home, task);
    home.root().delete_task(task)?;
    let proof = traces.look_for(&home)?;
    log.unlock();
    let deleted = Deleted::new(task, &folder, &traces, &proof, &kin);
    if is_json {
        stage.json(&deleted)?;
    } else {
        print(stage, &home, task, &deleted, &kin)?;
    }
    match deleted.left.as_slice() {
        [] => Ok(Outcome::Done),
        left => {
            let line = match left.len() {
                1 => "1 place still holds something of it".to_owned(),
                several => format!("{several} places still hold something of it"),
            };
            Err(Failure::new(Kind::Internal, line)
                .hint("these files are no part of the task: look at them, and remove them by hand"))
        }
    }
}

impl Deleted {
    fn new(task: TaskRef, folder: &Path, traces: &Traces, proof: &Proof, kin: &[Relative]) -> Self {
        let left = proof.scanned.places.iter();
        let left = left.map(|(file, at)| Left { file: file.clone(), where_in_it: at.clone() });
        let kin_of = |relative: &Relative| Kin {
            task_ref: relative.task.to_string(),
            is: relative.how,
            holds_copies: proof.others.contains(&relative.task),
        };
        let is_kin = |other: &TaskRef| kin.iter().any(|relative| relative.task == *other);
        let others = proof.others.iter().filter(|other| !is_kin(other));
        Self {
            schema: SCHEMA,
            task_ref: task.to_string(),
            folder: folder.display().to_string(),
            scanned_files: proof.scanned.files,
            scanned_bytes: proof.scanned.bytes,
            sought_pieces: traces.pieces,
            left: left.collect(),
            lineage: kin.iter().map(kin_of).collect(),
            same_words_in: others.map(ToString::to_string).collect(),
            out_of_reach: OUT_OF_REACH,
        }
    }
}

fn print(
    stage: &mut Stage,
    home: &Home,
    task: TaskRef,
    deleted: &Deleted,
    kin: &[Relative],
) -> Result<(), Failure> {
    let out = &mut stage.out;
    writeln!(
        out,
        "Task {} is deleted: log, texts, snapshots, keys, witness and session pointers. An empty\n\
         folder in {} remembers that it was there.",
        task.short(),
        path_words(&home.path().join("tombstones"))
    )?;
    let verdict = if deleted.left.is_empty() { "nothing left" } else { "something is left" };
    writeln!(
        out,
        "Scanned {} files, {} bytes, for {} pieces of its words and keys in every form: {verdict}.",
        deleted.scanned_files, deleted.scanned_bytes, deleted.sought_pieces
    )?;
    for Left { file, where_in_it } in &deleted.left {
        writeln!(out, "  {}: {}", stored_name(file), stored_name(where_in_it))?;
    }
    if !kin.is_empty() {
        writeln!(out, "\nOf the same lineage, and not touched:")?;
    }
    for (relative, Kin { holds_copies, .. }) in kin.iter().zip(&deleted.lineage) {
        let copies = if *holds_copies { "; holds copies" } else { "" };
        writeln!(out, "  {}{copies}", kin_words(relative))?;
    }
    if !deleted.same_words_in.is_empty() {
        let shorts = deleted.same_words_in.iter().filter_map(|it| it.get(..6));
        let shorts = shorts.collect::<Vec<_>>().join(", ");
        writeln!(out, "\nOther tasks recorded some of the same words themselves: {shorts}")?;
    }
    writeln!(out, "\nNot ours, and not touched:")?;
    for thing in OUT_OF_REACH {
        writeln!(out, "  {thing}")?;
    }
    Ok(())
}
