//! Redaction twice, and secrets on borders: cut texts, pieces, quotes that are cut to length.

use context_continuity::domain::redact::redact_str;
use context_continuity::domain::signal::detect;
use context_continuity::domain::text::UntrustedText;
use proptest::prelude::*;

use super::lines::{FALSE, TRUE};
use super::samples::{Sample, of_formats, of_shapes};

/// The longest piece of a secret that may be left at a border.
const PIECE_BYTES: usize = 12;

fn has_piece(text: &str, core: &str) -> bool {
    core.as_bytes()
        .windows(PIECE_BYTES)
        .any(|piece| memchr::memmem::find(text.as_bytes(), piece).is_some())
}

fn samples() -> Vec<Sample> {
    let mut samples = of_formats(1);
    samples.extend(of_shapes(1));
    samples
}

#[test]
fn a_text_that_ends_anywhere_within_a_token_keeps_less_than_half_of_it() {
    for sample in of_formats(1).iter().filter(|sample| sample.is_joinable) {
        let text = format!("please use {}", sample.text);
        let prefix = text.len() - sample.core.len();
        for end in prefix + sample.core.len().div_ceil(2).max(8)..=text.len() {
            let cut = &text[..end];
            let clean = redact_str(cut);
            assert_eq!(clean.as_str(), format!("please use [redacted:{}]", sample.rule), "{cut}");
        }
    }
}

#[test]
fn a_text_that_begins_or_ends_at_any_byte_is_survived() {
    for sample in samples() {
        let text = format!("密{}密\u{1b}[0m", sample.text);
        for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            for part in [&text[..at], &text[at..]] {
                let once = redact_str(part);
                assert_eq!(redact_str(once.as_str()), once, "{part}");
            }
        }
    }
}

#[test]
fn a_secret_at_every_distance_from_any_byte_count_is_found() {
    let sample = &of_formats(1)[0];
    for filler in 0..300 {
        let text = format!("{}{} {}", "é".repeat(filler / 2), "x".repeat(filler % 2), sample.text);
        let clean = redact_str(&text);
        assert!(clean.as_str().ends_with(&format!(" [redacted:{}]", sample.rule)), "{text}");
    }
}

#[test]
fn secrets_without_anything_between_them_are_all_taken_at_once() {
    for sample in of_formats(1).iter().chain(&of_shapes(1)) {
        let pad = " ".repeat((3 - sample.text.len() % 3) % 3 + 1);
        let encoded = data_encoding::BASE64.encode(format!("{}{pad}", sample.text).as_bytes());
        let text = encoded.repeat(12);
        let clean = redact_str(&text);
        assert_eq!(clean.as_str().replace("[redacted:base64]", ""), "", "{text}");
    }
}

#[test]
fn no_piece_of_a_secret_is_kept_where_a_quote_is_cut_to_length() {
    for sample in samples() {
        for filler in (0..520).step_by(13) {
            let words = "ab ".repeat(filler / 3);
            let prompt = format!("Never touch prod {words}{} in the wall, ever.", sample.text);
            let signals = detect(&UntrustedText::new(prompt));
            for quote in &signals.quotes {
                assert!(!has_piece(quote.text.as_str(), &sample.core), "{}", quote.text);
            }
        }
    }
}

// field case F044
#[test]
fn of_a_prompt_with_a_password_the_constraint_is_kept_and_the_password_is_not() {
    for canary in ["canary93", "Zq9vK3xW7c", "c4n4ry!", "canary-bird-77"] {
        let prompt = format!(
            "use password hunter2-{canary} for the staging db, and from now on never touch prod"
        );
        let signals = detect(&UntrustedText::new(prompt));
        let words: Vec<&str> = signals.quotes.iter().map(|quote| quote.text.as_str()).collect();
        let all = words.join("\n");
        assert!(all.contains("never touch prod"), "{all}");
        assert!(!all.contains("hunter2") && !all.contains(canary), "{all}");
    }
}

const SIGNS: &[&str] = &[
    " ",
    "\n",
    "\r\n",
    "\\\n",
    "\\\r\n  ",
    "\\n",
    "\"",
    "\\\"",
    "'",
    "`",
    "=",
    ":",
    ": ",
    ",",
    "&",
    "?",
    "@",
    "://",
    "//",
    "-",
    "--",
    "-p",
    "-u a:",
    "_",
    "<",
    ">",
    "{",
    "}",
    "(",
    ")",
    "[redacted:",
    "]",
    "[redacted:password]",
    "\u{1b}[0m",
    "\u{1b}(B",
    "\u{200b}",
    "%3D",
    "+",
    "密码是",
    "パスワードは",
    "비밀번호",
    "contraseña",
    "mot de passe",
    "mysql ",
    "for ",
    "is ",
    "key",
    "token",
    "password",
    "secret",
    "api_",
    "Basic ",
    "Bearer ",
    "value",
    "eyJ",
    ".",
    "/",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "hunter2",
    "1234",
    "AAAA",
    "cGFzc3dvcmQ9aHVudGVyMg==",
];

fn piece() -> impl Strategy<Value = String> {
    let tokens = samples();
    let texts: Vec<String> = tokens.into_iter().map(|sample| sample.text).collect();
    let encoded: Vec<String> =
        texts.iter().map(|text| data_encoding::BASE64.encode(text.as_bytes())).collect();
    let lines: Vec<String> =
        TRUE.iter().chain(FALSE).map(|line| line.replace("{}", "Xq7-hunter2")).collect();
    prop_oneof![
        6 => prop::sample::select(SIGNS).prop_map(str::to_owned),
        2 => prop::sample::select(texts),
        1 => prop::sample::select(encoded),
        2 => prop::sample::select(lines),
        1 => "[a-zA-Z0-9+/=_-]{1,70}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 3_000, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn a_second_redaction_changes_nothing(pieces in prop::collection::vec(piece(), 0..16)) {
        let once = redact_str(&pieces.concat());
        prop_assert_eq!(&redact_str(once.as_str()), &once);
    }

    #[test]
    fn a_redacted_text_cut_anywhere_is_redacted(
        pieces in prop::collection::vec(piece(), 1..8), at in any::<prop::sample::Index>(),
    ) {
        let once = redact_str(&pieces.concat());
        let ends: Vec<usize> =
            once.as_str().char_indices().map(|(place, _)| place).chain([once.as_str().len()]).collect();
        let cut = &once.as_str()[..ends[at.index(ends.len())]];
        let again = redact_str(cut);
        prop_assert_eq!(&redact_str(again.as_str()), &again);
    }
}
