//! Values beside telling names: how many are taken, and how many ordinary values with them.

use context_continuity::domain::redact::redact_str;

use super::lines::{FALSE, FALSE_LATER, TRUE, TRUE_LATER};
use super::samples::{ALNUM, Draw};

/// How many looks of a secret that no format tells are drawn.
const VALUES: usize = 7;

const WORDS: &[&str] = &[
    "profile", "billing", "orders", "worker", "widget", "report", "reader", "cluster", "release",
    "account", "layout", "header", "service", "backend", "browser", "invoice",
];

fn drawn(kind: usize, draw: &mut Draw) -> String {
    let word = draw.one(WORDS);
    match kind {
        0 => format!("hunter2-{}", draw.letters(ALNUM, 8)),
        1 => draw.letters(ALNUM, 12),
        2 => draw.letters(ALNUM, 32),
        3 => format!("{}{}!", word[..1].to_uppercase() + &word[1..], 1000 + draw.below(9000)),
        4 => format!("{word}-{}-{}", draw.one(WORDS), 10 + draw.below(90)),
        5 => format!("{}@{}#{}", draw.letters(ALNUM, 4), word, draw.below(100)),
        _ => format!("{}_{}", draw.letters(ALNUM, 6), draw.letters(ALNUM, 6)),
    }
}

/// How often the true and the false lines were touched.
pub struct Quality {
    pub taken: usize,
    pub true_count: usize,
    pub touched: usize,
    pub false_count: usize,
}

impl Quality {
    pub fn recall_percent(&self) -> usize {
        self.taken * 100 / self.true_count
    }

    pub fn precision_percent(&self) -> usize {
        self.taken * 100 / (self.taken + self.touched)
    }
}

/// Draws every line with every kind of value, and redacts it.
pub fn measure(with_secret: &[&str], without: &[&str]) -> (Quality, Vec<String>) {
    let mut draw = Draw::new(4);
    let mut quality = Quality { taken: 0, true_count: 0, touched: 0, false_count: 0 };
    let mut shown = Vec::new();
    for line in with_secret {
        for kind in 0..VALUES {
            let value = drawn(kind, &mut draw);
            let text = line.replacen("{}", &value, 1);
            let clean = redact_str(&text);
            let is_taken = !clean.as_str().contains(&value[value.len() - 5..])
                && !clean.as_str().contains(&value[..5]);
            quality.true_count += 1;
            quality.taken += usize::from(is_taken);
            if !is_taken {
                shown.push(format!("missed: {text} -> {clean}"));
            }
        }
    }
    for line in without {
        for word in WORDS.iter().take(VALUES) {
            let text = line.replacen("{}", word, 1);
            let clean = redact_str(&text);
            quality.false_count += 1;
            quality.touched += usize::from(clean.as_str() != text);
            if clean.as_str() != text {
                shown.push(format!("touched: {text} -> {clean}"));
            }
        }
    }
    (quality, shown)
}

#[track_caller]
fn check(with_secret: &[&str], without: &[&str]) {
    let (quality, shown) = measure(with_secret, without);
    println!("{}", shown.join("\n"));
    let (recall, precision) = (quality.recall_percent(), quality.precision_percent());
    println!("recall {recall} %, precision {precision} %");
    assert!(recall >= 88, "recall is {recall} %");
    assert!(precision >= 75, "precision is {precision} %");
}

#[test]
fn values_beside_telling_names_are_taken_and_ordinary_ones_stay() {
    check(TRUE, FALSE);
}

#[test]
fn lines_written_after_the_rules_are_told_apart_as_well() {
    check(TRUE_LATER, FALSE_LATER);
}
