//! Paths below the held root.

use std::fmt;
use std::str::FromStr;

/// Why a text is no path below the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a plain path")]
pub struct InvalidPath;

/// A path of plain names below the root, joined by `/`.
///
/// A name is 1 to 128 bytes of lower-case letters, digits, `-`, `_` and `.`, and does not start
/// with a dot. So no text of others can become a path, and nothing can leave the root.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelativePath(String);

/// Longest single name.
pub const NAME_BYTES_MAX: usize = 128;

impl RelativePath {
    /// The held root itself.
    #[must_use]
    pub const fn root() -> Self {
        Self(String::new())
    }

    /// Returns the path of `name` below this one; `None` if `name` is not a plain name.
    #[must_use]
    pub fn child(&self, name: &str) -> Option<Self> {
        let is_plain = !name.is_empty()
            && name.len() <= NAME_BYTES_MAX
            && !name.starts_with('.')
            && name.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte)
            });
        is_plain.then(|| {
            if self.0.is_empty() {
                Self(name.to_owned())
            } else {
                Self(format!("{}/{name}", self.0))
            }
        })
    }

    /// Returns the containing directory; `None` for the root.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        if self.0.is_empty() {
            return None;
        }
        Some(match self.0.rsplit_once('/') {
            Some((parent, _)) => Self(parent.to_owned()),
            None => Self::root(),
        })
    }

    /// Returns the last name; empty for the root.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// Returns the names from the root down.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.split('/').filter(|name| !name.is_empty())
    }

    /// Returns the path with `/` between its names.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RelativePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for RelativePath {
    type Err = InvalidPath;

    /// Reads names joined by `/`; the empty text is the root.
    fn from_str(text: &str) -> Result<Self, InvalidPath> {
        if text.is_empty() {
            return Ok(Self::root());
        }
        text.split('/').try_fold(Self::root(), |path, name| path.child(name)).ok_or(InvalidPath)
    }
}
