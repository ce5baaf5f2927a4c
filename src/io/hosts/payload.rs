//! Makes a payload of a host readable, and reads single fields from it.
//!
//! Hosts are forgiven what they get wrong: marks, line ends, broken escapes, fields of a wrong
//! type that nobody needs. Nothing is guessed: a field that is needed is there, once, or the whole
//! payload is refused.

use std::borrow::Cow;
use std::io::ErrorKind;

use serde::Deserialize;
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::scan::{ObjectScanner, PAYLOAD_BYTES_MAX};
use crate::domain::host_event::{HostId, HostPath, ModelName};

/// Why a payload is of no use. Carries no text of the payload.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PayloadError {
    /// Nothing came.
    #[error("the payload is empty")]
    Empty,
    /// The stream ended within the object.
    #[error("the payload ends before its object does")]
    Cut,
    /// It begins like something else.
    #[error("the payload is not a JSON object")]
    NotAnObject,
    /// More brackets within brackets than any host writes.
    #[error("the payload is nested deeper than {depth_max} levels")]
    TooDeep {
        /// Levels allowed.
        depth_max: u32,
    },
    /// Longer than we read.
    #[error("the payload is longer than {bytes_max} bytes")]
    TooLong {
        /// Bytes allowed.
        bytes_max: usize,
    },
    /// The stream could not be read.
    #[error("the payload cannot be read ({kind})")]
    Unreadable {
        /// The system's answer.
        kind: ErrorKind,
    },
    /// Not JSON.
    #[error("the payload is not valid JSON at line {line}, column {column}")]
    Malformed {
        /// Line, counted from 1.
        line: usize,
        /// Column in bytes, counted from 1.
        column: usize,
    },
    /// A field that we read is there twice, so it has no one meaning.
    #[error("a field of the payload is there twice")]
    DuplicateField,
    /// A field that the event needs is not there.
    #[error("the payload has no {field}")]
    MissingField {
        /// The host's name for it.
        field: &'static str,
    },
    /// A field that the event needs is of a wrong type, empty or too long.
    #[error("the payload's {field} is unusable")]
    UnusableField {
        /// The host's name for it.
        field: &'static str,
    },
}

/// Returns the first object in `bytes` as text that a JSON parser accepts if it is JSON at all.
///
/// Leading marks and white space, and whatever follows the object, are dropped; bytes that are not
/// UTF-8 and escapes of lone surrogates become U+FFFD.
///
/// # Errors
/// As [`super::read_payload`], but for [`PayloadError::Unreadable`].
pub(super) fn readable(bytes: &[u8]) -> Result<Cow<'_, str>, PayloadError> {
    let mut scanner = ObjectScanner::new();
    let within = bytes.get(..PAYLOAD_BYTES_MAX).unwrap_or(bytes);
    let Some(extent) = scanner.feed(within)? else {
        if bytes.len() > PAYLOAD_BYTES_MAX {
            return Err(PayloadError::TooLong { bytes_max: PAYLOAD_BYTES_MAX });
        }
        return Err(if scanner.has_started() { PayloadError::Cut } else { PayloadError::Empty });
    };
    let object = bytes.get(extent.start..extent.end).unwrap_or_default();
    Ok(match String::from_utf8_lossy(object) {
        Cow::Borrowed(text) => without_lone_surrogates(text),
        Cow::Owned(text) => Cow::Owned(without_lone_surrogates(&text).into_owned()),
    })
}

/// Reads the fields of `Fields`, every one of which holds a raw value.
///
/// # Errors
/// [`PayloadError::Malformed`], [`PayloadError::DuplicateField`].
pub(super) fn fields<'a, Fields: Deserialize<'a>>(text: &'a str) -> Result<Fields, PayloadError> {
    serde_json::from_str(text).map_err(|error| match error.classify() {
        // Raw values have no wrong type; all that is left to complain of is a second one.
        Category::Data => PayloadError::DuplicateField,
        _ => PayloadError::Malformed { line: error.line(), column: error.column() },
    })
}

/// Replaces every `\uD800`-like escape that is not half of a pair; linear.
fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    let mut repaired = String::new();
    let mut copied_to = 0;
    let mut at = 0;
    while let Some(found) = text.as_bytes().get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        let escape_at = at + found;
        let Some(unit) = escaped_unit(text, escape_at) else {
            at = escape_at + 2;
            continue;
        };
        at = escape_at + 6;
        let is_high = (0xD800..0xDC00).contains(&unit);
        let is_low = (0xDC00..0xE000).contains(&unit);
        if is_high && escaped_unit(text, at).is_some_and(|next| (0xDC00..0xE000).contains(&next)) {
            at += 6;
        } else if is_high || is_low {
            repaired.push_str(text.get(copied_to..escape_at).unwrap_or_default());
            repaired.push_str("\\uFFFD");
            copied_to = at;
        }
    }
    if copied_to == 0 {
        return Cow::Borrowed(text);
    }
    repaired.push_str(text.get(copied_to..).unwrap_or_default());
    Cow::Owned(repaired)
}

