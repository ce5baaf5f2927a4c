//! A new conversation in a folder with one open task, and every reason to say nothing of it.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use context_continuity::actors::store::{Depth, TaskStore};
use context_continuity::actors::world::World;
use context_continuity::actors::writer::{Observed, Step, TaskWriter};
use context_continuity::domain::budget::{Budget, ByteCount, RECOVERY_TOKENS_DEFAULT};
use context_continuity::domain::host_event::{Host, HostEvent, HostEventKind, HostId, HostPath};
use context_continuity::domain::ids::TaskRef;
use context_continuity::domain::ports::{Clock, Ledger as _};
use context_continuity::domain::task::TaskState;
use context_continuity::domain::task::item::ItemKind;
use context_continuity::domain::task::limits::Limits;
use context_continuity::domain::task::proposal::Purpose;
use context_continuity::domain::text::UntrustedText;
use context_continuity::domain::time::Timestamp;
use context_continuity::io::clock::{SystemClock, SystemEntropy};
use context_continuity::io::root::Lookup;
use context_continuity::io::wire::{HostTranscripts, Workspaces};

use crate::killed::{is_there, killed_at};
use crate::support::records::Item;
use crate::support::{Event, TestHome, scan};

const RULE: &str = "Never push without my yes.";
const GOAL: &str = "Make the parser bounded.";
const TODAY: &str = "01900000-0000-7000-8000-0000000000d1";
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1_000;

/// A task with a rule and a goal, whose session is over.
fn yesterday() -> TestHome {
    let home = TestHome::new();
    home.send_silent(&[Event::start("startup"), Event::prompt("t1", RULE)]);
    home.record(&[Item::of_user(ItemKind::Goal, GOAL)]);
    home.send_silent(&[Event::stop(), Event::end()]);
    home
}

fn today(event: Event) -> Event {
    event.of_session(TODAY)
}

fn offer(home: &TestHome) -> Option<String> {
    let answer = home.send(&today(Event::start("startup")));
    answer.assert_own_form();
    assert_eq!(answer.plain_context(), None);
    answer.notice()
}

fn code_in(notice: &str) -> String {
    let code = notice.split('`').find_map(|part| part.strip_prefix("carry "));
    code.expect(notice).to_owned()
}

fn state_of(home: &TestHome, task: TaskRef) -> TaskState {
    home.home().read(task, Depth::Full).expect("a whole log").0.state
}

fn task_of_today(home: &TestHome) -> Lookup {
    let key = home.home().root().session_key("codex", TODAY).unwrap();
    home.home().root().lookup(key).unwrap()
}

#[test]
fn the_one_open_task_of_the_folder_is_offered_by_one_line_that_writes_nothing() {
    let home = yesterday();
    let before = scan::contents(&home.root);
    let line = offer(&home).unwrap();
    let code = code_in(&line);
    assert_eq!(
        line,
        format!(
            "Continuity: an open task of this folder, last heard of 0 minutes ago (goal: \
             “{GOAL}”), can be carried over: type `carry {code}` as your whole next message."
        )
    );
    assert_eq!(scan::contents(&home.root), before);
    assert_eq!(offer(&home).unwrap(), line);
}

#[test]
fn the_code_as_the_first_message_carries_the_task_over_and_says_what_is_in_force() {
    let home = yesterday();
    let task = home.only_task();
    let code = code_in(&offer(&home).unwrap());
    let carry = today(Event::prompt("d1", &format!("carry {code}")));
    let answer = home.send(&carry);
    let text = answer.context().unwrap();
    assert!(text.contains(RULE) && text.contains(GOAL), "{text}");
    assert_eq!(
        answer.notice().unwrap(),
        format!(
            "Continuity: task {} is carried over, with 2 entries in force. `continuity view` shows \
             them.",
            task.short()
        )
    );
    assert_eq!(home.only_task(), task);
    assert_eq!(state_of(&home, task).sessions.len(), 2);
    home.send(&carry).assert_silent();
    home.send_silent(&[today(Event::prompt("d2", "Never touch prod."))]);
    assert_eq!(state_of(&home, task).quotes.len(), 2);
    home.verify();
}

