//! Stored text made safe to show: on a terminal, and as a quote in text that a model reads.
//!
//! Every character becomes at most one character, so a bound on the input bounds the output.
//! Nothing here decides what a text means. JSON needs no renderer: its encoder escapes.

#[cfg(test)]
mod tests;

/// Stands for a character that must not be shown: hidden, reordering, or without a picture.
const REPLACEMENT: char = '\u{fffd}';
/// Stands for the rest of a text that did not fit.
const ELLIPSIS: char = '…';
/// Stands for a line break.
const LINE_BREAK: char = '␤';
/// Backticks or tildes in a row that do not open a code fence.
const FENCE_RUN_MAX: u32 = 2;

/// Opens a quote in text for a model; it never occurs inside one.
pub const QUOTE_OPEN: char = '“';
/// Closes a quote in text for a model; it never occurs inside one.
pub const QUOTE_CLOSE: char = '”';

/// Renders `text` as one line for a terminal, at most `chars_max` characters (at least one).
///
/// Controls become their pictures, line breaks `␤`, hidden and reordering characters U+FFFD; a text
/// that is too long ends in `…`. Rendering the result again changes nothing.
#[must_use]
pub fn terminal_line(text: &str, chars_max: usize) -> String {
    let mut previous = None;
    bounded(text, chars_max, |character| {
        let shown = visible(character, previous);
        previous = Some(shown);
        shown
    })
}

/// Renders `text` as the inside of a quote for a model, at most `chars_max` characters.
///
/// As [`terminal_line`], and without anything that could end the quote, open a tag of the host or
/// start a code fence: double quotes become single ones, `<` becomes `‹`, a third backtick or
/// tilde in a row becomes a prime or a swung dash. Rendering the result again changes nothing.
#[must_use]
pub fn quote_body(text: &str, chars_max: usize) -> String {
    let mut previous = None;
    let mut run = 0;
    bounded(text, chars_max, |character| {
        let shown = disarmed(visible(character, previous));
        run = if previous == Some(shown) { run + 1 } else { 1 };
        previous = Some(shown);
        match shown {
            '`' | '~' if run > FENCE_RUN_MAX => {
                let broken = if shown == '`' { '‵' } else { '⁓' };
                previous = Some(broken);
                broken
            }
            _ => shown,
        }
    })
}

/// Renders `text` as a quote for a model: one line in `“…”`, at most `chars_max` + 2 characters.
#[must_use]
pub fn quoted(text: &str, chars_max: usize) -> String {
    format!("{QUOTE_OPEN}{}{QUOTE_CLOSE}", quote_body(text, chars_max))
}

/// Maps the trimmed text character by character, and cuts it with a mark where it is too long.
fn bounded(text: &str, chars_max: usize, mut show: impl FnMut(char) -> char) -> String {
    let chars_max = chars_max.max(1);
    let mut shown = String::with_capacity(text.len().min(chars_max.saturating_mul(4)));
    let mut characters = text.trim().chars().peekable();
    let mut count = 0_usize;
    while let Some(character) = characters.next() {
        if character == '\r' && characters.peek() == Some(&'\n') {
            continue;
        }
        count += 1;
        if count == chars_max && characters.peek().is_some() {
            shown.push(ELLIPSIS);
            break;
        }
        shown.push(show(character));
    }
    shown
}

/// Returns what stands for `character` on a line.
fn visible(character: char, previous: Option<char>) -> char {
    match character {
        '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => LINE_BREAK,
        '\t' => ' ',
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(character)).unwrap_or(REPLACEMENT),
        '\x7f' => '␡',
        // Emoji and some scripts need joiners and a variation selector; Latin text never does.
        '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' => match previous {
            Some(before) if !before.is_ascii() && !is_joiner(before) => character,
            _ => REPLACEMENT,
        },
        _ if is_hidden(character) => REPLACEMENT,
        _ => character,
    }
}

/// Tells the joiners and selectors that are kept where they join something.
const fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | REPLACEMENT)
}

/// Tells characters that show nothing, reorder what is shown, or can carry hidden text.
///
/// Source: Unicode `Default_Ignorable_Code_Point`, `Bidi_Control`, C1 controls, noncharacters.
fn is_hidden(character: char) -> bool {
    matches!(
        character,
        '\u{80}'..='\u{9f}'
            | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0d}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{fdd0}'..='\u{fdef}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    ) || is_noncharacter(character)
}

/// Tells the last two code points of each plane, which are never characters.
fn is_noncharacter(character: char) -> bool {
    u32::from(character) & 0xfffe == 0xfffe
}

/// Returns what stands for a visible character inside a quote.
const fn disarmed(character: char) -> char {
    match character {
        '"'
        | '\u{201c}'..='\u{201f}'
        | '\u{2033}'
        | '\u{2036}'
        | '\u{275d}'
        | '\u{275e}'
        | '\u{301d}'..='\u{301f}'
        | '\u{ff02}' => '\'',
        '<' | '\u{ff1c}' | '\u{fe64}' => '‹',
        '\u{ff40}' => '`',
        other => other,
    }
}