/// Returns the UTF-16 unit that is written as `\uXXXX` at `at`.
fn escaped_unit(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at.checked_add(6)?)?.strip_prefix("\\u")?;
    if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        u16::from_str_radix(digits, 16).ok()
    } else {
        None
    }
}

/// A field as it stands in the payload.
pub(super) type RawField<'a> = Option<&'a RawValue>;

/// Reads a string; `None` if the field is not there or of another type.
pub(super) fn text_of(field: RawField<'_>) -> Option<String> {
    serde_json::from_str(field?.get()).ok()
}

/// Reads a field that the event needs.
///
/// # Errors
/// [`PayloadError::MissingField`], [`PayloadError::UnusableField`].
pub(super) fn needed_text(field: RawField<'_>, name: &'static str) -> Result<String, PayloadError> {
    if field.is_none() {
        return Err(PayloadError::MissingField { field: name });
    }
    text_of(field).ok_or(PayloadError::UnusableField { field: name })
}

/// Reads an id that the event needs.
///
/// # Errors
/// As [`needed_text`]; also unusable if empty or too long.
pub(super) fn needed_id(field: RawField<'_>, name: &'static str) -> Result<HostId, PayloadError> {
    HostId::new(needed_text(field, name)?).map_err(|_| PayloadError::UnusableField { field: name })
}

/// Reads an id; `None` if there is no usable one.
pub(super) fn id_of(field: RawField<'_>) -> Option<HostId> {
    HostId::new(text_of(field)?).ok()
}

/// Reads a path; `None` if there is no usable one.
pub(super) fn path_of(field: RawField<'_>) -> Option<HostPath> {
    HostPath::new(text_of(field)?).ok()
}

/// Reads a model's name; `None` if there is no usable one.
pub(super) fn model_of(field: RawField<'_>) -> Option<ModelName> {
    ModelName::new(text_of(field)?).ok()
}

/// Tells whether the field is `true`.
pub(super) fn is_true(field: RawField<'_>) -> bool {
    field.is_some_and(|raw| raw.get() == "true")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check_repair(input: &str, expected: &str) {
        assert_eq!(without_lone_surrogates(input), expected);
    }

    // field case F036
    #[test]
    fn lone_surrogates_are_replaced_and_pairs_are_kept() {
        check_repair(r#""keep \udc88 and \ud99c""#, r#""keep \uFFFD and \uFFFD""#);
        check_repair(r#""\ud83d\ude00""#, r#""\ud83d\ude00""#);
        check_repair(r#""\ud83d\ud83d\ude00""#, r#""\uFFFD\ud83d\ude00""#);
        check_repair(r#""\ud83dx""#, r#""\uFFFDx""#);
        check_repair(r#""\ude00\ud83d""#, r#""\uFFFD\uFFFD""#);
    }

    #[test]
    fn an_escaped_backslash_before_u_is_no_escape() {
        check_repair(r#""C:\\ud83d\\new""#, r#""C:\\ud83d\\new""#);
        check_repair(r#""\\\ud83d""#, r#""\\\uFFFD""#);
    }

    #[test]
    fn an_escape_at_the_very_end_is_left_to_the_parser() {
        check_repair(r"\ud83", r"\ud83");
        check_repair(r"\", r"\");
        check_repair("\\u\u{e9}\u{e9}", "\\u\u{e9}\u{e9}");
    }

    #[test]
    fn a_payload_that_ends_early_is_empty_or_cut() {
        assert_eq!(readable(b" \r\n"), Err(PayloadError::Empty));
        assert_eq!(readable(b"{\"a\":"), Err(PayloadError::Cut));
        let long = format!("{{\"a\":\"{}", "x".repeat(PAYLOAD_BYTES_MAX));
        assert_eq!(
            readable(long.as_bytes()),
            Err(PayloadError::TooLong { bytes_max: PAYLOAD_BYTES_MAX })
        );
    }

    proptest! {
        #[test]
        fn any_run_of_utf_16_units_becomes_a_string_that_parses(
            units in proptest::collection::vec(any::<u16>(), 0..40)
        ) {
            use std::fmt::Write as _;
            let mut text = String::from("{\"a\":\"");
            for unit in &units {
                write!(text, "\\u{unit:04x}").expect("writes");
            }
            text.push_str("\"}");
            let repaired = readable(text.as_bytes()).expect("readable");
            let parsed: serde_json::Value = serde_json::from_str(&repaired).expect("parses");
            prop_assert_eq!(
                parsed["a"].as_str().expect("text"),
                String::from_utf16_lossy(&units)
            );
        }

        #[test]
        fn valid_json_is_left_as_it_is(text in ".{0,60}") {
            let object = serde_json::json!({ "a": text }).to_string();
            prop_assert_eq!(readable(object.as_bytes()).expect("readable"), object.as_str());
        }
    }
}
