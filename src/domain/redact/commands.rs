//! Passwords behind the short flags of well-known commands: `mysql -phunter2`, `sshpass -p …`.

use std::sync::LazyLock;

use super::Found;
use super::class::{byte_at, part, stands_at};
use super::pairs::Pairs;
use super::{matcher, value};

/// How a flag and its password are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Joined,
    Apart,
    Either,
}

/// A command, and the flag behind which its password stands.
const COMMANDS: &[(&str, &str, Spelling)] = &[
    ("mysql", "-p", Spelling::Joined),
    ("mariadb", "-p", Spelling::Joined),
    ("sshpass", "-p", Spelling::Either),
    ("mongo", "-p", Spelling::Apart),
    ("docker login", "-p", Spelling::Apart),
    ("podman login", "-p", Spelling::Apart),
    ("az login", "-p", Spelling::Apart),
    ("twine upload", "-p", Spelling::Apart),
    ("redis-cli", "-a", Spelling::Apart),
    ("ldapsearch", "-w", Spelling::Apart),
];
/// How far before a flag its command is looked for.
const COMMAND_BYTES_MAX: usize = 128;
const PASSWORD_BYTES_MAX: usize = 256;
const PASSWORD_BYTES_MIN: usize = 3;

static OPENINGS: LazyLock<Pairs> =
    LazyLock::new(|| Pairs::of(COMMANDS.iter().map(|(command, _, _)| *command)));

/// The command that was last walked over.
#[derive(Debug, Default)]
pub(super) struct Commands {
    last: Option<(usize, &'static str, Spelling)>,
}

impl Commands {
    /// Remembers the command that begins at `at`, a word boundary, if it is one of the table.
    pub(super) fn see(&mut self, bytes: &[u8], at: usize) {
        if !OPENINGS.has(byte_at(bytes, at), byte_at(bytes, at.saturating_add(1))) {
            return;
        }
        let mut known = COMMANDS.iter();
        if let Some((_, flag, spelling)) =
            known.find(|(command, _, _)| stands_at(bytes, at, command.as_bytes()))
        {
            self.last = Some((at, flag, *spelling));
        }
    }

    /// Returns the password behind the flag of the last command that begins at `at`, a hyphen.
    pub(super) fn password_at(&self, bytes: &[u8], at: usize) -> Option<Found> {
        let (command, flag, spelling) = self.last?;
        let is_flag = stands_at(bytes, at, flag.as_bytes())
            && matches!(byte_at(bytes, at.saturating_sub(1)), b' ' | b'\t');
        let between = bytes.get(command..at)?;
        let ends = |byte: &u8| matches!(*byte, b'\n' | b'|' | b';' | b'&');
        if !is_flag || between.len() > COMMAND_BYTES_MAX || between.iter().any(ends) {
            return None;
        }
        let after = at.saturating_add(flag.len());
        let is_apart = byte_at(bytes, after) == b' ';
        let is_spelt = match spelling {
            Spelling::Joined => !is_apart,
            Spelling::Apart => is_apart,
            Spelling::Either => true,
        };
        let (start, end) = word(bytes, after.saturating_add(usize::from(is_apart)));
        let password = part(bytes, start, end);
        let is_secret = is_spelt
            && password.len() >= PASSWORD_BYTES_MIN
            && !password.starts_with(b"-")
            && !value::is_placeholder(password);
        let found = Found { start, end, name: "password" };
        is_secret.then(|| matcher::token_at(bytes, start).unwrap_or(found))
    }
}

/// Returns where the word of a command line begins and ends, without its quotes.
fn word(bytes: &[u8], at: usize) -> (usize, usize) {
    let quote = byte_at(bytes, at);
    let is_quoted = matches!(quote, b'"' | b'\'');
    let start = at.saturating_add(usize::from(is_quoted));
    let is_inside = |byte: &&u8| {
        let is_quoted_part = **byte != quote && **byte != b'\n';
        let is_bare_part = byte.is_ascii_graphic() && !b"\"'`;|&)\\".contains(*byte);
        if is_quoted { is_quoted_part } else { is_bare_part }
    };
    let rest = bytes.get(start..).unwrap_or_default().iter().take(PASSWORD_BYTES_MAX);
    (start, start.saturating_add(rest.take_while(is_inside).count()))
}
