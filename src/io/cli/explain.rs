//! `continuity explain`: one entry, its source and its story.

use std::io::Write as _;

use serde::Serialize;

use super::door::print_shown;
use super::failure::{Failure, Kind, Outcome};
use super::reading::read_events;
use super::sentence::event_words;
use super::stage::{Stage, stored_name, stored_words};
use super::view_text::{basis_words, confirmed_words, signal_words};
use super::which;
use crate::domain::body::{Body, BodyRef};
use crate::domain::chain::Basis;
use crate::domain::event::Event;
use crate::domain::host_event::Host;
use crate::domain::ids::TaskRef;
use crate::domain::origin::{Channel, Origin};
use crate::domain::ports::TaskFiles as _;
use crate::domain::task::item::Corroboration;
use crate::io::wire::Home;
use crate::readmodels::history::{ConfirmationSeen, LogEntry, Subject, concerns};

/// Name and version of the JSON form.
const SCHEMA: &str = "continuity.explain.v1";
/// What a proposal is called.
const PROPOSAL: &str = "proposal";

const EXAMPLES: &str = "\
Examples:
  continuity explain q2    words of yours
  continuity explain i7    an item
  continuity explain p1    what was put before you, word for word";

/// See [`EXAMPLES`].
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The entry: an item such as i7, words of yours such as q2, or a proposal such as p1
    #[arg(value_name = "ID")]
    id: String,
    /// The task, by its reference or at least 4 of its first characters
    #[arg(long, value_name = "REF")]
    task: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Explanation {
    schema: &'static str,
    task_ref: String,
    id: String,
    is: &'static str,
    /// `present`, `missing_or_erased`, or `not_the_recorded_one`.
    text_state: &'static str,
    text: Option<String>,
    rationale: Option<String>,
    source_ref: Option<String>,
    target: Option<String>,
    recorded_in: u64,
    recorded_at: String,
    origin: Origin,
    /// The proposal whose confirmation made it.
    confirmed_by: Option<String>,
    /// What the host's transcript says of that confirmation, once it was asked.
    corroboration: Option<Corroboration>,
    /// How much of the log was verified; `None` if it could not be read to its end.
    basis: Option<Basis>,
    history: Vec<LogEntry>,
}

/// Explains an entry.
pub(super) fn run(arguments: &Arguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    let subject = subject_of(&arguments.id)?;
    let home = stage.home()?;
    let task = which::choose(&home, arguments.task.as_deref())?;
    let mut history = Vec::new();
    let mut confirmation = ConfirmationSeen::default();
    let read = read_events(&home, task, |entry| {
        if let Subject::Item(asked) = subject {
            history.extend(confirmation.take(&entry, asked));
        }
        if concerns(&entry.event, subject) {
            history.push(entry);
        }
    });
    let Some(mut explanation) = explain(&home, task, &arguments.id, subject, history) else {
        read?;
        let line = format!("task {} has no entry {}", task.short(), stored_name(&arguments.id));
        return Err(Failure::refused(line).hint("`continuity view` shows what is in force"));
    };
    explanation.confirmed_by = confirmation.proposal().map(|proposal| proposal.to_string());
    explanation.basis = read.as_ref().ok().map(|reading| reading.basis);
    if arguments.json {
        stage.json(&explanation)?;
    } else {
        print(&explanation, stage)?;
    }
    read?;
    Ok(Outcome::Done)
}

fn subject_of(id: &str) -> Result<Subject, Failure> {
    let item = id.parse().map(Subject::Item);
    let other = || id.parse().map(Subject::Quote).or_else(|_| id.parse().map(Subject::Proposal));
    item.or_else(|_| other()).map_err(|_| {
        let line = format!("{} is no item, quote or proposal", stored_name(id));
        Failure::new(Kind::Usage, line)
            .hint("items are named like i7, words of yours like q2, proposals like p1")
    })
}

