//! The probe against real repositories, and against ones that want to be run or waited for.
#![expect(clippy::disallowed_methods, reason = "the tests prepare the disk that the probe reads")]

mod child;
mod hostile;
mod place;
mod quick;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::*;
use crate::domain::fingerprint::{Difference, Drift, compare};

/// Where the tests' own `git` and a POSIX shell are.
const SEARCH_PATH: &str = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin";
/// Long enough for the slowest machine; no test waits for it.
const NO_LIMIT: Duration = Duration::from_mins(5);

fn probe() -> WorkspaceProbe {
    WorkspaceProbe::new(NO_LIMIT, |text| Redacted::assume(text)).with_search_path(SEARCH_PATH)
}

/// A folder that is removed with the test, by its real path.
struct Home {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = fs::canonicalize(folder.path()).unwrap();
        Self { _folder: folder, path }
    }

    fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Makes a repository `name` with one commit of one file.
    fn repository(&self, name: &str) -> PathBuf {
        let top = self.join(name);
        fs::create_dir_all(&top).unwrap();
        git(&top, &["init", "--quiet", "--initial-branch=main"]);
        commit(&top, "file", "first\n");
        top
    }
}

/// Runs a plain `git`, as a careless program would.
fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = plain_git(folder, arguments);
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn plain_git(folder: &Path, arguments: &[&str]) -> std::process::Output {
    Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("PATH", SEARCH_PATH)
        .env("HOME", "/nonexistent")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .envs([("GIT_AUTHOR_NAME", "a"), ("GIT_AUTHOR_EMAIL", "a@example.invalid")])
        .envs([("GIT_COMMITTER_NAME", "a"), ("GIT_COMMITTER_EMAIL", "a@example.invalid")])
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn commit(top: &Path, name: &str, content: &str) -> ObjectName {
    fs::write(top.join(name), content).unwrap();
    git(top, &["add", name]);
    git(top, &["commit", "--quiet", "--message", "change"]);
    head(top)
}

fn head(top: &Path) -> ObjectName {
    ObjectName::parse(&git(top, &["rev-parse", "HEAD"])).unwrap()
}

fn branch(name: &str) -> Known<Checkout> {
    Known::Known(Checkout::Branch(Redacted::assume(name)))
}

/// Appends to the repository's own config.
fn configure(top: &Path, text: &str) {
    let path = top.join(".git/config");
    let before = fs::read_to_string(&path).unwrap();
    fs::write(path, format!("{before}\n{text}\n")).unwrap();
}

fn script(path: &Path, body: &str) {
    fs::write(path, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[track_caller]
fn state(workspace: &Workspace) -> GitState {
    match workspace {
        Workspace::Git { state, .. } => state.clone(),
        other => panic!("not in a repository: {other:?}"),
    }
}

#[track_caller]
fn quick(folder: &Path) -> GitState {
    state(&probe().quick(Some(folder)))
}

#[track_caller]
fn full(folder: &Path) -> GitState {
    state(&probe().full(Some(folder)))
}

fn differences(drift: &Drift) -> Vec<Difference> {
    drift.iter().cloned().collect()
}
