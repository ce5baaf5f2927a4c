//! The forms in which words could be hidden in a file: as they are, and as encoders write them.
//!
//! Pure; `byte_scan` looks for them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use data_encoding::{BASE64, BASE64URL, Encoding, HEXLOWER, HEXUPPER};

/// Shortest bytes that are looked for: shorter ones stand anywhere by chance.
pub(super) const FORM_BYTES_MIN: usize = 8;
/// Longest piece of a text, in bytes.
const PIECE_BYTES_MAX: usize = 48;

/// Cuts a text into pieces of [`FORM_BYTES_MIN`] bytes or more, so that a part of it that is left
/// is found too: the whole of it in pieces of some words, then its long words alone. A text that is
/// shorter has none.
pub(super) fn pieces(text: &str) -> Vec<&str> {
    let mut found = phrases(text);
    let words = text.split(|it: char| !(it.is_alphanumeric() || matches!(it, '-' | '_')));
    found.extend(words.filter(|it| (FORM_BYTES_MIN..=PIECE_BYTES_MAX).contains(&it.len())));
    found
}

fn phrases(text: &str) -> Vec<&str> {
    let text = text.trim();
    let mut found = Vec::new();
    let mut start = 0;
    for (at, character) in text.char_indices() {
        let length = at.saturating_sub(start);
        if length >= PIECE_BYTES_MAX || (length >= FORM_BYTES_MIN && character.is_whitespace()) {
            found.extend(text.get(start..at));
            start = at;
        }
    }
    let is_long = text.len().saturating_sub(start) >= FORM_BYTES_MIN;
    if text.len() >= FORM_BYTES_MIN && !is_long {
        start = text.floor_char_boundary(text.len().saturating_sub(FORM_BYTES_MIN));
    }
    if text.len() >= FORM_BYTES_MIN {
        found.extend(text.get(start..));
    }
    found
}

/// Returns text in every form: raw, hexadecimal, Base64 at each offset, JSON, UTF-16.
pub(super) fn forms_of_text(piece: &str) -> BTreeSet<Vec<u8>> {
    let mut forms = forms_of_bytes(piece.as_bytes());
    if let Ok(json) = serde_json::to_string(piece) {
        forms.insert(json.trim_matches('"').as_bytes().to_vec());
    }
    forms.insert(escaped(piece).into_bytes());
    forms.insert(piece.encode_utf16().flat_map(u16::to_le_bytes).collect());
    forms.insert(piece.encode_utf16().flat_map(u16::to_be_bytes).collect());
    forms
}

/// Returns bytes in every form that bytes have: raw, hexadecimal, Base64 at each offset.
pub(super) fn forms_of_bytes(bytes: &[u8]) -> BTreeSet<Vec<u8>> {
    let mut forms = BTreeSet::from([
        bytes.to_vec(),
        HEXLOWER.encode(bytes).into_bytes(),
        HEXUPPER.encode(bytes).into_bytes(),
    ]);
    for offset in 0..3 {
        forms.extend([&BASE64, &BASE64URL].map(|base| inner_letters(base, bytes, offset)));
    }
    forms
}

/// Encodes bytes that begin `offset` bytes into a group of three, and keeps the letters that do not
/// depend on what stands around them.
fn inner_letters(base: &Encoding, bytes: &[u8], offset: usize) -> Vec<u8> {
    let mut shifted = vec![0; offset];
    shifted.extend_from_slice(bytes);
    let letters = base.encode(&shifted).into_bytes();
    let (first, end) = ((offset * 8).div_ceil(6), shifted.len() * 8 / 6);
    letters.get(first..end).unwrap_or_default().to_vec()
}

/// JSON with nothing but ASCII, as many encoders write it.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte @ (b'"' | b'\\')) => escaped.extend(['\\', char::from(byte)]),
            Ok(byte @ 0x20..=0x7e) => escaped.push(char::from(byte)),
            _ => drop(write!(escaped, "\\u{unit:04x}")),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_long_enough_and_cover_the_whole_text() {
        for text in ["Never push to main.", "12345678", &"x".repeat(500), &"日本語".repeat(40)] {
            let found = phrases(text);
            assert!(found.iter().all(|it| it.len() >= FORM_BYTES_MIN), "{found:?}");
            assert!(found.iter().all(|it| it.len() <= PIECE_BYTES_MAX + 4), "{found:?}");
            assert!(text.starts_with(found[0]) && text.ends_with(found[found.len() - 1]));
            let length: usize = found.iter().map(|it| it.len()).sum();
            assert!(length >= text.len(), "{found:?}");
        }
        assert!(pieces("1234567").is_empty());
        let found = pieces("The canary is kestrel-quarry, not a_sparrow.");
        assert!(found.contains(&"kestrel-quarry") && found.contains(&"a_sparrow"), "{found:?}");
    }

    #[test]
    fn every_offset_of_base64_and_every_other_form_is_among_the_forms() {
        let piece = "kestrel „7719“";
        let forms = forms_of_text(piece);
        let is_hidden_in = |bytes: &[u8]| {
            forms.iter().any(|form| bytes.windows(form.len()).any(|it| it == form.as_slice()))
        };
        for before in ["", "a", "ab", "abc", "abcd"] {
            let text = format!("{before}{piece}yz");
            assert!(is_hidden_in(BASE64.encode(text.as_bytes()).as_bytes()), "{before}");
            assert!(is_hidden_in(BASE64URL.encode(text.as_bytes()).as_bytes()), "{before}");
        }
        assert!(is_hidden_in(HEXLOWER.encode(piece.as_bytes()).as_bytes()));
        assert!(is_hidden_in(serde_json::to_string(piece).unwrap().as_bytes()));
        assert!(is_hidden_in(b"kestrel \\u201e7719\\u201c"));
        let wide: Vec<u8> = piece.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(is_hidden_in(&wide));
        assert!(!is_hidden_in(b"kestrel 7719, and nothing else of it"));
        assert!(forms.iter().all(|form| form.len() >= FORM_BYTES_MIN));
    }
}
