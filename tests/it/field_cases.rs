//! Faults that users of such tools met, with the right answer: what was allowed, and what replaced
//! what.

use context_continuity::actors::store::Depth;
use context_continuity::domain::act::Act;
use context_continuity::domain::ids::ItemId;
use context_continuity::domain::task::item::{Gate, ItemKind};
use context_continuity::domain::task::proposal::Purpose;

use crate::support::records::Item;
use crate::support::{Event, TestHome};

fn begun() -> TestHome {
    let home = TestHome::new();
    home.send_silent(&[Event::start("startup"), Event::prompt("t1", "Fix the failing test.")]);
    home
}

fn offered(home: &TestHome) -> String {
    home.compact("manual");
    home.send(&Event::start("compact")).context().expect("an offer")
}

// field case F007
#[test]
fn a_yes_that_only_a_summary_tells_of_leaves_the_gate_unmet() {
    let home = begun();
    home.record(&[
        Item {
            act: Some(Act::Push),
            gate: Some(Gate::UserYes),
            ..Item::of_user(
                ItemKind::Constraint,
                "Show the diff and wait for my yes before a push.",
            )
        },
        Item { act: Some(Act::Push), ..Item::of_agent(ItemKind::NextAction, "Push the branch.") },
        Item::of_agent(ItemKind::Completion, "The diff was shown to the user, who said yes."),
    ]);
    home.compact("manual");
    let answer = home.send(&Event::start("compact"));
    let text = answer.context().unwrap();
    assert!(text.contains("waits for the user's yes"), "{text}");
    assert!(
        text.contains("Push the branch.”; act push; not authorized in these records"),
        "{text}"
    );
    assert!(
        text.contains("(claimed by the agent") || text.contains("(agent, unverified"),
        "{text}"
    );
    let class = home.read().0.state.transition.unwrap().class.unwrap();
    assert_eq!(class.name(), "ask_before_high_risk");
    assert!(answer.notice().unwrap().contains("before anything that cannot be undone"));
}

// field case F009
#[test]
fn what_was_allowed_in_one_task_is_not_shown_in_another() {
    let home = begun();
    let allowed = Item {
        act: Some(Act::Push),
        ..Item::of_user(ItemKind::Authorization, "Push feat-1 and open a pull request.")
    };
    let first = home.only_task();
    home.file(Purpose::Items, std::slice::from_ref(&allowed));
    let code = home.read().0.state.proposals.values().next().unwrap().draft.code;
    home.send(&Event::prompt("t2", &format!("confirm {code}")));
    assert!(offered(&home).contains("Push feat-1"));
    let session = "0199b5a0-0000-7000-8000-0000000000ff";
    let second = |event: Event| home.send(&event.of_session(session));
    second(Event::prompt("t1", "From now on commit every nav string by itself."));
    second(Event::pre_compact("manual"));
    second(Event::post_compact("manual"));
    let text = second(Event::start("compact")).context().unwrap();
    assert!(text.contains("nav string") && !text.contains("feat-1"), "{text}");
    let other = home.tasks().into_iter().find(|task| *task != first).unwrap();
    let state = home.home().read(other, Depth::Full).unwrap().0.state;
    assert_eq!(state.of_kind(ItemKind::Authorization).count(), 0);
    second(Event::prompt("t2", &format!("undo {code}"))).assert_silent();
}

// field case F016
#[test]
fn a_withdrawal_in_other_words_is_what_is_in_force() {
    let home = begun();
    home.record(&[
        Item::of_user(ItemKind::Decision, "The pool cap is 200."),
        Item {
            supersedes: vec![ItemId::new(1)],
            ..Item::of_user(ItemKind::Correction, "Rolled back, it stays at 20.")
        },
    ]);
    let text = offered(&home);
    assert!(text.contains("it stays at 20") && !text.contains("200"), "{text}");
    let state = home.read().0.state;
    assert_eq!(state.items[&ItemId::new(1)].superseded_by, Some(ItemId::new(2)));
}
