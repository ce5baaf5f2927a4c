//! What happened, in words for people.

use super::view_text::{purpose_words, signal_words};
use crate::domain::event::{Event, MarkReason, ResetKind};
use crate::domain::signal::SignalSet;
use crate::domain::task::item::Corroboration;
use crate::domain::task::proposal::ProposalOutcome;
use crate::domain::task::quote::QuoteClosure;
use crate::domain::task::transition::{Arrival, BoundaryKind, CompactionTrigger};

/// Says what an event is; texts are not in events, and not in the answer.
pub(super) fn event_words(event: &Event) -> String {
    match event {
        Event::TaskOpened { predecessor: None, .. } => "the task begins".to_owned(),
        Event::TaskOpened { predecessor: Some(predecessor), .. } => {
            format!("the task takes over from {}", predecessor.task.short())
        }
        Event::KeyCreated { number } => format!("key {number} for digests is in use"),
        Event::SessionJoined { session, .. } => {
            let session = session.to_string();
            format!("a host session joins ({})", session.get(..8).unwrap_or_default())
        }
        Event::PromptSeen { length_chars, signals, .. } => {
            format!("a prompt of {length_chars} characters, {}", signals_words(*signals))
        }
        Event::ModelSeen { .. } => "a model that was not seen before answers".to_owned(),
        Event::QuoteRecorded { quote, draft } => {
            format!("your words are kept as {quote}, {}", signal_words(draft.kind))
        }
        Event::QuotesClosed { quotes, closure } => {
            let why = match closure {
                QuoteClosure::Crowded => "made room for newer ones",
                QuoteClosure::Confirmed => "an item says it now",
                QuoteClosure::Reset => "the task was emptied",
                QuoteClosure::Withdrawn => "withdrawn",
                QuoteClosure::SaidAgain => "later words say the same",
                QuoteClosure::Overtaken => "overtaken by later words",
                QuoteClosure::Spent => "old, or outnumbered by newer ones of the kind",
            };
            format!("{} no longer carried: {why}", names(quotes))
        }
        Event::WorkObjectSeen { commit: Some(commit), .. } => {
            format!("the work stands at commit {}", commit.short())
        }
        Event::WorkObjectSeen { commit: None, .. } => "where the work stands was seen".to_owned(),
        Event::ItemRecorded { item, draft, status } => {
            let (kind, authority) = (draft.kind.name(), draft.authority.name());
            let replaces = if draft.supersedes.is_empty() {
                String::new()
            } else {
                format!(", replaces {}", names(&draft.supersedes))
            };
            format!("{item} is recorded: {kind}, {}, from {authority}{replaces}", status.name())
        }
        Event::ItemsMarked { items, status, reason } => {
            format!("{} {}: {}", names(items), status.name(), reason_words(*reason))
        }
        other => later_words(other),
    }
}

/// The second part: proposals, and what comes of them.
fn later_words(event: &Event) -> String {
    match event {
        Event::ProposalOpened { proposal, draft } => {
            format!(
                "{proposal} ({}) waits for your yes: {}",
                draft.code,
                purpose_words(draft.purpose, draft.items.len())
            )
        }
        Event::ProposalEnded { proposal, outcome } => {
            let how = match outcome {
                ProposalOutcome::Confirmed => "confirmed by you",
                ProposalOutcome::Rejected => "refused by you",
                ProposalOutcome::Expired => "not answered in time",
                ProposalOutcome::Stale => "overtaken by a change",
                ProposalOutcome::Reset => "the task was emptied",
                ProposalOutcome::Guessed => "too many wrong codes were typed",
            };
            format!("{proposal} ended: {how}")
        }
        Event::ProposalsShown { proposals } => format!("{} shown to you", names(proposals)),
        Event::CodeMissed { misses } => format!("a code that names nothing was typed ({misses})"),
        Event::ConfirmationUndone { proposal } => format!("{proposal} taken back by you"),
        Event::CarriedOver { carried } => {
            let count = carried.items.len().saturating_add(carried.quotes.len());
            format!("everything in force was carried over: {count} entries")
        }
        Event::TaskRolledOver { successor } => {
            format!("task {} took over what was in force", successor.short())
        }
        other => boundary_words(other),
    }
}

