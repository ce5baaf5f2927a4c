//! No Rust file lies in the tree without being compiled.

use std::collections::BTreeSet;

use super::repository::{Source, fail_on, files};
use super::tokens::{self, Token};

/// Names the modules that a file declares in files of their own.
fn declared(text: &str) -> Vec<String> {
    let tokens = tokens::read(text);
    let is_declaration =
        |three: &[Token]| three[0].text == "mod" && three[1].is_word() && three[2].text == ";";
    tokens.windows(3).filter(|three| is_declaration(three)).map(|t| t[1].text.clone()).collect()
}

/// Names the files that a file takes in by an attribute `path`, as paths below the root.
fn taken_in(source: &Source) -> Vec<String> {
    let named = |line: &str| {
        let path = line.trim().strip_prefix("#[path = \"")?.split('"').next()?;
        let mut parts: Vec<&str> = source.path.split('/').collect();
        parts.pop();
        for part in path.split('/') {
            if part == ".." {
                parts.pop();
            } else {
                parts.push(part);
            }
        }
        Some(parts.join("/"))
    };
    source.text.lines().filter_map(named).collect()
}

/// Splits `a/b/c.rs` into the folder that its parent module lives in, and its module's name;
/// `None` for a root of compilation.
fn parent_and_name(path: &str) -> Option<(String, String)> {
    let (folder, file) = path.rsplit_once('/')?;
    match file.strip_suffix(".rs")? {
        "main" | "lib" => None,
        "mod" => folder.rsplit_once('/').map(|(above, name)| (above.to_owned(), name.to_owned())),
        name => Some((folder.to_owned(), name.to_owned())),
    }
}

/// Finds the files that no parent names. `roots` are compiled on their own.
fn forgotten(sources: &[Source], is_root: impl Fn(&str) -> bool) -> Vec<String> {
    let names = |source: &Source, name: &str| declared(&source.text).iter().any(|d| d == name);
    let by_path: BTreeSet<String> = sources.iter().flat_map(taken_in).collect();
    let mut complaints = Vec::new();
    for source in sources.iter().filter(|source| !is_root(&source.path)) {
        let Some((folder, name)) = parent_and_name(&source.path) else { continue };
        let parents = [
            format!("{folder}/main.rs"),
            format!("{folder}/lib.rs"),
            format!("{folder}/mod.rs"),
            format!("{folder}.rs"),
        ];
        let is_named =
            sources.iter().any(|parent| parents.contains(&parent.path) && names(parent, &name));
        if !is_named && !by_path.contains(&source.path) {
            complaints.push(format!("{} is named by no `mod {name};`", source.path));
        }
    }
    complaints
}

#[test]
fn every_source_file_is_compiled() {
    fail_on(&forgotten(&files("src", "rs"), |_| false));
}

#[test]
fn every_test_file_is_compiled() {
    let mut sources = files("tests", "rs");
    sources.retain(|source| !source.path.contains("/fixtures/"));
    // A file directly in `tests` is a test binary.
    let is_root = |path: &str| path.matches('/').count() == 1;
    fail_on(&forgotten(&sources, is_root));
}

#[test]
fn a_file_without_a_parent_is_found() {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let sources = [
        source(
            "tests/it/main.rs",
            "mod named;\nmod folder;\n// mod forgotten;\n#[path = \"../support/home.rs\"]\nmod home;",
        ),
        source("tests/it/named.rs", ""),
        source("tests/it/forgotten.rs", ""),
        source("tests/it/folder/mod.rs", "mod inner;"),
        source("tests/it/folder/inner.rs", ""),
        source("tests/support/home.rs", ""),
    ];
    let found = forgotten(&sources, |_| false);
    assert_eq!(found, ["tests/it/forgotten.rs is named by no `mod forgotten;`"]);
}
