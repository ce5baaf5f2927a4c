//! One host event: from the host's pipe into the ledger, and the host's own answer back.
//!
//! The host is never harmed: whatever happens, the process ends with 0 within its budget, and
//! nothing but the host's own format reaches stdout. What went wrong is told later, at the next
//! session start and by `verify`.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::domain::host_event::{EventRole, Host, HostEvent, HostReply};
use crate::domain::redact::redact_str;
use crate::domain::task::limits::Limits;
use crate::io::config::Settings;
use crate::io::hosts::{HostSpec, read_payload, spec_of};
use crate::io::wire::{ArmedNote, Home, HomeError};

/// How long a hook may take in all; then the process ends, whatever it is doing.
pub const HOOK_BUDGET: Duration = Duration::from_millis(470);
/// How long before its end the watchdog leaves a note on an event that is still in work.
const NOTE_LEAD: Duration = Duration::from_millis(30);

/// What stands behind `continuity hook`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HookArguments {
    /// The host's name.
    pub host: String,
    /// Value of `--data-root`.
    pub data_root: Option<PathBuf>,
    /// Value of `--events-max`: a longer log than the default, for tasks that go on for weeks.
    pub events_max: Option<u64>,
}

/// Reads what stands behind `continuity hook`; by hand, because a hook starts thousands of times.
///
/// Words that are not known are passed over: an older binary must not fail a newer manifest.
#[must_use]
pub fn parse_arguments(words: impl IntoIterator<Item = OsString>) -> HookArguments {
    let mut arguments = HookArguments::default();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--data-root") => arguments.data_root = words.next().map(PathBuf::from),
            Some("--events-max") => {
                arguments.events_max = words
                    .next()
                    .and_then(|value| value.to_str().and_then(|text| text.parse().ok()));
            }
            Some(text) if !text.starts_with('-') && arguments.host.is_empty() => {
                text.clone_into(&mut arguments.host);
            }
            _ => {}
        }
    }
    arguments
}

/// Answers one event. Never fails and never panics outward; says nothing where anything is wrong.
///
/// While the event is in work, a note on it lies in `armed`.
pub fn answer(
    arguments: HookArguments,
    input: impl Read,
    mut output: impl Write,
    armed: &ArmedNote,
) {
    let answered = catch_unwind(AssertUnwindSafe(|| {
        let spec = Host::from_name(&arguments.host).and_then(spec_of)?;
        let payload = read_payload(input).ok()?;
        let event = Arc::new((spec.parse)(&payload).ok()?);
        let reply = reply(arguments, spec, &event, armed);
        (spec.render)(&event.kind, &reply).ok()
    }));
    if let Ok(Some(bytes)) = answered
        && !bytes.is_empty()
    {
        // A host that has closed its end does not want to know.
        drop(output.write_all(&bytes).and_then(|()| output.flush()));
    }
}

fn reply(
    arguments: HookArguments,
    spec: &HostSpec,
    event: &Arc<HostEvent>,
    armed: &ArmedNote,
) -> HostReply {
    let is_start = event.kind.role() == Some(EventRole::SessionStart);
    let mut settings = Settings::from_environment(arguments.data_root);
    if let Some(events_max) = arguments.events_max {
        settings.limits = Limits { events_max, ..settings.limits };
    }
    let workspace = event.cwd.as_ref().map(|folder| PathBuf::from(folder.as_str()));
    let observed = Home::open(settings, workspace.as_deref().filter(|path| is_rooted(path)))
        .and_then(|home| home.observe_armed(event, armed));
    match observed {
        Ok(Some(receipt)) => within(spec, receipt.reply),
        Err(error) if is_start => HostReply { context: None, notice: off_line(&error) },
        Ok(None) | Err(_) => HostReply::default(),
    }
}

/// A folder that the host names as `/` or not at all holds every data root: it proves nothing.
fn is_rooted(path: &Path) -> bool {
    path.is_absolute() && path.parent().is_some()
}

/// The text was built within the host's bound; one that is not is worse than none.
fn within(spec: &HostSpec, reply: HostReply) -> HostReply {
    let context = reply.context.filter(|text| text.len() <= spec.context_bytes_max);
    HostReply { context, ..reply }
}

/// The one plain line of a task whose ledger cannot be believed, or of a root that is refused.
fn off_line(error: &HomeError) -> Option<String> {
    error.is_worth_a_line().then(|| {
        let words = redact_str(&error.to_string());
        format!("Continuity is off for this task: {words}. {}.", error.way_out())
    })
}

/// Ends the process with 0 when the budget is spent, whatever the other threads are doing; leaves
/// the note in `armed` before, if the event is still in work and the disk lets it.
pub fn start_watchdog(armed: ArmedNote) {
    let watchdog = std::thread::Builder::new().name("watchdog".to_owned()).stack_size(64 * 1024);
    // Without a thread there is no watchdog; the host's own limit is then the bound.
    drop(watchdog.spawn(move || {
        let end = Instant::now() + HOOK_BUDGET;
        std::thread::sleep(HOOK_BUDGET.saturating_sub(NOTE_LEAD));
        if let Some(note) = armed.take() {
            // A thread of its own: a disk that hangs must not keep this one from the end.
            let writer = std::thread::Builder::new().name("missed".to_owned());
            drop(writer.spawn(move || note.leave()));
        }
        std::thread::sleep(end.saturating_duration_since(Instant::now()));
        std::process::exit(0);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn host_and_options_are_found_in_any_order() {
        let expected = HookArguments {
            host: "codex".to_owned(),
            data_root: Some(PathBuf::from("/d")),
            events_max: Some(4000),
        };
        assert_eq!(parse_arguments(words("codex --data-root /d --events-max 4000")), expected);
        assert_eq!(parse_arguments(words("--events-max 4000 --data-root /d codex")), expected);
    }

    #[test]
    fn words_of_a_later_release_are_passed_over() {
        assert_eq!(parse_arguments(words("codex --colour never")).host, "codex");
    }
}
