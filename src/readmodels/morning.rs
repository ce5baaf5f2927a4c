//! The one line that offers an earlier task to a new conversation.

use super::confirmation::entries_words;
use super::texts::Texts;
use crate::domain::confirmation::{Code, Verb};
use crate::domain::escape::quoted;
use crate::domain::signal::SignalKind;
use crate::domain::task::TaskState;
use crate::domain::task::item::ItemKind;

/// Longest goal that the line quotes, in characters.
const GOAL_CHARS_MAX: usize = 80;
const MINUTE_MILLIS: u64 = 60 * 1_000;

/// Returns the line. `idle_millis` is how long nothing was heard of the task.
#[must_use]
pub fn carry_offer_text(state: &TaskState, texts: &Texts, code: Code, idle_millis: u64) -> String {
    let about = if let Some(goal) = goal(state, texts) {
        format!("goal: {}", quoted(goal, GOAL_CHARS_MAX))
    } else {
        let count = state.in_force().count().saturating_add(state.quotes.len());
        format!("{} in force", entries_words(count))
    };
    format!(
        "Continuity: an open task of this folder, last heard of {} ago ({about}), can be carried \
         over: type `{} {code}` as your whole next message.",
        age(idle_millis),
        Verb::Carry.word(),
    )
}

/// The user's newest goal: confirmed before quoted.
fn goal<'a>(state: &'a TaskState, texts: &'a Texts) -> Option<&'a str> {
    let item = state.of_kind(ItemKind::Goal).last().and_then(|(_, it)| texts.item(&it.draft.body));
    if let Some(text) = item {
        return Some(text.statement.as_str());
    }
    let mut quotes = state.quotes.values().rev();
    let quote = quotes.find(|quote| quote.draft.kind == SignalKind::GoalChange)?;
    texts.quote(&quote.draft.body).map(|text| text.words.as_str())
}

fn age(idle_millis: u64) -> String {
    let minutes = idle_millis / MINUTE_MILLIS;
    let (count, unit) = match minutes {
        0..=119 => (minutes, "minutes"),
        120..=2_879 => (minutes / 60, "hours"),
        _ => (minutes / 1_440, "days"),
    };
    format!("{count} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_told_in_the_largest_unit_that_there_are_two_of() {
        let told = |minutes: u64| age(minutes * MINUTE_MILLIS);
        assert_eq!(told(0), "0 minutes");
        assert_eq!(told(119), "119 minutes");
        assert_eq!(told(120), "2 hours");
        assert_eq!(told(2_879), "47 hours");
        assert_eq!(told(2_880), "2 days");
    }
}
