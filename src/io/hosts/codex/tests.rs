//! Tests: every recorded payload of Codex, and every way to spoil one.

use std::collections::BTreeSet;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use proptest::prelude::*;

use super::*;
use crate::domain::host_event::HOST_ID_BYTES_MAX;
use crate::io::hosts::read_payload;

const ROOT_SESSION: &str = "01900000-0000-7000-8000-000000000001";

fn payloads() -> Dir {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/codex/payloads");
    Dir::open_ambient_dir(folder, ambient_authority()).expect("fixtures are there")
}

fn recorded(name: &str) -> HostEvent {
    let bytes = payloads().read(format!("{name}.json")).expect("fixture is there");
    parse(&read_payload(&bytes[..]).expect("whole")).expect("parses")
}

fn prompt_of(event: &HostEvent) -> &str {
    match &event.kind {
        HostEventKind::Prompt { text } => text.expose(),
        other => panic!("not a prompt: {other:?}"),
    }
}

#[track_caller]
fn check_recorded(name: &str, kind: &HostEventKind, is_of_agent: bool) {
    let event = recorded(name);
    assert_eq!(&event.kind, kind, "{name}");
    assert_eq!(event.agent.is_some(), is_of_agent, "{name}");
    assert_eq!(event.host, Host::Codex);
    assert!(event.session.as_str().starts_with("01900000-0000-7000-8000-"), "{name}");
    assert_eq!(event.cwd.expect("has a cwd").as_str(), "/home/user/project", "{name}");
    assert!(
        event.transcript.expect("has a transcript").as_str().contains("/sessions/2026/"),
        "{name}"
    );
}

#[test]
fn every_recorded_lifecycle_payload_becomes_its_event() {
    use HostEventKind as Kind;
    let start = |source| Kind::SessionStart { source };
    check_recorded("session-start-startup", &start(StartSource::Startup), false);
    check_recorded("session-start-resume", &start(StartSource::Resume), false);
    check_recorded("session-start-clear", &start(StartSource::Clear), false);
    check_recorded("session-start-compact", &start(StartSource::Compact), false);
    check_recorded("session-start-fork", &start(StartSource::Fork), false);
    let (manual, auto) = (Trigger::Manual, Trigger::Auto);
    check_recorded("pre-compact-manual", &Kind::PreCompact { trigger: manual }, false);
    check_recorded("post-compact-manual", &Kind::PostCompact { trigger: manual }, false);
    check_recorded("pre-compact-auto", &Kind::PreCompact { trigger: auto }, false);
    check_recorded("post-compact-auto", &Kind::PostCompact { trigger: auto }, false);
    check_recorded("pre-compact-auto-in-subagent", &Kind::PreCompact { trigger: auto }, true);
    check_recorded("post-compact-auto-in-subagent", &Kind::PostCompact { trigger: auto }, true);
    check_recorded("stop", &Kind::Stop { is_continued_by_hook: false }, false);
    check_recorded("subagent-start", &Kind::SubagentStart, true);
    check_recorded("subagent-stop", &Kind::SubagentStop, true);
    check_recorded("session-end", &Kind::SessionEnd, false);
    check_recorded("interrupt", &Kind::Interrupt, false);
}

#[test]
fn recorded_tool_model_and_permission_payloads_are_ignored() {
    for name in [
        "permission-request",
        "post-model-request-foreground-compaction-in-subagent",
        "post-model-request-foreground-compaction",
        "post-model-request-sampling-in-subagent",
        "post-model-request-sampling",
        "post-tool-use-mcp",
        "post-tool-use-shell-in-subagent",
        "post-tool-use-shell",
        "post-tool-use-spawn-agent-v1",
        "post-tool-use-spawn-agent-v2",
        "pre-model-request-foreground-compaction-in-subagent",
        "pre-model-request-foreground-compaction",
        "pre-model-request-sampling-in-subagent",
        "pre-model-request-sampling",
        "pre-tool-use-mcp",
        "pre-tool-use-shell-in-subagent",
        "pre-tool-use-shell",
        "pre-tool-use-spawn-agent-v1",
        "pre-tool-use-spawn-agent-v2",
    ] {
        assert_eq!(recorded(name).kind, HostEventKind::Ignored, "{name}");
    }
}

