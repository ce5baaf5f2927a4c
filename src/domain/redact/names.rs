//! How telling a name is: `DB_PASSWORD_PROD`, `apiKey`, `session-token`.

use std::sync::LazyLock;

use super::class::contains;
use super::value::Strength;

/// How much of a name is looked at, from its end.
pub(super) const NAME_WINDOW_BYTES: usize = 64;

/// A name of one part and of this length at most has no second word in it.
const WORD_BYTES_MAX: usize = 8;

/// What stands before `key` where the key is a secret.
const KEY_STEMS: &[&str] = &[
    "secret",
    "api",
    "access",
    "auth",
    "app",
    "private",
    "signing",
    "encryption",
    "master",
    "account",
    "shared",
    "service",
    "storage",
    "license",
    "licence",
];
/// What stands before `token` where any token is a secret, however it looks.
const TOKEN_STEMS: &[&str] = &[
    "api", "access", "auth", "refresh", "id", "bearer", "session", "deploy", "bot", "user",
    "client", "webhook",
];
/// What else a name ends with, all signs left out: any value of it is a secret.
const STRONG: &[&str] = &[
    "password",
    "passwd",
    "passwort",
    "passphrase",
    "passcode",
    "kennwort",
    "wachtwoord",
    "contrasena",
    "senha",
    "motdepasse",
    "palavrapasse",
    "secret",
    "mnemonic",
    "seedphrase",
    "recoverycode",
    "secretaccess",
];
/// The same for names whose value must look drawn at random.
const BEARER: &[&str] =
    &["authorization", "cookie", "session", "sessionid", "sid", "csrf", "auth", "bearer"];
/// Last parts that say the same only if they stand as a part of their own.
const PARTS: &[(Strength, &[&str])] = &[
    (Strength::Strong, &["pass", "pwd", "pw", "psw"]),
    (Strength::Bearer, &["pat"]),
    (Strength::Weak, &["key", "credential", "credentials", "cert", "sig", "signature", "salt"]),
];
/// Parts that make a key an open one.
const NOT_SECRET: &[&str] = &["public", "primary", "foreign", "cache", "partition", "translation"];
/// Parts that may follow the telling one: `DB_PASSWORD_PROD`.
const QUALIFIERS: &[&str] = &[
    "prod",
    "production",
    "dev",
    "development",
    "staging",
    "stage",
    "test",
    "live",
    "value",
    "val",
    "old",
    "new",
    "b64",
    "base64",
    "ro",
    "rw",
    "main",
    "primary",
    "secondary",
    "plain",
    "raw",
    "env",
];

/// Endings by their last letter, and a quick look at a name that rules most words out.
struct Table {
    by_last_letter: Vec<Vec<(Strength, &'static [u8])>>,
    /// For the last letter of a name, which letters may stand before it, one bit each.
    before_last: [u32; 32],
}

/// The place of a letter in the alphabet, in either case.
const fn place(letter: u8) -> u8 {
    letter & 0x1f
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { by_last_letter: vec![Vec::new(); 32], before_last: [0; 32] };
    for (strength, names) in [(Strength::Strong, STRONG), (Strength::Bearer, BEARER)] {
        for name in names {
            let last = name.as_bytes().last().map(|last| usize::from(place(*last)));
            if let Some(endings) = last.and_then(|last| table.by_last_letter.get_mut(last)) {
                endings.push((strength, name.as_bytes()));
            }
        }
    }
    for name in STRONG.iter().chain(BEARER).chain(&["key", "token"]) {
        table.admit(name.as_bytes());
        if let [.., last] = name.as_bytes() {
            table.admit(&[*last, b's']);
        }
    }
    let parts = PARTS.iter().flat_map(|(_, names)| *names);
    for name in parts.chain(QUALIFIERS) {
        table.admit(name.as_bytes());
    }
    table
});

impl Table {
    fn admit(&mut self, ending: &[u8]) {
        if let [.., before, last] = ending
            && let Some(letters) = self.before_last.get_mut(usize::from(place(*last)))
        {
            *letters |= 1 << place(*before);
        }
    }

    /// Tells whether a name that ends so can be telling; a digit or a sign rules nothing out.
    fn may_end(&self, name: &[u8]) -> bool {
        let [.., before, last] = name else { return false };
        if !last.is_ascii_alphabetic() || !before.is_ascii_alphabetic() {
            return true;
        }
        let letters = self.before_last.get(usize::from(place(*last)));
        letters.is_some_and(|letters| letters >> place(*before) & 1 == 1)
    }
}

/// The letters of a name in lower case without signs, and where its parts begin.
struct Parts {
    letters: [u8; NAME_WINDOW_BYTES],
    letter_count: usize,
    starts: [u8; NAME_WINDOW_BYTES],
    part_count: usize,
}

