//! Tests: branch, commit and index, read by hand.

use super::*;

#[track_caller]
fn check(folder: &Path, checkout: &Known<Checkout>, head: &Known<Option<ObjectName>>) {
    let state = quick(folder);
    assert_eq!((&state.checkout, &state.head), (checkout, head));
}

#[test]
fn a_branch_is_read_from_loose_and_from_packed_refs() {
    let home = Home::new();
    let top = home.repository("repository");
    let first = Known::Known(Some(head(&top)));
    check(&top, &branch("main"), &first);
    git(&top, &["branch", "side/deep"]);
    git(&top, &["pack-refs", "--all"]);
    check(&top, &branch("main"), &first);
    git(&top, &["checkout", "--quiet", "side/deep"]);
    check(&top, &branch("side/deep"), &first);
    let second = Known::Known(Some(commit(&top, "file", "second\n")));
    check(&top, &branch("side/deep"), &second);
    assert_ne!(first, second);
}

#[test]
fn a_ref_whose_name_ends_like_another_is_not_taken_for_it() {
    let home = Home::new();
    let top = home.repository("repository");
    git(&top, &["branch", "a/main"]);
    git(&top, &["pack-refs", "--all"]);
    git(&top, &["symbolic-ref", "HEAD", "refs/heads/ain"]);
    let unborn = Checkout::Unborn(Redacted::assume("ain"));
    check(&top, &Known::Known(unborn), &Known::Known(None));
}

#[test]
fn unborn_and_detached_heads_are_told_apart() {
    let home = Home::new();
    let top = home.repository("repository");
    let commit = head(&top);
    git(&top, &["checkout", "--quiet", "--detach"]);
    check(&top, &Known::Known(Checkout::Detached), &Known::Known(Some(commit)));
    git(&top, &["checkout", "--quiet", "--orphan", "fresh"]);
    let unborn = Checkout::Unborn(Redacted::assume("fresh"));
    check(&top, &Known::Known(unborn), &Known::Known(None));
}

#[test]
fn a_repository_with_sha_256_is_read_whole() {
    let home = Home::new();
    let top = home.join("repository");
    fs::create_dir(&top).unwrap();
    git(&top, &["init", "--quiet", "--initial-branch=main", "--object-format=sha256"]);
    let commit = commit(&top, "file", "first\n");
    assert_eq!(commit.to_string().len(), 64);
    check(&top, &branch("main"), &Known::Known(Some(commit)));
    assert_ne!(full(&top).dirty, Known::Unknown);
}

#[test]
fn a_reftable_is_unknown() {
    let home = Home::new();
    let top = home.join("repository");
    fs::create_dir(&top).unwrap();
    git(&top, &["init", "--quiet", "--ref-format=reftable"]);
    commit(&top, "file", "first\n");
    assert_ne!(quick(&top).index, Known::Unknown);
    check(&top, &Known::Unknown, &Known::Unknown);
}

#[test]
fn every_folder_below_the_top_is_in_the_repository() {
    let home = Home::new();
    let top = home.repository("repository");
    let deep = top.join("a/b/c");
    fs::create_dir_all(&deep).unwrap();
    let (at_top, below) = (probe().quick(Some(&top)), probe().quick(Some(&deep)));
    assert_eq!(state(&at_top), state(&below));
    assert_eq!(differences(&compare(&at_top, &below))[0], Difference::FolderChanged);
}

#[test]
fn an_empty_git_folder_is_passed_over_as_git_does() {
    let home = Home::new();
    let top = home.repository("repository");
    let inner = top.join("inner");
    fs::create_dir_all(inner.join(".git")).unwrap();
    assert_eq!(quick(&inner), quick(&top));
}

#[test]
fn a_bare_repository_has_a_branch_and_no_dirty_state() {
    let home = Home::new();
    let top = home.repository("repository");
    let bare = home.join("bare.git");
    git(&top, &["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    check(&bare, &branch("main"), &Known::Known(Some(head(&top))));
    let state = full(&bare);
    assert_eq!(state.is_registered, Known::Known(true));
    assert_eq!(state.dirty, Known::Unknown);
    assert_eq!(probe().has_commit(&bare, &head(&top)), Known::Known(true));
}

#[test]
fn a_submodule_is_a_repository_of_its_own() {
    let home = Home::new();
    let inner = home.repository("inner");
    let outer = home.repository("outer");
    let inner_path = inner.to_str().unwrap();
    git(
        &outer,
        &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner_path, "sub"],
    );
    let state = quick(&outer.join("sub"));
    assert_eq!(state.head, Known::Known(Some(head(&inner))));
    assert_eq!(state.is_registered, Known::Known(true));
    assert_ne!(state.common_dir, quick(&outer).common_dir);
    assert_ne!(full(&outer.join("sub")).dirty, Known::Unknown);
}

#[test]
fn staging_changes_the_index_digest_and_nothing_else() {
    let home = Home::new();
    let top = home.repository("repository");
    let before = quick(&top);
    assert_eq!(before, quick(&top));
    fs::write(top.join("new"), "new\n").unwrap();
    assert_eq!(before, quick(&top));
    git(&top, &["add", "new"]);
    let after = quick(&top);
    assert_ne!(before.index, after.index);
    assert_eq!(before, GitState { index: before.index, ..after });
}

#[test]
fn packed_refs_are_searched_up_to_their_bound_only() {
    let home = Home::new();
    let top = home.repository("repository");
    git(&top, &["checkout", "--quiet", "--detach"]);
    git(&top, &["branch", "--delete", "--force", "main"]);
    fs::write(top.join(".git/HEAD"), "ref: refs/heads/zzz\n").unwrap();
    let entry = format!("{} refs/heads/zzz\n", "a".repeat(40));
    let filler_bytes = usize::try_from(PACKED_REFS_BYTES_MAX).unwrap() - entry.len();
    let filler = format!("#{}\n", "x".repeat(filler_bytes - 2));
    fs::write(top.join(".git/packed-refs"), format!("{filler}{entry}")).unwrap();
    check(&top, &branch("zzz"), &Known::Known(ObjectName::parse(&"a".repeat(40))));
    fs::write(top.join(".git/packed-refs"), format!("{filler}\n{entry}")).unwrap();
    check(&top, &Known::Unknown, &Known::Unknown);
}
