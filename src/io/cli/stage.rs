//! What every command is given: the settings, and where its output goes.

use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::failure::{Failure, Kind};
use crate::domain::escape::{quoted, terminal_line};
use crate::io::config::Settings;
use crate::io::wire::Home;

/// Longest stored text on one line, in characters.
const SHOWN_CHARS_MAX: usize = 512;

/// What every command is given.
pub(super) struct Stage {
    /// What comes from outside.
    pub settings: Settings,
    /// Data for whoever asked.
    pub out: BufWriter<Stdout>,
}

impl Stage {
    /// Reads the environment; `data_root` is the value of `--data-root`.
    pub(super) fn new(data_root: Option<PathBuf>) -> Self {
        Self { settings: Settings::from_environment(data_root), out: BufWriter::new(io::stdout()) }
    }

    /// Finds the data root; creates nothing.
    pub(super) fn home(&self) -> Result<Home, Failure> {
        Ok(Home::open(self.settings.clone(), None)?)
    }

    /// Prints one JSON value.
    pub(super) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value)
            .map_err(|error| Failure::of(Kind::Internal, &error))?;
        writeln!(self.out, "{text}")?;
        Ok(())
    }

    /// Sends what is printed on its way.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }
}

/// Tells something that is no data.
pub(super) fn talk(line: &str) {
    // Without stderr nobody listens.
    drop(writeln!(io::stderr(), "{line}"));
}

/// Renders stored words as a quote on one line.
pub(super) fn stored_words(text: Option<&str>) -> String {
    match text {
        Some(text) => quoted(text, SHOWN_CHARS_MAX),
        None => "(the text is missing or was erased)".to_owned(),
    }
}

/// Renders a stored name or path on one line.
pub(super) fn stored_name(text: &str) -> String {
    terminal_line(text, SHOWN_CHARS_MAX)
}

/// Renders a path on one line.
pub(super) fn path_words(path: &Path) -> String {
    terminal_line(&path.to_string_lossy(), SHOWN_CHARS_MAX)
}
