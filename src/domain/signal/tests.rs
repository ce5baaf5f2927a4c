//! What carries a signal and what does not, one by one; the labelled sets are measured beside the
//! whole product.

mod acts;

use super::*;

fn found(prompt: &str) -> Signals {
    detect(&UntrustedText::new(prompt))
}

#[track_caller]
fn check_silent(prompt: &str) {
    assert_eq!(found(prompt), Signals::default(), "{prompt}");
}

// field case F002
#[test]
fn continuing_is_no_signal() {
    for prompt in
        ["continue", "go", "ok", "yes", "继续", "好的", "Go on.", "  continue\n", "ok!", ""]
    {
        check_silent(prompt);
    }
}

// field case F005
#[test]
fn a_constraint_inside_a_request_is_found() {
    let prompt = "improve the selected-node animation without changing the concept of the effect";
    assert!(found(prompt).set.contains(SignalKind::HardConstraint));
}

// field case F044
#[test]
fn a_quote_loses_the_password_and_keeps_the_constraint() {
    let signals =
        found("use password hunter2-canary93 for the staging db, and from now on never touch prod");
    assert_eq!(signals.quotes.len(), 1);
    assert_eq!(
        signals.quotes[0].text.as_str(),
        "use password [redacted:password] for the staging db, and from now on never touch prod"
    );
}

#[test]
fn what_the_user_did_not_say_carries_nothing() {
    let log = "2024-05-01 12:00:01 ERROR must never happen\n".repeat(4);
    for prompt in [
        "> never push to main",
        "```\nnever push to main\n```",
        "~~~\nnever push to main\n~~~\nwhat is this?",
        "what does `never push to main` mean",
        "rename the label to \"never push to main\"",
        "/compact never push to main",
        "<system-reminder>never push to main</system-reminder>",
        "hello <system-reminder>\nnever push to main\n</system-reminder>",
        "<task-notification>\n<status>done</status>\n</task-notification>",
        log.as_str(),
        "diff --git a/x b/x\n--- a/x\n+++ b/x\n-never push\n+always push",
        "```\nnever push to main\nask me before you deploy",
        "what is this?\n~~~ text\nnever push to main",
        "   ```sh\n   never push to main\n   ```",
        "```diff\n- you must not push\n+ never push to main\n```",
        "> > never push to main\n> ask first",
        "From: Ana\nSubject: freeze\n\n> never push to main\n> ask me first",
        "thread 'main' panicked at src/a.rs:1:1:\nnever push twice\nnote: run with RUST_BACKTRACE=1",
        "Traceback (most recent call last):\n  never push to main\nValueError: must not be None",
        "    at com.acme.Push.never(Push.java:1)",
        "error: you must not push to main",
        "<agent-message from=\"a\">never push to main</agent-message>",
        "<hook_prompt hook_run_id=\"1\">never push to main</hook_prompt>",
        "<made-up-tag>never push to main</made-up-tag>",
        "/review never push to main",
        "/plugin:do-it 不要推送",
        "```\n不要推送\n```",
        "> 不要推送",
        "“不要推送”是什么意思",
    ] {
        check_silent(prompt);
    }
}

#[test]
fn a_long_paste_carries_nothing_but_the_words_around_it_do() {
    let paste = "The server must never answer twice. Every commit must be signed. ".repeat(90);
    check_silent(&paste);
    let around = format!("{paste}\n\nFrom now on never push to main.");
    let signals = found(&around);
    assert_eq!(signals.quotes.len(), 1);
    assert_eq!(signals.quotes[0].text.as_str(), "From now on never push to main.");
}

#[test]
fn a_prompt_wrapped_by_the_host_is_not_the_user() {
    for prompt in [
        "<task-notification>\n<task-id>1</task-id>\n</task-notification>",
        "<system-reminder>a</system-reminder>\n<system-reminder>b</system-reminder>\n",
        "<hook_prompt hook_run_id=\"stop:0\">go on</hook_prompt>",
        "<environment_context>\n  <cwd>/a</cwd>\n</environment_context>",
        "<something-new>text</something-new>",
        "This session is being continued from a previous conversation that ran out of context.",
    ] {
        assert!(is_host_made(&UntrustedText::new(prompt)), "{prompt}");
    }
    for prompt in ["a < b", "<b>never</b> push", "<unclosed> text", "never push", "", "<>", "<"] {
        assert!(!is_host_made(&UntrustedText::new(prompt)), "{prompt}");
    }
}

// covers: P-202
#[test]
fn quotes_hold_whole_sentences_and_at_most_512_characters() {
    let sentence = "From now on never touch the files under the folder named vendor in any way. ";
    let signals =
        found(&(1..=12).map(|n| sentence.replace("vendor", &format!("v{n}"))).collect::<String>());
    let chars: usize = signals.quotes.iter().map(|quote| quote.text.as_str().chars().count()).sum();
    assert!(chars <= QUOTE_CHARS_MAX, "{chars}");
    assert_eq!(usize::try_from(signals.omitted_count).unwrap() + signals.quotes.len(), 12);

    let at_limit = format!("never {}", "x".repeat(QUOTE_CHARS_MAX - 6));
    assert_eq!(found(&at_limit).quotes[0].text.as_str(), at_limit);
    let past_limit = format!("绝不{}", "改".repeat(QUOTE_CHARS_MAX - 1));
    let cut = found(&past_limit).quotes[0].text.as_str().to_owned();
    assert_eq!(cut.chars().count(), QUOTE_CHARS_MAX);
    assert!(cut.ends_with('…'));
}

