//! The text that is offered to the agent after a boundary.
//!
//! Entries are ranked by kind first and by authority within a kind; what does not fit is dropped
//! from the end, counted, and named where it is a constraint or an authorization. Same state, same
//! bytes: only the mark line differs.

use super::continuity::{ContinuityView, ItemView, QuoteView, Standing, WorkView};
use super::layout::Layout;
use crate::domain::budget::{
    Budget, ByteCount, RECOVERY_TOKENS_DEFAULT, TokenCount, estimate_tokens,
};
use crate::domain::recovery::Finding;
use crate::domain::signal::SignalKind;
use crate::domain::task::item::{Authority, ItemKind};

/// Tokens set aside for the mark line.
const MARK_TOKENS: TokenCount = TokenCount(70);
/// Bytes set aside for the mark line.
const MARK_BYTES: u32 = 96;

const _: () = assert!(MARK_TOKENS.0 < RECOVERY_TOKENS_DEFAULT.0);

/// A text without its mark line, and what is left out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecoveryContext {
    /// The text; empty if nothing is in force.
    pub body: String,
    /// Its tokens by our estimate, the mark line's included.
    pub tokens: TokenCount,
    /// Entries left out.
    pub omitted_count: usize,
    /// Constraints and authorizations among them.
    pub omitted_names: Vec<String>,
}

/// Returns the whole text of a body and its mark line.
#[must_use]
pub fn with_mark(body: &str, mark: &str) -> String {
    format!("{body}\n{mark}")
}

/// What an entry is about, weightiest first: the order of the text, and what is kept longest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Pin,
    Authorization,
    Constraint,
    Goal,
    Correction,
    Decision,
    Work,
    NextAction,
    Open,
    Fact,
    Completion,
}

impl Rank {
    fn of_item(kind: ItemKind) -> Self {
        match kind {
            ItemKind::Pin => Self::Pin,
            ItemKind::Authorization => Self::Authorization,
            ItemKind::Constraint => Self::Constraint,
            ItemKind::Goal => Self::Goal,
            ItemKind::Correction => Self::Correction,
            ItemKind::Decision => Self::Decision,
            ItemKind::WorkObject => Self::Work,
            ItemKind::NextAction => Self::NextAction,
            ItemKind::Question | ItemKind::Dispute => Self::Open,
            ItemKind::Evidence | ItemKind::Fact => Self::Fact,
            ItemKind::Completion => Self::Completion,
        }
    }

    fn of_signal(kind: SignalKind) -> Self {
        match kind {
            SignalKind::Authorization => Self::Authorization,
            SignalKind::HardConstraint => Self::Constraint,
            SignalKind::GoalChange => Self::Goal,
            SignalKind::Correction | SignalKind::Cancel => Self::Correction,
            SignalKind::Dispute => Self::Open,
            SignalKind::CompletionClaim => Self::Completion,
        }
    }

    fn is_weighty(self) -> bool {
        self <= Self::Correction
    }

    fn is_named_when_omitted(self) -> bool {
        matches!(self, Self::Authorization | Self::Constraint | Self::Pin)
    }
}

/// Whose word stands first within a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    User,
    Checked,
    Quote,
    Inference,
    ReplacedQuote,
}

struct Entry {
    rank: Rank,
    weight: Weight,
    /// Newest first among quotes, oldest first among items.
    order: i64,
    name: String,
    line: String,
}