fn explain(
    home: &Home,
    task: TaskRef,
    id: &str,
    subject: Subject,
    history: Vec<LogEntry>,
) -> Option<Explanation> {
    let (first, is, body) = history.iter().find_map(|entry| match (&entry.event, subject) {
        (Event::ItemRecorded { item, draft, .. }, Subject::Item(asked)) if *item == asked => {
            Some((entry, draft.kind.name(), draft.body))
        }
        (Event::QuoteRecorded { quote, draft }, Subject::Quote(asked)) if *quote == asked => {
            Some((entry, signal_words(draft.kind), draft.body))
        }
        (Event::ProposalOpened { proposal, draft }, Subject::Proposal(asked))
            if *proposal == asked =>
        {
            Some((entry, PROPOSAL, draft.body))
        }
        _ => None,
    })?;
    let (text_state, body) = open(home, task, &body);
    let mut explanation = Explanation {
        schema: SCHEMA,
        task_ref: task.to_string(),
        id: id.to_owned(),
        is,
        text_state,
        text: None,
        rationale: None,
        source_ref: None,
        target: None,
        recorded_in: first.sequence,
        recorded_at: first.recorded_at.clone(),
        origin: first.origin,
        confirmed_by: None,
        corroboration: history.iter().rev().find_map(|entry| match entry.event {
            Event::ItemsCorroborated { corroboration, .. } => Some(corroboration),
            _ => None,
        }),
        basis: None,
        history,
    };
    match body {
        Some(Body::Quote(text)) => {
            explanation.text = Some(text.words.as_str().to_owned());
            explanation.target = text.target.map(|target| target.as_str().to_owned());
        }
        Some(Body::Item(text)) => {
            explanation.text = Some(text.statement.as_str().to_owned());
            explanation.rationale = text.rationale.map(|text| text.as_str().to_owned());
            explanation.source_ref = Some(text.source.as_str().to_owned());
            explanation.target = text.target.map(|target| target.as_str().to_owned());
        }
        Some(Body::Proposal(text)) => explanation.text = Some(text.shown.as_str().to_owned()),
        Some(Body::Workspace(_)) | None => {}
    }
    Some(explanation)
}

fn open(home: &Home, task: TaskRef, body: &BodyRef) -> (&'static str, Option<Body>) {
    match home.files(task).load_body(body.id) {
        Ok(bytes) => match Body::open(&bytes, body) {
            Ok(body) => ("present", Some(body)),
            Err(_) => ("not_the_recorded_one", None),
        },
        Err(_) => ("missing_or_erased", None),
    }
}

fn print(explanation: &Explanation, stage: &mut Stage) -> Result<(), Failure> {
    let words = match explanation.text_state {
        "not_the_recorded_one" => "(the text on disk is not the one that was recorded)".to_owned(),
        _ => stored_words(explanation.text.as_deref()),
    };
    match explanation.text.as_deref().filter(|_| explanation.is == PROPOSAL) {
        Some(shown) => {
            writeln!(stage.out, "{}  {PROPOSAL}, word for word:", explanation.id)?;
            print_shown(stage, shown)?;
        }
        None => writeln!(stage.out, "{}  {}: {words}", explanation.id, explanation.is)?,
    }
    let out = &mut stage.out;
    for (name, text) in [("because", &explanation.rationale), ("about", &explanation.target)] {
        if let Some(text) = text {
            writeln!(out, "  {name} {}", stored_words(Some(text)))?;
        }
    }
    if let Some(source) = &explanation.source_ref {
        writeln!(out, "  source {}", stored_name(source))?;
    }
    let (at, record) = (&explanation.recorded_at, explanation.recorded_in);
    let origin = explanation.origin;
    writeln!(out, "  recorded {at} in record {record}, {}", channel_words(origin))?;
    if let Some(proposal) = &explanation.confirmed_by {
        let confirmed = confirmed_words(origin.channel, explanation.corroboration);
        writeln!(out, "  confirmed as {proposal} {confirmed}")?;
    }
    writeln!(out, "\nHistory")?;
    for entry in &explanation.history {
        let LogEntry { sequence, recorded_at, event, .. } = entry;
        writeln!(out, "{sequence:>5}  {recorded_at}  {}", event_words(event))?;
    }
    writeln!(out, "\nBasis: {}", basis_words(explanation.basis))?;
    Ok(())
}

/// Says through which door something came in.
fn channel_words(origin: Origin) -> String {
    let door = match origin.channel {
        Channel::HostPrompt => "from a prompt of yours",
        Channel::HostEvent => "from an event of the host",
        Channel::OperatorTerminal => "from you, on the command line",
        Channel::ControlHttp => "from you, by the control bearer",
        Channel::ModelTool => "from the agent, by a tool call",
        Channel::Probe => "from a look at the work itself",
    };
    match Host::from_wire(origin.host.get()) {
        Some(host) => format!("{door} in {host}"),
        None => door.to_owned(),
    }
}
