//! When quotes close by rule, so that nobody has to tidy up after a task.
//!
//! Four rules, in this order, at every prompt:
//!
//! 1. *Said again*: words that say the same close what they repeat. Where only their marks are the
//!    same, the first and the newest stand, and those in between close.
//! 2. *Overtaken*: what later words overtook closes once these have stood for
//!    [`OVERTAKEN_AGE`]. The newest goal is only marked: no guess takes the aim away.
//! 3. *Spent*: what is old closes, as [`quote_life`] says by kind; so do the oldest where more than
//!    a kind's share are open. Constraints never do. Later words stay while a goal or a constraint
//!    that they possibly replace is open.
//! 4. *Crowded*: past the limit of all kinds the lightest close, the newest goal last.
//!
//! Ages are counted in prompts and boundaries, never in time. Nothing grows old while a boundary
//! waits for its comparison: what is compared is what was there before it. A closed quote stays in
//! the log, and is counted.

use std::collections::{BTreeMap, BTreeSet};

use super::TaskState;
use super::command::{Facts, PromptObserved};
use super::limits::{OVERTAKEN_AGE, QuoteAge, QuoteLife, quote_life};
use super::quote::{Moment, Quote, QuoteClosure, QuoteDraft, take_up, weight};
use super::transition::Transition;
use crate::domain::chain::Sequence;
use crate::domain::event::Event;
use crate::domain::ids::QuoteId;
use crate::domain::signal::SignalKind;

/// Open quotes as they stand once the prompt's own are among them.
type Open = BTreeMap<QuoteId, Quote>;

/// Records the prompt's quotes and closes what they, or the course of the task, leave behind.
pub(super) fn take_up_quotes(
    state: &TaskState,
    prompt: &PromptObserved,
    facts: &Facts,
) -> Vec<Event> {
    let before = state.moment();
    let now = Moment { prompt: before.prompt.saturating_add(1), ..before };
    let mut open = state.quotes.clone();
    let mut events = Vec::new();
    let mut number = state.quote_count;
    for draft in &prompt.quotes {
        number = number.saturating_add(1);
        let quote = QuoteId::new(number);
        // No rule reads the record's number, which is not known yet.
        let recorded_in = Sequence::new(0);
        let words = Quote::new(draft.clone(), facts.now, recorded_in, now, Some(prompt.digest));
        take_up(&mut open, quote, words);
        events.push(Event::QuoteRecorded { quote, draft: draft.clone() });
    }
    let mut close = |open: &mut Open, quotes: BTreeSet<QuoteId>, closure: QuoteClosure| {
        open.retain(|id, _| !quotes.contains(id));
        if !quotes.is_empty() {
            events.push(Event::QuotesClosed { quotes: quotes.into_iter().collect(), closure });
        }
    };
    let quotes = said_again(&open, now);
    close(&mut open, quotes, QuoteClosure::SaidAgain);
    if !state.transition.as_ref().is_some_and(Transition::is_pending) {
        let (repeated, overtaken) = overtaken(&open, now);
        close(&mut open, repeated, QuoteClosure::SaidAgain);
        close(&mut open, overtaken, QuoteClosure::Overtaken);
        let quotes = spent(&open, now);
        close(&mut open, quotes, QuoteClosure::Spent);
    }
    let goal = newest_goal(&open);
    let worths = open.iter().map(|(id, quote)| (*id, worth(*id, quote, goal))).collect();
    events.extend(crowd_out(worths, facts.limits.quotes_open_max));
    events
}

/// Records quotes that were said elsewhere; the next prompt finds them as any others.
pub(super) fn take_in(state: &TaskState, quotes: &[QuoteDraft], facts: &Facts) -> Vec<Event> {
    let mut open = state.quotes.clone();
    let mut events = Vec::new();
    let mut number = state.quote_count;
    for draft in quotes {
        number = number.saturating_add(1);
        let (quote, recorded_in) = (QuoteId::new(number), Sequence::new(0));
        let words = Quote::new(draft.clone(), facts.now, recorded_in, state.moment(), None);
        take_up(&mut open, quote, words);
        events.push(Event::QuoteRecorded { quote, draft: draft.clone() });
    }
    let goal = newest_goal(&open);
    let worths = open.iter().map(|(id, quote)| (*id, worth(*id, quote, goal))).collect();
    events.extend(crowd_out(worths, facts.limits.quotes_open_max));
    events
}

