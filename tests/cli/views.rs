//! What the reading commands show.

use insta::assert_snapshot;

use crate::support::{BINARY, TestHome, files_below};

#[test]
fn the_view_says_what_is_in_force_and_from_where() {
    let home = TestHome::new();
    home.usual_task();
    assert_snapshot!(home.run(&["view"]), @r"
    exit 0
    -- stdout
    task [SHORT]   recording is on   head 6:[HASH]
    kept in [FOLDER]/home/.local/share/context-continuity

    Items in force: none

    Your words, as you wrote them; how to read them is not confirmed
      q1  constraint: “Never push to main.”
          from your prompt, [DATE]; push on main is forbidden
      q2  correction: “Actually, the timeout must be 45 seconds, not 30.”
          from your prompt, [DATE]

    Work, as last seen
      folder [FOLDER]/project
      branch main, no commit yet

    Newest boundary: e1, compaction, asked for by the user, [DATE]
      compared: equivalent
      offer 1: [N] tokens, 0 entries left out; whether it arrived was not looked up yet

    Not known, or not there
      no words of yours say what the work is for

    Log: 16 of 2000 events, 2 of 8192 KiB
    Basis: every record and link of the log was verified
    ");
}

#[test]
fn the_log_shows_a_page_newest_last() {
    let home = TestHome::new();
    home.usual_task();
    assert_snapshot!(home.run(&["log", "--limit", "5"]), @r"
    exit 0
    -- stdout
    (earlier events: --before 5)
        5  [DATE]  e1: the compaction happened
        6  [DATE]  e1: the host started the session behind it
        6  [DATE]  e1: compared, equivalent: nothing differs
        6  [DATE]  e1: offered, [N] tokens, 0 entries left out
    Basis: every record and link of the log was verified
    ");
    assert_snapshot!(home.run(&["log", "--before", "2", "--limit", "2"]), @r"
    exit 0
    -- stdout
        1  [DATE]  the task begins
        1  [DATE]  a host session joins ([SESSION])
        1  [DATE]  key 1 for digests is in use
        1  [DATE]  where the work stands was seen
        1  [DATE]  a prompt of 28 characters, no signal: no text of it is kept
        1  [DATE]  a model that was not seen before answers
    Basis: every record and link of the log was verified
    ");
}

#[test]
fn paging_backwards_shows_every_event_once() {
    let home = TestHome::new();
    home.usual_task();
    let entries = |arguments: &[&str]| -> serde_json::Value {
        let output = home.command(BINARY).args(["log", "--json"]).args(arguments).output();
        serde_json::from_slice(&output.expect("runs").stdout).expect("JSON")
    };
    let all = entries(&["--limit", "10000"])["entries"].as_array().expect("a list").clone();
    assert!(all.len() > 12, "{}", all.len());
    for limit in 1..=all.len() {
        let limit = limit.to_string();
        let mut seen = Vec::new();
        let mut before = u64::MAX;
        loop {
            let page = entries(&["--limit", &limit, "--before", &before.to_string()]);
            let shown = page["entries"].as_array().expect("a list");
            seen.splice(0..0, shown.iter().cloned());
            if page["has_earlier"] == false {
                break;
            }
            before = shown[0]["sequence"].as_u64().expect("a number");
        }
        assert_eq!(seen, all, "limit {limit}");
    }
}

#[test]
fn an_entry_is_explained_by_its_words_source_and_history() {
    let home = TestHome::new();
    home.usual_task();
    assert_snapshot!(home.run(&["explain", "q2"]), @r#"
    exit 0
    -- stdout
    q2  correction: “Actually, the timeout must be 45 seconds, not 30.”
      recorded [DATE] in record 3, from a prompt of yours in codex

    History
        3  [DATE]  your words are kept as q2, correction

    Basis: every record and link of the log was verified
    "#);
    assert_snapshot!(home.run(&["explain", "q9"]), @r"
    exit 6
    -- stderr
    error: task [SHORT] has no entry q9

    hint: `continuity view` shows what is in force
    ");
    assert_snapshot!(home.run(&["explain", "seven"]), @r"
    exit 2
    -- stderr
    error: seven is no item, quote or proposal

    hint: items are named like i7, words of yours like q2, proposals like p1
    ");
}

// covers: P-269
#[test]
fn the_guard_reads_typed_fields_and_no_prose() {
    let home = TestHome::new();
    home.usual_task();
    assert_snapshot!(home.run(&["guard"]), @r"
    exit 0
    -- stdout
    task [SHORT]   freshness current   head 6:[HASH]
      your words q1: push on main is forbidden, reading not confirmed
      newest boundary: equivalent
      every record and link of the log was verified
    ");
    assert_snapshot!(home.run(&["guard", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "schema": "continuity.execution_guard.v1",
      "task_ref": "[TASK]",
      "contract": null,
      "phase": "working",
      "open_commitments": [],
      "unmet_gates": [],
      "authorizations": [],
      "conflicts": [],
      "quoted_acts": [
        {
          "id": "q1",
          "kind": "hard_constraint",
          "act": "push",
          "stance": "forbidden",
          "target": "main"
        }
      ],
      "evidence_refs": [],
      "stale_ids": [],
      "disputed_ids": [],
      "work_object": {
        "identity": "[DIGEST]",
        "commit": null
      },
      "head": "6:[HASH]",
      "generation": 0,
      "recovery_class": "equivalent",
      "captured_at": "[DATE]",
      "basis": "full",
      "freshness": {
        "is": "current"
      }
    }
    "#);
}

#[test]
fn a_text_that_is_gone_is_said_to_be_missing() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Never push to main.");
    let bodies = home.records().join("tasks").join(&home.tasks()[0]).join("bodies");
    for body in files_below(&bodies) {
        std::fs::remove_file(body).expect("removes");
    }
    assert_snapshot!(home.run(&["explain", "q1"]), @r"
    exit 0
    -- stdout
    q1  constraint: (the text is missing or was erased)
      recorded [DATE] in record 1, from a prompt of yours in codex

    History
        1  [DATE]  your words are kept as q1, constraint

    Basis: every record and link of the log was verified
    ");
    assert_snapshot!(home.run(&["verify"]), @r"
    exit 4
    -- stdout
    task [SHORT]   DAMAGED
      log        1 records, 1 segments, [N] bytes; every checksum and link read
      head       1:[HASH]
      witness    remembers record 1:[HASH]
      texts      0 of 2 whole
      snapshots  0 of 0 whole
      keys       1 of 1 whole
      sessions   1 of 1 whole
      problem: tasks/[TASK]/bodies/[BODY]: is missing
      problem: tasks/[TASK]/bodies/[BODY]: is missing

    `continuity recover` says what can be done; nothing was changed
    ");
}

#[test]
fn stored_words_cannot_steer_the_terminal() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Never push to main\u{1b}]0;pwned\u{7}\u{202e}now.");
    assert_snapshot!(home.run(&["explain", "q1"]), @r#"
    exit 0
    -- stdout
    q1  constraint: “Never push to main␛]0;pwned␇�now.”
      about “main”
      recorded [DATE] in record 1, from a prompt of yours in codex

    History
        1  [DATE]  your words are kept as q1, constraint

    Basis: every record and link of the log was verified
    "#);
}

#[test]
fn every_reading_command_gives_json_with_a_schema_and_writes_nothing() {
    let home = TestHome::new();
    home.usual_task();
    let state = || {
        let files = files_below(&home.records());
        files
            .into_iter()
            .map(|file| (std::fs::read(&file).expect("reads"), file))
            .collect::<Vec<_>>()
    };
    let before = state();
    for arguments in [
        &["view", "--json"][..],
        &["guard", "--json"],
        &["log", "--json"],
        &["explain", "q1", "--json"],
        &["verify", "--json"],
        &["task", "list", "--json"],
    ] {
        let output = home.command(BINARY).args(arguments).output().expect("runs");
        let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("is JSON");
        let schema = value["schema"].as_str().expect("has a schema");
        assert!(schema.starts_with("continuity."), "{arguments:?}: {schema}");
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{arguments:?}");
    }
    assert!(state() == before, "a reading command wrote something");
}
