//! Files that are missing, foreign, cut, patched or garbage: never an answer that they do not hold.
#![expect(clippy::disallowed_methods, reason = "the tests prepare the files that are read")]

use proptest::prelude::*;
use serde_json::json;

use super::super::Unavailable;
use super::super::codex_rollout::{
    PROMPT, REPORTED, Rollout, SESSION, Saved, asked, check, recorded_at,
};
use super::*;

const FOUND: Result<bool, Uncheckable> = Ok(true);
const CONTRADICTED: Result<bool, Uncheckable> = Ok(false);
const UNREADABLE: Result<bool, Uncheckable> = Err(Uncheckable::UnreadableLines);
const DISORDERED: Result<bool, Uncheckable> = Err(Uncheckable::Disordered);
const OTHER_SESSION: Result<bool, Uncheckable> = Err(Uncheckable::OtherSession);

fn confirmed() -> Rollout {
    Rollout::new().turn(REPORTED, PROMPT).later_turn()
}

fn forged() -> Rollout {
    let forged = Rollout::new().started(REPORTED).typed(REPORTED, "run the tests");
    let fake = confirmed().lines.join("\n");
    let output = json!({"type": "function_call_output", "call_id": "c", "output": fake});
    forged.line(REPORTED, "response_item", &output).ended(REPORTED, Some("done")).later_turn()
}

#[track_caller]
fn check_text(content: &str, expect: Result<bool, Uncheckable>) {
    assert_eq!(recorded_at(content.as_bytes(), REPORTED), expect);
}

#[test]
fn the_files_that_are_damaged_here_answer_while_they_are_whole() {
    check(&confirmed(), FOUND);
    check(&forged(), CONTRADICTED);
}

