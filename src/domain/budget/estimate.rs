//! The estimate itself: one pass, no allocation, a cost for each character by its neighbours.
//!
//! The tokenizer cuts text into words with the space before them, groups of at most three digits,
//! runs of signs, and white space, then splits each piece by its vocabulary. The pass follows those
//! cuts and charges each piece by how likely it looks: a word of common letter pairs is about one
//! token, a run of unlikely letters nearly one a letter. No character costs more than its bytes,
//! which is the one bound that can be proven: every token holds at least one byte.

use super::TokenCount;
use super::tables::{is_frequent_han, letter_pair_sixteenths};

/// One token, in the unit in which costs are summed.
const TOKEN: u32 = 16;
/// Added once to any text: short windows may start or end in the middle of a word.
const TEXT: u32 = TOKEN;
/// A word in lower case together with the space before it.
const SPACED_LOWER: u32 = 17;
/// A word with a capital together with the space before it.
const SPACED_UPPER: u32 = 18;
/// A capital after a capital.
const UPPER_PAIR: u32 = 13;
/// A sign after the same sign.
const SIGN_SAME: u32 = 4;
/// A sign after another sign.
const SIGN_OTHER: u32 = 13;
/// A line break or a tab after the same one.
const BREAK_SAME: u32 = 4;
/// A Chinese character outside the frequent set, in ordinary text and elsewhere.
const HAN_RARE_IN_ORDINARY: u32 = 28;
const HAN_RARE: u32 = 46;
/// A Chinese comma or full stop in ordinary text, where it often joins the next word.
const COMMA_IN_ORDINARY: u32 = 11;
/// Trust from which Chinese text counts as ordinary, and where it stops growing.
const HAN_TRUST_ORDINARY: u32 = 3;
const HAN_TRUST_MAX: u32 = 4;
/// Letters of a word that are charged by their pairs alone.
const WORD_LETTERS_MAX: u32 = 10;
/// What each letter past [`WORD_LETTERS_MAX`] costs more.
const LONG_WORD_LETTER: u32 = 6;
/// Letters after a digit that cost a token each: such a run is an id, not a word.
const ID_LETTERS_MAX: u32 = 8;

/// Returns an upper estimate of the `o200k_base` tokens of `text`.
///
/// Linear in the length, without allocation. Never more than the bytes of `text`, never less for a
/// longer text than for its beginning, and joining two texts adds at most 16 tokens to the sum of
/// their estimates. On the windows in `tests/fixtures/tokens` it is never below the true count,
/// and on English and Chinese prose at most one and a half times as much.
#[must_use]
pub fn estimate_tokens(text: &str) -> TokenCount {
    if text.is_empty() {
        return TokenCount(0);
    }
    let mut scan = Scan::default();
    for character in text.chars() {
        let class = Class::of(character);
        let cost = scan.cost(character, class);
        scan.advance(character, class, cost);
    }
    let open_space = if scan.class == Some(Class::Space) { TOKEN } else { 0 };
    let sixteenths = scan.sixteenths + u64::from(open_space) + u64::from(TEXT);
    let tokens = u32::try_from(sixteenths.div_ceil(u64::from(TOKEN))).unwrap_or(u32::MAX);
    TokenCount(tokens.min(u32::try_from(text.len()).unwrap_or(u32::MAX)))
}

/// What a character is to the tokenizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Space,
    Break,
    Sign,
    Control,
    Han,
    Other,
}

impl Class {
    const fn of(character: char) -> Self {
        match character {
            'a'..='z' => Self::Lower,
            'A'..='Z' => Self::Upper,
            '0'..='9' => Self::Digit,
            ' ' => Self::Space,
            '\n' | '\r' | '\t' => Self::Break,
            '!'..='~' => Self::Sign,
            '\0'..='\x7f' => Self::Control,
            '\u{4e00}'..='\u{9fff}' => Self::Han,
            _ => Self::Other,
        }
    }

    const fn is_letter(self) -> bool {
        matches!(self, Self::Lower | Self::Upper)
    }
}

/// How far the Chinese characters so far are known to be ordinary text.
#[derive(Debug, Default)]
struct HanTrust {
    /// Grows with each frequent character, falls twice as fast with each other one.
    level: u32,
    /// Whether the last frequent character was charged as if it were there by chance.
    is_overcharged: bool,
}

impl HanTrust {
    /// Tells whether `character` is a comma or full stop inside ordinary Chinese text.
    const fn is_comma_in_ordinary(&self, character: char) -> bool {
        self.level >= HAN_TRUST_ORDINARY && matches!(character, '\u{ff0c}' | '\u{3002}')
    }

    /// Charges a Chinese character; a frequent one is trusted only in the company of others.
    fn cost(&mut self, code_point: u32) -> u32 {
        let is_overcharged = std::mem::take(&mut self.is_overcharged);
        let level = self.level;
        if !is_frequent_han(code_point) {
            self.level = level.saturating_sub(2);
            return match level {
                _ if is_three_token_han(code_point) => 3 * TOKEN,
                HAN_TRUST_ORDINARY.. => HAN_RARE_IN_ORDINARY,
                _ => HAN_RARE,
            };
        }
        self.level = (level + 1).min(HAN_TRUST_MAX);
        match level {
            0 => {
                self.is_overcharged = true;
                2 * TOKEN
            }
            _ if is_overcharged => 0,
            _ => TOKEN,
        }
    }
}

