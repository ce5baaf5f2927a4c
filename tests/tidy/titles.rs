//! Every file says what it is, and no two documents claim one name.

use std::collections::BTreeMap;

use super::repository::{Source, documents, fail_on, rust_files};
use super::tokens;

/// How many of the longest are listed.
const LISTED: usize = 10;

/// Returns the title of a Rust file: the text of its first line, if that is module documentation.
fn module_title(text: &str) -> Option<&str> {
    let title = text.lines().next()?.strip_prefix("//! ")?.trim();
    (!title.is_empty()).then_some(title)
}

/// Returns the headings of the first level, without those in code fences.
fn titles(text: &str) -> Vec<&str> {
    let mut is_fenced = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            is_fenced = !is_fenced;
        } else if let Some(title) = line.strip_prefix("# ").filter(|_| !is_fenced) {
            found.push(title.trim());
        }
    }
    found
}

#[test]
fn every_rust_file_starts_with_a_title() {
    let complaints: Vec<String> = rust_files()
        .iter()
        .filter(|source| module_title(&source.text).is_none())
        .map(|source| format!("{} does not start with `//! ` and a title", source.path))
        .collect();
    fail_on(&complaints);
}

#[test]
fn every_document_has_one_title_of_its_own() {
    let mut owners: BTreeMap<String, String> = BTreeMap::new();
    let mut complaints = Vec::new();
    for Source { path, text } in documents() {
        let found = titles(&text);
        if found.len() != 1 || !text.starts_with("# ") {
            complaints.push(format!("{path} needs one title, on its first line"));
        }
        for title in found {
            if let Some(other) = owners.insert(title.to_lowercase(), path.clone()) {
                complaints.push(format!("{path} and {other} share the title `{title}`"));
            }
        }
    }
    fail_on(&complaints);
}

#[test]
fn the_longest_files_and_functions_are_listed() {
    let sources = rust_files();
    let mut files: Vec<(usize, &str)> =
        sources.iter().map(|source| (source.line_count(), source.path.as_str())).collect();
    let mut functions: Vec<(usize, String)> = sources
        .iter()
        .flat_map(|source| {
            let found = tokens::functions(&tokens::read(&source.text));
            found.into_iter().map(|f| (f.lines, format!("{}::{}", source.path, f.name)))
        })
        .collect();
    files.sort_unstable_by(|left, right| right.cmp(left));
    functions.sort_unstable_by(|left, right| right.cmp(left));
    assert!(!files.is_empty() && !functions.is_empty(), "there is nothing to measure");
    for (lines, name) in files.iter().take(LISTED) {
        println!("{lines:>5} lines  {name}");
    }
    for (lines, name) in functions.iter().take(LISTED) {
        println!("{lines:>5} lines  {name}");
    }
}

#[test]
fn a_title_needs_words() {
    assert_eq!(module_title("//! Ids.\n"), Some("Ids."));
    assert_eq!(module_title("//!\n"), None);
    assert_eq!(module_title("// Ids.\n"), None);
    assert_eq!(module_title(""), None);
}

#[test]
fn a_heading_in_a_code_fence_is_no_title() {
    assert_eq!(titles("# One\n```\n# comment\n```\n## Two\n"), ["One"]);
}