#[test]
fn a_host_that_reports_the_start_with_the_first_prompt_takes_the_code_as_the_second_message() {
    let home = yesterday();
    let old = home.only_task();
    let code = code_in(&offer(&home).unwrap());
    home.send_silent(&[
        today(Event::prompt("d1", "Never touch the prod database.")),
        today(Event::stop()),
    ]);
    let Lookup::Task(begun) = task_of_today(&home) else { panic!("no task of today") };
    let answer = home.send(&today(Event::prompt("d2", &format!("继续{code}"))));
    let text = answer.context().unwrap();
    for words in [RULE, GOAL, "Never touch the prod database."] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(answer.notice().unwrap().contains("is carried over, with 3 entries"));
    assert_eq!(task_of_today(&home), Lookup::Task(old));
    assert_eq!(state_of(&home, begun).successor, Some(old));
    home.send_silent(&[today(Event::prompt("d3", "Never deploy on a Friday."))]);
    assert_eq!(state_of(&home, old).quotes.len(), 3);
    home.verify();
    // The task that had only begun is no open task any more.
    home.send_silent(&[today(Event::end())]);
    let next = home.send(&Event::start("startup").of_session("tomorrow")).notice().unwrap();
    assert!(next.contains(GOAL), "{next}");
}

#[test]
fn what_stops_between_the_two_tasks_is_finished_by_the_next_event() {
    let home = yesterday();
    let old = home.only_task();
    offer(&home).unwrap();
    home.send_silent(&[today(Event::prompt("d1", "Never touch the prod database."))]);
    let Lookup::Task(begun) = task_of_today(&home) else { panic!("no task of today") };
    // As far as a process came that was stopped once the word was recorded.
    home.home().link(begun, old).unwrap();
    home.send_silent(&[today(Event::stop())]);
    let text = home.send(&today(Event::prompt("d2", "go on"))).context().unwrap();
    for words in [RULE, GOAL, "Never touch the prod database."] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!(task_of_today(&home), Lookup::Task(old));
    assert_eq!(state_of(&home, old).quotes.len(), 2);
    home.verify();
}

// covers: P-158
#[test]
fn a_hook_that_is_killed_while_it_carries_a_task_over_has_it_done_by_the_next_code() {
    if !is_there("strace") {
        println!("skipped: strace is not installed");
        return;
    }
    for call in ["pwrite64", "fsync", "renameat", "flock"] {
        for number in 1.. {
            let home = yesterday();
            let old = home.only_task();
            let code = code_in(&offer(&home).unwrap());
            home.send_silent(&[today(Event::prompt("d1", "Never touch the prod database."))]);
            let carry = |turn: &str| today(Event::prompt(turn, &format!("carry {code}")));
            if killed_at(&home, call, number, &carry("d2")) {
                break;
            }
            let again = home.send(&carry("d3"));
            again.assert_own_form();
            assert_eq!(task_of_today(&home), Lookup::Task(old), "{call} {number}");
            let quotes = state_of(&home, old).quotes.len();
            assert_eq!(quotes, 2, "{call} {number}");
            let is_told = again.plain_context().is_some_and(|text| text.contains(GOAL));
            let is_offered = state_of(&home, old).transition.is_some_and(|it| it.offer.is_some());
            assert!(is_told || is_offered, "{call} {number}: {again:?}");
            home.verify();
        }
    }
}

