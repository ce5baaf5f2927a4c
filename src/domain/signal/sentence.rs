//! Where sentences end, in English, in Chinese, and around file names and versions.

use super::speech::Run;

/// The longest sentence a person says; a longer run is no sentence.
pub(super) const SENTENCE_CHARS_MAX: usize = 1_200;
/// A line at least this long may have been broken by an editor, not by its writer.
const WRAPPED_CHARS_MIN: usize = 50;

/// Words whose full stop ends no sentence.
const ABBREVIATIONS: &[&str] = &[
    "e.g", "i.e", "etc", "vs", "mr", "mrs", "ms", "dr", "approx", "cf", "fig", "eq", "resp",
    "incl", "eg", "ie", "al",
];

/// Returns the sentences of a run as ranges of bytes, in order.
pub(super) fn sentences(prompt: &str, run: Run) -> Vec<(usize, usize)> {
    let text = prompt.get(run.start..run.end).unwrap_or_default();
    let mut found = Vec::new();
    let mut start = 0_usize;
    let mut line_start = 0_usize;
    let mut quote: Option<char> = None;
    for (at, letter) in text.char_indices() {
        let after = at.saturating_add(letter.len_utf8());
        let ends = match letter {
            '\n' => {
                let ends = ends_at_line_break(text, line_start, at);
                line_start = after;
                quote = if ends { None } else { quote };
                ends
            }
            '`' | '"' => {
                quote = match quote {
                    Some(open) if open == letter => None,
                    None => Some(letter),
                    open => open,
                };
                false
            }
            _ if quote.is_some() => false,
            '。' | '！' | '？' | '；' => true,
            '!' | '?' => is_followed_by_gap(text, after),
            '.' => is_followed_by_gap(text, after) && !is_abbreviation(text, start, at),
            _ => false,
        };
        if ends {
            push(&mut found, text, (start, after), run.start);
            start = after;
        }
    }
    push(&mut found, text, (start, text.len()), run.start);
    found
}

fn push(found: &mut Vec<(usize, usize)>, text: &str, range: (usize, usize), offset: usize) {
    let sentence = text.get(range.0..range.1).unwrap_or_default();
    let trimmed = sentence.trim_start();
    let start = range.1.saturating_sub(trimmed.len());
    let end = start.saturating_add(trimmed.trim_end().len());
    let is_said = trimmed.chars().any(char::is_alphanumeric);
    if is_said && trimmed.len() <= SENTENCE_CHARS_MAX * 4 {
        found.push((offset.saturating_add(start), offset.saturating_add(end)));
    }
}

/// White space, a closing mark, a CJK letter or nothing follows.
fn is_followed_by_gap(text: &str, at: usize) -> bool {
    text.get(at..).and_then(|rest| rest.chars().next()).is_none_or(|next| {
        next.is_whitespace()
            || matches!(next, ')' | ']' | '*' | '\u{3000}'..='\u{9fff}' | '！' | '？')
    })
}

fn is_abbreviation(text: &str, start: usize, at: usize) -> bool {
    let before = text.get(start..at).unwrap_or_default();
    let tail_start = before.char_indices().rev().take(12).last().map_or(0, |(place, _)| place);
    let tail = before.get(tail_start..).unwrap_or_default();
    let word = tail.rsplit(|letter: char| letter.is_whitespace() || letter == '(').next();
    let word = word.unwrap_or_default().to_lowercase();
    ABBREVIATIONS.contains(&word.as_str())
}

/// Tells whether the line break at `at` ends a sentence, or only a line of a wrapped paragraph.
fn ends_at_line_break(text: &str, line_start: usize, at: usize) -> bool {
    let line = text.get(line_start..at).unwrap_or_default();
    let is_long = line.len() >= WRAPPED_CHARS_MIN;
    let next = text.get(at.saturating_add(1)..).and_then(|rest| rest.chars().next());
    let goes_on = next.is_some_and(|next| next.is_ascii_lowercase());
    !(is_long && goes_on && !line.trim_end().ends_with(':'))
}
