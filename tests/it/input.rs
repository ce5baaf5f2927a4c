//! What hosts really write into the pipe: cut, doubled, marked, nested, never closed.

use std::io::{Read as _, Write as _};

use context_continuity::domain::event::Event as Recorded;
use context_continuity::domain::event::wire::decode;
use context_continuity::domain::ports::{Ledger as _, Position};

use crate::support::{Answer, Event, TestHome, home::start};

const RULE: &str = "Never push without my yes.";

/// Lengths in characters of the prompts that the only task has seen.
fn prompts_seen(home: &TestHome) -> Vec<u32> {
    let mut lengths = Vec::new();
    let mut log = home.home().log(home.only_task());
    log.read(Position::START, &mut |record| {
        for event in decode(record.payload).expect("a batch").events {
            if let Recorded::PromptSeen { length_chars, .. } = event {
                lengths.push(length_chars);
            }
        }
    })
    .expect("a whole log");
    lengths
}

fn words(home: &TestHome) -> Vec<String> {
    let (folded, texts) = home.read();
    let quotes = folded.state.quotes.values();
    quotes.map(|quote| texts.quote(&quote.draft.body).unwrap().words.as_str().to_owned()).collect()
}

fn prompt_bytes(home: &TestHome, text: &str) -> Vec<u8> {
    home.placed(&Event::prompt("t1", text)).bytes()
}

// field case F035
#[test]
fn byte_order_marks_and_line_ends_around_a_payload_do_no_harm() {
    for lead in ["\u{feff}", "\u{feff}\u{feff}", "\r\n \u{feff}"] {
        let home = TestHome::new();
        let mut bytes = lead.as_bytes().to_vec();
        bytes.extend(prompt_bytes(&home, RULE));
        bytes.extend(b"\r\n\r\n");
        home.send_bytes(&bytes).assert_silent();
        assert_eq!(words(&home), [RULE], "{lead:?}");
    }
}

// field case F036
#[test]
fn lone_surrogates_become_replacement_characters() {
    let home = TestHome::new();
    let text = String::from_utf8(prompt_bytes(&home, "Never keep SLOT here.")).unwrap();
    home.send_bytes(text.replace("SLOT", r"\udc88 and \ud99c").as_bytes()).assert_silent();
    assert_eq!(words(&home), ["Never keep \u{fffd} and \u{fffd} here."]);
    home.verify();
}

#[test]
fn a_payload_cut_anywhere_leaves_nothing() {
    let home = TestHome::new();
    let bytes = prompt_bytes(&home, RULE);
    for length in (0..bytes.len()).step_by(3).chain([bytes.len() - 1]) {
        home.send_bytes(&bytes[..length]).assert_silent();
    }
    assert!(!home.root.exists());
    home.send_bytes(&bytes).assert_silent();
    assert_eq!(words(&home), [RULE]);
}

// field case F033
#[test]
fn a_pipe_that_is_never_closed_is_not_waited_for() {
    let home = TestHome::new();
    for bytes in [prompt_bytes(&home, RULE), Vec::new(), b"{\"prompt\":".to_vec()] {
        let mut child = home.command().spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(&bytes).unwrap();
        pipe.flush().unwrap();
        let mut stdout = String::new();
        child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
        assert_eq!((child.wait().unwrap().code(), stdout.as_str()), (Some(0), ""));
        drop(pipe);
    }
    assert_eq!(words(&home), [RULE]);
}

#[test]
fn a_prompt_of_a_mebibyte_is_counted_and_its_rule_is_kept() {
    let home = TestHome::new();
    let filler = "好".repeat(1024 * 1024 / 3);
    home.send(&Event::prompt("t1", &format!("{RULE}\n\n{filler}"))).assert_silent();
    let expected = RULE.chars().count() + 2 + 1024 * 1024 / 3;
    assert_eq!(prompts_seen(&home), [u32::try_from(expected).unwrap()]);
    assert_eq!(words(&home), [RULE]);
}

#[test]
fn deep_nesting_is_refused_without_a_trace() {
    let home = TestHome::new();
    for depth in [100, 1_000, 10_000, 1_000_000] {
        for open in ["[", "{\"a\":"] {
            let close = if open == "[" { "]" } else { "}" };
            let nested = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            let text = String::from_utf8(prompt_bytes(&home, RULE)).unwrap();
            let payload = format!("{{\"extra\":{nested},{}", &text[1..]);
            home.send_bytes(payload.as_bytes()).assert_silent();
        }
    }
    assert!(!home.root.exists());
    let shallow = format!("{}1{}", "[".repeat(10), "]".repeat(10));
    let text = String::from_utf8(prompt_bytes(&home, RULE)).unwrap();
    home.send_bytes(format!("{{\"extra\":{shallow},{}", &text[1..]).as_bytes()).assert_silent();
    assert_eq!(words(&home), [RULE]);
}

