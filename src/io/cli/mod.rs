//! The command line: what people type, one file for each command.
//!
//! stdout is data, stderr is talk. Reading commands write nothing. Stored text is shown escaped and
//! in quotation marks; no colour is used at all. Exit codes: `docs/reference/exit-codes.md`.

mod answer;
mod byte_scan;
mod demo;
mod demo_place;
mod demo_script;
mod door;
mod erasure;
mod explain;
mod failure;
mod forms;
mod guard;
mod install;
mod leftovers;
mod lineage;
mod log;
mod reading;
mod record;
mod recover;
mod sentence;
mod stage;
mod task_delete;
mod task_link;
mod task_list;
mod task_rebuild;
mod task_rollover;
mod task_switch;
mod verify;
mod verify_files;
mod view;
mod view_text;
mod which;
mod words;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use self::failure::{Failure, Outcome};
use self::stage::Stage;
use self::task_switch::Switch;

const EXAMPLES: &str = "\
Start here:
  continuity demo              see one task through two compactions, in a folder of its own
  continuity install codex     show what would be put into Codex's hook file; --yes puts it in
  continuity view              what is in force for the task of this folder, and where from

Every reading command takes --json and writes nothing.";

/// Keeps a coding agent's task true across compaction, resume and handoff.
#[derive(Debug, Parser)]
#[command(name = "continuity", version, after_help = EXAMPLES)]
struct Arguments {
    /// Folder of all records, instead of the usual one
    #[arg(long, global = true, value_name = "PATH")]
    data_root: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show what is in force for a task, where it comes from and what is uncertain
    View(view::Arguments),
    /// Show what an execution guard reads: typed fields, no prose
    Guard(guard::Arguments),
    /// Show what happened, in order
    Log(log::Arguments),
    /// Show one entry: its words, its source, its history
    Explain(explain::Arguments),
    /// Put words in force that are to hold from now on
    Record(record::RecordArguments),
    /// Replace items by new words
    Correct(record::CorrectArguments),
    /// Say yes to what waits for your yes
    Confirm(answer::ConfirmArguments),
    /// Say no to what waits for your yes
    Reject(answer::Arguments),
    /// Take back what you confirmed
    Undo(answer::Arguments),
    /// Check that everything recorded is whole
    Verify(verify::Arguments),
    /// Say what can be done about a damaged task, and do what loses nothing
    Recover(recover::Arguments),
    /// List tasks, switch recording off or on, reset, rebuild, go on in a new log, delete
    #[command(subcommand)]
    Task(TaskCommand),
    /// Put the hooks into a host's own hook file
    Install(install::InstallArguments),
    /// Take the hooks out again; records stay
    Uninstall(install::UninstallArguments),
    /// See one task through two compactions
    Demo(demo::Arguments),
}

#[derive(Debug, Subcommand)]
enum TaskCommand {
    /// List all tasks, the latest first
    List(task_list::Arguments),
    /// Stop recording in a task; what is recorded stays
    #[command(after_help = task_switch::OFF_EXAMPLES)]
    Off(task_switch::Arguments),
    /// Record in a task again
    #[command(after_help = task_switch::ON_EXAMPLES)]
    On(task_switch::Arguments),
    /// Go on in a new log, with everything in force
    #[command(after_help = task_rollover::EXAMPLES)]
    Rollover(task_switch::Arguments),
    /// Let the conversation that has just begun here go on with an earlier task
    Link(task_link::Arguments),
    /// Empty a task: nothing is in force then, and its log stays
    #[command(after_help = task_switch::RESET_EXAMPLES)]
    Reset(task_switch::Arguments),
    /// Make anew what follows from the log, which stays as it is
    Rebuild(task_rebuild::Arguments),
    /// Delete all that is recorded of a task, for good
    #[command(after_help = task_delete::EXAMPLES)]
    Delete(task_switch::Arguments),
}

impl Command {
    fn run(self, stage: &mut Stage) -> Result<Outcome, Failure> {
        match self {
            Self::View(arguments) => view::run(&arguments, stage),
            Self::Verify(arguments) => verify::run(&arguments, stage),
            Self::Install(arguments) => install::install(&arguments, stage),
            Self::Uninstall(arguments) => install::uninstall(&arguments, stage),
            Self::Demo(arguments) => demo::run(&arguments, stage),
            Self::Guard(arguments) => guard::run(&arguments, stage),
            Self::Log(arguments) => log::run(&arguments, stage),
            Self::Explain(arguments) => explain::run(&arguments, stage),
            Self::Recover(arguments) => recover::run(&arguments, stage),
            Self::Task(TaskCommand::List(arguments)) => task_list::run(&arguments, stage),
            Self::Record(arguments) => record::record(&arguments, stage),
            Self::Correct(arguments) => record::correct(&arguments, stage),
            Self::Confirm(arguments) => answer::confirm(&arguments, stage),
            Self::Reject(arguments) => answer::reject(&arguments, stage),
            Self::Undo(arguments) => answer::undo(&arguments, stage),
            Self::Task(TaskCommand::Off(given)) => task_switch::run(&given, Switch::Off, stage),
            Self::Task(TaskCommand::On(given)) => task_switch::run(&given, Switch::On, stage),
            Self::Task(TaskCommand::Reset(given)) => task_switch::run(&given, Switch::Reset, stage),
            Self::Task(TaskCommand::Rebuild(arguments)) => task_rebuild::run(&arguments, stage),
            Self::Task(TaskCommand::Rollover(arguments)) => task_rollover::run(&arguments, stage),
            Self::Task(TaskCommand::Link(arguments)) => task_link::run(&arguments, stage),
            Self::Task(TaskCommand::Delete(arguments)) => task_delete::run(&arguments, stage),
        }
    }
}

/// Runs the command that `words` name, the program's own name first.
#[must_use]
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(words) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help that nobody reads any more is no failure.
            drop(error.print());
            return ExitCode::from(if error.use_stderr() { failure::USAGE } else { 0 });
        }
    };
    let mut stage = Stage::new(arguments.data_root);
    let outcome = arguments.command.run(&mut stage).and_then(|outcome| {
        stage.finish()?;
        Ok(outcome)
    });
    match outcome {
        Ok(outcome) => ExitCode::from(outcome.code()),
        Err(failure) => {
            drop(stage.finish());
            failure.tell();
            ExitCode::from(failure.code())
        }
    }
}
