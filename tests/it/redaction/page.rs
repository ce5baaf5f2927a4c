//! The reference page of redaction: its rules and figures are written from what is measured here.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use context_continuity::domain::redact::{Format, formats};

use super::forms::{FORMS, OF_FORMATS, OF_SHAPES};
use super::lines::{FALSE, FALSE_LATER, TRUE, TRUE_LATER};
use super::{clean, generic, near};

const OPENING: &str = "<!-- measured: begin -->\n";
const CLOSING: &str = "<!-- measured: end -->\n";

fn page() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/reference/redaction.md")
}

/// Writes an alphabet as ranges and signs.
fn alphabet(letters: &str) -> String {
    let mut shown = Vec::new();
    let mut left = letters.to_owned();
    for (range, name) in [('0'..='9', "0-9"), ('A'..='Z', "A-Z"), ('a'..='z', "a-z")] {
        if range.clone().all(|letter| left.contains(letter)) {
            left.retain(|letter| !range.contains(&letter));
            shown.push(name.to_owned());
        }
    }
    for (range, name) in [('A'..='F', "A-F"), ('a'..='f', "a-f")] {
        if range.clone().all(|letter| left.contains(letter)) {
            left.retain(|letter| !range.contains(&letter));
            shown.push(name.to_owned());
        }
    }
    shown.extend(left.chars().map(String::from));
    shown.join(" ")
}

fn length(format: &Format) -> String {
    match format.length_max {
        None => format!("{} or more", format.length_min),
        Some(longest) if longest == format.length_min => longest.to_string(),
        Some(longest) => format!("{} to {longest}", format.length_min),
    }
}

fn figures() -> String {
    let mut text =
        String::from("| Form | Token formats found | Other shapes found |\n|---|---|---|\n");
    for form in FORMS {
        let (found, count) = OF_FORMATS.forms[form];
        let (shapes, shape_count) = OF_SHAPES.forms[form];
        writeln!(text, "| {form} | {found} of {count} | {shapes} of {shape_count} |").unwrap();
    }
    text.push_str("\n| Values beside telling names | Recall | Precision |\n|---|---|---|\n");
    for (title, with_secret, without) in [
        ("lines that the rules were written with", TRUE, FALSE),
        ("lines written after the rules", TRUE_LATER, FALSE_LATER),
    ] {
        let (quality, _) = generic::measure(with_secret, without);
        let (recall, precision) = (quality.recall_percent(), quality.precision_percent());
        writeln!(text, "| {title} | {recall} % | {precision} % |").unwrap();
    }
    let (touched, count) = clean::all_touched();
    writeln!(text, "\nOf {count} ordinary lines, {} are touched.", touched.len()).unwrap();
    text
}

fn rules() -> String {
    let mut text = String::from(
        "\n| Rule | Begins with | Then | Found | Near misses touched |\n|---|---|---|---|---|\n",
    );
    for format in formats() {
        let (found, count) = OF_FORMATS.rules[format.name];
        let (touched, near_count) = near::touched(&format);
        writeln!(
            text,
            "| {} | `{}` | {} of `{}` | {found} of {count} | {} of {near_count} |",
            format.name,
            format.prefix,
            length(&format),
            alphabet(format.alphabet),
            touched.len(),
        )
        .unwrap();
    }
    text
}

#[test]
fn the_page_of_redaction_states_the_rules_of_the_code_and_what_was_measured() {
    let fresh = figures() + &rules();
    let stored = fs::read_to_string(page()).unwrap();
    let (before, rest) = stored.split_once(OPENING).unwrap();
    let (measured, after) = rest.split_once(CLOSING).unwrap();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(page(), format!("{before}{OPENING}{fresh}{CLOSING}{after}")).unwrap();
        return;
    }
    assert!(fresh == measured, "run `UPDATE_DOCS=1 cargo test --test it redaction`");
}