/// The third part: boundaries and what belongs to them.
fn boundary_words(event: &Event) -> String {
    match event {
        Event::SnapshotTaken { mark } => format!("snapshot {} taken", mark.snapshot),
        Event::TransitionOpened { epoch, kind, trigger, is_announced, .. } => {
            let ahead = if *is_announced { "announced" } else { "noticed" };
            let who = match (kind, trigger) {
                (BoundaryKind::Compaction, CompactionTrigger::Manual) => " (manual)",
                (BoundaryKind::Compaction, CompactionTrigger::Auto) => " (automatic)",
                _ => "",
            };
            format!("{epoch}: {}{who} {ahead}", kind.name())
        }
        Event::CompactionCompleted { epoch } => format!("{epoch}: the compaction happened"),
        Event::RecoveryAssessed { epoch, class, findings, .. } => {
            let found: Vec<_> = findings.iter().map(|finding| finding.sentence()).collect();
            let found =
                if found.is_empty() { "nothing differs".to_owned() } else { found.join("; ") };
            format!("{epoch}: compared, {}: {found}", class.name())
        }
        Event::BoundaryCrossed { epoch, .. } => {
            format!("{epoch}: the host started the session behind it")
        }
        Event::ItemsCorroborated { items, corroboration } => {
            let answer = match corroboration {
                Corroboration::Found => "the host's transcript shows your confirmation",
                Corroboration::Contradicted => "the host's transcript lacks your confirmation",
                Corroboration::Uncheckable => "your confirmation could not be looked up",
            };
            format!("{}: {answer}", names(items))
        }
        Event::RecoveryOffered { epoch, offer } => {
            let offered = if offer.attempt > 1 { "offered again" } else { "offered" };
            format!(
                "{epoch}: {offered}, {} tokens, {} entries left out",
                offer.tokens, offer.omitted
            )
        }
        Event::OfferLookedUp { epoch, arrival } => {
            let answer = match arrival {
                Arrival::Found => "the offer arrived",
                Arrival::NotFound => "the offer was not found in the host's transcript",
                Arrival::Uncheckable => "whether the offer arrived cannot be checked",
            };
            format!("{epoch}: {answer}")
        }
        other => task_words(other),
    }
}

/// The last part: sub-agents, sessions, and what concerns the task as a whole.
fn task_words(event: &Event) -> String {
    match event {
        Event::ChildStarted { .. } => "a sub-agent started".to_owned(),
        Event::ChildEnded { .. } => "a sub-agent ended".to_owned(),
        Event::SessionEnded { .. } => "the host session ended".to_owned(),
        Event::TaskReset { kind: ResetKind::Reset } => "the task was emptied by you".to_owned(),
        Event::TaskReset { kind: ResetKind::Cleared } => "the session was cleared".to_owned(),
        Event::ProtectionSwitched { is_on: true } => "recording was switched on".to_owned(),
        Event::ProtectionSwitched { is_on: false } => "recording was switched off".to_owned(),
        Event::MissedNotesTaken { count } => format!("{count} events could not be recorded"),
        Event::RollbackAccepted { remembered } => {
            format!("you accepted a log that ends before record {remembered}, or differs from it")
        }
        Event::Unrecognised { kind, version } => {
            format!("an event of a newer release (kind {kind}, version {version})")
        }
        _ => "an event".to_owned(),
    }
}

const fn reason_words(reason: MarkReason) -> &'static str {
    match reason {
        MarkReason::BoundaryCrossed => "a boundary was crossed",
        MarkReason::VersionMoved => "the work is at another version",
        MarkReason::Withdrawn => "done with",
        MarkReason::Contested => "another item contests it",
        MarkReason::Settled => "a dispute was settled",
        MarkReason::Contradicted => "the host's transcript contradicts the confirmation",
        MarkReason::Reset => "the task was emptied",
    }
}

fn signals_words(signals: SignalSet) -> String {
    let kinds: Vec<_> = signals.kinds().map(signal_words).collect();
    if kinds.is_empty() {
        return "no signal: no text of it is kept".to_owned();
    }
    format!("with a signal: {}", kinds.join(", "))
}

fn names<T: ToString>(ids: &[T]) -> String {
    ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
