//! The reference documents agree with the code: limits by number, commands by their own help.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use context_continuity::domain::body::{REFERENCE_CHARS_MAX, STATEMENT_CHARS_MAX};
use context_continuity::domain::budget::{RECOVERY_TOKENS_DEFAULT, RECOVERY_TOKENS_MAX};
use context_continuity::domain::signal::QUOTE_CHARS_MAX;
use context_continuity::domain::task::limits::{
    CHILDREN_OPEN_MAX, EVENTS_MAX, ITEMS_IN_FORCE_MAX, LINKS_MAX, LOG_BYTES_MAX, OFFERS_MAX,
    ORDINARY_PERCENT, PROPOSAL_ITEMS_MAX, PROPOSAL_OPEN_MILLIS_MAX, PROPOSALS_OPEN_MAX,
    QUOTES_OPEN_MAX, SESSIONS_MAX, SNAPSHOT_BYTES_MAX, SNAPSHOTS_MAX, WARN_PERCENT,
    WRITE_BYTES_MAX,
};
use context_continuity::io::hook::HOOK_BUDGET;
use context_continuity::io::hosts::{PAYLOAD_BYTES_MAX, PAYLOAD_DEPTH_MAX};
use context_continuity::io::task_files::MISSED_NOTES_MAX;

use crate::support::TestHome;

const COMMANDS: [&[&str]; 24] = [
    &[],
    &["view"],
    &["guard"],
    &["log"],
    &["explain"],
    &["record"],
    &["correct"],
    &["confirm"],
    &["reject"],
    &["undo"],
    &["verify"],
    &["recover"],
    &["task"],
    &["task", "list"],
    &["task", "off"],
    &["task", "on"],
    &["task", "rollover"],
    &["task", "link"],
    &["task", "reset"],
    &["task", "rebuild"],
    &["task", "delete"],
    &["install"],
    &["uninstall"],
    &["demo"],
];

fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference").join(name)
}

/// Writes a number as the documents do.
fn grouped(number: impl TryInto<u64>) -> String {
    let number = number.try_into().ok().unwrap();
    if number < 1_000 {
        return number.to_string();
    }
    format!("{},{:03}", number / 1_000, number % 1_000)
}

#[test]
fn the_page_of_limits_states_the_numbers_of_the_code() {
    let kib = |bytes: u64| bytes / 1_024;
    let rows = [
        format!("| ledger | {} MiB |", kib(LOG_BYTES_MAX) / 1_024),
        format!("| events | {} |", grouped(EVENTS_MAX)),
        format!("| active items | {} |", grouped(ITEMS_IN_FORCE_MAX)),
        format!("| open quotes | {} |", grouped(QUOTES_OPEN_MAX)),
        format!("| open proposals | {PROPOSALS_OPEN_MAX}, of {PROPOSAL_ITEMS_MAX} items at most |"),
        format!("| sub-agents that have not ended | {CHILDREN_OPEN_MAX} |"),
        format!("| host sessions remembered | {SESSIONS_MAX} |"),
        format!("| items that one item replaces | {LINKS_MAX} |"),
        format!("| snapshots | {SNAPSHOTS_MAX};"),
        format!("| the last {} % of bytes and of events |", 100 - ORDINARY_PERCENT),
        format!("| from {WARN_PERCENT} % |"),
        format!("| statement of an item | {STATEMENT_CHARS_MAX} characters |"),
        format!("| fragment of a prompt | {QUOTE_CHARS_MAX} characters |"),
        format!("| reference, such as a source or a target | {REFERENCE_CHARS_MAX} characters |"),
        format!("| single write | {} KiB |", kib(WRITE_BYTES_MAX)),
        format!("| snapshot | {} KiB |", SNAPSHOT_BYTES_MAX / 1_024),
        format!(
            "| recovery text | {} tokens by default, {} at most",
            grouped(RECOVERY_TOKENS_DEFAULT.0),
            grouped(RECOVERY_TOKENS_MAX.0)
        ),
        format!("| offers of it for one boundary | {OFFERS_MAX} |"),
        format!("| open proposal | {} minutes;", PROPOSAL_OPEN_MILLIS_MAX / 60_000),
        format!(
            "| input of a hook | {} MiB, {PAYLOAD_DEPTH_MAX} levels deep |",
            PAYLOAD_BYTES_MAX / 1_024 / 1_024
        ),
        format!("the program ends itself with 0 after {} ms |", HOOK_BUDGET.as_millis()),
        format!("| notes about events that could not be recorded | {MISSED_NOTES_MAX} a task |"),
    ];
    let page = fs::read_to_string(document("limits.md")).unwrap();
    let missing: Vec<_> = rows.iter().filter(|row| !page.contains(row.as_str())).collect();
    assert_eq!(missing, Vec::<&String>::new());
}

fn program(home: &TestHome) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_continuity"));
    home.clean(&mut command);
    command
}

/// Puts what the program says of itself into one page.
fn commands_page() -> String {
    let home = TestHome::new();
    let mut page = String::from(
        "# Commands\n\nGenerated from the program's own help; `UPDATE_DOCS=1 cargo test --test it \
         documents`\nrewrites it. What each command returns is in [Exit codes](exit-codes.md).\n",
    );
    for words in COMMANDS {
        let output = program(&home).args(words).arg("--help").output().unwrap();
        assert!(output.status.success(), "{words:?}");
        let help = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
        let title = ["continuity"].iter().chain(words).copied().collect::<Vec<_>>().join(" ");
        let text = lines.join("\n");
        writeln!(page, "\n## {title}\n\n```text\n{}\n```", text.trim_end()).expect("a string");
    }
    page
}

// covers: P-258
#[test]
fn the_page_of_commands_is_what_the_program_says_of_itself() {
    let fresh = commands_page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(document("cli.md"), &fresh).unwrap();
    }
    let stored = fs::read_to_string(document("cli.md")).unwrap();
    assert!(fresh == stored, "run `UPDATE_DOCS=1 cargo test --test it documents`");
    let listed = fresh.split("Commands:").nth(1).unwrap().split("\n\n").next().unwrap();
    assert_eq!(listed.trim().lines().count(), 16, "a command is missing here: {listed}");
}
