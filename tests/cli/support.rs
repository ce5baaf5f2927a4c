//! A home of its own for each test, and the command in it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use regex::Regex;
use tempfile::TempDir;

pub const BINARY: &str = env!("CARGO_BIN_EXE_continuity");

/// A folder with a home, a project and the records of `continuity`; nothing else is in the
/// environment.
pub struct TestHome {
    folder: TempDir,
}

impl TestHome {
    pub fn new() -> Self {
        // Beside the build, since folders for temporary files may be kept in memory.
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("makes a folder");
        let home = Self { folder };
        for name in ["home", "temporary"] {
            std::fs::create_dir(home.path(name)).expect("makes a folder");
        }
        home.make_project("project");
        home.make_project("other");
        home
    }

    /// Makes a folder that is a repository without a commit.
    pub fn make_project(&self, name: &str) {
        let git = self.path(name).join(".git");
        for folder in ["objects", "refs/heads"] {
            std::fs::create_dir_all(git.join(folder)).expect("makes a folder");
        }
        std::fs::write(git.join("HEAD"), "ref: refs/heads/main\n").expect("writes");
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().expect("is there").join(name)
    }

    pub fn records(&self) -> PathBuf {
        self.path("home").join(".local/share/context-continuity")
    }

    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PATH", "/usr/bin:/bin")
            .env("TMPDIR", self.path("temporary"))
            .current_dir(self.path("project"))
            .stdin(Stdio::null());
        command
    }

    /// Runs the command in the project, and returns what a snapshot shows.
    pub fn run(&self, arguments: &[&str]) -> String {
        let output = self.command(BINARY).args(arguments).output().expect("runs");
        self.shown(&output)
    }

    /// Runs the command with `--json` in the project; it must succeed.
    pub fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let output = self.command(BINARY).args(arguments).arg("--json").output().expect("runs");
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).expect("is JSON")
    }

    /// The code of the newest proposal that waits.
    pub fn code(&self) -> String {
        let view = self.json(&["view"]);
        let open = view["proposals"].as_array().expect("a list").last().expect("one").clone();
        open["code"].as_str().expect("a code").to_owned()
    }

    pub fn shown(&self, output: &Output) -> String {
        let mut text = format!("exit {}\n", output.status.code().expect("ends by itself"));
        for (name, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
            let said = String::from_utf8_lossy(bytes);
            if !said.is_empty() {
                text.extend(["-- ", name, "\n", said.trim_end(), "\n"]);
            }
        }
        self.filtered(&text)
    }

    /// Replaces what differs from run to run.
    pub fn filtered(&self, text: &str) -> String {
        let mut text = text.replace(self.path("").to_str().expect("text"), "[FOLDER]/");
        for task in self.tasks() {
            text = text.replace(&task, "[TASK]").replace(&task[..6], "[SHORT]");
        }
        let patterns = [
            (r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", "[DATE]"),
            (r"([0-9]+):[0-9a-f]{8}", "$1:[HASH]"),
            (r"[0-9a-f]{64}", "[DIGEST]"),
            (r"[0-9]+ tokens", "[N] tokens"),
            (r", [0-9]+ bytes; every", ", [N] bytes; every"),
            (r"joins \([0-9a-f]{8}\)", "joins ([SESSION])"),
            (r"bodies/[0-9a-f]{32}", "bodies/[BODY]"),
            (r"(confirm|reject|undo|code) [2-9ACDEFGHJKMNPQRTVWXY]{4}", "$1 [CODE]"),
            (r"(p[0-9]+) ( ?\(?)[2-9ACDEFGHJKMNPQRTVWXY]{4}", "$1 $2[CODE]"),
            (
                r"Scanned [0-9]+ files, [0-9]+ bytes, for [0-9]+",
                "Scanned [N] files, [N] bytes, for [N]",
            ),
            (r"continuity-demo-[0-9a-f]{8}", "[DEMO]"),
            (
                r"continuity-mark [a-z2-7]{26} ([^ ]+) [0-9a-f]{12}",
                "continuity-mark [TASK] $1 [MAC]",
            ),
        ];
        for (pattern, by) in patterns {
            text = Regex::new(pattern).expect("a pattern").replace_all(&text, by).into_owned();
        }
        text
    }

    /// References of the tasks that have a folder.
    pub fn tasks(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.records().join("tasks")) else {
            return Vec::new();
        };
        let names = entries.map(|entry| entry.expect("entry").file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().expect("text")).collect();
        names.sort();
        names
    }

    /// Lets the hook hear an event of a session in a folder; `more` are further JSON fields.
    pub fn hear(&self, session: &str, folder: &Path, event: &str, more: &str) -> Output {
        self.hear_beside(None, session, folder, event, more)
    }

    /// The same, with a transcript of the host.
    pub fn hear_beside(
        &self,
        transcript: Option<&Path>,
        session: &str,
        folder: &Path,
        event: &str,
        more: &str,
    ) -> Output {
        let transcript = transcript.map(|path| path.to_str().expect("text"));
        let transcript = serde_json::Value::from(transcript);
        let folder = serde_json::Value::from(folder.to_str().expect("text"));
        let payload = format!(
            r#"{{"session_id":"{session}","transcript_path":{transcript},"cwd":{folder},
                "hook_event_name":"{event}","model":"mock-model"{more}}}"#
        );
        let mut child = self
            .command(BINARY)
            .args(["hook", "codex"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        pipe.write_all(payload.as_bytes()).expect("takes the payload");
        drop(pipe);
        child.wait_with_output().expect("ends")
    }

    pub fn prompt(&self, session: &str, folder: &str, turn: u32, words: &str) {
        let words = serde_json::Value::from(words);
        let more = format!(r#","turn_id":"{turn}","prompt":{words}"#);
        let output = self.hear(session, &self.path(folder), "UserPromptSubmit", &more);
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
    }

    /// A constraint, a correction and a manual compaction, in the project.
    pub fn usual_task(&self) {
        self.prompt("one", "project", 1, "Please fix the failing test.");
        self.prompt("one", "project", 2, "Never push to main.");
        self.prompt("one", "project", 3, "Actually, the timeout must be 45 seconds, not 30.");
        for (event, more) in [
            ("PreCompact", r#","turn_id":"3","trigger":"manual""#),
            ("PostCompact", r#","turn_id":"3","trigger":"manual""#),
            ("SessionStart", r#","source":"compact""#),
        ] {
            let output = self.hear("one", &self.path("project"), event, more);
            assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
        }
    }
}

/// Lists all files below a folder, sorted.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("entry").path())
        .flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] })
        .collect();
    files.sort();
    files
}
