//! Tests: the one child process is bounded and leaves nothing behind.

use std::io::Read as _;

use super::*;

/// One thing that a repository may bring along, and whether a careless `git status` runs it.
struct Trap {
    name: &'static str,
    config: &'static str,
    attributes: &'static str,
    is_sprung_by_plain_status: bool,
}

/// `@` stands for a program that leaves a file behind.
const TRAPS: &[Trap] = &[
    Trap {
        name: "file system monitor",
        config: "[core]\nfsmonitor = @",
        attributes: "",
        is_sprung_by_plain_status: true,
    },
    Trap {
        name: "clean filter",
        config: "[filter \"trap\"]\nclean = @\nrequired = true",
        attributes: "* filter=trap",
        is_sprung_by_plain_status: true,
    },
    Trap {
        name: "process filter",
        config: "[filter \"trap\"]\nprocess = @\nrequired = true",
        attributes: "* filter=trap",
        is_sprung_by_plain_status: true,
    },
    Trap {
        name: "filter in another spelling",
        config: "[core] ignorecase = false\n[FILTER \"Trap.2\"] CLEAN = @",
        attributes: "* filter=Trap.2",
        is_sprung_by_plain_status: true,
    },
    Trap {
        name: "filter without quotes",
        config: "[filter.trap]\nclean = @",
        attributes: "* filter=trap",
        is_sprung_by_plain_status: true,
    },
    Trap {
        name: "filter in an included file",
        config: "[include]\npath = ../included",
        attributes: "* filter=trap",
        is_sprung_by_plain_status: true,
    },
    Trap {
        name: "hook",
        config: "[core]\nhooksPath = hooks-here",
        attributes: "",
        is_sprung_by_plain_status: true,
    },
    Trap {
        name: "text conversion and external diff",
        config: "[diff]\nexternal = @\n[diff \"trap\"]\ntextconv = @\ncommand = @",
        attributes: "* diff=trap",
        is_sprung_by_plain_status: false,
    },
    Trap {
        name: "pager, alias, editor, credentials, transport",
        config: "[core]\npager = @\neditor = @\nsshCommand = @\naskPass = @\ngitProxy = @\n\
                 [pager]\nstatus = @\n[alias]\nstatus = !@\nrev-parse = !@\nmerge-base = !@\n\
                 [credential]\nhelper = !@\n[gpg]\nprogram = @",
        attributes: "",
        is_sprung_by_plain_status: false,
    },
];

/// Makes a repository with one trap, and a file that Git has to look into.
fn trapped(home: &Home, trap: &Trap) -> (PathBuf, PathBuf) {
    let top = home.repository("repository");
    let (program, sprung) = (home.join("program"), home.join("sprung"));
    script(&program, &format!(": > '{}'", sprung.display()));
    let config = trap.config.replace('@', program.to_str().unwrap());
    fs::create_dir(top.join("hooks-here")).unwrap();
    fs::copy(&program, top.join("hooks-here/post-index-change")).unwrap();
    fs::write(top.join(".gitattributes"), trap.attributes).unwrap();
    let filter = format!("[filter \"trap\"]\nclean = {}\n", program.display());
    fs::write(top.join("included"), filter).unwrap();
    // Same size, other time: whether it changed can only be told from its content.
    fs::write(top.join("file"), "other\n").unwrap();
    let file = fs::File::options().write(true).open(top.join("file")).unwrap();
    file.set_modified(std::time::UNIX_EPOCH + Duration::from_hours(1)).unwrap();
    configure(&top, &config);
    (top, sprung)
}

