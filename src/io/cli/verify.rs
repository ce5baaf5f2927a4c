//! `continuity verify`: reads everything, changes nothing, and names what is wrong.

use std::io::{IsTerminal as _, Write as _};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::failure::{Failure, Outcome};
use super::stage::{Stage, stored_name};
use super::{verify_files, which};
use crate::domain::ids::TaskRef;
use crate::domain::ports::{Damage, LedgerError};
use crate::io::ledger::{AnchorState, VerifyReport};
use crate::io::wire::Home;

/// Name and version of the JSON form.
const SCHEMA: &str = "continuity.verify.v1";
/// Bytes of log from which a person is shown that something goes on.
const PROGRESS_BYTES_MIN: u64 = 2 * 1024 * 1024;

const EXAMPLES: &str = "\
Reads every record, checks every checksum and link, and compares texts, snapshots, checkpoint, keys
and session pointers with what the log says of them. Exit code 0: whole; 4: something is damaged.

Examples:
  continuity verify          the task of this folder
  continuity verify --all    every task";

/// See [`EXAMPLES`].
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The task, by its reference or at least 4 of its first characters
    #[arg(long, value_name = "REF")]
    task: Option<String>,
    /// Verify every task
    #[arg(long, conflicts_with = "task")]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Answer {
    schema: &'static str,
    is_whole: bool,
    tasks: Vec<TaskReport>,
}

/// What was found about one task.
#[derive(Debug, Serialize)]
pub(super) struct TaskReport {
    task_ref: String,
    /// Whether nothing is damaged.
    pub is_whole: bool,
    records: u64,
    segments: u32,
    log_bytes: u64,
    head: String,
    torn_bytes: u64,
    witness: String,
    /// What was compared beside the log.
    pub checks: Vec<Check>,
    /// What is damaged.
    pub problems: Vec<Problem>,
    /// What mends itself, or is no damage.
    pub notes: Vec<String>,
}

/// A kind of file that was compared with the log.
#[derive(Debug, Serialize)]
pub(super) struct Check {
    /// Which kind, in the plural.
    pub what: &'static str,
    /// How many the log names.
    pub named: usize,
    /// How many of them are whole.
    pub whole: usize,
}

/// Something that is damaged.
#[derive(Debug, Serialize)]
pub(super) struct Problem {
    /// The file, relative to the data root.
    pub file: Option<String>,
    /// First byte that cannot be believed, where one can be named.
    pub offset_bytes: Option<u64>,
    /// What is wrong.
    pub what: String,
}

/// Verifies the task that is meant, or all.
pub(super) fn run(arguments: &Arguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    let home = stage.home()?;
    let tasks = if arguments.all {
        home.root().tasks()?
    } else {
        vec![which::choose(&home, arguments.task.as_deref())?]
    };
    let tasks: Vec<_> = tasks.into_iter().map(|task| verify_task(&home, task)).collect();
    let is_whole = tasks.iter().all(|task| task.is_whole);
    let answer = Answer { schema: SCHEMA, is_whole, tasks };
    if arguments.json {
        stage.json(&answer)?;
    } else {
        print(&answer, stage)?;
    }
    Ok(if is_whole { Outcome::Done } else { Outcome::Damaged })
}

/// Reads and checks everything of one task.
pub(super) fn verify_task(home: &Home, task: TaskRef) -> TaskReport {
    let report = verify_log(home, task);
    let mut answer = TaskReport {
        task_ref: task.to_string(),
        is_whole: false,
        records: report.records,
        segments: report.segments,
        log_bytes: report.log_bytes,
        head: report.head.to_string(),
        torn_bytes: report.torn_bytes,
        witness: witness_words(report.anchor),
        checks: Vec::new(),
        problems: report.problem.iter().map(problem).collect(),
        notes: Vec::new(),
    };
    if report.torn_bytes > 0 {
        let torn = report.torn_bytes;
        answer.notes.push(format!(
            "{torn} bytes behind the last record are left from a write that was cut off; the next \
             writer sets them aside"
        ));
    }
    verify_files::check(home, task, &mut answer);
    answer.is_whole = answer.problems.is_empty();
    answer
}

