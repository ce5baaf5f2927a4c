//! A writer that does not let go, and what is told of what was missed meanwhile.

use std::fs::File;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};

use crate::support::{Answer, Event, TestHome, scan};

const RULE: &str = "Never push without my yes.";

/// Far above the budget of a hook: only a hook that waits for the lock without a bound exceeds it.
const OUTER: Duration = Duration::from_secs(2);

/// Holds the writer lock of the only task until it is dropped.
fn hold(home: &TestHome) -> File {
    let path = home.root.join("locks").join(format!("{}.lock", home.only_task()));
    let file = File::options().read(true).write(true).open(path).unwrap();
    flock(&file, FlockOperation::NonBlockingLockExclusive).unwrap();
    file
}

// covers: P-197
#[test]
fn a_hook_gives_up_on_a_held_lock_and_the_next_boundary_tells_what_was_missed() {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", RULE)]);
    let before = home.verify();
    let held = hold(&home);
    let started = Instant::now();
    home.send(&Event::prompt("t2", "Our goal is to port module A.")).assert_silent();
    assert!(started.elapsed() < OUTER, "{:?}", started.elapsed());
    assert_eq!(home.verify(), before);
    assert_eq!(scan::files_below(&home.root.join("missed")).len(), 1);
    drop(held);
    home.compact("auto");
    let text = home.send(&Event::start("compact")).context().unwrap();
    let last = text.lines().last().unwrap();
    assert_eq!(last, "not certain: some events may not have been recorded");
    assert_eq!(scan::files_below(&home.root.join("missed")).len(), 0);
    // It is told once, not at every boundary from now on.
    home.compact("auto");
    let text = home.send(&Event::start("compact")).context().unwrap();
    assert!(!text.contains("not certain"), "{text}");
}

#[test]
fn a_hook_that_is_ended_at_its_budget_leaves_a_note_and_the_next_boundary_tells_it() {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", RULE)]);
    let before = home.verify();
    // Each thread's first sync takes longer than a hook may live.
    let calls = "fsync,fdatasync";
    let mut command = Command::new("strace");
    command
        .args(["-f", "-qq", "-o", "/dev/null", "-e"])
        .arg(format!("trace={calls}"))
        .args(["-e", &format!("inject={calls}:delay_enter=3000000:when=1")])
        .args([env!("CARGO_BIN_EXE_continuity"), "hook", "codex", "--data-root"])
        .arg(&home.root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    home.clean(&mut command);
    let event = home.placed(&Event::prompt("t2", "Our goal is to port module A."));
    let Ok(mut child) = command.spawn() else {
        println!("skipped: strace is not installed");
        return;
    };
    drop(child.stdin.take().unwrap().write_all(&event.bytes()));
    // What stands on stderr is the tracer's own.
    assert_eq!(Answer::of(child.wait_with_output().unwrap()).stdout, "");
    assert_eq!(scan::files_below(&home.root.join("missed")).len(), 1);
    assert!(home.verify() <= before + 1);
    home.compact("auto");
    let text = home.send(&Event::start("compact")).context().unwrap();
    assert!(text.ends_with("not certain: some events may not have been recorded"), "{text}");
    assert_eq!(scan::files_below(&home.root.join("missed")).len(), 0);
}

#[test]
fn the_lock_of_a_dead_process_is_free_at_once_whatever_the_file_holds() {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", RULE)]);
    let path = home.root.join("locks").join(format!("{}.lock", home.only_task()));
    for content in [&b""[..], b"999999", b"\0\xff", b"{\"pid\":1}"] {
        std::fs::write(&path, content).unwrap();
        let before = home.verify();
        home.send_silent(&[Event::prompt(&format!("t{before}"), "ok")]);
        assert_eq!(home.verify(), before + 1);
    }
}

#[test]
fn a_reader_needs_no_lock() {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", RULE)]);
    let held = hold(&home);
    assert_eq!(home.read().0.state.quotes.len(), 1);
    home.verify();
    drop(held);
}
