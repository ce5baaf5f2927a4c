//! Tests: what a checkout brings is neither run nor believed.

use super::*;

/// Replaces a file of a fresh repository and expects HEAD to be unknown.
#[track_caller]
fn check_unknown(name: &str, replace: impl FnOnce(&Path)) {
    let home = Home::new();
    let top = home.repository("repository");
    let path = top.join(".git").join(name);
    if path.exists() {
        fs::remove_file(&path).unwrap();
    }
    replace(&path);
    let state = quick(&top);
    assert_eq!(state.head, Known::Unknown, "{name}");
}

fn link_to(target: &'static str) -> impl FnOnce(&Path) {
    move |path| std::os::unix::fs::symlink(target, path).unwrap()
}

fn text(content: &'static str) -> impl FnOnce(&Path) {
    move |path| fs::write(path, content).unwrap()
}

#[test]
fn a_pipe_or_device_in_the_repository_is_unknown_and_never_waited_for() {
    check_unknown("HEAD", pipe);
    check_unknown("refs/heads/main", pipe);
    check_unknown("HEAD", link_to("/dev/zero"));
    check_unknown("HEAD", |path| {
        std::os::unix::net::UnixListener::bind(path).unwrap();
    });
    check_unknown("packed-refs", |path| {
        pipe(path);
        fs::remove_file(path.with_file_name("refs").join("heads/main")).unwrap();
    });
}

#[test]
fn a_link_inside_the_repository_is_refused() {
    check_unknown("HEAD", link_to("refs/heads/main"));
    check_unknown("refs/heads/main", link_to("../../ORIG_HEAD"));
    check_unknown("refs/heads/main", |path| {
        let heads = path.parent().unwrap();
        fs::remove_dir(heads).unwrap();
        std::os::unix::fs::symlink("/", heads).unwrap();
    });
}

#[test]
fn a_name_that_leaves_the_repository_is_refused() {
    check_unknown("HEAD", text("ref: refs/../../secret\n"));
    check_unknown("HEAD", text("ref: /etc/passwd\n"));
    check_unknown("HEAD", text("ref: config\n"));
    check_unknown("HEAD", text("ref: refs/heads/a//b\n"));
    check_unknown("HEAD", text("ref: refs/heads/a\tb\n"));
    check_unknown("HEAD", text(""));
    check_unknown("HEAD", text("not a commit\n"));
    check_unknown("refs/heads/main", text("ref: refs/heads/main\n"));
    check_unknown("refs/heads/main", |path| fs::write(path, b"\xff\xfe").unwrap());
}

#[test]
fn a_small_file_is_read_at_its_bound_and_refused_past_it() {
    let bound = usize::try_from(SMALL_FILE_BYTES_MAX).unwrap();
    let home = Home::new();
    let name = "a".repeat(40);
    fs::write(home.join("at"), format!("{name}{}", "\n".repeat(bound - 40))).unwrap();
    fs::write(home.join("past"), format!("{name}{}", "\n".repeat(bound - 39))).unwrap();
    assert_eq!(read::one_line(&home.path, "at"), Ok(name));
    assert_eq!(read::one_line(&home.path, "past"), Err(read::Unread::Refused));
}

#[test]
fn a_pipe_as_index_leaves_the_rest_known() {
    let home = Home::new();
    let top = home.repository("repository");
    fs::remove_file(top.join(".git/index")).unwrap();
    let absent = quick(&top).index;
    assert_ne!(absent, Known::Unknown);
    pipe(&top.join(".git/index"));
    let state = quick(&top);
    assert_eq!(state.index, Known::Unknown);
    assert_eq!(state.checkout, branch("main"));
}

#[test]
fn a_pipe_as_pointer_is_a_repository_of_which_nothing_is_known() {
    let home = Home::new();
    pipe(&home.join(".git"));
    let state = full(&home.path);
    assert_eq!(state.is_registered, Known::Unknown);
    assert_eq!((state.checkout, state.head), (Known::Unknown, Known::Unknown));
    assert_eq!((state.index, state.dirty), (Known::Unknown, Known::Unknown));
}

#[test]
fn reading_through_a_hostile_pointer_writes_nothing() {
    let home = Home::new();
    let victim = home.repository("victim");
    let folder = home.join("folder");
    fs::create_dir(&folder).unwrap();
    for target in ["../victim/.git", "/", "/dev", "/proc/self", "../../../../../etc/passwd"] {
        fs::write(folder.join(".git"), format!("gitdir: {target}\n")).unwrap();
        let listed = |path: &Path| {
            let mut names: Vec<_> = fs::read_dir(path)
                .unwrap()
                .map(|entry| {
                    let entry = entry.unwrap();
                    (entry.file_name(), entry.metadata().unwrap().modified().unwrap())
                })
                .collect();
            names.sort();
            names
        };
        let before = listed(&victim.join(".git"));
        assert_eq!(full(&folder).head, Known::Unknown, "{target}");
        assert_eq!(before, listed(&victim.join(".git")), "{target}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }
}
