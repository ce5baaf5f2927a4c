//! What nearly looks like a token, and is none.

use context_continuity::domain::redact::{Format, formats, redact_str};

use super::samples::{Draw, of_format};

/// Texts that differ from a token of the format by one thing each.
fn near_misses(format: &Format) -> Vec<String> {
    let mut draw = Draw::new(9);
    let plain: String = format.alphabet.chars().filter(char::is_ascii_alphanumeric).collect();
    let short = draw.letters(&plain, format.length_min - 1);
    let prefix = format.prefix;
    let mut texts = vec![
        format!("a {prefix}{short} z"),
        format!("the prefix `{prefix}` is known"),
        format!("{prefix} of something"),
        format!("see {prefix}name in the docs"),
    ];
    if let Some(length_max) = format.length_max {
        texts.push(format!("a {prefix}{} z", draw.letters(&plain, length_max + 1)));
    }
    if prefix.starts_with(|letter: char| letter.is_ascii_alphanumeric()) {
        texts.push(format!("a Z{} z", of_format(format, 1)[0].text));
    }
    if format.is_alone {
        texts.push(format!("a/{} z", of_format(format, 1)[0].text));
    }
    texts
}

/// Returns the near misses of the format that were touched by its own rule, and how many there are.
pub fn touched(format: &Format) -> (Vec<String>, usize) {
    let texts = near_misses(format);
    let count = texts.len();
    let mark = format!("[redacted:{}]", format.name);
    let is_touched = |text: &String| redact_str(text).as_str().contains(&mark);
    (texts.into_iter().filter(is_touched).collect(), count)
}

#[test]
fn what_nearly_is_a_token_is_not_taken_for_one() {
    let touched: Vec<String> = formats().flat_map(|format| touched(&format).0).collect();
    assert_eq!(touched, Vec::<String>::new());
}
