//! The command line by which a host starts us.

use std::borrow::Cow;

use crate::domain::host_event::Host;

/// Why a path cannot be part of a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LauncherError {
    /// A host may start hooks in any folder.
    #[error("the {what} is not an absolute path")]
    NotAbsolute {
        /// `program` or `data root`.
        what: &'static str,
    },
    /// A character that some shell cannot be told to leave alone.
    #[error("the {what} holds a character that a command line cannot carry")]
    Unquotable {
        /// `program` or `data root`.
        what: &'static str,
    },
}

/// Where we are and where we keep things, as hooks are to be told.
///
/// Paths starting with `/` are for POSIX shells, others are for Windows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher {
    program: String,
    data_root: String,
}

impl Launcher {
    /// Takes the absolute paths of our binary and of the data root.
    ///
    /// # Errors
    /// [`LauncherError::NotAbsolute`]; [`LauncherError::Unquotable`] for control characters
    /// anywhere, and for `"` and `%` in Windows paths.
    pub fn new(program: &str, data_root: &str) -> Result<Self, LauncherError> {
        for (what, path) in [("program", program), ("data root", data_root)] {
            let is_posix = path.starts_with('/');
            if !is_posix && !is_windows_absolute(path) {
                return Err(LauncherError::NotAbsolute { what });
            }
            let is_unquotable =
                |letter: char| letter.is_control() || (!is_posix && matches!(letter, '"' | '%'));
            if path.contains(is_unquotable) {
                return Err(LauncherError::Unquotable { what });
            }
        }
        Ok(Self { program: program.to_owned(), data_root: data_root.to_owned() })
    }

    /// Returns the line for a POSIX shell: quoted, without variables.
    #[must_use]
    pub fn command(&self, host: Host) -> String {
        let (program, data_root) = (posix_word(&self.program), posix_word(&self.data_root));
        format!("{program} hook {host} --data-root {data_root}")
    }

    /// Returns the line for the Windows command processor; `None` for POSIX paths.
    ///
    /// Words that need no quotes have none: then no layer in between can get them wrong.
    #[must_use]
    pub fn command_windows(&self, host: Host) -> Option<String> {
        if self.program.starts_with('/') {
            return None;
        }
        let (program, data_root) = (windows_word(&self.program), windows_word(&self.data_root));
        Some(format!("{program} hook {host} --data-root {data_root}"))
    }
}

/// Tells whether a command line is one of ours for `host`, from whatever folder it starts us.
pub(super) fn is_ours(command: &str, host: Host) -> bool {
    let mut words = posix_words(command).into_iter();
    let program = words.next().unwrap_or_default();
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    matches!(name, "continuity" | "continuity.exe")
        && words.next().as_deref() == Some("hook")
        && words.next().as_deref() == Some(host.name())
        && words.next().as_deref() == Some("--data-root")
}

fn is_windows_absolute(path: &str) -> bool {
    match path.as_bytes() {
        [drive, b':', b'\\' | b'/', ..] => drive.is_ascii_alphabetic(),
        [b'\\', b'\\', ..] => true,
        _ => false,
    }
}

fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '/' | '.' | '_' | '-')
}

fn posix_word(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")))
}

fn windows_word(text: &str) -> Cow<'_, str> {
    if text.chars().all(|letter| is_plain(letter) || matches!(letter, '\\' | ':')) {
        return Cow::Borrowed(text);
    }
    // A backslash right before the closing quote would escape it.
    let slashes = text.len() - text.trim_end_matches('\\').len();
    Cow::Owned(format!("\"{text}{}\"", "\\".repeat(slashes)))
}

/// Splits a line into words as a POSIX shell does, without expanding anything.
fn posix_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None, ' ' | '\t' | '\n') => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (Some(open), _) if letter == open => quote = None,
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(letters.next()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    fn launcher(program: &str, data_root: &str) -> Launcher {
        Launcher::new(program, data_root).expect("can be quoted")
    }

    #[test]
    fn plain_paths_are_written_without_quotes() {
        let launcher = launcher("/usr/bin/continuity", "/home/ann/.local/share/continuity");
        assert_eq!(
            launcher.command(Host::Codex),
            "/usr/bin/continuity hook codex --data-root /home/ann/.local/share/continuity"
        );
        assert_eq!(launcher.command_windows(Host::Codex), None);
    }

    // field case F037
    #[test]
    fn a_windows_line_quotes_only_what_needs_it() {
        let spaced = launcher(r"C:\My Projects\continuity.exe", r"C:\Users\Ann Lee\state\");
        assert_eq!(
            spaced.command_windows(Host::Codex).expect("is for Windows"),
            r#""C:\My Projects\continuity.exe" hook codex --data-root "C:\Users\Ann Lee\state\\""#
        );
        let plain = launcher(r"C:\bin\continuity.exe", r"D:\state");
        assert_eq!(
            plain.command_windows(Host::Codex).expect("is for Windows"),
            r"C:\bin\continuity.exe hook codex --data-root D:\state"
        );
        assert!(is_ours(&spaced.command(Host::Codex), Host::Codex));
    }

    #[test]
    fn a_path_that_no_line_can_carry_is_refused() {
        let refusal = |program, data_root| Launcher::new(program, data_root).expect_err("refused");
        assert_eq!(refusal("continuity", "/state"), LauncherError::NotAbsolute { what: "program" });
        assert_eq!(refusal("/bin/c", "C:state"), LauncherError::NotAbsolute { what: "data root" });
        assert_eq!(refusal("/bin/a\nb", "/s"), LauncherError::Unquotable { what: "program" });
        assert_eq!(
            refusal(r"C:\continuity.exe", r"C:\%TEMP%"),
            LauncherError::Unquotable { what: "data root" }
        );
    }

    // field case F037
    #[cfg(unix)]
    #[test]
    fn every_shell_hands_over_the_very_words() {
        let odd = "/My Projects/it's \"$HOME\" `x` \\ \u{c4}\u{7ee7} %A% !/continuity";
        let line = launcher("/bin/echo", odd).command(Host::Codex);
        for shell in ["sh", "bash", "dash", "zsh", "fish"] {
            let Ok(output) = Command::new(shell)
                .args(["-c", &format!("printf '%s\\n' {line}")])
                .stdin(Stdio::null())
                .output()
            else {
                continue;
            };
            let told = String::from_utf8(output.stdout).expect("text");
            assert_eq!(told, format!("/bin/echo\nhook\ncodex\n--data-root\n{odd}\n"), "{shell}");
        }
    }

    #[test]
    fn our_line_is_known_again_whatever_folder_it_names() {
        for program in ["/bin/continuity", "/it's \"here\"/continuity", "/\u{c4} \\/continuity"] {
            let line = launcher(program, "/state of 'Ann'").command(Host::Codex);
            assert!(is_ours(&line, Host::Codex), "{line}");
            assert!(!is_ours(&line, Host::ClaudeCode), "{line}");
        }
        for line in [
            "",
            "continuity",
            "continuity hook codex",
            "/bin/discontinuity hook codex --data-root /s",
            "echo /bin/continuity hook codex --data-root /s",
            "/bin/continuity view --data-root /s",
        ] {
            assert!(!is_ours(line, Host::Codex), "{line}");
        }
    }
}
