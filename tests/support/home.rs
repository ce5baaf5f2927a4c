//! A data root and a workspace of a test's own, and the real binary between them.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use context_continuity::actors::store::{Depth, Folded};
use context_continuity::domain::ids::TaskRef;
use context_continuity::domain::task::limits::Limits;
use context_continuity::io::config::Settings;
use context_continuity::io::root::locate::{Environment, Platform};
use context_continuity::io::wire::Home;
use context_continuity::readmodels::texts::Texts;
use serde_json::Value;

use super::Event;

/// Words that begin the line that differs from one offer to the next.
const MARK: &str = "continuity-mark ";

/// A place in which nothing of the machine's owner counts.
pub struct TestHome {
    folder: tempfile::TempDir,
    pub root: PathBuf,
    pub workspace: PathBuf,
}

/// What a hook answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub stdout: String,
    pub stderr: String,
}

impl Answer {
    #[track_caller]
    pub fn of(output: Output) -> Self {
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = |bytes| String::from_utf8(bytes).expect("answers are UTF-8");
        Self { stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).expect(&self.stdout)
    }

    #[track_caller]
    pub fn assert_silent(&self) {
        assert_eq!((self.stdout.as_str(), self.stderr.as_str()), ("", ""));
    }

    /// The text for the agent, without the line that no two offers share.
    #[track_caller]
    pub fn context(&self) -> Option<String> {
        if self.stdout.is_empty() {
            return None;
        }
        let answer = self.json();
        let text = answer["hookSpecificOutput"]["additionalContext"].as_str()?;
        let (body, mark) = text.rsplit_once('\n').expect("a mark line");
        assert!(mark.starts_with(MARK), "{mark}");
        Some(body.to_owned())
    }

    /// The text for the agent that is no offer and has no mark.
    #[track_caller]
    pub fn plain_context(&self) -> Option<String> {
        if self.stdout.is_empty() {
            return None;
        }
        let answer = self.json();
        answer["hookSpecificOutput"]["additionalContext"].as_str().map(str::to_owned)
    }

    /// The line that no two offers share.
    #[track_caller]
    pub fn mark(&self) -> String {
        let answer = self.json();
        let text = answer["hookSpecificOutput"]["additionalContext"].as_str().expect("a context");
        text.lines().last().expect("a mark line").to_owned()
    }

    /// The line for the user.
    #[track_caller]
    pub fn notice(&self) -> Option<String> {
        if self.stdout.is_empty() {
            return None;
        }
        self.json()["systemMessage"].as_str().map(str::to_owned)
    }

    /// Fails unless nothing, or one answer of the host's own form, was printed.
    #[track_caller]
    pub fn assert_own_form(&self) {
        assert_eq!(self.stderr, "");
        if self.stdout.is_empty() {
            return;
        }
        let answer = self.json();
        let known = ["hookSpecificOutput", "systemMessage"];
        for (key, _) in answer.as_object().expect("an object") {
            assert!(known.contains(&key.as_str()), "{key}");
        }
    }
}

