//! The actors of a long-lived process: restarts, floods, panics, and what others append.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use context_continuity::actors::error::TaskError;
use context_continuity::actors::mailbox::{MAILBOX_PERMITS_MAX, Mailbox};
use context_continuity::actors::store::{Depth, TaskStore};
use context_continuity::actors::supervisor::{
    Supervisor, SupervisorArguments, SupervisorMessage, TaskHandle, Workshop,
};
use context_continuity::actors::task::{Pace, TaskMessage};
use context_continuity::actors::world::World;
use context_continuity::actors::writer::TaskWriter;
use context_continuity::domain::budget::Budget;
use context_continuity::domain::ids::TaskRef;
use context_continuity::domain::ports::Clock;
use context_continuity::domain::task::item::ItemKind;
use context_continuity::domain::task::limits::Limits;
use context_continuity::domain::time::Timestamp;
use context_continuity::io::clock::{SystemClock, SystemEntropy};
use context_continuity::io::wire::{Home, HostTranscripts, Workspaces};
use context_continuity::readmodels::execution_guard::Freshness;
use ractor::Actor;

use crate::support::records::{Item, random, run, submit};
use crate::support::{Event, TestHome};

const WITHIN: Duration = Duration::from_secs(30);

/// A clock that panics as often as it was told to.
struct Broken(Arc<AtomicU32>);

impl Clock for Broken {
    fn now(&self) -> Timestamp {
        let left = self.0.load(Ordering::SeqCst);
        if left > 0 {
            self.0.store(left - 1, Ordering::SeqCst);
            panic!("the clock is broken");
        }
        SystemClock.now()
    }
}

/// Makes writers over a real data root, with a clock that is broken for one task.
struct BrokenFor {
    home: Home,
    task: TaskRef,
    panics: Arc<AtomicU32>,
}

impl Workshop for BrokenFor {
    fn writer(&self, task: TaskRef) -> Result<TaskWriter, TaskError> {
        let store = TaskStore {
            ledger: Box::new(self.home.log(task)),
            files: Box::new(self.home.files(task)),
        };
        let clock: Arc<dyn Clock> = if task == self.task {
            Arc::new(Broken(Arc::clone(&self.panics)))
        } else {
            Arc::new(SystemClock)
        };
        let world = World {
            clock,
            entropy: Arc::new(SystemEntropy),
            probe: Box::new(Workspaces::new(self.home.settings())),
            transcripts: Box::new(HostTranscripts),
            limits: Limits::default(),
            budget: Budget::default(),
            is_durable: true,
        };
        Ok(TaskWriter::new(task, store, world))
    }
}

/// Two tasks; the first one's clock panics `panics` times.
fn two_tasks(panics: u32) -> (TestHome, TaskRef, TaskRef, BrokenFor) {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", "ok")]);
    let broken = home.only_task();
    home.send_silent(&[Event::prompt("t1", "ok").of_session("other")]);
    let sound = home.tasks().into_iter().find(|task| *task != broken).unwrap();
    let panics = Arc::new(AtomicU32::new(panics));
    let workshop = BrokenFor { home: home.home(), task: broken, panics };
    (home, broken, sound, workshop)
}

async fn supervised(workshop: BrokenFor) -> Mailbox<SupervisorMessage> {
    let arguments = SupervisorArguments { workshop: Arc::new(workshop), pace: Pace::Pool };
    Mailbox::new(Actor::spawn(None, Supervisor, arguments).await.unwrap().0)
}

async fn open(
    supervisor: &Mailbox<SupervisorMessage>,
    task: TaskRef,
) -> Result<TaskHandle, TaskError> {
    let is_followed = false;
    supervisor
        .call(|reply| SupervisorMessage::Open { task, is_followed, reply }, WITHIN)
        .await
        .unwrap()
}

async fn record(
    supervisor: &Mailbox<SupervisorMessage>,
    task: TaskRef,
) -> Result<usize, TaskError> {
    let handle = open(supervisor, task).await?;
    let (command, sealed) = Item::of_agent(ItemKind::Fact, "the wall is north").command(random());
    let message = |reply| TaskMessage::Submit {
        command: Box::new(command),
        bodies: vec![sealed],
        patience_millis: 1_000,
        reply,
    };
    Ok(handle.mailbox.call(message, WITHIN).await??.event_count)
}

#[test]
fn an_actor_that_panics_is_started_again_and_has_lost_nothing() {
    let (home, broken, _, workshop) = two_tasks(3);
    run(async {
        let supervisor = supervised(workshop).await;
        for _ in 0..3 {
            assert!(matches!(record(&supervisor, broken).await, Err(TaskError::Gone)));
        }
        assert_eq!(record(&supervisor, broken).await.unwrap(), 1);
    });
    assert_eq!(home.verify(), 3);
}

