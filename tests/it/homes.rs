//! Every kind of home with every event and every reading command: who ends how.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::{Answer, Event, TestHome, home::start, scan};

const RULE: &str = "Never push without my yes.";
const COMMANDS: [&[&str]; 8] = [
    &["view"],
    &["view", "--json"],
    &["guard"],
    &["log"],
    &["explain", "q1"],
    &["verify"],
    &["recover"],
    &["task", "list"],
];

/// What stands where the usual root is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// No `HOME` at all.
    Unset,
    /// A `HOME` that depends on the current folder.
    Relative,
    /// A `HOME` that does not exist yet.
    NotThere,
    /// A file in the place of `HOME`.
    File,
    /// A root that others may read.
    Open,
    /// A root of another user.
    Foreign,
}

fn events() -> [Event; 7] {
    [
        Event::start("startup"),
        Event::prompt("t1", RULE),
        Event::pre_compact("auto"),
        Event::post_compact("auto"),
        Event::start("compact"),
        Event::stop(),
        Event::end(),
    ]
}

/// Prepares the home and returns the value of `HOME`, empty for none at all; `None` if this user may
/// not.
fn prepare(home: &TestHome, kind: Kind) -> Option<String> {
    let place = home.place().join("owner");
    let root = place.join(".local/share/context-continuity");
    let named = place.to_str().unwrap().to_owned();
    match kind {
        Kind::Unset => return Some(String::new()),
        Kind::Relative => return Some("owner".to_owned()),
        Kind::NotThere => {}
        Kind::File => fs::write(&place, "a file").unwrap(),
        Kind::Open | Kind::Foreign => {
            fs::create_dir_all(&root).unwrap();
            let mode = if kind == Kind::Open { 0o755 } else { 0o700 };
            fs::set_permissions(&root, fs::Permissions::from_mode(mode)).unwrap();
            if kind == Kind::Foreign {
                chown(&root, Some(54_321), Some(54_321)).ok()?;
            }
        }
    }
    Some(named)
}

fn command(home: &TestHome, place: Option<&str>, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_continuity"));
    home.clean(&mut command);
    command.args(words).current_dir(&home.workspace);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    match place {
        Some(place) => command.env("HOME", place),
        None => command.env_remove("HOME"),
    };
    command
}

fn run(home: &TestHome, place: Option<&str>, words: &[&str]) -> Output {
    let mut command = command(home, place, words);
    command.stdin(Stdio::null()).output().unwrap()
}

#[track_caller]
fn check(kind: Kind, expected: [i32; 8]) {
    let home = TestHome::new();
    let Some(place) = prepare(&home, kind) else {
        println!("skipped: this user may not give files away");
        return;
    };
    let place = Some(place.as_str()).filter(|place| !place.is_empty());
    for event in events() {
        let child =
            start(&mut command(&home, place, &["hook", "codex"]), &home.placed(&event).bytes());
        Answer::of(child.wait_with_output().unwrap()).assert_own_form();
    }
    let before = scan::contents(home.place());
    for (words, code) in COMMANDS.iter().zip(expected) {
        let output = run(&home, place, words);
        assert_eq!(output.status.code(), Some(code), "{kind:?} {words:?}: {output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!said.contains("panicked"), "{said}");
        assert_eq!(code == 0, !said.starts_with("error: "), "{kind:?} {words:?}: {said}");
    }
    let after = scan::contents(home.place());
    assert_eq!(names(&before), names(&after), "{kind:?}");
}

fn names(contents: &[(std::path::PathBuf, Vec<u8>)]) -> Vec<&Path> {
    contents.iter().map(|(path, _)| path.as_path()).collect()
}

#[test]
fn hooks_end_with_0_and_commands_with_the_stated_code_in_every_home() {
    check(Kind::Unset, [0; 8]);
    check(Kind::Relative, [0; 8]);
    check(Kind::NotThere, [0; 8]);
    check(Kind::File, [3; 8]);
    check(Kind::Open, [3; 8]);
    check(Kind::Foreign, [3; 8]);
}
