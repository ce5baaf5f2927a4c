//! What every file system answers, asked of the real disk and of the fault disk alike.

use std::io::ErrorKind;

use super::fault::FaultDisk;
use super::{Entry, EntryKind, FileSystem, OpenMode, RealDisk, RelativePath};

fn path(text: &str) -> RelativePath {
    text.parse().unwrap()
}

fn on_each(check: impl Fn(&dyn FileSystem)) {
    check(&FaultDisk::new());
    let home = tempfile::tempdir().unwrap();
    check(&RealDisk::create(&home.path().join("root")).unwrap());
}

fn write(fs: &dyn FileSystem, name: &str, bytes: &[u8]) {
    let mut file = fs.open(&path(name), OpenMode::CreateNew).unwrap();
    assert_eq!(file.write_at(bytes, 0).unwrap(), bytes.len());
    file.sync().unwrap();
}

fn read(fs: &dyn FileSystem, name: &str) -> Vec<u8> {
    let file = fs.open(&path(name), OpenMode::Read).unwrap();
    let mut buffer = [0; 64];
    let count = file.read_at(&mut buffer, 0).unwrap();
    buffer[..count].to_vec()
}

#[test]
fn a_created_file_reads_back_and_is_ours_alone() {
    on_each(|fs| {
        write(fs, "a", b"one");
        assert_eq!(read(fs, "a"), b"one");
        for metadata in [
            fs.metadata(&path("a")).unwrap(),
            fs.open(&path("a"), OpenMode::Read).unwrap().metadata().unwrap(),
        ] {
            assert_eq!(metadata.kind, EntryKind::File);
            assert_eq!(metadata.length_bytes, 3);
            assert_eq!(metadata.link_count, 1);
            assert_eq!(metadata.unsafe_reason(), None);
        }
    });
}

#[test]
fn creating_refuses_a_name_that_is_taken_by_anything() {
    on_each(|fs| {
        write(fs, "a", b"one");
        fs.create_directory(&path("d")).unwrap();
        for name in ["a", "d"] {
            let taken = fs.open(&path(name), OpenMode::CreateNew).map(|_| ()).unwrap_err();
            assert_eq!(taken.kind(), ErrorKind::AlreadyExists);
            let taken = fs.create_directory(&path(name)).unwrap_err();
            assert_eq!(taken.kind(), ErrorKind::AlreadyExists);
        }
        assert_eq!(read(fs, "a"), b"one");
    });
}

