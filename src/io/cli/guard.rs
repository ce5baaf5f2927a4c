//! `continuity guard`: what an execution guard reads.

use std::io::Write as _;

use super::failure::{Failure, Outcome};
use super::stage::{Stage, stored_name};
use super::view_text::{basis_words, stance_words};
use super::which;
use crate::actors::store::{Depth, Folded};
use crate::domain::ids::TaskRef;
use crate::readmodels::execution_guard::{ExecutionGuardView, Freshness, build};
use crate::readmodels::texts::Texts;

const EXAMPLES: &str = "\
Typed fields and ids for a program that guards acts; no prose, no verdict. A damaged log is said in
the answer (freshness) and by exit code 4. `continuity explain ID` opens an id.

Examples:
  continuity guard --json";

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

/// Shows the view; one of a log that cannot be read says so, and is told as a failure too.
pub(super) fn run(arguments: &Arguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    let home = stage.home()?;
    let task = which::choose(&home, arguments.task.as_deref())?;
    let (folded, texts, freshness, failure) = match home.read(task, Depth::Full) {
        Ok((folded, texts)) => {
            let freshness = folded.freshness();
            (folded, texts, freshness, None)
        }
        Err(error) => {
            let freshness = error.freshness();
            (Folded::empty(), Texts::default(), freshness, Some(error.into()))
        }
    };
    let mut view = build(&folded.state, &texts, folded.head(), folded.basis, freshness);
    view.task_ref = task.to_string();
    if arguments.json {
        stage.json(&view)?;
    } else {
        print(&view, task, stage)?;
    }
    failure.map_or(Ok(Outcome::Done), Err)
}

fn print(view: &ExecutionGuardView, task: TaskRef, stage: &mut Stage) -> Result<(), Failure> {
    let out = &mut stage.out;
    let freshness = match view.freshness {
        Freshness::Current => "current",
        Freshness::Behind => "behind",
        Freshness::Damaged => "damaged",
        Freshness::Unknown => "unknown",
    };
    writeln!(out, "task {}   freshness {freshness}   head {}", task.short(), view.head)?;
    let target = |target: &Option<String>| match target {
        Some(target) => format!(" on {}", stored_name(target)),
        None => String::new(),
    };
    for held in &view.open_commitments {
        let act = held.act.map(|act| format!(" about {}", act.name())).unwrap_or_default();
        let (id, kind) = (&held.id, held.kind.name());
        writeln!(out, "  commitment {id}: {kind}{act}{}", target(&held.target))?;
    }
    for gate in &view.unmet_gates {
        let act = gate.act.map_or("an act", |act| act.name());
        writeln!(out, "  gate {}: {act}{} waits", gate.id, target(&gate.target))?;
    }
    for allowed in &view.authorizations {
        let act = allowed.act.map_or("an act", |act| act.name());
        let (id, target) = (&allowed.id, target(&allowed.target));
        writeln!(out, "  authorization {id}: {act}{target}, as recorded words")?;
    }
    for conflict in &view.conflicts {
        let with = conflict.with.join(", ");
        writeln!(
            out,
            "  conflict: next action {} ({}) and {with}",
            conflict.id,
            conflict.act.name()
        )?;
    }
    for said in &view.quoted_acts {
        let (id, act, stance) = (&said.id, said.act.name(), stance_words(said.stance));
        let target = target(&said.target);
        writeln!(out, "  your words {id}: {act}{target} {stance}, reading not confirmed")?;
    }
    for (what, ids) in [("stale", &view.stale_ids), ("disputed", &view.disputed_ids)] {
        if !ids.is_empty() {
            writeln!(out, "  {what}: {}", ids.join(", "))?;
        }
    }
    if let Some(class) = view.recovery_class {
        writeln!(out, "  newest boundary: {}", class.name())?;
    }
    writeln!(out, "  {}", basis_words(view.basis))?;
    Ok(())
}
