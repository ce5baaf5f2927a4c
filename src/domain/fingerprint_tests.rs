//! Tests: how two looks at a workspace compare.

use super::*;

fn digest(byte: u8) -> Digest {
    Digest::new([byte; 32])
}

fn commit(digit: &str) -> ObjectName {
    ObjectName::parse(&digit.repeat(40)).unwrap()
}

fn branch(name: &str) -> Checkout {
    Checkout::Branch(Redacted::assume(name))
}

fn state() -> GitState {
    GitState {
        common_dir: digest(1),
        worktree: digest(2),
        is_registered: Known::Known(true),
        checkout: Known::Known(branch("main")),
        head: Known::Known(Some(commit("a"))),
        index: Known::Known(digest(4)),
        dirty: Known::Known(digest(5)),
    }
}

fn git(folder: u8, state: GitState) -> Workspace {
    Workspace::Git { path: Redacted::assume("/work"), folder: digest(folder), state }
}

fn folder(folder: u8) -> Workspace {
    Workspace::Folder { path: Redacted::assume("/work"), folder: digest(folder) }
}

fn missing() -> Workspace {
    Workspace::Missing { path: Redacted::assume("/work") }
}

#[track_caller]
fn check(before: &Workspace, now: &Workspace, expect: &[Difference]) {
    let drift = compare(before, now);
    assert_eq!(drift.iter().cloned().collect::<Vec<_>>(), expect);
    assert_eq!(drift.is_none(), expect.is_empty());
}

/// Compares a known state with one that `change` made of it.
#[track_caller]
fn check_change(change: impl FnOnce(&mut GitState), expect: &[Difference]) {
    let mut now = state();
    change(&mut now);
    check(&git(3, state()), &git(3, now), expect);
}

#[test]
fn every_pair_of_kinds_of_workspace_has_its_answer() {
    use Difference::{FolderChanged, Missing, RepositoryChanged, Unknown};
    let unknown = Unknown { what: Part::Folder };
    let kinds =
        [Workspace::Unnamed, missing(), folder(3), folder(9), git(3, state()), git(9, state())];
    let same: &[Difference] = &[];
    let gone: &[Difference] = &[Missing];
    let open: &[Difference] = &[unknown];
    let other: &[Difference] = &[FolderChanged];
    let turned: &[Difference] = &[RepositoryChanged];
    let both: &[Difference] = &[FolderChanged, RepositoryChanged];
    let expect = [
        [same, gone, open, open, open, open],
        [open, gone, open, open, open, open],
        [open, gone, same, other, turned, both],
        [open, gone, other, same, both, turned],
        [open, gone, turned, both, same, other],
        [open, gone, both, turned, other, same],
    ];
    for (before, row) in kinds.iter().zip(expect) {
        for (now, expect) in kinds.iter().zip(row) {
            check(before, now, expect);
        }
    }
}

#[test]
fn every_pair_of_checkouts_has_its_answer() {
    let unborn = Checkout::Unborn(Redacted::assume("main"));
    let checkouts = [
        Known::Known(branch("main")),
        Known::Known(branch("side")),
        Known::Known(unborn),
        Known::Known(Checkout::Detached),
        Known::Unknown,
    ];
    // `=` the same branch, `!` another, `?` unknown.
    let expect = ["=!=!?", "!=!!?", "=!=!?", "!!!=?", "?????"];
    for (from, row) in checkouts.iter().zip(expect) {
        for (to, expect) in checkouts.iter().zip(row.chars()) {
            let before = GitState { checkout: from.clone(), ..state() };
            let now = GitState { checkout: to.clone(), ..state() };
            let expect = match (expect, from, to) {
                ('=', ..) => vec![],
                ('!', Known::Known(from), Known::Known(to)) => {
                    vec![Difference::BranchChanged { from: from.clone(), to: to.clone() }]
                }
                _ => vec![Difference::Unknown { what: Part::Checkout }],
            };
            check(&git(3, before), &git(3, now), &expect);
        }
    }
}

