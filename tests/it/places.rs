//! Where the work stands: folders, branches, worktrees, and a `git` that hangs.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::support::{Answer, Event, TestHome, home::start};

const RULE: &str = "Never push without my yes.";

fn class(home: &TestHome) -> &'static str {
    home.read().0.state.transition.unwrap().class.unwrap().name()
}

// field case F020
#[test]
fn a_resume_in_another_folder_asks_and_names_both() {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", RULE), Event::stop(), Event::end()]);
    let other = home.place().join("elsewhere");
    fs::create_dir(&other).unwrap();
    home.git_in(&other, &["init", "--quiet"]);
    let answer = home.send(&Event::start("resume").in_folder(&other));
    let notice = answer.notice().unwrap();
    assert!(notice.contains(home.workspace.to_str().unwrap()), "{notice}");
    assert!(notice.contains(other.to_str().unwrap()), "{notice}");
    assert_eq!(notice.matches('?').count(), 1, "{notice}");
    assert_eq!(class(&home), "ask_before_high_risk");
    assert_eq!(home.tasks().len(), 1);
}

// field case F020
#[test]
fn a_resume_in_a_folder_inside_another_repository_names_that_folder() {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", RULE), Event::stop(), Event::end()]);
    let other = home.place().join("elsewhere");
    let folder = other.join("deep").join("below");
    fs::create_dir_all(&folder).unwrap();
    home.git_in(&other, &["init", "--quiet", "--initial-branch=main"]);
    let notice = home.send(&Event::start("resume").in_folder(&folder)).notice().unwrap();
    let (before, now) = notice.split_once("; now: ").unwrap();
    assert!(before.contains(&format!("in “{}”", home.workspace.display())), "{before}");
    let expected = format!(
        "branch “main” (no commit yet) in “{}”, folder “{}”)",
        other.display(),
        folder.display()
    );
    assert!(now.starts_with(&expected), "{now}");
}

#[test]
fn a_branch_without_a_commit_and_a_detached_head_are_not_named_like_branches() {
    let home = TestHome::new();
    home.git(&["switch", "--quiet", "--orphan", "fresh"]);
    home.send_silent(&[Event::prompt("t1", RULE)]);
    home.compact("manual");
    let text = home.send(&Event::start("compact")).context().unwrap();
    let expected =
        format!("work: branch “fresh” (no commit yet) in “{}”", home.workspace.display());
    assert_eq!(text.lines().last(), Some(expected.as_str()));
    let home = TestHome::new();
    home.git(&["switch", "--quiet", "--detach"]);
    home.send_silent(&[Event::prompt("t1", RULE)]);
    home.compact("manual");
    let text = home.send(&Event::start("compact")).context().unwrap();
    assert_eq!(
        home.plain(text.lines().last().unwrap()),
        "work: no branch, at <head> in “<workspace>”"
    );
}

// field case F021
// covers: P-070
#[test]
fn a_worktree_that_lost_its_registration_is_told_beside_the_branch() {
    let home = TestHome::new();
    home.git(&["worktree", "add", "--quiet", "-b", "x", ".trees/x"]);
    let tree = home.workspace.join(".trees").join("x");
    home.send_silent(&[Event::prompt("t1", RULE).in_folder(&tree), Event::end()]);
    fs::remove_dir_all(home.workspace.join(".git/worktrees/x")).unwrap();
    let answer = home.send(&Event::start("resume"));
    assert_eq!(class(&home), "ask_before_high_risk");
    let notice = answer.notice().unwrap();
    assert!(notice.contains("another branch is checked out than before"), "{notice}");
    assert!(notice.contains("“x”") && notice.contains("“main”"), "{notice}");
    let home = TestHome::new();
    home.git(&["worktree", "add", "--quiet", "-b", "x", ".trees/x"]);
    let tree = home.workspace.join(".trees").join("x");
    home.send_silent(&[Event::prompt("t1", RULE).in_folder(&tree), Event::end()]);
    fs::remove_dir_all(home.workspace.join(".git/worktrees/x")).unwrap();
    let answer = home.send(&Event::start("resume").in_folder(&tree));
    let notice = answer.notice().unwrap();
    assert!(notice.contains("not a registered worktree"), "{notice}");
    assert_eq!(class(&home), "ask_before_high_risk");
}

// field case F022
#[test]
fn a_folder_that_is_gone_is_told_and_not_made() {
    let home = TestHome::new();
    home.git(&["worktree", "add", "--quiet", "-b", "x", "../x"]);
    let tree = home.place().join("x");
    home.send_silent(&[Event::prompt("t1", RULE).in_folder(&tree), Event::end()]);
    fs::remove_dir_all(&tree).unwrap();
    let answer = home.send(&Event::start("resume").in_folder(&tree));
    let notice = answer.notice().unwrap();
    assert!(notice.contains("the working folder is missing"), "{notice}");
    assert!(notice.contains("branch “x”"), "{notice}");
    assert_eq!(class(&home), "ask_before_high_risk");
    assert!(!tree.exists());
}

