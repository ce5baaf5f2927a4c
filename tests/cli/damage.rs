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