#[test]
fn a_payload_that_names_a_field_twice_mints_nothing() {
    let home = TestHome::new();
    let text = String::from_utf8(prompt_bytes(&home, RULE)).unwrap();
    home.send_bytes(format!("{{\"prompt\":\"ok\",{}", &text[1..]).as_bytes()).assert_silent();
    assert!(!home.root.exists());
}

#[test]
fn odd_values_end_in_silence_and_a_whole_log() {
    let home = TestHome::new();
    home.send(&Event::prompt("t0", RULE)).assert_silent();
    let odd = [
        Event::prompt("t1", "ok").without("cwd"),
        Event::prompt("t2", "ok").without("cwd").with("workspace_roots", Vec::<String>::new()),
        Event::prompt("t3", "ok").with("cwd", 7),
        Event::prompt("t4", "ok").with("cwd", "relative/folder"),
        Event::prompt("t5", "ok").with("cwd", "/"),
        Event::prompt("t6", "ok").with("cwd", "nul\u{0}byte"),
        Event::prompt("t7", "ok").with("transcript_path", true),
        Event::prompt("t8", "ok").without("transcript_path"),
        Event::prompt("t9", "ok").with("hook_event_name", "SomethingNew"),
        Event::prompt("t10", "ok").with("hook_event_name", 3),
        Event::prompt("t11", "ok").without("hook_event_name"),
        Event::prompt("t12", "ok").without("session_id"),
        Event::prompt("t13", "ok").with("prompt", 5),
        Event::prompt("t14", "ok").with("session_id", "x".repeat(100_000)),
        Event::prompt("t15", "ok").with("turn_id", serde_json::json!({"a": 1})),
        Event::pre_compact("auto").with("trigger", 9),
        Event::stop().with("stop_hook_active", "maybe"),
        Event::start("startup").with("model", serde_json::Value::Null),
    ];
    for event in odd {
        home.send(&event).assert_own_form();
    }
    home.verify();
    assert_eq!(words(&home), [RULE]);
}

#[test]
fn bytes_that_are_no_payload_at_all_end_in_silence() {
    let home = TestHome::new();
    let inputs: [&[u8]; 8] =
        [b"", b"null", b"[]", b"{}", b"\xff\xfe{\x00}\x00", b"{\"a\":\xff}", b"\0", b"yes"];
    for bytes in inputs {
        home.send_bytes(bytes).assert_silent();
    }
    assert!(!home.root.exists());
}

// field case F030
#[test]
fn a_prompt_that_two_processes_report_at_once_is_one_event() {
    let home = TestHome::new();
    for round in 0..50 {
        let bytes = home.placed(&Event::prompt(&format!("t{round}"), "ok")).bytes();
        let pair = [start(&mut home.command(), &bytes), start(&mut home.command(), &bytes)];
        for child in pair {
            Answer::of(child.wait_with_output().unwrap()).assert_silent();
        }
    }
    assert_eq!(prompts_seen(&home).len(), 50);
    assert_eq!(home.verify(), 50);
}

// field case F030
#[test]
fn one_boundary_that_two_processes_report_at_once_is_offered_once() {
    for _ in 0..10 {
        let home = TestHome::new();
        home.send_silent(&[Event::prompt("t1", RULE)]);
        home.compact("auto");
        let bytes = home.placed(&Event::start("compact")).bytes();
        let pair = [start(&mut home.command(), &bytes), start(&mut home.command(), &bytes)];
        let offers = pair
            .into_iter()
            .filter_map(|child| Answer::of(child.wait_with_output().unwrap()).context());
        assert_eq!(offers.count(), 1);
    }
}

#[test]
fn eight_different_events_at_once_leave_a_whole_log_and_one_offer_at_most() {
    for round in 0..5 {
        let home = TestHome::new();
        home.send_silent(&[Event::prompt("t0", RULE)]);
        let events = [
            Event::prompt("t1", "ok"),
            Event::prompt("t2", "Our goal is to port module A."),
            Event::pre_compact("auto"),
            Event::post_compact("auto"),
            Event::start("compact"),
            Event::stop(),
            Event::child_start("c1"),
            Event::end(),
        ];
        let children: Vec<_> = events
            .iter()
            .map(|event| start(&mut home.command(), &home.placed(event).bytes()))
            .collect();
        let answers: Vec<_> = children
            .into_iter()
            .map(|child| Answer::of(child.wait_with_output().unwrap()))
            .collect();
        answers.iter().for_each(Answer::assert_own_form);
        let offers = answers.iter().filter(|answer| answer.context().is_some()).count();
        assert!(offers <= 2, "round {round}: {offers}");
        assert_eq!(prompts_seen(&home).len(), 3);
        home.verify();
    }
}
