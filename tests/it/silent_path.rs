//! A long task in which nobody ever confirms anything: a thousand prompts, a compaction every hundred.

use std::process::Command;

use context_continuity::domain::signal::SignalKind;
use context_continuity::domain::task::limits::{
    EVENTS_MAX, ORDINARY_PERCENT, OVERTAKEN_AGE, QUOTES_OPEN_MAX, QuoteAge, quote_life,
};
use context_continuity::domain::task::quote::Stance;
use context_continuity::readmodels::execution_guard;

use crate::support::{Answer, Event, TestHome};

/// Open quotes that this course never passes: ten constraints, two wordings of another, and the rest.
const OPEN_MAX: usize = CONSTRAINTS.len() + 2 + PASSING_MAX;
/// Open quotes besides constraints that this course never passes.
const PASSING_MAX: usize = 14;

const GOALS: [&str; 10] = [
    "Our goal is to port the parser to async.",
    "The goal is now to speed up the scheduler.",
    "Our goal is to replace the old logger.",
    "The goal now is a smaller binary.",
    "Our goal is to document every endpoint.",
    "The goal is now to support Windows paths.",
    "Our goal is to remove the global cache.",
    "The goal now is a stable wire format.",
    "Our goal is to split the billing crate.",
    "The goal is now to publish the beta.",
];
const CONSTRAINTS: [&str; 10] = [
    "Always keep the public API as it is.",
    "Never add new dependencies.",
    "Do not touch the vendored sources under third_party.",
    "You must always answer in English.",
    "Never log customer names.",
    "From now on format every file with rustfmt.",
    "Never delete migration files.",
    "Always write tests before code.",
    "Don't ever use unsafe blocks.",
    "Never rewrite git history.",
];
const REPEATED: [&str; 4] = [
    "Never push to main.",
    "Once more: never push to main.",
    "Please fix the failing test. Never push to main.",
    "Never push to main!",
];
const PLACES: [&str; 10] = [
    "header", "footer", "sidebar", "banner", "drawer", "toolbar", "tooltip", "dialog", "menu",
    "badge",
];
const THINGS: [&str; 6] = ["importer", "exporter", "linter", "packer", "viewer", "crawler"];

/// What the user writes as the prompt of this number.
fn prompt(number: usize) -> String {
    let (block, place) = (number / 100, PLACES[number / 100]);
    let thing = THINGS[number % 6];
    match number % 100 {
        3 => GOALS[block].to_owned(),
        5 => CONSTRAINTS[block].to_owned(),
        10 | 35 | 60 | 85 => REPEATED[number % 4].to_owned(),
        20 => format!("Actually, the {place} is in src/old, not in src/new."),
        70 => format!("No, that's wrong, I meant the {place}, the one of the settings page."),
        15 | 30 | 45 | 55 | 65 | 90 => format!("The {thing} of the {place} is done."),
        25 | 75 => format!("Forget about the {thing} of the {place}."),
        40 | 80 => format!("I'm not sure that the {thing} of the {place} works."),
        50 => format!("You may deploy the {place} to staging."),
        95 => format!("You can delete the folder of the {place}."),
        _ => format!("what does line {number} of the file do?"),
    }
}

/// Says how many entries the text itself says it leaves out.
fn omitted(text: &str) -> usize {
    let line = text.lines().find_map(|line| line.strip_prefix("omitted: "));
    line.map_or(0, |line| line.split(' ').next().unwrap().parse().unwrap())
}

#[track_caller]
fn check_offer(home: &TestHome, text: &str, number: usize) {
    let (folded, _) = home.read();
    let state = &folded.state;
    let block = number / 100;
    let has = |start: &str, words: &str| {
        let end = format!("(quote): “{words}”");
        text.lines().any(|line| line.starts_with(start) && line.ends_with(&end))
    };
    assert!(has("goal ", GOALS[block]), "{text}");
    for constraint in &CONSTRAINTS[..=block] {
        assert!(has("constraint ", constraint), "{constraint}: {text}");
    }
    assert!(has("correction ", &prompt(block * 100 + 70)), "{text}");
    // Two wordings of the repeated rule have words of their own; each is there once.
    assert!(has("constraint ", "Never push to main."), "{text}");
    assert_eq!(text.matches("push to main").count(), 2, "{text}");

    assert!(state.quotes.len() <= OPEN_MAX, "{}", state.quotes.len());
    let passing = state.quotes.values();
    let passing = passing.filter(|quote| quote.kept_as != SignalKind::HardConstraint);
    assert!(passing.count() <= PASSING_MAX);
    let shown = text.lines().filter(|line| line.contains(" (quote")).count();
    assert_eq!(shown + omitted(text), state.quotes.len(), "{text}");
    let offer = state.transition.as_ref().unwrap().offer.unwrap();
    assert_eq!(usize::try_from(offer.omitted), Ok(omitted(text)));
}

