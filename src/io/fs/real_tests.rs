//! The real disk against links, pipes, masks and other people's directories.

use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
use std::path::Path;

use super::{EntryKind, FileSystem, OpenMode, RealDisk, RelativePath, RootError};

fn path(text: &str) -> RelativePath {
    text.parse().unwrap()
}

fn mode(path: &Path) -> u32 {
    std::fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn files_are_0600_and_directories_0700() {
    let home = tempfile::tempdir().unwrap();
    set_mode(home.path(), 0o700);
    let root = home.path().join("root");
    let disk = RealDisk::create(&root).unwrap();
    disk.create_directory(&path("d")).unwrap();
    drop(disk.open(&path("d/a"), OpenMode::CreateNew).unwrap());
    assert_eq!(
        [mode(&root), mode(&root.join("d")), mode(&root.join("d/a"))],
        [0o700, 0o700, 0o600]
    );
}

#[test]
fn modes_do_not_depend_on_the_mask_of_the_process() {
    let this = std::env::current_exe().unwrap();
    for mask in ["000", "022", "077", "777"] {
        let output = std::process::Command::new("sh")
            .args(["-c", &format!("umask {mask}; exec \"$0\" \"$@\"")])
            .arg(&this)
            .args(["--exact", "io::fs::real_tests::files_are_0600_and_directories_0700"])
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && told.contains("1 passed"), "mask {mask}: {told}");
    }
}

#[test]
fn missing_directories_above_the_root_are_created() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path().join("a/b/root");
    drop(RealDisk::create(&root).unwrap());
    assert_eq!(mode(&root), 0o700);
    drop(RealDisk::create(&root).unwrap());
}

#[test]
fn a_root_that_does_not_exist_is_empty_and_stays_uncreated_until_something_is_made() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path().join("root");
    assert!(matches!(RealDisk::open(&root), Err(RootError::Missing { .. })));
    let disk = RealDisk::at(&root).unwrap();
    let missing = std::io::ErrorKind::NotFound;
    assert_eq!(disk.list(&RelativePath::root()).unwrap_err().kind(), missing);
    assert_eq!(disk.metadata(&path("a")).unwrap_err().kind(), missing);
    let answer = disk.open(&path("a"), OpenMode::Read).map(|_| ()).unwrap_err();
    assert_eq!(answer.kind(), missing);
    assert!(!root.exists());
    disk.create_directory(&path("d")).unwrap();
    assert!(root.join("d").is_dir());
}

#[test]
fn a_root_behind_a_link_open_to_others_or_relative_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path().join("root");
    drop(RealDisk::create(&root).unwrap());
    let link = home.path().join("link");
    symlink(&root, &link).unwrap();
    assert!(matches!(RealDisk::open(&link), Err(RootError::NotADirectory { .. })));
    assert!(matches!(RealDisk::create(&link), Err(RootError::NotADirectory { .. })));
    for wide in [0o750, 0o707, 0o720, 0o701] {
        set_mode(&root, wide);
        let error = RealDisk::open(&root).unwrap_err();
        assert!(matches!(error, RootError::OpenToOthers { .. }));
        assert!(error.to_string().contains("chmod 700"), "{error}");
    }
    for place in ["root", "", "/", "/tmp/.."] {
        let error = RealDisk::open(Path::new(place)).unwrap_err();
        assert!(matches!(error, RootError::NotAbsolute { .. }), "{place}");
    }
}

#[test]
fn a_root_of_another_user_is_refused() {
    if rustix::process::geteuid().is_root() {
        let home = tempfile::tempdir().unwrap();
        std::os::unix::fs::chown(home.path(), Some(12345), None).unwrap();
        assert!(matches!(RealDisk::open(home.path()), Err(RootError::NotOurs { .. })));
    } else {
        assert!(matches!(RealDisk::open(Path::new("/usr")), Err(RootError::NotOurs { .. })));
    }
}

