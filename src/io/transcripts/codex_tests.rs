//! Against lines that Codex wrote, with ids, paths and texts replaced.
#![expect(clippy::disallowed_methods, reason = "the tests prepare the files that are read")]

use std::fs;

use super::*;

const RECORDED: &str = include_str!("../../../tests/fixtures/codex/transcript-two-windows.jsonl");
const TOOL_OUTPUT: &str =
    include_str!("../../../tests/fixtures/codex/transcript-tool-output.jsonl");

/// Stands in hook context after the compaction.
const NEW_MARK: &str = "7:0a1b2c3d";
/// Stands in hook context before the compaction only.
const OLD_MARK: &str = "4:99887766";

fn transcript(content: &str) -> CodexTranscript {
    bounded(content, TAIL_BYTES_DEFAULT)
}

fn bounded(content: &str, tail_bytes_max: u64) -> CodexTranscript {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rollout.jsonl");
    fs::write(&path, content).unwrap();
    CodexTranscript::open_bounded(Some(&path), tail_bytes_max)
}

fn at(text: &str) -> Timestamp {
    let stamp: jiff::Timestamp = format!("2026-11-30T{text}Z").parse().unwrap();
    Timestamp::from_millis(stamp.as_millisecond())
}

/// The recorded lines up to the one that holds `needle`, without it.
fn before(needle: &str) -> String {
    RECORDED.split_inclusive('\n').take_while(|line| !line.contains(needle)).collect()
}

#[track_caller]
fn check_arrival(content: &str, mark: &str, expect: Result<bool, Uncheckable>) {
    assert_eq!(transcript(content).has_injected(mark), expect);
}

const fn unclear<T>(reason: Uncheckable) -> Result<T, Uncheckable> {
    Err(reason)
}

#[test]
fn a_mark_in_hook_context_has_arrived_until_the_next_compaction() {
    check_arrival(RECORDED, NEW_MARK, Ok(true));
    check_arrival(RECORDED, OLD_MARK, Ok(false));
    check_arrival(&before("\"compacted\""), OLD_MARK, Ok(true));
    check_arrival(&before(NEW_MARK), NEW_MARK, Ok(false));
    check_arrival(RECORDED, "9:ffffffff", Ok(false));
    check_arrival(RECORDED, "", Ok(false));
}

#[test]
fn a_mark_elsewhere_than_in_hook_context_does_not_count() {
    let mark = "9:ffffffff";
    for holder in ["confirm 7QK4", "reply 7", "summary of earlier work", "<skills_instructions>"] {
        assert!(RECORDED.contains(holder), "{holder}");
        check_arrival(&RECORDED.replace(holder, mark), mark, Ok(false));
    }
    let tool = TOOL_OUTPUT.replace("Schrodinger", mark);
    assert!(tool.contains(mark));
    check_arrival(&format!("{RECORDED}{tool}"), mark, Ok(false));
    // The same role, another kind: instructions that a workspace can influence.
    let other = RECORDED.replace(KIND_HOOK, "host_skills.instructions");
    check_arrival(&other, NEW_MARK, Ok(false));
}

#[test]
fn a_mark_without_a_word_about_its_origin_is_uncheckable() {
    let unmarked = RECORDED.replace("content_item_kinds", "other");
    check_arrival(&unmarked, NEW_MARK, Err(Uncheckable::NotMarked));
}

#[test]
fn an_absent_mark_is_uncheckable_where_lines_are_unreadable_or_unread() {
    let unreadable = Err(Uncheckable::UnreadableLines);
    check_arrival(&format!("{RECORDED}not json\n"), "9:ffffffff", unreadable);
    check_arrival(&format!("{RECORDED}{{\"timest"), "9:ffffffff", unreadable);
    check_arrival(&format!("not json\n{RECORDED}"), "9:ffffffff", Ok(false));
    check_arrival(&format!("{RECORDED}not json\n"), NEW_MARK, Ok(true));
    let deep = format!("{RECORDED}{}\n", "[".repeat(100_000));
    check_arrival(&deep, "9:ffffffff", unreadable);
    let late = RECORDED.lines().skip_while(|line| !line.contains("reply 7"));
    let late_bytes: usize = late.map(|line| line.len() + 1).sum();
    assert_eq!(
        bounded(RECORDED, u64::try_from(late_bytes).unwrap()).has_injected(NEW_MARK),
        Err(Uncheckable::BeyondTail)
    );
}

