//! `continuity log`: what happened, in order.

use std::collections::VecDeque;
use std::io::Write as _;

use serde::Serialize;

use super::failure::{Failure, Outcome};
use super::reading::read_events;
use super::sentence::event_words;
use super::stage::Stage;
use super::view_text::basis_words;
use super::which;
use crate::domain::chain::Basis;
use crate::readmodels::history::{LogEntry, SCHEMA};

const EXAMPLES: &str = "\
Newest last. A record is shown whole, or on the page before. Texts are not in the log:
`continuity explain ID` opens one.

Examples:
  continuity log                 the newest 50 events
  continuity log --limit 10
  continuity log --before 120    the 50 events before record 120";

/// See [`EXAMPLES`].
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The task, by its reference or at least 4 of its first characters
    #[arg(long, value_name = "REF")]
    task: Option<String>,
    /// Events at most; of one record all, however many
    #[arg(long, value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    /// Only events of earlier records than this one
    #[arg(long, value_name = "RECORD")]
    before: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Page {
    schema: &'static str,
    task_ref: String,
    /// How much of the log was verified; `None` if it could not be read to its end.
    basis: Option<Basis>,
    has_earlier: bool,
    entries: VecDeque<LogEntry>,
}

impl Page {
    /// Takes the next event in, and drops the earliest records that find no room beside the newest.
    fn take(&mut self, entry: LogEntry, limit: usize) {
        let newest = entry.sequence;
        self.entries.push_back(entry);
        while self.entries.len() > limit
            && let Some(first) = self.entries.front().map(|first| first.sequence)
            && first != newest
        {
            while self.entries.front().is_some_and(|entry| entry.sequence == first) {
                self.entries.pop_front();
            }
            self.has_earlier = true;
        }
    }
}

/// Shows a page of the log. What was read before a damaged place is shown too.
pub(super) fn run(arguments: &Arguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    let home = stage.home()?;
    let task = which::choose(&home, arguments.task.as_deref())?;
    let limit = usize::try_from(arguments.limit).unwrap_or(usize::MAX);
    let mut page = Page {
        schema: SCHEMA,
        task_ref: task.to_string(),
        basis: None,
        has_earlier: false,
        entries: VecDeque::new(),
    };
    let read = read_events(&home, task, |entry| {
        if arguments.before.is_some_and(|before| entry.sequence >= before) {
            return;
        }
        page.take(entry, limit);
    });
    page.basis = read.as_ref().ok().map(|reading| reading.basis);
    if arguments.json {
        stage.json(&page)?;
    } else {
        print(&page, stage)?;
    }
    read?;
    Ok(Outcome::Done)
}

fn print(page: &Page, stage: &mut Stage) -> Result<(), Failure> {
    if let Some(first) = page.entries.front().filter(|_| page.has_earlier) {
        writeln!(stage.out, "(earlier events: --before {})", first.sequence)?;
    }
    for entry in &page.entries {
        let LogEntry { sequence, recorded_at, event, .. } = entry;
        writeln!(stage.out, "{sequence:>5}  {recorded_at}  {}", event_words(event))?;
    }
    writeln!(stage.out, "Basis: {}", basis_words(page.basis))?;
    Ok(())
}
