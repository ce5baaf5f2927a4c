//! Everything that can stop a task on its way into a new log, and a log that is closed.

use std::fs;
use std::path::Path;

use context_continuity::actors::error::TaskError;
use context_continuity::actors::store::Depth;
use context_continuity::actors::writer::Filing;
use context_continuity::domain::event::Event as Recorded;
use context_continuity::domain::ids::{CommandId, TaskRef};
use context_continuity::domain::origin::{Channel, Origin};
use context_continuity::domain::ports::{Ledger as _, TaskFiles as _};
use context_continuity::domain::rejection::Rejection;
use context_continuity::domain::task::command::{Action, Command as Asked};
use context_continuity::domain::task::item::ItemKind;
use context_continuity::domain::task::proposal::{Effect, Purpose};
use context_continuity::domain::task::quote::Quote;
use context_continuity::io::root::Lookup;

use crate::killed::{is_there, killed_at};
use crate::rollover::{
    FRIDAY, PORT, RULE, assert_same_in_force, begun, last_event, state_of, successor,
};
use crate::support::records::{Item, random, run, submit};
use crate::support::{Answer, Event, TestHome, home::start};

/// A task whose new log is confirmed, and nothing of it done: as if the process had been stopped.
fn confirmed() -> (TestHome, TaskRef, TaskRef) {
    let home = begun();
    let old = home.only_task();
    let filed = home.file(Purpose::RollOver, &[]);
    let digest = home.read().0.state.proposals[&filed.proposal].draft.digest;
    let asked = Asked {
        id: CommandId::new(random().to_be_bytes()),
        origin: Origin::OPERATOR,
        expected_generation: None,
        action: Action::Confirm { proposal: filed.proposal, digest },
    };
    run(async { home.continuity().await.submit(old, asked, Vec::new()).await }).unwrap();
    assert_eq!(home.read().0.state.effect, Some(Effect::RollOver));
    let new = home.home().root().successor_of(old).unwrap();
    (home, old, new)
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::copy(from, to).unwrap();
    }
}

/// Puts parts of the root back to what they were, as if what changed them had not happened.
fn put_back(home: &TestHome, kept: &Path, parts: &[String]) {
    for part in parts {
        let target = home.root.join(part);
        if target.is_dir() {
            fs::remove_dir_all(&target).unwrap();
        }
        copy(&kept.join(part), &target);
    }
}

fn finish(home: &TestHome) {
    let old = home
        .tasks()
        .into_iter()
        .find(|task| home.home().has_log(*task).unwrap() && state_of(home, *task).state.is_left());
    home.home().roll_over(old.unwrap(), Origin::OPERATOR).unwrap();
}

/// What was done before the process was stopped.
fn stopped_after(home: &TestHome, old: TaskRef, new: TaskRef, step: usize) {
    let library = home.home();
    let state = state_of(home, old).state;
    if step >= 1 {
        library.root().create_task(new).unwrap();
    }
    if step >= 2 {
        let key = library.files(old).load_key(state.key).unwrap();
        library.files(new).adopt_key(state.key, &key).unwrap();
    }
    if step >= 3 {
        let body = state.quotes.values().next().unwrap().draft.body.id;
        let bytes = library.files(old).load_body(body).unwrap();
        library.files(new).store_bodies(&[(body, bytes)]).unwrap();
    }
    if step >= 4 {
        let mut log = library.log(new);
        log.lock(1_000).unwrap();
        log.create().unwrap();
    }
    let kept = home.place().join("kept");
    if step >= 5 {
        copy(&home.root, &kept);
        finish(home);
        let mut parts = vec!["sessions".to_owned()];
        if step == 5 {
            parts.extend([format!("tasks/{old}"), format!("anchors/{old}")]);
        }
        put_back(home, &kept, &parts);
    }
}