#[test]
fn unanswered_it_is_silent_and_the_code_dies_with_the_third_message() {
    let home = yesterday();
    let code = code_in(&offer(&home).unwrap());
    home.send_silent(&[
        today(Event::prompt("d1", "Fix the failing test.")),
        today(Event::stop()),
        today(Event::prompt("d2", "ok")),
    ]);
    let told = home.send(&today(Event::prompt("d3", &format!("carry {code}"))));
    assert_eq!(
        told.notice().unwrap(),
        format!(
            "Continuity: nothing changed: no task can be carried over by the code {code} here."
        )
    );
    assert_eq!(told.plain_context(), None);
    assert_eq!(home.tasks().len(), 2);
}

#[test]
fn a_code_that_was_not_offered_to_this_session_carries_nothing() {
    let home = yesterday();
    let old = home.only_task();
    let code = code_in(&offer(&home).unwrap());
    let wrong = if code == "2A2A" { "3A3A" } else { "2A2A" };
    let before = state_of(&home, old);
    for (session, turn, words) in
        [("other", "x1", format!("carry {code}")), (TODAY, "x2", format!("carry {wrong}"))]
    {
        let told = home.send(&Event::prompt(turn, &words).of_session(session));
        assert!(told.notice().unwrap().contains("no task can be carried over"));
        assert_eq!(told.plain_context(), None);
    }
    for words in [format!("please carry {code}"), format!("carry {code} and push")] {
        let session = format!("around {words}");
        home.send_silent(&[Event::prompt(&words, &words).of_session(&session)]);
    }
    assert_eq!(state_of(&home, old), before);
}

#[test]
fn a_sub_agent_is_offered_nothing_and_carries_nothing() {
    let home = yesterday();
    let old = home.only_task();
    home.send_silent(&[today(Event::start("startup").of_agent("child"))]);
    let code = code_in(&offer(&home).unwrap());
    let before = scan::contents(&home.root);
    let words = format!("carry {code}");
    home.send_silent(&[today(Event::prompt("d1", &words).of_agent("child"))]);
    home.send_silent(&[today(Event::stop_saying(&words))]);
    assert_eq!(scan::contents(&home.root), before);
    assert_eq!(home.only_task(), old);
}

#[test]
fn two_open_tasks_another_folder_or_another_kind_of_start_are_no_offer() {
    let home = yesterday();
    for source in ["resume", "clear", "compact", "fork", "something-new"] {
        assert_eq!(home.send(&today(Event::start(source))).notice(), None, "{source}");
    }
    let other = home.place().join("other");
    fs::create_dir(&other).unwrap();
    home.send_silent(&[today(Event::start("startup").in_folder(&other))]);
    assert!(offer(&home).is_some());
    // A second one counts, though it is at work and would not be offered itself.
    home.send_silent(&[Event::prompt("s1", "Never touch prod.").of_session("second")]);
    assert_eq!(offer(&home), None);
}

#[test]
fn a_task_at_work_in_another_window_is_no_offer() {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", RULE), Event::stop()]);
    assert_eq!(offer(&home), None);
    home.send_silent(&[Event::end()]);
    assert!(offer(&home).is_some());
    home.send(&Event::prompt("t2", "go on"));
    assert_eq!(offer(&home), None);
}

#[test]
fn a_folder_of_the_same_worktree_is_the_same_place() {
    let home = yesterday();
    let below = home.workspace.join("src");
    fs::create_dir(&below).unwrap();
    let answer = home.send(&today(Event::start("startup").in_folder(&below)));
    assert!(answer.notice().unwrap().contains(GOAL));
}

