//! Compares a task's files with what its log says of them.

use std::collections::BTreeMap;

use super::verify::{Check, Problem, TaskReport, damage_words, problem};
use crate::domain::body::{Body, BodyRef};
use crate::domain::event::Event;
use crate::domain::event::wire::{decode, encode_value};
use crate::domain::ids::{BodyId, TaskRef};
use crate::domain::ports::{Checkpoint, Ledger as _, LedgerError, Position, TaskFiles as _};
use crate::domain::recovery::snapshot::is_named_by;
use crate::domain::task::{FOLD_VERSION, TaskState, apply_batch};
use crate::io::fs::atomic::missing_is_none;
use crate::io::root::layout::{self, below};
use crate::io::root::{DataRootError, Lookup};
use crate::io::wire::Home;

/// What the log says, as far as it could be read.
struct Said {
    state: TaskState,
    bodies: BTreeMap<BodyId, BodyRef>,
    /// Whether the checkpoint is the fold of the log up to its own record.
    is_checkpoint_met: bool,
}

/// Compares everything beside the log.
pub(super) fn check(home: &Home, task: TaskRef, report: &mut TaskReport) {
    let checkpoint = match home.files(task).load_checkpoint() {
        Ok(checkpoint) => checkpoint,
        Err(error) => {
            report.problems.push(problem(&error));
            None
        }
    };
    let said = read(home, task, checkpoint.as_ref(), report);
    bodies(home, task, &said, report);
    snapshots(home, task, &said, report);
    check_checkpoint(home, task, checkpoint.as_ref(), &said, report);
    keys(home, task, &said, report);
    sessions(home, task, &said, report);
}

fn read(
    home: &Home,
    task: TaskRef,
    checkpoint: Option<&Checkpoint>,
    report: &mut TaskReport,
) -> Said {
    let mut said =
        Said { state: TaskState::initial(), bodies: BTreeMap::new(), is_checkpoint_met: false };
    let mut undecoded = None;
    // What is wrong with the log itself is in the report already.
    drop(home.log(task).read(Position::START, &mut |record| match decode(record.payload) {
        Ok(batch) => {
            for body in batch.events.iter().flat_map(bodies_of) {
                said.bodies.insert(body.id, body);
            }
            let head = record.position.head;
            apply_batch(&mut said.state, &batch, head.sequence);
            let here = checkpoint.filter(|it| it.position.head == head);
            said.is_checkpoint_met |= here.is_some_and(|checkpoint| {
                encode_value(&said.state).is_ok_and(|state| state == checkpoint.state)
            });
        }
        Err(error) => {
            undecoded.get_or_insert((record.position, error));
        }
    }));
    if let Some((position, error)) = undecoded {
        report.problems.push(Problem {
            file: Some(format!("{}/ledger, segment {}", layout::task(task), position.segment)),
            offset_bytes: Some(position.record_offset_bytes),
            what: error.to_string(),
        });
    }
    if said.state.unrecognised_count > 0 {
        let count = said.state.unrecognised_count;
        report.notes.push(format!("{count} events are of a newer release, which alone may write"));
    }
    said
}

/// Returns the texts that an event names.
pub(super) fn bodies_of(event: &Event) -> Vec<BodyRef> {
    match event {
        Event::QuoteRecorded { draft, .. } => vec![draft.body],
        Event::WorkObjectSeen { body, .. } => vec![*body],
        Event::ItemRecorded { draft, .. } => vec![draft.body],
        Event::ProposalOpened { draft, .. } => {
            let items = draft.items.iter().map(|item| item.body);
            std::iter::once(draft.body).chain(items).collect()
        }
        _ => Vec::new(),
    }
}

fn bodies(home: &Home, task: TaskRef, said: &Said, report: &mut TaskReport) {
    let files = home.files(task);
    let mut whole = 0;
    for body in said.bodies.values() {
        let file = || Some(format!("{}/bodies/{}", layout::task(task), body.id));
        match files.load_body(body.id) {
            Ok(bytes) => match Body::open(&bytes, body) {
                Ok(_) => whole += 1,
                Err(error) => {
                    let (file, what) = (file(), error.to_string());
                    report.problems.push(Problem { file, offset_bytes: Some(0), what });
                }
            },
            Err(error) => report.problems.push(problem(&error)),
        }
    }
    report.checks.push(Check { what: "texts", named: said.bodies.len(), whole });
    let unnamed = match files.body_ids() {
        Ok(kept) => kept.iter().filter(|id| !said.bodies.contains_key(id)).count(),
        Err(error) => {
            report.problems.push(problem(&error));
            0
        }
    };
    if unnamed > 0 && report.problems.is_empty() {
        report.notes.push(format!(
            "{unnamed} texts belong to no record: a write was cut off; `continuity recover` \
             removes them"
        ));
    }
}

