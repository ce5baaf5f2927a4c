//! Whether a person acts: a terminal, and no agent host among the ancestors of this process.
//!
//! It keeps an agent from switching off or deleting what is kept about its own work by accident or
//! eagerness. It is no wall: a program that runs as the user can do all that the user can.

#[cfg(all(unix, not(target_os = "linux")))]
mod ps;

use std::io::IsTerminal as _;

/// Ancestors looked at, at most.
const ANCESTORS_MAX: usize = 64;
/// Names of agent hosts; an ancestor whose name begins with one of them is a host.
const HOSTS: [&str; 6] = ["codex", "claude", "gemini", "cursor", "qwen", "codebuddy"];
/// Programs that run another one, named by their first argument that is no option.
const RUNNERS: [&str; 8] = ["node", "bun", "deno", "npx", "python", "python3", "sh", "bash"];

/// One process above ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ancestor {
    /// The name that the system shows.
    pub name: String,
    /// What it was started with, its own path first.
    pub arguments: Vec<String>,
}

/// What is known of who started this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Whether a terminal is at stdin.
    pub is_stdin_terminal: bool,
    /// Whether a terminal is at stderr.
    pub is_stderr_terminal: bool,
    /// The processes above ours, nearest first, as far as the system shows them.
    pub ancestors: Vec<Ancestor>,
}

/// Why an act is not taken as one of a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAPerson {
    /// A person types on a terminal.
    #[error("only a person may do this, and {stream} is no terminal")]
    NoTerminal {
        /// `stdin` or `stderr`.
        stream: &'static str,
    },
    /// An agent host started this process.
    #[error("only a person may do this, and an agent host ({host}) started this process")]
    UnderHost {
        /// The host's name.
        host: &'static str,
    },
}

/// Tells whether a person acts. Processes that the system does not show count as no host: without
/// them there still is a terminal, and the reference that has to be typed.
///
/// # Errors
/// [`NotAPerson`].
pub fn judge(standing: &Standing) -> Result<(), NotAPerson> {
    let streams = [("stdin", standing.is_stdin_terminal), ("stderr", standing.is_stderr_terminal)];
    if let Some((stream, _)) = streams.into_iter().find(|(_, is_terminal)| !is_terminal) {
        return Err(NotAPerson::NoTerminal { stream });
    }
    match standing.ancestors.iter().find_map(host_of) {
        Some(host) => Err(NotAPerson::UnderHost { host }),
        None => Ok(()),
    }
}

/// Returns the host that a process is, if it is one.
fn host_of(ancestor: &Ancestor) -> Option<&'static str> {
    let program = ancestor.arguments.first().map(String::as_str).unwrap_or_default();
    let named = [stem(&ancestor.name), stem(program)];
    if let Some(host) = named.iter().find_map(|name| host_named(name)) {
        return Some(host);
    }
    if !named.iter().any(|name| RUNNERS.contains(&name.as_str())) {
        return None;
    }
    let script = ancestor.arguments.iter().skip(1).find(|word| !word.starts_with('-'))?;
    let package = script.rsplit_once("node_modules").map(|(_, below)| below).unwrap_or_default();
    let mut parts = package.split(['/', '\\']).chain([script.as_str()]);
    parts.find_map(|part| host_named(&stem(part)))
}

fn host_named(name: &str) -> Option<&'static str> {
    HOSTS.into_iter().find(|host| {
        let rest = name.strip_prefix(host);
        rest.is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric()))
    })
}

/// Returns a program's name without folders, the dash of a login shell and a known ending.
fn stem(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default().trim_start_matches('-');
    let name = name.to_ascii_lowercase();
    let endings = [".exe", ".cmd", ".js", ".mjs", ".cjs", ".py", ".sh"];
    let bare = endings.into_iter().find_map(|ending| name.strip_suffix(ending));
    bare.unwrap_or(&name).to_owned()
}

/// Looks at the streams and the processes above ours.
#[must_use]
pub fn look() -> Standing {
    Standing {
        is_stdin_terminal: std::io::stdin().is_terminal(),
        is_stderr_terminal: std::io::stderr().is_terminal(),
        ancestors: ancestors(),
    }
}

