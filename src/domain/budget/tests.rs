//! The estimate against frozen true counts, and its laws on generated text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;
use serde::Deserialize;

use super::{
    Budget, ByteCount, Fit, RECOVERY_BYTES_DEFAULT, RECOVERY_TOKENS_DEFAULT, RECOVERY_TOKENS_MAX,
    TokenCount, estimate_tokens,
};

/// How much two joined texts may cost beyond the sum of their estimates.
const JOIN_TOKENS_MAX: u32 = 16;

/// A text with its true counts: whole, and of its two parts at byte `split`.
#[derive(Deserialize)]
struct Window {
    class: String,
    tokens: u32,
    split: usize,
    tokens_before: u32,
    tokens_after: u32,
    text: String,
}

fn windows() -> Vec<Window> {
    include_str!("../../../tests/fixtures/tokens/windows.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn no_frozen_window_or_part_of_one_is_undercounted() {
    let windows = windows();
    assert!(windows.len() > 400, "{} windows", windows.len());
    let mut undercounts = String::new();
    for window in &windows {
        let (before, after) = window.text.split_at(window.split);
        let parts = [
            (window.text.as_str(), window.tokens),
            (before, window.tokens_before),
            (after, window.tokens_after),
        ];
        for (text, tokens) in parts {
            let TokenCount(estimate) = estimate_tokens(text);
            if estimate < tokens {
                writeln!(undercounts, "{} {estimate} < {tokens}: {text:?}", window.class).unwrap();
            }
        }
    }
    assert!(undercounts.is_empty(), "{undercounts}");
}

#[test]
fn prose_wastes_at_most_a_third_of_the_budget() {
    let mut worst = BTreeMap::new();
    for window in windows().iter().filter(|window| window.text.len() >= 500) {
        let TokenCount(estimate) = estimate_tokens(&window.text);
        let per_mille = (estimate * 1_000).div_ceil(window.tokens);
        let entry = worst.entry(window.class.clone()).or_insert((0, per_mille));
        *entry = (entry.0 + 1, entry.1.max(per_mille));
    }
    println!("worst estimate by class, windows and per mille of the true count: {worst:#?}");
    for class in ["english", "chinese"] {
        let (count, per_mille) = worst[class];
        assert!(count >= 20, "{class}: {count} windows");
        assert!(per_mille <= 1_500, "{class}: {per_mille} per mille");
    }
}

#[test]
fn an_empty_text_costs_nothing_and_a_byte_at_most_one_token() {
    assert_eq!(estimate_tokens(""), TokenCount(0));
    for byte in 0..=0x7f_u8 {
        let text = char::from(byte).to_string();
        assert_eq!(estimate_tokens(&text), TokenCount(1), "{text:?}");
    }
}

#[test]
fn a_mebibyte_of_each_class_is_estimated_within_its_bytes() {
    for window in windows().iter().step_by(40) {
        let text = window.text.repeat((1 << 20) / window.text.len());
        let TokenCount(estimate) = estimate_tokens(&text);
        assert!(estimate > 1_000 && estimate <= ByteCount::of(&text).0, "{}", window.class);
    }
}

#[test]
fn the_aim_never_passes_the_hard_cap() {
    let budget = Budget::recovery(TokenCount(1_501), RECOVERY_BYTES_DEFAULT);
    assert_eq!(budget.tokens_max(), RECOVERY_TOKENS_MAX);
    assert_eq!(budget.tokens_hard_max(), TokenCount(1_500));
    assert_eq!(Budget::default().tokens_max(), RECOVERY_TOKENS_DEFAULT);
}

#[test]
fn a_text_fits_up_to_each_limit_and_not_one_past_it() {
    // A control character is exactly one byte and, past the first, one token.
    let controls = |count: usize| "\u{1}".repeat(count);
    let budget = Budget::recovery(TokenCount(10), ByteCount(1_400));
    assert_eq!(budget.fit(&controls(10)), Fit::Within);
    assert_eq!(budget.fit(&controls(11)), Fit::PastAim);
    assert_eq!(budget.fit(&controls(1_400)), Fit::PastAim);
    assert_eq!(budget.fit(&controls(1_401)), Fit::TooLarge);
    let roomy = Budget::recovery(TokenCount(10), ByteCount(9_000));
    assert_eq!(roomy.fit(&controls(1_500)), Fit::PastAim);
    assert_eq!(roomy.fit(&controls(1_501)), Fit::TooLarge);
}

/// Text as people, programs and attackers write it.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        ".{0,200}",
        "[a-zA-Z0-9 ,.'\n]{0,200}",
        "[0-9a-f-]{0,200}",
        "[的一是不了在人有我他这为之大来以个中上们鿿驫， a-z]{0,80}",
        any::<String>(),
    ]
}

proptest! {
    #[test]
    fn an_estimate_never_exceeds_the_bytes(text in text()) {
        prop_assert!(estimate_tokens(&text).0 <= ByteCount::of(&text).0);
    }

    #[test]
    fn a_longer_text_never_costs_less_than_its_beginning(before in text(), after in text()) {
        let whole = format!("{before}{after}");
        prop_assert!(estimate_tokens(&before) <= estimate_tokens(&whole));
    }

    #[test]
    fn joining_two_texts_adds_only_a_constant(before in text(), after in text()) {
        let TokenCount(whole) = estimate_tokens(&format!("{before}{after}"));
        let parts = estimate_tokens(&before).saturating_add(estimate_tokens(&after));
        prop_assert!(whole <= parts.0 + JOIN_TOKENS_MAX, "{whole} > {parts}");
    }
}