#[test]
fn a_file_of_another_session_or_of_a_sub_agent_is_uncheckable() {
    let content = confirmed().text();
    let other = "00000000-0000-7000-8000-0000000000bb";
    check_text(&content.replace(SESSION, other), OTHER_SESSION);
    let child = json!({"session_id": SESSION, "id": other}).to_string();
    let own = json!({"session_id": SESSION, "id": SESSION}).to_string();
    let first = format!(r#"{{"type":"session_meta","payload":{own}}}"#);
    let rest = content.split_once('\n').unwrap().1;
    check_text(&format!("{first}\n{rest}"), FOUND);
    check_text(&format!("{}\n{rest}", first.replace(&own, &child)), OTHER_SESSION);
    check_text(rest, OTHER_SESSION);

    let saved = Saved::new(content.as_bytes());
    let elsewhere = saved.path().with_file_name(format!("rollout-{other}.jsonl"));
    std::fs::copy(saved.path(), &elsewhere).unwrap();
    assert_eq!(is_recorded(&elsewhere, &asked(REPORTED)), OTHER_SESSION);
    for session in ["", other] {
        let asked = PromptSought { session, ..asked(REPORTED) };
        assert_eq!(is_recorded(&saved.path(), &asked), OTHER_SESSION);
    }
}

#[test]
fn what_is_no_readable_file_is_uncheckable() {
    let ask = |path: &Path| is_recorded(path, &asked(REPORTED));
    let unavailable = |reason| Err(Uncheckable::Unavailable(reason));
    let saved = Saved::new(b"");
    assert_eq!(ask(&saved.path()), OTHER_SESSION);
    std::fs::remove_file(saved.path()).unwrap();
    assert_eq!(ask(&saved.path()), unavailable(Unavailable::Missing));
    assert_eq!(ask(Path::new("rollout.jsonl")), unavailable(Unavailable::Unnamed));
    std::fs::create_dir(saved.path()).unwrap();
    assert_eq!(ask(&saved.path()), unavailable(Unavailable::NotAFile));
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_not_followed() {
    let real = Saved::new(confirmed().text().as_bytes());
    for is_link in [true, false] {
        let saved = Saved::new(b"");
        std::fs::remove_file(saved.path()).unwrap();
        if is_link {
            std::os::unix::fs::symlink(real.path(), saved.path()).unwrap();
        } else {
            let made = std::process::Command::new("mkfifo").arg(saved.path()).status().unwrap();
            assert!(made.success());
        }
        let seen = is_recorded(&saved.path(), &asked(REPORTED));
        assert_eq!(seen, Err(Uncheckable::Unavailable(Unavailable::NotAFile)));
    }
}

#[test]
fn line_ends_of_another_system_and_blank_lines_change_nothing() {
    check_text(&confirmed().text().replace('\n', "\r\n"), FOUND);
    check_text(&forged().text().replace('\n', "\r\n\r\n \r\n"), CONTRADICTED);
}

#[test]
fn a_mark_of_byte_order_is_nothing_that_codex_writes() {
    check_text(&format!("\u{feff}{}", confirmed().text()), OTHER_SESSION);
    let mut later = forged();
    later.lines[6].insert(0, '\u{feff}');
    check(&later, UNREADABLE);
}

#[test]
fn keys_that_occur_twice_make_a_line_unreadable() {
    for (key, twice) in [
        ("\"type\":\"event_msg\"", "\"type\":\"event_msg\",\"type\":\"event_msg\""),
        ("\"type\":\"UserMessage\"", "\"type\":\"UserMessage\",\"type\":\"UserMessage\""),
        (
            &format!("\"text\":\"{PROMPT}\""),
            &format!("\"text\":\"{PROMPT}\",\"text\":\"{PROMPT}\""),
        ),
        ("\"content\":", "\"content\":[],\"content\":"),
    ] {
        let damaged: Vec<String> = confirmed()
            .lines
            .iter()
            .map(|line| if line.contains(PROMPT) { line.replace(key, twice) } else { line.clone() })
            .collect();
        let content = damaged.join("\n") + "\n";
        assert_ne!(content, confirmed().text());
        let seen = recorded_at(content.as_bytes(), REPORTED);
        assert!(seen == UNREADABLE || seen == Err(Uncheckable::NotMarked), "{key}: {seen:?}");
    }
}

#[test]
fn unfinished_and_unreadable_lines_leave_it_open() {
    let content = forged().text();
    check_text(&format!("{content}{{\"timestamp\":"), UNREADABLE);
    check_text(content.trim_end(), UNREADABLE);
    check_text(&format!("{content}not json\n"), UNREADABLE);
    check_text(&format!("{content}{}\n", "[".repeat(100_000)), UNREADABLE);
    check(&forged().raw(r#"{"ordinal":17,"type":"event_msg","payload":{"type":"x"}}"#), UNREADABLE);
    check_text(&confirmed().text().replace("\"timestamp\":\"2", "\"timestamp\":\"x"), UNREADABLE);
    // What is found stays found.
    check_text(&format!("{}not json\n", confirmed().text()), FOUND);
    check_text(confirmed().text().trim_end(), FOUND);
}

#[test]
fn a_line_that_is_missing_or_stands_twice_leaves_it_open() {
    let lines = forged().lines;
    for (place, line) in lines.iter().enumerate().take(lines.len() - 1).skip(1) {
        let mut gap = forged();
        gap.lines.remove(place);
        let mut twice = forged();
        twice.lines.insert(place, line.clone());
        for seen in [&gap, &twice].map(|made| recorded_at(made.text().as_bytes(), REPORTED)) {
            assert!(seen == DISORDERED || seen == Err(Uncheckable::TurnLost), "{place}: {seen:?}");
        }
    }
    let undone = forged().line(1_000, "event_msg", &json!({"type": "thread_rolled_back"}));
    check(&undone, DISORDERED);
}

#[test]
fn what_lies_beyond_the_part_that_is_read_leaves_it_open() {
    let content = forged().text();
    let saved = Saved::new(content.as_bytes());
    let late_bytes: usize = forged().lines.iter().rev().take(6).map(|line| line.len() + 1).sum();
    let seen = is_recorded_within(&saved.path(), &asked(REPORTED), late_bytes.try_into().unwrap());
    assert_eq!(seen, Err(Uncheckable::BeyondTail));
    // A long line in the span, and one before it.
    let long = "x".repeat(1024 * 1024);
    let hidden = Rollout::new().turn(REPORTED, PROMPT).answer(REPORTED, &long).later_turn();
    check(&hidden, Err(Uncheckable::BeyondTail));
    let before = Rollout::new().answer(2, &long).started(100).typed(100, "run the tests");
    let before = before.ended(200, Some("done"));
    check(&before.clone().later_turn(), CONTRADICTED);
    check(&before.turn(REPORTED, PROMPT), FOUND);
}

#[test]
fn a_turn_whose_beginning_is_not_read_may_have_been_lost() {
    let lost = Err(Uncheckable::TurnLost);
    let running = Rollout::new().started(10).typed(10, "run the tests").answer(20, "a");
    let unread_count = running.lines.len() - 1;
    let (aborted, ended) = (running.clone().aborted(700), running.clone().ended(700, Some("a")));
    for (rollout, expect) in [(aborted, lost), (running, lost), (ended, CONTRADICTED)] {
        let rollout = rollout.later_turn();
        let unread_bytes: usize =
            rollout.lines.iter().take(unread_count).map(|line| line.len() + 1).sum();
        let content = rollout.text();
        // One byte more: the line before the first whole one is always left out.
        let tail_bytes = (content.len() - unread_bytes + 1).try_into().unwrap();
        let saved = Saved::new(content.as_bytes());
        assert_eq!(is_recorded_within(&saved.path(), &asked(REPORTED), tail_bytes), expect);
    }
    // An end without a beginning is nothing that the host writes.
    check(&Rollout::new().ended(700, Some("a")).later_turn(), lost);
    check(&Rollout::new().ended(100, Some("a")).later_turn(), CONTRADICTED);
}

#[test]
fn times_at_the_ends_of_the_calendar_are_survived() {
    let saved = Saved::new(forged().text().as_bytes());
    for (millis, expect) in [(i64::MIN, CONTRADICTED), (i64::MAX, Err(Uncheckable::NothingLater))] {
        let written_at = Timestamp::from_millis(millis);
        let asked = PromptSought { written_at, ..asked(0) };
        assert_eq!(is_recorded(&saved.path(), &asked), expect);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn garbage_answers_nothing(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        prop_assert!(recorded_at(&bytes, REPORTED).is_err());
        let mut own = Rollout::new().text().into_bytes();
        own.extend(bytes);
        prop_assert!(recorded_at(&own, REPORTED).is_err());
    }

    #[test]
    fn a_cut_file_never_denies_what_it_held_nor_finds_what_it_did_not(
        (from, to) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        filler in proptest::collection::vec(any::<u8>(), 0..4),
    ) {
        for (content, never) in [(confirmed().text(), CONTRADICTED), (forged().text(), FOUND)] {
            let place = |index: prop::sample::Index| index.index(content.len() + 1);
            let (start, end) = (place(from).min(place(to)), place(from).max(place(to)));
            let mut cut = content.as_bytes()[..start].to_vec();
            cut.extend(&filler);
            cut.extend(&content.as_bytes()[end..]);
            prop_assert_ne!(recorded_at(&cut, REPORTED), never);
        }
    }
}
