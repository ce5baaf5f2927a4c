//! The view as text for people.

use std::io::{self, Write};
use std::path::Path;

use super::stage::{path_words, stored_name, stored_words};
use crate::actors::store::Folded;
use crate::domain::chain::Basis;
use crate::domain::origin::Channel;
use crate::domain::signal::SignalKind;
use crate::domain::task::item::{Authority, Corroboration, Verification};
use crate::domain::task::proposal::Purpose;
use crate::domain::task::quote::Stance;
use crate::domain::task::transition::{Arrival, CompactionTrigger};
use crate::readmodels::continuity::{
    BoundaryView, CheckoutKind, ContinuityView, Gap, ItemView, ProposalView, QuoteView,
};

/// Prints the view.
pub(super) fn print(
    view: &ContinuityView,
    folded: &Folded,
    place: &Path,
    out: &mut impl Write,
) -> io::Result<()> {
    let task = view.task_ref.get(..6).unwrap_or(&view.task_ref);
    let recording = if view.is_recording { "on" } else { "off" };
    writeln!(out, "task {task}   recording is {recording}   head {}", view.head)?;
    writeln!(out, "kept in {}{}", path_words(place), volatile_words(view.is_durable))?;
    items(view, out)?;
    quotes(view, out)?;
    proposals(view, out)?;
    work(view, out)?;
    boundary(view.boundary.as_ref(), out)?;
    if view.open_children > 0 {
        writeln!(out, "\nSub-agents that have not ended: {}", view.open_children)?;
    }
    gaps(view, out)?;
    let used = view.use_of_log;
    writeln!(
        out,
        "\nLog: {} of {} events, {} of {} KiB",
        used.events,
        used.events_max,
        used.bytes.div_ceil(1024),
        used.bytes_max / 1024,
    )?;
    writeln!(out, "Basis: {}", basis_words(Some(view.basis)))?;
    if folded.torn_bytes > 0 {
        let torn = folded.torn_bytes;
        writeln!(out, "Behind: {torn} bytes at the end are no whole record; a write was cut off")?;
    }
    Ok(())
}

fn volatile_words(is_durable: bool) -> &'static str {
    if is_durable {
        ""
    } else {
        "\nVolatile: this place may be gone after a restart of the machine"
    }
}

/// Says how much of the log was verified.
pub(super) fn basis_words(basis: Option<Basis>) -> String {
    match basis {
        None => "the log could not be verified to its end".to_owned(),
        Some(Basis::Full) => "every record and link of the log was verified".to_owned(),
        Some(Basis::Since(sequence)) => format!(
            "records after {sequence} were verified, earlier ones come from a checkpoint; \
             `continuity verify` reads all"
        ),
    }
}

fn items(view: &ContinuityView, out: &mut impl Write) -> io::Result<()> {
    if view.items.is_empty() {
        return writeln!(out, "\nItems in force: none");
    }
    writeln!(out, "\nItems in force")?;
    for item in &view.items {
        item_lines(item, out)?;
    }
    Ok(())
}

fn item_lines(item: &ItemView, out: &mut impl Write) -> io::Result<()> {
    let (id, kind, status) = (&item.id, item.kind.name(), item.status.name());
    let words = stored_words(item.statement.as_deref());
    writeln!(out, "  {id}  {kind}, {status}: {words}")?;
    if let Some(rationale) = &item.rationale {
        writeln!(out, "      because {}", stored_words(Some(rationale)))?;
    }
    let checked = match item.verification {
        Verification::None => "not checked",
        Verification::Claimed => "claimed, not checked",
        Verification::Checked => "checked",
    };
    let source = item.source_ref.as_deref().map(stored_name).unwrap_or_default();
    let authority = item.authority.name();
    writeln!(out, "      from {authority}, {checked}, {} {source}", item.recorded_at)?;
    if item.authority == Authority::User {
        let confirmed = confirmed_words(item.channel, item.corroboration);
        writeln!(out, "      confirmed {confirmed}")?;
    }
    if !item.supersedes.is_empty() {
        writeln!(out, "      replaces {}", item.supersedes.join(", "))?;
    }
    Ok(())
}

/// Says through which door the user's yes came, and whether the host's transcript shows it.
pub(super) fn confirmed_words(channel: Channel, corroboration: Option<Corroboration>) -> String {
    let door = match channel {
        Channel::HostPrompt => "by a prompt of yours",
        Channel::OperatorTerminal => return "by you, on the command line".to_owned(),
        Channel::ControlHttp => return "by you, with the control bearer".to_owned(),
        _ => return "in the task that this one took over from".to_owned(),
    };
    let seen = match corroboration {
        None => "not looked up in the host's transcript yet",
        Some(Corroboration::Found) => "and the host's transcript shows it",
        Some(Corroboration::Contradicted) => "but the host's transcript lacks it",
        Some(Corroboration::Uncheckable) => "which could not be looked up",
    };
    format!("{door}, {seen}")
}

fn proposals(view: &ContinuityView, out: &mut impl Write) -> io::Result<()> {
    if view.proposals.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nWaits for your yes; nothing of it is in force")?;
    for proposal in &view.proposals {
        let ProposalView { id, code, purpose, expires_at, .. } = proposal;
        let what = purpose_words(*purpose, proposal.items);
        writeln!(out, "  {id}  {code}: {what}, until {expires_at}")?;
    }
    Ok(())
}

/// Says what a yes brings about.
pub(super) fn purpose_words(purpose: Purpose, items: usize) -> String {
    match purpose {
        Purpose::Items if items == 1 => "1 item".to_owned(),
        Purpose::Items => format!("{items} items"),
        Purpose::SwitchOff => "recording off".to_owned(),
        Purpose::SwitchOn => "recording on".to_owned(),
        Purpose::Reset => "a reset".to_owned(),
        Purpose::Delete => "deletion".to_owned(),
        Purpose::RollOver => "a new log".to_owned(),
    }
}