fn snapshots(home: &Home, task: TaskRef, said: &Said, report: &mut TaskReport) {
    let files = home.files(task);
    let mut whole = 0;
    for mark in &said.state.snapshots {
        match files.load_snapshot(mark.snapshot.get()) {
            Ok(bytes) if is_named_by(&bytes, mark) => whole += 1,
            Ok(_) => report.problems.push(Problem {
                file: Some(format!("{}/snapshots/{}", layout::task(task), mark.snapshot.get())),
                offset_bytes: Some(0),
                what: "is not the snapshot that was recorded".to_owned(),
            }),
            Err(error) => report.problems.push(problem(&error)),
        }
    }
    report.checks.push(Check { what: "snapshots", named: said.state.snapshots.len(), whole });
}

fn check_checkpoint(
    home: &Home,
    task: TaskRef,
    checkpoint: Option<&Checkpoint>,
    said: &Said,
    report: &mut TaskReport,
) {
    let path = below(&layout::task(task), "checkpoint");
    let is_there = matches!(missing_is_none(home.root().fs().metadata(&path)), Ok(Some(_)));
    let Some(checkpoint) = checkpoint else {
        if is_there {
            report.notes.push("the checkpoint is unreadable; the next writer makes it anew".into());
        }
        return;
    };
    if checkpoint.fold_version != FOLD_VERSION {
        report.notes.push("the checkpoint is of another release, and not used".to_owned());
        return;
    }
    if !said.is_checkpoint_met {
        let at = checkpoint.position.head;
        report.problems.push(Problem {
            file: Some(path.to_string()),
            offset_bytes: Some(0),
            what: format!("is not what the log comes to at record {at}"),
        });
    }
    let whole = usize::from(said.is_checkpoint_met);
    report.checks.push(Check { what: "checkpoint", named: 1, whole });
}

fn keys(home: &Home, task: TaskRef, said: &Said, report: &mut TaskReport) {
    let files = home.files(task);
    let mut whole = 0;
    for number in 1..=said.state.key {
        match files.load_key(number) {
            Ok(_) => whole += 1,
            Err(LedgerError::Missing { .. }) => report.notes.push(format!(
                "key {number} is lost: digests made with it can no longer be compared"
            )),
            Err(error) => report.problems.push(problem(&error)),
        }
    }
    let named = usize::try_from(said.state.key).unwrap_or(usize::MAX);
    report.checks.push(Check { what: "keys", named, whole });
}

fn sessions(home: &Home, task: TaskRef, said: &Said, report: &mut TaskReport) {
    if !said.state.sessions.is_empty()
        && let Err(error) = home.root().check_root_key()
    {
        report.problems.push(root_problem(&error));
    }
    let mut whole = 0;
    for session in &said.state.sessions {
        let file = Some(layout::session(*session).to_string());
        match home.root().lookup(*session) {
            Ok(Lookup::Task(found)) if found == task => whole += 1,
            // Its sessions are the successor's now.
            Ok(Lookup::Task(_)) if said.state.successor.is_some() => whole += 1,
            Ok(Lookup::Task(_)) => report.problems.push(Problem {
                file,
                offset_bytes: None,
                what: "points to another task".to_owned(),
            }),
            Ok(Lookup::Absent) => report.notes.push(
                "a session pointer is missing; what that session says begins a new task".to_owned(),
            ),
            Ok(Lookup::Damaged(what)) => report.problems.push(Problem {
                file,
                offset_bytes: Some(0),
                what: damage_words(what).to_owned(),
            }),
            Err(error) => report.problems.push(root_problem(&error)),
        }
    }
    let named = said.state.sessions.len();
    report.checks.push(Check { what: "sessions", named, whole });
}

fn root_problem(error: &DataRootError) -> Problem {
    Problem { file: None, offset_bytes: None, what: error.to_string() }
}