// covers: P-158
#[test]
fn whatever_stops_the_way_into_a_new_log_the_next_event_finishes_it_and_is_recorded_there() {
    for step in 0..=6 {
        let (home, old, new) = confirmed();
        stopped_after(&home, old, new, step);
        home.send(&Event::prompt("t7", FRIDAY)).assert_own_form();
        assert_eq!(successor(&home, old), new, "step {step}");
        assert_same_in_force(&home, old, new);
        let (texts, quotes) = home
            .home()
            .read(new, Depth::Full)
            .map(|(folded, texts)| {
                let quotes: Vec<_> = folded.state.quotes.values().cloned().collect();
                (texts, quotes)
            })
            .unwrap();
        let words =
            |quote: &Quote| texts.quote(&quote.draft.body).unwrap().words.as_str().to_owned();
        assert_eq!(quotes.iter().map(words).filter(|words| words == FRIDAY).count(), 1);
        let session = state_of(&home, new).state.sessions[0];
        assert_eq!(home.home().root().lookup(session).unwrap(), Lookup::Task(new));
        assert_eq!(last_event(&home, old), Recorded::TaskRolledOver { successor: new });
        home.verify();
        home.compact("auto");
        let text = home.send(&Event::start("compact")).context().unwrap();
        for words in [RULE, PORT, FRIDAY, "Make the parser bounded.", "Push to release-1"] {
            assert!(text.contains(words), "step {step}: {words}: {text}");
        }
        assert!(!text.contains("not certain"), "step {step}: {text}");
    }
}

/// Puts the whole root back to what it was.
fn restore(home: &TestHome, kept: &Path) {
    for entry in fs::read_dir(&home.root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
    }
    for entry in fs::read_dir(kept).unwrap() {
        let entry = entry.unwrap();
        copy(&entry.path(), &home.root.join(entry.file_name()));
    }
}

/// Tells whether the task went on in its new log, and fails if it is anything between.
#[track_caller]
fn is_finished(home: &TestHome, old: TaskRef) -> bool {
    home.verify();
    let newest = home.home().newest(old).unwrap();
    assert_eq!(state_of(home, newest).state.quotes.len(), 4);
    if newest == old {
        // The confirmation was not recorded, and the proposal stands as it did.
        assert_eq!(home.tasks(), [old]);
        assert_eq!(state_of(home, old).state.effect, None);
        return false;
    }
    let new = successor(home, old);
    assert_eq!(new, home.home().root().successor_of(old).unwrap());
    assert_same_in_force(home, old, new);
    true
}

// covers: P-158
#[test]
fn a_hook_that_is_killed_at_any_call_of_the_way_is_finished_by_the_next_event() {
    if !is_there("strace") {
        println!("skipped: strace is not installed");
        return;
    }
    let home = begun();
    let old = home.only_task();
    let code = home.file(Purpose::RollOver, &[]).code;
    let kept = home.place().join("kept");
    copy(&home.root, &kept);
    let confirming = Event::prompt("yes", &format!("confirm {code}"));
    let mut finished = 0;
    // Calls are counted by kind.
    let calls = ["write", "pwrite64", "fsync", "fdatasync", "renameat", "renameat2", "linkat"];
    for call in calls.into_iter().chain(["unlinkat", "mkdirat", "ftruncate", "flock"]) {
        for number in 1.. {
            restore(&home, &kept);
            if killed_at(&home, call, number, &confirming) {
                break;
            }
            home.send(&Event::prompt("t7", FRIDAY)).assert_own_form();
            finished += usize::from(is_finished(&home, old));
        }
    }
    assert!(finished > 20, "{finished}");
}

#[test]
fn any_event_finishes_it_and_a_second_session_with_an_old_pointer_follows() {
    for event in [Event::stop(), Event::pre_compact("auto"), Event::start("resume"), Event::end()] {
        let (home, old, new) = confirmed();
        home.send(&event).assert_own_form();
        assert_eq!(successor(&home, old), new);
    }
    let (home, old, new) = confirmed();
    let key = home.home().root().session_key("codex", "another-session").unwrap();
    home.home().root().bind(key, old).unwrap();
    home.send(&Event::prompt("t7", "ok"));
    assert_eq!(home.home().root().lookup(key).unwrap(), Lookup::Task(old));
    home.send(&Event::prompt("t8", FRIDAY).of_session("another-session")).assert_own_form();
    assert_eq!(home.home().root().lookup(key).unwrap(), Lookup::Task(new));
    assert_eq!(successor(&home, old), new);
    assert!(state_of(&home, new).state.sessions.contains(&key));
}