#[test]
fn every_pair_of_heads_has_its_answer() {
    let heads = [
        Known::Known(None),
        Known::Known(Some(commit("a"))),
        Known::Known(Some(commit("b"))),
        Known::Unknown,
    ];
    // `=` the same, `>` moved, `0` removed, `?` unknown.
    let expect = ["=>>?", "0=>?", "0>=?", "????"];
    for (from, row) in heads.iter().zip(expect) {
        for (to, expect) in heads.iter().zip(row.chars()) {
            let before = GitState { head: from.clone(), ..state() };
            let now = GitState { head: to.clone(), ..state() };
            let expect = match (expect, from, to) {
                ('=', ..) => vec![],
                ('>', Known::Known(from), Known::Known(Some(to))) => {
                    vec![Difference::HeadMoved { from: from.clone(), to: to.clone() }]
                }
                ('0', ..) => vec![Difference::HeadRemoved],
                _ => vec![Difference::Unknown { what: Part::Head }],
            };
            check(&git(3, before), &git(3, now), &expect);
        }
    }
}

#[test]
fn every_pair_of_index_and_dirty_digests_has_its_answer() {
    let digests = [Known::Known(digest(4)), Known::Known(digest(6)), Known::Unknown];
    let expect = ["=!?", "!=?", "???"];
    for (from, row) in digests.iter().zip(expect) {
        for (to, expect) in digests.iter().zip(row.chars()) {
            for (changed, what) in
                [(Difference::IndexChanged, Part::Index), (Difference::DirtyChanged, Part::Dirty)]
            {
                let with = |digest: &Known<Digest>| match what {
                    Part::Index => GitState { index: *digest, ..state() },
                    _ => GitState { dirty: *digest, ..state() },
                };
                let expect = match expect {
                    '=' => vec![],
                    '!' => vec![changed],
                    _ => vec![Difference::Unknown { what }],
                };
                check(&git(3, with(from)), &git(3, with(to)), &expect);
            }
        }
    }
}

#[test]
fn every_pair_of_registrations_has_its_answer() {
    let kinds = [Known::Known(true), Known::Known(false), Known::Unknown];
    let expect = ["=!?", "==?", "???"];
    for (from, row) in kinds.iter().zip(expect) {
        for (to, expect) in kinds.iter().zip(row.chars()) {
            let expect = match expect {
                '=' => vec![],
                '!' => vec![Difference::Unregistered],
                _ => vec![Difference::Unknown { what: Part::Registration }],
            };
            let before = GitState { is_registered: *from, ..state() };
            let now = GitState { is_registered: *to, ..state() };
            check(&git(3, before), &git(3, now), &expect);
        }
    }
}

#[test]
fn in_another_worktree_branch_and_head_are_still_compared_but_index_and_dirty_are_not() {
    check_change(
        |now| {
            now.worktree = digest(8);
            now.checkout = Known::Known(branch("side"));
            now.head = Known::Known(Some(commit("b")));
            now.index = Known::Known(digest(8));
            now.dirty = Known::Unknown;
        },
        &[
            Difference::WorktreeChanged,
            Difference::BranchChanged { from: branch("main"), to: branch("side") },
            Difference::HeadMoved { from: Some(commit("a")), to: commit("b") },
        ],
    );
}

#[test]
fn in_another_repository_nothing_but_the_place_is_compared() {
    check_change(
        |now| {
            now.common_dir = digest(8);
            now.checkout = Known::Known(branch("side"));
            now.head = Known::Unknown;
            now.index = Known::Unknown;
        },
        &[Difference::RepositoryChanged],
    );
}

#[test]
fn only_a_change_of_place_counts_as_elsewhere() {
    let here = git(3, state());
    let moved = GitState {
        head: Known::Known(Some(commit("b"))),
        checkout: Known::Known(Checkout::Detached),
        index: Known::Unknown,
        dirty: Known::Known(digest(9)),
        ..state()
    };
    assert!(!compare(&here, &git(3, moved)).is_elsewhere());
    for place in [missing(), folder(3), git(9, state())] {
        assert!(compare(&here, &place).is_elsewhere());
    }
    let other_worktree = GitState { worktree: digest(9), ..state() };
    let unregistered = GitState { is_registered: Known::Known(false), ..state() };
    assert!(compare(&here, &git(3, other_worktree)).is_elsewhere());
    assert!(compare(&here, &git(3, unregistered)).is_elsewhere());
}
