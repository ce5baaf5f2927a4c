//! Documents claim no more than is so, and what they point at exists.

use std::collections::BTreeSet;

use super::repository::{Source, documents, fail_on, files, read, root, rust_files};
use super::tokens;

/// Words that claim an effect or a maturity that nothing here has shown. Lower case.
const BANNED: [&str; 16] = [
    "battle-tested",
    "bulletproof",
    "fewer mistakes",
    "general availability",
    "generally available",
    "guarantees less",
    "less drift",
    "less rework",
    "production-grade",
    "production-ready",
    "proven",
    "reduces drift",
    "reduces errors",
    "reduces rework",
    "saves hours",
    "saves time",
];

/// The sources that the ten findings rest on.
const FINDING_SOURCES: [&str; 13] = [
    "https://arxiv.org/abs/2307.03172",
    "https://arxiv.org/abs/2410.10813",
    "https://arxiv.org/abs/2308.15022",
    "https://arxiv.org/abs/2310.08560",
    "https://arxiv.org/abs/2304.03442",
    "https://developers.openai.com/plugins/build/plugins",
    "https://learn.chatgpt.com/docs/hooks",
    "https://learn.chatgpt.com/docs/app-server",
    "https://code.claude.com/docs/en/hooks",
    "https://prod.cursor.com/docs/hooks",
    "https://github.com/google-gemini/gemini-cli/blob/main/docs/hooks/reference.md",
    "https://cloud.tencent.com/document/product/1831/137030",
    "https://cloud.tencent.com/document/product/1831/137036",
];

/// Package names whose presence would mean a database, an index or a network client.
const BANNED_CRATES: [&str; 14] = [
    "diesel",
    "fjall",
    "hnsw_rs",
    "lancedb",
    "libsqlite3-sys",
    "qdrant-client",
    "redb",
    "reqwest",
    "rocksdb",
    "rusqlite",
    "sled",
    "sqlx",
    "tantivy",
    "usearch",
];

/// Tells whether `phrase` stands in `text` as whole words.
fn has_phrase(text: &str, phrase: &str) -> bool {
    let is_part = |side: Option<char>| side.is_some_and(char::is_alphanumeric);
    text.match_indices(phrase).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + phrase.len()..].chars().next();
        !is_part(before) && !is_part(behind)
    })
}

fn claims(source: &Source) -> Vec<String> {
    let text = source.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let lower = text.to_lowercase();
    let banned = BANNED.into_iter().filter(|phrase| has_phrase(&lower, phrase));
    let maturity = ["GA"].into_iter().filter(|phrase| has_phrase(&text, phrase));
    banned.chain(maturity).map(|phrase| format!("{} claims `{phrase}`", source.path)).collect()
}

/// Lists the sections about effect that hold anything like a figure, or lack the one true answer.
fn effect_figures(source: &Source) -> Vec<String> {
    let sections = source.text.split("\n#").skip(1);
    let is_effect = |section: &&str| {
        let heading = section.lines().next().unwrap_or_default().to_lowercase();
        has_phrase(heading.trim_start_matches('#').trim(), "effect")
    };
    sections
        .filter(is_effect)
        .filter(|section| {
            !section.contains("NO RESULT") || section.contains(|c: char| c.is_ascii_digit())
        })
        .map(|_| format!("{}: a section on effect says NO RESULT and no figure", source.path))
        .collect()
}

/// Returns every `path.rs::name` in backticks.
fn named_tests(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).filter(|code| code.contains(".rs::")).collect()
}

/// Returns the relative targets of links.
fn link_targets(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|behind| behind.split(')').next());
    targets.filter(|target| !target.contains("://") && !target.starts_with('#')).collect()
}

fn fields<'a>(sources: &'a [Source], path: &str) -> &'a str {
    let found = sources.iter().find(|source| source.path == path);
    found.map(|source| source.text.as_str()).expect(path)
}

// covers: P-061, P-245, P-254, P-279
#[test]
fn no_document_claims_an_effect_or_a_maturity() {
    let mut sources = documents();
    sources.extend(files("plugin", "json"));
    sources.extend(files("plugin", "md"));
    fail_on(&sources.iter().flat_map(claims).collect::<Vec<_>>());
}

// covers: P-238
#[test]
fn a_section_about_effect_holds_no_figure() {
    fail_on(&documents().iter().flat_map(effect_figures).collect::<Vec<_>>());
}

