//! A log that is full: refused clearly, nothing lost, and the user is told.

use crate::support::{Answer, Event, TestHome, home::start};

const RULE: &str = "Never push without my yes.";

/// Sends an event with a small bound on the log's events.
fn send(home: &TestHome, event: &Event) -> Answer {
    let mut command = home.command();
    command.args(["--events-max", "40"]);
    let child = start(&mut command, &home.placed(event).bytes());
    Answer::of(child.wait_with_output().unwrap())
}

// covers: P-129
#[test]
fn a_full_log_takes_nothing_more_loses_nothing_and_is_told_at_the_next_start() {
    let home = TestHome::new();
    send(&home, &Event::prompt("t0", RULE)).assert_silent();
    for number in 1..60 {
        send(&home, &Event::prompt(&format!("t{number}"), "ok")).assert_silent();
    }
    let ordinary = home.read().0.state.event_count;
    assert!((32..=34).contains(&ordinary), "the last share is kept for what matters: {ordinary}");
    for number in 60..80 {
        send(&home, &Event::prompt(&format!("t{number}"), "Never touch prod.")).assert_silent();
    }
    let full = home.read().0.state.event_count;
    assert!(full > ordinary && full <= 40, "{full}");
    let records = home.verify();
    let answer = send(&home, &Event::start("resume"));
    assert_eq!(answer.context(), None);
    let notice = answer.notice().unwrap();
    assert!(notice.starts_with("Continuity is off for this task: "), "{notice}");
    assert_eq!(home.verify(), records);
    // With more room the same task goes on where it was.
    let text = home.send(&Event::start("resume")).context().unwrap();
    assert!(text.contains(RULE), "{text}");
}
