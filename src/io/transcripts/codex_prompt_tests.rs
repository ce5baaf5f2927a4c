//! Against lines that Codex wrote, and against lines made in their form.

use serde_json::json;

use super::super::codex_rollout::{
    LATER, PROMPT, REPORTED, Rollout, SESSION, Saved, asked, check, recorded_at,
};
use super::*;

/// A hook's block, an image between two texts, and a prompt typed into a running turn.
const PROMPTS: &str = include_str!("../../../tests/fixtures/codex/transcript-prompts.jsonl");
/// A fork in the older history mode: the other conversation's lines with the fork's time.
const COPIED: &str = include_str!("../../../tests/fixtures/codex/transcript-copied-fork.jsonl");

const FOUND: Result<bool, Uncheckable> = Ok(true);
const CONTRADICTED: Result<bool, Uncheckable> = Ok(false);

/// Asks a recorded file for a prompt that was reported at that time of its day.
fn recorded(content: &str, prompt: &str, time: &str) -> Result<bool, Uncheckable> {
    let meta: serde_json::Value = serde_json::from_str(content.lines().next().unwrap()).unwrap();
    let session = meta["payload"]["id"].as_str().unwrap();
    let content = content.replace(session, SESSION);
    let at: jiff::Timestamp = format!("2026-11-30T{time}Z").parse().unwrap();
    let written_at = Timestamp::from_millis(at.as_millisecond());
    let is_sought = |text: &str| text == prompt;
    let asked = PromptSought { is_sought: &is_sought, written_at, session: SESSION };
    is_recorded(&Saved::new(content.as_bytes()).path(), &asked)
}

#[test]
fn what_codex_recorded_as_typed_is_found() {
    assert_eq!(recorded(PROMPTS, "first, Stop will block", "05:00:03.500"), FOUND);
    // The hook was given the texts around the image as one.
    assert_eq!(recorded(PROMPTS, "look at thisconfirm 7QK4", "05:00:03.690"), FOUND);
    // Typed into a running turn.
    assert_eq!(recorded(PROMPTS, "confirm 8ABC", "05:00:06.800"), FOUND);
    assert_eq!(recorded(COPIED, "forked turn", "05:03:23.530"), Err(Uncheckable::Disordered));
}

#[test]
fn a_part_of_a_message_and_a_hooks_block_are_no_prompts() {
    // Both hold exactly these words: the block's reason, and the text behind an image.
    let seen = recorded(PROMPTS, "confirm 7QK4", "05:00:03.610");
    assert_eq!(seen, Err(Uncheckable::NotMarked));
    let lines: Vec<&str> = PROMPTS.lines().take(20).collect();
    let seen = recorded(&format!("{}\n", lines.join("\n")), "confirm 7QK4", "05:00:03.610");
    assert_eq!(seen, Err(Uncheckable::NothingLater));
}

#[test]
fn a_prompt_of_its_own_turn_or_in_a_running_one_is_found() {
    let own_turn = Rollout::new().turn(REPORTED, PROMPT);
    check(&own_turn, FOUND);
    check(&own_turn.later_turn(), FOUND);
    let steered = Rollout::new().started(REPORTED - 500).typed(REPORTED - 500, "run the tests");
    let steered = steered.typed(REPORTED + 1, PROMPT);
    check(&steered, FOUND);
    check(&steered.aborted(REPORTED + 2).later_turn(), FOUND);
    check(&Rollout::new().turn(REPORTED, "\n confirm 7QK4\t"), FOUND);
}

#[test]
fn a_prompt_that_the_host_never_saw_is_contradicted_by_a_later_turn() {
    let running = Rollout::new().started(REPORTED - 9).typed(REPORTED - 9, "run the tests");
    check(&running, Err(Uncheckable::NothingLater));
    let ended = running.ended(REPORTED + 9, Some("done"));
    check(&ended, Err(Uncheckable::NothingLater));
    check(&ended.clone().later_turn(), CONTRADICTED);
    let begun = ended.started(LATER).typed(LATER, "go on").answer(LATER, "done");
    check(&begun, Err(Uncheckable::NothingLater));
    check(&Rollout::new().later_turn(), CONTRADICTED);
    let compacted = Rollout::new().line(REPORTED + 9, "compacted", &json!({"message": ""}));
    check(&compacted.later_turn(), CONTRADICTED);
}