/// Builds the text; `now` is where the work stands at this very moment.
#[must_use]
pub fn build(
    view: &ContinuityView,
    now: Option<&WorkView>,
    findings: &[Finding],
    budget: &Budget,
    layout: &Layout,
) -> RecoveryContext {
    let entries = entries(view, now, layout);
    if view.items.is_empty() && view.quotes.is_empty() {
        return RecoveryContext {
            body: String::new(),
            tokens: TokenCount(0),
            omitted_count: 0,
            omitted_names: Vec::new(),
        };
    }
    let frame = Frame { view, findings, layout };
    let mut kept = first_guess(&entries, budget);
    loop {
        let context = frame.assemble(&entries, kept);
        let is_weighty = kept
            .checked_sub(1)
            .and_then(|last| entries.get(last))
            .is_none_or(|entry| entry.rank.is_weighty());
        let tokens_max = if is_weighty { budget.tokens_hard_max() } else { budget.tokens_max() };
        let fits = context.tokens <= tokens_max
            && ByteCount::of(&context.body).0.saturating_add(MARK_BYTES) <= budget.bytes_max().0;
        if fits || kept == 0 {
            return context;
        }
        kept -= 1;
    }
}

/// Returns how many entries fit at most: the entries' own cost, without what surrounds them.
fn first_guess(entries: &[Entry], budget: &Budget) -> usize {
    let mut tokens = TokenCount(0);
    let mut bytes = 0u32;
    entries
        .iter()
        .take_while(|entry| {
            tokens = tokens.saturating_add(estimate_tokens(&entry.line));
            bytes = bytes.saturating_add(ByteCount::of(&entry.line).0);
            tokens <= budget.tokens_hard_max() && bytes <= budget.bytes_max().0
        })
        .count()
}

/// What surrounds the entries.
struct Frame<'a> {
    view: &'a ContinuityView,
    findings: &'a [Finding],
    layout: &'a Layout,
}

impl Frame<'_> {
    fn assemble(&self, entries: &[Entry], kept: usize) -> RecoveryContext {
        let omitted = entries.get(kept..).unwrap_or_default();
        let omitted_names: Vec<String> = omitted
            .iter()
            .filter(|entry| entry.rank.is_named_when_omitted())
            .map(|entry| entry.name.clone())
            .collect();
        let mut lines = vec![(self.layout.header)(self.view)];
        lines.extend(entries.iter().take(kept).map(|entry| entry.line.clone()));
        lines.push((self.layout.findings)(self.findings));
        lines.push((self.layout.omitted)(omitted.len(), &omitted_names));
        lines.retain(|line| !line.is_empty());
        let body = lines.join("\n");
        let tokens = estimate_tokens(&body).saturating_add(MARK_TOKENS);
        RecoveryContext { body, tokens, omitted_count: omitted.len(), omitted_names }
    }
}

fn entries(view: &ContinuityView, now: Option<&WorkView>, layout: &Layout) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for (order, item) in (0i64..).zip(&view.items) {
        if is_worth_a_line(item) {
            entries.push(Entry {
                rank: Rank::of_item(item.kind),
                weight: item_weight(item.authority),
                order,
                name: item.id.clone(),
                line: (layout.item)(item, view),
            });
        }
    }
    for (order, quote) in (0i64..).zip(&view.quotes) {
        entries.push(Entry {
            rank: Rank::of_signal(quote.kind),
            weight: quote_weight(quote),
            order: -order,
            name: quote.id.clone(),
            line: (layout.quote)(quote),
        });
    }
    let line = (layout.work)(view.work.as_ref(), now);
    if !line.is_empty() {
        let name = "work".to_owned();
        entries.push(Entry { rank: Rank::Work, weight: Weight::Checked, order: 0, name, line });
    }
    entries.sort_by_key(|entry| (entry.rank, entry.weight, entry.order));
    entries
}

/// A decision whose reason is not known changes nothing: it stays a record.
fn is_worth_a_line(item: &ItemView) -> bool {
    item.kind != ItemKind::Decision || item.rationale.is_some() || item.statement.is_none()
}

fn item_weight(authority: Authority) -> Weight {
    match authority {
        Authority::User => Weight::User,
        Authority::VerifiedEvidence => Weight::Checked,
        Authority::AgentInference => Weight::Inference,
    }
}

fn quote_weight(quote: &QuoteView) -> Weight {
    match quote.standing {
        Standing::Current => Weight::Quote,
        Standing::PossiblyReplaced => Weight::ReplacedQuote,
    }
}
