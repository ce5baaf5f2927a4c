//! Conversations that go on with an earlier one under a new name, and texts that only say so.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use crate::support::{Event, TestHome, scan};

const RULE: &str = "Never push without my yes.";
const LEAVE: &str = "You may push to the branch release-1.";
const OTHER: &str = "01900000-0000-7000-8000-0000000000f1";
pub const HOOK: &str = "hooks.additional_context";

/// A task with a rule and an authorization behind a compaction, and the text that was offered.
fn offered() -> (TestHome, String) {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", RULE), Event::prompt("t2", LEAVE)]);
    home.compact("auto");
    let answer = home.send(&Event::start("compact"));
    let text = format!("{}\n{}", answer.context().unwrap(), answer.mark());
    (home, text)
}

/// Writes a transcript of one message, as the host writes it.
pub fn transcript(home: &TestHome, role: &str, kind: &str, text: &str) -> PathBuf {
    let line = json!({
        "timestamp": "2026-11-30T23:52:49.373Z",
        "type": "response_item",
        "payload": {
            "type": "message",
            "role": role,
            "content": [{"type": "input_text", "text": text}],
            "internal_chat_message_metadata_passthrough": {"content_item_kinds": [kind]},
        },
    });
    let path = home.place().join("copy.jsonl");
    fs::write(&path, format!("{line}\n")).unwrap();
    path
}

pub fn of_copy(event: Event, transcript: &std::path::Path) -> Event {
    event.of_session(OTHER).with("transcript_path", transcript.to_str().unwrap())
}

// field case F032
#[test]
fn a_fork_takes_over_all_but_what_was_allowed_and_says_so() {
    let (home, text) = offered();
    let copy = transcript(&home, "developer", HOOK, &text);
    let old = home.only_task();
    let answer = home.send(&of_copy(Event::start("fork"), &copy));
    let text = answer.context().unwrap();
    assert!(text.contains("the records were copied as they stand now"), "{text}");
    assert!(text.contains("not as they stood at the fork"), "{text}");
    assert!(text.contains("Authorizations there are not inherited: q2."), "{text}");
    assert!(text.contains(RULE) && !text.contains(LEAVE), "{text}");
    let tasks = home.tasks();
    assert_eq!(tasks.len(), 2);
    let new = *tasks.iter().find(|task| **task != old).unwrap();
    assert!(scan::files_with(&home.root.join("tasks").join(new.to_string()), LEAVE).is_empty());
    // The two go on apart.
    home.send_silent(&[of_copy(Event::prompt("t3", "Never deploy on a Friday."), &copy)]);
    home.compact("auto");
    let text = home.send(&Event::start("compact")).context().unwrap();
    assert!(text.contains(LEAVE) && !text.contains("Friday"), "{text}");
    home.verify();
}

// field case F032
#[test]
fn a_fork_that_was_killed_before_it_took_anything_over_does_so_at_the_next_prompt() {
    let (home, text) = offered();
    let copy = transcript(&home, "developer", HOOK, &text);
    let old = home.only_task();
    home.send(&of_copy(Event::start("fork"), &copy));
    let new = home.tasks().into_iter().find(|task| *task != old).unwrap().to_string();
    fs::remove_dir_all(home.root.join("tasks").join(&new)).unwrap();
    fs::remove_file(home.root.join("anchors").join(&new)).unwrap();
    home.send(&of_copy(Event::prompt("t3", "ok"), &copy)).assert_own_form();
    let names: Vec<String> = home.tasks().iter().map(ToString::to_string).collect();
    assert!(names.len() == 2 && names.contains(&new), "{names:?}");
    home.send_silent(&[
        of_copy(Event::pre_compact("auto"), &copy),
        of_copy(Event::post_compact("auto"), &copy),
    ]);
    let text = home.send(&of_copy(Event::start("compact"), &copy)).context().unwrap();
    assert!(text.contains(RULE) && text.contains("not inherited: q2"), "{text}");
    home.verify();
}

// field case F032
#[test]
fn a_resume_under_another_name_goes_on_in_the_same_task_and_is_told_the_notes() {
    let (home, text) = offered();
    let copy = transcript(&home, "developer", HOOK, &text);
    let text = home.send(&of_copy(Event::start("resume"), &copy)).context().unwrap();
    assert!(text.contains(RULE) && text.contains(LEAVE) && !text.contains("fork"), "{text}");
    home.send_silent(&[of_copy(Event::prompt("t3", "Never deploy on a Friday."), &copy)]);
    home.only_task();
    assert_eq!(home.read().0.state.quotes.len(), 3);
}

#[test]
fn a_mark_that_no_hook_gave_or_that_is_not_ours_claims_no_lineage() {
    let (home, text) = offered();
    let mark = text.lines().last().unwrap();
    let (front, last) = mark.split_at(mark.len() - 1);
    let other = format!("{front}{}", if last == "0" { "1" } else { "0" });
    let (home_of_another, text_of_another) = offered();
    drop(home_of_another);
    let cases = [
        ("user", "user.text", text.as_str()),
        ("user", HOOK, &text),
        ("developer", "user.text", &text),
        ("developer", "instructions.agents_md", &text),
        ("developer", "unknown", &text),
        ("assistant", HOOK, &text),
        ("tool", HOOK, &text),
        ("developer", HOOK, &other),
        ("developer", HOOK, &mark.replace(' ', "  ")),
        ("developer", HOOK, &format!("> {mark}")),
        ("developer", HOOK, &text_of_another),
        ("developer", HOOK, "continuity-mark"),
        ("developer", HOOK, "continuity-mark ../../etc/passwd 1:00 00"),
    ];
    let before = scan::contents(&home.root);
    for (role, kind, text) in cases {
        let copy = transcript(&home, role, kind, text);
        for source in ["fork", "resume", "startup", "something-new"] {
            home.send_silent(&[of_copy(Event::start(source), &copy)]);
        }
        assert_eq!(scan::contents(&home.root), before, "{role} {kind}");
    }
    let copy = transcript(&home, "user", "user.text", &text);
    home.send_silent(&[of_copy(Event::prompt("t3", "ok"), &copy)]);
    assert_eq!(home.tasks().len(), 2);
    let inherited = scan::files_with(&home.root, RULE);
    assert_eq!(inherited.len(), 1, "{inherited:?}");
}

#[test]
fn a_forks_ancestor_that_was_deleted_gives_nothing() {
    let (home, text) = offered();
    let copy = transcript(&home, "developer", HOOK, &text);
    let old = home.only_task();
    home.home().root().delete_task(old).unwrap();
    for source in ["fork", "resume", "startup"] {
        home.send_silent(&[of_copy(Event::start(source), &copy)]);
    }
    home.send_silent(&[of_copy(Event::prompt("t3", "ok"), &copy)]);
    assert!(scan::files_with(&home.root, RULE).is_empty());
    assert_eq!(home.read().0.state.quotes.len(), 0);
}
