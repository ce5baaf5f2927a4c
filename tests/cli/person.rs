//! Acts that only a person may do: on a terminal, not from within an agent, confirmed by name.

use insta::assert_snapshot;

use crate::support::{TestHome, files_below};

// covers: P-121
#[test]
fn without_the_whole_reference_nothing_is_switched_or_deleted() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Never push to main.");
    home.prompt("two", "other", 1, "Never push to main.");
    let tasks = home.tasks();
    assert_snapshot!(home.by_person(&["task", "off"]), @r"
    exit 6
    -- stdout
    error: this switches recording off for task [SHORT]; nothing was done yet

    hint: to do it, add --confirm [TASK]
    ");
    let other = home.by_person(&["task", "delete", &tasks[0], "--confirm", &tasks[1]]);
    assert_snapshot!(other, @r"
    exit 6
    -- stdout
    error: --confirm names another task; nothing was done
      folder [FOLDER]/home/.local/share/context-continuity/tasks/[TASK]

    hint: the whole reference is [TASK]
    ");
    assert_eq!(home.tasks(), tasks);
}

#[test]
fn a_person_switches_recording_off_and_on() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Never push to main.");
    let task = home.tasks()[0].clone();
    assert_snapshot!(home.by_person(&["task", "off", "--confirm", &task]), @r"
    exit 0
    -- stdout
    Recording is off for task [SHORT]. What is recorded stays; nothing new is kept, and the agent is
    offered nothing. `continuity task on [SHORT]` brings it back.
    ");
    home.prompt("one", "project", 2, "Never deploy on Friday.");
    let view = home.run(&["view"]);
    assert!(view.contains("recording is off") && !view.contains("Friday"), "{view}");
    assert_snapshot!(home.by_person(&["task", "on", "--confirm", &task]), @r"
    exit 0
    -- stdout
    Recording is on for task [SHORT].
    ");
    home.prompt("one", "project", 3, "Never deploy on Monday.");
    let view = home.run(&["view"]);
    assert!(view.contains("recording is on") && view.contains("Monday"), "{view}");
}

#[test]
fn a_person_accepts_a_cut_log_and_the_task_goes_on() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Never push to main.");
    let task = home.tasks()[0].clone();
    let ledger = home.records().join("tasks").join(&task).join("ledger");
    let segment = files_below(&ledger)[0].clone();
    let shorter = std::fs::read(&segment).expect("reads");
    home.prompt("one", "project", 2, "Never deploy on Friday.");
    std::fs::write(&segment, shorter).expect("writes");
    let accepted = home.by_person(&["recover", "--accept-rollback", "--confirm", &task]);
    assert!(accepted.starts_with("exit 0"), "{accepted}");
    assert!(home.run(&["log"]).contains("you accepted a log that ends before record 2"));
    home.prompt("one", "project", 3, "Never deploy on Monday.");
    let view = home.run(&["view"]);
    assert!(view.contains("Monday") && !view.contains("Friday"), "{view}");
    let verified = home.run(&["verify"]);
    assert!(verified.starts_with("exit 0"), "{verified}");
}
