//! Data roots and sessions to measure in, made by the program itself.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::measure::start;

/// Files of the repository that boundaries are measured in.
const REPOSITORY_FILES: usize = 5_000;
/// Files in one of its folders.
const FOLDER_FILES: usize = 15;

/// A folder of our own with a data root and workspaces; removed in the end.
pub struct Stage {
    program: String,
    folder: PathBuf,
}

impl Stage {
    /// Makes the folder where programs put what they need for a moment.
    ///
    /// `TMPDIR` must name a real disk: in memory a sync costs nothing.
    pub fn set(program: &str) -> io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("continuity-bench-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("plain"))?;
        Ok(Self { program: program.to_owned(), folder })
    }

    /// Returns the program under test.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Returns what stands behind the program's name.
    ///
    /// The last 15 % of a log are reserved, so the default of 2,000 events ends ordinary prompts
    /// at 1,700.
    pub fn arguments(&self) -> [String; 6] {
        let root = self.folder.join("root").to_string_lossy().into_owned();
        [
            "hook".into(),
            "codex".into(),
            "--data-root".into(),
            root,
            "--events-max".into(),
            "4000".into(),
        ]
    }

    /// Times one hook with a payload on stdin.
    pub fn time(&self, payload: &str) -> io::Result<Duration> {
        let arguments = self.arguments();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        start(&self.program, &arguments, payload.as_bytes())
    }

    /// Starts a session in a plain folder and sends prompts.
    pub fn session_with(&self, name: &str, prompts: usize) -> io::Result<Session> {
        self.fill(Session::new(name, &self.folder.join("plain")), prompts)
    }

    /// Starts many sessions alike.
    pub fn sessions_with(&self, count: usize, prompts: usize) -> io::Result<Vec<Session>> {
        (0..count).map(|number| self.session_with(&format!("short-{number}"), prompts)).collect()
    }

    /// Starts a session in a repository of 5,000 files, one of them changed and one untracked.
    pub fn session_in_repository(&self, name: &str, prompts: usize) -> io::Result<Session> {
        let folder = self.folder.join("repository");
        for number in 0..REPOSITORY_FILES {
            let below = folder.join(format!("part-{}", number / FOLDER_FILES));
            std::fs::create_dir_all(&below)?;
            std::fs::write(below.join(format!("file-{number}.txt")), format!("file {number}\n"))?;
        }
        for words in ["init -q -b main", "add -A", "commit -q -m files", "gc -q"] {
            git(&folder, words)?;
        }
        std::fs::write(folder.join("part-0").join("file-0.txt"), "changed\n")?;
        std::fs::write(folder.join("untracked.txt"), "new\n")?;
        self.fill(Session::new(name, &folder), prompts)
    }

    fn fill(&self, mut session: Session, prompts: usize) -> io::Result<Session> {
        for text in CARRIED {
            self.time(&session.say(text))?;
        }
        for _ in CARRIED.len()..prompts {
            self.time(&session.prompt())?;
        }
        Ok(session)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // Left-overs in the folder for temporary files harm nobody.
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

fn git(folder: &Path, words: &str) -> io::Result<()> {
    let status = Command::new("git")
        .args(["-c", "user.name=bench", "-c", "user.email=bench@localhost"])
        .args(words.split(' '))
        .current_dir(folder)
        .status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("git {words} failed"))) }
}

/// What every log carries from its first prompts on.
const CARRIED: [&str; 3] = [
    "The goal is to make the parser accept nested lists. Never push to main.",
    "Don't touch the files under vendor, we decided to keep them as they are.",
    "Actually use port 9090 instead of 8080 for the test server.",
];

/// One session of a host.
pub struct Session {
    name: String,
    folder: String,
    turns: usize,
}

impl Session {
    fn new(name: &str, folder: &Path) -> Self {
        Self {
            name: format!("bench-{name}"),
            folder: folder.to_string_lossy().into_owned(),
            turns: 0,
        }
    }

    /// Returns the folder that the agent works in.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// Returns the next ordinary prompt: no signal, nothing to carry.
    pub fn prompt(&mut self) -> String {
        let text = format!(
            "Please look at the parser again and explain what test number {} checks, \
             with the two inputs that it reads and the place where they are compared.",
            self.turns
        );
        self.say(&text)
    }

    /// Returns the next prompt, as long as a pasted log.
    pub fn long_prompt(&mut self, bytes: usize) -> String {
        let line = format!("line {} of the log: connection closed by peer, retrying; ", self.turns);
        self.say(&line.repeat(bytes / line.len()))
    }

    fn say(&mut self, text: &str) -> String {
        self.turns += 1;
        self.payload("UserPromptSubmit", &format!(r#""prompt":"{text}""#))
    }

    /// Returns the event before a compaction.
    pub fn pre_compact(&self) -> String {
        self.payload("PreCompact", r#""trigger":"manual""#)
    }

    /// Returns the event after a compaction.
    pub fn post_compact(&self) -> String {
        self.payload("PostCompact", r#""trigger":"manual""#)
    }

    /// Returns the start that follows a compaction.
    pub fn session_start(&self) -> String {
        self.payload("SessionStart", r#""source":"compact""#)
    }

    fn payload(&self, event: &str, rest: &str) -> String {
        format!(
            r#"{{"session_id":"{}","turn_id":"turn-{}","transcript_path":null,"cwd":"{}",
"hook_event_name":"{event}","model":"bench","permission_mode":"default",{rest}}}"#,
            self.name, self.turns, self.folder
        )
    }
}
