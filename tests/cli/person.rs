//! Acts that only a person may do: on a terminal, not from within an agent, confirmed by name.

use std::path::Path;
use std::process::Output;

use data_encoding::{BASE64, HEXLOWER};
use insta::assert_snapshot;

use crate::support::{BINARY, TestHome, files_below};

/// Starts a command on a terminal of its own, and without this test's own ancestors above it, since
/// an agent may be one of them.
const ON_A_TERMINAL: &str = r"
import os, pty, sys
ready, told = os.pipe()
if os.fork() == 0:
    os.setsid()
    middle = os.getpid()
    if os.fork() == 0:
        while os.getppid() == middle: pass
        code = os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:]))
        os.write(told, bytes([code]))
    os._exit(0)
os.close(told)
sys.exit(os.read(ready, 1)[0])
";

fn on_a_terminal(home: &TestHome, arguments: &[&str]) -> Output {
    let mut command = home.command("python3");
    command.args(["-c", ON_A_TERMINAL, BINARY]).args(arguments).output().expect("runs python3")
}

pub fn run_on_a_terminal(home: &TestHome, arguments: &[&str]) -> String {
    home.shown(&on_a_terminal(home, arguments)).replace('\r', "")
}

#[test]
fn without_a_terminal_nothing_is_switched_or_deleted() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Never push to main.");
    let task = home.tasks()[0].clone();
    let refused = home.run(&["task", "delete", &task, "--confirm", &task]);
    assert_snapshot!(refused, @r"
    exit 6
    -- stderr
    error: only a person may do this, and stdin is no terminal

    hint: run the same command yourself, in a terminal of your own
    ");
    for act in ["off", "on"] {
        assert_eq!(home.run(&["task", act, &task, "--confirm", &task]), refused);
    }
    assert_eq!(home.tasks(), [task]);
}

// covers: P-121
#[test]
fn without_the_whole_reference_nothing_is_switched_or_deleted() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Never push to main.");
    home.prompt("two", "other", 1, "Never push to main.");
    let tasks = home.tasks();
    assert_snapshot!(run_on_a_terminal(&home, &["task", "off"]), @r"
    exit 6
    -- stdout
    error: this switches recording off for task [SHORT]; nothing was done yet

    hint: to do it, add --confirm [TASK]
    ");
    let other = run_on_a_terminal(&home, &["task", "delete", &tasks[0], "--confirm", &tasks[1]]);
    assert_snapshot!(other, @r"
    exit 6
    -- stdout
    error: --confirm names another task; nothing was done

    hint: the whole reference is [TASK]
    ");
    assert_eq!(home.tasks(), tasks);
}

#[test]
fn a_person_switches_recording_off_and_on() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Never push to main.");
    let task = home.tasks()[0].clone();
    assert_snapshot!(run_on_a_terminal(&home, &["task", "off", "--confirm", &task]), @r"
    exit 0
    -- stdout
    Recording is off for task [SHORT]. What is recorded stays; nothing new is kept, and the agent is
    offered nothing. `continuity task on [SHORT]` brings it back.
    ");
    home.prompt("one", "project", 2, "Never deploy on Friday.");
    let view = home.run(&["view"]);
    assert!(view.contains("recording is off") && !view.contains("Friday"), "{view}");
    assert_snapshot!(run_on_a_terminal(&home, &["task", "on", "--confirm", &task]), @r"
    exit 0
    -- stdout
    Recording is on for task [SHORT].
    ");
    home.prompt("one", "project", 3, "Never deploy on Monday.");
    let view = home.run(&["view"]);
    assert!(view.contains("recording is on") && view.contains("Monday"), "{view}");
}

/// Forms in which a text could be hidden in a file.
fn forms(canary: &str) -> Vec<Vec<u8>> {
    let mut forms =
        vec![canary.as_bytes().to_vec(), HEXLOWER.encode(canary.as_bytes()).into_bytes()];
    for shift in 0..3 {
        let shifted = [vec![b'x'; shift], canary.as_bytes().to_vec()].concat();
        let encoded = BASE64.encode(&shifted);
        // The first and last letters depend on what stands beside the canary.
        forms.push(encoded.as_bytes()[4..encoded.len() - 4].to_vec());
    }
    forms.push(canary.encode_utf16().flat_map(u16::to_le_bytes).collect());
    forms.push(canary.encode_utf16().flat_map(u16::to_be_bytes).collect());
    forms
}

fn hits(folder: &Path, canary: &str) -> usize {
    let contents = files_below(folder).into_iter().map(|file| std::fs::read(file).expect("reads"));
    let forms = forms(canary);
    contents
        .map(|bytes| {
            forms.iter().filter(|form| bytes.windows(form.len()).any(|it| it == &form[..])).count()
        })
        .sum()
}

// field case F045
#[test]
fn what_a_person_deletes_is_gone_from_every_file_and_the_rest_is_said() {
    const CANARY: &str = "kestrel-quarry-7719";
    let home = TestHome::new();
    home.prompt("one", "project", 1, &format!("Never push to the branch {CANARY}."));
    home.prompt("two", "other", 1, "Never push to main.");
    for (event, more) in [
        ("PreCompact", r#","turn_id":"1","trigger":"manual""#),
        ("PostCompact", r#","turn_id":"1","trigger":"manual""#),
        ("SessionStart", r#","source":"compact""#),
    ] {
        home.hear("one", &home.path("project"), event, more);
    }
    assert!(hits(&home.records(), CANARY) > 0, "the canary was never there");
    let listed = home.run(&["explain", "q1", "--json"]);
    assert!(listed.contains(CANARY), "{listed}");
    let view = home.command(BINARY).args(["view", "--json"]).output().expect("runs").stdout;
    let view: serde_json::Value = serde_json::from_slice(&view).expect("is JSON");
    let task = view["task_ref"].as_str().expect("a reference").to_owned();
    let deleted = run_on_a_terminal(&home, &["task", "delete", &task, "--confirm", &task]);
    let deleted = deleted.replace(&task[..6], "[GONE]");
    assert_snapshot!(deleted, @r"
    exit 0
    -- stdout
    Task [GONE] is deleted: log, texts, snapshots, keys, witness and session pointers. An empty
    folder in [FOLDER]/home/.local/share/context-continuity/tombstones remembers that it was there.

    Not ours, and not touched:
      the host's own transcripts, which hold what you wrote and what the agent was offered
      whatever you copied or backed up
    ");
    assert_eq!(hits(&home.records(), CANARY), 0);
    assert_eq!(home.tasks().len(), 1, "the other task is untouched");
    let verified = home.run(&["verify"]);
    assert!(verified.starts_with("exit 0"), "{verified}");
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
    let accepted = run_on_a_terminal(&home, &["recover", "--accept-rollback", "--confirm", &task]);
    assert!(accepted.starts_with("exit 0"), "{accepted}");
    assert!(home.run(&["log"]).contains("you accepted a log that ends before record 2"));
    home.prompt("one", "project", 3, "Never deploy on Monday.");
    let view = home.run(&["view"]);
    assert!(view.contains("Monday") && !view.contains("Friday"), "{view}");
    let verified = home.run(&["verify"]);
    assert!(verified.starts_with("exit 0"), "{verified}");
}