fn quotes(view: &ContinuityView, out: &mut impl Write) -> io::Result<()> {
    if view.quotes.is_empty() {
        return writeln!(out, "Your words: none that carry a signal");
    }
    writeln!(out, "\nYour words, as you wrote them; how to read them is not confirmed")?;
    for quote in &view.quotes {
        quote_lines(quote, out)?;
    }
    Ok(())
}

fn quote_lines(quote: &QuoteView, out: &mut impl Write) -> io::Result<()> {
    let words = stored_words(quote.words.as_deref());
    writeln!(out, "  {}  {}: {words}", quote.id, signal_words(quote.kind))?;
    let replaced = match &quote.possibly_replaced_by {
        Some(later) => format!("; possibly replaced by {later}"),
        None => String::new(),
    };
    let act = match (quote.act, quote.stance) {
        (Some(act), Some(stance)) => {
            let target = quote.target.as_deref().map(stored_name);
            let target = target.map(|target| format!(" on {target}")).unwrap_or_default();
            format!("; {}{target} {}", act.name(), stance_words(stance))
        }
        _ => String::new(),
    };
    writeln!(out, "      from your prompt, {}{act}{replaced}", quote.said_at)
}

/// Says what a signal is.
pub(super) const fn signal_words(kind: SignalKind) -> &'static str {
    match kind {
        SignalKind::HardConstraint => "constraint",
        SignalKind::Authorization => "authorization",
        SignalKind::Correction => "correction",
        SignalKind::GoalChange => "goal",
        SignalKind::Cancel => "cancelled",
        SignalKind::Dispute => "dispute",
        SignalKind::CompletionClaim => "said to be done",
    }
}

/// Says what words make of an act.
pub(super) const fn stance_words(stance: Stance) -> &'static str {
    match stance {
        Stance::Allowed => "is allowed",
        Stance::Forbidden => "is forbidden",
        Stance::NeedsYes => "waits for your yes",
    }
}

fn work(view: &ContinuityView, out: &mut impl Write) -> io::Result<()> {
    let Some(work) = &view.work else { return Ok(()) };
    writeln!(out, "\nWork, as last seen")?;
    let path = work.path.as_deref().map_or("(not known)".to_owned(), stored_name);
    writeln!(out, "  folder {path}")?;
    match (&work.branch, work.checkout) {
        (Some(branch), Some(CheckoutKind::Unborn)) => {
            writeln!(out, "  branch {}, no commit yet", stored_name(branch))?;
        }
        (Some(branch), _) => writeln!(out, "  branch {}", stored_name(branch))?,
        (None, Some(_)) => writeln!(out, "  branch none; HEAD is detached")?,
        (None, None) => {}
    }
    if let Some(commit) = &work.commit {
        writeln!(out, "  commit {}", commit.get(..12).unwrap_or(commit))?;
    }
    Ok(())
}

fn boundary(boundary: Option<&BoundaryView>, out: &mut impl Write) -> io::Result<()> {
    let Some(boundary) = boundary else {
        return writeln!(out, "\nNewest boundary: none yet");
    };
    let trigger = match boundary.trigger {
        CompactionTrigger::Manual => ", asked for by the user",
        CompactionTrigger::Auto => ", by the host itself",
        CompactionTrigger::Unknown => "",
    };
    let (epoch, kind) = (&boundary.epoch, boundary.kind.name());
    writeln!(out, "\nNewest boundary: {epoch}, {kind}{trigger}, {}", boundary.opened_at)?;
    match boundary.class {
        Some(class) => writeln!(out, "  compared: {}", class.name())?,
        None => writeln!(out, "  not compared yet")?,
    }
    if let Some(tokens) = boundary.offered_tokens {
        let (offers, omitted) = (boundary.offers, boundary.omitted.unwrap_or(0));
        let arrival = match boundary.arrival {
            Some(Arrival::Found) => "it arrived",
            Some(Arrival::NotFound) => "it was not found in the host's transcript",
            Some(Arrival::Uncheckable) => "the host's transcript could not be read",
            None => "whether it arrived was not looked up yet",
        };
        writeln!(out, "  offer {offers}: {tokens} tokens, {omitted} entries left out; {arrival}")?;
    }
    Ok(())
}

fn gaps(view: &ContinuityView, out: &mut impl Write) -> io::Result<()> {
    if view.gaps.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nNot known, or not there")?;
    for gap in &view.gaps {
        let closed = view.quotes_closed;
        match gap {
            Gap::QuotesCrowdedOut => {
                writeln!(out, "  older quotes made room for newer ones ({})", closed.crowded_out)?;
            }
            Gap::QuotesClosed => writeln!(
                out,
                "  quotes closed by rule: {} overtaken by later words, {} old; `continuity log` \
                 names them",
                closed.overtaken, closed.spent
            )?,
            other => writeln!(out, "  {}", gap_words(*other))?,
        }
    }
    Ok(())
}

const fn gap_words(gap: Gap) -> &'static str {
    match gap {
        Gap::NoGoal => "no words of yours say what the work is for",
        Gap::NoWorkObject => "where the work stands was never seen",
        Gap::TextMissing => "the text of an entry in force is missing",
        Gap::EventsMissed => "some events may not have been recorded",
        Gap::QuotesCrowdedOut => "older quotes made room for newer ones",
        Gap::QuotesClosed => "older quotes were closed by rule",
        Gap::EventsUnrecognised => "the log holds events of a newer release",
        Gap::BoundaryOpen => "a boundary was announced; whether it was crossed is unknown",
        Gap::LogNearlyFull => "the log is nearly full",
    }
}
