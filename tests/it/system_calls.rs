//! What a hook asks of the system: no network, no other program, nothing of another task.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Answer, Event, TestHome, home::start};

/// Sends an event under a tracer; returns the calls, or `None` where there is no tracer.
fn traced(home: &TestHome, calls: &str, event: &Event) -> Option<String> {
    let log = home.place().join("calls");
    let mut command = Command::new("strace");
    command
        .args(["-f", "-qq", "-s", "4096", "-o"])
        .arg(&log)
        .args(["-e", &format!("trace={calls}"), env!("CARGO_BIN_EXE_continuity")])
        .args(["hook", "codex", "--data-root"])
        .arg(&home.root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    home.clean(&mut command);
    if Command::new("strace").arg("-V").output().is_err() {
        println!("skipped: strace is not installed");
        return None;
    }
    let child = start(&mut command, &home.placed(event).bytes());
    Answer::of(child.wait_with_output().unwrap()).assert_own_form();
    Some(fs::read_to_string(log).unwrap())
}

// covers: P-007, P-042, P-109, P-198, P-199
#[test]
fn an_ordinary_turn_opens_no_socket_and_starts_no_program() {
    let home = TestHome::new();
    let turn = [
        Event::start("startup"),
        Event::prompt("t1", "Please fix the failing test."),
        Event::prompt("t2", "Never push without my yes."),
        Event::stop(),
        Event::end(),
    ];
    for event in turn {
        let Some(calls) = traced(&home, "%network,execve,execveat,fork,vfork", &event) else {
            return;
        };
        assert_eq!(calls.lines().count(), 1, "{calls}");
        assert!(calls.contains("execve("), "{calls}");
    }
}

// field case F023
// covers: P-034
#[test]
fn a_hook_of_one_task_touches_neither_another_task_nor_its_folder() {
    let home = TestHome::new();
    let foreign = home.place().join("foreign-folder");
    fs::create_dir(&foreign).unwrap();
    home.send_silent(&[Event::prompt("t1", "Never push without my yes.").in_folder(&foreign)]);
    let other = home.only_task().to_string();
    let mine = |event: Event| event.of_session("another-session");
    let events = [
        Event::start("startup"),
        Event::prompt("t1", "Never touch prod."),
        Event::pre_compact("auto"),
        Event::post_compact("auto"),
        Event::start("compact"),
        Event::stop(),
    ];
    for event in events {
        // A new conversation asks which tasks there are; it asks nothing of their folders.
        let is_new = event.text("source") == Some("startup");
        let Some(calls) = traced(&home, "%file", &mine(event)) else { return };
        assert!(!calls.contains("foreign-folder"), "{calls}");
        assert!(is_new || !calls.contains(&other), "{other}: {calls}");
    }
}

// covers: P-134, P-240
#[test]
fn a_hook_opens_nothing_of_the_host_and_nothing_of_the_users_home() {
    let home = TestHome::new();
    for folder in [".codex", ".claude", ".config", ".gitconfig"] {
        fs::create_dir(home.place().join(folder)).unwrap();
    }
    home.send_silent(&[Event::prompt("t1", "Never push without my yes.")]);
    for event in [Event::pre_compact("auto"), Event::prompt("t2", "ok")] {
        let Some(calls) = traced(&home, "%file", &event) else { return };
        for folder in [".codex", ".claude", ".config", ".gitconfig"] {
            let path = home.place().join(folder);
            assert!(!calls.contains(Path::to_str(&path).unwrap()), "{folder}: {calls}");
        }
    }
}
