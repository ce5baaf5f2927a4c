//! Words that a person or an agent gives on the command line: read, checked, redacted, bounded.

use std::io::{self, Read as _};

use super::failure::{Failure, Kind};
use super::stage::talk;
use crate::domain::redact::redact_str;
use crate::domain::text::BoundedText;

/// Stands for the words on stdin.
pub(super) const FROM_STDIN: &str = "-";
/// Bytes of stdin that are read; more cannot fit any field.
const STDIN_BYTES_MAX: u64 = 16 * 1024;

/// Words that may be kept.
pub(super) struct Words<const CHARS_MAX: usize> {
    /// The words, without the secrets that were in them.
    pub text: BoundedText<CHARS_MAX>,
    /// Whether a secret was taken out.
    pub was_redacted: bool,
}

/// Takes in words; `what` says in an error which ones. A hyphen stands for stdin.
///
/// # Errors
/// Usage: the words are empty, too long, no text, or hold a control character.
pub(super) fn take<const CHARS_MAX: usize>(
    what: &str,
    given: &str,
) -> Result<Words<CHARS_MAX>, Failure> {
    if given == FROM_STDIN { check(what, &from_stdin(what)?) } else { check(what, given) }
}

fn from_stdin(what: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .take(STDIN_BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::of(Kind::Internal, &error).line("reading stdin"))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > STDIN_BYTES_MAX {
        let line = format!("the {what} on stdin is longer than {STDIN_BYTES_MAX} bytes");
        return Err(Failure::new(Kind::Usage, line));
    }
    String::from_utf8(bytes)
        .map_err(|_| Failure::new(Kind::Usage, format!("the {what} on stdin is no UTF-8 text")))
}

fn check<const CHARS_MAX: usize>(what: &str, given: &str) -> Result<Words<CHARS_MAX>, Failure> {
    let given = given.replace("\r\n", "\n");
    let control = given.trim().chars().enumerate().find(|(_, it)| is_refused(*it));
    if let Some((place, control)) = control {
        let (place, number) = (place + 1, u32::from(control));
        let line =
            format!("the {what} holds a control character, U+{number:04X}, as number {place}");
        return Err(Failure::new(Kind::Usage, line).hint("give plain text; line breaks may stay"));
    }
    let redacted = redact_str(&given);
    let text = BoundedText::new(&redacted).map_err(|error| {
        let line = error.to_string().replacen("the text", &format!("the {what}"), 1);
        let hint = "say the one thing that must hold, in a sentence or two";
        Failure::new(Kind::Usage, line).hint(hint)
    })?;
    Ok(Words { text, was_redacted: redacted.as_str() != given })
}

fn is_refused(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
}

/// Tells that a secret was taken out.
pub(super) fn tell_redacted(was_redacted: bool) {
    if was_redacted {
        talk("note: what looks like a secret was taken out before anything was kept");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(given: &str) -> Result<Words<8>, Failure> {
        check::<8>("text", given)
    }

    #[test]
    fn words_fit_to_their_last_character_and_no_further() {
        assert_eq!(taken(" 12345678\n").unwrap().text.as_str(), "12345678");
        assert_eq!(taken("日本語日本語日本").unwrap().text.as_str(), "日本語日本語日本");
        assert!(taken("123456789").is_err());
        assert!(taken(" \n").is_err());
    }

    #[test]
    fn control_characters_are_refused_but_for_line_breaks_and_tabs() {
        assert_eq!(taken("a\r\nb\tc").unwrap().text.as_str(), "a\nb\tc");
        for bad in ["a\u{1b}[2J", "a\0", "a\rb", "\u{9b}2J", "a\u{7f}"] {
            assert!(taken(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_secret_is_taken_out_and_that_is_known() {
        let words = check::<512>("text", "The token is ghp_0123456789abcdefghijABCDEFGHIJ456789.");
        let words = words.unwrap();
        assert!(words.was_redacted && !words.text.as_str().contains("0123456789abc"));
        assert!(!check::<512>("text", "Never push to main.").unwrap().was_redacted);
    }
}