// covers: P-011, P-153
#[test]
fn commits_and_branches_of_the_session_itself_are_no_question() {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", RULE)]);
    home.git(&["switch", "--quiet", "--create", "feature"]);
    home.commit("second");
    home.send_silent(&[Event::stop()]);
    home.compact("manual");
    let answer = home.send(&Event::start("compact"));
    assert_eq!(answer.notice(), None);
    assert_eq!(class(&home), "equivalent");
    home.commit("third");
    home.compact("manual");
    let answer = home.send(&Event::start("compact"));
    assert_eq!(answer.notice(), None);
}

// covers: P-018
#[test]
fn a_later_commit_at_a_resume_is_a_marker() {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", RULE), Event::end()]);
    home.commit("second");
    let answer = home.send(&Event::start("resume"));
    assert_eq!(answer.notice(), None);
    let text = answer.context().unwrap();
    assert!(text.contains("HEAD moved on since it was last seen"), "{text}");
    assert_eq!(class(&home), "continue_with_markers");
}

// covers: P-029
#[test]
fn a_history_that_was_rewritten_before_a_resume_is_a_question() {
    let home = TestHome::new();
    home.commit("second");
    home.send_silent(&[Event::prompt("t1", RULE), Event::end()]);
    home.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    let answer = home.send(&Event::start("resume"));
    let notice = answer.notice().unwrap();
    assert!(notice.contains("HEAD does not contain the commit seen before"), "{notice}");
    assert_eq!(class(&home), "ask_before_high_risk");
}

// field case F034
#[test]
fn a_git_that_hangs_and_forks_holds_neither_the_hook_nor_its_pipe() {
    let home = TestHome::new();
    home.send_silent(&[Event::prompt("t1", RULE)]);
    let programs = home.place().join("programs");
    fs::create_dir(&programs).unwrap();
    let pids = home.place().join("pids");
    let script =
        format!("#!/bin/sh\necho $$ >> {pids:?}\nsleep 20 &\necho $! >> {pids:?}\nsleep 20\n");
    fs::write(programs.join("git"), script).unwrap();
    fs::set_permissions(programs.join("git"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(home.workspace.join("file.txt"), "changed").unwrap();
    let mut command = home.command();
    command.env("PATH", format!("{}:/usr/bin:/bin", programs.display()));
    let child = start(&mut command, &home.placed(&Event::pre_compact("auto")).bytes());
    Answer::of(child.wait_with_output().unwrap()).assert_silent();
    let started: Vec<String> =
        fs::read_to_string(&pids).unwrap_or_default().lines().map(str::to_owned).collect();
    assert!(!started.is_empty(), "the stand-in was not called");
    for pid in started {
        // One that has ended, or waits for its parent to notice, does nothing any more.
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let state = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
        assert!(state.is_empty() || state.starts_with('Z'), "{pid} lives: {stat}");
    }
    let state = home.read().0.state;
    assert!(state.transition.unwrap().is_announced);
}

// field case F039
#[test]
fn folders_whose_names_differ_only_beyond_ascii_are_different_places() {
    let pairs = [("가나다라", "마바사아"), ("админ", "петров"), ("\u{e9}", "e\u{301}")];
    for (one, other) in pairs {
        let home = TestHome::new();
        let (one, other) = (home.place().join(one), home.place().join(other));
        for folder in [&one, &other] {
            fs::create_dir(folder).unwrap();
            home.git_in(folder, &["init", "--quiet"]);
        }
        home.send_silent(&[Event::prompt("t1", RULE).in_folder(&one), Event::end()]);
        let answer = home.send(&Event::start("resume").in_folder(&other));
        assert_eq!(class(&home), "ask_before_high_risk", "{answer:?}");
        // Another session there shares nothing with the first.
        let session = "01900000-0000-7000-8000-00000000000a";
        home.send_silent(&[Event::prompt("t1", "ok").of_session(session).in_folder(&other)]);
        assert_eq!(home.tasks().len(), 2);
    }
}

#[test]
fn a_workspace_below_a_folder_with_spaces_and_quotes_is_only_a_name() {
    let home = TestHome::new();
    let folder = home.place().join("My “Projects” $(touch x) `id`; run");
    fs::create_dir(&folder).unwrap();
    home.git_in(&folder, &["init", "--quiet", "--initial-branch=main"]);
    home.send_silent(&[Event::prompt("t1", RULE).in_folder(&folder)]);
    home.send_silent(&[
        Event::pre_compact("auto").in_folder(&folder),
        Event::post_compact("auto").in_folder(&folder),
    ]);
    let text = home.send(&Event::start("compact").in_folder(&folder)).context().unwrap();
    let line = text.lines().find(|line| line.starts_with("work: ")).unwrap();
    assert_eq!(line.matches('“').count(), line.matches('”').count());
    assert!(line.contains("My 'Projects' $(touch x) `id`; run”"), "{line}");
}