#[test]
fn what_is_missing_is_not_found() {
    on_each(|fs| {
        let missing = path("no/such");
        assert_eq!(fs.metadata(&path("no")).unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(fs.metadata(&missing).unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(fs.list(&path("no")).unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(fs.remove_file(&path("no")).unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(fs.remove_directory(&path("no")).unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(fs.create_directory(&missing).unwrap_err().kind(), ErrorKind::NotFound);
        for mode in [OpenMode::Read, OpenMode::ReadWrite, OpenMode::CreateNew] {
            let answer = fs.open(&missing, mode).map(|_| ()).unwrap_err();
            assert_eq!(answer.kind(), ErrorKind::NotFound);
        }
    });
}

#[test]
fn a_directory_is_not_opened_and_a_file_is_not_walked_through() {
    on_each(|fs| {
        fs.create_directory(&path("d")).unwrap();
        write(fs, "a", b"one");
        for mode in [OpenMode::Read, OpenMode::ReadWrite] {
            let answer = fs.open(&path("d"), mode).map(|_| ()).unwrap_err();
            assert_eq!(answer.to_string(), "not a regular file");
        }
        let answer = fs.open(&path("a/b"), OpenMode::Read).map(|_| ()).unwrap_err();
        assert_eq!(answer.kind(), ErrorKind::NotADirectory);
    });
}

#[test]
fn a_file_opened_for_reading_cannot_be_written() {
    on_each(|fs| {
        write(fs, "a", b"one");
        fs.open(&path("a"), OpenMode::Read).unwrap().write_at(b"x", 0).unwrap_err();
        assert_eq!(read(fs, "a"), b"one");
    });
}

#[test]
fn writing_past_the_end_and_extending_fill_with_zeros() {
    on_each(|fs| {
        write(fs, "a", b"1");
        let mut file = fs.open(&path("a"), OpenMode::ReadWrite).unwrap();
        file.write_at(b"4", 3).unwrap();
        file.set_length(5).unwrap();
        assert_eq!(read(fs, "a"), b"1\0\x004\0");
        file.set_length(1).unwrap();
        assert_eq!(read(fs, "a"), b"1");
        assert_eq!(file.read_at(&mut [0; 4], 1).unwrap(), 0);
        assert_eq!(file.read_at(&mut [0; 4], 9).unwrap(), 0);
    });
}

#[test]
fn a_listing_is_sorted_and_tells_files_from_directories() {
    on_each(|fs| {
        fs.create_directory(&path("d")).unwrap();
        fs.create_directory(&path("d/c")).unwrap();
        write(fs, "d/b", b"");
        write(fs, "d/a", b"");
        let entry = |name: &str, kind| Entry { name: name.to_owned(), kind };
        assert_eq!(
            fs.list(&path("d")).unwrap(),
            [
                entry("a", EntryKind::File),
                entry("b", EntryKind::File),
                entry("c", EntryKind::Directory)
            ]
        );
        fs.sync_directory(&path("d")).unwrap();
    });
}

#[test]
fn a_rename_replaces_and_a_publish_does_not() {
    on_each(|fs| {
        write(fs, "a", b"one");
        write(fs, "b", b"two");
        let taken = fs.publish(&path("b"), &path("a")).unwrap_err();
        assert_eq!(taken.kind(), ErrorKind::AlreadyExists);
        assert_eq!(read(fs, "a"), b"one");
        fs.rename(&path("b"), &path("a")).unwrap();
        assert_eq!(read(fs, "a"), b"two");
        fs.publish(&path("a"), &path("c")).unwrap();
        assert_eq!(fs.metadata(&path("a")).unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(fs.metadata(&path("c")).unwrap().link_count, 1);
    });
}

#[test]
fn only_an_empty_directory_is_removed_and_a_new_one_of_its_name_is_another() {
    on_each(|fs| {
        fs.create_directory(&path("d")).unwrap();
        fs.create_directory(&path("d/e")).unwrap();
        write(fs, "d/e/a", b"one");
        let refused = fs.remove_directory(&path("d/e")).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::DirectoryNotEmpty);
        fs.remove_file(&path("d/e/a")).unwrap();
        fs.remove_directory(&path("d/e")).unwrap();
        fs.remove_directory(&path("d")).unwrap();
        fs.create_directory(&path("d")).unwrap();
        fs.create_directory(&path("d/e")).unwrap();
        write(fs, "d/e/a", b"two");
        assert_eq!(read(fs, "d/e/a"), b"two");
    });
}

#[test]
fn a_removed_file_stays_readable_through_its_handle() {
    on_each(|fs| {
        write(fs, "a", b"one");
        let file = fs.open(&path("a"), OpenMode::Read).unwrap();
        fs.remove_file(&path("a")).unwrap();
        let mut buffer = [0; 3];
        assert_eq!(file.read_at(&mut buffer, 0).unwrap(), 3);
        assert_eq!(file.metadata().unwrap().link_count, 0);
    });
}

#[test]
fn one_handle_holds_the_lock_until_it_is_dropped() {
    on_each(|fs| {
        write(fs, "a", b"whatever a lock file holds");
        let mut first = fs.open(&path("a"), OpenMode::ReadWrite).unwrap();
        let mut second = fs.open(&path("a"), OpenMode::ReadWrite).unwrap();
        first.try_lock().unwrap();
        assert_eq!(second.try_lock().unwrap_err().kind(), ErrorKind::WouldBlock);
        drop(first);
        second.try_lock().unwrap();
    });
}
