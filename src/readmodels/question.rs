//! The one question, or the one line, that the user sees after a boundary.

use super::continuity::{CheckoutKind, WorkView, describe};
use crate::domain::escape::quoted;
use crate::domain::fingerprint::Workspace;
use crate::domain::recovery::{Finding, RecoveryPlan};
use crate::domain::task::transition::RecoveryClass;
use crate::domain::text::Redacted;

/// Returns what the user is shown: one question where a mistake could not be undone, one line where
/// something had to be rebuilt from damage, nothing otherwise.
///
/// `folder` is the folder that the host names now; inside a repository it may lie below the top.
#[must_use]
pub fn notice(
    plan: &RecoveryPlan,
    before: Option<&Workspace>,
    now: &Workspace,
    folder: Option<&Redacted>,
) -> Option<String> {
    match plan.class {
        RecoveryClass::AskBeforeHighRisk => Some(question(plan, before, now, folder)),
        _ if plan.findings.contains(&Finding::SnapshotDamaged) => Some(
            "Continuity: a snapshot was damaged; the state was rebuilt from the ledger.".to_owned(),
        ),
        _ => None,
    }
}

fn question(
    plan: &RecoveryPlan,
    before: Option<&Workspace>,
    now: &Workspace,
    folder: Option<&Redacted>,
) -> String {
    let grave: Vec<&str> = plan
        .findings
        .iter()
        .filter(|finding| finding.class() == RecoveryClass::AskBeforeHighRisk)
        .map(|finding| finding.sentence())
        .collect();
    let place = if plan.findings.iter().any(|finding| is_about_work(*finding)) {
        places(before, now, folder)
    } else {
        String::new()
    };
    format!(
        "Continuity: {}{place}. Is that as you want it, before anything that cannot be undone? \
         `continuity view` shows the details.",
        grave.join("; ")
    )
}

/// Tells whether a finding is about where the work stands.
#[must_use]
pub fn is_about_work(finding: Finding) -> bool {
    matches!(
        finding,
        Finding::FolderChanged
            | Finding::RepositoryChanged
            | Finding::WorktreeChanged
            | Finding::WorktreeUnregistered
            | Finding::WorkMissing
            | Finding::BranchChanged
            | Finding::HeadNotDescendant
            | Finding::HeadMoved
    )
}

fn places(before: Option<&Workspace>, now: &Workspace, folder: Option<&Redacted>) -> String {
    let view = describe(now);
    let mut now = place(&view);
    if let Some(folder) = folder
        && view.path.as_deref().is_some_and(|top| !folder.as_str().ends_with(top))
    {
        now.push_str(", folder ");
        now.push_str(&quoted(folder.as_str(), 256));
    }
    match before {
        Some(before) => format!(" (before: {}; now: {now})", place(&describe(before))),
        None => format!(" (now: {now})"),
    }
}

/// Puts a place into a few words.
#[must_use]
pub fn place(work: &WorkView) -> String {
    let mut parts = Vec::new();
    if let Some(branch) = &work.branch {
        parts.push(format!("branch {}", quoted(branch, 128)));
    }
    match work.checkout {
        Some(CheckoutKind::Unborn) => parts.push("(no commit yet)".to_owned()),
        Some(CheckoutKind::Detached) => parts.push("no branch,".to_owned()),
        Some(CheckoutKind::Branch) | None => {}
    }
    if let Some(commit) = &work.commit {
        parts.push(format!("at {}", commit.get(..10).unwrap_or(commit)));
    }
    if let Some(path) = &work.path {
        parts.push(format!("in {}", quoted(path, 256)));
    }
    if parts.is_empty() { "no folder".to_owned() } else { parts.join(" ") }
}
