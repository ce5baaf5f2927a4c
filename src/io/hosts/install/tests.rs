//! Tests: our hooks go into a file of others and out again without a trace.

use proptest::prelude::*;

use super::*;
use crate::io::hosts::CODEX;

fn launcher() -> Launcher {
    Launcher::new("/opt/our bin/continuity", "/home/ann/state").expect("fits")
}

fn install(existing: Option<&str>) -> Plan {
    plan_install(&CODEX, existing, &launcher()).expect("plans")
}

fn installed(existing: &str) -> String {
    install(Some(existing)).new_text.expect("has text")
}

fn uninstalled(text: &str) -> Option<String> {
    plan_uninstall(&CODEX, Some(text)).expect("plans").new_text
}

fn commands(text: &str, event: &str) -> Vec<String> {
    let value: serde_json::Value = serde_json::from_str(text).expect("parses");
    let groups = value["hooks"][event].as_array().cloned().unwrap_or_default();
    let handlers = groups.iter().flat_map(|group| group["hooks"].as_array().expect("list").clone());
    handlers.map(|it| it["command"].as_str().expect("text").to_owned()).collect()
}

const OURS: &str = "'/opt/our bin/continuity' hook codex --data-root /home/ann/state";

const TWO_GROUPS: &str = r#"{
  "a": 1,
  "hooks": {
    "Stop": [
      {"hooks": [{"command": "one"}]},
      {"hooks": [{"command": "two"}]}
    ]
  },
  "z": 2
}
"#;

/// Every event of ours must be there once, at the end of its list; and taking out must give back
/// the very bytes.
#[track_caller]
fn check_there_and_back(existing: &str) {
    let text = installed(existing);
    for event in CODEX.events.iter().filter(|event| event.timeout_seconds.is_some()) {
        let commands = commands(&text, event.wire);
        let count = commands.iter().filter(|command| *command == OURS).count();
        assert_eq!(count, 1, "{} in {text}", event.wire);
        assert_eq!(commands.last().map(String::as_str), Some(OURS), "{} in {text}", event.wire);
    }
    assert_eq!(installed(&text), text, "not idempotent");
    assert_eq!(uninstalled(&text).as_deref(), Some(existing), "from {text}");
}

#[test]
fn a_new_file_reads_as_a_person_would_write_it() {
    let plan = install(None);
    let text = plan.new_text.expect("has text");
    let list = |event: &str, seconds: u32| {
        format!(
            "    \"{event}\": [\n      {{\"hooks\": [{{\"type\": \"command\", \
             \"command\": \"{OURS}\", \"timeout\": {seconds}}}]}}\n    ]"
        )
    };
    let lists = [
        list("SessionStart", 5),
        list("UserPromptSubmit", 5),
        list("PreCompact", 5),
        list("PostCompact", 5),
        list("Stop", 5),
        list("SubagentStart", 5),
        list("SubagentStop", 5),
        list("SessionEnd", 3),
    ];
    assert_eq!(text, format!("{{\n  \"hooks\": {{\n{}\n  }}\n}}\n", lists.join(",\n")));
    assert_eq!(uninstalled(&text), None);
}

#[test]
fn taking_out_gives_back_the_very_bytes() {
    for existing in [
        "",
        "\n",
        " \r\n\t",
        "{}",
        "{ }",
        "{\n}\n",
        "{\r\n}\r\n",
        "\n{}",
        "{}\n\n",
        r#"{"hooks":{}}"#,
        "{\n  \"hooks\": {}\n}\n",
        "{\n  \"hooks\": {\n  }\n}\n",
        r#"{"other": [1, {"a": "b"}], "hooks": { }}"#,
        "{\r\n\t\"description\": \"\u{e4}\\u00e4 }\",\r\n\t\"n\": -1.5e3\r\n}",
        r#"{"hooks":{"Stop":[]}}"#,
        "{\"hooks\": {\"Stop\": [ ], \"PreToolUse\": [\n]}}",
        r#"{"hooks":{"Stop":[{"hooks":[]}],"SessionStart":[{"matcher":"a","hooks":[]} ]}}"#,
        TWO_GROUPS,
        concat!(
            "{\"hooks\":\n{\"PreToolUse\":[{\"hooks\":[{\"command\":\"x\"}]}\n",
            ",{\"hooks\":[{\"command\":\"y\"}]}]\n,\"Other\":null}\n}"
        ),
        concat!(
            "{\t\"hooks\" :{\t\"Stop\" : [\t{\"hooks\":[{\"command\":\"t\"}]\t}",
            "\t]\t}\t,\t\"z\":\"\"\t}"
        ),
    ] {
        check_there_and_back(existing);
    }
}

