//! Hooks that are killed: at random moments, and at each system call.

use std::process::{Command, Stdio};

use context_continuity::domain::ports::{Ledger as _, Position};

use crate::support::{Answer, Event, TestHome, home::start};

/// Sends a prompt, and kills the hook after a while; tells whether it had ended well before.
fn killed_after(home: &TestHome, turn: &str, spins: u64) -> bool {
    let event = home.placed(&Event::prompt(turn, "Never push without my yes."));
    let mut child = start(&mut home.command(), &event.bytes());
    for _ in 0..spins {
        std::hint::spin_loop();
    }
    drop(child.kill());
    child.wait().expect("an end").success()
}

fn record_count(home: &TestHome) -> u64 {
    let mut count = 0;
    let mut log = home.home().log(home.only_task());
    log.read(Position::START, &mut |_| count += 1).expect("a whole log");
    count
}

// covers: P-158
#[test]
fn after_two_hundred_kills_at_random_moments_every_acknowledged_prompt_is_there() {
    let home = TestHome::new();
    home.send(&Event::prompt("first", "ok")).assert_silent();
    let mut acknowledged = 1;
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 0..200 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        if killed_after(&home, &format!("t{round}"), (seed >> 33) % 400_000) {
            acknowledged += 1;
        }
        if round % 20 == 19 {
            home.send(&Event::prompt(&format!("whole{round}"), "ok")).assert_silent();
            acknowledged += 1;
            assert!(record_count(&home) >= acknowledged, "round {round}");
        }
    }
    home.verify();
    // Nothing that a kill left stands in the way of a whole boundary.
    home.compact("manual");
    assert!(home.send(&Event::start("compact")).context().is_some());
}

pub fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("-V").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Runs a hook that dies at its `number`-th call of the kind; tells whether it lived through.
pub fn killed_at(home: &TestHome, calls: &str, number: u32, event: &Event) -> bool {
    let mut command = Command::new("strace");
    let inject = format!("inject={calls}:signal=KILL:when={number}");
    command
        .args(["-f", "-qq", "-o", "/dev/null", "-e"])
        .arg(format!("trace={calls}"))
        .args(["-e", &inject, env!("CARGO_BIN_EXE_continuity"), "hook", "codex", "--data-root"])
        .arg(&home.root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    home.clean(&mut command);
    let child = start(&mut command, &home.placed(event).bytes());
    child.wait_with_output().expect("an end").status.success()
}

/// Kills the hook of `event` at every call that may change the disk; `prepare` makes the home.
fn killed_at_every_call(prepare: fn() -> TestHome, event: &Event) {
    if !is_there("strace") {
        println!("skipped: strace is not installed");
        return;
    }
    let calls = "openat,mkdirat,write,pwrite64,fsync,fdatasync,renameat,renameat2,linkat,unlinkat,\
                 ftruncate,flock,fcntl,fchmod,fchmodat";
    let mut number = 1;
    loop {
        let home = prepare();
        if killed_at(&home, calls, number, event) {
            break;
        }
        if home.root.exists() {
            home.verify();
        }
        // The next start needs nobody's help, and the same event leaves one record at most.
        home.send(event).assert_own_form();
        home.send(&Event::prompt("after", "Never push without my yes.")).assert_silent();
        assert!(home.verify() >= 1, "killed at call {number}");
        assert_eq!(home.tasks().len(), 1, "killed at call {number}");
        number += 1;
        assert!(number < 400, "no end of calls");
    }
    assert!(number > 10, "only {number} calls were seen");
}

fn begun() -> TestHome {
    let home = TestHome::new();
    home.send(&Event::prompt("t1", "Never push without my yes.")).assert_silent();
    home
}

// covers: P-135
#[test]
fn a_kill_at_any_call_of_the_first_prompt_leaves_a_state_that_the_next_one_takes_up() {
    killed_at_every_call(TestHome::new, &Event::prompt("t1", "Our goal is to port module A."));
}

// covers: P-135, P-265
#[test]
fn a_kill_at_any_call_of_a_snapshot_leaves_the_old_one_or_the_new_one() {
    killed_at_every_call(begun, &Event::pre_compact("manual"));
}

#[test]
fn a_reader_that_closes_its_end_early_does_not_keep_the_event_from_the_log() {
    let home = begun();
    home.compact("auto");
    let mut child = home.command().spawn().expect("the binary starts");
    drop(child.stdout.take());
    drop(child.stderr.take());
    let bytes = home.placed(&Event::start("compact")).bytes();
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), &bytes).expect("written");
    assert_eq!(child.wait().expect("an end").code(), Some(0));
    let transition = home.read().0.state.transition.expect("a boundary");
    assert_eq!(transition.offer.expect("an offer").attempt, 1);
}

#[test]
fn a_hook_that_is_asked_to_end_leaves_a_whole_log() {
    let home = begun();
    for round in 0_u64..30 {
        let event = home.placed(&Event::prompt(&format!("t{round}"), "ok"));
        let child = start(&mut home.command(), &event.bytes());
        for _ in 0..round * 9_000 {
            std::hint::spin_loop();
        }
        let pid = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
        let asked =
            rustix::process::kill_process(pid.expect("a pid"), rustix::process::Signal::TERM);
        let is_gone = asked == Err(rustix::io::Errno::SRCH);
        assert!(asked.is_ok() || is_gone, "{asked:?}");
        let output = child.wait_with_output().expect("an end");
        assert_eq!(output.stdout, b"");
        home.verify();
    }
    let last = start(&mut home.command(), &home.placed(&Event::prompt("last", "ok")).bytes());
    Answer::of(last.wait_with_output().expect("an end")).assert_silent();
    home.verify();
}

#[test]
fn an_answer_that_cannot_be_written_is_no_failure() {
    let home = begun();
    home.compact("auto");
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a full device");
    let mut command = home.command();
    command.stdout(full);
    let child = start(&mut command, &home.placed(&Event::start("compact")).bytes());
    let output = child.wait_with_output().expect("an end");
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}
