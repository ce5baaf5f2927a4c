//! Off, on, reset, delete and rebuild: by a person at once, by anybody else only asked for.

use insta::assert_snapshot;

use crate::support::{TestHome, files_below};

fn begun() -> TestHome {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Never push to main.");
    home
}

#[test]
fn without_a_terminal_nothing_is_switched_reset_or_deleted_but_asked_for() {
    let home = begun();
    let task = home.tasks()[0].clone();
    assert_snapshot!(home.run(&["task", "off", &task, "--confirm", &task]), @r"
    exit 0
    -- stdout
    Nothing is in force yet: only a person may do this, and stdin is no terminal.
    Continuity: this waits for your yes: to record nothing more in task [SHORT].
    Type `confirm [CODE]` as your whole message, or `reject [CODE]`, within 10 minutes.
    ");
    assert_snapshot!(home.run(&["task", "reset", &task, "--confirm", &task]), @r"
    exit 0
    -- stdout
    Nothing is in force yet: only a person may do this, and stdin is no terminal.
    Continuity: this waits for your yes: to reset task [SHORT]: nothing is in force afterwards, its log stays.
    Type `confirm [CODE]` as your whole message, or `reject [CODE]`, within 10 minutes.
    ");
    assert_snapshot!(home.run(&["task", "delete", &task, "--confirm", &task]), @r"
    exit 0
    -- stdout
    Nothing is in force yet: only a person may do this, and stdin is no terminal.
    Continuity: this waits for your yes: to delete task [SHORT] with everything that is kept of it.
    Type `confirm [CODE] [SHORT]` as your whole message, or `reject [CODE]`, within 10 minutes.
    ");
    assert_snapshot!(home.run(&["task", "on", &task, "--confirm", &task]), @r"
    exit 0
    -- stdout
    Recording was on for task [SHORT] already.
    ");
    assert_eq!(home.tasks(), [task]);
    assert_snapshot!(home.run(&["view"]), @r"
    exit 0
    -- stdout
    task [SHORT]   recording is on   head 4:[HASH]
    kept in [FOLDER]/home/.local/share/context-continuity

    Items in force: none

    Your words, as you wrote them; how to read them is not confirmed
      q1  constraint: “Never push to main.”
          from your prompt, [DATE]; push on main is forbidden

    Waits for your yes; nothing of it is in force
      p1  [CODE]: recording off, until [DATE]
      p2  [CODE]: a reset, until [DATE]
      p3  [CODE]: deletion, until [DATE]

    Work, as last seen
      folder [FOLDER]/project
      branch main, no commit yet

    Newest boundary: none yet

    Not known, or not there
      no words of yours say what the work is for

    Log: 10 of 2000 events, 2 of 8192 KiB
    Basis: every record and link of the log was verified
    ");
}

#[test]
fn what_was_asked_for_is_done_once_the_user_types_the_code() {
    let home = begun();
    let asked = home.run(&["task", "off"]);
    assert!(asked.starts_with("exit 0\n-- stdout\nNothing is in force yet: "), "{asked}");
    let code = home.code();
    home.prompt("one", "project", 2, &format!("confirm {code}"));
    assert!(home.run(&["view"]).contains("recording is off"));
    assert_snapshot!(home.run(&["task", "off"]), @r"
    exit 0
    -- stdout
    Recording was off for task [SHORT] already.
    ");
    assert_snapshot!(home.run(&["record", "fact", "The sky is blue."]), @r"
    exit 6
    -- stderr
    error: recording is off for this task

    hint: `continuity task on` has it recorded again
    ");
    assert_snapshot!(home.by_person(&["record", "fact", "The sky is blue."]), @r"
    exit 6
    -- stdout
    error: recording is off for this task

    hint: `continuity task on` has it recorded again
    ");
    assert_snapshot!(home.run(&["task", "on"]), @r"
    exit 0
    -- stdout
    Nothing is in force yet: only a person may do this, and stdin is no terminal.
    Continuity: this waits for your yes: to record again in task [SHORT].
    Type `confirm [CODE]` as your whole message, or `reject [CODE]`, within 10 minutes.
    ");
    assert_snapshot!(home.by_person(&["undo", &code]), @r"
    exit 0
    -- stdout
    Continuity: taken back.
    Recording is on again for task [SHORT].
    ");
}

#[test]
fn a_person_confirms_a_deletion_with_the_short_name_only() {
    let home = begun();
    let task = home.tasks()[0].clone();
    home.run(&["task", "delete"]);
    let code = home.code();
    assert_snapshot!(home.answered_by_person("yes", &["confirm", &code]), @r"
    exit 6
    -- stdout
    error: a deletion is confirmed with the task's short name behind the code
    ");
    let wrong = home.answered_by_person("yes", &["confirm", &code, "abcdef"]);
    assert!(wrong.starts_with("exit 6"), "{wrong}");
    assert_eq!(home.tasks().len(), 1);
    let deleted = home.answered_by_person("yes", &["confirm", &code, &task[..6]]);
    assert!(deleted.starts_with("exit 0") && deleted.contains("nothing left"), "{deleted}");
    assert!(home.tasks().is_empty());
}

#[test]
fn a_person_resets_a_task_by_its_whole_reference_and_the_log_stays() {
    let home = begun();
    let task = home.tasks()[0].clone();
    assert_snapshot!(home.by_person(&["task", "reset"]), @r"
    exit 6
    -- stdout
    error: this empties task [SHORT]: nothing is in force then, and its log stays; nothing was done yet

    hint: to do it, add --confirm [TASK]
    ");
    assert!(home.run(&["view"]).contains("Never push to main."));
    assert_snapshot!(home.by_person(&["task", "reset", "--confirm", &task]), @r"
    exit 0
    -- stdout
    Task [SHORT] was reset. Nothing is in force; its log stays and can be read with `continuity log`.
    ");
    let view = home.run(&["view"]);
    assert!(!view.contains("Never push to main."), "{view}");
    assert_snapshot!(home.run(&["log", "--limit", "2"]), @r"
    exit 0
    -- stdout
    (earlier events: --before 2)
        2  [DATE]  the task was emptied by you
    Basis: every record and link of the log was verified
    ");
    let verified = home.run(&["verify"]);
    assert!(verified.starts_with("exit 0"), "{verified}");
}

// covers: P-119
#[test]
fn each_act_works_on_one_task_and_leaves_the_other_alone() {
    let home = begun();
    let task = home.tasks()[0].clone();
    home.prompt("two", "other", 1, "Never push to main.");
    let other = home.tasks().into_iter().find(|it| *it != task).expect("another task");
    let kept = || {
        let files = files_below(&home.records()).into_iter();
        let files = files.filter(|file| file.to_str().expect("text").contains(&other));
        files.map(|file| (std::fs::read(&file).expect("reads"), file)).collect::<Vec<_>>()
    };
    let before = kept();
    for act in ["off", "on", "rebuild", "reset", "delete"] {
        let confirm: &[&str] = if act == "rebuild" { &[] } else { &["--confirm", &task] };
        let done = home.by_person(&[&["task", act, &task], confirm].concat());
        assert!(done.starts_with("exit 0"), "{act}: {done}");
        assert!(kept() == before, "{act} touched the other task");
        let names_the_other = done.contains("Other tasks recorded some of the same words");
        assert_eq!(names_the_other, act == "delete", "{done}");
    }
    assert_eq!(home.tasks(), std::slice::from_ref(&other));
    assert!(home.run(&["view", "--task", &other]).contains("Never push to main."));
}

// covers: P-127
#[test]
fn a_rebuild_makes_what_follows_from_the_log_anew_and_leaves_the_log() {
    let home = TestHome::new();
    home.usual_task();
    let folder = home.records().join("tasks").join(&home.tasks()[0]);
    let kept = || {
        let folders = ["ledger", "bodies", "snapshots", "keys"].map(|name| folder.join(name));
        let files = folders.iter().flat_map(|folder| files_below(folder));
        files.map(|file| (std::fs::read(&file).expect("reads"), file)).collect::<Vec<_>>()
    };
    let (before, view) = (kept(), home.run(&["view"]));
    let checkpoint = folder.join("checkpoint");
    let whole = std::fs::read(&checkpoint).expect("reads");
    std::fs::write(&checkpoint, &whole[..whole.len() / 2]).expect("writes");
    for pointer in files_below(&home.records().join("sessions")) {
        std::fs::remove_file(pointer).expect("removes");
    }
    assert_snapshot!(home.run(&["task", "rebuild"]), @r"
    exit 0
    -- stdout
    The log of task [SHORT] is whole: 6 records, head 6:[HASH].
      checkpoint        made anew at record 6
      session pointers  1 made anew, 0 were whole
    Nothing of the log was changed.
    ");
    assert!(kept() == before, "the log or a text was changed");
    assert_eq!(std::fs::read(&checkpoint).expect("reads"), whole);
    assert_eq!(home.run(&["view"]), view);
    let verified = home.run(&["verify"]);
    assert!(verified.contains("sessions   1 of 1 whole"), "{verified}");
    assert_snapshot!(home.run(&["task", "rebuild"]), @r"
    exit 0
    -- stdout
    The log of task [SHORT] is whole: 6 records, head 6:[HASH].
      checkpoint        made anew at record 6
      session pointers  0 made anew, 1 were whole
    Nothing of the log was changed.
    ");
}

#[test]
fn a_damaged_log_is_not_rebuilt_from() {
    let home = TestHome::new();
    home.usual_task();
    let folder = home.records().join("tasks").join(&home.tasks()[0]);
    let segment = files_below(&folder.join("ledger"))[0].clone();
    let mut bytes = std::fs::read(&segment).expect("reads");
    bytes[700] ^= 1;
    std::fs::write(&segment, bytes).expect("writes");
    let checkpoint = std::fs::read(folder.join("checkpoint")).expect("reads");
    let task = home.tasks()[0].clone();
    let refused = home.run(&["task", "rebuild", &task]);
    assert!(refused.starts_with("exit 4"), "{refused}");
    assert!(refused.contains("nothing was rebuilt"), "{refused}");
    assert_eq!(std::fs::read(folder.join("checkpoint")).expect("reads"), checkpoint);
}
