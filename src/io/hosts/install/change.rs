//! Changes to a text, and how they are shown.

use std::fmt::Write as _;
use std::ops::Range;

/// Puts `text` in the place of the bytes of `range`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub range: Range<usize>,
    pub text: String,
}

impl Edit {
    /// Takes out bytes.
    pub(super) const fn removal(range: Range<usize>) -> Self {
        Self { range, text: String::new() }
    }

    /// Puts in text at a place.
    pub(super) const fn insertion(at: usize, text: String) -> Self {
        Self { range: at..at, text }
    }
}

/// What a hook file is to become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What the file held when the plan was made; `None`: it was not there.
    pub old_text: Option<String>,
    /// What the file is to hold; `None`: it is not to be there.
    pub new_text: Option<String>,
    /// The lines that go, marked `-`, and those that come, marked `+`; empty without a change.
    pub diff: String,
    /// Keys that the host does not know. It ignores the whole file because of them, our hooks too:
    /// the user has to be told.
    pub unknown_keys: Vec<String>,
}

impl Plan {
    /// Tells whether there is anything to do.
    #[must_use]
    pub fn is_change(&self) -> bool {
        self.old_text != self.new_text
    }
}

/// Makes edits, which must not overlap, and returns the new text.
pub(super) fn edited(text: &str, edits: &mut [Edit]) -> String {
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut result = String::with_capacity(text.len());
    let mut copied_to = 0;
    for edit in edits.iter() {
        result.push_str(text.get(copied_to..edit.range.start).unwrap_or_default());
        result.push_str(&edit.text);
        copied_to = edit.range.end;
    }
    result.push_str(text.get(copied_to..).unwrap_or_default());
    result
}

/// Lines on either side up to which the shortest difference is looked for.
const LINES_COMPARED_MAX: usize = 2_000;

/// Returns the lines that go, marked `-`, and those that come, marked `+`, in their order.
///
/// Above [`LINES_COMPARED_MAX`] lines all go and all come.
pub(super) fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let is_compared = old.len().max(new.len()) <= LINES_COMPARED_MAX;
    let kept = if is_compared { kept_counts(&old, &new) } else { Vec::new() };
    let count = |row: usize, column: usize| {
        kept.get(row).and_then(|row: &Vec<u32>| row.get(column)).copied().unwrap_or_default()
    };
    let (mut row, mut column) = (0, 0);
    let mut result = String::new();
    loop {
        let (left, right) = (old.get(row), new.get(column));
        if left.is_none() && right.is_none() {
            return result;
        }
        if is_compared && left == right {
            row += 1;
            column += 1;
            continue;
        }
        let goes =
            right.is_none() || (left.is_some() && count(row + 1, column) >= count(row, column + 1));
        let (mark, line) = if goes { ('-', left) } else { ('+', right) };
        row += usize::from(goes);
        column += usize::from(!goes);
        // Writing to a string cannot fail.
        let _ = writeln!(result, "{mark}{}", line.copied().unwrap_or_default());
    }
}

/// Returns, for every pair of tails, how many lines both can keep in common.
fn kept_counts(old: &[&str], new: &[&str]) -> Vec<Vec<u32>> {
    let mut rows = vec![vec![0; new.len() + 1]];
    for left in old.iter().rev() {
        let below = rows.last().map(Vec::as_slice).unwrap_or_default();
        let mut row = vec![0_u32];
        for (right, (aside, across)) in
            new.iter().rev().zip(below.iter().rev().skip(1).zip(below.iter().rev()))
        {
            let beside = row.last().copied().unwrap_or_default();
            row.push(if left == right { across + 1 } else { beside.max(*aside) });
        }
        row.reverse();
        rows.push(row);
    }
    rows.reverse();
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_go_or_come_are_shown() {
        assert_eq!(difference("a\nb\nc\n", "a\nx\ny\nc\n"), "-b\n+x\n+y\n");
        assert_eq!(difference("a\nb\nc\nd\n", "x\na\nb\nc\ny\nd\n"), "+x\n+y\n");
        assert_eq!(difference("a\nb\nc\n", "c\n"), "-a\n-b\n");
        assert_eq!(difference("a\n", "a\na\n"), "+a\n");
        assert_eq!(difference("", "a\n"), "+a\n");
        assert_eq!(difference("a\n", ""), "-a\n");
        assert_eq!(difference("a\n", "a\n"), "");
    }

    #[test]
    fn texts_of_many_lines_are_shown_whole() {
        let long = "a\n".repeat(LINES_COMPARED_MAX + 1);
        assert_eq!(difference(&long, "a\n"), format!("{}+a\n", "-a\n".repeat(2_001)));
    }

    #[test]
    fn edits_are_made_in_the_order_of_their_places() {
        let mut edits =
            [Edit::insertion(3, "!".into()), Edit::removal(1..3), Edit::insertion(0, ">".into())];
        assert_eq!(edited("abcd", &mut edits), ">a!d");
    }
}
