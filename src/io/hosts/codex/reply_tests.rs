//! Tests: what Codex is answered, byte for byte.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check_reply(kind: &HostEventKind, context: &str, notice: &str, expected: &str) {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let reply = HostReply { context: some(context), notice: some(notice) };
    let bytes = render(kind, &reply).expect("accepted");
    assert_eq!(String::from_utf8(bytes).expect("text"), expected);
}

#[test]
fn an_answer_holds_only_the_keys_that_codex_accepts_at_the_event() {
    let compact = HostEventKind::SessionStart { source: StartSource::Compact };
    check_reply(
        &compact,
        "a \"b\"\n",
        "",
        concat!(
            r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","#,
            r#""additionalContext":"a \"b\"\n"}}"#
        ),
    );
    let prompt = HostEventKind::Prompt { text: UntrustedText::new("x") };
    check_reply(
        &prompt,
        "c",
        "n",
        concat!(
            r#"{"systemMessage":"n","hookSpecificOutput":"#,
            r#"{"hookEventName":"UserPromptSubmit","additionalContext":"c"}}"#
        ),
    );
    let stop = HostEventKind::Stop { is_continued_by_hook: false };
    check_reply(&stop, "", "n", r#"{"systemMessage":"n"}"#);
    check_reply(
        &HostEventKind::SubagentStart,
        "c",
        "",
        r#"{"hookSpecificOutput":{"hookEventName":"SubagentStart","additionalContext":"c"}}"#,
    );
}

// covers: P-008
#[test]
fn an_empty_answer_is_no_bytes_at_every_event() {
    for kind in [
        HostEventKind::SessionStart { source: StartSource::Startup },
        HostEventKind::PreCompact { trigger: Trigger::Auto },
        HostEventKind::SessionEnd,
        HostEventKind::Ignored,
    ] {
        check_reply(&kind, "", "", "");
    }
    let blank = HostReply { context: Some(String::new()), notice: Some(String::new()) };
    assert_eq!(render(&HostEventKind::SubagentStop, &blank), Ok(Vec::new()));
}

// covers: P-137
#[test]
fn text_at_an_event_that_has_no_place_for_it_is_refused() {
    let context = HostReply { context: Some("c".into()), notice: None };
    let notice = HostReply { context: None, notice: Some("n".into()) };
    for kind in [
        HostEventKind::PreCompact { trigger: Trigger::Manual },
        HostEventKind::PostCompact { trigger: Trigger::Manual },
        HostEventKind::SessionEnd,
        HostEventKind::Ignored,
    ] {
        assert_eq!(render(&kind, &context), Err(ReplyError::NotAccepted { part: "context" }));
        assert_eq!(render(&kind, &notice), Err(ReplyError::NotAccepted { part: "notice" }));
    }
    let stop = HostEventKind::Stop { is_continued_by_hook: true };
    assert_eq!(render(&stop, &context), Err(ReplyError::NotAccepted { part: "context" }));
}

#[test]
fn context_fits_up_to_the_bound_and_not_beyond() {
    let sized = |bytes| HostReply { context: Some("x".repeat(bytes)), notice: None };
    let start = HostEventKind::SessionStart { source: StartSource::Resume };
    assert!(render(&start, &sized(8_000)).is_ok());
    assert_eq!(
        render(&start, &sized(8_001)),
        Err(ReplyError::ContextTooLong { bytes: 8_001, bytes_max: 8_000 })
    );
}

fn any_kind() -> impl Strategy<Value = HostEventKind> {
    prop_oneof![
        Just(HostEventKind::Prompt { text: UntrustedText::new("x") }),
        Just(HostEventKind::SessionStart { source: StartSource::Compact }),
        Just(HostEventKind::PreCompact { trigger: Trigger::Auto }),
        Just(HostEventKind::PostCompact { trigger: Trigger::Auto }),
        Just(HostEventKind::Stop { is_continued_by_hook: false }),
        Just(HostEventKind::SubagentStart),
        Just(HostEventKind::SubagentStop),
        Just(HostEventKind::SessionEnd),
        Just(HostEventKind::Interrupt),
        Just(HostEventKind::Ignored),
    ]
}

proptest! {
    // covers: P-037
    #[test]
    fn no_answer_holds_a_key_that_decides_or_permits(
        kind in any_kind(),
        context in proptest::option::of(".{0,40}"),
        notice in proptest::option::of(".{0,40}"),
    ) {
        let Ok(bytes) = render(&kind, &HostReply { context, notice }) else { return Ok(()) };
        if bytes.is_empty() {
            return Ok(());
        }
        let answer: serde_json::Value = serde_json::from_slice(&bytes).expect("parses");
        for (key, value) in answer.as_object().expect("object") {
            prop_assert!(["systemMessage", "hookSpecificOutput"].contains(&key.as_str()));
            for inner in value.as_object().into_iter().flatten() {
                prop_assert!(["hookEventName", "additionalContext"].contains(&inner.0.as_str()));
            }
        }
    }
}
