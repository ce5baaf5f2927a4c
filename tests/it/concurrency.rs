//! Many writers of one task: processes of hooks, and programs that hold the library.

use std::collections::BTreeSet;

use context_continuity::actors::error::TaskError;
use context_continuity::domain::event::Event as Recorded;
use context_continuity::domain::event::wire::decode;
use context_continuity::domain::ports::{Ledger as _, Position};
use context_continuity::domain::rejection::Rejection;
use context_continuity::domain::task::item::ItemKind;

use crate::support::records::{Item, random, run, submit};
use crate::support::{Answer, Event, TestHome, home::start, scan};

/// Sequences of the only task's records, lengths of the prompts in them, and events that were
/// reported as missed.
fn records(home: &TestHome) -> (Vec<u64>, BTreeSet<u32>, usize) {
    let (mut sequences, mut lengths) = (Vec::new(), BTreeSet::new());
    let mut missed = scan::files_below(&home.root.join("missed")).len();
    let mut log = home.home().log(home.only_task());
    log.read(Position::START, &mut |record| {
        sequences.push(record.position.head.sequence.get());
        for event in decode(record.payload).expect("a batch").events {
            match event {
                Recorded::PromptSeen { length_chars, .. } => {
                    lengths.insert(length_chars);
                }
                Recorded::MissedNotesTaken { count } => {
                    missed += usize::try_from(count).expect("a small number");
                }
                _ => {}
            }
        }
    })
    .expect("a whole log");
    (sequences, lengths, missed)
}

// covers: P-158
#[test]
fn eight_processes_with_sixty_prompts_each_leave_every_prompt_once_or_a_note() {
    let home = TestHome::new();
    home.send(&Event::prompt("first", "x")).assert_silent();
    std::thread::scope(|scope| {
        for writer in 0..8_usize {
            let home = &home;
            scope.spawn(move || {
                for number in 0..60_usize {
                    // The length tells which prompt a record is of.
                    let text = "x".repeat(2 + writer * 60 + number);
                    let event = Event::prompt(&format!("{writer}-{number}"), &text);
                    let child = start(&mut home.command(), &home.placed(&event).bytes());
                    Answer::of(child.wait_with_output().unwrap()).assert_silent();
                }
            });
        }
    });
    let (sequences, lengths, missed) = records(&home);
    let dense: Vec<u64> = (1..=u64::try_from(sequences.len()).unwrap()).collect();
    assert_eq!(sequences, dense);
    // Where the machine is slow a writer may give up on the lock; then it says so.
    assert_eq!(lengths.len() + missed, 481);
    assert_eq!(home.verify(), u64::try_from(sequences.len()).unwrap());
}

// field case F041
// covers: P-124
#[test]
fn of_two_writers_that_read_one_generation_each_success_is_there_and_the_rest_conflict() {
    let home = TestHome::new();
    home.send(&Event::prompt("first", "x")).assert_silent();
    let task = home.only_task();
    let expected = home.read().0.state.generation;
    let outcomes: Vec<(usize, usize)> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..2)
            .map(|writer| {
                let home = &home;
                scope.spawn(move || {
                    run(async {
                        let continuity = home.continuity().await;
                        let mut counts = (0, 0);
                        for number in 0..20 {
                            let item =
                                Item::of_agent(ItemKind::Fact, &format!("{writer}-{number}"));
                            let sent = submit(&continuity, task, &item, random(), Some(expected));
                            match sent.await {
                                Ok(_) => counts.0 += 1,
                                Err(TaskError::Rejected(Rejection::GenerationConflict {
                                    ..
                                })) => counts.1 += 1,
                                Err(error) => panic!("{error}"),
                            }
                        }
                        counts
                    })
                })
            })
            .collect();
        writers.into_iter().map(|writer| writer.join().unwrap()).collect()
    });
    let successes: usize = outcomes.iter().map(|(successes, _)| successes).sum();
    let conflicts: usize = outcomes.iter().map(|(_, conflicts)| conflicts).sum();
    assert_eq!((successes, conflicts), (1, 39));
    assert_eq!(home.read().0.state.items.len(), successes);
    home.verify();
}

#[test]
fn a_command_sent_again_under_its_name_is_one_item() {
    let home = TestHome::new();
    home.send(&Event::prompt("first", "x")).assert_silent();
    let task = home.only_task();
    let item = Item::of_agent(ItemKind::Fact, "the wall is north");
    run(async {
        let continuity = home.continuity().await;
        let first = submit(&continuity, task, &item, 7, None).await.unwrap();
        let other = home.continuity().await;
        for writer in [&continuity, &other] {
            let again = submit(writer, task, &item, 7, None).await.unwrap();
            assert_eq!((again.event_count, again.head), (0, first.head));
        }
    });
    assert_eq!(home.read().0.state.items.len(), 1);
}

#[test]
fn two_first_prompts_of_one_session_at_once_make_one_task() {
    for round in 0..20 {
        let home = TestHome::new();
        let children: Vec<_> = ["one", "two", "three"]
            .iter()
            .map(|turn| {
                let event = Event::prompt(turn, &format!("never {turn}"));
                start(&mut home.command(), &home.placed(&event).bytes())
            })
            .collect();
        for child in children {
            Answer::of(child.wait_with_output().unwrap()).assert_silent();
        }
        assert_eq!(home.tasks().len(), 1, "round {round}");
        assert_eq!(records(&home).0.len(), 3);
    }
}