#[test]
fn nothing_that_a_repository_brings_is_run() {
    for trap in TRAPS {
        let home = Home::new();
        let (top, sprung) = trapped(&home, trap);
        let commit = ObjectName::parse(&"b".repeat(40)).unwrap();
        let first = quick(&top).head;
        let Known::Known(Some(first)) = first else { panic!("{}", trap.name) };
        let dirty = full(&top).dirty;
        assert_eq!(probe().has_commit(&top, &commit), expected(&dirty, false), "{}", trap.name);
        assert_eq!(probe().has_commit(&top, &first), expected(&dirty, true), "{}", trap.name);
        assert_eq!(probe().is_descendant(&top, &commit, &first), Known::Unknown);
        assert!(!sprung.exists(), "{} was run", trap.name);
        plain_git(&top, &["status"]);
        assert_eq!(sprung.exists(), trap.is_sprung_by_plain_status, "{} is no trap", trap.name);
    }
}

/// A repository of which `git` may not be asked at all leaves every answer unknown.
fn expected(dirty: &Known<crate::domain::ids::Digest>, answer: bool) -> Known<bool> {
    match dirty {
        Known::Known(_) => Known::Known(answer),
        Known::Unknown => Known::Unknown,
    }
}

#[test]
fn filters_with_plain_names_are_switched_off_and_others_refused() {
    let is_known = |index: usize| {
        let home = Home::new();
        let (top, _) = trapped(&home, &TRAPS[index]);
        full(&top).dirty != Known::Unknown
    };
    let known: Vec<bool> = (0..TRAPS.len()).map(is_known).collect();
    assert_eq!(known, [true, true, true, true, false, false, true, true, true]);
}

#[test]
fn a_missing_object_is_not_fetched() {
    for url in ["ext::@", "ssh://example.invalid/x"] {
        let home = Home::new();
        let top = home.repository("repository");
        let (program, sprung) = (home.join("program"), home.join("sprung"));
        script(&program, &format!(": > '{}'", sprung.display()));
        let program = program.to_str().unwrap();
        let url = url.replace('@', program);
        configure(
            &top,
            &format!(
                "[core]\nrepositoryformatversion = 1\nsshCommand = {program}\n\
                 [extensions]\npartialClone = origin\n[protocol]\nallow = always\n\
                 [protocol \"ext\"]\nallow = always\n[protocol \"ssh\"]\nallow = always\n\
                 [remote \"origin\"]\nurl = {url}\npromisor = true\n"
            ),
        );
        let missing = ObjectName::parse(&"b".repeat(40)).unwrap();
        let first = head(&top);
        assert_eq!(probe().has_commit(&top, &missing), Known::Known(false));
        assert_eq!(probe().is_descendant(&top, &missing, &first), Known::Unknown);
        assert_ne!(full(&top).dirty, Known::Unknown);
        assert!(!sprung.exists());
        plain_git(&top, &["cat-file", "-e", &missing.to_string()]);
        assert!(sprung.exists(), "{url} is no trap");
    }
}

#[test]
fn the_question_is_about_this_folder_whatever_the_config_says() {
    let home = Home::new();
    let top = home.repository("repository");
    let elsewhere = home.join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let before = full(&top).dirty;
    configure(&top, &format!("[core]\nworktree = {}\n", elsewhere.display()));
    assert_eq!(full(&top).dirty, before);
    fs::write(elsewhere.join("new"), "").unwrap();
    assert_eq!(full(&top).dirty, before);
    fs::write(top.join("new"), "").unwrap();
    assert_ne!(full(&top).dirty, before);
}

#[test]
fn every_edit_changes_the_dirty_digest_and_reading_changes_nothing() {
    let home = Home::new();
    let top = home.repository("repository");
    let clean = full(&top);
    assert_eq!(clean, full(&top));
    let mut seen = vec![clean.dirty];
    for (name, content) in [("file", "a\n"), ("file", "a\nb\n"), ("new", ""), ("new", "x")] {
        fs::write(top.join(name), content).unwrap();
        let state = full(&top);
        assert_eq!(state.dirty, full(&top).dirty);
        assert!(!seen.contains(&state.dirty), "{name} {content}");
        assert_eq!(state.index, clean.index);
        seen.push(state.dirty);
    }
    assert!(!seen.contains(&Known::Unknown));
}