#[test]
fn entries_of_others_keep_their_bytes_order_and_place() {
    let text = installed(TWO_GROUPS);
    assert_eq!(commands(&text, "Stop"), ["one", "two", OURS]);
    for line in TWO_GROUPS.lines() {
        assert!(
            text.lines().any(|other| other.trim_end_matches(',') == line.trim_end_matches(',')),
            "{line}"
        );
    }
}

#[test]
fn an_upgrade_changes_the_command_where_it_stands_and_nothing_else() {
    let foreign = r#"{"hooks":{"Stop":[{"hooks":[{"command":"before"}]}]}}"#;
    let old = Launcher::new("/old/continuity", "/home/ann/state").expect("fits");
    let text = plan_install(&CODEX, Some(foreign), &old).expect("plans").new_text.expect("text");
    let group = ", {\"hooks\":[{\"command\":\"after\"}]}]";
    let end = text.find(']').and_then(|_| text.find("}]}]")).expect("has a list") + 3;
    let end = text[end..].find("}]}]").map_or(end, |further| end + further + 3);
    let with_later = format!("{}{group}{}", &text[..end], &text[end + 1..]);
    assert_eq!(commands(&with_later, "Stop").len(), 3, "{with_later}");
    let upgraded = installed(&with_later);
    assert_eq!(commands(&upgraded, "Stop"), ["before", OURS, "after"]);
    assert_eq!(upgraded, with_later.replace("/old/continuity", "'/opt/our bin/continuity'"));
}

#[test]
fn additions_of_the_user_to_our_handler_survive_an_upgrade() {
    let text =
        installed("{}").replace("\"timeout\": 3", "\"statusMessage\": \"x\", \"timeout\": 9");
    let upgraded = installed(&text);
    assert_eq!(upgraded, text.replace("\"timeout\": 9", "\"timeout\": 3"));
}

#[test]
fn handlers_of_ours_that_are_there_twice_or_under_an_old_event_go() {
    let handler = format!(r#"{{"hooks":[{{"type":"command","command":"{OURS}","timeout":5}}]}}"#);
    let existing = format!(
        r#"{{"hooks":{{"Stop":[{handler},{handler},{{"hooks":[{{"command":"x"}}]}}],
            "PreToolUse":[{handler}]}}}}"#
    );
    let text = installed(&existing);
    assert_eq!(commands(&text, "Stop"), [OURS, "x"]);
    assert!(commands(&text, "PreToolUse").is_empty());
    let only_old = format!(r#"{{"hooks":{{ "PreToolUse":[ {handler} ] }}}}"#);
    assert_eq!(commands(&installed(&only_old), "SessionStart"), [OURS]);
}

#[test]
fn a_handler_of_ours_among_handlers_of_others_is_taken_out_alone() {
    let existing = format!(
        r#"{{"hooks":{{"Stop":[{{"hooks":[{{"command":"a"}}, {{"command":"{OURS}"}}, {}]}}]}}}}"#,
        r#"{"command":"b"}"#
    );
    let expected = r#"{"hooks":{"Stop":[{"hooks":[{"command":"a"}, {"command":"b"}]}]}}"#;
    assert_eq!(uninstalled(&existing).as_deref(), Some(expected));
}

#[test]
fn what_others_added_after_us_stays_when_we_go() {
    let text = installed("{}").replacen("{\"hooks\": {", "{\"first\": 1, \"hooks\": {", 1);
    assert_eq!(uninstalled(&text).as_deref(), Some("{\"first\": 1}"));
    let new = install(None).new_text.expect("has text");
    let text = new.replacen("\n  }\n}\n", ",\n    \"Later\": []\n  }\n}\n", 1);
    assert_eq!(
        uninstalled(&text).as_deref(),
        Some("{\n  \"hooks\": {\n    \"Later\": []\n  }\n}\n")
    );
}

#[test]
fn taking_out_where_nothing_is_ours_changes_nothing() {
    for existing in ["{}", "", "{\"hooks\": { \"Stop\": [ ] }}", "{ \"hooks\": 7 }"] {
        assert_eq!(uninstalled(existing).as_deref(), Some(existing));
    }
    assert_eq!(plan_uninstall(&CODEX, None).expect("plans").new_text, None);
}