#[test]
fn a_task_that_is_off_cleared_deleted_empty_or_gone_on_elsewhere_is_no_offer() {
    let off = yesterday();
    let code = off.file(Purpose::SwitchOff, &[]).code;
    off.send(&Event::prompt("t2", &format!("confirm {code}")));
    assert_eq!(offer(&off), None);

    let cleared = yesterday();
    cleared.send(&Event::start("clear"));
    assert_eq!(offer(&cleared), None);

    let deleted = yesterday();
    deleted.home().root().delete_task(deleted.only_task()).unwrap();
    assert_eq!(offer(&deleted), None);

    let empty = TestHome::new();
    empty.send_silent(&[Event::prompt("t1", "ok")]);
    assert_eq!(offer(&empty), None);
    assert_eq!(offer(&TestHome::new()), None);

    let rolled = yesterday();
    let old = rolled.only_task();
    let code = rolled.file(Purpose::RollOver, &[]).code;
    rolled.send(&Event::prompt("t2", &format!("confirm {code}")));
    rolled.send_silent(&[Event::end()]);
    let code = code_in(&offer(&rolled).unwrap());
    rolled.send(&today(Event::prompt("d1", &format!("carry {code}"))));
    let Lookup::Task(found) = task_of_today(&rolled) else { panic!("no task of today") };
    assert_ne!(found, old, "the successor is the open task");
}

#[test]
fn a_damaged_task_is_no_offer_and_does_not_hide_a_whole_one() {
    let home = yesterday();
    let whole = home.only_task();
    home.send_silent(&[Event::prompt("s1", "Never touch prod.").of_session("second")]);
    let damaged = home.tasks().into_iter().find(|task| *task != whole).unwrap();
    let ledger = home.root.join("tasks").join(damaged.to_string()).join("ledger");
    for file in scan::files_below(&ledger) {
        let mut bytes = fs::read(&file).unwrap();
        bytes[120] ^= 1;
        fs::write(&file, bytes).unwrap();
    }
    assert!(offer(&home).unwrap().contains(GOAL));
}

#[test]
fn after_a_week_a_task_is_offered_no_more() {
    for (days, is_offered) in [(6, true), (8, false)] {
        let home = TestHome::new();
        begin_in_the_past(&home, days);
        let line = offer(&home);
        assert_eq!(line.is_some(), is_offered, "{days}: {line:?}");
        assert!(
            line.is_none_or(|line| line.contains("last heard of 6 days ago (1 entry in force"))
        );
    }
}

/// A clock that stopped.
struct Stopped(Timestamp);

impl Clock for Stopped {
    fn now(&self) -> Timestamp {
        self.0
    }
}

/// A task whose only prompt was recorded some days ago.
fn begin_in_the_past(home: &TestHome, days: i64) {
    let library = home.home();
    let session = library.root().session_key("codex", "long-ago").unwrap();
    let task = TaskRef::new([5; 16]);
    library.root().create_task(task).unwrap();
    library.root().bind(session, task).unwrap();
    let now = Timestamp::from_millis(SystemClock.now().as_millis() - days * DAY_MILLIS);
    let world = World {
        clock: Arc::new(Stopped(now)),
        entropy: Arc::new(SystemEntropy),
        probe: Box::new(Workspaces::new(library.settings())),
        transcripts: Box::new(HostTranscripts),
        limits: Limits::default(),
        budget: Budget::recovery(RECOVERY_TOKENS_DEFAULT, ByteCount(8_000)),
        is_durable: true,
    };
    let store =
        TaskStore { ledger: Box::new(library.log(task)), files: Box::new(library.files(task)) };
    let mut writer = TaskWriter::new(task, store, world);
    let observed = Observed {
        event: Arc::new(prompt_in(&home.workspace)),
        session,
        is_start_completion: false,
        is_stop_shown: true,
        is_carried: false,
        patience_millis: 1_000,
    };
    let Step::Commit(pending) = writer.observe(&observed).unwrap() else { panic!("a record") };
    writer.commit(*pending, None).unwrap();
    assert!(library.log(task).exists().unwrap());
}

fn prompt_in(folder: &Path) -> HostEvent {
    HostEvent {
        host: Host::Codex,
        session: HostId::new("long-ago").unwrap(),
        turn: Some(HostId::new("t1").unwrap()),
        agent: None,
        cwd: Some(HostPath::new(folder.to_str().unwrap()).unwrap()),
        transcript: None,
        model: None,
        kind: HostEventKind::Prompt { text: UntrustedText::new(RULE) },
    }
}
