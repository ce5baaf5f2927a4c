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

/// The recorded lines up to the one that holds `needle`, without it.
fn before(needle: &str) -> String {
    RECORDED.split_inclusive('\n').take_while(|line| !line.contains(needle)).collect()
}

#[track_caller]
fn check_arrival(content: &str, mark: &str, expect: Result<bool, Uncheckable>) {
    assert_eq!(transcript(content).has_injected(mark), expect);
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
    let other = RECORDED.replace("hooks.additional_context", "host_skills.instructions");
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
        assert_eq!(transcript.compactions_seen(), Err(reason));
    }
}
