//! What anybody but a person records waits for the user, who answers by a code.

use insta::assert_snapshot;

use crate::support::TestHome;

const RULE: &str = "Never push to main.";

fn begun() -> TestHome {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Please fix the failing test.");
    home
}

#[test]
fn what_anybody_else_records_waits_for_the_user_and_says_so() {
    let home = begun();
    home.by_person(&["record", "fact", "The timeout is 30 seconds."]);
    assert_snapshot!(home.run(&["correct", "i1", "The timeout is 45 seconds."]), @r"
    exit 0
    -- stdout
    Nothing is in force yet: only a person may do this, and stdin is no terminal.
    Continuity: this waits for your yes.
      correction: “The timeout is 45 seconds.”
        instead of i1: “The timeout is 30 seconds.”
    Type `confirm [CODE]` as your whole message, or `reject [CODE]`, within 10 minutes.
    ");
    assert_snapshot!(home.run(&["view"]), @r"
    exit 0
    -- stdout
    task [SHORT]   recording is on   head 3:[HASH]
    kept in [FOLDER]/home/.local/share/context-continuity

    Items in force
      i1  fact, active: “The timeout is 30 seconds.”
          from user, not checked, [DATE] the command line
          confirmed by you, on the command line
    Your words: none that carry a signal

    Waits for your yes; nothing of it is in force
      p1  [CODE]: 1 item, until [DATE]

    Work, as last seen
      folder [FOLDER]/project
      branch main, no commit yet

    Newest boundary: none yet

    Not known, or not there
      no words of yours say what the work is for

    Log: 8 of 2000 events, 1 of 8192 KiB
    Basis: every record and link of the log was verified
    ");
    assert_snapshot!(home.run(&["explain", "p1"]), @r"
    exit 0
    -- stdout
    p1  proposal, word for word:
    Continuity: this waits for your yes.
      correction: “The timeout is 45 seconds.”
        instead of i1: “The timeout is 30 seconds.”
    Type `confirm [CODE]` as your whole message, or `reject [CODE]`, within 10 minutes.
      recorded [DATE] in record 3, from the agent, by a tool call

    History
        3  [DATE]  p1 ([CODE]) waits for your yes: 1 item

    Basis: every record and link of the log was verified
    ");
    let told = home.json(&["record", "authorization", "Push to main.", "--act", "push"]);
    assert_eq!(told["outcome"], "waits_for_the_user");
    assert_eq!(told["answer"], format!("confirm {}", home.code()));
    assert!(told["text"].as_str().expect("a text").contains("Push to main."), "{told}");
    let view = home.json(&["view"]);
    assert_eq!(view["items"].as_array().map(Vec::len), Some(1), "nothing is in force yet");
}

#[test]
fn on_a_terminal_that_an_agent_host_opened_nothing_is_done_either() {
    let home = begun();
    assert_snapshot!(home.by_host_on_a_terminal(&["record", "constraint", RULE]), @r"
    exit 0
    -- stdout
    Nothing is in force yet: only a person may do this, and an agent host (codex) started this process.
    Continuity: this waits for your yes.
      constraint: “Never push to main.”
    Type `confirm [CODE]` as your whole message, or `reject [CODE]`, within 10 minutes.
    ");
    let code = home.code();
    assert_snapshot!(home.by_host_on_a_terminal(&["confirm", &code]), @r"
    exit 6
    -- stdout
    error: only a person may do this, and an agent host (codex) started this process

    hint: type `confirm [CODE]` as your whole message to the agent, or run it in a terminal of your own
    ");
    assert_eq!(home.json(&["view"])["items"].as_array().map(Vec::len), Some(0));
}

#[test]
fn an_answer_from_anywhere_but_a_terminal_is_refused() {
    let home = begun();
    home.run(&["record", "constraint", RULE]);
    let code = home.code();
    let refused = home.run(&["confirm", &code]);
    assert_snapshot!(refused, @r"
    exit 6
    -- stderr
    error: only a person may do this, and stdin is no terminal

    hint: type `confirm [CODE]` as your whole message to the agent, or run it in a terminal of your own
    ");
    for verb in ["reject", "undo"] {
        assert_eq!(home.run(&[verb, &code]).replace(verb, "confirm"), refused);
    }
    assert_snapshot!(home.run(&["confirm", "please"]), @r"
    exit 2
    -- stderr
    error: please is no code

    hint: a code has four letters and digits, like 7QK4
    ");
    assert_eq!(home.json(&["view"])["items"].as_array().map(Vec::len), Some(0));
    assert_eq!(home.code(), code, "it still waits");
}

#[test]
fn a_person_confirms_after_the_whole_text_was_shown_and_takes_it_back() {
    let home = begun();
    home.by_person(&["record", "fact", "The timeout is 30 seconds."]);
    home.run(&["correct", "i1", "The timeout is 45 seconds."]);
    let code = home.code();
    assert_snapshot!(home.answered_by_person("no", &["confirm", &code]), @r"
    exit 6
    -- stdout
    Continuity: this waits for your yes.
      correction: “The timeout is 45 seconds.”
        instead of i1: “The timeout is 30 seconds.”
    Type `confirm [CODE]` as your whole message, or `reject [CODE]`, within 10 minutes.

    Type yes to confirm: error: not confirmed; nothing has changed
    ");
    let silent = home.by_person(&["confirm", &code]);
    assert!(silent.starts_with("exit 6"), "{silent}");
    assert_snapshot!(home.answered_by_person("yes", &["confirm", &code]), @r"
    exit 0
    -- stdout
    Continuity: this waits for your yes.
      correction: “The timeout is 45 seconds.”
        instead of i1: “The timeout is 30 seconds.”
    Type `confirm [CODE]` as your whole message, or `reject [CODE]`, within 10 minutes.

    Type yes to confirm: Continuity: confirmed. In force now:
      i2 correction: “The timeout is 45 seconds.”
        instead of i1
    `undo [CODE]` takes it back.
    ");
    assert_snapshot!(home.answered_by_person("yes", &["confirm", &code]), @r"
    exit 6
    -- stdout
    error: the code [CODE] was used already; `undo [CODE]` takes it back
    ");
    assert_snapshot!(home.run(&["explain", "i2"]), @r"
    exit 0
    -- stdout
    i2  correction: “The timeout is 45 seconds.”
      source the command line
      recorded [DATE] in record 4, from you, on the command line
      confirmed as p1 by you, on the command line

    History
        4  [DATE]  p1 ended: confirmed by you
        4  [DATE]  i2 is recorded: correction, active, from user, replaces i1

    Basis: every record and link of the log was verified
    ");
    assert_snapshot!(home.by_person(&["undo", &code]), @r"
    exit 0
    -- stdout
    Continuity: taken back.
    In force again:
      i1 fact: “The timeout is 30 seconds.”
    ");
    assert_snapshot!(home.by_person(&["undo", &code]), @r"
    exit 6
    -- stdout
    error: no open proposal has the code [CODE]

    hint: `continuity view` lists what waits for your yes; --task REF names another task
    ");
    home.run(&["record", "fact", "Never mind."]);
    assert_snapshot!(home.by_person(&["reject", &home.code()]), @r"
    exit 0
    -- stdout
    Continuity: p2 is refused. Nothing changed.
    ");
}

#[test]
fn what_the_user_types_as_a_prompt_confirms_what_the_command_asked_for() {
    let home = begun();
    home.run(&["record", "constraint", RULE]);
    let code = home.code();
    home.prompt("one", "project", 2, &format!("confirm {code}"));
    assert_snapshot!(home.run(&["explain", "i1"]), @r"
    exit 0
    -- stdout
    i1  constraint: “Never push to main.”
      source the command line
      recorded [DATE] in record 3, from a prompt of yours in codex
      confirmed as p1 by a prompt of yours, not looked up in the host's transcript yet

    History
        3  [DATE]  p1 ended: confirmed by you
        3  [DATE]  i1 is recorded: constraint, active, from user

    Basis: every record and link of the log was verified
    ");
    let view = home.run(&["view"]);
    assert!(view.contains("confirmed by a prompt of yours"), "{view}");
}
