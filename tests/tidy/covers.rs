//! Reads which test shows which requirement: comments `covers:` directly above a test.

use super::repository::{Source, fail_on, rust_files};

const MARK: &str = "// covers:";

/// One requirement, and a test that says it shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    /// The requirement's id.
    pub id: String,
    /// `path::function`.
    pub test: String,
}

/// Reads the comments of all sources; the second part lists those that stand above no test.
pub fn read_all() -> (Vec<Cover>, Vec<String>) {
    let mut covers = Vec::new();
    let mut complaints = Vec::new();
    for source in rust_files() {
        let (found, wrong) = read(&source);
        covers.extend(found);
        complaints.extend(wrong);
    }
    (covers, complaints)
}

fn read(source: &Source) -> (Vec<Cover>, Vec<String>) {
    let lines: Vec<&str> = source.text.lines().map(str::trim).collect();
    let mut covers = Vec::new();
    let mut complaints = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(ids) = line.strip_prefix(MARK) else { continue };
        let Some(name) = test_below(&lines[index + 1..]) else {
            complaints.push(format!("{}:{}: no test follows", source.path, index + 1));
            continue;
        };
        let test = format!("{}::{name}", source.path);
        let ids = ids.split(',').map(str::trim).map(str::to_owned);
        covers.extend(ids.map(|id| Cover { id, test: test.clone() }));
    }
    (covers, complaints)
}

/// Returns the name of the test that starts here, behind comments and attributes alone.
fn test_below<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let mut is_test = false;
    for line in lines {
        if line.starts_with("#[") {
            is_test |= line.contains("test");
        } else if let Some((_, behind)) = line.split_once("fn ").filter(|_| is_test) {
            return behind.split(['(', '<']).next();
        } else if !line.starts_with("//") {
            return None;
        }
    }
    None
}

#[test]
fn every_covers_comment_stands_above_a_test() {
    let (_, complaints) = read_all();
    fail_on(&complaints);
}

#[test]
fn covers_comments_are_read_with_their_test() {
    let text = "// covers: P-001, S0-002\n// field case F001\n#[test]\nfn holds() {}\n";
    let source = Source { path: "tests/it/a.rs".to_owned(), text: text.to_owned() };
    let cover = |id: &str| Cover { id: id.to_owned(), test: "tests/it/a.rs::holds".to_owned() };
    let expected = [cover("P-001"), cover("S0-002")];
    assert_eq!(read(&source), (expected.to_vec(), Vec::new()));
}

#[test]
fn a_covers_comment_above_no_test_is_refused() {
    let source = |text: &str| Source { path: "a.rs".to_owned(), text: text.to_owned() };
    let complaint = vec!["a.rs:1: no test follows".to_owned()];
    assert_eq!(read(&source("// covers: P-001\nfn plain() {}\n")).1, complaint);
    assert_eq!(read(&source("// covers: P-001\n\n#[test]\nfn apart() {}\n")).1, complaint);
}
