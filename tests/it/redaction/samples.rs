//! True samples, drawn when the tests run: no key of anybody stands in this repository.

use context_continuity::domain::redact::{Format, formats};
use data_encoding::{BASE64, BASE64URL_NOPAD};

/// Numbers drawn by a fixed generator (SplitMix64): the same in every run.
pub struct Draw(u64);

impl Draw {
    pub fn new(start: u64) -> Self {
        Self(start)
    }

    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.number() % u64::try_from(bound).unwrap()).unwrap()
    }

    pub fn one<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    /// Letters of `alphabet`; a digit second, so that no sample reads as words by chance.
    pub fn letters(&mut self, alphabet: &str, count: usize) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        let drawn = |place: usize, draw: &mut Self| match place {
            1 => '7',
            _ => letters[draw.below(letters.len())],
        };
        (0..count).map(|place| drawn(place, self)).collect()
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.number().to_le_bytes()[0]).collect()
    }
}

pub const ALNUM: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
pub const URL64: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

/// A secret as it is written, and the part of it that nobody may read.
pub struct Sample {
    pub rule: String,
    pub text: String,
    pub core: String,
    /// Whether names may stand right before it, as in the path of an address.
    pub is_joinable: bool,
}

/// Returns `count` tokens of the format, the shortest first.
pub fn of_format(format: &Format, count: usize) -> Vec<Sample> {
    let mut draw = Draw::new(u64::from(crc32c::crc32c(format.name.as_bytes())));
    (0..count)
        .map(|round| {
            let longest = format.length_max.unwrap_or(format.length_min + 24);
            let length = (format.length_min + round * 7).min(longest);
            let plain: String =
                format.alphabet.chars().filter(char::is_ascii_alphanumeric).collect();
            let core = draw.letters(&plain, length);
            Sample {
                rule: format.name.to_owned(),
                text: format!("{}{core}", format.prefix),
                core,
                is_joinable: !format.is_alone,
            }
        })
        .collect()
}

/// Returns `count` tokens of every format.
pub fn of_formats(count: usize) -> Vec<Sample> {
    formats().flat_map(|format| of_format(&format, count)).collect()
}

fn token(draw: &mut Draw) -> (String, String) {
    let header = BASE64URL_NOPAD.encode(br#"{"alg":"HS256","typ":"JWT"}"#);
    let body = BASE64URL_NOPAD.encode(format!("{{\"sub\":\"{}\"}}", draw.number()).as_bytes());
    let core = format!("{body}.{}", BASE64URL_NOPAD.encode(&draw.bytes(32)));
    (format!("{header}.{core}"), core)
}

fn card(draw: &mut Draw) -> String {
    let mut digits: Vec<u64> = vec![4];
    digits.extend((0..14).map(|_| draw.number() % 10));
    let weighted = |(place, digit): (usize, &u64)| match (place % 2, *digit) {
        (0, digit) if digit > 4 => digit * 2 - 9,
        (0, digit) => digit * 2,
        (_, digit) => digit,
    };
    let sum: u64 = digits.iter().enumerate().map(weighted).sum();
    digits.push((10 - sum % 10) % 10);
    digits.iter().map(u64::to_string).collect()
}

/// Secrets that are told by more than a prefix; one line each, so that every form can hold them.
pub fn of_shapes(count: usize) -> Vec<Sample> {
    let mut draw = Draw::new(77);
    let mut samples = Vec::new();
    for _ in 0..count {
        let (signed, signature) = token(&mut draw);
        let password = draw.letters(ALNUM, 14);
        let bearer = draw.letters(URL64, 40);
        let pair = BASE64.encode(format!("ann:{}", draw.letters(ALNUM, 12)).as_bytes());
        let bot = format!("A{}", draw.letters(URL64, 34));
        let chat = draw.letters(URL64, 30);
        let directory = draw.letters(ALNUM, 33);
        let number = card(&mut draw);
        let groups: Vec<String> =
            number.as_bytes().chunks(4).map(|part| String::from_utf8_lossy(part).into()).collect();
        for (rule, text, core) in [
            ("json-web-token", signed, signature),
            ("url-password", format!("postgres://ann:{password}@db:5432/app"), password.clone()),
            ("url-token", format!("https://{bearer}@git.example.org/a"), bearer.clone()),
            ("authorization", format!("Bearer {bearer}"), bearer),
            ("authorization", format!("Basic {pair}"), pair),
            ("telegram-bot", format!("110201543:{bot}"), bot),
            ("discord-bot", format!("M{}.Gabc12.{chat}", draw.letters(ALNUM, 23)), chat),
            ("azure-client-secret", format!("abc8Q~{directory}"), directory),
            ("card-number", number.clone(), number.clone()),
            ("card-number", groups.join(" "), groups.join(" ")),
            ("password", format!("curl -u ann:{password} localhost"), password),
        ] {
            samples.push(Sample { rule: rule.to_owned(), text, core, is_joinable: false });
        }
    }
    samples
}
