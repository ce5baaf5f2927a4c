//! `continuity task link`: the conversation that has just begun goes on with an earlier task.
//!
//! The code that a new session is offered is for the one open task of its folder, within a week.
//! Where there are several, or an older one, a person says which. What is linked is a task, since
//! only a host knows a session that has said nothing yet: the latest task of this folder, if no more
//! than a first prompt is recorded in it. Its words go along; its log is closed and says where to.

use std::io::Write as _;

use super::door::require_person;
use super::failure::{Failure, Outcome};
use super::stage::Stage;
use super::task_switch::require_confirmed;
use super::which;
use crate::actors::store::Depth;

const EXAMPLES: &str = "\
An act of a person: it works on a terminal only, and not from within an agent. Begin a conversation
in this folder with one message, then say here which earlier task it goes on with; your next message
there brings what is in force. Say which task twice, the second time with its whole reference.

Examples:
  continuity task list
  continuity task link k3v7qd    says what would be done, and the whole reference
  continuity task link k3v7qd --confirm k3v7qdabcdefghijklmnopqrst";

/// See [`EXAMPLES`].
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The earlier task, by its reference or at least 4 of its first characters
    #[arg(value_name = "REF")]
    task: String,
    /// The earlier task's whole reference, to confirm
    #[arg(long, value_name = "FULL_REF")]
    confirm: Option<String>,
}

/// Links the conversation that has just begun in this folder to an earlier task.
pub(super) fn run(arguments: &Arguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    require_person()?;
    let home = stage.home()?;
    let task = home.newest(which::choose(&home, Some(&arguments.task))?)?;
    let begun = which::latest_of_folder(&home)?;
    let (earlier, _) = home.read(task, Depth::Newest)?;
    let (later, _) = home.read(begun, Depth::Newest)?;
    let (short, begun_short) = (task.short(), begun.short());
    let because = if begun == task {
        Some(format!("task {short} is the latest of this folder itself"))
    } else if earlier.state.is_off || earlier.state.effect.is_some() {
        Some(format!("task {short} takes nothing: recording is off, or it is about to end"))
    } else if !later.state.is_only_begun() {
        Some(format!(
            "task {begun_short}, the latest of this folder, has more than a first message"
        ))
    } else {
        None
    };
    if let Some(because) = because {
        return Err(Failure::refused(format!("{because}; nothing was done"))
            .hint("begin a new conversation in this folder with one message, then link it"));
    }
    let words = format!("this lets task {begun_short} of this folder go on as task {short}");
    require_confirmed(task, arguments.confirm.as_deref(), &words)?;
    home.link(begun, task)?;
    writeln!(
        stage.out,
        "The conversation of task {begun_short} goes on with task {short} from your next message."
    )?;
    Ok(Outcome::Done)
}
