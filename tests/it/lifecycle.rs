//! Lifecycles of Codex, in the orders in which it really sends them.

use crate::support::{Event, TestHome};

const GOAL: &str = "Our goal is to port module A to async.";
const RULE: &str = "Never push without my yes.";

/// The notes after [`GOAL`] and [`RULE`], with what else is to be said in the last line.
fn notes(last: &str) -> String {
    let mut lines = vec![
        "Continuity notes: what is recorded for this task on this machine. They replace earlier \
         notes of this kind. They are records, not orders.",
        "quote = in a prompt the user wrote these words; their reading is not confirmed.",
        "constraint q2 (quote): “Never push without my yes.”",
        "goal q1 (quote): “Our goal is to port module A to async.”",
        "work: branch “main” at <head> in “<workspace>”",
    ];
    if !last.is_empty() {
        lines.push(last);
    }
    lines.join("\n")
}

fn begun() -> TestHome {
    let home = TestHome::new();
    home.send_silent(&[Event::start("startup"), Event::prompt("t1", GOAL), Event::stop()]);
    home.send_silent(&[Event::prompt("t2", RULE), Event::stop()]);
    home
}

#[track_caller]
fn offered(home: &TestHome, event: &Event) -> String {
    let answer = home.send(event);
    answer.assert_own_form();
    assert_eq!(answer.notice(), None);
    home.plain(&answer.context().expect("an offer"))
}

// covers: P-008, P-195, P-264
#[test]
fn an_ordinary_turn_is_silent_from_start_to_end() {
    let home = TestHome::new();
    home.send_silent(&[
        Event::start("startup"),
        Event::prompt("t1", "Please fix the failing test."),
        Event::stop(),
        Event::end(),
    ]);
    home.verify();
}

// covers: P-003
#[test]
fn a_manual_compaction_offers_the_notes_at_the_start_of_the_next_turn() {
    let home = begun();
    home.compact("manual");
    assert_eq!(offered(&home, &Event::start("compact")), notes(""));
    home.send(&Event::prompt("t3", "continue")).assert_silent();
}

#[test]
fn the_whole_answer_of_a_session_start_has_the_form_of_the_host_and_nothing_else() {
    let home = begun();
    home.compact("manual");
    let answer = home.send(&Event::start("compact"));
    let text = format!("{}\n{}", answer.context().unwrap(), answer.mark());
    let expected = serde_json::json!({
        "hookSpecificOutput": { "hookEventName": "SessionStart", "additionalContext": text }
    });
    assert_eq!(serde_json::from_str::<serde_json::Value>(&answer.stdout).unwrap(), expected);
    assert_eq!(answer.stderr, "");
}

// field case F001
#[test]
fn a_compaction_within_a_turn_leads_with_the_goal_and_without_the_side_question() {
    let home = begun();
    home.send_silent(&[Event::prompt("t3", "what does flag -x do?")]);
    home.compact("auto");
    let text = offered(&home, &Event::start("compact"));
    assert_eq!(text, notes(""));
    home.send_silent(&[Event::stop()]);
}

// field case F002
#[test]
fn a_bare_continue_after_a_compaction_brings_nothing_of_its_own() {
    let home = begun();
    home.compact("auto");
    assert_eq!(offered(&home, &Event::prompt("t3", "continue")), notes(""));
    let (folded, _) = home.read();
    assert_eq!(folded.state.quotes.len(), 2);
    assert_eq!(folded.state.items.len(), 0);
}

// field case F004
// covers: P-016
#[test]
fn three_compactions_in_a_row_offer_the_same_text() {
    let home = begun();
    let mut marks = Vec::new();
    for _ in 0..3 {
        home.compact("auto");
        let answer = home.send(&Event::start("compact"));
        assert_eq!(home.plain(&answer.context().unwrap()), notes(""));
        marks.push(answer.mark());
    }
    marks.dedup();
    assert_eq!(marks.len(), 3);
}

#[test]
fn a_resume_with_a_full_context_offers_the_notes_once_in_all() {
    let home = begun();
    home.send_silent(&[Event::stop(), Event::end()]);
    let orders = [
        [Event::start("resume"), Event::start("compact")],
        [Event::start("compact"), Event::start("resume")],
    ];
    for starts in orders {
        home.compact("auto");
        let events = starts.into_iter().chain([Event::prompt("t9", "go on with it please")]);
        let contexts: Vec<_> = events.filter_map(|event| home.send(&event).context()).collect();
        assert_eq!(contexts.len(), 1, "{contexts:?}");
        assert_eq!(home.plain(&contexts[0]), notes(""));
    }
}

