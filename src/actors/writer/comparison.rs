//! What has to be compared before a request is recorded, gathered while the lock is held.

use std::collections::BTreeSet;

use super::{Observed, Pending, TaskWriter};
use crate::actors::recovery::RecoveryRequest;
use crate::actors::store::Folded;
use crate::domain::fingerprint::{Known, ObjectName, Workspace};
use crate::domain::host_event::{HostEventKind, HostPath};
use crate::domain::ports::ProbeDepth;
use crate::domain::recovery::SnapshotReading;
use crate::domain::recovery::snapshot::is_named_by;
use crate::domain::redact::redact_str;
use crate::domain::task::item::{ItemKind, VersionBinding};
use crate::domain::task::transition::BoundaryKind;
use crate::domain::task::{RecoveryMoment, TaskState, is_recovery_due};

/// Commits of completions that Git is asked about at one boundary.
const COMMITS_LOOKED_AT_MAX: usize = 8;

impl TaskWriter {
    /// Returns what has to be compared before this request is recorded, if anything has.
    pub(super) fn recovery_request(
        &self,
        observed: &Observed,
        folded: &Folded,
        pending: &Pending,
    ) -> Option<RecoveryRequest> {
        let moment = match observed.event.kind {
            HostEventKind::SessionStart { .. } => RecoveryMoment::SessionStart,
            HostEventKind::Prompt { .. } => RecoveryMoment::Prompt,
            _ => return None,
        };
        if folded.state.transition.is_none() && pending.events.is_empty() {
            return None;
        }
        let state = self.ahead(folded, pending);
        if !is_recovery_due(&state, moment) {
            return None;
        }
        let transition = state.transition.as_ref()?;
        let kind = transition.kind;
        let folder = observed.event.cwd.as_ref().map(HostPath::as_str);
        let now = pending
            .workspace
            .clone()
            .unwrap_or_else(|| self.world.probe.look(folder, ProbeDepth::Quick));
        // What was last seen is what the log says before this very request.
        let mut compared = state.clone();
        compared.work.clone_from(&folded.state.work);
        let texts = self.texts_with(&compared, &pending.bodies);
        Some(RecoveryRequest {
            snapshot: self.read_snapshot(&state, kind),
            contains_last_head: self.contains_last_head(folder, &folded.state, &now),
            lost_commits: self.lost_commits(folder, &state),
            texts,
            head: folded.head(),
            basis: folded.basis,
            log_bytes: folded.log_bytes,
            kind,
            now,
            folder: folder.map(redact_str),
            is_durable: self.world.is_durable,
            limits: self.world.limits,
            budget: self.world.budget,
            state: compared,
        })
    }

    fn read_snapshot(&self, state: &TaskState, kind: BoundaryKind) -> SnapshotReading {
        if kind != BoundaryKind::Compaction {
            return SnapshotReading::NotDue;
        }
        let named = state.transition.as_ref().and_then(|transition| transition.snapshot);
        let Some(mark) =
            named.and_then(|id| state.snapshots.iter().find(|mark| mark.snapshot == id))
        else {
            return SnapshotReading::NotTaken;
        };
        match self.store.files.load_snapshot(mark.snapshot.get()) {
            Ok(bytes) if is_named_by(&bytes, mark) => {
                SnapshotReading::Read { state_digest: mark.state_digest }
            }
            _ => SnapshotReading::Damaged,
        }
    }

    fn contains_last_head(
        &self,
        folder: Option<&str>,
        state: &TaskState,
        now: &Workspace,
    ) -> Known<bool> {
        let last = state.work.as_ref().and_then(|work| work.commit.as_ref());
        let head = match now {
            Workspace::Git { state, .. } => state.head.clone(),
            _ => Known::Unknown,
        };
        match (folder, last, head) {
            (Some(_), Some(last), Known::Known(Some(head))) if *last == head => Known::Known(true),
            (Some(folder), Some(last), Known::Known(Some(_))) => {
                self.world.probe.head_contains(folder, last)
            }
            _ => Known::Unknown,
        }
    }

    /// Returns the commits that completions name and HEAD does not contain. Only the first
    /// [`COMMITS_LOOKED_AT_MAX`] are looked at; the rest are not known to hold, and count as lost.
    fn lost_commits(&self, folder: Option<&str>, state: &TaskState) -> Vec<ObjectName> {
        let Some(folder) = folder else { return Vec::new() };
        let named: BTreeSet<&ObjectName> = state
            .of_kind(ItemKind::Completion)
            .filter_map(|(_, item)| match &item.draft.binding {
                Some(VersionBinding::ContainedIn(commit)) => Some(commit),
                _ => None,
            })
            .collect();
        let is_lost = |(index, commit): &(usize, &ObjectName)| {
            *index >= COMMITS_LOOKED_AT_MAX
                || self.world.probe.head_contains(folder, commit) == Known::Known(false)
        };
        let lost = named.into_iter().enumerate().filter(is_lost);
        lost.map(|(_, commit)| commit.clone()).collect()
    }
}
