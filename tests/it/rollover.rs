//! A log that fills up: the task goes on in a new one, whatever stops on the way.

use std::process::Command;

use context_continuity::actors::store::{Depth, Folded};
use context_continuity::actors::writer::Filing;
use context_continuity::domain::act::Act;
use context_continuity::domain::event::Event as Recorded;
use context_continuity::domain::event::wire::decode;
use context_continuity::domain::ids::{ItemId, QuoteId, TaskRef};
use context_continuity::domain::origin::{Channel, Origin};
use context_continuity::domain::ports::{Ledger as _, Position};
use context_continuity::domain::task::item::{Gate, ItemKind};
use context_continuity::domain::task::limits::{
    ITEMS_IN_FORCE_MAX, QUOTES_OPEN_MAX, WRITE_BYTES_MAX,
};
use context_continuity::domain::task::proposal::Purpose;

use crate::lineage::{HOOK, of_copy, transcript};
use crate::support::records::{Item, run};
use crate::support::{Answer, Event, TestHome, home::start, scan};

pub const RULE: &str = "Never push without my yes.";
pub const PORT: &str = "From now on use port 8080.";
const LATER: &str = "Actually use port 9090 instead.";
pub const FRIDAY: &str = "Never deploy on a Friday.";

/// Sends an event with a small bound on the log's events.
fn send(home: &TestHome, event: &Event) -> Answer {
    let mut command = home.command();
    command.args(["--events-max", "40"]);
    let child = start(&mut command, &home.placed(event).bytes());
    Answer::of(child.wait_with_output().unwrap())
}

/// A task with something of every kind.
pub fn begun() -> TestHome {
    let home = TestHome::new();
    home.send_silent(&[
        Event::prompt("t1", RULE),
        Event::prompt("t2", "You may push to the branch release-1."),
        Event::prompt("t3", PORT),
    ]);
    let leave = Item::of_user(ItemKind::Authorization, "Push to release-1 is fine.");
    home.record(&[
        Item::of_user(ItemKind::Goal, "Make the parser bounded."),
        Item { act: Some(Act::Push), gate: Some(Gate::UserYes), ..leave },
        Item::of_agent(ItemKind::Fact, "The parser has two callers."),
        Item::of_agent(ItemKind::Completion, "The lexer is done."),
    ]);
    let instead = Item::of_agent(ItemKind::Fact, "The parser has three callers.");
    home.record(&[Item { supersedes: vec![ItemId::new(3)], ..instead }]);
    home
}

fn fill(home: &TestHome) {
    for number in 0.. {
        if home.read().0.state.event_count >= 32 {
            return;
        }
        send(home, &Event::prompt(&format!("fill{number}"), "ok")).assert_silent();
    }
}

fn code_in(notice: &str) -> &str {
    notice.split('`').find_map(|part| part.strip_prefix("confirm ")).expect(notice)
}

pub fn state_of(home: &TestHome, task: TaskRef) -> Folded {
    home.home().read(task, Depth::Full).expect("a whole log").0
}

/// The task that goes on with `old`, which must be the only other one.
#[track_caller]
pub fn successor(home: &TestHome, old: TaskRef) -> TaskRef {
    let tasks = home.tasks();
    assert_eq!(tasks.len(), 2, "{tasks:?}");
    let new = tasks.into_iter().find(|task| *task != old).unwrap();
    assert_eq!(state_of(home, old).state.successor, Some(new));
    assert_eq!(home.home().newest(old).unwrap(), new);
    new
}

pub fn last_event(home: &TestHome, task: TaskRef) -> Recorded {
    let mut last = None;
    home.home()
        .log(task)
        .read(Position::START, &mut |record| {
            last = decode(record.payload).unwrap().events.pop();
        })
        .unwrap();
    last.unwrap()
}

/// Fails unless all that is in force in `old` is in force in `new`, under the same names.
#[track_caller]
pub fn assert_same_in_force(home: &TestHome, old: TaskRef, new: TaskRef) {
    let (old, new) = (state_of(home, old).state, state_of(home, new).state);
    let items = |state: &context_continuity::domain::task::TaskState| {
        let items = state.in_force().map(|(id, item)| {
            let draft = item.draft.clone();
            (id, draft, item.status, item.channel, item.recorded_at, item.corroboration)
        });
        items.collect::<Vec<_>>()
    };
    assert_eq!(items(&old), items(&new));
    for (id, quote) in &old.quotes {
        let carried = &new.quotes[id];
        assert_eq!((&carried.draft, carried.said_at), (&quote.draft, quote.said_at), "{id}");
        assert_eq!(carried.possibly_replaced_by, quote.possibly_replaced_by, "{id}");
    }
    assert_eq!(new.sessions, old.sessions);
    assert_eq!((new.work, new.model), (old.work, old.model));
    assert_eq!(new.generation, old.generation);
}