#[test]
fn a_file_that_the_host_does_not_read_is_refused() {
    let refusal = |text: &str| plan_install(&CODEX, Some(text), &launcher()).expect_err("refused");
    assert!(matches!(refusal("\u{feff}{}"), InstallError::ByteOrderMark));
    assert!(matches!(refusal("{ // why\n}"), InstallError::Malformed { line: 1, .. }));
    assert!(matches!(refusal("{} {}"), InstallError::Malformed { .. }));
    assert!(matches!(refusal("{\"a\":\"\\ud800\"}"), InstallError::Malformed { .. }));
    assert!(matches!(refusal("[]"), InstallError::Unexpected { wanted: "an object", .. }));
    assert!(matches!(refusal(r#"{"hooks":[]}"#), InstallError::Unexpected { .. }));
    assert!(matches!(refusal(r#"{"hooks":{"Stop":{}}}"#), InstallError::Unexpected { .. }));
    assert!(matches!(refusal(r#"{"hooks":{"Stop":[7]}}"#), InstallError::Unexpected { .. }));
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(64), "]".repeat(64));
    assert!(matches!(refusal(&deep), InstallError::TooDeep { depth_max: 64 }));
    for text in [r#"{"a":1,"a":2}"#, r#"{"hooks":{"Stop":[],"St\u006fp":[]}}"#] {
        assert!(matches!(refusal(text), InstallError::DuplicateKey { .. }), "{text}");
    }
}

#[test]
fn the_plan_shows_lines_that_come_and_is_empty_the_second_time() {
    let plan = install(Some("{\n  \"description\": \"mine\"\n}\n"));
    assert!(plan.is_change());
    assert!(plan.diff.starts_with("-  \"description\": \"mine\"\n+  \"description\": \"mine\",\n"));
    assert!(plan.unknown_keys.is_empty());
    let again = install(plan.new_text.as_deref());
    assert!(!again.is_change());
    assert_eq!(again.diff, "");
}

#[test]
fn on_windows_each_handler_has_a_line_for_either_shell() {
    let launcher = Launcher::new(r"C:\bin\continuity.exe", r"D:\state").expect("fits");
    let plan = plan_install(&CODEX, Some("{}"), &launcher).expect("plans");
    let text = plan.new_text.expect("has text");
    let value: serde_json::Value = serde_json::from_str(&text).expect("parses");
    assert_eq!(
        value["hooks"]["SessionEnd"][0]["hooks"][0],
        serde_json::json!({
            "type": "command",
            "command": r"'C:\bin\continuity.exe' hook codex --data-root 'D:\state'",
            "commandWindows": r"C:\bin\continuity.exe hook codex --data-root D:\state",
            "timeout": 3
        })
    );
    assert_eq!(uninstalled(&text).as_deref(), Some("{}"));
}

#[test]
fn keys_for_which_codex_ignores_the_whole_file_are_named() {
    let plan = install(Some(r#"{"$schema":"x","description":"y","hooks":{}}"#));
    assert_eq!(plan.unknown_keys, ["$schema"]);
}

/// A JSON text with the given shape of white space.
fn shape() -> impl Strategy<Value = String> {
    let space = || prop_oneof![Just(""), Just(" "), Just("\n  "), Just("\r\n\t"), Just("\n")];
    let handler = Just(r#"{"type":"command","command":"true"}"#.to_owned());
    let list = |part: BoxedStrategy<String>| {
        (proptest::collection::vec(part, 0..3), space(), space(), space()).prop_map(
            |(parts, open, between, close)| {
                format!("[{open}{}{close}]", parts.join(&format!("{between},{open}")))
            },
        )
    };
    let group = (list(handler.boxed()), space())
        .prop_map(|(handlers, space)| format!("{{{space}\"hooks\":{space}{handlers}{space}}}"));
    let names = proptest::sample::subsequence(
        vec!["Stop", "PreToolUse", "SessionStart", "PreCompact", "Interrupt"],
        0..5,
    );
    let events = (names, proptest::collection::vec(list(group.boxed()), 5), space(), space());
    let hooks = events.prop_map(|(names, lists, space, close)| {
        let members: Vec<_> =
            names.iter().zip(lists).map(|(n, l)| format!("\"{n}\":{l}")).collect();
        let open = if members.is_empty() { "" } else { space };
        format!("\"hooks\"{space}: {{{open}{}{close}}}", members.join(&format!("{close},{space}")))
    });
    let before = prop_oneof![Just(None), Just(Some("\"a\": [ ]"))];
    let after = prop_oneof![Just(None), Just(Some("\"z\":{\"hooks\":[]}"))];
    (before, proptest::option::of(hooks), after, space(), space()).prop_map(
        |(before, hooks, after, open, end)| {
            let members: Vec<_> = [before.map(str::to_owned), hooks, after.map(str::to_owned)]
                .into_iter()
                .flatten()
                .collect();
            format!("{{{open}{}{end}}}{end}", members.join(&format!(",{open}")))
        },
    )
}

proptest! {
    #[test]
    fn any_valid_file_comes_back_byte_for_byte(existing in shape()) {
        let text = installed(&existing);
        prop_assert_eq!(installed(&text), text.clone());
        prop_assert_eq!(uninstalled(&text), Some(existing));
    }

    #[test]
    fn any_text_is_refused_or_comes_back(existing in "[\\[\\]{}\",: a\n]{0,12}") {
        if let Ok(plan) = plan_install(&CODEX, Some(&existing), &launcher()) {
            prop_assert_eq!(uninstalled(&plan.new_text.expect("has text")), Some(existing));
        }
    }
}
