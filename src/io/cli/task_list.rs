//! `continuity task list`.

use std::cmp::Reverse;
use std::io::Write as _;

use serde::Serialize;

use super::failure::{Failure, Outcome};
use super::stage::{Stage, path_words, stored_name};
use super::which::Candidate;
use crate::domain::chain::Basis;
use crate::domain::ids::TaskRef;

/// Name and version of the JSON form.
const SCHEMA: &str = "continuity.tasks.v1";

const EXAMPLES: &str = "\
No folder of any task is looked at: what is listed is what was recorded.";

/// See [`EXAMPLES`].
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Listing {
    schema: &'static str,
    data_root: String,
    is_durable: bool,
    tasks: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    task_ref: String,
    folder: Option<String>,
    /// The task that it took over from.
    predecessor: Option<String>,
    last_activity: Option<String>,
    is_recording: Option<bool>,
    /// The task that goes on with it, after which nothing is recorded here.
    successor: Option<String>,
    entries_in_force: Option<usize>,
    log_bytes: Option<u64>,
    /// How much of the log was verified; `None` if it could not be read to its end.
    basis: Option<Basis>,
    problem: Option<String>,
}

/// Lists the tasks.
pub(super) fn run(arguments: &Arguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    let home = stage.home()?;
    let tasks = home.root().tasks()?;
    let mut candidates: Vec<_> =
        tasks.into_iter().map(|task| Candidate::read(&home, task)).collect();
    // A log that goes on in another one stands behind all that are written to.
    candidates.sort_by_key(|it| {
        let is_left = it.successor().is_some();
        (is_left, Reverse((it.last_activity_millis(), Reverse(it.task))))
    });
    let listing = Listing {
        schema: SCHEMA,
        data_root: home.path().display().to_string(),
        is_durable: home.is_durable(),
        tasks: candidates.iter().map(row).collect(),
    };
    if arguments.json {
        stage.json(&listing)?;
        return Ok(Outcome::Done);
    }
    if listing.tasks.is_empty() {
        writeln!(stage.out, "no task is recorded in {}", path_words(home.path()))?;
    }
    for row in &listing.tasks {
        writeln!(stage.out, "{}", line(row))?;
    }
    Ok(Outcome::Done)
}

fn row(candidate: &Candidate) -> Row {
    let task_ref = candidate.task.to_string();
    match &candidate.reading {
        Ok((folded, _)) => Row {
            task_ref,
            folder: candidate.folder(),
            predecessor: folded.state.predecessor.map(|earlier| earlier.task.to_string()),
            last_activity: Some(folded.state.recorded_at.to_string()),
            is_recording: Some(!folded.state.is_off),
            successor: candidate.successor().map(|task| task.to_string()),
            entries_in_force: Some(folded.state.in_force().count() + folded.state.quotes.len()),
            log_bytes: Some(folded.log_bytes),
            basis: Some(folded.basis),
            problem: None,
        },
        Err(error) => Row {
            task_ref,
            folder: None,
            predecessor: None,
            last_activity: None,
            is_recording: None,
            successor: None,
            entries_in_force: None,
            log_bytes: None,
            basis: None,
            problem: Some(error.to_string()),
        },
    }
}

fn line(row: &Row) -> String {
    let short = row.task_ref.parse::<TaskRef>().map(|task| task.short()).unwrap_or_default();
    if let Some(problem) = &row.problem {
        return format!("{short}  cannot be read: {}", stored_name(problem));
    }
    let folder = match (&row.folder, row.predecessor.as_deref().and_then(|it| it.get(..6))) {
        (Some(folder), _) => stored_name(folder),
        (None, Some(earlier)) => format!("(took over from {earlier}; no prompt yet)"),
        (None, None) => "(folder not known)".to_owned(),
    };
    let successor = row.successor.as_ref().and_then(|task| task.parse::<TaskRef>().ok());
    let on = successor.map_or(String::new(), |task| format!("  goes on as {}", task.short()));
    let off = if row.is_recording == Some(false) { "  off" } else { "" };
    format!(
        "{short}  {}  {} in force  {} KiB{off}{on}  {folder}",
        row.last_activity.as_deref().unwrap_or_default(),
        row.entries_in_force.unwrap_or(0),
        row.log_bytes.unwrap_or(0).div_ceil(1024),
    )
}
