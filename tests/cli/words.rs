//! Words that a person puts in force and corrects on the command line.

use std::io::Write as _;
use std::process::Stdio;

use insta::assert_snapshot;

use crate::support::{BINARY, TestHome};

const RULE: &str = "Never push to main.";

/// A constraint with everything that may stand beside it.
const RULE_WITH_ALL: [&str; 11] = [
    "record",
    "constraint",
    RULE,
    "--because",
    "Others build from it.",
    "--act",
    "push",
    "--target",
    "main",
    "--gate",
    "yes",
];

fn begun() -> TestHome {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Please fix the failing test.");
    home
}

impl TestHome {
    /// Gives words on stdin.
    fn piped(&self, words: &[u8], arguments: &[&str]) -> String {
        let mut command = self.command(BINARY);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        // Who refuses the arguments reads nothing.
        drop(pipe.write_all(words));
        drop(pipe);
        let output = child.wait_with_output().expect("ends");
        self.shown(&output)
    }
}

#[test]
fn what_a_person_records_on_a_terminal_is_in_force_at_once() {
    let home = begun();
    let recorded = home.by_person(&RULE_WITH_ALL);
    assert_snapshot!(recorded, @r"
    exit 0
    -- stdout
    Recorded with your authority, in task [SHORT]:
      i1 constraint: “Never push to main.”, because “Others build from it.” (act: push “main”, each time only after your yes)
    ");
    assert_snapshot!(home.run(&["view"]), @r"
    exit 0
    -- stdout
    task [SHORT]   recording is on   head 2:[HASH]
    kept in [FOLDER]/home/.local/share/context-continuity

    Items in force
      i1  constraint, active: “Never push to main.”
          because “Others build from it.”
          from user, not checked, [DATE] the command line
          confirmed by you, on the command line
    Your words: none that carry a signal

    Work, as last seen
      folder [FOLDER]/project
      branch main, no commit yet

    Newest boundary: none yet

    Not known, or not there
      no words of yours say what the work is for

    Log: 7 of 2000 events, 1 of 8192 KiB
    Basis: every record and link of the log was verified
    ");
}

#[test]
fn what_is_about_an_act_is_corrected_only_with_a_word_on_that_act() {
    let home = begun();
    home.by_person(&RULE_WITH_ALL);
    assert_snapshot!(home.by_person(&["correct", "i1", "Ask."]), @r"
    exit 2
    -- stdout
    error: i1 is about an act, push; say what the new words are about

    hint: add --act with --target and --gate as they are to be, or --act none
    ");
    let corrected = home.by_person(&[
        "correct",
        "i1",
        "Push to main only on Mondays.",
        "--act",
        "push",
        "--target",
        "main",
    ]);
    assert_snapshot!(corrected, @r"
    exit 0
    -- stdout
    Recorded with your authority, in task [SHORT]:
      i2 correction: “Push to main only on Mondays.” (act: push “main”)
        instead of i1
    ");
    assert_snapshot!(home.by_person(&["correct", "i2", "Whatever.", "--act", "none"]), @r"
    exit 0
    -- stdout
    Recorded with your authority, in task [SHORT]:
      i3 correction: “Whatever.”
        instead of i2
    ");
    assert_snapshot!(home.run(&["explain", "i2"]), @r"
    exit 0
    -- stdout
    i2  correction: “Push to main only on Mondays.”
      about “main”
      source the command line
      recorded [DATE] in record 3, from you, on the command line

    History
        3  [DATE]  i2 is recorded: correction, active, from user, replaces i1
        4  [DATE]  i3 is recorded: correction, active, from user, replaces i2

    Basis: every record and link of the log was verified
    ");
    let verified = home.run(&["verify"]);
    assert!(verified.starts_with("exit 0"), "{verified}");
}

#[test]
fn a_correction_replaces_several_items_and_says_which_words_are_no_item() {
    let home = begun();
    home.by_person(&["record", "fact", "The timeout of reads is 30 seconds."]);
    home.by_person(&["record", "fact", "The timeout of writes is 20 seconds."]);
    assert_snapshot!(home.by_person(&["correct", "i1", "i2", "Both are 45 seconds."]), @r"
    exit 0
    -- stdout
    Recorded with your authority, in task [SHORT]:
      i3 correction: “Both are 45 seconds.”
        instead of i1 i2
    ");
    assert_snapshot!(home.by_person(&["correct", "i3", "Both", "are", "60", "seconds."]), @r"
    exit 2
    -- stdout
    error: Both is no item

    hint: items are named like i7; put the new words in quotation marks
    ");
    assert_snapshot!(home.by_person(&["correct", "i1", "Both are 60 seconds."]), @r"
    exit 6
    -- stdout
    error: the task has no item i1 in force

    hint: `continuity view` shows what is in force
    ");
    assert_snapshot!(home.by_person(&["record", "correction", "Both are 60 seconds."]), @r"
    exit 2
    -- stdout
    error: a correction names what it corrects

    hint: `continuity correct ITEM TEXT` replaces an item
    ");
}

#[test]
fn words_are_bounded_redacted_and_plain() {
    let home = begun();
    let full = "x".repeat(512);
    let fits = home.by_person(&["record", "fact", &full]);
    assert!(fits.starts_with("exit 0") && fits.contains(&full), "{fits}");
    assert_snapshot!(home.by_person(&["record", "fact", &"x".repeat(513)]), @r"
    exit 2
    -- stdout
    error: the text has 513 characters, at most 512 fit

    hint: say the one thing that must hold, in a sentence or two
    ");
    assert_snapshot!(home.by_person(&["record", "fact", "  "]), @r"
    exit 2
    -- stdout
    error: the text is empty

    hint: say the one thing that must hold, in a sentence or two
    ");
    assert_snapshot!(home.by_person(&["record", "fact", "Red \u{1b}[31malert."]), @r"
    exit 2
    -- stdout
    error: the text holds a control character, U+001B, as number 5

    hint: give plain text; line breaks may stay
    ");
    let secret = "The token is ghp_0123456789abcdefghijABCDEFGHIJ456789.";
    assert_snapshot!(home.by_person(&["record", "fact", secret]), @r"
    exit 0
    -- stdout
    note: what looks like a secret was taken out before anything was kept
    Recorded with your authority, in task [SHORT]:
      i2 fact: “The token is [redacted:github-pat].”
    ");
    assert_snapshot!(home.run(&["record", "fact", secret]), @r"
    exit 0
    -- stdout
    Nothing is in force yet: only a person may do this, and stdin is no terminal.
    Continuity: this waits for your yes.
      fact: “The token is [redacted:github-pat].”
    Type `confirm [CODE]` as your whole message, or `reject [CODE]`, within 10 minutes.
    -- stderr
    note: what looks like a secret was taken out before anything was kept
    ");
    assert_snapshot!(home.piped("Zwei\nZeilen.\n".as_bytes(), &["record", "fact", "-"]), @r"
    exit 0
    -- stdout
    Nothing is in force yet: only a person may do this, and stdin is no terminal.
    Continuity: this waits for your yes.
      fact: “Zwei␤Zeilen.”
    Type `confirm [CODE]` as your whole message, or `reject [CODE]`, within 10 minutes.
    ");
    assert_snapshot!(home.piped(b"\xff\xfe", &["record", "fact", "-"]), @r"
    exit 2
    -- stderr
    error: the text on stdin is no UTF-8 text
    ");
    let long = vec![b'x'; 20_000];
    assert_snapshot!(home.piped(&long, &["record", "fact", "-"]), @r"
    exit 2
    -- stderr
    error: the text on stdin is longer than 16384 bytes
    ");
}

#[test]
fn an_act_in_a_folder_without_a_task_says_what_to_do() {
    let home = TestHome::new();
    assert_snapshot!(home.by_person(&["record", "constraint", RULE]), @r"
    exit 6
    -- stdout
    error: no task is recorded in [FOLDER]/home/.local/share/context-continuity

    hint: a task begins with your first prompt in a host whose hooks are installed and trusted; see `continuity install codex`
    ");
    home.prompt("one", "other", 1, "Please fix the failing test.");
    assert_snapshot!(home.by_person(&["record", "constraint", RULE]), @r"
    exit 6
    -- stdout
    error: the only task does not belong to this folder
      [SHORT]  [FOLDER]/other

    hint: name one by its reference, with --task REF
    ");
    assert_snapshot!(home.run(&["view"]), @r"
    exit 0
    -- stdout
    task [SHORT]   recording is on   head 1:[HASH]
    kept in [FOLDER]/home/.local/share/context-continuity

    Items in force: none
    Your words: none that carry a signal

    Work, as last seen
      folder [FOLDER]/other
      branch main, no commit yet

    Newest boundary: none yet

    Not known, or not there
      no words of yours say what the work is for

    Log: 6 of 2000 events, 1 of 8192 KiB
    Basis: every record and link of the log was verified
    -- stderr
    note: task [SHORT] belongs to [FOLDER]/other, not to this folder
    ");
    let task = home.tasks()[0].clone();
    let named = home.by_person(&["record", "constraint", RULE, "--task", &task]);
    assert!(named.starts_with("exit 0"), "{named}");
}

#[test]
fn an_unknown_kind_act_or_gate_is_refused_with_the_names_that_there_are() {
    let home = begun();
    for arguments in [
        &["record", "rule", RULE][..],
        &["record", "constraint", RULE, "--act", "fly"],
        &["record", "constraint", RULE, "--act", "push", "--gate", "maybe"],
        &["record", "constraint", RULE, "--target", "main"],
        &["record", "constraint"],
        &["correct", "Both are 60 seconds."],
        &["correct", "i1", "Both.", "--act", "none", "--target", "main"],
    ] {
        let refused = home.run(arguments);
        assert!(refused.starts_with("exit 2"), "{arguments:?}: {refused}");
    }
    assert!(home.json(&["view"])["proposals"].as_array().expect("a list").is_empty());
}
