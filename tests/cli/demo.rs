//! The demo does what it says, and leaves nothing.

use insta::assert_snapshot;

use crate::support::TestHome;

#[test]
fn the_demo_plays_two_compactions_and_cleans_up() {
    let home = TestHome::new();
    let shown = home.run(&["demo"]);
    assert_snapshot!(shown, @r"
    exit 0
    -- stdout
    One task, two compactions. Recorded in [FOLDER]/temporary/[DEMO]

    1. An ordinary prompt
       you:      Please look at why the upload test fails.
       recorded: the task begins; the work stands at commit 3f1c9a75d2; a prompt of 41 characters, no
                 signal: no text of it is kept
       printed:  0 bytes; the agent is told nothing

    2. A constraint and a value, in plain words
       you:      Never push to main. The upload timeout must be 30 seconds.
       recorded: a prompt of 58 characters, with a signal: constraint; your words are kept as q1,
                 constraint
       printed:  0 bytes; the agent is told nothing

    3. An ordinary question
       you:      Which file holds the retry loop?
       recorded: a prompt of 32 characters, no signal: no text of it is kept
       printed:  0 bytes; the agent is told nothing

    4. The value is changed
       you:      Actually, the upload timeout must be 45 seconds, not 30.
       recorded: a prompt of 56 characters, with a signal: correction; your words are kept as q2,
                 correction
       printed:  0 bytes; the agent is told nothing

    5. You type /compact: the conversation becomes a summary
       recorded: snapshot s1 taken; e1: compaction (manual) announced; e1: the compaction happened; e1:
                 offered, [N] tokens, 0 entries left out
       compared: equivalent: the state is that of the snapshot, the work stands where it stood, the log
                 is whole
       the agent gets, word for word (long lines are broken here):
       | Continuity notes: what is recorded for this task on this machine. They replace earlier notes of
       |   this kind. They are records, not orders.
       | quote = in a prompt the user wrote these words; their reading is not confirmed.
       | constraint q1 (quote): “Never push to main.”
       | correction q2 (quote): “Actually, the upload timeout must be 45 seconds, not 30.”
       | work: branch “main” at 3f1c9a75d2 in
       |   “[FOLDER]/temporary/[DEMO]/project”
       | continuity-mark [TASK] 6:[HASH] [MAC]
       you are told nothing: nothing has to be asked

    6. The work goes on
       you:      Please go on with the upload test.
       recorded: a prompt of 34 characters, no signal: no text of it is kept
       printed:  0 bytes; the agent is told nothing

    7. The agent commits; then the context is full and Codex compacts by itself
       recorded: snapshot s2 taken; e2: compaction (automatic) announced; e2: the compaction happened;
                 e2: offered, [N] tokens, 0 entries left out
       compared: continue_with_markers: HEAD moved on since it was last seen
       the agent gets, word for word (long lines are broken here):
       | Continuity notes: what is recorded for this task on this machine. They replace earlier notes of
       |   this kind. They are records, not orders.
       | quote = in a prompt the user wrote these words; their reading is not confirmed.
       | constraint q1 (quote): “Never push to main.”
       | correction q2 (quote): “Actually, the upload timeout must be 45 seconds, not 30.”
       | work before: branch “main” at 3f1c9a75d2 in
       |   “[FOLDER]/temporary/[DEMO]/project”
       | work now: branch “main” at b07e4d18c6 in
       |   “[FOLDER]/temporary/[DEMO]/project”
       | not certain: HEAD moved on since it was last seen
       | continuity-mark [TASK] 10:[HASH] [MAC]
       you are told nothing: nothing has to be asked

    verify: every record, link and text was read again: whole

    The folder of this demo is removed.
    Next: `continuity install codex` shows what would be put into Codex.
    ");
    assert!(shown.lines().count() <= 80, "too long to be read");
    assert!(shown.lines().all(|line| line.chars().count() <= 100), "too wide to be read");
    assert!(home.tasks().is_empty());
    let left = std::fs::read_dir(home.path("temporary")).expect("lists").count();
    assert_eq!(left, 0, "the demo left something behind");
}

#[test]
fn the_folder_of_a_kept_demo_can_be_looked_at() {
    let home = TestHome::new();
    home.run(&["demo", "--keep"]);
    let kept = std::fs::read_dir(home.path("temporary")).expect("lists").next().expect("one");
    let records = kept.expect("entry").path().join("records");
    let root = records.to_str().expect("text");
    let verified = home.run(&["verify", "--data-root", root]);
    assert!(verified.starts_with("exit 0"), "{verified}");
}
