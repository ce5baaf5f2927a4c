//! Writes an answer in the form that hosts with `hookSpecificOutput` share.
//!
//! Such hosts are strict: one unknown key makes the whole answer invalid. So an answer is built
//! from the event's [`ReplyForm`] alone, and an empty one is zero bytes.

use serde::Serialize;

use super::{HostSpec, ReplyForm};
use crate::domain::host_event::{HostEventKind, HostReply};

/// Why an answer cannot be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplyError {
    /// The host would cut the text or write it to a file of its own.
    #[error("the context has {bytes} bytes, the host takes at most {bytes_max}")]
    ContextTooLong {
        /// Bytes of the context.
        bytes: usize,
        /// Bytes that the host takes.
        bytes_max: usize,
    },
    /// The host has no place for this text at this event.
    #[error("the host accepts no {part} at this event")]
    NotAccepted {
        /// `context` or `notice`.
        part: &'static str,
    },
}

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(rename = "systemMessage", skip_serializing_if = "Option::is_none")]
    notice: Option<&'a str>,
    #[serde(rename = "hookSpecificOutput", skip_serializing_if = "Option::is_none")]
    specific: Option<Specific<'a>>,
}

#[derive(Serialize)]
struct Specific<'a> {
    #[serde(rename = "hookEventName")]
    event: &'static str,
    #[serde(rename = "additionalContext")]
    context: &'a str,
}

/// Writes the answer to `kind`; nothing at all if there is nothing to say.
///
/// # Errors
/// [`ReplyError::NotAccepted`] if the host has no place for the text,
/// [`ReplyError::ContextTooLong`] above the host's bound. Neither is cut or dropped silently.
pub(super) fn render(
    spec: &HostSpec,
    kind: &HostEventKind,
    reply: &HostReply,
) -> Result<Vec<u8>, ReplyError> {
    let context = reply.context.as_deref().filter(|text| !text.is_empty());
    let notice = reply.notice.as_deref().filter(|text| !text.is_empty());
    if context.is_none() && notice.is_none() {
        return Ok(Vec::new());
    }
    let event = kind.role().and_then(|role| spec.event_of(role));
    let form = event.map_or(ReplyForm::Silent, |event| event.reply);
    if notice.is_some() && form == ReplyForm::Silent {
        return Err(ReplyError::NotAccepted { part: "notice" });
    }
    let specific = match (context, event) {
        (None, _) => None,
        (Some(context), Some(event)) if form == ReplyForm::ContextAndNotice => {
            if context.len() > spec.context_bytes_max {
                return Err(ReplyError::ContextTooLong {
                    bytes: context.len(),
                    bytes_max: spec.context_bytes_max,
                });
            }
            Some(Specific { event: event.wire, context })
        }
        (Some(_), _) => return Err(ReplyError::NotAccepted { part: "context" }),
    };
    // Two optional strings always serialize.
    Ok(serde_json::to_vec(&Answer { notice, specific }).unwrap_or_default())
}
