//! Tasks that go on in another one by a person's act on a terminal.

use insta::assert_snapshot;

use crate::support::TestHome;

#[test]
fn a_person_lets_a_task_go_on_in_a_new_log() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Never push to main.");
    let task = home.tasks()[0].clone();
    assert_snapshot!(home.by_person(&["task", "rollover"]), @r"
    exit 6
    -- stdout
    error: this lets task [SHORT] go on in a new log; nothing was done yet

    hint: to do it, add --confirm [TASK]
    ");
    assert_eq!(home.tasks().len(), 1);
    let done = home.by_person(&["task", "rollover", "--confirm", &task]);
    assert_snapshot!(done, @r"
    exit 0
    -- stdout
    Continuity: task [SHORT] goes on in a new log as task [SHORT], with all that is in force: 1 entry.
    ");
    assert_eq!(home.tasks().len(), 2);
    assert_snapshot!(home.run(&["task", "list"]), @r"
    exit 0
    -- stdout
    [SHORT]  [DATE]  1 in force  1 KiB  [FOLDER]/project
    [SHORT]  [DATE]  1 in force  2 KiB  goes on as [SHORT]  [FOLDER]/project
    ");
    home.prompt("one", "project", 2, "Never deploy on Friday.");
    let view = home.run(&["view"]);
    assert!(view.contains("Never push to main.") && view.contains("Friday"), "{view}");
    let old = home.run(&["view", "--task", &task]);
    assert!(!old.contains("Friday") && old.contains("goes on as"), "{old}");
    let verified = home.run(&["verify", "--all"]);
    assert!(verified.starts_with("exit 0"), "{verified}");
}

#[test]
fn a_person_links_a_conversation_that_has_just_begun_to_an_earlier_task() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Never push to main.");
    let earlier = home.tasks()[0].clone();
    let link = ["task", "link", &earlier, "--confirm", &earlier];
    assert_snapshot!(home.by_person(&link), @r"
    exit 6
    -- stdout
    error: task [SHORT] is the latest of this folder itself; nothing was done

    hint: begin a new conversation in this folder with one message, then link it
    ");
    home.prompt("two", "project", 1, "Never deploy on Friday.");
    assert_snapshot!(home.by_person(&link[..3]), @r"
    exit 6
    -- stdout
    note: task [SHORT], the latest of 2 in this folder
    error: this lets task [SHORT] of this folder go on as task [SHORT]; nothing was done yet

    hint: to do it, add --confirm [TASK]
    ");
    assert_snapshot!(home.by_person(&link), @r"
    exit 0
    -- stdout
    note: task [SHORT], the latest of 2 in this folder
    The conversation of task [SHORT] goes on with task [SHORT] from your next message.
    ");
    home.prompt("two", "project", 2, "Please go on.");
    let view = home.run(&["view"]);
    assert!(view.contains("Never push to main.") && view.contains("Friday"), "{view}");
    let refused = home.run(&link);
    assert!(refused.contains("only a person may do this"), "{refused}");
}

#[test]
fn a_conversation_with_more_than_a_first_message_is_not_linked() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Never push to main.");
    let earlier = home.tasks()[0].clone();
    home.prompt("two", "project", 1, "Never deploy on Friday.");
    home.prompt("two", "project", 2, "Please go on.");
    let link = ["task", "link", &earlier, "--confirm", &earlier];
    assert_snapshot!(home.by_person(&link), @r"
    exit 6
    -- stdout
    note: task [SHORT], the latest of 2 in this folder
    error: task [SHORT], the latest of this folder, has more than a first message; nothing was done

    hint: begin a new conversation in this folder with one message, then link it
    ");
}