#[test]
fn a_commit_descends_from_its_ancestors_only() {
    let home = Home::new();
    let top = home.repository("repository");
    let first = head(&top);
    let second = commit(&top, "file", "second\n");
    git(&top, &["checkout", "--quiet", "-b", "side", &first.to_string()]);
    let side = commit(&top, "file", "side\n");
    let probe = probe();
    for (before, now, expect) in [
        (&first, &second, true),
        (&first, &side, true),
        (&second, &second, true),
        (&second, &first, false),
        (&second, &side, false),
    ] {
        assert_eq!(probe.is_descendant(&top, before, now), Known::Known(expect));
    }
    fs::write(top.join(".git/shallow"), format!("{side}\n")).unwrap();
    assert_eq!(probe.is_descendant(&top, &first, &side), Known::Unknown);
}

/// Opens a pipe without waiting for a writer.
fn reader(path: &Path) -> fs::File {
    use rustix::fs::{Mode, OFlags};
    rustix::fs::open(path, OFlags::RDONLY | OFlags::NONBLOCK, Mode::empty()).unwrap().into()
}

#[test]
// field case F034
fn a_slow_git_is_killed_with_all_it_started_and_leaves_dirty_unknown() {
    let home = Home::new();
    let top = home.repository("repository");
    let (programs, alive) = (home.join("programs"), home.join("alive"));
    fs::create_dir(&programs).unwrap();
    pipe(&alive);
    // Both hold the pipe open for as long as they live.
    let body = format!("exec 9>'{}'\necho started >&9\nsleep 3600 &\nsleep 3600", alive.display());
    script(&programs.join("git"), &body);
    let mut watch = reader(&alive);
    let search_path = format!("{}:{SEARCH_PATH}", programs.display());
    let probe = WorkspaceProbe::new(Duration::from_secs(2), |text| Redacted::assume(text))
        .with_search_path(search_path);
    let state = state(&probe.full(Some(&top)));
    assert_eq!(state.dirty, Known::Unknown);
    assert_eq!(state.checkout, branch("main"));
    rustix::fs::fcntl_setfl(&watch, rustix::fs::OFlags::empty()).unwrap();
    let mut heard = String::new();
    watch.read_to_string(&mut heard).unwrap();
    assert_eq!(heard, "started\n");
}

#[test]
fn output_past_its_bound_is_unknown() {
    let home = Home::new();
    let top = home.repository("repository");
    let programs = home.join("programs");
    fs::create_dir(&programs).unwrap();
    script(&programs.join("git"), "while :; do printf '? %0999d\\0' 0; done");
    let search_path = format!("{}:{SEARCH_PATH}", programs.display());
    let probe = probe().with_search_path(search_path);
    assert_eq!(state(&probe.full(Some(&top))).dirty, Known::Unknown);
}

#[test]
fn no_git_of_the_workspace_or_of_a_relative_folder_is_run() {
    let home = Home::new();
    let top = home.repository("repository");
    let sprung = home.join("sprung");
    for folder in ["bin", ".git/bin"] {
        fs::create_dir(top.join(folder)).unwrap();
        script(&top.join(folder).join("git"), &format!(": > '{}'", sprung.display()));
    }
    let linked = home.join("linked");
    fs::create_dir(&linked).unwrap();
    std::os::unix::fs::symlink(top.join("bin/git"), linked.join("git")).unwrap();
    std::os::unix::fs::symlink(top.join("bin"), home.join("also")).unwrap();
    let (top_text, home_text) = (top.display(), home.path.display());
    let entries =
        format!("bin:.::{top_text}/bin:{top_text}/.git/bin:{home_text}/linked:{home_text}/also");
    let alone = probe().with_search_path(entries.clone());
    assert_eq!(state(&alone.full(Some(&top))).dirty, Known::Unknown);
    let with_real = probe().with_search_path(format!("{entries}:{SEARCH_PATH}"));
    assert_eq!(state(&with_real.full(Some(&top))).dirty, full(&top).dirty);
    assert!(!sprung.exists());
}