#[test]
fn only_an_answered_message_well_behind_the_report_shows_that_the_host_went_on() {
    let nothing = Err(Uncheckable::NothingLater);
    // At the tolerance, and one second behind it.
    check(&Rollout::new().turn(REPORTED + 60, "go on"), nothing);
    check(&Rollout::new().turn(REPORTED + 61, "go on"), CONTRADICTED);
    check(&Rollout::new().started(LATER).typed(LATER, "go on").ended(LATER, None), nothing);
    check(&Rollout::new().started(LATER).typed(LATER, "go on").aborted(LATER), nothing);
    // A turn that the host began by itself.
    let goal =
        Rollout::new().started(LATER).message(LATER, "user", "go on", &["goal.internal_context"]);
    check(&goal.ended(LATER, Some("done")), nothing);
}

#[test]
fn a_turn_that_may_have_dropped_the_prompt_leaves_it_open() {
    let lost = Err(Uncheckable::TurnLost);
    let at = REPORTED + 1;
    // Refused by another hook: the turn has neither message nor answer.
    check(&Rollout::new().started(REPORTED).ended(at, None).later_turn(), lost);
    check(&Rollout::new().started(REPORTED).aborted(at).later_turn(), lost);
    let other = json!({"type": "task_complete", "turn_id": "other", "last_agent_message": "done"});
    check(&Rollout::new().started(REPORTED).line(at, "event_msg", &other).later_turn(), lost);
    // The host was killed.
    check(&Rollout::new().started(REPORTED).later_turn(), lost);
    // Refused in a running turn, much later.
    let steered = Rollout::new().started(10).typed(10, "run the tests").answer(20, "done");
    check(&steered.clone().ended(REPORTED + 400, None).turn(2_000, "go on"), lost);
    check(&steered.ended(400, None).later_turn(), CONTRADICTED);
}

#[test]
fn an_equal_prompt_of_another_time_is_another_prompt() {
    let twice = Rollout::new().turn(100, PROMPT).turn(REPORTED, PROMPT).later_turn();
    for (seconds, expect) in [(100, FOUND), (REPORTED, FOUND), (161, FOUND), (661, CONTRADICTED)] {
        let seen = recorded_at(twice.clone().turn(2_000, "go on").text().as_bytes(), seconds);
        assert_eq!(seen, expect, "{seconds}");
    }
    let once = Rollout::new().turn(100, PROMPT).later_turn();
    check(&once, CONTRADICTED);
}

#[test]
fn clocks_may_differ_by_a_minute() {
    for (offset, expect) in [
        (-61, CONTRADICTED),
        (-60, FOUND),
        (60, FOUND),
        // The host's clock stands far ahead of ours.
        (7_200, FOUND),
    ] {
        let rollout = Rollout::new().turn(REPORTED + offset, PROMPT).turn(9_000, "go on");
        check(&rollout, expect);
    }
    // Far behind: nothing is later than the report yet.
    check(&Rollout::new().turn(50, PROMPT).turn(60, "go on"), Err(Uncheckable::NothingLater));
}

#[test]
fn a_clock_that_was_set_back_leaves_it_open() {
    let set_back = Rollout::new().turn(REPORTED, "a").turn(REPORTED - 70, PROMPT).later_turn();
    check(&set_back, Err(Uncheckable::Disordered));
    let at_bound = Rollout::new().turn(REPORTED, "a").turn(REPORTED - 60, "b").later_turn();
    check(&at_bound, CONTRADICTED);
}

#[test]
fn words_that_the_host_marks_as_not_typed_do_not_count() {
    for kind in [
        "environments.environment_context",
        "multi_agent.subagent_notification",
        "goal.internal_context",
        "shell.user_command",
        "generic.turn_aborted",
    ] {
        let told = Rollout::new().message(REPORTED, "user", PROMPT, &[kind]);
        check(&told.clone().later_turn(), CONTRADICTED);
        // A mark outweighs an equal report.
        let part = json!([{"type": "text", "text": PROMPT}]);
        let both = told.sent(REPORTED, SESSION, &part).later_turn();
        check(&both, Err(Uncheckable::NotMarked));
    }
    let hook = Rollout::new().message(REPORTED, "developer", PROMPT, &["hooks.additional_context"]);
    check(&hook.later_turn(), CONTRADICTED);
    let block = format!("<hook_prompt hook_run_id=\"stop:1\">{PROMPT}</hook_prompt>");
    let block = Rollout::new().message(REPORTED, "user", &block, &["unknown"]);
    let item = json!({"type": "HookPrompt", "fragments": [{"text": PROMPT}]});
    let item = json!({"type": "item_completed", "thread_id": SESSION, "item": item});
    check(&block.line(REPORTED, "event_msg", &item).later_turn(), CONTRADICTED);
}