impl TestHome {
    pub fn new() -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let place = folder.path().canonicalize().expect("a real path");
        let (root, workspace) = (place.join("state"), place.join("work"));
        fs::create_dir_all(&workspace).expect("a workspace");
        fs::create_dir_all(place.join("tmp")).expect("a folder for temporary files");
        let home = Self { folder, root, workspace };
        home.git(&["init", "--quiet", "--initial-branch=main"]);
        home.commit("first");
        home
    }

    /// Everything of this test: data root, workspace, home, temporary files.
    pub fn place(&self) -> &Path {
        self.workspace.parent().expect("a folder")
    }

    /// Runs `git` in the workspace as nobody in particular; returns what it printed.
    pub fn git(&self, words: &[&str]) -> String {
        self.git_in(&self.workspace, words)
    }

    pub fn git_in(&self, folder: &Path, words: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=A", "-c", "user.email=a@example.org"])
            .args(words)
            .current_dir(folder)
            .env_clear()
            .env("PATH", path())
            .env("HOME", self.folder.path())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")
            .env("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")
            .output()
            .expect("git");
        assert!(output.status.success(), "git {words:?}: {output:?}");
        String::from_utf8(output.stdout).expect("UTF-8").trim().to_owned()
    }

    /// Commits a new state of one file; returns the commit's name.
    pub fn commit(&self, text: &str) -> String {
        fs::write(self.workspace.join("file.txt"), text).expect("a file");
        self.git(&["add", "file.txt"]);
        self.git(&["commit", "--quiet", "--message", text]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// A hook process in a clean environment, not started yet.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_continuity"));
        command
            .args(["hook", "codex", "--data-root"])
            .arg(&self.root)
            .current_dir(&self.workspace)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        self.clean(&mut command);
        command
    }

    pub fn clean(&self, command: &mut Command) {
        command
            .env_clear()
            .env("PATH", path())
            .env("HOME", self.place())
            .env("TMPDIR", self.place().join("tmp"));
    }

    /// The event as it is sent: in this workspace, with a transcript that does not exist.
    pub fn placed(&self, event: &Event) -> Event {
        let mut event = event.clone();
        if event.text("cwd") == Some("/home/user/project") {
            event = event.in_folder(&self.workspace);
        }
        if event.text("transcript_path").is_some_and(|path| path.starts_with("/home/user/")) {
            let transcript = self.place().join("rollout.jsonl");
            event = event.with("transcript_path", transcript.to_str().expect("Unicode"));
        }
        event
    }

    #[track_caller]
    pub fn send(&self, event: &Event) -> Answer {
        self.send_bytes(&self.placed(event).bytes())
    }

    #[track_caller]
    pub fn send_bytes(&self, bytes: &[u8]) -> Answer {
        let child = start(&mut self.command(), bytes);
        Answer::of(child.wait_with_output().expect("an end"))
    }

    /// Sends events that must all be silent.
    #[track_caller]
    pub fn send_silent(&self, events: &[Event]) {
        for event in events {
            self.send(event).assert_silent();
        }
    }

    /// Announces and completes a compaction.
    #[track_caller]
    pub fn compact(&self, trigger: &str) {
        self.send_silent(&[Event::pre_compact(trigger), Event::post_compact(trigger)]);
    }

    pub fn settings(&self) -> Settings {
        Settings {
            environment: Environment {
                data_root: Some(self.root.clone()),
                continuity_home: None,
                xdg_data_home: None,
                home: Some(self.place().to_owned()),
                local_app_data: None,
                temporary: self.place().join("tmp"),
                user_id: 0,
                platform: Platform::current(),
            },
            search_path: Some(path()),
            limits: Limits::default(),
        }
    }

    /// The data root through the library.
    pub fn home(&self) -> Home {
        Home::open(self.settings(), Some(&self.workspace)).expect("a data root")
    }

    pub fn tasks(&self) -> Vec<TaskRef> {
        self.home().root().tasks().expect("tasks")
    }

    #[track_caller]
    pub fn only_task(&self) -> TaskRef {
        let tasks = self.tasks();
        assert_eq!(tasks.len(), 1, "{tasks:?}");
        tasks[0]
    }

    /// Reads the only task from its first record.
    #[track_caller]
    pub fn read(&self) -> (Folded, Texts) {
        self.home().read(self.only_task(), Depth::Full).expect("a whole log")
    }

    /// Fails unless the log of every task is whole.
    #[track_caller]
    pub fn verify(&self) -> u64 {
        let mut records = 0;
        let home = self.home();
        for task in self.tasks().into_iter().filter(|task| home.has_log(*task).expect("a look")) {
            let report = home.log(task).verify(&mut |_| ());
            assert!(report.problem.is_none(), "{report:?}");
            records += report.records;
        }
        records
    }

    /// Replaces what differs from one run to the next.
    pub fn plain(&self, text: &str) -> String {
        let head = self.git(&["rev-parse", "HEAD"]);
        text.replace(self.workspace.to_str().expect("Unicode"), "<workspace>")
            .replace(head.get(..10).expect("a name"), "<head>")
    }
}

/// Starts a hook and writes its payload; a hook that does not read it is no failure here.
pub fn start(command: &mut Command, bytes: &[u8]) -> Child {
    let mut child = command.spawn().expect("the binary starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    drop(pipe.write_all(bytes));
    child
}

fn path() -> std::ffi::OsString {
    std::env::var_os("PATH").expect("PATH")
}
