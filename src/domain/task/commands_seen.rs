//! The commands that a task has carried out, so that a repetition does nothing.

use std::collections::VecDeque;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::limits::COMMANDS_REMEMBERED_MAX;
use crate::domain::ids::CommandId;

/// The first eight bytes of the newest command ids, at most [`COMMANDS_REMEMBERED_MAX`].
///
/// The ids are keyed digests or random numbers, so eight bytes tell 4,096 of them apart with a
/// chance of error below one in a million million.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommandsSeen(VecDeque<[u8; 8]>);

impl CommandsSeen {
    /// Tells whether the command was carried out.
    #[must_use]
    pub fn contains(&self, id: CommandId) -> bool {
        let short = shorten(id);
        let (front, back) = self.0.as_slices();
        back.contains(&short) || front.contains(&short)
    }

    /// Remembers a command, and forgets the oldest if there are too many.
    pub fn insert(&mut self, id: CommandId) {
        self.push(shorten(id));
    }

    /// Returns the newest commands, at most `count_max`, oldest first.
    #[must_use]
    pub fn newest(&self, count_max: usize) -> Self {
        Self(self.0.iter().skip(self.0.len().saturating_sub(count_max)).copied().collect())
    }

    /// Remembers the commands of another memory, oldest first.
    pub fn extend(&mut self, other: &Self) {
        other.0.iter().for_each(|short| self.push(*short));
    }

    fn push(&mut self, short: [u8; 8]) {
        if self.0.len() >= COMMANDS_REMEMBERED_MAX {
            self.0.pop_front();
        }
        self.0.push_back(short);
    }
}

fn shorten(id: CommandId) -> [u8; 8] {
    id.as_bytes().first_chunk().copied().unwrap_or_default()
}

/// One block of bytes: a list of 2,000 small arrays would take ten times as long to read.
impl Serialize for CommandsSeen {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = self.0.iter().flatten().copied().collect();
        serializer.serialize_bytes(&bytes)
    }
}

impl<'de> Deserialize<'de> for CommandsSeen {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Block;

        impl serde::de::Visitor<'_> for Block {
            type Value = CommandsSeen;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("a block of eight-byte command ids")
            }

            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<CommandsSeen, E> {
                let (ids, rest) = bytes.as_chunks::<8>();
                if !rest.is_empty() || ids.len() > COMMANDS_REMEMBERED_MAX {
                    return Err(E::invalid_length(bytes.len(), &self));
                }
                Ok(CommandsSeen(ids.iter().copied().collect()))
            }
        }

        deserializer.deserialize_bytes(Block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u16) -> CommandId {
        let [high, low] = number.to_be_bytes();
        CommandId::new([high, low, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    }

    #[test]
    fn the_oldest_command_is_forgotten_first() {
        let mut seen = CommandsSeen::default();
        for number in 0..=u16::try_from(COMMANDS_REMEMBERED_MAX).unwrap() {
            seen.insert(id(number));
        }
        assert!(!seen.contains(id(0)));
        assert!(seen.contains(id(1)));
    }

    #[test]
    fn a_stored_memory_reads_back_equal() {
        let mut seen = CommandsSeen::default();
        seen.insert(id(7));
        seen.insert(id(9));
        let bytes = postcard::to_stdvec(&seen).unwrap();
        assert_eq!(postcard::from_bytes::<CommandsSeen>(&bytes).unwrap(), seen);
    }
}