#[test]
fn a_session_start_before_the_end_of_the_compaction_is_the_same_boundary() {
    let home = begun();
    home.send_silent(&[Event::pre_compact("auto")]);
    let early = home.send(&Event::start("compact"));
    home.send_silent(&[Event::post_compact("auto"), Event::prompt("t3", "ok")]);
    assert!(early.context().is_some());
    assert_eq!(home.read().0.state.epoch_count, 1);
}

// covers: P-145
#[test]
fn an_ordinary_resume_offers_the_notes_and_tells_the_user_nothing() {
    let home = begun();
    home.send_silent(&[Event::stop(), Event::end()]);
    assert_eq!(offered(&home, &Event::start("resume")), notes(""));
    home.send(&Event::prompt("t3", "go")).assert_silent();
}

// covers: P-130
#[test]
fn after_a_clear_nothing_of_before_is_offered_and_the_history_stays() {
    let home = begun();
    let before = home.verify();
    home.send_silent(&[Event::start("clear"), Event::prompt("t3", "hello")]);
    home.compact("manual");
    home.send(&Event::start("compact")).assert_silent();
    assert_eq!(home.read().0.state.quotes.len(), 0);
    assert!(home.verify() > before);
}

// covers: P-146
#[test]
fn another_model_gets_the_same_notes_once() {
    let home = begun();
    let prompt = |turn, text: &str| Event::prompt(turn, text).with("model", "other-model");
    assert_eq!(offered(&home, &prompt("t3", "ok")), notes(""));
    home.send(&prompt("t4", "ok then")).assert_silent();
}

// field case F028
// covers: P-212
#[test]
fn a_compaction_that_nobody_announced_is_marked_as_unprotected() {
    let home = begun();
    home.send_silent(&[Event::prompt("t3", "ok")]);
    let text = offered(&home, &Event::start("compact"));
    assert_eq!(
        text,
        notes(
            "not certain: no snapshot was taken before this boundary; the host did not announce \
             this compaction; it was unprotected; whether the compaction completed is unknown"
        )
    );
    let class = home.read().0.state.transition.unwrap().class.unwrap();
    assert_eq!(class.name(), "continue_with_markers");
}

// covers: P-138, P-213
#[test]
fn a_compaction_whose_end_was_not_reported_stays_unknown() {
    let home = begun();
    home.send_silent(&[Event::pre_compact("manual")]);
    let text = offered(&home, &Event::start("compact"));
    assert_eq!(text, notes("not certain: whether the compaction completed is unknown"));
    assert!(!home.read().0.state.transition.unwrap().is_completed);
}

#[test]
fn an_announcement_without_a_compaction_offers_nothing() {
    let home = begun();
    home.send_silent(&[Event::pre_compact("manual"), Event::prompt("t3", "ok")]);
    assert!(home.read().0.state.open_transition().is_some());
}

// field case F031
#[test]
fn five_prompts_after_a_compaction_get_the_notes_once_at_most() {
    let home = begun();
    home.compact("auto");
    assert_eq!(offered(&home, &Event::start("compact")), notes(""));
    for turn in ["t3", "t4", "t5", "t6", "t7"] {
        home.send(&Event::prompt(turn, "and then?")).assert_silent();
    }
    let home = begun();
    home.compact("auto");
    assert_eq!(offered(&home, &Event::prompt("t3", "and then?")), notes(""));
    for turn in ["t4", "t5", "t6", "t7"] {
        home.send(&Event::prompt(turn, "and then?")).assert_silent();
    }
}

// field case F031
#[test]
fn an_offer_that_the_transcript_lacks_is_made_once_more_and_never_again() {
    let home = begun();
    let session = Event::stop().text("session_id").unwrap().to_owned();
    let line = format!(
        "{{\"timestamp\":\"2026-01-02T03:04:05.000Z\",\"type\":\"session_meta\",\
         \"payload\":{{\"id\":\"{session}\",\"session_id\":\"{session}\"}}}}\n"
    );
    std::fs::write(home.place().join("rollout.jsonl"), line).unwrap();
    home.compact("auto");
    let first = home.send(&Event::start("compact"));
    let turns = ["t3", "t4", "t5", "t6", "t7"];
    let later: Vec<_> =
        turns.iter().map(|turn| home.send(&Event::prompt(turn, "and then?"))).collect();
    let again: Vec<_> = later.iter().filter_map(super::support::Answer::context).collect();
    assert_eq!(again, [first.context().unwrap()]);
}

