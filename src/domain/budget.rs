//! Budget (temporary, replaced by the budget branch).
/// tokens
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TokenCount(u32);
impl TokenCount {
    /// new
    #[must_use]
    pub const fn new(count: u32) -> Self {
        Self(count)
    }
    /// get
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}
/// estimate
#[must_use]
pub fn estimate_tokens(text: &str) -> TokenCount {
    TokenCount(u32::try_from(text.len() / 3 + 1).unwrap_or(u32::MAX))
}
