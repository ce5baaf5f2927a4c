//! What redaction takes and what it leaves.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::class::Class;
use super::rules::{RULES, Rule};
use super::samples::{body, forms, token};
use super::{matcher, redact_str};

#[track_caller]
fn check(input: &str, expected: &str) {
    assert_eq!(redact_str(input).as_str(), expected);
}

#[track_caller]
fn check_untouched(input: &str) {
    check(input, input);
}

// covers: P-205
#[test]
fn every_format_is_found_in_every_form() {
    for rule in RULES {
        let secret = token(rule, 7);
        for (form, text) in forms(&secret) {
            let clean = redact_str(&text);
            let whole = clean.as_str().contains(&secret);
            let tail = clean.as_str().contains(&secret[secret.len() - 6..]);
            assert!(!whole && !tail, "{} leaks as {form}: {clean}", rule.name);
            assert_eq!(redact_str(clean.as_str()), clean, "{} as {form}", rule.name);
        }
    }
}

#[test]
fn every_format_is_named_by_the_rule_that_saw_it() {
    for rule in RULES {
        check(&format!("a {} z", token(rule, 3)), &format!("a [redacted:{}] z", rule.name));
    }
}

#[test]
fn names_are_unique_and_there_are_more_than_a_hundred_and_fifty() {
    let names: std::collections::BTreeSet<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(names.len(), RULES.len());
    assert!(RULES.len() >= 150, "{} rules", RULES.len());
}

#[test]
fn a_token_one_letter_short_is_left_alone() {
    for rule in RULES {
        let short = format!("a {}{} z", rule.prefix, body(rule.class, rule.length.0 - 1, 3));
        let clean = redact_str(&short);
        assert!(!clean.as_str().contains(&format!("[redacted:{}]", rule.name)), "{clean}");
    }
}

#[test]
fn a_prefix_inside_a_word_begins_nothing() {
    for rule in RULES.iter().filter(|rule| rule.prefix.starts_with(|c: char| c.is_alphanumeric())) {
        let inside = format!("Z{}", token(rule, 3));
        let found = format!("[redacted:{}]", rule.name);
        assert!(!redact_str(&inside).as_str().contains(&found), "{inside}");
    }
}

#[test]
fn a_token_broken_by_a_line_end_is_taken_whole() {
    for rule in RULES.iter().filter(|rule| rule.length.0 >= 30) {
        let secret = token(rule, 9);
        let (head, tail) = secret.split_at(secret.len() - 8);
        let clean = redact_str(&format!("a {head}\r\n  {tail} z"));
        assert_eq!(clean.as_str(), format!("a [redacted:{}] z", rule.name));
    }
}

fn class_pattern(class: Class) -> String {
    let bytes = (0..=127_u8).filter(|byte| class.holds(*byte));
    let escaped: Vec<String> = bytes.map(|byte| format!("\\x{byte:02x}")).collect();
    format!("[{}]", escaped.concat())
}

static ORACLES: LazyLock<Vec<regex::bytes::Regex>> =
    LazyLock::new(|| RULES.iter().map(oracle).collect());

/// The same rule as a regular expression over the text that begins at the token.
fn oracle(rule: &Rule) -> regex::bytes::Regex {
    let (count_min, count_max) = rule.length;
    let count_max = if count_max > 1000 { String::new() } else { count_max.to_string() };
    let class = class_pattern(rule.class);
    let other = class.replacen('[', "[^", 1);
    let prefix = regex::escape(rule.prefix);
    let pattern = format!("^(?s-u:({prefix}{class}{{{count_min},{count_max}}})(?:{other}|$))");
    regex::bytes::RegexBuilder::new(&pattern).unicode(false).build().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_matcher_agrees_with_a_regular_expression(
        index in 0..RULES.len(), seed: u32, change in -2_isize..=2, tail in "[ -~]{0,3}",
    ) {
        let rule = &RULES[index];
        let count = rule.length.0.saturating_add_signed(change);
        let text = format!("{}{}{tail}", rule.prefix, body(rule.class, count, seed));
        let expected = ORACLES[index].captures(text.as_bytes()).map(|found| found[1].len());
        prop_assert_eq!(matcher::rule_end(rule, text.as_bytes(), 0), expected);
    }

    #[test]
    fn a_second_pass_changes_nothing(pieces in prop::collection::vec(piece(), 0..12)) {
        let once = redact_str(&pieces.concat());
        prop_assert_eq!(&redact_str(once.as_str()), &once);
    }

    #[test]
    fn any_text_is_survived(text in "\\PC{0,200}") {
        let once = redact_str(&text);
        prop_assert_eq!(&redact_str(once.as_str()), &once);
    }
}

