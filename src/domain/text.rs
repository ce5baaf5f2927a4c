//! Text of others: carried, quoted, bounded, never obeyed.
//!
//! [`UntrustedText`] is what came in, [`Redacted`] what may be written, [`BoundedText`] what fits
//! its field. Only `domain::redact` turns the first into the second.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// Text from a user, a model, a tool, a file or a transcript, exactly as it came.
///
/// Its `Debug` form shows the length only, so that no log line can carry it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct UntrustedText(String);

impl UntrustedText {
    /// Takes in text from outside.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Shows the text to code that may look inside: signals, redaction and digests.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns the length in characters.
    #[must_use]
    pub fn char_count(&self) -> usize {
        self.0.chars().count()
    }
}

impl fmt::Debug for UntrustedText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "UntrustedText({} bytes)", self.0.len())
    }
}

/// Text with its secrets taken out: the only kind that may reach a file, a log or an error.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Redacted(String);

impl Redacted {
    /// Marks text as redacted; only the redactor, and readers of our own files, may.
    pub(crate) fn assume(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Why a text does not fit its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// Nothing but white space.
    #[error("the text is empty")]
    Empty,
    /// Longer than its field.
    #[error("the text has {chars} characters, at most {chars_max} fit")]
    TooLong {
        /// Characters found.
        chars: usize,
        /// Characters allowed.
        chars_max: usize,
    },
}

/// Redacted text of 1 to `CHARS_MAX` characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "String")]
pub struct BoundedText<const CHARS_MAX: usize>(String);

impl<const CHARS_MAX: usize> BoundedText<CHARS_MAX> {
    /// Checks that `text`, trimmed, fits.
    ///
    /// # Errors
    /// [`TextError::Empty`] and [`TextError::TooLong`].
    pub fn new(text: &Redacted) -> Result<Self, TextError> {
        Self::of_length(text.as_str().trim().to_owned())
    }

    fn of_length(text: String) -> Result<Self, TextError> {
        let chars = text.chars().count();
        if chars == 0 {
            return Err(TextError::Empty);
        }
        if chars > CHARS_MAX {
            return Err(TextError::TooLong { chars, chars_max: CHARS_MAX });
        }
        Ok(Self(text))
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Text of our own files, which was redacted before it was written.
impl<'de, const CHARS_MAX: usize> Deserialize<'de> for BoundedText<CHARS_MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::of_length(text).map_err(D::Error::custom)
    }
}

impl<const CHARS_MAX: usize> From<BoundedText<CHARS_MAX>> for String {
    fn from(text: BoundedText<CHARS_MAX>) -> Self {
        text.0
    }
}
