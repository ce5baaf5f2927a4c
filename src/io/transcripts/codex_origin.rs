//! The first line of a Codex rollout file: which conversation this one was copied from.
//!
//! Codex does not copy the earlier lines into a fork's file; its `session_meta` names the other
//! conversation. Read from files that Codex wrote; the form is not documented by the host.

use std::path::Path;

use super::TailReader;
use super::codex_line::SessionMeta;

/// Returns the session that `session` was forked from, as the host's own file says.
///
/// `None` for a file that cannot be read, that belongs to another session, or that names no other.
#[must_use]
pub fn fork_parent(path: &Path, session: &str) -> Option<String> {
    let line = TailReader::open(path, 0).ok()?.read_first_line().ok()?;
    let meta = SessionMeta::parse(&line)?;
    meta.is_of(session).then_some(meta.forked_from_id?)
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
