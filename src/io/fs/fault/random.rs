//! Random numbers that a printed number replays.

/// The xorshift64* generator. Source: Vigna, "An experimental exploration of Marsaglia's xorshift
/// generators, scrambled", 2016.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    /// Starts from any number; nearby numbers give unrelated sequences.
    pub(super) fn new(start: u64) -> Self {
        let mixed = start.wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        Self((mixed ^ (mixed >> 31)).max(1))
    }

    /// Returns the next number.
    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a number below `bound`; zero for a bound of zero.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX);
        (self.next() >> 16).checked_rem(bound).and_then(|n| usize::try_from(n).ok()).unwrap_or(0)
    }
}
