//! The real world behind the ports that actors know.

use std::path::Path;

use crate::domain::fingerprint::{Known, ObjectName, Workspace};
use crate::domain::host_event::Host;
use crate::domain::ports::{ProbeDepth, PromptSought, Transcripts, WorkspaceProbe};
use crate::domain::redact::redact_str;
use crate::domain::task::item::Corroboration;
use crate::domain::task::transition::Arrival;
use crate::io::config::Settings;
use crate::io::transcripts::codex::CodexTranscript;
use crate::io::transcripts::codex_prompt::is_recorded;
use crate::io::workspace::{self, GIT_TIME_LIMIT};

/// Workspaces on the real disk.
pub struct Workspaces(workspace::WorkspaceProbe);

impl Workspaces {
    /// Looks for `git` where the settings say programs are.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let probe = workspace::WorkspaceProbe::new(GIT_TIME_LIMIT, redact_str);
        Self(match &settings.search_path {
            Some(search_path) => probe.with_search_path(search_path.clone()),
            None => probe,
        })
    }
}

impl WorkspaceProbe for Workspaces {
    fn look(&self, folder: Option<&str>, depth: ProbeDepth) -> Workspace {
        let folder = folder.map(Path::new);
        match depth {
            ProbeDepth::Quick => self.0.quick(folder),
            ProbeDepth::Full => self.0.full(folder),
        }
    }

    fn head_contains(&self, folder: &str, commit: &ObjectName) -> Known<bool> {
        let folder = Path::new(folder);
        let Workspace::Git { state, .. } = self.0.quick(Some(folder)) else {
            return Known::Unknown;
        };
        match state.head {
            Known::Known(Some(head)) => self.0.is_descendant(folder, commit, &head),
            Known::Known(None) => Known::Known(false),
            Known::Unknown => Known::Unknown,
        }
    }
}

/// Transcripts where the hosts keep them.
pub struct HostTranscripts;

impl Transcripts for HostTranscripts {
    fn offer_arrived(&self, host: Host, transcript: &str, mark: &str) -> Arrival {
        if host != Host::Codex {
            return Arrival::Uncheckable;
        }
        match CodexTranscript::open(Some(Path::new(transcript))).has_injected(mark) {
            Ok(true) => Arrival::Found,
            Ok(false) => Arrival::NotFound,
            Err(_) => Arrival::Uncheckable,
        }
    }

    fn prompt_recorded(
        &self,
        host: Host,
        transcript: &str,
        asked: &PromptSought<'_>,
    ) -> Corroboration {
        if host != Host::Codex {
            return Corroboration::Uncheckable;
        }
        match is_recorded(Path::new(transcript), asked) {
            Ok(true) => Corroboration::Found,
            Ok(false) => Corroboration::Contradicted,
            Err(_) => Corroboration::Uncheckable,
        }
    }
}