#[test]
fn from_four_fifths_on_one_code_lets_the_task_go_on_in_a_new_log_with_everything_in_force() {
    let home = begun();
    home.compact("auto");
    let before = home.send(&Event::start("compact")).context().unwrap();
    fill(&home);
    let old = home.only_task();
    let shown = send(&home, &Event::stop()).notice().unwrap();
    assert!(shown.contains("to begin a new log for task"), "{shown}");
    assert!(shown.contains("which carries over what is in force"), "{shown}");
    send(&home, &Event::stop()).assert_silent();
    let words = format!("confirm {}", code_in(&shown));
    let told = send(&home, &Event::prompt("yes", &words)).notice().unwrap();
    let new = successor(&home, old);
    assert_eq!(
        told,
        format!(
            "Continuity: task {} goes on in a new log as task {}, with all that is in force: 7 \
             entries.",
            old.short(),
            new.short()
        )
    );
    assert_eq!(last_event(&home, old), Recorded::TaskRolledOver { successor: new });
    assert_same_in_force(&home, old, new);
    let predecessor = state_of(&home, new).state.predecessor.unwrap();
    assert_eq!(predecessor.task, old);
    assert_eq!(predecessor.head.sequence.get() + 1, state_of(&home, old).head().sequence.get());
    let closed = scan::contents(&home.root.join("tasks").join(old.to_string()));
    send(&home, &Event::pre_compact("auto")).assert_silent();
    send(&home, &Event::post_compact("auto")).assert_silent();
    let after = send(&home, &Event::start("compact"));
    assert_eq!(after.context().unwrap(), before);
    assert!(after.mark().contains(&new.to_string()), "{}", after.mark());
    assert_eq!(after.notice(), None);
    // Later words still replace earlier ones, and new names follow the old ones.
    send(&home, &Event::prompt("t9", LATER)).assert_silent();
    let state = state_of(&home, new).state;
    assert_eq!(state.quotes[&QuoteId::new(3)].possibly_replaced_by, Some(QuoteId::new(4)));
    assert_eq!(state.next_item(), ItemId::new(6));
    assert_eq!(scan::contents(&home.root.join("tasks").join(old.to_string())), closed);
    home.verify();
    let listed = cli(&home, &["task", "list"]);
    assert!(listed.contains(&format!("goes on as {}", new.short())), "{listed}");
    assert!(cli(&home, &["view"]).contains(&new.short()));
}

