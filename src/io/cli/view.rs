//! `continuity view`.

use super::failure::{Failure, Outcome};
use super::stage::{Stage, talk};
use super::{view_text, which};
use crate::actors::store::{Depth, Folded};
use crate::io::wire::Home;
use crate::readmodels::continuity::{ContinuityView, ViewInput, build};
use crate::readmodels::texts::Texts;

const EXAMPLES: &str = "\
Examples:
  continuity view                  the task of this folder
  continuity view --task k3v7qd    another one; `continuity task list` shows them
  continuity view --json           the same for programs";

/// See [`EXAMPLES`].
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The task, by its reference or at least 4 of its first characters
    #[arg(long, value_name = "REF")]
    task: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Shows the view.
pub(super) fn run(arguments: &Arguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    let home = stage.home()?;
    let task = which::choose(&home, arguments.task.as_deref())?;
    let (folded, texts) = home.read(task, Depth::Full)?;
    let view = view_of(&home, &folded, &texts);
    if arguments.json {
        stage.json(&view)?;
    } else {
        view_text::print(&view, &folded, home.path(), &mut stage.out)?;
        if let Some(successor) = folded.state.successor {
            let (task, successor) = (task.short(), successor.short());
            talk(&format!("note: task {task} goes on as task {successor}; this is how it ended"));
        }
    }
    Ok(Outcome::Done)
}

/// Builds the view of a state.
pub(super) fn view_of(home: &Home, folded: &Folded, texts: &Texts) -> ContinuityView {
    build(&ViewInput {
        state: &folded.state,
        texts,
        head: folded.head(),
        basis: folded.basis,
        log_bytes: folded.log_bytes,
        is_durable: home.is_durable(),
        limits: home.settings().limits,
    })
}
