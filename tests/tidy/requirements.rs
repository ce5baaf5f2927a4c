//! The table of requirements, generated from their list and from what tests say they show.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use super::covers::{self, Cover};
use super::repository::{fail_on, read, root};

const ROWS: &str = "tests/fixtures/requirements/rows.tsv";
const TABLE: &str = "docs/reference/requirements.md";
const WORDING_CHARS_MAX: usize = 90;
const STATUSES: [&str; 2] = ["later", "not applicable"];

/// One requirement.
struct Row {
    id: String,
    area: String,
    wording: String,
    /// What is so while no test shows it.
    status: String,
    reason: String,
}

fn rows() -> Vec<Row> {
    let text = read(ROWS);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("id\tarea\twording\tstatus\treason"), "the header of {ROWS}");
    lines.map(row).collect()
}

fn row(line: &str) -> Row {
    let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
    let [id, area, wording, status, reason] = cells.try_into().expect("five cells in a row");
    Row { id, area, wording, status, reason }
}

/// Renders the whole document. Same rows and tests, same bytes.
fn render(rows: &[Row], covers: &[Cover]) -> String {
    let mut shown_by: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for cover in covers {
        shown_by.entry(&cover.id).or_default().insert(&cover.test);
    }
    let done_count = rows.iter().filter(|row| shown_by.contains_key(row.id.as_str())).count();
    let open = |status: &str| {
        rows.iter()
            .filter(|row| row.status == status && !shown_by.contains_key(row.id.as_str()))
            .count()
    };
    let mut text = String::from(HEAD);
    let _ = writeln!(
        text,
        "\n{} requirements: {done_count} done, {} later, {} not applicable.",
        rows.len(),
        open("later"),
        open("not applicable")
    );
    let mut area = "";
    for row in rows {
        if row.area != area {
            area = &row.area;
            let _ = write!(text, "\n## {area}\n\n| Id | What is asked | Status | Shown by |\n");
            text.push_str("|---|---|---|---|\n");
        }
        let (status, shown) = match shown_by.get(row.id.as_str()) {
            Some(tests) => ("done".to_owned(), listed(tests)),
            None => (format!("{}: {}", row.status, row.reason), String::new()),
        };
        let _ = writeln!(text, "| {} | {} | {status} | {shown} |", row.id, row.wording);
    }
    text
}

fn listed(tests: &BTreeSet<&str>) -> String {
    tests.iter().map(|test| format!("`{test}`")).collect::<Vec<_>>().join("<br>")
}

const HEAD: &str = "\
# Requirements

Generated from `tests/fixtures/requirements/rows.tsv` and from the comments `covers:` above tests;
`UPDATE_DOCS=1 cargo test --test tidy` rewrites it. *Done* means that the named test shows it, and
nothing more. *Later* means that no test shows it, whatever the code does.
";

#[test]
fn the_list_of_requirements_is_whole() {
    let rows = rows();
    let expected = (1..=280).map(|number| format!("P-{number:03}"));
    let expected = expected.chain((1..=237).map(|number| format!("S0-{number:03}")));
    assert_eq!(
        rows.iter().map(|row| row.id.clone()).collect::<Vec<_>>(),
        expected.collect::<Vec<_>>()
    );
    let mut complaints = Vec::new();
    let mut areas = BTreeSet::new();
    let mut area = "";
    for row in &rows {
        if row.wording.is_empty() || row.wording.chars().count() > WORDING_CHARS_MAX {
            complaints.push(format!("{}: wording of 1 to {WORDING_CHARS_MAX} characters", row.id));
        }
        if !STATUSES.contains(&row.status.as_str()) || row.reason.is_empty() {
            complaints.push(format!("{}: a status of {STATUSES:?} and a reason", row.id));
        }
        if row.wording.contains('|') || row.reason.contains('|') {
            complaints.push(format!("{}: a bar would split the table", row.id));
        }
        if row.area != area {
            area = &row.area;
            if !areas.insert(area) {
                complaints.push(format!("{}: area `{area}` is not in one piece", row.id));
            }
        }
    }
    fail_on(&complaints);
}

#[test]
fn every_covered_requirement_exists() {
    let known: BTreeSet<String> = rows().into_iter().map(|row| row.id).collect();
    let (covers, _) = covers::read_all();
    let unknown = covers.iter().filter(|cover| !known.contains(&cover.id));
    fail_on(&unknown.map(|cover| format!("{}: no {}", cover.test, cover.id)).collect::<Vec<_>>());
}

#[test]
fn the_table_of_requirements_agrees_with_the_tests() {
    let fresh = render(&rows(), &covers::read_all().0);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(root().join(TABLE), &fresh).expect("the table can be written");
    }
    let stored = read(TABLE);
    assert!(fresh == stored, "{TABLE} is out of date; run `UPDATE_DOCS=1 cargo test --test tidy`");
}

#[test]
fn a_covered_row_is_done_and_names_its_test() {
    let rows = [
        row("P-001\tFirst\tOne thing\tlater\tno test shows it"),
        row("P-002\tFirst\tAnother\tnot applicable\tplanning"),
        row("S0-001\tSecond\tA third\tlater\tno test shows it"),
    ];
    let cover = Cover { id: "P-001".to_owned(), test: "tests/a.rs::b".to_owned() };
    let table = render(&rows, &[cover]);
    let expected = "
3 requirements: 1 done, 1 later, 1 not applicable.

## First

| Id | What is asked | Status | Shown by |
|---|---|---|---|
| P-001 | One thing | done | `tests/a.rs::b` |
| P-002 | Another | not applicable: planning |  |

## Second

| Id | What is asked | Status | Shown by |
|---|---|---|---|
| S0-001 | A third | later: no test shows it |  |
";
    assert_eq!(table.strip_prefix(HEAD), Some(expected));
}
