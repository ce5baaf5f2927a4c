//! Files that a crash or a full disk cut, as the next hook meets them.

use std::fs;
use std::path::PathBuf;

use crate::support::{Event, TestHome, scan};

const RULE: &str = "Never push without my yes.";

fn begun() -> TestHome {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", RULE), Event::prompt("t2", "ok")]);
    home
}

fn in_task(home: &TestHome, below: &str) -> PathBuf {
    home.root.join("tasks").join(home.only_task().to_string()).join(below)
}

#[test]
fn damage_that_a_full_reading_found_is_never_written_past_from_a_checkpoint() {
    let home = begun();
    home.compact("manual");
    assert!(in_task(&home, "checkpoint").exists(), "a boundary leaves a checkpoint");
    let segment = in_task(&home, "ledger/000001.seg");
    let mut bytes = fs::read(&segment).unwrap();
    bytes[200] ^= 1;
    fs::write(&segment, &bytes).unwrap();
    let notice = home.send(&Event::start("resume")).notice().unwrap();
    assert!(notice.contains("is damaged at byte"), "{notice}");
    home.send_silent(&[
        Event::prompt("t8", RULE),
        Event::stop(),
        Event::pre_compact("auto"),
        Event::post_compact("auto"),
        Event::prompt("t9", "ok"),
        Event::end(),
    ]);
    assert!(fs::read(&segment).unwrap() == bytes, "something was appended behind damage");
}

// field case F042
#[test]
fn a_log_cut_anywhere_in_its_last_record_is_set_aside_and_goes_on() {
    let home = begun();
    let segment = in_task(&home, "ledger/000001.seg");
    let before = home.home().log(home.only_task()).verify(&mut |_| ()).log_bytes;
    home.send_silent(&[Event::prompt("t3", "Our goal is to port module A.")]);
    let whole = fs::read(&segment).unwrap();
    let first = usize::try_from(before).unwrap();
    let cuts: Vec<usize> = (first + 1..whole.len()).step_by(7).chain([whole.len() - 1]).collect();
    for cut in cuts {
        fs::write(&segment, &whole[..cut]).unwrap();
        fs::remove_file(home.root.join("anchors").join(home.only_task().to_string())).unwrap();
        home.send(&Event::prompt(&format!("cut{cut}"), "ok")).assert_silent();
        home.verify();
        let bytes = fs::read(&segment).unwrap();
        assert_eq!(bytes[..first], whole[..first]);
        let aside = scan::contents(&in_task(&home, "quarantine"));
        assert!(aside.iter().any(|(_, bytes)| scan::contains(bytes, &whole[first..cut])), "{cut}");
    }
}

// covers: P-214
#[test]
fn damage_before_the_last_record_switches_recovery_off_in_one_plain_line() {
    let home = begun();
    let segment = in_task(&home, "ledger/000001.seg");
    let mut bytes = fs::read(&segment).unwrap();
    bytes[200] ^= 1;
    fs::write(&segment, &bytes).unwrap();
    fs::remove_file(in_task(&home, "checkpoint")).ok();
    home.send_silent(&[Event::pre_compact("auto"), Event::post_compact("auto")]);
    let answer = home.send(&Event::start("compact"));
    assert_eq!(answer.context(), None);
    let notice = answer.notice().unwrap();
    assert!(notice.starts_with("Continuity is off for this task: "), "{notice}");
    assert!(notice.contains("is damaged at byte"), "{notice}");
    assert!(!notice.contains("push"), "{notice}");
    home.send_silent(&[Event::prompt("t3", RULE), Event::stop(), Event::end()]);
    assert_eq!(fs::read(&segment).unwrap(), bytes, "damaged bytes are left as they are");
}