fn piece() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "password",
        "=",
        ":",
        " ",
        "\"",
        "\\\"",
        "'",
        "token",
        "密码",
        "是",
        " is ",
        "\n",
        "\\n",
        "://",
        "user",
        "@",
        "hunter2",
        "Bearer ",
        "Authorization: ",
        "eyJ",
        ".",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "[redacted:",
        "]",
        "4111 1111 1111 1111",
        "\u{1b}[0m",
        "&",
        ",",
        "key",
        "\u{200b}",
        "api_",
        "-u a:",
        "sk-",
        "%3D",
        "secret",
    ]);
    let generated = (0..RULES.len(), any::<u32>()).prop_map(|(at, seed)| token(&RULES[at], seed));
    prop_oneof![4 => fixed.prop_map(str::to_owned), 1 => generated, 1 => "[a-zA-Z0-9+/=_-]{1,40}"]
}

// field case F044
#[test]
fn a_password_in_a_prompt_is_lost_and_the_constraint_is_kept() {
    check(
        "use password hunter2-canary93 for the staging db, and from now on never touch prod",
        "use password [redacted:password] for the staging db, and from now on never touch prod",
    );
}

#[test]
fn samples_with_a_telling_name_are_taken() {
    let lines = include_str!("../../../tests/fixtures/redact/taken.txt").lines();
    let leaks: Vec<String> = lines
        .filter(|line| !line.is_empty() && !line.starts_with("# "))
        .map(|line| redact_str(&line.replace("\\n", "\n")).as_str().to_owned())
        .filter(|clean| {
            !clean.contains("[redacted:")
                || ["CANARY", "canary", "hunter2", "4242"].iter().any(|part| clean.contains(part))
        })
        .collect();
    assert_eq!(leaks, Vec::<String>::new());
}

#[test]
fn ordinary_lines_are_left_alone() {
    let lines = include_str!("../../../tests/fixtures/redact/left.txt").lines();
    let touched: Vec<String> = lines
        .filter(|line| redact_str(line).as_str() != *line)
        .map(|line| redact_str(line).as_str().to_owned())
        .collect();
    assert_eq!(touched, Vec::<String>::new());
}

#[test]
fn an_armoured_key_goes_from_its_first_to_its_last_line() {
    let text = "see\n-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nabc=\n\
                -----END RSA PRIVATE KEY-----\nand never touch prod";
    check(text, "see\n[redacted:private-key]\nand never touch prod");
    let escaped = text.replace('\n', "\\n");
    check(&escaped, "see\\n[redacted:private-key]\\nand never touch prod");
    let cut =
        "-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEAMIIEowIBAAKCAQEA\nMIIEowIBAAKCAQEA7\nrest";
    check(cut, "[redacted:private-key]\nrest");
    check_untouched("-----BEGIN CERTIFICATE-----\nMIIEowIBAAKCAQEA\n-----END CERTIFICATE-----");
}

#[test]
fn the_worst_texts_of_a_mebibyte_are_walked_through() {
    const BYTES: usize = 1024 * 1024;
    for unit in [
        "密",
        "密码",
        "a",
        "\"",
        "a.",
        "eyJ-",
        "sk-",
        "password=",
        "password is ",
        "://",
        "://a:",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "1 ",
        "4111-",
        "Bearer ",
        "key=\"",
        "\u{1b}[",
        "ghp_a\n",
        "[redacted:",
        "token:",
        "\\",
        "SG.",
        "api key ",
    ] {
        let text = unit.repeat(BYTES / unit.len());
        let once = redact_str(&text);
        assert!(once.as_str().len() <= text.len() * 4, "{unit}");
    }
}
