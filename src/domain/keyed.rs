//! Digests under a key: what cannot be guessed from a file, and what only we can have written.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::chain::Head;
use super::ids::{CommandId, KeyedDigest, TaskRef};

/// The first word of every mark line.
pub const MARK_WORD: &str = "continuity-mark";

/// Returns the task that a mark line names; whether the line is ours is another question.
#[must_use]
pub fn task_of_mark(mark: &str) -> Option<TaskRef> {
    let mut words = mark.split(' ');
    (words.next() == Some(MARK_WORD)).then_some(())?;
    words.next()?.parse().ok()
}

/// A task's key: 32 random bytes, deleted with the task.
#[derive(Clone, Copy)]
pub struct TaskKey {
    /// Its number; digests name it.
    pub number: u32,
    bytes: [u8; 32],
}

impl TaskKey {
    /// Wraps stored or fresh random bytes.
    #[must_use]
    pub const fn new(number: u32, bytes: [u8; 32]) -> Self {
        Self { number, bytes }
    }

    /// Returns the digest of `parts` for one purpose.
    ///
    /// Parts are framed by their lengths, so no two lists of parts run together.
    #[must_use]
    pub fn digest(&self, purpose: &str, parts: &[&[u8]]) -> KeyedDigest {
        let mut bytes = Vec::with_capacity(64);
        for part in std::iter::once(purpose.as_bytes()).chain(parts.iter().copied()) {
            bytes.extend_from_slice(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
            bytes.extend_from_slice(part);
        }
        KeyedDigest::new(authenticate(&self.bytes, &bytes))
    }

    /// Returns the name of the command that `parts` stand for: equal parts, equal name.
    #[must_use]
    pub fn command(&self, purpose: &str, parts: &[&[u8]]) -> CommandId {
        let digest = self.digest(purpose, parts);
        let (front, _) = digest.as_bytes().split_at(16);
        CommandId::new(front.try_into().unwrap_or([0; 16]))
    }

    /// Returns four bytes that stand for a word of a quote's subject.
    #[must_use]
    pub fn word(&self, word: &str) -> u32 {
        let digest = self.digest("word", &[word.as_bytes()]);
        let (front, _) = digest.as_bytes().split_at(4);
        u32::from_le_bytes(front.try_into().unwrap_or([0; 4]))
    }

    /// Returns the mark line of an offered text: the task, the record that the text was built on,
    /// and twelve digits that only the holder of this key can write.
    #[must_use]
    pub fn mark(&self, task: TaskRef, head: Head) -> String {
        self.sign(&format!("{MARK_WORD} {task} {head}"))
    }

    /// Tells whether a mark line was written under this key.
    #[must_use]
    pub fn has_written(&self, mark: &str) -> bool {
        mark.rsplit_once(' ').is_some_and(|(words, _)| self.sign(words) == mark)
    }

    fn sign(&self, words: &str) -> String {
        let proof = self.digest("mark", &[words.as_bytes()]).to_string();
        format!("{words} {}", proof.get(..12).unwrap_or(&proof))
    }
}

impl std::fmt::Debug for TaskKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "TaskKey(number {})", self.number)
    }
}

/// HMAC takes a key of any length, so there is no failure to report.
fn authenticate(key: &[u8; 32], bytes: &[u8]) -> [u8; 32] {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        return [0; 32];
    };
    mac.update(bytes);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_together() {
        let key = TaskKey::new(1, [7; 32]);
        assert_ne!(key.digest("p", &[b"ab", b"c"]), key.digest("p", &[b"a", b"bc"]));
        assert_ne!(key.digest("p", &[b"ab"]), key.digest("pa", &[b"b"]));
    }

    #[test]
    fn a_digest_depends_on_the_key() {
        let one = TaskKey::new(1, [7; 32]);
        let other = TaskKey::new(1, [8; 32]);
        assert_ne!(one.digest("prompt", &[b"yes"]), other.digest("prompt", &[b"yes"]));
    }

    #[test]
    fn a_mark_is_known_by_its_key_and_by_every_character() {
        let key = TaskKey::new(1, [7; 32]);
        let task = TaskRef::new([5; 16]);
        let mark = key.mark(task, Head::EMPTY);
        assert_eq!(task_of_mark(&mark), Some(task));
        assert!(key.has_written(&mark));
        assert!(!TaskKey::new(1, [8; 32]).has_written(&mark));
        for index in 0..mark.len() {
            let mut changed = mark.clone().into_bytes();
            changed[index] ^= 1;
            assert!(!key.has_written(&String::from_utf8(changed).unwrap()), "at {index}");
        }
    }

    #[test]
    fn the_digest_is_hmac_sha256_as_others_compute_it() {
        // RFC 4231, test case 2, has a shorter key; with a 32-byte key of 0x0b the value below was
        // computed with another implementation.
        let digest = authenticate(&[0x0b; 32], b"Hi There");
        assert_eq!(
            data_encoding::HEXLOWER.encode(&digest),
            "198a607eb44bfbc69903a0f1cf2bbdc5ba0aa3f3d9ae3c1c7a3b1696a0b68cf7"
        );
    }
}