// covers: P-217
#[test]
fn of_two_values_the_later_stands_first_and_unmarked() {
    let home = TestHome::new();
    home.send_silent(&[
        Event::prompt("t1", "Always use port 8080 for the server."),
        Event::prompt("t2", "Always use port 9090 for the server."),
    ]);
    home.compact("manual");
    let text = offered(&home, &Event::start("compact"));
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("port")).collect();
    assert_eq!(
        lines,
        [
            "constraint q2 (quote): “Always use port 9090 for the server.”",
            "constraint q1 (quote, possibly replaced by q2): “Always use port 8080 for the server.”"
        ]
    );
}

// covers: P-110
#[test]
fn chinese_words_cross_a_compaction_word_for_word() {
    let home = TestHome::new();
    home.send_silent(&[
        Event::prompt("t1", "我们的目标是把模块 A 迁移到异步。没有我的同意不要推送到 main。"),
        Event::prompt("t2", "继续"),
    ]);
    home.compact("auto");
    let text = offered(&home, &Event::prompt("t3", "继续"));
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("(quote)")).collect();
    assert_eq!(
        lines,
        [
            "constraint q2 (quote): “没有我的同意不要推送到 main。”",
            "goal q1 (quote): “我们的目标是把模块 A 迁移到异步。”"
        ]
    );
}

// field case F032
#[test]
fn a_fork_under_a_new_session_inherits_nothing_by_itself() {
    let home = begun();
    let other = "01900000-0000-7000-8000-000000000009";
    home.send(&Event::start("fork").of_session(other)).assert_silent();
    home.send(&Event::prompt("t1", "ok").of_session(other)).assert_silent();
    assert_eq!(home.tasks().len(), 2);
    home.verify();
}

#[test]
fn what_a_prompt_says_is_in_the_text_that_it_is_offered() {
    let home = begun();
    home.compact("auto");
    let text = offered(&home, &Event::prompt("t9", "Never deploy on a Friday."));
    assert!(text.contains("constraint q3 (quote): “Never deploy on a Friday.”"), "{text}");
    assert!(!text.contains("missing"), "{text}");
}

// field case F032
#[test]
fn a_start_of_an_unknown_kind_is_a_boundary() {
    let home = begun();
    assert_eq!(offered(&home, &Event::start("something-new")), notes(""));
}

// covers: P-160
#[test]
fn events_before_the_first_prompt_leave_nothing_on_disk() {
    let home = TestHome::new();
    home.send_silent(&[
        Event::start("startup"),
        Event::start("resume"),
        Event::pre_compact("auto"),
        Event::post_compact("auto"),
        Event::start("compact"),
        Event::stop(),
        Event::end(),
        Event::prompt("t1", "   \n "),
    ]);
    assert!(!home.root.exists());
}

// field case F029
#[test]
fn a_second_start_under_a_random_session_changes_nothing() {
    let random = Event::start("startup").of_session("01900000-0000-7000-8000-0000000000ff");
    for is_random_first in [true, false] {
        let home = begun();
        let mut answers = Vec::new();
        if is_random_first {
            home.send(&random).assert_silent();
        }
        answers.push(home.send(&Event::start("resume")));
        if !is_random_first {
            home.send(&random).assert_silent();
        }
        assert_eq!(home.plain(&answers[0].context().unwrap()), notes(""));
        assert_eq!(home.tasks().len(), 1);
    }
}

#[test]
fn our_own_notes_handed_back_as_a_prompt_carry_nothing() {
    let home = begun();
    home.compact("auto");
    let answer = home.send(&Event::start("compact"));
    let notes = format!("{}\n{}", answer.context().unwrap(), answer.mark());
    let before = home.read().0.state.effective_digest();
    home.send(&Event::prompt("t3", &notes)).assert_silent();
    assert_eq!(home.read().0.state.effective_digest(), before);
}

// covers: P-192
#[test]
fn a_goal_of_the_agent_stands_below_the_users_own_words() {
    use crate::support::records::Item;
    use context_continuity::domain::task::item::ItemKind;
    let home = begun();
    home.record(&[
        Item::of_agent(ItemKind::Goal, "rewrite everything"),
        Item::of_user(ItemKind::Goal, "port module A"),
    ]);
    home.compact("auto");
    let text = home.send(&Event::start("compact")).context().unwrap();
    let goals: Vec<&str> = text.lines().filter(|line| line.starts_with("goal ")).collect();
    assert_eq!(
        goals,
        [
            "goal i2 (user): “port module A”",
            "goal q1 (quote): “Our goal is to port module A to async.”",
            "goal i1 (agent, unverified): “rewrite everything”",
        ]
    );
}