// field case F043
#[test]
fn an_empty_log_is_damage_and_not_a_new_task() {
    let home = begun();
    let segment = in_task(&home, "ledger/000001.seg");
    fs::write(&segment, b"").unwrap();
    home.send_silent(&[Event::prompt("t3", RULE)]);
    assert_eq!(home.tasks().len(), 1);
    let answer = home.send(&Event::start("resume"));
    assert_eq!(answer.context(), None);
    assert!(answer.notice().unwrap().contains("Continuity is off for this task"));
}

// field case F043
// covers: P-078, P-115
#[test]
fn an_empty_snapshot_is_rebuilt_from_the_log_and_told_in_one_line() {
    let home = begun();
    home.send_silent(&[Event::pre_compact("auto")]);
    for (path, _) in scan::contents(&in_task(&home, "snapshots")) {
        fs::write(path, b"").unwrap();
    }
    home.send_silent(&[Event::post_compact("auto")]);
    let answer = home.send(&Event::start("compact"));
    assert!(answer.context().unwrap().contains(RULE));
    assert_eq!(
        answer.notice().unwrap(),
        "Continuity: a snapshot was damaged; the state was rebuilt from the ledger."
    );
    assert_eq!(home.read().0.state.transition.unwrap().class.unwrap().name(), "repaired");
}

// field case F043
#[test]
fn empty_files_beside_the_log_cost_no_word() {
    for below in ["locks", "anchors", "sessions", "checkpoint", "keys"] {
        let home = begun();
        home.compact("auto");
        home.send(&Event::start("compact"));
        let place = match below {
            "checkpoint" | "keys" => in_task(&home, below),
            _ => home.root.join(below),
        };
        let files = if place.is_dir() { scan::files_below(&place) } else { vec![place] };
        assert!(!files.is_empty(), "{below}");
        for file in files {
            fs::write(file, b"").unwrap();
        }
        home.send(&Event::prompt("t3", "Our goal is to port module A.")).assert_own_form();
        home.compact("auto");
        let answer = home.send(&Event::start("compact"));
        let text = answer.context().unwrap_or_else(|| panic!("{below}: {answer:?}"));
        assert!(text.contains(RULE) && text.contains("port module A"), "{below}: {text}");
        home.verify();
    }
}

// covers: P-215
#[test]
fn a_state_newer_than_its_snapshot_is_repaired_without_a_word_to_the_user() {
    let home = begun();
    home.send_silent(&[Event::pre_compact("auto"), Event::prompt("t3", "Never touch prod.")]);
    home.send_silent(&[Event::post_compact("auto")]);
    let answer = home.send(&Event::start("compact"));
    assert_eq!(answer.notice(), None);
    let text = answer.context().unwrap();
    assert!(text.contains("Never touch prod."), "{text}");
    assert!(text.contains("the ledger is newer than the snapshot; the ledger holds"), "{text}");
    assert_eq!(home.read().0.state.transition.unwrap().class.unwrap().name(), "repaired");
}

#[test]
fn a_log_that_was_rolled_back_is_not_believed() {
    let home = begun();
    let segment = in_task(&home, "ledger/000001.seg");
    let old = fs::read(&segment).unwrap();
    home.send_silent(&[Event::prompt("t3", "Our goal is to port module A.")]);
    home.compact("auto");
    fs::write(&segment, old).unwrap();
    let answer = home.send(&Event::start("compact"));
    assert_eq!(answer.context(), None);
    assert!(answer.notice().unwrap().contains("was acknowledged"));
}

#[test]
fn a_log_that_somebody_removed_is_told_at_the_next_start() {
    let home = begun();
    home.compact("auto");
    fs::remove_dir_all(in_task(&home, "")).unwrap();
    home.send_silent(&[Event::prompt("t3", RULE), Event::pre_compact("auto")]);
    let answer = home.send(&Event::start("compact"));
    assert_eq!(answer.context(), None);
    let notice = answer.notice().unwrap();
    assert!(notice.starts_with("Continuity is off for this task: "), "{notice}");
    assert!(notice.contains("was acknowledged"), "{notice}");
}