// covers: P-260
#[test]
fn every_event_that_we_register_for_has_been_recorded() {
    let mut seen = BTreeSet::new();
    for entry in payloads().entries().expect("lists") {
        let name = entry.expect("entry").file_name().into_string().expect("text");
        let bytes = payloads().read(&name).expect("reads");
        match parse(&bytes) {
            Ok(event) => {
                let spec = event.kind.role().and_then(|role| CODEX.event_of(role));
                seen.extend(spec.map(|spec| spec.wire));
            }
            // What the host sends elsewhere than to hooks.
            Err(error) => {
                assert!(
                    name.starts_with("mcp-")
                        || name.contains("list-entry")
                        || name.starts_with("model-request-"),
                    "{name}"
                );
                assert_eq!(error, PayloadError::MissingField { field: "hook_event_name" });
            }
        }
    }
    let registered = CODEX.events.iter().filter(|event| event.timeout_seconds.is_some());
    for event in registered {
        assert!(seen.contains(event.wire), "{}", event.wire);
    }
}

// covers: P-038
#[test]
fn no_tool_or_permission_event_is_registered_for() {
    let registered = CODEX.events.iter().filter(|event| event.timeout_seconds.is_some());
    let names: Vec<_> = registered.map(|event| event.wire).collect();
    assert_eq!(
        names,
        [
            "SessionStart",
            "UserPromptSubmit",
            "PreCompact",
            "PostCompact",
            "Stop",
            "SubagentStart",
            "SubagentStop",
            "SessionEnd"
        ]
    );
}

#[test]
fn a_recorded_prompt_keeps_session_turn_model_and_text() {
    let event = recorded("user-prompt-submit");
    assert_eq!(event.session.as_str(), ROOT_SESSION);
    assert_eq!(event.turn.as_ref().expect("has a turn").as_str().len(), 36);
    assert_eq!(event.model.as_ref().expect("has a model").as_str(), "mock-model");
    assert_eq!(event.agent, None);
    assert_eq!(prompt_of(&event), "Please fix the failing test.");
}