#[test]
fn a_prompt_is_found_where_the_user_typed_it() {
    let transcript = transcript(RECORDED);
    for (prompt, reported_at) in [
        ("never push to main", "23:52:49.100"),
        ("confirm 7QK4", "23:52:50.051"),
        (" confirm 7QK4\n", "23:52:50.040"),
    ] {
        assert_eq!(transcript.has_prompt(&|text| text == prompt.trim(), at(reported_at)), Ok(true));
    }
}

#[track_caller]
fn check_prompt(content: &str, reported_at: &str, expect: Result<bool, Uncheckable>) {
    assert_eq!(
        transcript(content).has_prompt(&|text| text == "confirm 7QK4", at(reported_at)),
        expect
    );
}

#[test]
fn a_prompt_that_a_completed_turn_does_not_show_is_contradicted() {
    let forged = RECORDED.replace("\"confirm 7QK4\"", "\"run it\"");
    check_prompt(&forged, "23:52:50.060", Ok(false));
    check_prompt(&forged, "23:52:50.114", unclear(Uncheckable::NothingLater));
    check_prompt(&before("confirm 7QK4"), "23:52:50.051", unclear(Uncheckable::NothingLater));
    check_prompt(
        &format!("{forged}not json\n"),
        "23:52:50.060",
        unclear(Uncheckable::UnreadableLines),
    );
}

#[test]
fn a_prompt_typed_long_before_is_not_the_one_reported() {
    let later = RECORDED.replace("T23:52:50.114Z", "T23:59:59.000Z");
    check_prompt(&later, "23:53:50.050", Ok(true));
    check_prompt(&later, "23:53:50.051", Ok(false));
}

#[test]
fn words_that_the_user_did_not_type_corroborate_nothing() {
    let contradicted = Ok(false);
    for kind in ["environments.environment_context", "multi_agent.subagent_notification"] {
        check_prompt(&RECORDED.replace(KIND_USER, kind), "23:52:50.051", contradicted);
    }
    let by_model =
        RECORDED.replace("\"confirm 7QK4\"", "\"run it\"").replace("reply 7", "confirm 7QK4");
    check_prompt(&by_model, "23:52:50.051", contradicted);
    let tool = TOOL_OUTPUT.replace("Schrodinger", "confirm 7QK4").replace("23:52:51", "23:52:50");
    let forged = RECORDED.replace("\"confirm 7QK4\"", "\"run it\"");
    check_prompt(&format!("{forged}{tool}"), "23:52:50.051", contradicted);
}

#[test]
fn a_contradiction_needs_every_line_since_the_report() {
    let forged = RECORDED.replace("\"confirm 7QK4\"", "\"run it\"");
    let last_bytes = forged.lines().last().unwrap().len() + 2;
    let transcript = bounded(&forged, u64::try_from(last_bytes).unwrap());
    assert_eq!(
        transcript.has_prompt(&|text| text == "confirm 7QK4", at("23:52:50.060")),
        Err(Uncheckable::BeyondTail)
    );
}

#[test]
fn compactions_are_counted_with_a_word_on_completeness() {
    let seen = |content: &str| transcript(content).compactions_seen();
    assert_eq!(seen(RECORDED), Ok(Compactions { count: 1, is_complete: true }));
    let twice = format!("{RECORDED}{RECORDED}");
    assert_eq!(seen(&twice), Ok(Compactions { count: 2, is_complete: true }));
    let unclear = format!("{twice}not json\n");
    assert_eq!(seen(&unclear), Ok(Compactions { count: 2, is_complete: false }));
    assert_eq!(
        bounded(&twice, u64::try_from(RECORDED.len()).unwrap()).compactions_seen(),
        Ok(Compactions { count: 1, is_complete: false })
    );
}

#[test]
fn without_a_transcript_nothing_can_be_checked() {
    let missing = Path::new("/nonexistent/rollout.jsonl");
    for (path, reason) in [(None, Unavailable::Unnamed), (Some(missing), Unavailable::Missing)] {
        let transcript = CodexTranscript::open(path);
        let expect = Uncheckable::Unavailable(reason);
        assert_eq!(transcript.has_injected(NEW_MARK), Err(expect));
        let prompt = transcript.has_prompt(&|text| text == "x", at("23:52:50"));
        assert_eq!(prompt, Err(expect));
        assert_eq!(transcript.compactions_seen(), Err(reason));
    }
}