// covers: P-241
#[test]
fn a_thousand_prompts_without_a_confirmation_keep_what_counts_and_pile_nothing_up() {
    let home = TestHome::new();
    home.send_silent(&[Event::start("startup")]);
    for number in 0..1_000 {
        home.send_silent(&[Event::prompt(&format!("t{number}"), &prompt(number))]);
        if number % 100 == 99 {
            home.compact("auto");
            let answer = home.send(&Event::start("compact"));
            answer.assert_own_form();
            assert_eq!(answer.notice(), None);
            check_offer(&home, &answer.context().expect("an offer"), number);
        }
    }
    let (folded, texts) = home.read();
    let state = &folded.state;
    assert!(state.event_count <= EVENTS_MAX * ORDINARY_PERCENT / 100, "{}", state.event_count);
    assert_eq!((state.prompt_count, state.crossing_count), (1_000, 10));
    assert!(state.items.is_empty(), "words alone make no item");
    let closed = state.quotes_closed_by_rule;
    let closed = closed.said_again + closed.overtaken + closed.spent;
    let open = u32::try_from(state.quotes.len()).unwrap();
    assert_eq!((open + closed, state.quotes_crowded_out), (state.quote_count, 0));

    // What the user's words allow is no authorization, however often it was said.
    let (head, basis) = (folded.head(), folded.basis);
    let guard = execution_guard::build(state, &texts, head, basis, folded.freshness());
    assert!(guard.quoted_acts.iter().any(|said| said.stance == Stance::Allowed));
    assert_eq!((guard.authorizations.len(), guard.unmet_gates.len()), (0, 0));

    let shown = read(&home, &["view"]);
    let overtaken = state.quotes_closed_by_rule.overtaken;
    assert!(shown.contains(&format!("quotes closed by rule: {overtaken} overtaken")), "{shown}");
    let explained = read(&home, &["explain", "q1"]);
    assert!(explained.contains("Our goal is to port the parser to async."), "{explained}");
    assert!(explained.contains("no longer carried: "), "{explained}");
    home.verify();
}

/// What a reading command prints.
#[track_caller]
fn read(home: &TestHome, words: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_continuity"));
    command.args(words).arg("--data-root").arg(&home.root);
    home.clean(&mut command);
    Answer::of(command.output().unwrap()).stdout
}

#[test]
fn the_page_about_quotes_states_the_numbers_in_force() {
    let page = include_str!("../../docs/concepts/quotes.md");
    for (kind, name) in [
        (SignalKind::Authorization, "authorization"),
        (SignalKind::GoalChange, "goal"),
        (SignalKind::Correction, "correction"),
        (SignalKind::Cancel, "cancellation"),
        (SignalKind::Dispute, "doubt"),
        (SignalKind::CompletionClaim, "claim of completion"),
    ] {
        let life = quote_life(kind).unwrap();
        let kept = match life.newest_kept {
            0 => "none".to_owned(),
            count => format!("the newest {count}"),
        };
        let QuoteAge { behind_boundary_prompts, alone_prompts } = life.age;
        let ages = format!("{behind_boundary_prompts} prompts | {alone_prompts} prompts");
        let row = format!("| {name} | {kept} | {} | {ages} |", life.open_max);
        assert!(page.contains(&row), "{row}");
    }
    let QuoteAge { behind_boundary_prompts, alone_prompts } = OVERTAKEN_AGE;
    let age = format!("{behind_boundary_prompts} prompts and a boundary, or for {alone_prompts}");
    assert!(page.contains(&age), "{age}");
    assert!(page.contains(&format!("At most {QUOTES_OPEN_MAX} are open")));
    assert_eq!(quote_life(SignalKind::HardConstraint), None);
}
