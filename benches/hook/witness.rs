//! What a hook writes and holds, seen through `strace`.

use std::io::{self, Write as _};
use std::process::{Command, Stdio};

use super::ledger::Stage;

/// Calls by which bytes reach a file, and by which they become durable.
const CALLS: &str = "trace=write,pwrite64,writev,pwritev,pwritev2,sendfile,copy_file_range,\
                     fsync,fdatasync,sync_file_range,syncfs,sync";
/// How long the end of the process is held up, so that its peak can be read.
const HELD_UP: &str = "inject=exit_group:delay_enter=300000";
/// How often the file of the peak is looked for, a thousandth of a second apart.
const LOOKS_MAX: usize = 250;

/// What one process wrote.
pub struct Writes {
    /// Bytes of all writes, whatever they went to.
    pub bytes: usize,
    /// Calls that make something durable.
    pub syncs: usize,
}

/// Counts what one hook writes.
pub fn writes(stage: &Stage, payload: &str) -> io::Result<Writes> {
    let mut child = Command::new("strace")
        .args(["-f", "-qq", "-e", CALLS, "-e", "signal=none"])
        .arg(stage.program())
        .args(stage.arguments())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(payload.as_bytes())?;
    }
    let seen = child.wait_with_output()?.stderr;
    let mut writes = Writes { bytes: 0, syncs: 0 };
    for line in String::from_utf8_lossy(&seen).lines() {
        let Some((call, answer)) = line.rsplit_once(" = ") else { continue };
        if call.contains("write") || call.contains("sendfile") || call.contains("copy_file_range") {
            let count = answer.split(' ').next().and_then(|count| count.parse().ok());
            writes.bytes += count.unwrap_or(0);
        } else if call.contains("sync") {
            writes.syncs += 1;
        }
    }
    Ok(writes)
}

/// Returns the most memory that one hook held at a time, as the system counts it.
pub fn peak_kibibytes(stage: &Stage, payload: &str) -> io::Result<u64> {
    let mut child = Command::new("strace")
        .args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=exit_group", "-e", HELD_UP])
        .arg(stage.program())
        .args(stage.arguments())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(payload.as_bytes())?;
    }
    let mut peak = 0;
    for _ in 0..LOOKS_MAX {
        std::thread::sleep(std::time::Duration::from_millis(1));
        peak = peak.max(peak_of_child(child.id()).unwrap_or(0));
    }
    child.wait()?;
    Ok(peak)
}

/// Reads the peak of the one process that `parent` traces.
fn peak_of_child(parent: u32) -> Option<u64> {
    let children = format!("/proc/{parent}/task/{parent}/children");
    let child = std::fs::read_to_string(children).ok()?;
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.trim())).ok()?;
    // Until it is the program itself, the process is a copy of its parent.
    status.lines().next().filter(|line| line.ends_with("continuity"))?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().trim_end_matches(" kB").parse().ok()
}