#[test]
fn an_actor_that_panics_too_often_is_down_while_other_tasks_go_on() {
    let (home, broken, sound, workshop) = two_tasks(100);
    run(async {
        let supervisor = supervised(workshop).await;
        for _ in 0..4 {
            assert!(matches!(record(&supervisor, broken).await, Err(TaskError::Gone)));
        }
        for _ in 0..3 {
            let down = record(&supervisor, broken).await;
            assert!(matches!(down, Err(TaskError::Down { restarts: 3, .. })), "{down:?}");
            assert_eq!(record(&supervisor, sound).await.unwrap(), 1);
        }
    });
    // A hook has its own actor: the task itself is unharmed.
    home.send(&Event::prompt("t2", "ok")).assert_silent();
    home.verify();
}

#[test]
fn a_flood_of_requests_is_busy_beyond_the_permits_and_every_answer_comes() {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", "ok")]);
    let task = home.only_task();
    run(async {
        let workshop = Arc::new(home.home());
        let arguments = SupervisorArguments { workshop, pace: Pace::Pool };
        let (supervisor, _) = Actor::spawn(None, Supervisor, arguments).await.unwrap();
        let handle = open(&Mailbox::new(supervisor), task).await.unwrap();
        let read = || {
            let message = |reply| TaskMessage::Read { depth: Depth::Newest, reply };
            handle.mailbox.call(message, WITHIN)
        };
        // Nothing is awaited meanwhile, so the actor cannot take one.
        let mut waiting: Vec<_> = (0..MAILBOX_PERMITS_MAX).map(|_| read()).collect();
        for _ in 0..100_000 {
            assert!(matches!(read().await, Err(TaskError::Busy)));
        }
        let last = waiting.pop().unwrap();
        for call in waiting {
            assert!(call.await.unwrap().is_ok());
        }
        assert!(last.await.unwrap().is_ok());
        assert!(read().await.unwrap().is_ok());
    });
}

#[test]
fn a_subscriber_sees_what_another_process_appends() {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", "ok")]);
    let task = home.only_task();
    run(async {
        let continuity = home.continuity().await;
        let mut views = continuity.subscribe(task).await.unwrap();
        let is_current = |views: &Arc<context_continuity::actors::projector::Published>| {
            views.freshness == Freshness::Current && views.folded.state.quotes.is_empty()
        };
        views.wait_for(is_current).await.unwrap();
        home.send(&Event::prompt("t2", "Never push without my yes.")).assert_silent();
        let seen = tokio::time::timeout(
            WITHIN,
            views.wait_for(|views| views.folded.state.quotes.len() == 1),
        );
        let seen = Arc::clone(&*seen.await.unwrap().unwrap());
        assert_eq!(seen.freshness, Freshness::Current);
        let (folded, texts) = home.read();
        assert_eq!((seen.folded.head(), &seen.folded.state), (folded.head(), &folded.state));
        assert_eq!(seen.texts, texts);
    });
}

#[test]
fn a_log_that_becomes_damaged_is_never_shown_as_current() {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", "Never push without my yes."), Event::stop()]);
    home.send_silent(&[Event::prompt("t2", "Never touch prod.")]);
    let task = home.only_task();
    run(async {
        let continuity = home.continuity().await;
        let mut views = continuity.subscribe(task).await.unwrap();
        views.wait_for(|views| views.freshness == Freshness::Current).await.unwrap();
        let segment = home.root.join(format!("tasks/{task}/ledger/000001.seg"));
        let whole = std::fs::read(&segment).unwrap();
        let mut bytes = whole.clone();
        bytes[300] ^= 1;
        std::fs::write(&segment, bytes).unwrap();
        let damaged = views.wait_for(|views| views.freshness == Freshness::Damaged);
        let last = Arc::clone(&*tokio::time::timeout(WITHIN, damaged).await.unwrap().unwrap());
        assert_eq!(last.folded.state.quotes.len(), 2, "the last good fold stays to be looked at");
        std::fs::write(&segment, whole).unwrap();
        let again = views.wait_for(|views| views.freshness == Freshness::Current);
        tokio::time::timeout(WITHIN, again).await.unwrap().unwrap();
    });
}

#[test]
fn a_writer_does_not_notice_that_nobody_follows_any_more() {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", "ok")]);
    let task = home.only_task();
    run(async {
        let continuity = home.continuity().await;
        let views = continuity.subscribe(task).await.unwrap();
        drop(views);
        for number in 0..10 {
            let item = Item::of_agent(ItemKind::Fact, &format!("fact {number}"));
            let receipt = submit(&continuity, task, &item, random(), None).await.unwrap();
            assert_eq!(receipt.event_count, 1);
        }
    });
    assert_eq!(home.read().0.state.items.len(), 10);
}

// covers: P-160
#[test]
fn reading_a_task_that_is_not_there_answers_so_and_creates_nothing() {
    let home = TestHome::new();
    run(async {
        let continuity = home.continuity().await;
        let missing = continuity.read(TaskRef::new([9; 16]), Depth::Full).await;
        assert!(matches!(missing, Err(TaskError::NoTask)), "{missing:?}");
        let mut views = continuity.subscribe(TaskRef::new([9; 16])).await.unwrap();
        assert_eq!(views.borrow_and_update().freshness, Freshness::Unknown);
    });
    assert!(!home.root.exists());
}