/// Shows progress on a terminal where the log is long.
fn verify_log(home: &Home, task: TaskRef) -> VerifyReport {
    let mut log = home.log(task);
    if !std::io::stderr().is_terminal() {
        return log.verify(&mut |_| ());
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    if let Ok(style) = ProgressStyle::with_template("verifying {bytes} of {total_bytes}") {
        bar.set_style(style);
    }
    let report = log.verify(&mut |progress| {
        if progress.log_bytes >= PROGRESS_BYTES_MIN {
            if progress.records == 1 {
                bar.set_length(progress.log_bytes);
                bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            bar.set_position(progress.record_bytes);
        }
    });
    bar.finish_and_clear();
    report
}

/// Puts an error of the log into a problem.
pub(super) fn problem(error: &LedgerError) -> Problem {
    match error {
        LedgerError::Damaged { file, offset_bytes, what } => Problem {
            file: Some(file.clone()),
            offset_bytes: Some(*offset_bytes),
            what: damage_words(*what).to_owned(),
        },
        LedgerError::Missing { file } => {
            Problem { file: Some(file.clone()), offset_bytes: None, what: "is missing".to_owned() }
        }
        LedgerError::Unsafe { file, why } => Problem {
            file: Some(file.clone()),
            offset_bytes: None,
            what: format!("is not ours alone: {why}"),
        },
        LedgerError::Io { action, file, source } => Problem {
            file: Some(file.clone()),
            offset_bytes: None,
            what: format!("cannot {action} it: {source}"),
        },
        other => Problem { file: None, offset_bytes: None, what: other.to_string() },
    }
}

/// Says how damage shows.
pub(super) const fn damage_words(damage: Damage) -> &'static str {
    match damage {
        Damage::Magic => "does not begin like a file of ours",
        Damage::Length => "a length is out of bounds",
        Damage::Checksum => "a checksum does not match",
        Damage::Position => "a record stands where it does not belong",
        Damage::Link => "the link to the record before does not match",
        Damage::MissingFile => "is missing or empty",
        Damage::Payload => "a record holds nothing that this program wrote",
    }
}

fn witness_words(anchor: AnchorState) -> String {
    match anchor {
        AnchorState::Missing => "none; the next writer makes one".to_owned(),
        AnchorState::Unreadable => "unreadable; the next writer makes it anew".to_owned(),
        AnchorState::Witnesses(head) => format!("remembers record {head}"),
    }
}

fn print(answer: &Answer, stage: &mut Stage) -> Result<(), Failure> {
    for task in &answer.tasks {
        let short = task.task_ref.get(..6).unwrap_or(&task.task_ref);
        let verdict = if task.is_whole { "whole" } else { "DAMAGED" };
        writeln!(stage.out, "task {short}   {verdict}")?;
        writeln!(
            stage.out,
            "  log        {} records, {} segments, {} bytes; every checksum and link read",
            task.records, task.segments, task.log_bytes
        )?;
        writeln!(stage.out, "  head       {}", task.head)?;
        writeln!(stage.out, "  witness    {}", task.witness)?;
        for check in &task.checks {
            let Check { what, named, whole } = check;
            writeln!(stage.out, "  {what:<10} {whole} of {named} whole")?;
        }
        for note in &task.notes {
            writeln!(stage.out, "  note: {}", stored_name(note))?;
        }
        for problem in &task.problems {
            let place = match (&problem.file, problem.offset_bytes) {
                (Some(file), Some(offset)) => format!("{file} at byte {offset}"),
                (Some(file), None) => file.clone(),
                _ => "the log".to_owned(),
            };
            writeln!(stage.out, "  problem: {}: {}", stored_name(&place), problem.what)?;
        }
    }
    if answer.tasks.is_empty() {
        writeln!(stage.out, "no task is recorded")?;
    }
    if !answer.is_whole {
        writeln!(stage.out, "\n`continuity recover` says what can be done; nothing was changed")?;
    }
    Ok(())
}
