//! Listing tasks, and which one is meant.

use insta::assert_snapshot;

use crate::support::TestHome;

#[test]
fn without_any_task_it_is_said_how_one_begins() {
    let home = TestHome::new();
    assert_snapshot!(home.run(&["view"]), @r"
    exit 6
    -- stderr
    error: no task is recorded in [FOLDER]/home/.local/share/context-continuity

    hint: a task begins with your first prompt in a host whose hooks are installed and trusted; see `continuity install codex`
    ");
    assert_snapshot!(home.run(&["task", "list"]), @r"
    exit 0
    -- stdout
    no task is recorded in [FOLDER]/home/.local/share/context-continuity
    ");
    assert!(!home.records().exists(), "reading made something");
}

// field case F023
#[test]
fn listing_never_looks_at_the_folder_of_a_task() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Never push to main.");
    home.prompt("two", "other", 1, "Never push to main.");
    home.make_project("hung");
    home.prompt("three", "hung", 1, "Never push to main.");
    std::fs::remove_dir_all(home.path("hung")).expect("removes");
    let traced = home
        .command("strace")
        .args(["-f", "-qq", "-e", "trace=%file", crate::support::BINARY, "task", "list"])
        .output();
    let listed = if let Ok(traced) = traced {
        let calls = String::from_utf8_lossy(&traced.stderr).into_owned();
        assert!(!calls.contains("/hung") && !calls.contains("/other"), "{calls}");
        traced.stdout
    } else {
        let list = home.command(crate::support::BINARY).args(["task", "list"]).output();
        list.expect("runs").stdout
    };
    let listed = String::from_utf8(listed).expect("text");
    assert_eq!(listed.lines().count(), 3, "{listed}");
    assert!(listed.contains("/hung"), "{listed}");
}

#[test]
fn the_task_of_the_current_folder_is_meant_and_otherwise_a_choice_is_asked_for() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Never push to main.");
    home.prompt("two", "other", 1, "Never deploy on Friday.");
    let here = home.run(&["explain", "q1"]);
    assert!(here.contains("push to main"), "{here}");
    let away = home
        .command(crate::support::BINARY)
        .arg("view")
        .current_dir(home.path("home"))
        .output()
        .expect("runs");
    let away = home.shown(&away);
    assert!(away.starts_with("exit 6\n-- stderr\nerror: none of the 2 tasks belongs"), "{away}");
    assert!(away.contains("[FOLDER]/other") && away.contains("[FOLDER]/project"), "{away}");
    let by_name = home.run(&["explain", "q1", "--task", &home.tasks()[0][..8]]);
    assert!(by_name.starts_with("exit 0"), "{by_name}");
    assert_snapshot!(home.run(&["view", "--task", "abc"]), @r"
    exit 2
    -- stderr
    error: abc is too short: a task is named by at least 4 characters

    hint: `continuity task list` shows the tasks that there are
    ");
    assert_snapshot!(home.run(&["view", "--task", "0000"]), @r"
    exit 6
    -- stderr
    error: there is no task 0000

    hint: `continuity task list` shows the tasks that there are
    ");
}
