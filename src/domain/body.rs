//! Texts outside the chain: what they hold, and how the chain is bound to them.
//!
//! A body file is a salt and the encoded text. The chain keeps only the file's name and
//! [`Commitment`], so erasing the file erases the text while the chain still verifies.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::fingerprint::Workspace;
use super::ids::{BodyId, Commitment};
use super::task::proposal::ProposalText;
use super::text::{BoundedText, Redacted};

/// Longest statement or rationale, in characters.
pub const STATEMENT_CHARS_MAX: usize = 512;
/// Longest source reference or target, in characters.
pub const REFERENCE_CHARS_MAX: usize = 256;
/// Longest encoded body, in bytes.
pub const BODY_BYTES_MAX: usize = 64 * 1024;
/// Length of the salt at the start of a body file, in bytes.
pub const SALT_BYTES: usize = 16;
/// Format of the encoded text behind the salt.
pub const BODY_FORMAT: u8 = 1;

/// The shortest wording that can be acted on.
pub type Statement = BoundedText<STATEMENT_CHARS_MAX>;
/// Where something comes from, or what it is about.
pub type Reference = BoundedText<REFERENCE_CHARS_MAX>;

/// The text of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemText {
    /// What is so.
    pub statement: Statement,
    /// Why; a decision without one is kept but not offered to the agent.
    pub rationale: Option<Statement>,
    /// Where it comes from.
    pub source: Reference,
    /// What an act is about: a branch, a path, an environment.
    pub target: Option<Reference>,
}

/// The text of a quote: the user's own words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteText {
    /// Whole sentences, redacted, at most 512 characters.
    pub words: Statement,
    /// What the words name as the object of an act, where that is certain.
    pub target: Option<Reference>,
}

/// What a body file holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Body {
    /// An item's text.
    Item(ItemText),
    /// A quote's text.
    Quote(QuoteText),
    /// A proposal as shown to the user.
    Proposal(ProposalText),
    /// Where the work stood.
    Workspace(Workspace),
}

/// How the chain names a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BodyRef {
    /// The body's file.
    pub id: BodyId,
    /// SHA-256 over the whole file.
    pub commitment: Commitment,
}

/// A body ready to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// How the chain will name it.
    pub reference: BodyRef,
    /// The whole file: salt and encoded text.
    pub bytes: Vec<u8>,
}

/// Why a body file cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyError {
    /// The file is not the one that the chain is bound to.
    #[error("the text is not the one that was recorded")]
    Commitment,
    /// The bytes are not a text of ours.
    #[error("the text cannot be decoded")]
    Encoding,
    /// Written by a newer release.
    #[error("body format {found} is newer than this release reads")]
    NewerFormat {
        /// The format found.
        found: u8,
    },
    /// Longer than [`BODY_BYTES_MAX`].
    #[error("the text is too long")]
    TooLong,
}

impl Body {
    /// Encodes and commits to the text; `id` and `salt` are fresh random bytes.
    ///
    /// # Errors
    /// [`BodyError::TooLong`].
    pub fn seal(&self, id: BodyId, salt: [u8; SALT_BYTES]) -> Result<Sealed, BodyError> {
        let mut bytes = salt.to_vec();
        bytes.push(BODY_FORMAT);
        let bytes = postcard::to_extend(self, bytes).map_err(|_| BodyError::Encoding)?;
        if bytes.len() > BODY_BYTES_MAX {
            return Err(BodyError::TooLong);
        }
        Ok(Sealed { reference: BodyRef { id, commitment: commit(&bytes) }, bytes })
    }

    /// Decodes a body file and checks that it is the one that `reference` names.
    ///
    /// # Errors
    /// [`BodyError`].
    pub fn open(bytes: &[u8], reference: &BodyRef) -> Result<Self, BodyError> {
        if bytes.len() > BODY_BYTES_MAX || commit(bytes) != reference.commitment {
            return Err(BodyError::Commitment);
        }
        let (format, text) =
            bytes.get(SALT_BYTES..).and_then(<[u8]>::split_first).ok_or(BodyError::Encoding)?;
        if *format != BODY_FORMAT {
            return Err(BodyError::NewerFormat { found: *format });
        }
        postcard::from_bytes(text).map_err(|_| BodyError::Encoding)
    }
}

fn commit(bytes: &[u8]) -> Commitment {
    Commitment::new(Sha256::digest(bytes).into())
}

/// Cuts redacted text to a reference's length, from its end; `None` if nothing is left.
#[must_use]
pub fn reference_from_end(text: &Redacted) -> Option<Reference> {
    let chars = text.as_str().chars().count();
    let kept: String =
        text.as_str().chars().skip(chars.saturating_sub(REFERENCE_CHARS_MAX)).collect();
    Reference::new(&Redacted::assume(kept)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quote() -> Body {
        let words = Statement::new(&Redacted::assume("never push to main")).unwrap();
        Body::Quote(QuoteText { words, target: None })
    }

    #[test]
    fn a_sealed_body_opens_to_the_same_text() {
        let sealed = quote().seal(BodyId::new([1; 16]), [2; 16]).unwrap();
        assert_eq!(Body::open(&sealed.bytes, &sealed.reference), Ok(quote()));
    }

    #[test]
    fn every_changed_bit_of_a_body_is_refused() {
        let sealed = quote().seal(BodyId::new([1; 16]), [2; 16]).unwrap();
        for bit in 0..sealed.bytes.len() * 8 {
            let mut bytes = sealed.bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Body::open(&bytes, &sealed.reference), Err(BodyError::Commitment));
        }
    }

    #[test]
    fn equal_texts_under_different_salts_have_different_commitments() {
        let one = quote().seal(BodyId::new([1; 16]), [2; 16]).unwrap();
        let other = quote().seal(BodyId::new([1; 16]), [3; 16]).unwrap();
        assert_ne!(one.reference.commitment, other.reference.commitment);
    }
}
