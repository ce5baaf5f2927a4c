//! Asks the installed `git`, so that nothing in a checkout can make it run or fetch anything.
//!
//! The child gets an empty environment but for a search path without relative entries and without
//! the workspace, no home, no system config, no terminal, no input and no network protocol. Hooks,
//! file system monitor, pager, attributes file and the repository's own filters are switched off on
//! the command line. It is the leader of its own process group, which is killed whole at the limit.

use std::ffi::{OsStr, OsString};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::filters;
use super::repository::{Kind, Repository};

/// What stands for "no file" in a setting of Git.
#[cfg(unix)]
const NO_FILE: &str = "/dev/null";
/// What stands for "no file" in a setting of Git.
#[cfg(windows)]
const NO_FILE: &str = "NUL";

/// What the program is called.
#[cfg(unix)]
const PROGRAM: &str = "git";
/// What the program is called.
#[cfg(windows)]
const PROGRAM: &str = "git.exe";

/// How long the parent sleeps between two looks at a child that has closed its output.
const EXIT_POLL: Duration = Duration::from_millis(1);

/// How often a killed child is looked at; one that hangs in the kernel is then left behind.
const REAP_POLLS_MAX: u32 = 20;

/// What a child said before the limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The exit code.
    pub code: i32,
    /// Everything it wrote.
    pub output: Vec<u8>,
}

/// A `git` for one repository.
#[derive(Debug)]
pub struct Git {
    program: PathBuf,
    search_path: OsString,
    top: PathBuf,
    has_worktree: bool,
    filters: Vec<String>,
}

impl Git {
    /// Looks for a `git` outside the workspace; `None` if there is none, or if the repository's
    /// config cannot be made harmless.
    pub fn find(search_path: &OsStr, repository: &Repository) -> Option<Self> {
        let inside = [&repository.top, &repository.git_dir, &repository.common_dir];
        let is_outside =
            |path: &Path| path.is_absolute() && !inside.iter().any(|root| path.starts_with(root));
        let folders: Vec<PathBuf> = std::env::split_paths(search_path)
            .filter(|folder| folder.is_absolute())
            .filter_map(|folder| std::fs::canonicalize(folder).ok())
            .filter(|folder| is_outside(folder))
            .collect();
        let program = folders.iter().map(|folder| folder.join(PROGRAM)).find(|program| {
            is_executable(program)
                && std::fs::canonicalize(program).is_ok_and(|target| is_outside(&target))
        })?;
        Some(Self {
            program,
            search_path: std::env::join_paths(&folders).ok()?,
            top: repository.top.clone(),
            has_worktree: repository.kind != Kind::Bare,
            filters: filters::names(repository)?,
        })
    }

    /// Runs one command; `None` past the time or byte limit, or if it cannot be run.
    pub fn ask(&self, arguments: &[&str], limit: Duration, bytes_max: u64) -> Option<Answer> {
        let deadline = Instant::now().checked_add(limit)?;
        let mut running = Running { child: self.command(arguments).spawn().ok()?, is_over: false };
        let mut stdout = running.child.stdout.take()?;
        let (sender, receiver) = mpsc::channel();
        // The reader ends with the pipe. Should something that left the group keep the pipe open,
        // the reader alone waits for it, and nobody waits for the reader.
        std::thread::Builder::new()
            .spawn(move || {
                let mut output = Vec::new();
                let read =
                    stdout.by_ref().take(bytes_max.saturating_add(1)).read_to_end(&mut output);
                let _ = sender.send(read.map(|_| output));
            })
            .ok()?;
        let left = deadline.saturating_duration_since(Instant::now());
        let output = receiver.recv_timeout(left).ok()?.ok()?;
        if u64::try_from(output.len()).ok()? > bytes_max {
            return None;
        }
        let code = running.wait_until(deadline)?;
        Some(Answer { code, output })
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.top).env_clear().env("PATH", &self.search_path);
        for (name, value) in [
            ("LC_ALL", "C"),
            ("GIT_ALLOW_PROTOCOL", "none"),
            ("GIT_ATTR_NOSYSTEM", "1"),
            ("GIT_CONFIG_GLOBAL", NO_FILE),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_NO_LAZY_FETCH", "1"),
            ("GIT_NO_REPLACE_OBJECTS", "1"),
            ("GIT_OPTIONAL_LOCKS", "0"),
            ("GIT_TERMINAL_PROMPT", "0"),
        ] {
            command.env(name, value);
        }
        // Neither a folder above nor `core.worktree` may change what the question is about.
        command.env("GIT_CEILING_DIRECTORIES", self.top.parent().unwrap_or(&self.top));
        if self.has_worktree {
            command.env("GIT_WORK_TREE", &self.top);
        }
        command.args(["--no-pager", "--no-optional-locks", "--literal-pathspecs"]);
        for setting in [
            "core.fsmonitor=false",
            "core.untrackedCache=false",
            "protocol.allow=never",
            "gc.auto=0",
            "maintenance.auto=false",
        ] {
            command.args(["-c", setting]);
        }
        for setting in ["core.hooksPath", "core.attributesFile", "core.excludesFile"] {
            command.args(["-c", &format!("{setting}={NO_FILE}")]);
        }
        for name in &self.filters {
            command.args(["-c", &format!("filter.{name}.clean=")]);
            command.args(["-c", &format!("filter.{name}.smudge=")]);
            command.args(["-c", &format!("filter.{name}.process=")]);
            command.args(["-c", &format!("filter.{name}.required=false")]);
        }
        command.args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        lead_own_group(&mut command);
        command
    }
}

/// A child that does not outlive its question.
struct Running {
    child: Child,
    is_over: bool,
}

impl Running {
    /// Waits for the exit code; `None` past the deadline or after a signal.
    fn wait_until(&mut self, deadline: Instant) -> Option<i32> {
        loop {
            if let Some(status) = self.child.try_wait().ok()? {
                self.is_over = true;
                return status.code();
            }
            if Instant::now() >= deadline {
                return None;
            }
            std::thread::sleep(EXIT_POLL);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        // The group is killed before its leader is waited for: until then its id is nobody else's.
        kill_group(&mut self.child);
        for _ in 0..REAP_POLLS_MAX {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(EXIT_POLL);
        }
    }
}

#[cfg(unix)]
fn lead_own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

#[cfg(unix)]
fn kill_group(child: &mut Child) {
    let group = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // Fails only if the group has ended by itself.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(windows)]
fn lead_own_group(command: &mut Command) {
    use std::os::windows::process::CommandExt as _;
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    command.creation_flags(CREATE_NO_WINDOW);
}

#[cfg(windows)]
fn kill_group(child: &mut Child) {
    // Fails only if the child has ended by itself.
    let _ = child.kill();
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(windows)]
fn is_executable(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}
