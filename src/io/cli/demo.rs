//! `continuity demo`: one task through two compactions, by the very code that a host's hooks run.

use std::io::Write as _;

use serde_json::Value;

use super::demo_place::Place;
use super::demo_script::SCENES;
use super::failure::{Failure, Kind, Outcome};
use super::reading::read_events;
use super::sentence::event_words;
use super::stage::{Stage, path_words};
use super::verify::verify_task;
use crate::domain::event::Event;
use crate::domain::ids::TaskRef;
use crate::io::config::Settings;
use crate::io::hook::{HookArguments, answer};
use crate::io::wire::{ArmedNote, Home};

/// Columns of the demo's text.
const COLUMNS: usize = 100;
/// Where the text for the agent is in an answer to Codex.
const CONTEXT: &str = "/hookSpecificOutput/additionalContext";

/// Why a class is `equivalent`, in the words of the demo.
const NOTHING_DIFFERS: &str =
    "the state is that of the snapshot, the work stands where it stood, the log is whole";

const EXAMPLES: &str = "\
Plays events as a real Codex sent them through the code that its hooks run, in a folder of its own
that is removed at the end. Nothing of yours is read or changed, and no host is started.";

/// See [`EXAMPLES`].
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Leave the folder, to look at it with the other commands
    #[arg(long)]
    keep: bool,
}

/// Plays the demo.
pub(super) fn run(arguments: &Arguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    let place = Place::make(stage)?;
    let played = play(&place, stage);
    if arguments.keep {
        let folder = path_words(&place.path().join("records"));
        writeln!(stage.out, "\nKept. Look at it with `continuity view --data-root {folder}`.")?;
    } else {
        place.remove()?;
        writeln!(stage.out, "\nThe folder of this demo is removed.")?;
    }
    played?;
    writeln!(stage.out, "Next: `continuity install codex` shows what would be put into Codex.")?;
    Ok(Outcome::Done)
}

fn play(place: &Place, stage: &mut Stage) -> Result<(), Failure> {
    writeln!(stage.out, "One task, two compactions. Recorded in {}", path_words(place.path()))?;
    let home = Home::open(Settings::from_environment(Some(place.records())), None)?;
    let mut shown_count = 0;
    for (number, scene) in (1..).zip(SCENES) {
        writeln!(stage.out, "\n{number}. {}", scene.title)?;
        if let Some(prompt) = scene.prompt {
            writeln!(stage.out, "   you:      {prompt}")?;
        }
        if let Some(commit) = scene.commit {
            place.commit(commit)?;
        }
        let mut replies = Vec::new();
        for payload in scene.payloads(place, number)? {
            let arguments = HookArguments {
                host: "codex".to_owned(),
                data_root: Some(place.records()),
                events_max: None,
            };
            let mut reply = Vec::new();
            answer(arguments, payload.as_slice(), &mut reply, &ArmedNote::default());
            replies.push(reply);
        }
        let task = only_task(&home)?;
        tell_recorded(&home, task, &mut shown_count, stage)?;
        tell_reply(&replies, stage)?;
    }
    let report = verify_task(&home, only_task(&home)?);
    let verdict = if report.is_whole { "whole" } else { "DAMAGED" };
    writeln!(stage.out, "\nverify: every record, link and text was read again: {verdict}")?;
    if report.is_whole {
        return Ok(());
    }
    Err(Failure::new(Kind::Damaged, "what the demo recorded is damaged"))
}

fn only_task(home: &Home) -> Result<TaskRef, Failure> {
    let task = home.root().tasks()?.first().copied();
    task.ok_or_else(|| Failure::new(Kind::Internal, "nothing could be recorded"))
}

fn tell_recorded(
    home: &Home,
    task: TaskRef,
    shown_count: &mut usize,
    stage: &mut Stage,
) -> Result<(), Failure> {
    let mut events = Vec::new();
    read_events(home, task, |entry| events.push(entry.event))?;
    let new = events.get(*shown_count..).unwrap_or_default();
    let is_bookkeeping = |event: &Event| {
        matches!(
            event,
            Event::KeyCreated { .. }
                | Event::SessionJoined { .. }
                | Event::ModelSeen { .. }
                | Event::BoundaryCrossed { .. }
                | Event::RecoveryAssessed { .. }
        )
    };
    let words: Vec<_> = new.iter().filter(|it| !is_bookkeeping(it)).map(event_words).collect();
    wrapped(&words.join("; "), "   recorded: ", "             ", stage)?;
    for event in new {
        if let Event::RecoveryAssessed { class, findings, .. } = event {
            let found: Vec<_> = findings.iter().map(|finding| finding.sentence()).collect();
            let why = if found.is_empty() { NOTHING_DIFFERS.to_owned() } else { found.join("; ") };
            let class = class.name();
            wrapped(&format!("{class}: {why}"), "   compared: ", "             ", stage)?;
        }
    }
    *shown_count = events.len();
    Ok(())
}

fn tell_reply(replies: &[Vec<u8>], stage: &mut Stage) -> Result<(), Failure> {
    let Some(text) = replies.iter().find_map(|reply| text_at(reply, CONTEXT)) else {
        let printed = replies.iter().map(Vec::len).sum::<usize>();
        writeln!(stage.out, "   printed:  {printed} bytes; the agent is told nothing")?;
        return Ok(());
    };
    writeln!(stage.out, "   the agent gets, word for word (long lines are broken here):")?;
    for line in text.lines() {
        wrapped(line, "   | ", "   |   ", stage)?;
    }
    match replies.iter().find_map(|reply| text_at(reply, "/systemMessage")) {
        Some(notice) => wrapped(&notice, "   you are told: ", "     ", stage),
        None => Ok(writeln!(stage.out, "   you are told nothing: nothing has to be asked")?),
    }
}

/// Returns a text in a host's answer.
fn text_at(reply: &[u8], pointer: &str) -> Option<String> {
    let reply: Value = serde_json::from_slice(reply).ok()?;
    Some(reply.pointer(pointer)?.as_str()?.to_owned())
}

fn wrapped(text: &str, first: &str, later: &str, stage: &mut Stage) -> Result<(), Failure> {
    let mut line = first.to_owned();
    let mut is_fresh = true;
    for word in text.split(' ') {
        if !is_fresh && line.chars().count() + 1 + word.chars().count() > COLUMNS {
            writeln!(stage.out, "{line}")?;
            later.clone_into(&mut line);
            is_fresh = true;
        }
        if !is_fresh {
            line.push(' ');
        }
        line.push_str(word);
        is_fresh = false;
    }
    writeln!(stage.out, "{line}")?;
    Ok(())
}