fn cli(home: &TestHome, words: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_continuity"));
    command.args(words).arg("--data-root").arg(&home.root).current_dir(&home.workspace);
    home.clean(&mut command);
    let output = command.output().unwrap();
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_refused_new_log_is_not_offered_again_and_one_that_is_open_is_not_doubled() {
    let home = begun();
    fill(&home);
    let shown = send(&home, &Event::stop()).notice().unwrap();
    send(&home, &Event::stop()).assert_silent();
    send(&home, &Event::prompt("no", &format!("reject {}", code_in(&shown))));
    home.compact("auto");
    home.send(&Event::start("compact"));
    send(&home, &Event::stop()).assert_silent();
    home.only_task();
}

// covers: P-129
#[test]
fn the_way_out_of_a_log_that_is_full_to_the_brim_is_not_refused() {
    let home = begun();
    fill(&home);
    let mut number = 0;
    while home.read().0.state.event_count < 39 {
        number += 1;
        send(&home, &Event::prompt(&format!("full{number}"), FRIDAY));
    }
    send(&home, &Event::prompt("full", FRIDAY)).assert_silent();
    let old = home.only_task();
    let shown = send(&home, &Event::stop()).notice().unwrap();
    let words = format!("confirm {}", code_in(&shown));
    let told = send(&home, &Event::prompt("yes", &words)).notice().unwrap();
    assert!(told.contains("goes on in a new log"), "{told}");
    assert_same_in_force(&home, old, successor(&home, old));
    home.verify();
}

#[test]
fn open_proposals_stay_behind_and_that_is_told() {
    let home = begun();
    let dropped = home.file(Purpose::Items, &[Item::of_user(ItemKind::Fact, "The sky is blue.")]);
    let code = home.file(Purpose::RollOver, &[]).code;
    let told = home.send(&Event::prompt("yes", &format!("confirm {code}"))).notice().unwrap();
    assert!(told.contains("Open proposals that were not carried over: 1."), "{told}");
    let told = home.send(&Event::prompt("t8", &format!("confirm {}", dropped.code))).notice();
    assert!(told.unwrap().contains("no open proposal has the code"));
}

#[test]
fn on_no_terminal_the_command_only_puts_it_before_the_user() {
    let home = begun();
    let old = home.only_task();
    let full = old.to_string();
    let told = cli(&home, &["task", "rollover", "--confirm", &full]);
    assert!(told.contains("Nothing is in force yet: only a person may do this"), "{told}");
    let code = code_in(&told).to_owned();
    home.only_task();
    let told = home.send(&Event::prompt("yes", &format!("confirm {code}"))).notice().unwrap();
    assert!(told.contains("goes on in a new log"), "{told}");
    let told = cli(&home, &["task", "rollover", &full]);
    assert!(told.contains("already"), "{told}");
}

#[test]
fn the_same_event_again_is_one_event_in_the_new_log_too() {
    let home = begun();
    let old = home.only_task();
    let code = home.file(Purpose::RollOver, &[]).code;
    let confirming = Event::prompt("yes", &format!("confirm {code}"));
    home.send(&confirming);
    let new = successor(&home, old);
    let before = state_of(&home, new).head();
    home.send(&confirming).assert_silent();
    assert_eq!(state_of(&home, new).head(), before);
}

#[test]
fn a_confirmation_that_is_a_boundary_too_is_told_and_offers_the_text_once() {
    let home = begun();
    home.send_silent(&[Event::stop(), Event::end()]);
    let old = home.only_task();
    let code = home.file(Purpose::RollOver, &[]).code;
    // The session had ended: the host did not say that it was taken up again.
    let answer = home.send(&Event::prompt("yes", &format!("confirm {code}")));
    assert!(answer.notice().unwrap().contains("goes on in a new log"));
    let text = answer.context().unwrap();
    assert!(text.contains(RULE), "{text}");
    let new = successor(&home, old);
    assert_same_in_force(&home, old, new);
    home.send_silent(&[Event::prompt("t8", "ok")]);
}

#[test]
fn as_much_as_may_be_in_force_is_carried_over_whole() {
    let home = TestHome::new();
    for number in 0..QUOTES_OPEN_MAX {
        let words = format!("Never touch the module number {number} of zone {}.", number % 7);
        home.send_silent(&[Event::prompt(&words, &words)]);
    }
    let items: Vec<_> = (0..ITEMS_IN_FORCE_MAX)
        .map(|number| {
            let item = Item::of_user(ItemKind::Constraint, &format!("Rule {number} holds."));
            Item { act: Some(Act::Deploy), gate: Some(Gate::UserYes), ..item }
        })
        .collect();
    home.record(&items);
    let old = home.only_task();
    let code = home.file(Purpose::RollOver, &[]).code;
    home.send(&Event::prompt("yes", &format!("confirm {code}"))).assert_own_form();
    // On a slow disk the hook's time may be over before: then whoever comes next goes on.
    for number in 0..50 {
        if home.tasks().len() == 2 && state_of(&home, old).state.successor.is_some() {
            break;
        }
        home.send(&Event::prompt(&format!("more{number}"), "ok")).assert_own_form();
    }
    let new = successor(&home, old);
    assert_same_in_force(&home, old, new);
    let largest = record_lengths(&home, new).into_iter().max().unwrap();
    assert!(largest > WRITE_BYTES_MAX, "one record, though no other is so long: {largest}");
    home.verify();
}

#[test]
fn a_fork_of_a_task_that_went_on_is_one_of_what_it_became() {
    let home = begun();
    home.compact("auto");
    let offered = home.send(&Event::start("compact"));
    let text = format!("{}\n{}", offered.context().unwrap(), offered.mark());
    let old = home.only_task();
    let code = home.file(Purpose::RollOver, &[]).code;
    home.send(&Event::prompt("yes", &format!("confirm {code}")));
    let new = successor(&home, old);
    home.send(&Event::prompt("t7", FRIDAY)).assert_silent();
    // The copied conversation holds the mark of the old log.
    let copy = transcript(&home, "developer", HOOK, &text);
    let text = home.send(&of_copy(Event::start("fork"), &copy)).context().unwrap();
    assert!(text.contains(FRIDAY) && text.contains("fork"), "{text}");
    assert!(text.contains("not inherited: i2 q2"), "{text}");
    let fork = home.tasks().into_iter().find(|task| ![old, new].contains(task)).unwrap();
    assert_eq!(state_of(&home, fork).state.predecessor.unwrap().task, new);
    // The fork's own new log still is one of a fork.
    let filing = Filing {
        origin: Origin { channel: Channel::ModelTool, ..Origin::OPERATOR },
        purpose: Purpose::RollOver,
        items: Vec::new(),
        quotes: Vec::new(),
    };
    let code = run(async { home.continuity().await.file(fork, filing).await }).unwrap().code;
    home.send(&of_copy(Event::prompt("fork-yes", &format!("confirm {code}")), &copy));
    for event in [Event::pre_compact("auto"), Event::post_compact("auto")] {
        home.send(&of_copy(event, &copy)).assert_silent();
    }
    assert_eq!(home.send(&of_copy(Event::start("compact"), &copy)).context().unwrap(), text);
}

fn record_lengths(home: &TestHome, task: TaskRef) -> Vec<u64> {
    let mut lengths = Vec::new();
    home.home()
        .log(task)
        .read(Position::START, &mut |record| {
            lengths.push(u64::try_from(record.payload.len()).unwrap());
        })
        .unwrap();
    lengths
}
