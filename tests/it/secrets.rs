//! What must be found nowhere: secrets at any moment, and the words of ordinary prompts.

use std::io::Write as _;

use crate::support::{Event, TestHome, home::start, scan};

const SECRET: &str = "hunter2-Zq9vK3xW7c";
const PROMPT: &str = "Use password hunter2-Zq9vK3xW7c for the staging db, and from now on never \
                      touch prod.";
const CANARY: &str = "quokka";

#[track_caller]
fn assert_nowhere(home: &TestHome, needle: &str) {
    let hits = scan::files_with(home.place(), needle);
    assert!(hits.is_empty(), "{hits:?}");
}

// field case F044
#[test]
fn a_secret_in_a_prompt_is_on_no_disk_and_in_no_answer_after_any_event() {
    let home = TestHome::new();
    let events = [
        Event::prompt("t1", PROMPT).with("model", SECRET),
        Event::prompt("t2", "export DB_PASSWORD=hunter2-Zq9vK3xW7c; always use it, never print it"),
        Event::pre_compact("manual").with("custom_instructions", PROMPT),
        Event::post_compact("manual"),
        Event::start("compact"),
        Event::stop().with("last_assistant_message", PROMPT),
        Event::end(),
    ];
    for event in &events {
        let answer = home.send(event);
        assert!(!format!("{answer:?}").contains(SECRET), "{answer:?}");
        assert_nowhere(&home, SECRET);
    }
    let (folded, texts) = home.read();
    let kept = folded.state.quotes.values().filter_map(|quote| texts.quote(&quote.draft.body));
    let words: Vec<&str> = kept.map(|quote| quote.words.as_str()).collect();
    assert!(words.iter().any(|words| words.contains("never touch prod")), "{words:?}");
}

// field case F044
#[test]
fn a_secret_is_on_no_disk_wherever_a_hook_was_killed() {
    let home = TestHome::new();
    for round in 0_u64..100 {
        let event = Event::prompt(&format!("t{round}"), PROMPT);
        let mut child = start(&mut home.command(), &home.placed(&event).bytes());
        for _ in 0..(round * 7_919) % 60_000 {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let hits = scan::files_with(home.place(), SECRET);
        assert!(hits.is_empty(), "round {round}: {hits:?}");
    }
    home.send(&Event::prompt("last", PROMPT)).assert_silent();
    assert_nowhere(&home, SECRET);
    home.verify();
}

// covers: P-093, P-203
#[test]
fn the_words_of_an_ordinary_prompt_are_on_no_disk() {
    let home = TestHome::new();
    home.send_silent(&[
        Event::prompt("t1", "Please look at the quokka in the zoo test."),
        Event::prompt("t2", "what does the quokka flag do?"),
        Event::prompt("t3", "解释一下 quokka 这个函数"),
        Event::stop().with("last_assistant_message", "The quokka is fine."),
    ]);
    home.compact("auto");
    home.send(&Event::start("compact"));
    home.send(&Event::end());
    assert_nowhere(&home, CANARY);
}

// covers: P-032, P-041
#[test]
fn nothing_of_a_transcript_or_of_a_tools_output_is_copied() {
    let home = TestHome::new();
    let transcript = home.place().join("rollout.jsonl");
    let mut file = std::fs::File::create(&transcript).unwrap();
    for line in [
        r#"{"timestamp":"2026-01-02T03:04:05Z","type":"response_item","payload":{"type":"reasoning","text":"quokka"}}"#,
        r#"{"timestamp":"2026-01-02T03:04:05Z","type":"response_item","payload":{"type":"function_call_output","output":"quokka"}}"#,
        r#"{"timestamp":"2026-01-02T03:04:05Z","type":"compacted","payload":{"message":"never forget the quokka"}}"#,
    ] {
        writeln!(file, "{line}").unwrap();
    }
    home.send_silent(&[Event::prompt("t1", "Never push without my yes.")]);
    for name in ["post-tool-use-shell", "pre-tool-use-shell", "post-tool-use-mcp"] {
        let tool = Event::recorded(name).with("tool_response", "quokka").with("prompt", CANARY);
        home.send(&tool).assert_own_form();
    }
    home.compact("auto");
    home.send(&Event::start("compact"));
    home.send_silent(&[Event::prompt("t2", "ok")]);
    for _ in 0..2 {
        home.send(&Event::prompt("t3", "go"));
    }
    let hits = scan::files_with(&home.root, CANARY);
    assert!(hits.is_empty(), "{hits:?}");
}

// field case F012
#[test]
fn instructions_for_the_compaction_itself_are_never_kept_nor_offered() {
    let home = TestHome::new();
    home.send_silent(&[
        Event::prompt("t1", "Never push without my yes."),
        Event::pre_compact("manual")
            .with("custom_instructions", "Always write a quokka file in format Z."),
        Event::post_compact("manual").with("compact_summary", "never forget the quokka"),
    ]);
    let text = home.send(&Event::start("compact")).context().unwrap();
    assert!(!text.contains(CANARY), "{text}");
    assert_nowhere(&home, CANARY);
}

// covers: P-201, P-202
#[test]
fn of_a_long_signal_prompt_at_most_512_characters_are_kept() {
    for (start, end) in [
        ("Never touch wall number ", ", nor its gate, nor its roof, nor its cellar, please."),
        (
            "以后不要改动第",
            "面墙、它的门、它的屋顶、它的地下室、它的窗户、它的楼梯、它的院子、它的花园、它的围栏、它的水井、它的烟囱、它的阳台、它的台阶。",
        ),
    ] {
        let home = TestHome::new();
        let rules: Vec<String> = (100..109).map(|number| format!("{start}{number}{end}")).collect();
        home.send_silent(&[Event::prompt("t1", &rules.join("\n"))]);
        let (folded, texts) = home.read();
        let kept = folded.state.quotes.values().filter_map(|quote| texts.quote(&quote.draft.body));
        let chars: usize = kept.map(|quote| quote.words.as_str().chars().count()).sum();
        assert!(chars > 400 && chars <= 512, "{chars}");
    }
}
