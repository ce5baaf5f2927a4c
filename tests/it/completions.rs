//! What is done stays done only as long as its commit is in the history.

use std::collections::BTreeSet;

use context_continuity::domain::fingerprint::ObjectName;
use context_continuity::domain::task::item::{
    Authority, ItemKind, Status, Verification, VersionBinding,
};

use crate::support::records::Item;
use crate::support::{Event, TestHome};

/// Commits that a boundary asks Git about.
const LOOKED_AT: usize = 8;

fn done(commit: &ObjectName) -> Item {
    Item {
        authority: Authority::VerifiedEvidence,
        verification: Verification::Checked,
        binding: Some(VersionBinding::ContainedIn(commit.clone())),
        ..Item::of_agent(ItemKind::Completion, &format!("the work of {commit} is done"))
    }
}

/// Records a completion for each of some commits, and compacts with HEAD at commit number `head`.
///
/// Returns the commits whose completion still counts, and all of them.
fn compacted(commit_count: usize, head: usize) -> (BTreeSet<ObjectName>, Vec<ObjectName>) {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", "Never push to main.")]);
    let texts = (0..commit_count).map(|number| format!("step {number}"));
    let commits: Vec<ObjectName> =
        texts.map(|text| ObjectName::parse(&home.commit(&text)).expect("a name")).collect();
    home.record(&commits.iter().map(done).collect::<Vec<_>>());
    home.send_silent(&[Event::prompt("t2", "ok")]);
    home.compact("manual");
    home.git(&["reset", "--quiet", "--hard", &commits[head].to_string()]);
    home.send(&Event::start("compact")).context().expect("an offer");
    let state = home.read().0.state;
    let valid = state
        .of_kind(ItemKind::Completion)
        .filter(|(_, item)| item.status == Status::Active)
        .filter_map(|(_, item)| match &item.draft.binding {
            Some(VersionBinding::ContainedIn(commit)) => Some(commit.clone()),
            _ => None,
        });
    (valid.collect(), commits)
}

// field case F019
#[test]
fn a_completion_whose_commit_left_the_history_is_stale() {
    let (valid, commits) = compacted(4, 1);
    assert_eq!(valid, commits.into_iter().take(2).collect());
}

#[test]
fn as_many_commits_as_are_looked_at_all_hold() {
    let (valid, commits) = compacted(LOOKED_AT, LOOKED_AT - 1);
    assert_eq!(valid, commits.into_iter().collect());
}

#[test]
fn commits_that_nobody_looks_at_do_not_count_as_done() {
    let (valid, commits) = compacted(LOOKED_AT + 2, LOOKED_AT + 1);
    let sorted: BTreeSet<ObjectName> = commits.into_iter().collect();
    assert_eq!(valid, sorted.into_iter().take(LOOKED_AT).collect());
}
