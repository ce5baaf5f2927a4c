//! What a person deletes is gone from every file, and what is out of reach is said.

use std::path::{Path, PathBuf};

use data_encoding::{BASE64, HEXLOWER};
use insta::assert_snapshot;

use crate::support::{TestHome, files_below};

const CANARY: &str = "kestrel-quarry-7719";

/// Forms in which a text could be hidden in a file.
fn forms(canary: &str) -> Vec<Vec<u8>> {
    let mut forms =
        vec![canary.as_bytes().to_vec(), HEXLOWER.encode(canary.as_bytes()).into_bytes()];
    for shift in 0..3 {
        let shifted = [vec![b'x'; shift], canary.as_bytes().to_vec()].concat();
        let encoded = BASE64.encode(&shifted);
        // The first and last letters depend on what stands beside the canary.
        forms.push(encoded.as_bytes()[4..encoded.len() - 4].to_vec());
    }
    forms.push(canary.encode_utf16().flat_map(u16::to_le_bytes).collect());
    forms.push(canary.encode_utf16().flat_map(u16::to_be_bytes).collect());
    forms
}

fn hits(folder: &Path, canary: &str) -> usize {
    let contents = files_below(folder).into_iter().map(|file| std::fs::read(file).expect("reads"));
    let forms = forms(canary);
    contents
        .map(|bytes| {
            forms.iter().filter(|form| bytes.windows(form.len()).any(|it| it == &form[..])).count()
        })
        .sum()
}

