//! This repository's own files.

use std::fs;
use std::path::{Path, PathBuf};

/// A text file of this repository.
pub struct Source {
    /// Path below the root, with `/` on every system.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl Source {
    /// The lines of the file.
    pub fn line_count(&self) -> usize {
        self.text.lines().count()
    }
}

/// The folder that holds `Cargo.toml`.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Reads one file that must exist.
pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect(path)
}

/// Reads all files of the given extension in a folder, sorted by path; none if it is missing.
pub fn files(folder: &str, extension: &str) -> Vec<Source> {
    let mut paths = Vec::new();
    collect(&root().join(folder), extension, &mut paths);
    paths.sort();
    paths
        .into_iter()
        .map(|path| Source {
            text: fs::read_to_string(&path).expect("a text file"),
            path: shown(&path),
        })
        .collect()
}

/// Reads every Rust file of the crate: sources, tests, benchmarks and examples.
pub fn rust_files() -> Vec<Source> {
    ["src", "tests", "benches", "examples"]
        .into_iter()
        .flat_map(|folder| files(folder, "rs"))
        .filter(|source| !source.path.contains("/fixtures/"))
        .collect()
}

/// Reads every document that a person reads.
pub fn documents() -> Vec<Source> {
    let mut found = files("docs", "md");
    for path in ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"] {
        found.push(Source { path: path.to_owned(), text: read(path) });
    }
    found
}

/// Fails with all complaints at once, or passes if there are none.
#[track_caller]
pub fn fail_on(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

fn shown(path: &Path) -> String {
    let below = path.strip_prefix(root()).expect("a path below the root");
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

fn collect(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            collect(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}