// field case F024
#[test]
fn a_prompt_with_an_agent_id_of_any_shape_is_marked_as_the_agents() {
    let event = recorded("user-prompt-submit-in-subagent");
    assert_eq!(event.session.as_str(), ROOT_SESSION);
    let id = event.agent.expect("marked").id.expect("has an id");
    assert_eq!(id.as_str(), "01900000-0000-7000-8000-000000000003");
    for mark in ["\"\"", "7", "{}", "[]", "false"] {
        let event = prompt_with(&format!(r#""agent_id":{mark},"prompt":"push""#)).expect("parses");
        assert_eq!(event.agent, Some(AgentRef { id: None }), "{mark}");
    }
    assert_eq!(prompt_with(r#""agent_id":null,"prompt":"push""#).expect("parses").agent, None);
}

fn prompt_with(fields: &str) -> Result<HostEvent, PayloadError> {
    parse(
        format!(r#"{{"session_id":"S","hook_event_name":"UserPromptSubmit",{fields}}}"#).as_bytes(),
    )
}

// field case F035
#[test]
fn marks_line_ends_and_empty_workspace_roots_do_not_matter() {
    let text = "\u{feff}\u{feff}{\"session_id\":\"S\",\r\n\"workspace_roots\":[],\
                \"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"\u{feff}a\"}\r\n \u{0}x";
    let event = parse(text.as_bytes()).expect("parses");
    assert_eq!(event.cwd, None);
    assert_eq!(prompt_of(&event), "\u{feff}a");
}

// field case F036
#[test]
fn lone_surrogates_in_a_prompt_become_replacement_characters() {
    let event = prompt_with(r#""prompt":"keep \udc88 and \ud99c""#).expect("parses");
    assert_eq!(prompt_of(&event), "keep \u{fffd} and \u{fffd}");
}

#[test]
fn bytes_that_are_no_text_become_replacement_characters() {
    let mut bytes =
        br#"{"session_id":"S","hook_event_name":"UserPromptSubmit","prompt":""#.to_vec();
    bytes.extend_from_slice(b"\xff\xfe\"}");
    assert_eq!(prompt_of(&parse(&bytes).expect("parses")), "\u{fffd}\u{fffd}");
}

// field case F032
#[test]
fn an_unknown_source_trigger_or_event_is_accepted() {
    let kind_of = |event: &str, fields: &str| {
        let text = format!(r#"{{"session_id":"S","hook_event_name":"{event}"{fields}}}"#);
        parse(text.as_bytes()).expect("parses").kind
    };
    let other_start = HostEventKind::SessionStart { source: StartSource::Other };
    assert_eq!(kind_of("SessionStart", r#","source":"something-new""#), other_start);
    assert_eq!(kind_of("SessionStart", r#","source":7"#), other_start);
    assert_eq!(kind_of("SessionStart", ""), other_start);
    let other_trigger = HostEventKind::PreCompact { trigger: Trigger::Other };
    assert_eq!(kind_of("PreCompact", r#","trigger":"""#), other_trigger);
    assert_eq!(kind_of("ContextWindowMoved", r#","x":{"y":[1,2]}"#), HostEventKind::Ignored);
    assert_eq!(kind_of("", ""), HostEventKind::Ignored);
}

#[test]
fn wrong_types_of_fields_that_the_event_does_not_need_leave_them_out() {
    let event = prompt_with(
        r#""prompt":"a","turn_id":1e999999,"model":[],"cwd":"","transcript_path":null,
           "source":{},"permission_mode":[{"a":"\ud800"}],"n":123456789012345678901234567890"#,
    )
    .expect("parses");
    assert_eq!((event.turn, event.model, event.cwd, event.transcript), (None, None, None, None));
}

#[test]
fn an_empty_prompt_is_a_prompt() {
    assert_eq!(prompt_of(&prompt_with(r#""prompt":"""#).expect("parses")), "");
}

#[test]
fn an_event_without_the_fields_it_needs_is_refused_by_name() {
    let refusal = |text: &str| parse(text.as_bytes()).expect_err("refused");
    assert_eq!(refusal("{}"), PayloadError::MissingField { field: "hook_event_name" });
    assert_eq!(
        refusal(r#"{"hook_event_name":"Stop"}"#),
        PayloadError::MissingField { field: "session_id" }
    );
    let unusable = PayloadError::UnusableField { field: "session_id" };
    assert_eq!(refusal(r#"{"hook_event_name":"Stop","session_id":""}"#), unusable);
    assert_eq!(refusal(r#"{"hook_event_name":"Stop","session_id":9}"#), unusable);
    let long = "s".repeat(HOST_ID_BYTES_MAX + 1);
    assert_eq!(
        refusal(&format!(r#"{{"hook_event_name":"Stop","session_id":"{long}"}}"#)),
        unusable
    );
    assert_eq!(
        prompt_with(r#""prompt":["x"]"#),
        Err(PayloadError::UnusableField { field: "prompt" })
    );
    assert_eq!(prompt_with(r#""a":1"#), Err(PayloadError::MissingField { field: "prompt" }));
}

#[test]
fn a_field_that_is_read_must_not_be_there_twice() {
    let twice = Err(PayloadError::DuplicateField);
    assert_eq!(prompt_with(r#""prompt":"a","prompt":"b""#), twice);
    assert_eq!(prompt_with(r#""prompt":"a","agent_id":"c","agent_id":null"#), twice);
    assert_eq!(prompt_with(r#""prompt":"a","session\u005fid":"T""#), twice);
    let event = prompt_with(r#""prompt":"a","permission_mode":1,"permission_mode":2"#);
    assert_eq!(prompt_of(&event.expect("parses")), "a");
}

#[test]
fn what_is_not_json_is_refused_without_its_text() {
    let refused = prompt_with(r#""prompt":secret"#).expect_err("refused");
    assert!(matches!(refused, PayloadError::Malformed { line: 1, .. }), "{refused:?}");
    assert!(!refused.to_string().contains("secret"));
}

#[test]
fn a_bomb_of_brackets_is_refused() {
    let bomb = format!(r#""prompt":"a","x":{}"#, "[".repeat(100_000));
    assert_eq!(prompt_with(&bomb), Err(PayloadError::TooDeep { depth_max: 64 }));
}

#[test]
fn a_prompt_of_one_mebibyte_of_wide_characters_arrives_whole() {
    let text = "\u{7ee7}".repeat(1024 * 1024 / 3);
    let event = prompt_with(&format!(r#""prompt":"{text}""#)).expect("parses");
    assert_eq!(prompt_of(&event), text);
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut object = b"{\"session_id\":\"S\",".to_vec();
        object.extend_from_slice(&bytes);
        // The bytes hold no event's name, so nothing may come of them.
        prop_assert!(parse(&object).is_err());
        prop_assert!(parse(&bytes).is_err());
    }
}
