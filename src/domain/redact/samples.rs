//! True samples made from the table of formats, and the surroundings that they are found in.

use super::class::Class;
use super::rules::Rule;

/// Returns a token of the rule's shortest length.
pub(super) fn token(rule: &Rule, seed: u32) -> String {
    format!("{}{}", rule.prefix, body(rule.class, rule.length.0, seed))
}

/// Returns `count` letters of `class`: a digit second, then drawn by a fixed generator.
pub(super) fn body(class: Class, count: usize, seed: u32) -> String {
    let letters: Vec<char> = (b'!'..=b'~')
        .filter(|byte| class.holds(*byte) && byte.is_ascii_alphanumeric())
        .map(char::from)
        .collect();
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    (0..count)
        .map(|place| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let drawn = usize::try_from(state >> 8).unwrap() % letters.len();
            if place == 1 { '7' } else { letters[drawn] }
        })
        .collect()
}

/// Returns `secret` as it stands in files, messages and terminals.
pub(super) fn forms(secret: &str) -> Vec<(&'static str, String)> {
    let half = secret.len() / 2;
    let (head, tail) = secret.split_at(half);
    vec![
        ("alone", secret.to_owned()),
        ("environment", format!("export SOMETHING={secret}\n")),
        ("json", format!("{{\"value\": \"{secret}\", \"n\": 1}}")),
        ("escaped json", format!("{{\\\"value\\\": \\\"{secret}\\\"}}")),
        ("escaped line", format!("first\\n{secret}\\nlast")),
        ("yaml", format!("items:\n  - name: x\n    value: {secret}\n")),
        ("address", format!("https://example.org/a?q={secret}&b=1")),
        ("percent", format!("q%3D{secret}%26")),
        ("header", format!("X-Custom: {secret}\r\nHost: example.org\r\n")),
        ("shell", format!("run --with '{secret}' | cat")),
        ("diff", format!("-old\n+{secret}\n context")),
        ("prose", format!("please use {secret}, and never touch prod.")),
        ("chinese", format!("请用{secret}，以后别动生产库")),
        ("colour", format!("\u{1b}[31m{head}\u{1b}[0m{tail}\u{1b}[0m done")),
        ("no width", format!("see {head}\u{200b}{tail} done")),
    ]
}
