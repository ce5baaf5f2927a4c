//! How much of a model's context a text may take.
//!
//! A [`TokenCount`] is an estimate from above: exact counting would need a vocabulary that costs a
//! hook more time than all its other work. The host's byte limit is the hard cap beside it.

mod estimate;
mod tables;

#[cfg(test)]
mod tests;

use std::fmt;

pub use estimate::estimate_tokens;

/// Tokens that a recovery text may take unless the user says otherwise.
pub const RECOVERY_TOKENS_DEFAULT: TokenCount = TokenCount(800);

/// Tokens that no recovery text may exceed, whatever the configuration.
pub const RECOVERY_TOKENS_MAX: TokenCount = TokenCount(1_500);

/// Bytes of a recovery text where a host names no limit of its own.
pub const RECOVERY_BYTES_DEFAULT: ByteCount = ByteCount(8 * 1024);

const _: () = assert!(RECOVERY_TOKENS_DEFAULT.0 < RECOVERY_TOKENS_MAX.0);
// A text of plain bytes within the token cap always fits the byte cap.
const _: () = assert!(RECOVERY_TOKENS_MAX.0 < RECOVERY_BYTES_DEFAULT.0);

/// A number of `o200k_base` tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenCount(pub u32);

impl TokenCount {
    /// Adds, stopping at the largest count.
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl fmt::Display for TokenCount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} tokens", self.0)
    }
}

/// A number of UTF-8 bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteCount(pub u32);

impl ByteCount {
    /// Returns the length of `text`; a text past 4 GiB counts as the largest length.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self(u32::try_from(text.len()).unwrap_or(u32::MAX))
    }
}

impl fmt::Display for ByteCount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} bytes", self.0)
    }
}

/// What one text may take: an aim, a cap in tokens, and a cap in bytes.
///
/// Only what must not be lost may go past the aim; nothing goes past the caps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "each field is a limit, and says of what")]
pub struct Budget {
    tokens_max: TokenCount,
    tokens_hard_max: TokenCount,
    bytes_max: ByteCount,
}

impl Budget {
    /// Sets an aim and a byte cap for a recovery text; the aim is brought down to the hard cap.
    #[must_use]
    pub fn recovery(tokens_max: TokenCount, bytes_max: ByteCount) -> Self {
        let tokens_hard_max = RECOVERY_TOKENS_MAX;
        Self { tokens_max: tokens_max.min(tokens_hard_max), tokens_hard_max, bytes_max }
    }

    /// Returns the tokens to aim for.
    #[must_use]
    pub const fn tokens_max(&self) -> TokenCount {
        self.tokens_max
    }

    /// Returns the tokens never to exceed.
    #[must_use]
    pub const fn tokens_hard_max(&self) -> TokenCount {
        self.tokens_hard_max
    }

    /// Returns the bytes never to exceed.
    #[must_use]
    pub const fn bytes_max(&self) -> ByteCount {
        self.bytes_max
    }

    /// Tells how `text` as a whole stands to this budget.
    #[must_use]
    pub fn fit(&self, text: &str) -> Fit {
        let tokens = estimate_tokens(text);
        if ByteCount::of(text) > self.bytes_max || tokens > self.tokens_hard_max {
            Fit::TooLarge
        } else if tokens > self.tokens_max {
            Fit::PastAim
        } else {
            Fit::Within
        }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::recovery(RECOVERY_TOKENS_DEFAULT, RECOVERY_BYTES_DEFAULT)
    }
}

/// How a text stands to a [`Budget`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// Within the aim and the caps.
    Within,
    /// Past the aim, within the caps: only for what must not be lost.
    PastAim,
    /// Past a cap in tokens or bytes.
    TooLarge,
}
