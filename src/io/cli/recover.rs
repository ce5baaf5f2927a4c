//! `continuity recover`: says what can be done about a task, and does what loses nothing.
//!
//! Going on with a log that a witness contradicts gives up what the witness remembers, so it takes a
//! flag and a person.

use std::io::Write as _;

use super::door::{require_person, submit};
use super::failure::{Failure, Outcome};
use super::leftovers::unnamed_bodies;
use super::stage::{Stage, path_words};
use super::task_switch::require_confirmed;
use super::which;
use crate::actors::store::{Depth, TaskStore};
use crate::domain::chain::Sequence;
use crate::domain::ids::TaskRef;
use crate::domain::ports::{Clock as _, Ledger as _, LedgerError, TaskFiles as _};
use crate::domain::task::command::Action;
use crate::io::clock::SystemClock;
use crate::io::root::DataRootError;
use crate::io::wire::Home;

/// How long to wait for another writer, in milliseconds.
const PATIENCE_MILLIS: u64 = 2_000;

const EXAMPLES: &str = "\
Says what is wrong, removes what cut-off writes left, finishes deletions that were begun, and makes
the checkpoint anew. Nothing that was recorded is changed.

A log that ends before a record that was acknowledged stays read-only until you accept its present
end, on a terminal of your own. What is missing is then given up; the act itself is recorded.

Examples:
  continuity recover
  continuity recover --task k3v7qd --accept-rollback --confirm k3v7qdabcdefghijklmnopqrst";

/// See [`EXAMPLES`].
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The task, by its reference or at least 4 of its first characters
    #[arg(long, value_name = "REF")]
    task: Option<String>,
    /// Go on with a log that a witness says was longer, or another
    #[arg(long)]
    accept_rollback: bool,
    /// The task's whole reference, to confirm
    #[arg(long, value_name = "FULL_REF", requires = "accept_rollback")]
    confirm: Option<String>,
}

/// Mends what can be mended without losing anything, and says the rest.
pub(super) fn run(arguments: &Arguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    let home = stage.home()?;
    tidy_root(&home, stage)?;
    home.root().check_root_key().map_err(|error| advise_on_root_key(&home, error))?;
    let task = which::choose(&home, arguments.task.as_deref())?;
    // The checkpoint is a witness too, so it is asked before it is made anew.
    let read = read_with_lock(&home, task, &[Depth::Newest, Depth::Full]);
    match read {
        Ok(()) if arguments.accept_rollback => {
            writeln!(stage.out, "No witness contradicts the log; there is nothing to accept.")?;
        }
        Ok(()) => {}
        Err(error) => match remembered(&error).filter(|_| arguments.accept_rollback) {
            Some(remembered) => accept(arguments, &home, task, remembered, stage)?,
            None => return Err(advise(error, task)),
        },
    }
    tidy_task(&home, task, stage)?;
    writeln!(stage.out, "Task {} can be read and written.", task.short())?;
    Ok(Outcome::Done)
}

fn tidy_root(home: &Home, stage: &mut Stage) -> Result<(), Failure> {
    let now = SystemClock.now().as_millis();
    // A root that is not there has nothing to tidy, and is not made for it.
    if home.root().tasks()?.is_empty() && home.root().unfinished_deletes()?.is_empty() {
        return Ok(());
    }
    let swept = home.root().sweep(now)?;
    if swept > 0 {
        writeln!(stage.out, "{swept} files of cut-off writes are removed.")?;
    }
    for task in home.root().finish_deletes()? {
        writeln!(stage.out, "The deletion of task {} is finished.", task.short())?;
    }
    Ok(())
}

/// Reads everything as a writer would, which sets a torn end aside.
fn read_with_lock(home: &Home, task: TaskRef, depths: &[Depth]) -> Result<(), LedgerError> {
    let mut store =
        TaskStore { ledger: Box::new(home.log(task)), files: Box::new(home.files(task)) };
    store.ledger.lock(PATIENCE_MILLIS)?;
    for depth in depths {
        let mut folded = store.fold(*depth)?;
        if *depth == Depth::Full {
            store.store_checkpoint(&mut folded)?;
        }
    }
    store.ledger.unlock();
    Ok(())
}

/// Returns the newest record that a witness names and the log does not hold.
fn remembered(error: &LedgerError) -> Option<Sequence> {
    match error {
        LedgerError::RolledBack { acknowledged, .. } => Some(*acknowledged),
        LedgerError::Forked { at } => Some(*at),
        _ => None,
    }
}

fn accept(
    arguments: &Arguments,
    home: &Home,
    task: TaskRef,
    remembered: Sequence,
    stage: &mut Stage,
) -> Result<(), Failure> {
    require_person()?;
    let words = format!(
        "this gives up what was recorded up to record {remembered} and is not in the log of task {}",
        task.short()
    );
    require_confirmed(task, arguments.confirm.as_deref(), &words)?;
    let mut log = home.log(task);
    log.lock(PATIENCE_MILLIS)?;
    let position = log.accept_rollback()?;
    log.unlock();
    // The checkpoint may remember what the log does not: it is made anew before anything reads it.
    read_with_lock(home, task, &[Depth::Full])?;
    submit(stage, task, Action::AcceptRollback { remembered }, Vec::new())?;
    let head = position.head;
    writeln!(stage.out, "The log is accepted as it ends, at record {head}; that is recorded.")?;
    Ok(())
}

fn advise(error: LedgerError, task: TaskRef) -> Failure {
    let is_rollback = remembered(&error).is_some();
    let failure = Failure::from(error);
    if is_rollback {
        return failure.hint(format!(
            "put back what is missing from a copy, or go on without it:\n  continuity recover \
             --task {} --accept-rollback --confirm {task}",
            task.short()
        ));
    }
    failure.hint(format!(
        "nothing is mended by guessing: put the file back from a copy, or remove the task with \
         `continuity task delete {}`; the host goes on without it",
        task.short()
    ))
}

fn advise_on_root_key(home: &Home, error: DataRootError) -> Failure {
    Failure::from(error).hint(format!(
        "put root.key back from a copy, or remove root.key and the folder sessions in {}: what is \
         recorded stays readable, and every session begins a new task",
        path_words(home.path())
    ))
}

fn tidy_task(home: &Home, task: TaskRef, stage: &mut Stage) -> Result<(), Failure> {
    let mut log = home.log(task);
    log.lock(PATIENCE_MILLIS)?;
    let mut files = home.files(task);
    let swept = files.sweep(SystemClock.now().as_millis())?;
    if swept > 0 {
        writeln!(stage.out, "{swept} files of cut-off writes are removed.")?;
    }
    let unnamed = unnamed_bodies(home, task)?;
    for body in &unnamed {
        files.erase_body(*body)?;
    }
    if !unnamed.is_empty() {
        writeln!(stage.out, "{} texts that belong to no record are erased.", unnamed.len())?;
    }
    log.unlock();
    Ok(())
}
