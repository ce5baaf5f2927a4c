//! Finds the programs that a repository's own config would run on file content.
//!
//! Git runs a `filter` driver when it compares a changed file. The drivers of the user and of the
//! system are never loaded (the child gets no home and no system config), so only the repository's
//! own config files count. They are read here by hand, more suspiciously than Git reads them:
//! every `[filter` anywhere counts, and what is not the plain form `[filter "name"]`, or brings in
//! further files by `include`, is refused. Each name found is then switched off on the command
//! line, which outranks every file.

use std::path::Path;

use super::read::{self, Unread};
use super::repository::Repository;

/// Most filter drivers that are switched off; more are refused.
const FILTERS_MAX: usize = 32;

/// Returns the names of the filter drivers in the repository's config files.
///
/// `None` if a file cannot be read within its bound, includes others, or defines a driver in a form
/// whose name cannot be repeated safely on a command line.
pub fn names(repository: &Repository) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for directory in [&repository.common_dir, &repository.git_dir] {
        for file in ["config", "config.worktree"] {
            names.extend(names_in_file(directory, file)?);
        }
    }
    names.sort();
    names.dedup();
    (names.len() <= FILTERS_MAX).then_some(names)
}

fn names_in_file(directory: &Path, file: &str) -> Option<Vec<String>> {
    match read::small_file(directory, file) {
        Ok(bytes) => names_in(&bytes),
        Err(Unread::Absent) => Some(Vec::new()),
        Err(_) => None,
    }
}

fn names_in(bytes: &[u8]) -> Option<Vec<String>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut names = Vec::new();
    for section in text.split('[').skip(1) {
        if has_prefix(section, "include") {
            return None;
        }
        if has_prefix(section, "filter") {
            names.push(plain_name(section.get("filter".len()..)?)?.to_owned());
        }
    }
    Some(names)
}

/// Compares without regard to case, as Git does with section names.
fn has_prefix(section: &str, prefix: &str) -> bool {
    section.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// Takes the name out of ` "name"]`.
fn plain_name(header: &str) -> Option<&str> {
    let (name, _) = header.trim_start_matches([' ', '\t']).strip_prefix('"')?.split_once("\"]")?;
    let is_plain = !name.is_empty()
        && name.len() <= 64
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    is_plain.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(config: &str, expect: Option<&[&str]>) {
        let expect = expect.map(|names| names.iter().map(ToString::to_string).collect());
        assert_eq!(names_in(config.as_bytes()), expect, "{config}");
    }

    #[test]
    fn every_way_to_name_a_filter_is_found_or_refused() {
        check("", Some(&[]));
        check("[core]\n\tbare = false\n", Some(&[]));
        check("[filter \"lfs\"]\n\tclean = git-lfs clean\n", Some(&["lfs"]));
        check("[FILTER\t\"a.b\"] clean = x\n", Some(&["a.b"]));
        check("[core][filter \"x\"]clean=y", Some(&["x"]));
        check("[core] bare = false [filter \"x\"]\n", Some(&["x"]));
        check("# [filter \"x\"]\n", Some(&["x"]));
        check("[filter.x]\nclean = y\n", None);
        check("[filter]\nclean = y\n", None);
        check("[filter \"a=b\"]\nclean = y\n", None);
        check("[filter \"a b\"]\nclean = y\n", None);
        check("[filter \"a\\\"b\"]\nclean = y\n", None);
        check("[filter \"\"]\nclean = y\n", None);
        check("[include]\npath = /elsewhere\n", None);
        check("[includeIf \"gitdir:~/\"]\npath = x\n", None);
        check("[INCLUDE]path=x", None);
    }

    #[test]
    fn config_that_is_not_text_is_refused() {
        assert_eq!(names_in(b"[core]\n\xff\n"), None);
    }
}
