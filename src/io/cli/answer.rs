//! `continuity confirm`, `continuity reject` and `continuity undo`: a person's answer on a terminal.
//!
//! The text that binds is shown before anything is asked, and the answer names its digest. From
//! anywhere else nothing is answered: the user types the same line as a prompt.

use std::io::{self, BufRead as _, Read as _, Write as _};

use super::door::{Door, print_shown, submit};
use super::failure::{Failure, Kind, Outcome};
use super::stage::{Stage, stored_name};
use super::task_delete::delete_and_tell;
use super::which;
use crate::actors::store::Depth;
use crate::domain::confirmation::{Answer, Code, Verb};
use crate::domain::ids::{ProposalId, TaskRef};
use crate::domain::ports::Clock as _;
use crate::domain::rejection::Rejection;
use crate::domain::task::command::{Action, Facts};
use crate::domain::task::proposal::{ProposalDraft, Purpose};
use crate::domain::task::{TaskState, answer as decide_answer};
use crate::io::clock::SystemClock;
use crate::readmodels::confirmation::{Answered, answer_text};
use crate::readmodels::texts::Texts;

/// Longest typed answer that is read, in bytes.
const TYPED_BYTES_MAX: u64 = 256;
const YES: &str = "yes";

const EXAMPLES: &str = "\
An act of a person: it works on a terminal only, and not from within an agent. The whole text is
shown, then you are asked. In a host, type the same line as your whole message: confirm 7QK4

Examples:
  continuity confirm 7QK4
  continuity confirm 7QK4 k3v7qd    a deletion wants the task's short name too";

/// See [`EXAMPLES`].
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ConfirmArguments {
    /// The code, as it was shown
    #[arg(value_name = "CODE")]
    code: String,
    /// The task's short name, for a deletion
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// The task, by its reference or at least 4 of its first characters
    #[arg(long, value_name = "REF")]
    task: Option<String>,
}

const OTHER_EXAMPLES: &str = "\
An act of a person: it works on a terminal only, and not from within an agent. In a host, type the
same line as your whole message.";

/// See [`OTHER_EXAMPLES`].
#[derive(Debug, clap::Args)]
#[command(after_help = OTHER_EXAMPLES)]
pub(super) struct Arguments {
    /// The code, as it was shown
    #[arg(value_name = "CODE")]
    code: String,
    /// The task, by its reference or at least 4 of its first characters
    #[arg(long, value_name = "REF")]
    task: Option<String>,
}

/// An answer that the task takes as it stands.
struct Standing {
    task: TaskRef,
    /// What the answer names.
    proposal: ProposalId,
    state: TaskState,
    texts: Texts,
}

impl Standing {
    /// Finds what a person answers, by the very rules by which a prompt answers.
    fn find(
        stage: &Stage,
        verb: Verb,
        code: &str,
        name: Option<&str>,
        task: Option<&str>,
    ) -> Result<Self, Failure> {
        let shown = stored_name(code);
        let code = Code::parse(code).ok_or_else(|| {
            Failure::new(Kind::Usage, format!("{shown} is no code"))
                .hint("a code has four letters and digits, like 7QK4")
        })?;
        if let Door::Elsewhere(refusal) = Door::look() {
            return Err(Failure::of(Kind::Refused, &refusal).hint(format!(
                "type `{} {code}` as your whole message to the agent, or run it in a terminal of \
                 your own",
                verb.word()
            )));
        }
        let home = stage.home()?;
        let task = which::choose_here(&home, task)?;
        let (folded, texts) = home.read(task, Depth::Newest)?;
        let state = folded.state;
        let answer = Answer { verb, code, name: name.map(str::to_ascii_lowercase) };
        let facts = Facts {
            now: SystemClock.now().at_least(state.recorded_at),
            task,
            log_bytes: folded.log_bytes,
            limits: stage.settings.limits,
        };
        let (proposal, _) = decide_answer(&state, &answer, &facts)?;
        Ok(Self { task, proposal, state, texts })
    }
}

/// Confirms a proposal, once its text was shown and the person said yes to it.
pub(super) fn confirm(arguments: &ConfirmArguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    let (name, task) = (arguments.name.as_deref(), arguments.task.as_deref());
    let standing = Standing::find(stage, Verb::Confirm, &arguments.code, name, task)?;
    let (task, id) = (standing.task, standing.proposal);
    let proposal = standing.state.proposals.get(&id);
    let Some(ProposalDraft { body, digest, purpose, .. }) = proposal.map(|open| &open.draft) else {
        return Err(Failure::from(Rejection::UnknownProposal { proposal: id }));
    };
    let Some(text) = standing.texts.proposal(body) else {
        return Err(Failure::refused(format!("the text of {id} is missing, so nothing binds"))
            .hint("have it proposed again"));
    };
    print_shown(stage, text.shown.as_str())?;
    stage.finish()?;
    if typed_answer("\nType yes to confirm: ")? != YES {
        return Err(Failure::refused("not confirmed; nothing has changed"));
    }
    if *purpose == Purpose::Delete {
        return delete_and_tell(stage, task, false);
    }
    submit(stage, task, Action::Confirm { proposal: id, digest: *digest }, Vec::new())?;
    let (folded, texts) = stage.home()?.read(task, Depth::Newest)?;
    let found = folded.state.confirmed.iter().find(|confirmed| confirmed.proposal == id);
    let Some(confirmed) = found else {
        return Err(Failure::new(Kind::Internal, "the confirmation is not in the log"));
    };
    tell(stage, &Answered::Confirmed(confirmed), task, &folded.state, &texts)
}

/// Asks on the terminal; an end of input is an empty answer.
fn typed_answer(question: &str) -> Result<String, Failure> {
    io::stderr().write_all(question.as_bytes())?;
    let mut line = String::new();
    io::stdin().lock().take(TYPED_BYTES_MAX).read_line(&mut line)?;
    Ok(line.trim().to_lowercase())
}

/// Refuses a proposal.
pub(super) fn reject(arguments: &Arguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    let task = arguments.task.as_deref();
    let standing = Standing::find(stage, Verb::Reject, &arguments.code, None, task)?;
    let proposal = standing.proposal;
    submit(stage, standing.task, Action::Reject { proposal }, Vec::new())?;
    let answered = Answered::Rejected(proposal);
    tell(stage, &answered, standing.task, &standing.state, &standing.texts)
}

/// Takes a confirmation back.
pub(super) fn undo(arguments: &Arguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    let task = arguments.task.as_deref();
    let standing = Standing::find(stage, Verb::Undo, &arguments.code, None, task)?;
    let (task, proposal) = (standing.task, standing.proposal);
    let mut confirmed = standing.state.confirmed.iter();
    let Some(confirmed) = confirmed.find(|found| found.proposal == proposal) else {
        return Err(Failure::from(Rejection::UnknownProposal { proposal }));
    };
    submit(stage, task, Action::Undo { proposal }, Vec::new())?;
    let (folded, texts) = stage.home()?.read(task, Depth::Newest)?;
    tell(stage, &Answered::Undone { confirmed }, task, &folded.state, &texts)
}

fn tell(
    stage: &mut Stage,
    answered: &Answered<'_>,
    task: TaskRef,
    state: &TaskState,
    texts: &Texts,
) -> Result<Outcome, Failure> {
    print_shown(stage, &answer_text(answered, task, state, texts))?;
    Ok(Outcome::Done)
}
