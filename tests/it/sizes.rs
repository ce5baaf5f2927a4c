//! How much is offered, and what leads it.

use context_continuity::domain::act::Act;
use context_continuity::domain::budget::estimate_tokens;
use context_continuity::domain::fingerprint::ObjectName;
use context_continuity::domain::task::item::Gate;
use context_continuity::domain::task::item::{Authority, ItemKind, Verification, VersionBinding};

use crate::support::records::Item;
use crate::support::{Event, TestHome};

fn begun() -> TestHome {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", "Please fix the failing test.")]);
    home
}

fn offered(home: &TestHome) -> String {
    home.compact("auto");
    home.send(&Event::start("compact")).context().expect("an offer")
}

// field case F046
// covers: P-143
#[test]
fn of_128_long_items_so_many_are_offered_as_fit_and_the_rest_is_counted() {
    let home = begun();
    let filler = "a wall of words ".repeat(24);
    let items: Vec<Item> = (0..128)
        .map(|number| Item::of_user(ItemKind::Constraint, &format!("rule {number} {filler}")))
        .collect();
    home.record(&items);
    home.compact("auto");
    let answer = home.send(&Event::start("compact"));
    let text = format!("{}\n{}", answer.context().unwrap(), answer.mark());
    assert!(text.len() <= 8_000, "{} bytes", text.len());
    assert!(estimate_tokens(&text).0 <= 1_500, "{:?}", estimate_tokens(&text));
    let shown = text.lines().filter(|line| line.starts_with("constraint i")).count();
    assert!(shown > 3, "{shown}");
    let omitted = format!("omitted: {} entries", 128 + 1 - shown);
    assert!(text.contains(&omitted), "{text}");
    assert!(text.contains("omitted is not undone"));
    // A plain start says nothing.
    home.send(&Event::start("startup").of_session("another-session")).assert_silent();
}

// field case F013
#[test]
fn plan_only_comes_first_and_the_agents_plan_is_marked_as_its_own() {
    let home = begun();
    let mut items = vec![Item::of_user(ItemKind::Constraint, "Plan only, no edits.")];
    items.extend(
        (1..=6).map(|step| Item::of_agent(ItemKind::Decision, &format!("step {step} of the plan"))),
    );
    items.push(Item::of_agent(ItemKind::Fact, "the plan has six steps"));
    home.record(&items);
    let text = offered(&home);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], "constraint i1 (user): “Plan only, no edits.”");
    assert!(lines.contains(&"fact i8 (agent, unverified): “the plan has six steps”"), "{text}");
    assert!(!text.contains("of the plan"), "a decision without a reason is not offered: {text}");
}

// covers: P-068, P-216
// field case F014
#[test]
fn an_empty_summary_of_the_host_clears_nothing() {
    let home = begun();
    home.record(&[
        Item::of_user(ItemKind::Goal, "port module A"),
        Item::of_user(ItemKind::Constraint, "keep the API"),
        Item::of_user(ItemKind::Constraint, "no new dependencies"),
    ]);
    let empty = "## Goal\n(none)\n## Constraints\n(none)\n";
    home.send_silent(&[
        Event::pre_compact("auto"),
        Event::post_compact("auto").with("compact_summary", empty).with("summary", empty),
    ]);
    let text = home.send(&Event::start("compact")).context().unwrap();
    for line in [
        "constraint i2 (user): “keep the API”",
        "constraint i3 (user): “no new dependencies”",
        "goal i1 (user): “port module A”",
    ] {
        assert!(text.lines().any(|found| found == line), "{text}");
    }
    assert!(!text.contains("not certain"), "{text}");
}

// covers: P-091
// field case F003
// field case F018
#[test]
fn a_completion_stands_with_its_commit_and_a_claim_stays_a_claim() {
    let home = begun();
    let commit = home.git(&["rev-parse", "HEAD"]);
    let binding = VersionBinding::ContainedIn(ObjectName::parse(&commit).unwrap());
    home.record(&[
        Item {
            authority: Authority::VerifiedEvidence,
            verification: Verification::Checked,
            binding: Some(binding),
            ..Item::of_user(ItemKind::Completion, "rename foo to bar")
        },
        Item {
            verification: Verification::Claimed,
            ..Item::of_agent(ItemKind::Completion, "4966/4966 passed")
        },
    ]);
    let text = home.plain(&offered(&home));
    assert!(text.contains("completion i1 (checked, at <head>): “rename foo to bar”"), "{text}");
    assert!(text.contains("completion i2 (claimed by the agent): “4966/4966 passed”"), "{text}");
    // The commit is no longer part of the history.
    home.git(&["checkout", "--quiet", "--orphan", "other"]);
    home.commit("unrelated");
    home.send_silent(&[Event::stop()]);
    let text = offered(&home);
    assert!(text.contains("completion i1 (checked, stale, to be derived again"), "{text}");
}

// field case F007
// field case F008
// covers: P-092
#[test]
fn a_push_that_waits_for_a_yes_is_one_question_and_never_an_order() {
    let home = begun();
    home.record(&[
        Item {
            act: Some(Act::Push),
            gate: Some(Gate::UserYes),
            ..Item::of_user(ItemKind::Constraint, "show the diff and wait for my yes before push")
        },
        Item {
            act: Some(Act::Push),
            ..Item::of_agent(ItemKind::NextAction, "git push origin feature")
        },
    ]);
    home.compact("auto");
    let answer = home.send(&Event::start("compact"));
    let notice = answer.notice().unwrap();
    assert_eq!(notice.matches('?').count(), 1, "{notice}");
    let text = answer.context().unwrap();
    assert!(
        text.contains(
            "next_action i2 (agent, unverified, stale, to be derived again): “git push origin \
             feature”; act push; not authorized in these records"
        ) || text.contains(
            "next_action i2 (agent, unverified, stale, to be derived again): “git push origin \
             feature”; act push"
        ),
        "{text}"
    );
    assert!(text.contains("; act push; waits for the user's yes"), "{text}");
}