#[test]
fn no_link_is_followed_at_any_depth_and_nothing_outside_changes() {
    let home = tempfile::tempdir().unwrap();
    let outside = home.path().join("outside");
    let outer = RealDisk::create(&outside).unwrap();
    outer.create_directory(&path("d")).unwrap();
    outer.open(&path("canary"), OpenMode::CreateNew).unwrap().write_at(b"alive", 0).unwrap();
    let root = home.path().join("root");
    let disk = RealDisk::create(&root).unwrap();
    symlink(&outside, root.join("d")).unwrap();
    symlink(outside.join("canary"), root.join("file")).unwrap();
    symlink(outside.join("new"), root.join("dangling")).unwrap();
    for name in ["d/canary", "d/d", "file", "dangling"] {
        for mode in [OpenMode::Read, OpenMode::ReadWrite, OpenMode::CreateNew] {
            assert!(disk.open(&path(name), mode).is_err(), "{name} {mode:?}");
        }
    }
    disk.create_directory(&path("d/e")).unwrap_err();
    disk.list(&path("d")).unwrap_err();
    disk.sync_directory(&path("d")).unwrap_err();
    disk.remove_file(&path("d/canary")).unwrap_err();
    assert_eq!(disk.metadata(&path("file")).unwrap().kind, EntryKind::Other);
    disk.remove_file(&path("file")).unwrap();
    let names: Vec<_> = outer.list(&RelativePath::root()).unwrap();
    assert_eq!(names.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(), ["canary", "d"]);
    let mut bytes = [0; 5];
    outer.open(&path("canary"), OpenMode::Read).unwrap().read_at(&mut bytes, 0).unwrap();
    assert_eq!(&bytes, b"alive");
}

#[test]
fn a_link_swapped_in_for_an_open_directory_is_not_walked_through() {
    let home = tempfile::tempdir().unwrap();
    let outside = home.path().join("outside");
    let outer = RealDisk::create(&outside).unwrap();
    let root = home.path().join("root");
    let disk = RealDisk::create(&root).unwrap();
    disk.create_directory(&path("d")).unwrap();
    drop(disk.open(&path("d/a"), OpenMode::CreateNew).unwrap());
    let (held, moved) = (root.join("d"), root.join("moved"));
    rustix::fs::rename(&held, &moved).unwrap();
    symlink(&outside, &held).unwrap();
    drop(disk.open(&path("d/b"), OpenMode::CreateNew).unwrap());
    assert!(outer.list(&RelativePath::root()).unwrap().is_empty());
    assert!(moved.join("b").exists());
}

#[test]
fn pipes_and_sockets_are_refused_without_waiting() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path().join("root");
    let disk = RealDisk::create(&root).unwrap();
    let pipe = root.join("pipe");
    let kind = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, kind, 0o600.into(), 0).unwrap();
    assert!(std::fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
    for name in ["pipe", "socket"] {
        for mode in [OpenMode::Read, OpenMode::ReadWrite] {
            let refused = disk.open(&path(name), mode).map(|_| ()).unwrap_err();
            assert_eq!(refused.to_string(), "not a regular file", "{name}");
        }
        assert_eq!(disk.metadata(&path(name)).unwrap().kind, EntryKind::Other);
    }
}

#[test]
fn a_second_name_and_a_wide_mode_show_in_the_open_file() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path().join("root");
    let disk = RealDisk::create(&root).unwrap();
    let file = disk.open(&path("a"), OpenMode::CreateNew).unwrap();
    assert_eq!(file.metadata().unwrap().unsafe_reason(), None);
    set_mode(&root.join("a"), 0o640);
    assert!(file.metadata().unwrap().is_open_to_others);
    set_mode(&root.join("a"), 0o600);
    std::fs::hard_link(root.join("a"), home.path().join("other")).unwrap();
    assert_eq!(file.metadata().unwrap().link_count, 2);
    assert!(file.metadata().unwrap().unsafe_reason().is_some());
}
