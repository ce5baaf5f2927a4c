//! Passwords behind the short flags of well-known commands: `mysql -phunter2`, `sshpass -p …`.

use super::Found;
use super::class::{byte_at, part};
use super::{matcher, value};

/// How a flag and its password are written.
#[derive(Clone, Copy, PartialEq, Eq)]
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

/// Returns the password behind the flag that begins at `at`, a hyphen.
pub(super) fn password_at(bytes: &[u8], at: usize) -> Option<Found> {
    let flag = part(bytes, at, at.saturating_add(2));
    let is_flag = matches!(flag, b"-p" | b"-a" | b"-w");
    let last = at.checked_sub(1)?;
    if !is_flag || !matches!(byte_at(bytes, last), b' ' | b'\t') {
        return None;
    }
    let spelling = spelling_of(command_line(bytes, at), flag)?;
    let after = at.saturating_add(2);
    let is_apart = byte_at(bytes, after) == b' ';
    let is_spelt = match spelling {
        Spelling::Joined => !is_apart,
        Spelling::Apart => is_apart,
        Spelling::Either => true,
    };
    let mut start = after.saturating_add(usize::from(is_apart));
    let quote = byte_at(bytes, start);
    let is_quoted = matches!(quote, b'"' | b'\'');
    start = start.saturating_add(usize::from(is_quoted));
    let ends = |byte: u8| {
        if is_quoted { byte == quote || byte == b'\n' } else { !byte.is_ascii_graphic() || b"\"'`;|&)\\".contains(&byte) }
    };
    let rest = bytes.get(start..).unwrap_or_default().iter().take(PASSWORD_BYTES_MAX);
    let end = start.saturating_add(rest.take_while(|byte| !ends(**byte)).count());
    let password = part(bytes, start, end);
    let is_secret = is_spelt
        && password.len() >= 3
        && !password.starts_with(b"-")
        && !value::is_placeholder(password);
    let found = Found { start, end, name: "password" };
    is_secret.then(|| matcher::token_at(bytes, start).unwrap_or(found))
}

/// Returns what stands before the flag at `at` in the same command.
fn command_line(bytes: &[u8], at: usize) -> &[u8] {
    let before = part(bytes, at.saturating_sub(COMMAND_BYTES_MAX), at);
    let ends = |byte: &u8| matches!(*byte, b'\n' | b'|' | b';' | b'&');
    let start = before.iter().rposition(ends).map_or(0, |place| place.saturating_add(1));
    part(before, start, before.len())
}

fn spelling_of(line: &[u8], flag: &[u8]) -> Option<Spelling> {
    let known = COMMANDS.iter().filter(|(_, known, _)| known.as_bytes() == flag);
    let mut named = known.filter(|(command, _, _)| {
        let place = memchr::memmem::find(line, command.as_bytes());
        place.is_some_and(|place| {
            place == 0 || !byte_at(line, place.saturating_sub(1)).is_ascii_alphanumeric()
        })
    });
    named.next().map(|(_, _, spelling)| *spelling)
}