#[cfg(target_os = "linux")]
fn ancestors() -> Vec<Ancestor> {
    use cap_std::{ambient_authority, fs::Dir};

    let Ok(processes) = Dir::open_ambient_dir("/proc", ambient_authority()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut next = std::os::unix::process::parent_id();
    while next > 0 && found.len() < ANCESTORS_MAX {
        let Ok(bytes) = processes.read(format!("{next}/stat")) else { break };
        let Some((name, parent)) = name_and_parent(&String::from_utf8_lossy(&bytes)) else { break };
        let line = processes.read(format!("{next}/cmdline")).unwrap_or_default();
        let words = line.split(|byte| *byte == 0).filter(|word| !word.is_empty());
        let arguments = words.map(|word| String::from_utf8_lossy(word).into_owned()).collect();
        found.push(Ancestor { name, arguments });
        next = parent;
    }
    found
}

/// Reads `pid (name) state parent ...`; a name may itself hold brackets and spaces.
#[cfg(target_os = "linux")]
fn name_and_parent(stat: &str) -> Option<(String, u32)> {
    let (before, behind) = stat.rsplit_once(')')?;
    let (_, name) = before.split_once('(')?;
    let parent = behind.split_whitespace().nth(1)?.parse().ok()?;
    Some((name.to_owned(), parent))
}

#[cfg(all(unix, not(target_os = "linux")))]
fn ancestors() -> Vec<Ancestor> {
    ps::ancestors(ANCESTORS_MAX)
}

#[cfg(not(unix))]
fn ancestors() -> Vec<Ancestor> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ancestor(line: &str) -> Ancestor {
        let arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Ancestor { name: stem(&arguments[0]), arguments }
    }

    fn on_terminal(lines: &[&str]) -> Standing {
        let ancestors = lines.iter().map(|line| ancestor(line)).collect();
        Standing { is_stdin_terminal: true, is_stderr_terminal: true, ancestors }
    }

    #[test]
    fn a_person_at_a_terminal_may_act() {
        for lines in [
            &["-bash", "sshd: me@pts/1", "/usr/sbin/sshd -D", "/sbin/init"][..],
            &["/bin/zsh", "tmux: server"],
            &["bash /home/me/codex/deploy.sh"],
            &["node /srv/app/server.js"],
            &["vim codex.md", "bash"],
            &["codexample"],
            &[],
        ] {
            assert_eq!(judge(&on_terminal(lines)), Ok(()), "{lines:?}");
        }
    }

    #[test]
    fn an_agent_host_above_means_that_no_person_acts() {
        for (line, host) in [
            ("/usr/local/bin/codex exec", "codex"),
            ("codex-linux-sandbox --", "codex"),
            ("claude --continue", "claude"),
            ("node /usr/lib/node_modules/@openai/codex/bin/start.js", "codex"),
            ("node --no-warnings /usr/bin/gemini", "gemini"),
            ("node /opt/node_modules/@anthropic-ai/claude-code/cli.js", "claude"),
            ("cursor-agent", "cursor"),
            ("Cursor.exe", "cursor"),
            ("qwen", "qwen"),
            ("python3 /opt/codebuddy.py", "codebuddy"),
        ] {
            let standing = on_terminal(&["bash -c x", line, "/sbin/init"]);
            assert_eq!(judge(&standing), Err(NotAPerson::UnderHost { host }), "{line}");
        }
    }

    #[test]
    fn without_a_terminal_at_both_streams_no_person_acts() {
        let no_stdin = Standing { is_stdin_terminal: false, ..on_terminal(&[]) };
        assert_eq!(judge(&no_stdin), Err(NotAPerson::NoTerminal { stream: "stdin" }));
        let no_stderr = Standing { is_stderr_terminal: false, ..on_terminal(&[]) };
        assert_eq!(judge(&no_stderr), Err(NotAPerson::NoTerminal { stream: "stderr" }));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_name_may_hold_brackets() {
        let read = name_and_parent("12 (a) (b)) S 7 12 12 0");
        assert_eq!(read, Some(("a) (b)".to_owned(), 7)));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_process_that_started_this_one_is_seen() {
        assert!(!look().ancestors.is_empty());
    }
}
