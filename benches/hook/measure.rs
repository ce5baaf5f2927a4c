//! Starting a process, and what many starts come to.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs a program once and returns the time from before its start to after its end.
pub fn start(program: &str, arguments: &[&str], input: &[u8]) -> io::Result<Duration> {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() });
    let before = Instant::now();
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input)?;
    }
    let status = child.wait()?;
    let taken = before.elapsed();
    if status.success() { Ok(taken) } else { Err(io::Error::other(format!("{program} failed"))) }
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Row {
    /// The cheapest process that there is.
    True,
    /// A JavaScript runtime that does nothing.
    Node,
    /// An ordinary prompt behind 10.
    Prompt10,
    /// An ordinary prompt behind 500.
    Prompt500,
    /// An ordinary prompt behind 1,900.
    Prompt1900,
    /// A pasted log.
    PromptMebibyte,
    /// What Git takes alone.
    GitStatus,
    /// An ordinary prompt between boundaries.
    Prompt,
    /// Before a compaction.
    PreCompact,
    /// After it.
    PostCompact,
    /// The start that follows.
    SessionStart,
}

impl Row {
    /// Returns the name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::True => "/bin/true",
            Self::Node => "node -e 0",
            Self::Prompt10 => "prompt behind 10",
            Self::Prompt500 => "prompt behind 500",
            Self::Prompt1900 => "prompt behind 1900",
            Self::PromptMebibyte => "prompt of 1 MiB",
            Self::GitStatus => "git status, 5000 files",
            Self::Prompt => "prompt in that repository",
            Self::PreCompact => "PreCompact",
            Self::PostCompact => "PostCompact",
            Self::SessionStart => "SessionStart(compact)",
        }
    }
}

/// The times of every row, round by round, in microseconds.
#[derive(Debug, Default)]
pub struct Rounds(BTreeMap<Row, Vec<f64>>);

impl Rounds {
    /// Adds the time of one round.
    pub fn add(&mut self, row: Row, taken: Duration) {
        self.0.entry(row).or_default().push(taken.as_secs_f64() * 1e6);
    }

    /// Returns the median of a row.
    pub fn median(&self, row: Row) -> f64 {
        percentile(self.of(row), 50)
    }

    /// Returns the ratio of two medians.
    pub fn ratio(&self, row: Row, other: Row) -> f64 {
        self.median(row) / self.median(other)
    }

    /// Returns a table of all rows, with the median of the ratios to `base` within a round.
    pub fn table(&self, base: Row) -> String {
        let mut table =
            String::from("| us | median | p95 | worst | ratio |\n|---|---|---|---|---|\n");
        for (row, times) in &self.0 {
            let step = (self.of(base).len() / times.len().max(1)).max(1);
            let ratios: Vec<f64> = times
                .iter()
                .zip(self.of(base).iter().step_by(step))
                .map(|(time, base)| time / base)
                .collect();
            // Writing into a string does not fail.
            let _ = writeln!(
                table,
                "| {} | {:.0} | {:.0} | {:.0} | {:.2} |",
                row.name(),
                percentile(times, 50),
                percentile(times, 95),
                percentile(times, 100),
                percentile(&ratios, 50)
            );
        }
        table
    }

    fn of(&self, row: Row) -> &[f64] {
        self.0.get(&row).map_or(&[], Vec::as_slice)
    }
}

/// Returns the smallest value that so many percent of all do not exceed.
fn percentile(values: &[f64], percent: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    sorted.get(last * percent / 100).copied().unwrap_or(f64::NAN)
}
