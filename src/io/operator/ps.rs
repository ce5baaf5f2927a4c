//! Ancestors as `ps` shows them, on systems without `/proc`.

use std::process::{Command, Stdio};

use super::Ancestor;

/// Returns the processes above ours, nearest first, as far as `ps` shows them.
pub(super) fn ancestors(count_max: usize) -> Vec<Ancestor> {
    let mut found = Vec::new();
    let mut next = std::os::unix::process::parent_id();
    while next > 0 && found.len() < count_max {
        let Some((parent, ancestor)) = ask(next) else { break };
        found.push(ancestor);
        next = parent;
    }
    found
}

fn ask(process: u32) -> Option<(u32, Ancestor)> {
    let asked = Command::new("/bin/ps")
        .args(["-ww", "-o", "ppid=,command=", "-p", &process.to_string()])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let line = String::from_utf8_lossy(&asked.stdout);
    let (parent, command) = line.trim().split_once(' ')?;
    let arguments: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    let name = arguments.first()?.clone();
    Some((parent.parse().ok()?, Ancestor { name, arguments }))
}