// covers: P-002, P-251
#[test]
fn the_front_page_says_what_stage_this_is() {
    let front = read("README.md");
    assert!(has_phrase(&front, "Codex public beta"), "the label is missing");
    assert!(front.contains("\n## Effect\n\nNO RESULT."), "the state of the evaluation is missing");
}

// covers: P-043
#[test]
fn each_finding_links_its_direct_source() {
    let all: String = files("docs/concepts", "md").into_iter().map(|source| source.text).collect();
    let missing = FINDING_SOURCES.into_iter().filter(|link| !all.contains(&format!("({link})")));
    fail_on(&missing.map(|link| format!("docs/concepts links no {link}")).collect::<Vec<_>>());
}

// covers: P-166, P-204
#[test]
fn the_guarantees_name_what_is_not_guaranteed() {
    let sources = documents();
    let page = fields(&sources, "docs/guarantees.md");
    let section = page.split("\n## ").find(|s| s.starts_with("Not guaranteed with Codex"));
    let items: Vec<&str> =
        section.expect("the section").lines().filter(|line| line.starts_with("- ")).collect();
    let named =
        ["future versions", "summary", "resume of real threads", "sub-agent", "between devices"];
    let unnamed: Vec<&str> =
        named.into_iter().filter(|word| !items.iter().any(|item| item.contains(word))).collect();
    assert_eq!(unnamed, Vec::<&str>::new());
    assert!(page.contains("A quoted fragment does not establish a meaning."));
}

// covers: P-035
#[test]
fn no_database_index_or_network_client_is_compiled_in() {
    let lock = read("Cargo.lock");
    let names = lock.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    let banned: Vec<&str> = names.filter(|name| BANNED_CRATES.contains(name)).collect();
    assert_eq!(banned, Vec::<&str>::new());
}

#[test]
fn every_test_that_a_document_names_exists() {
    let known: BTreeSet<String> = rust_files()
        .iter()
        .flat_map(|source| {
            let found = tokens::functions(&tokens::read(&source.text));
            found.into_iter().map(|function| format!("{}::{}", source.path, function.name))
        })
        .collect();
    let mut complaints = Vec::new();
    for source in documents() {
        let unknown = named_tests(&source.text).into_iter().filter(|name| !known.contains(*name));
        complaints.extend(unknown.map(|name| format!("{}: no {name}", source.path)));
    }
    fail_on(&complaints);
}

#[test]
fn every_promise_names_its_test_or_says_that_none_holds_it() {
    let page = read("docs/guarantees.md");
    let section = page.split("\n## ").find(|section| section.starts_with("Promises\n"));
    let rows = section.expect("the promises").lines().filter(|line| line.starts_with("| ")).skip(1);
    let mut complaints = Vec::new();
    let mut row_count = 0;
    for row in rows {
        row_count += 1;
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let is_held = cells.len() == 3 && !named_tests(cells[1]).is_empty();
        if !is_held && cells.get(1) != Some(&"not yet held") {
            complaints.push(format!("docs/guarantees.md: {row}"));
        }
    }
    assert!(row_count > 0, "there are no promises");
    fail_on(&complaints);
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let mut complaints = Vec::new();
    for source in documents() {
        let folder = source.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for target in link_targets(&source.text) {
            let file = target.split('#').next().unwrap_or_default();
            if !root().join(folder).join(file).exists() {
                complaints.push(format!("{}: no {target}", source.path));
            }
        }
    }
    fail_on(&complaints);
}

#[test]
fn banned_words_are_found_whole_and_only_whole() {
    let source = |text: &str| Source { path: "a.md".to_owned(), text: text.to_owned() };
    assert_eq!(claims(&source("It is Proven.")), ["a.md claims `proven`"]);
    assert_eq!(claims(&source("less\nrework")), ["a.md claims `less rework`"]);
    assert_eq!(claims(&source("GA soon")), ["a.md claims `GA`"]);
    assert_eq!(claims(&source("unproven MEGABYTES, a gap")), Vec::<String>::new());
}

#[test]
fn a_figure_under_an_effect_heading_is_found() {
    let source = |text: &str| Source { path: "a.md".to_owned(), text: text.to_owned() };
    let complaint = ["a.md: a section on effect says NO RESULT and no figure"];
    assert_eq!(effect_figures(&source("# A\n\n## Effect\n\nNO RESULT, 12 tests\n")), complaint);
    assert_eq!(effect_figures(&source("# A\n\n## Effect\n\nGood.\n")), complaint);
    assert!(effect_figures(&source("# A\n\n## Effect\n\nNO RESULT.\n\n## B\n\n12\n")).is_empty());
}
