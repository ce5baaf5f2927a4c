//! Views are rebuilt from nothing to the same bytes, whatever became of the stored fold.

use std::fs;
use std::path::PathBuf;

use context_continuity::actors::store::{CHECKPOINT_RECORDS, Depth};
use context_continuity::domain::event::wire::encode_value;
use context_continuity::domain::ports::TaskFiles as _;
use context_continuity::domain::task::item::ItemKind;
use context_continuity::readmodels::continuity::{ViewInput, build};
use context_continuity::readmodels::execution_guard::{self, Freshness};

use crate::support::records::Item;
use crate::support::{Event, TestHome};

/// Everything that is derived from the log of the only task, as bytes.
fn derived(home: &TestHome, depth: Depth) -> Vec<Vec<u8>> {
    let (folded, texts) = home.home().read(home.only_task(), depth).expect("a whole log");
    let view = build(&ViewInput {
        state: &folded.state,
        texts: &texts,
        head: folded.head(),
        basis: context_continuity::domain::chain::Basis::Full,
        log_bytes: folded.log_bytes,
        is_durable: true,
        limits: home.settings().limits,
    });
    let basis = context_continuity::domain::chain::Basis::Full;
    let guard =
        execution_guard::build(&folded.state, &texts, folded.head(), basis, Freshness::Current);
    vec![
        encode_value(&folded.state).expect("a state"),
        serde_json::to_vec(&view).expect("a view"),
        serde_json::to_vec(&guard).expect("a guard view"),
    ]
}

/// A task with every kind of record, long enough for a checkpoint in between.
fn lived_in() -> TestHome {
    let home = TestHome::new();
    home.send_silent(&[
        Event::prompt("t1", "Our goal is to port module A to async. Never push without my yes."),
        Event::prompt("t2", "Always use port 8080 for the server."),
        Event::child_start("c1"),
    ]);
    home.compact("auto");
    home.send(&Event::start("compact"));
    let facts = (0..CHECKPOINT_RECORDS).map(|number| format!("fact {number}"));
    let facts: Vec<Item> = facts.map(|text| Item::of_agent(ItemKind::Fact, &text)).collect();
    home.record(&facts);
    home.commit("second");
    home.send_silent(&[Event::stop(), Event::prompt("t3", "Always use port 9090 for the server.")]);
    home
}

fn checkpoint(home: &TestHome) -> PathBuf {
    home.root.join("tasks").join(home.only_task().to_string()).join("checkpoint")
}

// covers: P-106, P-127
#[test]
fn a_fold_from_the_checkpoint_and_one_from_the_first_record_are_the_same_bytes() {
    let home = lived_in();
    assert_eq!(derived(&home, Depth::Newest), derived(&home, Depth::Full));
}

// covers: P-106
#[test]
fn a_checkpoint_that_is_gone_cut_changed_or_of_other_code_changes_no_byte() {
    let home = lived_in();
    let expected = derived(&home, Depth::Full);
    let path = checkpoint(&home);
    let whole = fs::read(&path).unwrap();
    for place in (0..whole.len()).step_by(211).chain([whole.len() - 1]) {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x40;
        fs::write(&path, &bytes).unwrap();
        assert_eq!(derived(&home, Depth::Newest), expected, "byte {place}");
        fs::write(&path, &whole[..place]).unwrap();
        assert_eq!(derived(&home, Depth::Newest), expected, "cut at {place}");
    }
    fs::write(&path, &whole).unwrap();
    let mut files = home.home().files(home.only_task());
    let mut other = files.load_checkpoint().unwrap().unwrap();
    other.fold_version += 1;
    other.state = b"something else".to_vec();
    files.store_checkpoint(&other).unwrap();
    assert_eq!(derived(&home, Depth::Newest), expected);
    other.fold_version -= 1;
    files.store_checkpoint(&other).unwrap();
    assert_eq!(derived(&home, Depth::Newest), expected);
    fs::remove_file(&path).unwrap();
    assert_eq!(derived(&home, Depth::Newest), expected);
}

#[test]
fn a_checkpoint_ahead_of_its_log_is_not_believed() {
    let home = lived_in();
    let segment = home.root.join(format!("tasks/{}/ledger/000001.seg", home.only_task()));
    let old_log = fs::read(&segment).unwrap();
    home.send_silent(&[Event::prompt("t4", "Never touch prod.")]);
    home.compact("auto");
    let ahead = fs::read(checkpoint(&home)).unwrap();
    fs::write(&segment, old_log).unwrap();
    fs::write(checkpoint(&home), ahead).unwrap();
    let found = home.home().read(home.only_task(), Depth::Newest);
    assert!(found.is_err(), "a fold that the log does not bear out");
    let answer = home.send(&Event::start("compact"));
    assert_eq!(answer.context(), None);
    assert!(answer.notice().unwrap().starts_with("Continuity is off for this task: "));
}

#[test]
fn a_checkpoint_of_another_history_is_not_believed() {
    let home = lived_in();
    let mut files = home.home().files(home.only_task());
    let mut foreign = files.load_checkpoint().unwrap().unwrap();
    let mut link = *foreign.position.head.link.as_bytes();
    link[0] ^= 1;
    foreign.position.head.link = context_continuity::domain::chain::LinkHash::new(link);
    files.store_checkpoint(&foreign).unwrap();
    let expected = derived(&home, Depth::Full);
    // Either the log is folded anew, or the reader says that something is wrong.
    let found = home.home().read(home.only_task(), Depth::Newest);
    if let Ok((folded, _)) = found {
        assert_eq!(encode_value(&folded.state).unwrap(), expected[0]);
    }
}

// covers: P-160
#[test]
fn reading_changes_nothing_on_disk() {
    let home = lived_in();
    let seen = || {
        crate::support::scan::files_below(&home.root)
            .into_iter()
            .map(|path| {
                let found = fs::metadata(&path).unwrap();
                (path.clone(), found.modified().unwrap(), fs::read(path).unwrap())
            })
            .collect::<Vec<_>>()
    };
    let before = seen();
    derived(&home, Depth::Newest);
    derived(&home, Depth::Full);
    home.verify();
    assert!(before == seen());
}

// field case F045
#[test]
fn a_text_that_is_gone_harms_the_one_entry_that_names_it() {
    let home = TestHome::new();
    home.send_silent(&[
        Event::prompt("t1", "Never push without my yes."),
        Event::prompt("t2", "Never touch prod."),
    ]);
    let (folded, _) = home.read();
    let first = folded.state.quotes.values().next().unwrap();
    home.home().files(home.only_task()).erase_body(first.draft.body.id).unwrap();
    home.compact("auto");
    let text = home.send(&Event::start("compact")).context().unwrap();
    assert!(text.contains("constraint q1 (quote): its text is missing"), "{text}");
    assert!(text.contains("constraint q2 (quote): “Never touch prod.”"), "{text}");
    assert!(text.contains("not certain: the text of an entry is missing"), "{text}");
    home.verify();
}
