//! The first line of a Codex rollout file: which conversation this one was copied from.
//!
//! Codex does not copy the earlier lines into a fork's file; its `session_meta` names the other
//! conversation. Read from files that Codex wrote; the form is not documented by the host.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::io::regular_file;

/// Longest first line that is read, in bytes; it holds the host's own instructions.
const FIRST_LINE_BYTES_MAX: u64 = 1024 * 1024;

#[derive(Deserialize)]
struct RawLine<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    payload: &'a RawValue,
}

#[derive(Deserialize)]
struct SessionMeta {
    id: String,
    forked_from_id: Option<String>,
}

/// Returns the session that `session` was forked from, as the host's own file says.
///
/// `None` for a file that cannot be read, that belongs to another session, or that names no other.
#[must_use]
pub fn fork_parent(path: &Path, session: &str) -> Option<String> {
    let meta = first_line(path)?;
    (meta.id == session).then_some(meta.forked_from_id?)
}

/// Tells whether the file says of itself that it holds this session.
#[must_use]
pub fn is_of_session(path: &Path, session: &str) -> bool {
    first_line(path).is_some_and(|meta| meta.id == session)
}

fn first_line(path: &Path) -> Option<SessionMeta> {
    if !path.is_absolute() {
        return None;
    }
    let file = regular_file::open(path).ok()?;
    let mut line = Vec::new();
    BufReader::new(file.take(FIRST_LINE_BYTES_MAX)).read_until(b'\n', &mut line).ok()?;
    let line: RawLine<'_> = serde_json::from_slice(&line).ok()?;
    if line.kind != "session_meta" {
        return None;
    }
    serde_json::from_str(line.payload.get()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(
        clippy::disallowed_methods,
        reason = "the test plays the host, which writes as it likes"
    )]
    fn parent_in(content: &str) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rollout.jsonl");
        std::fs::write(&path, content).unwrap();
        fork_parent(&path, "new")
    }

    #[test]
    fn a_fork_names_the_conversation_that_it_was_copied_from() {
        let line = r#"{"timestamp":"x","type":"session_meta","payload":{"id":"new",
            "forked_from_id":"old","forked_from_ordinal_exclusive":45}}"#
            .replace('\n', "");
        assert_eq!(parent_in(&format!("{line}\n{{\"type\":\"event_msg\"")), Some("old".to_owned()));
    }

    #[test]
    fn other_first_lines_name_none() {
        for line in [
            "",
            "{",
            r#"{"type":"session_meta","payload":{"id":"new"}}"#,
            r#"{"type":"session_meta","payload":{"id":"other","forked_from_id":"old"}}"#,
            r#"{"type":"response_item","payload":{"id":"new","forked_from_id":"old"}}"#,
        ] {
            assert_eq!(parent_in(line), None, "{line}");
        }
    }
}
