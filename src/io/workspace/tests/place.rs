//! Tests: which folder, worktree and repository.

use super::*;

#[test]
// field case F020
fn another_folder_on_resume_is_stated() {
    let home = Home::new();
    let top = home.repository("repository");
    let before = probe().quick(Some(&top));
    let now = probe().quick(Some(&home.path));
    let drift = compare(&before, &now);
    assert_eq!(differences(&drift), [Difference::FolderChanged, Difference::RepositoryChanged]);
    assert!(drift.is_elsewhere());
}

#[test]
// field case F021
fn a_worktree_session_that_comes_back_on_the_main_checkout_is_stated() {
    let home = Home::new();
    let top = home.repository("repository");
    let tree = top.join(".trees/x");
    git(&top, &["worktree", "add", "--quiet", "-b", "x", tree.to_str().unwrap()]);
    let first = head(&top);
    let second = commit(&tree, "file", "second\n");
    let before = probe().quick(Some(&tree));
    assert_eq!(state(&before).is_registered, Known::Known(true));
    assert_eq!(state(&before).common_dir, quick(&top).common_dir);
    let named = |name| Checkout::Branch(Redacted::assume(name));
    let drift = compare(&before, &probe().quick(Some(&top)));
    assert_eq!(
        differences(&drift),
        [
            Difference::FolderChanged,
            Difference::WorktreeChanged,
            Difference::BranchChanged { from: named("x"), to: named("main") },
            Difference::HeadMoved { from: Some(second), to: first },
        ]
    );
}

#[test]
// field case F021
fn a_leftover_worktree_that_the_repository_forgot_is_unregistered() {
    let home = Home::new();
    let top = home.repository("repository");
    let tree = home.join("x");
    git(&top, &["worktree", "add", "--quiet", "-b", "x", tree.to_str().unwrap()]);
    let before = probe().quick(Some(&tree));
    fs::remove_dir_all(top.join(".git/worktrees/x")).unwrap();
    let now = probe().quick(Some(&tree));
    let found = differences(&compare(&before, &now));
    assert_eq!(found[0], Difference::Unregistered);
    assert!(!found.contains(&Difference::RepositoryChanged));
}

#[test]
fn a_copied_worktree_is_not_the_registered_one() {
    let home = Home::new();
    let top = home.repository("repository");
    let (tree, copy) = (home.join("x"), home.join("copy"));
    git(&top, &["worktree", "add", "--quiet", "-b", "x", tree.to_str().unwrap()]);
    fs::create_dir(&copy).unwrap();
    fs::copy(tree.join(".git"), copy.join(".git")).unwrap();
    assert_eq!(quick(&copy).is_registered, Known::Known(false));
    assert_eq!(quick(&tree).is_registered, Known::Known(true));
}

#[test]
fn a_worktree_named_by_relative_paths_is_registered() {
    let home = Home::new();
    let top = home.repository("repository");
    let tree = home.join("x");
    git(&top, &["worktree", "add", "--quiet", "-b", "x", tree.to_str().unwrap()]);
    fs::write(tree.join(".git"), "gitdir: ../repository/.git/worktrees/x\n").unwrap();
    fs::write(top.join(".git/worktrees/x/gitdir"), "../../../../x/.git\n").unwrap();
    assert_eq!(quick(&tree).is_registered, Known::Known(true));
    assert_eq!(quick(&tree).checkout, branch("x"));
}

#[test]
fn a_pointer_into_another_checkout_is_no_registration() {
    let home = Home::new();
    let other = home.repository("other");
    let folder = home.join("folder");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join(".git"), format!("gitdir: {}\n", other.join(".git").display())).unwrap();
    let state = quick(&folder);
    assert_eq!(state.is_registered, Known::Known(false));
    assert_eq!(state.head, Known::Unknown);
}

#[test]
// field case F022
fn a_removed_folder_is_missing_and_stays_removed() {
    let home = Home::new();
    let top = home.repository("repository");
    let before = probe().quick(Some(&top));
    fs::remove_dir_all(&top).unwrap();
    let now = probe().full(Some(&top));
    assert_eq!(now, Workspace::Missing { path: Redacted::assume(top.to_string_lossy()) });
    assert_eq!(differences(&compare(&before, &now)), [Difference::Missing]);
    assert_eq!(state(&before).checkout, branch("main"));
    assert!(!top.exists());
}

#[test]
// field case F035
fn no_folder_and_a_relative_one_are_no_workspace() {
    assert_eq!(probe().quick(None), Workspace::Unnamed);
    for relative in ["", ".", "src", "../.."] {
        assert_eq!(probe().full(Some(Path::new(relative))), Workspace::Unnamed, "{relative}");
    }
}

#[test]
// field case F039
fn folders_that_differ_in_any_byte_have_different_keys() {
    use std::os::unix::ffi::OsStrExt as _;
    let home = Home::new();
    let names: [&[u8]; 6] = [
        "가나다라".as_bytes(),
        "마바사아".as_bytes(),
        "админ".as_bytes(),
        "петров".as_bytes(),
        b"a b",
        b"a-b",
    ];
    let mut keys: Vec<_> = names
        .iter()
        .map(|name| {
            let path = home.path.join(std::ffi::OsStr::from_bytes(name));
            fs::create_dir(&path).unwrap();
            match probe().quick(Some(&path)) {
                Workspace::Folder { folder, .. } => folder,
                other => panic!("{other:?}"),
            }
        })
        .collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), names.len());
}

#[test]
// field case F039
fn two_spellings_share_a_key_exactly_if_they_are_one_folder() {
    let home = Home::new();
    let (composed, decomposed) = (home.join("\u{e9}"), home.join("e\u{301}"));
    fs::create_dir(&composed).unwrap();
    let is_one_folder = decomposed.exists();
    if !is_one_folder {
        fs::create_dir(&decomposed).unwrap();
    }
    let is_one_key = probe().quick(Some(&composed)) == probe().quick(Some(&decomposed));
    assert_eq!(is_one_key, is_one_folder);
}

#[test]
fn a_link_to_a_workspace_is_the_workspace() {
    let home = Home::new();
    let top = home.repository("repository");
    let link = home.join("link");
    std::os::unix::fs::symlink(&top, &link).unwrap();
    assert_eq!(probe().quick(Some(&link)), probe().quick(Some(&top)));
}

#[test]
fn kept_text_is_redacted_and_then_cut_to_its_end() {
    let home = Home::new();
    let secret = home.join("secret").join("x".repeat(PATH_CHARS_MAX - "/taken".len() - 1));
    fs::create_dir_all(&secret).unwrap();
    git(&secret, &["init", "--quiet", "--initial-branch=secret"]);
    let probe =
        WorkspaceProbe::new(NO_LIMIT, |text| Redacted::assume(text.replace("secret", "taken")));
    let workspace = probe.quick(Some(&secret));
    let Workspace::Git { path, state, .. } = workspace else { panic!("{workspace:?}") };
    assert!(path.as_str().starts_with("/taken/xx"), "{path}");
    assert_eq!(path.as_str().chars().count(), PATH_CHARS_MAX);
    let unborn = Checkout::Unborn(Redacted::assume("taken"));
    assert_eq!(state.checkout, Known::Known(unborn));
}
