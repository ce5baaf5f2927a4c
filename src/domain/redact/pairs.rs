//! Which two bytes something known can begin with: a first look that rules most places out.

/// A set of pairs of bytes.
pub(super) struct Pairs {
    /// For each first byte, the second bytes, one bit each.
    seconds: Vec<[u128; 2]>,
}

impl Pairs {
    /// Collects the first two bytes of every text.
    pub(super) fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut pairs = Self { seconds: vec![[0; 2]; 256] };
        for text in texts {
            let [first, second, ..] = *text.as_bytes() else { continue };
            let halves = pairs.seconds.get_mut(usize::from(first));
            if let Some(half) = halves.and_then(|halves| halves.get_mut(usize::from(second >> 7))) {
                *half |= 1 << (second & 0x7f);
            }
        }
        pairs
    }

    /// Tells whether a text begins with these two bytes.
    #[inline]
    pub(super) fn has(&self, first: u8, second: u8) -> bool {
        let halves = self.seconds.get(usize::from(first));
        let half = halves.and_then(|halves| halves.get(usize::from(second >> 7)));
        half.is_some_and(|half| half >> (second & 0x7f) & 1 == 1)
    }
}