// covers: P-158
#[test]
fn many_processes_that_finish_it_at_once_begin_one_successor_and_lose_no_prompt() {
    let (home, old, new) = confirmed();
    let prompts = ["Never touch alpha.", "Never touch beta.", "Never touch gamma."];
    let children: Vec<_> = prompts
        .iter()
        .map(|words| start(&mut home.command(), &home.placed(&Event::prompt(words, words)).bytes()))
        .collect();
    for child in children {
        Answer::of(child.wait_with_output().unwrap()).assert_own_form();
    }
    // A process that gave up on the lock has left a note; the next event tells.
    home.send(&Event::prompt("last", "ok")).assert_own_form();
    assert_eq!(successor(&home, old), new);
    let state = state_of(&home, new).state;
    let recorded = state.quotes.len() - 3;
    let missed = usize::try_from(state.missed_count).unwrap();
    assert_eq!(recorded + missed, prompts.len());
    assert_same_in_force(&home, old, new);
    home.verify();
}

#[test]
fn a_closed_log_takes_nothing_from_anybody_and_names_its_successor() {
    let (home, old, new) = confirmed();
    let fact = Item::of_agent(ItemKind::Fact, "The sky is blue.");
    let refused = |successor| {
        let outcome =
            run(async { submit(&home.continuity().await, old, &fact, random(), None).await });
        let expected = Rejection::RolledOver { successor };
        assert!(
            matches!(&outcome, Err(TaskError::Rejected(found))
                if *found == expected),
            "{outcome:?}"
        );
    };
    refused(None);
    finish(&home);
    refused(Some(new));
}

#[test]
fn a_successor_that_was_deleted_is_not_made_anew() {
    let (home, old, new) = confirmed();
    finish(&home);
    home.home().root().delete_task(new).unwrap();
    let key = home.home().root().session_key("codex", "another-session").unwrap();
    home.home().root().bind(key, old).unwrap();
    for event in [Event::stop(), Event::start("resume")] {
        home.send(&event.of_session("another-session")).assert_silent();
    }
    assert_eq!(home.tasks(), [old]);
    home.send(&Event::prompt("t9", FRIDAY).of_session("another-session")).assert_silent();
    let tasks = home.tasks();
    assert!(tasks.len() == 2 && !tasks.contains(&new), "{tasks:?}");
}

#[test]
fn a_deletion_names_the_tasks_that_hold_copies() {
    let (home, old, new) = confirmed();
    finish(&home);
    let filing = Filing {
        origin: Origin { channel: Channel::ModelTool, ..Origin::OPERATOR },
        purpose: Purpose::Delete,
        items: Vec::new(),
        quotes: Vec::new(),
    };
    let code = run(async { home.continuity().await.file(new, filing).await }).unwrap().code;
    let words = format!("confirm {code} {}", new.short());
    let told = home.send(&Event::prompt("gone", &words)).notice().unwrap();
    let kin = format!(" Copies of its texts are left in tasks that it is kin to: {}.", old.short());
    assert!(told.contains("is deleted.") && told.ends_with(&kin), "{told}");
    assert_eq!(home.tasks(), [old]);
}

#[test]
fn nobody_begins_a_new_log_that_no_user_confirmed() {
    let home = begun();
    let old = home.only_task();
    home.file(Purpose::RollOver, &[]);
    assert!(home.home().roll_over(old, Origin::OPERATOR).is_err());
    for channel in [Channel::HostPrompt, Channel::OperatorTerminal, Channel::ModelTool] {
        let asked = Asked {
            id: CommandId::new(random().to_be_bytes()),
            origin: Origin { channel, ..Origin::OPERATOR },
            expected_generation: None,
            action: Action::RollOver { successor: TaskRef::new([7; 16]) },
        };
        let outcome = run(async { home.continuity().await.submit(old, asked, Vec::new()).await });
        assert!(outcome.is_err(), "{channel:?}");
    }
    home.only_task();
}
