//! Damage is named, never mended by guessing, and told by the exit code.

use insta::assert_snapshot;

use crate::support::{TestHome, files_below};

impl TestHome {
    fn the_file(&self, folder: &str) -> std::path::PathBuf {
        let task = self.records().join("tasks").join(&self.tasks()[0]);
        files_below(&task.join(folder)).first().expect("a file").clone()
    }
}

#[test]
fn a_whole_task_is_verified_with_everything_beside_it() {
    let home = TestHome::new();
    home.usual_task();
    assert_snapshot!(home.run(&["verify"]), @r"
    exit 0
    -- stdout
    task [SHORT]   whole
      log        6 records, 1 segments, [N] bytes; every checksum and link read
      head       6:[HASH]
      witness    remembers record 6:[HASH]
      texts      3 of 3 whole
      snapshots  1 of 1 whole
      checkpoint 1 of 1 whole
      keys       1 of 1 whole
      sessions   1 of 1 whole
    ");
}

#[test]
fn a_flipped_byte_is_named_by_file_and_place() {
    let home = TestHome::new();
    home.usual_task();
    let segment = home.the_file("ledger");
    let mut bytes = std::fs::read(&segment).expect("reads");
    bytes[700] ^= 1;
    std::fs::write(&segment, bytes).expect("writes");
    let verified = home.run(&["verify"]);
    assert!(verified.starts_with("exit 4"), "{verified}");
    assert!(verified.contains("problem: tasks/[TASK]/ledger/"), "{verified}");
    assert!(verified.contains(" at byte "), "{verified}");
    for command in ["view", "log", "guard", "recover"] {
        let said = home.run(&[command]);
        assert!(said.starts_with("exit 4"), "{command}: {said}");
        assert!(said.contains("error: "), "{command}: {said}");
    }
    let guard = home.run(&["guard"]);
    assert!(guard.contains("freshness damaged"), "{guard}");
}

#[test]
fn a_damaged_snapshot_is_named_and_the_rest_stays_whole() {
    let home = TestHome::new();
    home.usual_task();
    let snapshot = home.the_file("snapshots");
    let mut bytes = std::fs::read(&snapshot).expect("reads");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&snapshot, bytes).expect("writes");
    assert_snapshot!(home.run(&["verify"]), @r"
    exit 4
    -- stdout
    task [SHORT]   DAMAGED
      log        6 records, 1 segments, [N] bytes; every checksum and link read
      head       6:[HASH]
      witness    remembers record 6:[HASH]
      texts      3 of 3 whole
      snapshots  0 of 1 whole
      checkpoint 1 of 1 whole
      keys       1 of 1 whole
      sessions   1 of 1 whole
      problem: tasks/[TASK]/snapshots/1 at byte 0: a checksum does not match

    `continuity recover` says what can be done; nothing was changed
    ");
}

#[test]
fn a_cut_log_is_read_only_until_a_person_accepts_it() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Never push to main.");
    let segment = home.the_file("ledger");
    let shorter = std::fs::read(&segment).expect("reads");
    home.prompt("one", "project", 2, "Never deploy on Friday.");
    std::fs::write(&segment, shorter).expect("writes");
    assert_snapshot!(home.run(&["recover"]), @r"
    exit 4
    -- stderr
    error: ledger ends at sequence 1, but sequence 2 was acknowledged

    hint: put back what is missing from a copy, or go on without it:
      continuity recover --task [SHORT] --accept-rollback --confirm [TASK]
    ");
    let refused = home.run(&["recover", "--accept-rollback", "--confirm", &home.tasks()[0]]);
    assert_snapshot!(refused, @r"
    exit 6
    -- stderr
    error: only a person may do this, and stdin is no terminal

    hint: run the same command yourself, in a terminal of your own
    ");
}

/// Everything below the records with its bytes; a link counts by its target's name.
fn everything(home: &TestHome) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let files = files_below(&home.records());
    files.into_iter().map(|file| (file.clone(), std::fs::read(file).expect("reads"))).collect()
}

/// Every command refuses with this exit code, the next session start says why in one line, no
/// event is recorded, and not one byte is touched.
#[track_caller]
fn check_refused(home: &TestHome, exit: &str, why: &str) {
    let before = everything(home);
    for command in [&["view"][..], &["log"], &["guard"], &["recover"], &["explain", "q1"]] {
        let said = home.run(command);
        assert!(said.starts_with(exit) && said.contains(why), "{command:?}: {said}");
    }
    let verified = home.run(&["verify"]);
    assert!(verified.starts_with("exit 4") && verified.contains(why), "{verified}");
    let listed = home.run(&["task", "list"]);
    assert!(listed.starts_with("exit 0"), "{listed}");
    home.prompt("one", "project", 8, "Never touch the database.");
    for (event, more) in [
        ("PreCompact", r#","turn_id":"8","trigger":"manual""#),
        ("PostCompact", r#","turn_id":"8","trigger":"manual""#),
    ] {
        let output = home.hear("one", &home.path("project"), event, more);
        assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
    }
    let output = home.hear("one", &home.path("project"), "SessionStart", r#","source":"resume""#);
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an answer");
    assert!(answer.get("hookSpecificOutput").is_none(), "{answer}");
    let notice = answer["systemMessage"].as_str().expect("a line for the user");
    assert!(notice.starts_with("Continuity is off for this task: "), "{notice}");
    assert!(notice.contains(why) && notice.contains("`continuity verify`"), "{notice}");
    assert!(everything(home) == before, "a file was touched");
}

#[test]
fn a_segment_behind_a_link_is_refused_in_words() {
    let home = TestHome::new();
    home.usual_task();
    let segment = home.the_file("ledger");
    let aside = home.path("temporary/segment");
    std::fs::rename(&segment, &aside).expect("moves");
    std::os::unix::fs::symlink(&aside, &segment).expect("links");
    check_refused(&home, "exit 3", "is not ours alone: it is not a regular file");
}

#[test]
fn a_ledger_folder_behind_a_link_is_refused_in_words() {
    let home = TestHome::new();
    home.usual_task();
    let folder = home.the_file("ledger").parent().expect("a folder").to_owned();
    let aside = home.path("temporary/ledger");
    std::fs::rename(&folder, &aside).expect("moves");
    std::os::unix::fs::symlink(&aside, &folder).expect("links");
    check_refused(&home, "exit 3", "is not ours alone: it is not a regular file");
}

/// Rewrites the format number of a header, and the checksum over it.
fn make_newer(bytes: &mut [u8]) {
    bytes[4..6].copy_from_slice(&2_u16.to_le_bytes());
    let end = bytes.len() - 4;
    let checksum = crc32c::crc32c(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
}

#[test]
fn a_segment_of_a_newer_format_is_refused_by_number() {
    let home = TestHome::new();
    home.usual_task();
    let segment = home.the_file("ledger");
    let mut bytes = std::fs::read(&segment).expect("reads");
    make_newer(&mut bytes[..72]);
    std::fs::write(&segment, bytes).expect("writes");
    check_refused(&home, "exit 4", "format 2 is newer than 1");
}

#[test]
fn a_witness_of_a_newer_format_is_refused_by_number() {
    let home = TestHome::new();
    home.usual_task();
    let witness = home.records().join("anchors").join(&home.tasks()[0]);
    let mut bytes = std::fs::read(&witness).expect("reads");
    for start in (0..bytes.len()).step_by(4096) {
        make_newer(&mut bytes[start..start + 100]);
    }
    std::fs::write(&witness, bytes).expect("writes");
    check_refused(&home, "exit 4", "format 2 is newer than 1");
}
