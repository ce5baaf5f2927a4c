//! What a crash leaves of the changes that were not durable.

use super::image::{Effect, Image};
use super::journal::Moment;
use super::random::Random;

/// Smallest unit that a disk writes as a whole, in bytes.
const SECTOR_BYTES: usize = 512;

/// Which of the pending changes survive a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Policy {
    /// None: the power was cut and the disk had written nothing (D0).
    LoseAll,
    /// All: the process was killed (D1).
    KeepAll,
    /// The first so many, in order: a file system that keeps order (D2).
    KeepFirst(usize),
    /// The last alone: reordering at its worst (D3).
    KeepLast,
    /// Names and lengths, but new content reads as zeros: delayed allocation (D4).
    ZeroContent,
    /// Names, but neither lengths nor content (D5).
    NamesOnly,
    /// Content and renames, but not the creation or removal of other names (D5).
    RenamesOnly,
    /// A random half, in order; the number replays it (D6).
    RandomSubset(u64),
    /// All, but of the last write only the first so many bytes (T).
    Torn(usize),
    /// All, but one sector of one write, chosen by the number, holds random bytes (G).
    Garbage(u64),
}

impl Policy {
    /// Lists the policies that can make a difference at a moment; `random_count` of the random
    /// subsets among them.
    pub(super) fn all_for(moment: &Moment, random_count: u64) -> Vec<Self> {
        let pending_count = moment.pending.len();
        if pending_count == 0 {
            return vec![Self::LoseAll];
        }
        let mut policies = vec![
            Self::LoseAll,
            Self::KeepAll,
            Self::KeepLast,
            Self::ZeroContent,
            Self::NamesOnly,
            Self::RenamesOnly,
        ];
        policies.extend((1..pending_count).map(Self::KeepFirst));
        policies.extend((0..random_count).map(Self::RandomSubset));
        if let Some((offset, bytes)) = last_write(moment) {
            policies.extend(cuts(offset, bytes).into_iter().map(Self::Torn));
            policies.extend([Self::Garbage(0), Self::Garbage(1)]);
        }
        policies
    }

    /// Returns the disk after a crash at that moment.
    pub(super) fn crash(self, moment: Moment) -> Image {
        let Moment { mut durable, pending } = moment;
        let effects: Vec<Effect> = pending.into_iter().map(|pending| pending.effect).collect();
        for effect in self.survivors(effects, &durable) {
            durable.apply(&effect);
        }
        durable.drop_unnamed();
        durable
    }

    fn survivors(self, mut pending: Vec<Effect>, durable: &Image) -> Vec<Effect> {
        match self {
            Self::LoseAll => pending.clear(),
            Self::KeepAll => {}
            Self::KeepFirst(count) => pending.truncate(count),
            Self::KeepLast => pending = pending.pop().into_iter().collect(),
            Self::ZeroContent => pending = pending.into_iter().map(without_content).collect(),
            Self::NamesOnly => pending.retain(Effect::is_of_names),
            Self::RenamesOnly => pending
                .retain(|effect| !matches!(effect, Effect::Link { .. } | Effect::Unlink { .. })),
            Self::RandomSubset(start) => {
                let mut random = Random::new(start);
                pending.retain(|_| random.below(2) == 0);
            }
            Self::Torn(keep_bytes) => {
                if let Some(Effect::Data { bytes, .. }) =
                    pending.iter_mut().rfind(|effect| is_data(effect))
                {
                    bytes.truncate(keep_bytes);
                }
            }
            Self::Garbage(start) => put_garbage(&mut pending, start, durable),
        }
        pending
    }
}

fn is_data(effect: &Effect) -> bool {
    matches!(effect, Effect::Data { .. })
}

fn last_write(moment: &Moment) -> Option<(usize, usize)> {
    moment.pending.iter().rev().find_map(|pending| match &pending.effect {
        Effect::Data { offset, bytes, .. } => Some((*offset, bytes.len())),
        _ => None,
    })
}

/// Where a write of `length` bytes at `offset` may tear: at its ends, in the middle and at each
/// border of a sector.
fn cuts(offset: usize, length: usize) -> Vec<usize> {
    let first_border = SECTOR_BYTES.saturating_sub(offset.checked_rem(SECTOR_BYTES).unwrap_or(0));
    let mut cuts = vec![0, 1, length / 2, length.saturating_sub(1)];
    cuts.extend((first_border..length).step_by(SECTOR_BYTES));
    cuts.retain(|cut| *cut < length);
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

fn without_content(effect: Effect) -> Effect {
    match effect {
        Effect::Data { node, offset, bytes, .. } => {
            Effect::Grow { node, length: offset.saturating_add(bytes.len()) }
        }
        other => other,
    }
}

/// Fills one sector of one write; bytes outside the write never change.
fn put_garbage(pending: &mut [Effect], start: u64, durable: &Image) {
    let mut random = Random::new(start ^ u64::try_from(durable.nodes.len()).unwrap_or(0));
    let data_count = pending.iter().filter(|effect| is_data(effect)).count();
    let chosen = random.below(data_count);
    let Some(Effect::Data { offset, bytes, .. }) =
        pending.iter_mut().filter(|effect| is_data(effect)).nth(chosen)
    else {
        return;
    };
    let end = offset.saturating_add(bytes.len());
    let position = offset.saturating_add(random.below(bytes.len()));
    let sector = position / SECTOR_BYTES * SECTOR_BYTES;
    let from = sector.max(*offset).saturating_sub(*offset);
    let to = sector.saturating_add(SECTOR_BYTES).min(end).saturating_sub(*offset);
    for byte in bytes.get_mut(from..to).into_iter().flatten() {
        let [noise, ..] = random.next().to_be_bytes();
        *byte ^= noise | 1;
    }
}
