//! `continuity task rebuild`: makes what follows from the log anew; the log itself stays as it is.

use std::io::Write as _;

use serde::Serialize;

use super::failure::{Failure, Outcome};
use super::stage::Stage;
use super::which;
use crate::actors::store::{Depth, TaskStore};
use crate::domain::ids::TaskRef;
use crate::domain::ports::LedgerError;
use crate::domain::task::TaskState;
use crate::io::root::Lookup;
use crate::io::wire::Home;

/// Name and version of the JSON form.
const SCHEMA: &str = "continuity.task_rebuild.v1";
/// How long to wait for another writer, in milliseconds.
const PATIENCE_MILLIS: u64 = 2_000;

const EXAMPLES: &str = "\
The log is verified first, every record and link of it; a damaged one is left alone. Then the
checkpoint is dropped and made anew, and with it every session pointer that is missing or damaged.
Nothing of the log changes. Texts, snapshots and keys follow from nothing else and are not touched.

Examples:
  continuity task rebuild
  continuity task rebuild k3v7qd";

/// See [`EXAMPLES`].
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The task, by its reference or at least 4 of its first characters; without it, the task of
    /// this folder
    #[arg(value_name = "REF")]
    task: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Rebuilt {
    schema: &'static str,
    task_ref: String,
    /// Records verified, and the newest of them.
    records: u64,
    head: String,
    /// The record that the new checkpoint stands at.
    checkpoint_at: u64,
    pointers_whole: usize,
    pointers_made_anew: usize,
    /// Pointers to another task, which are left as they are.
    pointers_elsewhere: usize,
}

/// Rebuilds.
pub(super) fn run(arguments: &Arguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    let home = stage.home()?;
    let task = which::choose_here(&home, arguments.task.as_deref())?;
    let mut store =
        TaskStore { ledger: Box::new(home.log(task)), files: Box::new(home.files(task)) };
    store.ledger.lock(PATIENCE_MILLIS)?;
    let rebuilt = rebuild(&home, task, &mut store);
    store.ledger.unlock();
    let rebuilt = rebuilt?;
    if arguments.json {
        stage.json(&rebuilt)?;
    } else {
        print(&rebuilt, task, stage)?;
    }
    Ok(Outcome::Done)
}

fn rebuild(home: &Home, task: TaskRef, store: &mut TaskStore) -> Result<Rebuilt, Failure> {
    let verified = home.log(task).verify(&mut |_| ());
    if let Some(problem) = verified.problem {
        return Err(untouched(problem));
    }
    // The checkpoint is a witness too, so it is asked before it is dropped.
    store.fold(Depth::Newest).map_err(untouched)?;
    store.void_checkpoint()?;
    let mut folded = store.fold(Depth::Full)?;
    store.store_checkpoint(&mut folded)?;
    let mut rebuilt = Rebuilt {
        schema: SCHEMA,
        task_ref: task.to_string(),
        records: verified.records,
        head: folded.head().to_string(),
        checkpoint_at: folded.checkpoint_at.get(),
        pointers_whole: 0,
        pointers_made_anew: 0,
        pointers_elsewhere: 0,
    };
    pointers(home, task, &folded.state, &mut rebuilt)?;
    Ok(rebuilt)
}

fn untouched(problem: LedgerError) -> Failure {
    Failure::from(problem).line("nothing was rebuilt")
}

fn pointers(
    home: &Home,
    task: TaskRef,
    state: &TaskState,
    rebuilt: &mut Rebuilt,
) -> Result<(), Failure> {
    for session in &state.sessions {
        let count = match home.root().lookup(*session)? {
            Lookup::Task(found) if found == task => &mut rebuilt.pointers_whole,
            Lookup::Task(_) => &mut rebuilt.pointers_elsewhere,
            Lookup::Absent | Lookup::Damaged(_) => {
                home.root().rebind(*session, task)?;
                &mut rebuilt.pointers_made_anew
            }
        };
        *count += 1;
    }
    Ok(())
}

fn print(rebuilt: &Rebuilt, task: TaskRef, stage: &mut Stage) -> Result<(), Failure> {
    let out = &mut stage.out;
    let Rebuilt { records, head, pointers_whole, pointers_made_anew, pointers_elsewhere, .. } =
        rebuilt;
    writeln!(out, "The log of task {} is whole: {records} records, head {head}.", task.short())?;
    writeln!(out, "  checkpoint        made anew at record {}", rebuilt.checkpoint_at)?;
    writeln!(
        out,
        "  session pointers  {pointers_made_anew} made anew, {pointers_whole} were whole"
    )?;
    if *pointers_elsewhere > 0 {
        writeln!(out, "                    {pointers_elsewhere} point to another task, and stay")?;
    }
    writeln!(out, "Nothing of the log was changed.")?;
    Ok(())
}