impl TestHome {
    fn compacted(&self, session: &str) {
        for (event, more) in [
            ("PreCompact", r#","turn_id":"1","trigger":"manual""#),
            ("PostCompact", r#","turn_id":"1","trigger":"manual""#),
            ("SessionStart", r#","source":"compact""#),
        ] {
            self.hear(session, &self.path("project"), event, more);
        }
    }

    /// A task of which every kind of file holds something, and another task.
    fn task_with_canaries(&self) -> String {
        let words = format!("Never push to the branch {CANARY}.");
        self.prompt("one", "project", 1, &words);
        self.prompt("two", "other", 1, "Never push to main.");
        let item = format!("The schema is {CANARY}-item.");
        let why = format!("Agreed on: {CANARY}-why.");
        let recorded = self.by_person(&["record", "decision", &item, "--because", &why]);
        assert!(recorded.starts_with("exit 0"), "{recorded}");
        self.run(&["record", "fact", &format!("Not confirmed: {CANARY}-asked.")]);
        self.compacted("one");
        let view = self.json(&["view"]);
        let task = view["task_ref"].as_str().expect("a reference").to_owned();
        let reset = self.by_person(&["task", "reset", "--confirm", &task]);
        assert!(reset.starts_with("exit 0"), "{reset}");
        assert!(hits(&self.records(), CANARY) > 3, "the canaries were never there");
        task
    }
}

// field case F045
#[test]
fn what_a_person_deletes_is_gone_from_every_file_and_the_rest_is_said() {
    let home = TestHome::new();
    let task = home.task_with_canaries();
    let deleted = home.by_person(&["task", "delete", &task, "--confirm", &task]);
    let deleted = deleted.replace(&task[..6], "[GONE]");
    assert_snapshot!(deleted, @r"
    exit 0
    -- stdout
    Task [GONE] is deleted: log, texts, snapshots, keys, witness and session pointers. An empty
    folder in [FOLDER]/home/.local/share/context-continuity/tombstones remembers that it was there.
    Scanned [N] files, [N] bytes, for [N] pieces of its words and keys in every form: nothing left.

    Not ours, and not touched:
      the host's own transcripts, which hold what you wrote and what the agent was offered
      whatever you copied, exported or backed up elsewhere
    ");
    assert_eq!(hits(&home.records(), CANARY), 0);
    assert_eq!(home.tasks().len(), 1, "the other task is untouched");
    for file in files_below(&home.records()) {
        let bytes = std::fs::read(&file).expect("reads");
        let has_ref = bytes.windows(task.len()).any(|it| it == task.as_bytes());
        assert!(!has_ref, "{} names the task", file.display());
    }
    let verified = home.run(&["verify", "--all"]);
    assert!(verified.starts_with("exit 0"), "{verified}");
}

// field case F045
#[test]
fn a_copy_that_somebody_put_beside_the_records_is_found_in_every_form() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, &format!("Never push to the branch {CANARY}."));
    let task = home.tasks()[0].clone();
    let put = |name: &str, bytes: &[u8]| {
        std::fs::write(home.records().join(name), bytes).expect("writes");
    };
    put("plain.bak", CANARY.as_bytes());
    put("Hex Dump", HEXLOWER.encode(CANARY.as_bytes()).as_bytes());
    put("mail.b64", BASE64.encode(format!("ab branch {CANARY}. z").as_bytes()).as_bytes());
    put("wide.txt", &CANARY.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    put("about.txt", format!("see task {task}").as_bytes());
    put("clean.txt", b"nothing of it");
    std::os::unix::fs::symlink(home.path("project"), home.records().join("link")).expect("links");
    let deleted = home.by_person(&["task", "delete", "--confirm", &task]);
    let deleted = deleted.replace(&task[..6], "[GONE]");
    assert_snapshot!(deleted, @r"
    exit 1
    -- stdout
    Task [GONE] is deleted: log, texts, snapshots, keys, witness and session pointers. An empty
    folder in [FOLDER]/home/.local/share/context-continuity/tombstones remembers that it was there.
    Scanned [N] files, [N] bytes, for [N] pieces of its words and keys in every form: something is left.
      Hex Dump: at byte 0
      about.txt: at byte 9
      mail.b64: at byte 12
      plain.bak: at byte 0
      wide.txt: at byte 0

    Not ours, and not touched:
      the host's own transcripts, which hold what you wrote and what the agent was offered
      whatever you copied, exported or backed up elsewhere
    error: 5 places still hold something of it

    hint: these files are no part of the task: look at them, and remove them by hand
    ");
    assert!(home.tasks().is_empty());
}

#[test]
fn a_damaged_task_is_deleted_as_wholly_as_any_other() {
    let home = TestHome::new();
    let task = home.task_with_canaries();
    let ledger = home.records().join("tasks").join(&task).join("ledger");
    let segment = files_below(&ledger)[0].clone();
    let mut bytes = std::fs::read(&segment).expect("reads");
    bytes[700] ^= 1;
    std::fs::write(&segment, bytes).expect("writes");
    std::fs::write(home.records().join("copy"), format!("{CANARY}-item")).expect("writes");
    let deleted = home.by_person(&["task", "delete", &task, "--confirm", &task]);
    assert!(deleted.contains("something is left.\n  copy: at byte 0\n"), "{deleted}");
    std::fs::remove_file(home.records().join("copy")).expect("removes");
    assert_eq!(hits(&home.records(), CANARY), 0);
}

fn fork(home: &TestHome) -> PathBuf {
    let transcript = home.path("temporary/fork.jsonl");
    let line = r#"{"type":"session_meta","payload":{"id":"copy","forked_from_id":"one"}}"#;
    std::fs::write(&transcript, format!("{line}\n")).expect("writes");
    let folder = home.path("project");
    home.hear_beside(Some(&transcript), "copy", &folder, "SessionStart", r#","source":"fork""#);
    transcript
}

#[test]
fn tasks_of_the_same_lineage_are_named_and_left_alone() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, &format!("Never push to the branch {CANARY}."));
    let task = home.tasks()[0].clone();
    fork(&home);
    let copy = home.tasks().into_iter().find(|it| *it != task).expect("a fork");
    let shown = |text: String| text.replace(&task, "[OLD]").replace(&copy, "[COPY]");
    let run = |arguments: &[&str]| {
        let output = home.on_a_terminal("", arguments);
        let text = String::from_utf8(output.stdout).expect("text").replace('\r', "");
        let text = shown(text).replace(&task[..6], "[OLD]").replace(&copy[..6], "[COPY]");
        home.filtered(&text)
    };
    assert_snapshot!(run(&["task", "list"]), @r"
    [COPY]  [DATE]  1 in force  1 KiB  (took over from [OLD]; no prompt yet)
    [OLD]  [DATE]  1 in force  1 KiB  [FOLDER]/project
    ");
    assert_snapshot!(run(&["task", "delete", &task]), @r"
    error: this deletes all that is recorded of task [OLD], for good; nothing was done yet
      folder [FOLDER]/home/.local/share/context-continuity/tasks/[OLD]
      task [COPY]: took over from this one; may hold copies, and is deleted on its own

    hint: to do it, add --confirm [OLD]
    ");
    assert_snapshot!(run(&["task", "delete", &task, "--confirm", &task]), @r"
    Task [OLD] is deleted: log, texts, snapshots, keys, witness and session pointers. An empty
    folder in [FOLDER]/home/.local/share/context-continuity/tombstones remembers that it was there.
    Scanned [N] files, [N] bytes, for [N] pieces of its words and keys in every form: nothing left.

    Of the same lineage, and not touched:
      task [COPY]: took over from this one; holds copies

    Not ours, and not touched:
      the host's own transcripts, which hold what you wrote and what the agent was offered
      whatever you copied, exported or backed up elsewhere
    ");
    assert_eq!(home.tasks(), std::slice::from_ref(&copy));
    assert!(hits(&home.records(), CANARY) > 0, "the copy is its own task's");
    let last = run(&["task", "delete", &copy, "--confirm", &copy]);
    assert!(last.contains("nothing left"), "{last}");
    assert_eq!(hits(&home.records(), CANARY), 0);
}

#[test]
fn a_deletion_tells_the_same_as_json() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, &format!("Never push to the branch {CANARY}."));
    let task = home.tasks()[0].clone();
    let output = home.on_a_terminal("", &["task", "delete", "--confirm", &task, "--json"]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("is JSON");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(told["schema"], "continuity.task_delete.v1");
    assert_eq!(told["task_ref"], task.as_str());
    assert_eq!(told["left"].as_array().map(Vec::len), Some(0));
    assert!(told["scanned_files"].as_u64() > Some(0) && told["sought_pieces"].as_u64() > Some(1));
    assert_eq!(told["out_of_reach"].as_array().map(Vec::len), Some(2));
}

// covers: P-133
#[test]
fn a_link_or_a_crooked_path_where_a_task_would_be_is_refused_and_nothing_is_removed() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Never push to main.");
    let task = home.tasks()[0].clone();
    let (tasks, aside) = (home.records().join("tasks"), home.path("temporary/aside"));
    let delete = |home: &TestHome| home.by_person(&["task", "delete", &task, "--confirm", &task]);
    std::fs::rename(tasks.join(&task), &aside).expect("moves");
    std::os::unix::fs::symlink(&aside, tasks.join(&task)).expect("links");
    let refused = delete(&home);
    assert!(refused.starts_with("exit 6"), "{refused}");
    std::fs::remove_file(tasks.join(&task)).expect("removes");
    std::fs::rename(&aside, tasks.join(&task)).expect("moves");
    std::fs::rename(&tasks, &aside).expect("moves");
    std::os::unix::fs::symlink(&aside, &tasks).expect("links");
    let refused = delete(&home);
    assert!(refused.starts_with("exit 3"), "{refused}");
    assert!(!files_below(&aside).is_empty());
    std::fs::remove_file(&tasks).expect("removes");
    std::fs::rename(&aside, &tasks).expect("moves");
    let crooked = home.records().join("../context-continuity");
    let crooked = crooked.to_str().expect("text");
    let refused =
        home.by_person(&["task", "delete", &task, "--confirm", &task, "--data-root", crooked]);
    assert!(refused.starts_with("exit 3"), "{refused}");
    assert!(!files_below(&tasks).is_empty(), "nothing was removed");
    let sibling = tasks.join(format!("{task}x"));
    std::fs::create_dir(&sibling).expect("makes a folder");
    std::fs::write(sibling.join("note"), "of somebody else").expect("writes");
    let deleted = delete(&home);
    assert!(deleted.contains("something is left.\n  tasks/[TASK]: its name\n"), "{deleted}");
    assert_eq!(files_below(&tasks), [sibling.join("note")]);
}
