//! What single words do in any language: one look-up a word, made ready once.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use super::language::{LANGUAGES, Written};

/// Languages as bits, in the order of [`LANGUAGES`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct LanguageSet(u16);

impl LanguageSet {
    const fn of(place: usize) -> Self {
        Self(1 << place)
    }

    pub(super) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the places of the languages in [`LANGUAGES`].
    pub(super) fn places(self) -> impl Iterator<Item = usize> {
        (0..LANGUAGES.len()).filter(move |place| self.0 & (1 << place) != 0)
    }
}

/// One thing that a word does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It may stand before the first word that counts.
    Filler,
    /// It begins a clause.
    Joint,
    /// People speak of themselves or to the agent by it.
    Speaker,
    /// It names no subject.
    Stop,
}

impl Role {
    const fn bit(self) -> u8 {
        match self {
            Self::Filler => 1,
            Self::Joint => 1 << 1,
            Self::Speaker => 1 << 2,
            Self::Stop => 1 << 3,
        }
    }
}

/// What a word does.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Word {
    roles: u8,
    /// The languages that it is a sign of.
    languages: LanguageSet,
    /// The full form of a word that is written short.
    pub(super) full: Option<&'static str>,
}

impl Word {
    const fn with(self, role: Role, language: LanguageSet) -> Self {
        let roles = self.roles | role.bit();
        Self { roles, languages: self.languages.union(language), ..self }
    }

    /// Tells whether the word does this.
    pub(super) const fn is(self, role: Role) -> bool {
        self.roles & role.bit() != 0
    }
}

/// FNV-1a: the keys are our own few words, and hashing them is most of what a short prompt costs.
#[derive(Default)]
pub(super) struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A map from our own words.
pub(super) type WordMap<T> = HashMap<&'static str, T, BuildHasherDefault<WordHasher>>;

/// More words than all languages have, so that nothing grows while a host waits.
const WORDS_EXPECTED: usize = 1_536;

static WORDS: LazyLock<WordMap<Word>> = LazyLock::new(|| {
    let mut words: WordMap<Word> =
        HashMap::with_capacity_and_hasher(WORDS_EXPECTED, BuildHasherDefault::default());
    for (place, language) in LANGUAGES.iter().enumerate() {
        for (role, list) in [
            (Role::Filler, language.fillers),
            (Role::Joint, language.joints),
            (Role::Speaker, language.speakers),
            (Role::Stop, language.stop_words),
        ] {
            for text in list {
                let word = words.entry(text).or_default();
                *word = word.with(role, LanguageSet::of(place));
            }
        }
        for (short, full) in language.spellings {
            words.entry(short).or_default().full = Some(full);
        }
    }
    words
});

/// Returns what a word does; nothing for one that no language lists.
pub(super) fn word(text: &str) -> Word {
    WORDS.get(text).copied().unwrap_or_default()
}

/// The languages that are read by how text is written.
struct Scripts {
    always: LanguageSet,
    in_han: LanguageSet,
    in_kana: LanguageSet,
    with_words: LanguageSet,
}

static SCRIPTS: LazyLock<Scripts> = LazyLock::new(|| {
    let of = |written: Written| {
        let places = LANGUAGES.iter().enumerate().filter(|(_, known)| known.written == written);
        places.fold(LanguageSet::default(), |set, (place, _)| set.union(LanguageSet::of(place)))
    };
    Scripts {
        always: of(Written::Anyhow),
        in_han: of(Written::InHan),
        in_kana: of(Written::InKana),
        with_words: of(Written::WithItsWords),
    }
});

/// Returns the languages that a sentence of these tokens can be in.
pub(super) fn languages_of(tokens: &[String]) -> LanguageSet {
    let scripts = &*SCRIPTS;
    let (mut has_han, mut has_kana) = (false, false);
    let mut found = scripts.always;
    for token in tokens {
        let Some(first) = token.chars().next() else { continue };
        match first {
            '\u{3040}'..='\u{30ff}' => has_kana = true,
            '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2ffff}' => {
                has_han = true;
            }
            _ if !token.is_ascii() && first.is_alphabetic() => {
                found = found.union(scripts.with_words);
            }
            _ => found = found.union(marked_by(token, scripts)),
        }
    }
    match (has_kana, has_han) {
        (true, _) => found.union(scripts.in_kana),
        (false, true) => found.union(scripts.in_han),
        (false, false) => found,
    }
}

/// A word that is common to a language read anyhow is no sign of another.
fn marked_by(token: &str, scripts: &Scripts) -> LanguageSet {
    let languages = word(token).languages;
    let is_sign = languages.without(scripts.with_words).is_empty();
    if is_sign { languages } else { LanguageSet::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_every_word() {
        assert!(WORDS.len() <= WORDS_EXPECTED, "{}", WORDS.len());
        assert!(LANGUAGES.len() <= 16, "a bit for each language");
    }

    #[test]
    fn a_sentence_is_read_in_the_languages_that_it_shows_signs_of() {
        let count = |text: &str| languages_of(&super::super::token::split(text)).places().count();
        assert_eq!(count("never push to main"), 1);
        assert_eq!(count("niemals pushen"), 2);
        assert_eq!(count("不要动 prod"), 2);
        assert_eq!(count("触らないで"), 2);
        assert_eq!(count("本番は触らないで"), 2);
    }
}
