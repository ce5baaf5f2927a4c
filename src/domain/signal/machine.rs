//! Lines that programs write: logs, traces, diffs, code.

/// How lines of logs, traces and code begin.
const OPENINGS: &[&str] = &[
    "diff --git",
    "@@ ",
    "--- a/",
    "+++ b/",
    "Traceback (most recent",
    "File \"",
    "thread '",
    "Caused by:",
    "note: run with",
    "Exception in thread",
    "error[",
    "warning[",
    "panicked at",
    "#!",
    "//",
    "/*",
    "#include",
    "$ ",
    ">>> ",
    "{\"",
    "[{",
    "| ",
    "ERROR",
    "WARN",
    "INFO",
    "DEBUG",
    "TRACE",
    "FATAL",
    "[ERROR",
    "[WARN",
    "[INFO",
    "[DEBUG",
    "error: ",
    "warning: ",
    "npm ERR!",
    "E   ",
    "   at ",
    "-->",
    "FAILED ",
    "PASSED ",
    "running ",
    "test result:",
    "Compiling ",
    "import {",
    "import (",
    "export ",
    "const ",
    "def ",
    "pub fn",
    "fn ",
    "#[",
    "SELECT ",
    "INSERT INTO",
    "CREATE TABLE",
    "-- ",
];

/// Tells whether a program wrote the line, which is trimmed.
pub(super) fn is_machine_line(line: &str) -> bool {
    OPENINGS.iter().any(|opening| line.starts_with(opening))
        || is_stamped(line)
        || is_frame(line)
        || is_change(line)
        || is_exception(line)
        || ends_like_code(line)
        || is_mostly_signs(line)
}

/// A time or a date first, perhaps in brackets.
fn is_stamped(line: &str) -> bool {
    let line = line.strip_prefix('[').unwrap_or(line);
    let shape: String = line
        .chars()
        .take(10)
        .map(|letter| if letter.is_ascii_digit() { '0' } else { letter })
        .collect();
    (shape.starts_with("0000-00-00") || shape.starts_with("00:00:00")) && line.len() > 12
}

/// A frame of a stack trace.
fn is_frame(line: &str) -> bool {
    line.strip_prefix("at ").is_some_and(|rest| {
        rest.contains('(')
            || rest.rsplit(':').next().is_some_and(|last| {
                !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit())
            })
    })
}

/// The line of a trace that names what was thrown.
fn is_exception(line: &str) -> bool {
    line.split_once(':').is_some_and(|(name, _)| {
        ["Error", "Exception", "Warning"].iter().any(|end| name.ends_with(end))
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "._$".contains(letter))
            && name.len() > "Exception".len()
    })
}

/// A line of a diff: a sign and no blank after it.
fn is_change(line: &str) -> bool {
    let mut letters = line.chars();
    matches!(letters.next(), Some('+' | '-'))
        && letters.next().is_some_and(|next| next.is_alphabetic() || "{}<(/#\"".contains(next))
}

fn ends_like_code(line: &str) -> bool {
    line.ends_with(['{', '}', ';']) || line.ends_with("\",") || line.ends_with("),")
}

/// Fewer than six in ten letters, digits or blanks.
fn is_mostly_signs(line: &str) -> bool {
    let total = line.chars().count();
    let plain = line.chars().filter(|letter| letter.is_alphanumeric() || *letter == ' ').count();
    total > 12 && plain.saturating_mul(10) < total.saturating_mul(6)
}
