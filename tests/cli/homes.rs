//! Places for records that cannot be used: said in one line, with the stated exit code.

use std::os::unix::fs::PermissionsExt as _;

use insta::assert_snapshot;

use crate::support::{BINARY, TestHome};

/// Runs with a home that is replaced in the environment; `None` takes it out.
fn run_with_home(home: &TestHome, place: Option<&str>, arguments: &[&str]) -> String {
    let mut command = home.command(BINARY);
    match place {
        Some(place) => command.env("HOME", place),
        None => command.env_remove("HOME"),
    };
    home.shown(&command.args(arguments).output().expect("runs"))
}

#[test]
fn without_a_home_records_are_looked_for_in_a_volatile_place() {
    let home = TestHome::new();
    let listed = run_with_home(&home, None, &["task", "list"]);
    let pattern = regex::Regex::new(r"continuity-[0-9]+").expect("a pattern");
    assert_snapshot!(pattern.replace_all(&listed, "continuity-[USER]"), @r"
    exit 0
    -- stdout
    no task is recorded in [FOLDER]/temporary/context-continuity-[USER]
    ");
    assert_snapshot!(run_with_home(&home, None, &["install", "codex"]), @r"
    exit 3
    -- stderr
    error: neither CODEX_HOME nor HOME is set

    hint: set CODEX_HOME to the folder of Codex
    ");
}

#[test]
fn a_relative_home_is_passed_over_and_a_relative_option_is_refused() {
    let home = TestHome::new();
    let listed = run_with_home(&home, Some("here"), &["task", "list"]);
    assert!(listed.starts_with("exit 0"), "{listed}");
    assert_snapshot!(home.run(&["view", "--data-root", "here"]), @r#"
    exit 3
    -- stderr
    error: data root "here" is not a plain absolute path

    hint: give a folder of your own with --data-root PATH
    "#);
}

#[test]
fn a_root_that_is_open_to_others_is_refused() {
    let home = TestHome::new();
    home.usual_task();
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(home.records(), open).expect("sets");
    let refused = home.run(&["view"]);
    assert_snapshot!(refused, @r#"
    exit 3
    -- stderr
    error: "[FOLDER]/home/.local/share/context-continuity" is open to other users; run `chmod 700` on it

    hint: give a folder of your own with --data-root PATH
    "#);
    assert_eq!(home.run(&["verify"]), refused);
    assert_eq!(home.run(&["task", "list"]), refused);
}

#[test]
fn a_root_that_is_a_link_is_refused() {
    let home = TestHome::new();
    std::os::unix::fs::symlink(home.path("temporary"), home.path("link")).expect("links");
    let link = home.path("link");
    assert_snapshot!(home.run(&["view", "--data-root", link.to_str().expect("text")]), @r#"
    exit 3
    -- stderr
    error: "[FOLDER]/link" is a link or not a directory; name the directory itself

    hint: give a folder of your own with --data-root PATH
    "#);
}

#[test]
fn a_root_that_can_only_be_read_can_still_be_read() {
    let home = TestHome::new();
    home.usual_task();
    let view = home.run(&["view"]);
    let read_only = std::fs::Permissions::from_mode(0o500);
    std::fs::set_permissions(home.records(), read_only).expect("sets");
    assert_eq!(home.run(&["view"]), view);
    let writable = std::fs::Permissions::from_mode(0o700);
    std::fs::set_permissions(home.records(), writable).expect("sets");
}