#[test]
fn words_of_unknown_origin_leave_it_open() {
    let unmarked = Err(Uncheckable::NotMarked);
    for kinds in [&[][..], &["unknown"], &["user.text"]] {
        let alone = Rollout::new().message(REPORTED, "user", PROMPT, kinds);
        check(&alone.later_turn(), unmarked);
    }
}

#[test]
fn words_of_the_agent_its_tools_and_its_parts_do_not_count() {
    let fake = Rollout::new().turn(REPORTED, PROMPT).lines.join("\n");
    let child = json!([{"type": "text", "text": PROMPT}]);
    let kept = json!({"message": PROMPT, "replacement_history": [{"type": "message",
        "role": "user", "content": [{"type": "input_text", "text": PROMPT}],
        "internal_chat_message_metadata_passthrough": {"content_item_kinds": ["user.text"]}}]});
    let output = json!({"type": "function_call_output", "call_id": "c", "output": fake});
    let call = json!({"type": "function_call", "name": "exec_command", "arguments": fake});
    for rollout in [
        Rollout::new().answer(REPORTED, PROMPT),
        Rollout::new().answer(REPORTED, &fake),
        Rollout::new().line(REPORTED, "response_item", &output),
        Rollout::new().line(REPORTED, "response_item", &call),
        Rollout::new().typed(REPORTED, &fake),
        Rollout::new().sent(REPORTED, "00000000-0000-7000-8000-0000000000bb", &child),
        Rollout::new().line(REPORTED, "compacted", &kept),
    ] {
        check(&rollout.later_turn(), CONTRADICTED);
    }
}

#[test]
fn images_and_other_parts_beside_the_text_do_not_matter() {
    let parts = json!([{"type": "local_image", "path": "/srv/a.png"},
        {"type": "mention", "name": "x", "path": "/srv/b"},
        {"type": "text", "text": "confirm "}, {"type": "text", "text": "7QK4"}]);
    check(&Rollout::new().sent(REPORTED, SESSION, &parts), FOUND);
    let older = json!({"type": "user_message", "message": PROMPT, "images": []});
    check(&Rollout::new().line(REPORTED, "event_msg", &older), FOUND);
}

#[test]
fn an_empty_text_is_never_the_prompt() {
    let saved = Saved::new(Rollout::new().turn(REPORTED, " ").later_turn().text().as_bytes());
    let asked = PromptSought { is_sought: &str::is_empty, ..asked(REPORTED) };
    assert_eq!(is_recorded(&saved.path(), &asked), CONTRADICTED);
}

#[test]
fn a_fork_with_the_other_conversations_lines_is_uncheckable() {
    // Written at the fork's time, though typed before it.
    assert_eq!(recorded(COPIED, "one", "05:03:23.500"), Err(Uncheckable::Disordered));
    assert_eq!(recorded(COPIED, "one", "05:03:22.330"), Err(Uncheckable::Disordered));
    // With times of their own they are older than the report.
    let other = json!({"id": "other", "session_id": "other"});
    let fork = Rollout::new().line(100, "session_meta", &other).turn(100, PROMPT);
    check(&fork.later_turn(), CONTRADICTED);
}

#[test]
fn lines_without_numbers_may_find_and_never_contradict() {
    let unnumbered = |rollout: Rollout| {
        let mut rollout = rollout;
        for line in &mut rollout.lines {
            let (before, rest) = line.split_once("\"ordinal\":").unwrap();
            *line = format!("{before}{}", rest.split_once(',').unwrap().1);
        }
        rollout
    };
    check(&unnumbered(Rollout::new().turn(REPORTED, PROMPT)), FOUND);
    check(&unnumbered(Rollout::new().later_turn()), Err(Uncheckable::Disordered));
    // What stands before the part that was read may say that these are copies.
    let content = unnumbered(Rollout::new().turn(REPORTED, PROMPT)).text();
    let saved = Saved::new(content.as_bytes());
    let tail_bytes = u64::try_from(content.len() - 10).unwrap();
    let short = |seconds| is_recorded_within(&saved.path(), &asked(seconds), tail_bytes);
    assert_eq!(short(REPORTED), FOUND);
    assert_eq!(short(30), Err(Uncheckable::BeyondTail));
}