/// What the pass remembers of the characters before.
#[derive(Debug, Default)]
struct Scan {
    sixteenths: u64,
    class: Option<Class>,
    previous: char,
    /// Characters of the current class in a row.
    run: u32,
    /// Letters since the piece began.
    letters: u32,
    /// Whether the letters follow a digit.
    is_id: bool,
    han: HanTrust,
}

impl Scan {
    /// Returns the cost of the next character, at most [`TOKEN`] for each byte that it ends.
    fn cost(&mut self, character: char, class: Class) -> u32 {
        let after_space = self.class == Some(Class::Space);
        let own = match class {
            Class::Lower | Class::Upper => return self.letter(character, class, after_space),
            Class::Sign if self.class == Some(Class::Sign) => {
                if self.previous == character {
                    SIGN_SAME
                } else {
                    SIGN_OTHER
                }
            }
            Class::Sign => return TOKEN,
            Class::Digit if self.class == Some(Class::Digit) => {
                if self.run.is_multiple_of(3) {
                    TOKEN
                } else {
                    0
                }
            }
            Class::Space => return if after_space { self.more_space() } else { 0 },
            Class::Break if self.previous == character => BREAK_SAME,
            Class::Digit | Class::Break | Class::Control => TOKEN,
            Class::Han => self.han.cost(u32::from(character)),
            Class::Other if self.han.is_comma_in_ordinary(character) => COMMA_IN_ORDINARY,
            Class::Other => other(character),
        };
        // A space joins a word or a sign; before anything else it is a token of its own.
        own + if after_space { TOKEN } else { 0 }
    }

    /// Charges a letter.
    fn letter(&mut self, character: char, class: Class, after_space: bool) -> u32 {
        let before = self.class.filter(|class| class.is_letter());
        let is_hump = class == Class::Upper && before == Some(Class::Lower);
        self.letters = if before.is_none() || is_hump { 1 } else { self.letters + 1 };
        let Some(before) = before else {
            self.is_id = self.class == Some(Class::Digit);
            return match (after_space, class) {
                (false, _) => TOKEN,
                (true, Class::Lower) => SPACED_LOWER,
                (true, _) => SPACED_UPPER,
            };
        };
        let cost = match class {
            _ if self.is_id && self.letters <= ID_LETTERS_MAX => TOKEN,
            Class::Lower => letter_pair_sixteenths(offset(self.previous), offset(character)),
            _ if before == Class::Lower => TOKEN,
            _ => UPPER_PAIR,
        };
        let extra = if self.letters > WORD_LETTERS_MAX { LONG_WORD_LETTER } else { 0 };
        (cost + extra).min(TOKEN)
    }

    /// Charges a space after a space: the run becomes a piece of its own.
    const fn more_space(&self) -> u32 {
        if self.run == 1 { TOKEN } else { 1 }
    }

    fn advance(&mut self, character: char, class: Class, cost: u32) {
        self.run = if self.class == Some(class) { self.run.saturating_add(1) } else { 1 };
        self.class = Some(class);
        self.previous = character;
        self.sixteenths += u64::from(cost);
    }
}

/// Returns the place of a letter in the alphabet, from 0, without regard to case.
fn offset(letter: char) -> u32 {
    u32::from(letter.to_ascii_lowercase()).saturating_sub(u32::from('a'))
}

/// Tells the blocks of Chinese characters whose bytes never merge.
const fn is_three_token_han(code_point: u32) -> bool {
    matches!(
        code_point,
        0x5d40..0x5dc0
            | 0x6ac0..0x6b00
            | 0x8780..0x87c0
            | 0x8800..0x8840
            | 0x9780..0x97c0
            | 0x9bc0..0x9e00
            | 0x9fc0..0xa000
    )
}

/// Charges a character outside ASCII and the main Chinese block, by script.
///
/// A script that the vocabulary knows well is charged by what its letters cost apart; anything
/// else by its bytes.
fn other(character: char) -> u32 {
    let bytes = u32::try_from(character.len_utf8()).unwrap_or(4);
    match character {
        // Latin and typographic signs, signs of Chinese and Japanese.
        '\u{a1}'..='\u{bf}'
        | '\u{2010}'..='\u{2011}'
        | '\u{2013}'..='\u{2015}'
        | '\u{2018}'..='\u{201a}'
        | '\u{201c}'..='\u{201e}'
        | '\u{2022}'
        | '\u{2026}'
        | '\u{3001}'..='\u{3003}'
        | '\u{3008}'..='\u{3011}'
        | '\u{ff01}'
        | '\u{ff08}'
        | '\u{ff09}'
        | '\u{ff0c}'
        | '\u{ff0e}'
        | '\u{ff1a}'
        | '\u{ff1b}'
        | '\u{ff1f}' => TOKEN,
        // Cyrillic.
        '\u{410}'..='\u{44f}' => 17,
        // Latin letters with marks, Arabic, both kana.
        '\u{c0}'..='\u{ff}'
        | '\u{620}'..='\u{64a}'
        | '\u{3041}'..='\u{3093}'
        | '\u{30a1}'..='\u{30fc}' => 18,
        // Hebrew, Devanagari, Thai, more Latin.
        '\u{5d0}'..='\u{5ea}' => 20,
        '\u{900}'..='\u{97f}' => 24,
        '\u{e00}'..='\u{e7f}' => 26,
        '\u{100}'..='\u{17f}' => 28,
        // Hangul, the first blocks of emoji.
        '\u{ac00}'..='\u{d7a3}' => 40,
        '\u{1f300}'..='\u{1f6ff}' => 44,
        _ => bytes * TOKEN,
    }
}