/// Returns what the newest prompt says again.
fn said_again(open: &Open, now: Moment) -> BTreeSet<QuoteId> {
    let (new, earlier): (Vec<_>, Vec<_>) =
        open.iter().partition(|(_, quote)| quote.said.prompt == now.prompt);
    let mut closed = BTreeSet::new();
    let mut firsts: Vec<&Quote> = Vec::new();
    for (id, quote) in earlier {
        let is_repeated = new.iter().any(|(_, later)| later.says_the_same_as(quote));
        let is_between = firsts.iter().any(|first| first.is_like(quote))
            && new.iter().any(|(_, later)| later.is_like(quote));
        if is_repeated || is_between {
            closed.insert(*id);
        } else {
            firsts.push(quote);
        }
    }
    closed
}

/// Returns what was overtaken long enough ago: by words alike, and by others.
fn overtaken(open: &Open, now: Moment) -> (BTreeSet<QuoteId>, BTreeSet<QuoteId>) {
    let newest_goal = newest_goal(open);
    let is_due = |id: &QuoteId, quote: &Quote| {
        quote.overtaken.is_some_and(|overtaken| is_old(overtaken.at, now, OVERTAKEN_AGE))
            && newest_goal != Some(*id)
    };
    let due = open.iter().filter(|(id, quote)| is_due(id, quote));
    let (repeated, replaced): (Vec<_>, Vec<_>) = due.partition(|(id, quote)| {
        open.iter().any(|(later, words)| later > *id && words.is_like(quote))
    });
    let ids = |quotes: Vec<(&QuoteId, &Quote)>| quotes.into_iter().map(|(id, _)| *id).collect();
    (ids(repeated), ids(replaced))
}

/// Returns what is old, and what is too much of one kind.
fn spent(open: &Open, now: Moment) -> BTreeSet<QuoteId> {
    let is_lasting = |quote: &&Quote| {
        matches!(quote.kept_as, SignalKind::HardConstraint | SignalKind::GoalChange)
    };
    let awaited: BTreeSet<QuoteId> =
        open.values().filter(is_lasting).filter_map(|quote| quote.possibly_replaced_by).collect();
    let lives = SignalKind::ALL.into_iter().filter_map(|kind| Some((kind, quote_life(kind)?)));
    let closed = lives.flat_map(|(kind, life)| {
        let of_kind = open.iter().rev().filter(|(_, quote)| quote.kept_as == kind).collect();
        spent_of_kind(of_kind, &awaited, &life, now)
    });
    closed.collect()
}

/// `newest_first` holds all open quotes of one kind.
fn spent_of_kind(
    newest_first: Vec<(&QuoteId, &Quote)>,
    awaited: &BTreeSet<QuoteId>,
    life: &QuoteLife,
    now: Moment,
) -> Vec<QuoteId> {
    let ranked = newest_first.into_iter().enumerate();
    let (mut closed, mut left): (Vec<_>, Vec<_>) =
        ranked.map(|(rank, (id, quote))| (rank, *id, quote)).partition(|(rank, id, quote)| {
            *rank >= life.newest_kept && is_old(quote.said, now, life.age) && !awaited.contains(id)
        });
    left.sort_by_key(|(rank, id, _)| (!awaited.contains(id), *rank));
    closed.extend(left.into_iter().skip(life.open_max));
    closed.into_iter().map(|(_, id, _)| id).collect()
}

fn is_old(since: Moment, now: Moment, age: QuoteAge) -> bool {
    let prompts = now.prompt.saturating_sub(since.prompt);
    let is_behind_boundary = now.crossing > since.crossing;
    prompts >= age.alone_prompts || (is_behind_boundary && prompts >= age.behind_boundary_prompts)
}

/// The aim is worth more than any rule about the way there; what was overtaken is worth less than
/// anything that still stands.
fn worth(id: QuoteId, quote: &Quote, newest_goal: Option<QuoteId>) -> u8 {
    if newest_goal == Some(id) {
        u8::MAX
    } else if quote.overtaken.is_some() {
        0
    } else {
        weight(quote.kept_as)
    }
}

fn newest_goal(open: &Open) -> Option<QuoteId> {
    let goals = open.iter().filter(|(_, quote)| quote.draft.kind == SignalKind::GoalChange);
    goals.map(|(id, _)| *id).next_back()
}

/// Closes what is too much: the least worth first, among equals the oldest.
pub(super) fn crowd_out(mut open: Vec<(QuoteId, u8)>, open_max: usize) -> Option<Event> {
    let excess = open.len().checked_sub(open_max).filter(|excess| *excess > 0)?;
    open.sort_by_key(|(quote, worth)| (*worth, *quote));
    let mut quotes: Vec<QuoteId> = open.into_iter().take(excess).map(|(id, _)| id).collect();
    quotes.sort_unstable();
    Some(Event::QuotesClosed { quotes, closure: QuoteClosure::Crowded })
}
