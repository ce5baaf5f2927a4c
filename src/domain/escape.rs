//! Escape (temporary, replaced by the budget branch).
/// quoted
#[must_use]
pub fn quoted(text: &str, chars_max: usize) -> String {
    format!("“{}”", text.chars().take(chars_max).collect::<String>().replace(['\n', '\r'], " "))
}