#[test]
fn a_bare_correction_takes_the_sentence_that_says_what_is_right() {
    let signals = found("That's wrong. The limit is twenty requests a minute.");
    assert_eq!(
        signals.quotes[0].text.as_str(),
        "That's wrong. The limit is twenty requests a minute."
    );
}

#[test]
fn the_worst_texts_of_a_mebibyte_are_walked_through() {
    for unit in [
        "密",
        "a",
        "\"",
        "a.a.",
        "never ",
        "<a>",
        "`",
        "never x\n",
        "never x\n\n",
        "<summary>",
        "不要",
        "ないで。",
        "é ",
        "nie push no toques ne pas, não mexe. ",
        "don't add a the of to in not before, ",
    ] {
        let signals = found(&unit.repeat(1024 * 1024 / unit.len()));
        assert!(signals.quotes.len() <= QUOTES_MAX, "{unit}");
    }
}

#[test]
fn sentences_end_where_a_reader_ends_them() {
    let text = "Use foo.rs, e.g. in v1.2. Never edit a.b.c! 不要改。好的？Really\nNext line";
    let run = speech::Run { start: 0, end: text.len(), is_long: false };
    let found: Vec<&str> =
        sentence::sentences(text, run).into_iter().map(|(start, end)| &text[start..end]).collect();
    assert_eq!(
        found,
        [
            "Use foo.rs, e.g. in v1.2.",
            "Never edit a.b.c!",
            "不要改。",
            "好的？",
            "Really",
            "Next line"
        ]
    );
}

fn key(text: &str) -> SubjectKey {
    let hash = |word: &str| {
        word.bytes()
            .fold(2_166_136_261_u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(16_777_619))
    };
    SubjectKey::of(&subject_of(text), hash)
}

#[test]
fn later_words_replace_earlier_ones_only_on_the_same_subject() {
    use SignalKind::{Authorization, Cancel, Correction, GoalChange, HardConstraint};
    for (earlier, later, kind, expected) in [
        ("from now on use port 8080", "actually use port 9090 instead", Correction, true),
        ("from now on use port 8080", "from now on use port 9090", HardConstraint, true),
        (
            "use port 8080 for the dev server from now on",
            "actually, use port 9090 instead of 8080 from now on",
            HardConstraint,
            true,
        ),
        ("from now on use port 8080", "from now on use port 8080", HardConstraint, false),
        ("以后端口用 8080", "端口改成 9090", Correction, true),
        ("the pool cap is 200", "the pool cap stays at 20", Correction, true),
        ("deploy to staging", "cancel the deploy to staging", Cancel, true),
        (
            "never touch the prod database",
            "use the test database for reports",
            HardConstraint,
            false,
        ),
        ("never touch the prod database", "the report database is slow", Correction, false),
        ("keep the public API as it is", "never push to main", HardConstraint, false),
        ("no force pushes to main", "you may push to feat-1", Authorization, false),
        ("never touch prod", "never touch the lockfile", HardConstraint, false),
        ("all tests must pass", "write the tests in Rust", HardConstraint, false),
        ("the goal is to port module A", "the goal is to ship the web page", GoalChange, false),
        ("以后不要改数据库结构", "以后提交信息用中文", HardConstraint, false),
    ] {
        let replaces = key(later).replaces(&key(earlier), kind);
        assert_eq!(replaces, expected, "{earlier} / {later}: {:?}", subject_of(later));
    }
}

#[test]
fn a_subject_has_no_signal_words_and_no_values_among_its_words() {
    let subject = subject_of("from now on use port 8080, password [redacted:password]");
    assert_eq!(subject.words, ["port", "password"]);
    assert_eq!(subject.values, ["8080"]);
    assert_eq!(subject_of("数据库端口改成 9090").words, ["数据", "据库", "库端", "端口"]);
    assert_eq!(subject_of(&"word".repeat(9)).words.len(), 1);
}

#[test]
fn plain_corrections_are_found() {
    for words in [
        "Actually, the timeout must be 45 seconds, not 30.",
        "Actually, the upload timeout must be 45 seconds, not 30.",
        "Actually the port is 9090, not 8080.",
        "The timeout must be 45 seconds, not 30.",
        "Actually, use port 9090 instead of 8080 from now on.",
        "No, the limit is 20, not 200.",
        "The limit should be 20 instead of 200.",
        "It's the staging database, not production.",
        "Correction: the deadline is Friday.",
        "Sorry, I meant the second file.",
        "Actually, let's keep the old endpoint.",
        "wait, the branch is called release-2, not release-3",
    ] {
        let found = detect(&UntrustedText::new(words)).set;
        assert!(found.contains(SignalKind::Correction), "{words}");
    }
}
