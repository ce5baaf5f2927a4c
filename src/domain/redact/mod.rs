//! Takes secrets out of text before the first byte is written.
//!
//! One pass over the bytes: at each word boundary a prefix table, then the shapes that need more
//! than a prefix (keys in PEM armour, signed tokens, credentials in addresses, card numbers), then
//! assignments to names such as `password`. What is found is replaced by `[redacted:rule-name]`.
//!
//! It must never touch Git object names, digests, UUIDs, paths, versions and ordinary words: a
//! record that lost those is worth nothing. It is no secret manager: a secret without a known
//! shape and without a telling name beside it is not seen.

mod armour;
mod assignment;
mod card;
mod class;
mod commands;
mod encoded;
mod matcher;
mod names;
mod pairs;
mod rules;
mod scan;
mod shadow;
mod shapes;
mod tie;
mod value;
mod words;

pub use rules::{Format, formats};

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

use super::text::{Redacted, UntrustedText};
use shadow::Shadow;

/// Passes after which the text is taken as it is; two are enough for all that is known.
const PASSES_MAX: u8 = 4;

/// A secret: the bytes from `start` to `end`, and which rule saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found {
    start: usize,
    end: usize,
    name: &'static str,
}

/// Replaces every secret in `text` by a mark that names the rule.
///
/// Linear in the length of `text`. A second call changes nothing.
#[must_use]
pub fn redact(text: &UntrustedText) -> Redacted {
    redact_str(text.expose())
}

/// Replaces every secret in `text` by a mark that names the rule; see [`redact`].
#[must_use]
pub fn redact_str(text: &str) -> Redacted {
    let mut current: Option<String> = None;
    for _ in 0..PASSES_MAX {
        let text = current.as_deref().unwrap_or(text);
        let next = Shadow::views(text).find_map(|view| pass(text, &view));
        if next.is_none() {
            break;
        }
        current = next;
    }
    Redacted::assume(current.unwrap_or_else(|| text.to_owned()))
}

/// Returns the text without the secrets that one pass over its visible bytes finds, or `None` if
/// there are none.
fn pass(text: &str, shadow: &Shadow<'_>) -> Option<String> {
    let found = scan::find(shadow.bytes(), shadow.has_seams(), |at| shadow.is_seam(at));
    if found.is_empty() {
        return None;
    }
    let mut clean = String::with_capacity(text.len());
    let mut copied_to = 0_usize;
    for secret in found {
        let (start, end) = shadow.original(secret.start, secret.end);
        clean.push_str(text.get(copied_to..start).unwrap_or_default());
        clean.push_str("[redacted:");
        clean.push_str(secret.name);
        clean.push(']');
        copied_to = end;
    }
    clean.push_str(text.get(copied_to..).unwrap_or_default());
    Some(clean)
}