impl Parts {
    /// Splits a name at signs and where a capital begins a word.
    fn read(&mut self, name: &[u8]) {
        let mut before = 0_u8;
        for byte in name.iter().take(NAME_WINDOW_BYTES) {
            if byte.is_ascii_alphanumeric() {
                let is_first = !before.is_ascii_alphanumeric()
                    || (byte.is_ascii_uppercase() && before.is_ascii_lowercase());
                if is_first && let Some(start) = self.starts.get_mut(self.part_count) {
                    *start = u8::try_from(self.letter_count).unwrap_or(u8::MAX);
                    self.part_count += 1;
                }
                if let Some(letter) = self.letters.get_mut(self.letter_count) {
                    *letter = byte.to_ascii_lowercase();
                    self.letter_count += 1;
                }
            }
            before = *byte;
        }
    }

    fn last_start(&self) -> usize {
        let start = self.part_count.checked_sub(1).and_then(|last| self.starts.get(last));
        start.copied().map_or(0, usize::from)
    }

    fn letters(&self) -> &[u8] {
        self.letters.get(..self.letter_count).unwrap_or_default()
    }

    fn last(&self) -> &[u8] {
        self.letters().get(self.last_start()..).unwrap_or_default()
    }

    /// Leaves out last parts that only say which of several: `PROD`, `2`.
    fn drop_qualifiers(&mut self) {
        while self.part_count > 1 {
            let last = self.last();
            let is_qualifier = last.iter().all(u8::is_ascii_digit)
                || QUALIFIERS.iter().any(|word| word.as_bytes() == last);
            if !is_qualifier {
                break;
            }
            self.letter_count = self.last_start();
            self.part_count -= 1;
        }
    }
}

fn without_digits(mut word: &[u8]) -> &[u8] {
    while let [rest @ .., last] = word
        && last.is_ascii_digit()
    {
        word = rest;
    }
    word
}

/// Returns how telling a name is; of a long name only the end counts.
pub(super) fn strength(name: &[u8]) -> Option<Strength> {
    if !TABLE.may_end(name) {
        return None;
    }
    let mut parts = Parts {
        letters: [0; NAME_WINDOW_BYTES],
        letter_count: 0,
        starts: [0; NAME_WINDOW_BYTES],
        part_count: 0,
    };
    parts.read(name);
    parts.drop_qualifiers();
    let joined = without_digits(parts.letters());
    let last = without_digits(parts.last());
    let singular = joined.strip_suffix(b"s").unwrap_or(joined);
    let by_ending = ending(joined).or_else(|| ending(singular));
    let by_part = || {
        let has = |names: &[&str]| names.iter().any(|name| name.as_bytes() == last);
        PARTS.iter().find(|(_, names)| has(names)).map(|(strength, _)| *strength)
    };
    let found = match by_ending {
        Some(Strength::Strong) => by_ending,
        weaker => by_part().filter(|part| *part == Strength::Strong).or(weaker).or_else(by_part),
    }?;
    let is_open = parts.part_count > 1 || joined.len() > WORD_BYTES_MAX;
    let is_open = is_open && NOT_SECRET.iter().any(|word| contains(joined, word.as_bytes()));
    (!is_open).then_some(found)
}

/// Tells whether two words are one name of a secret: `api key`, `access token`.
pub(super) fn is_strong_pair(first: &[u8], second: &[u8]) -> bool {
    let second = match second {
        [rest @ .., b's' | b'S'] => rest,
        _ => second,
    };
    let stems = match second.len() {
        3 if second.eq_ignore_ascii_case(b"key") => KEY_STEMS,
        5 if second.eq_ignore_ascii_case(b"token") => TOKEN_STEMS,
        _ => return false,
    };
    stems.iter().any(|stem| stem.as_bytes().eq_ignore_ascii_case(first))
}

/// What the letters of a name, all in lower case, end with.
fn ending(name: &[u8]) -> Option<Strength> {
    let is_stem = |stem: &[u8], stems: &[&str]| {
        !stem.is_empty() && stems.iter().any(|word| stem.ends_with(word.as_bytes()))
    };
    if let Some(stem) = name.strip_suffix(b"key") {
        return is_stem(stem, KEY_STEMS).then_some(Strength::Strong);
    }
    if let Some(stem) = name.strip_suffix(b"token") {
        let is_strong = is_stem(stem, TOKEN_STEMS);
        return Some(if is_strong { Strength::Strong } else { Strength::Bearer });
    }
    let endings = TABLE.by_last_letter.get(usize::from(place(*name.last()?)))?;
    let mut found = endings.iter().filter(|(_, ending)| name.ends_with(ending));
    found.next().map(|(strength, _)| *strength)
}
