//! The last whole lines of a file that somebody else writes.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use super::Uncheckable;
use crate::io::regular_file::{self, Unread};

/// Bytes that are read from the end, unless told otherwise.
pub const TAIL_BYTES_DEFAULT: u64 = 1024 * 1024;
/// Longest line that is given out, in bytes without its line end; longer ones are counted.
pub const LINE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Longest first line that is read, in bytes with its line end; it holds the host's instructions.
const FIRST_LINE_BYTES_MAX: u64 = 1024 * 1024;

/// Why there is nothing to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unavailable {
    /// The host named no file.
    Unnamed,
    /// The file is not there, or not there any more.
    Missing,
    /// The file has no bytes.
    Empty,
    /// A folder, link, pipe, socket or device.
    NotAFile,
    /// The system does not let us read it.
    Unreadable,
}

/// An open transcript.
#[derive(Debug)]
pub struct TailReader {
    file: File,
    tail_bytes_max: u64,
}

impl TailReader {
    /// Opens the regular file at `path`, an absolute path whose last name is no link.
    ///
    /// At most `tail_bytes_max` bytes are ever held.
    ///
    /// # Errors
    /// [`Unavailable`], except [`Unavailable::Empty`].
    pub fn open(path: &Path, tail_bytes_max: u64) -> Result<Self, Unavailable> {
        // A relative path would be read against the folder of our own process.
        if !path.is_absolute() {
            return Err(Unavailable::Unnamed);
        }
        match regular_file::open(path) {
            Ok(file) => Ok(Self { file, tail_bytes_max }),
            Err(Unread::Absent) => Err(Unavailable::Missing),
            Err(Unread::Folder | Unread::NotRegular) => Err(Unavailable::NotAFile),
            Err(Unread::Refused) => Err(Unavailable::Unreadable),
        }
    }

    /// Reads the end of the file as it is now; a file that grew or shrank is read anew.
    ///
    /// # Errors
    /// [`Unavailable::Empty`] and [`Unavailable::Unreadable`].
    pub fn read(&mut self) -> Result<Tail, Unavailable> {
        let (bytes, is_whole) = regular_file::last_bytes(&mut self.file, self.tail_bytes_max)
            .map_err(|_| Unavailable::Unreadable)?;
        if bytes.is_empty() {
            return Err(Unavailable::Empty);
        }
        Ok(Tail::new(bytes, is_whole))
    }

    /// Reads the first line of the same file, cut at 1 MiB.
    ///
    /// # Errors
    /// [`Unavailable::Unreadable`].
    pub fn read_first_line(&mut self) -> Result<Vec<u8>, Unavailable> {
        self.file.seek(SeekFrom::Start(0)).map_err(|_| Unavailable::Unreadable)?;
        let mut line = Vec::new();
        BufReader::new((&self.file).take(FIRST_LINE_BYTES_MAX))
            .read_until(b'\n', &mut line)
            .map_err(|_| Unavailable::Unreadable)?;
        Ok(line)
    }
}

/// The end of a transcript at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tail {
    /// Whole lines, each with its line end.
    bytes: Vec<u8>,
    is_whole: bool,
    has_open_end: bool,
    skipped_line_count: usize,
}

impl Tail {
    fn new(mut bytes: Vec<u8>, is_whole: bool) -> Self {
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let has_open_end = end < bytes.len();
        bytes.truncate(end);
        if !is_whole {
            // The first line may have begun before the part that was read.
            let first = bytes.iter().position(|byte| *byte == b'\n').map_or(0, |first| first + 1);
            bytes.drain(..first);
        }
        let skipped_line_count =
            bytes.split(|byte| *byte == b'\n').filter(|line| line.len() > LINE_BYTES_MAX).count();
        Self { bytes, is_whole, has_open_end, skipped_line_count }
    }

    /// Returns the whole lines without their ends, oldest first; blank ones are left out.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.bytes
            .split(|byte| *byte == b'\n')
            .map(<[u8]>::trim_ascii)
            .filter(|line| !line.is_empty() && line.len() <= LINE_BYTES_MAX)
    }

    /// Tells whether the file was read from its start.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Tells whether the file ends in a line without an end: somebody is writing it.
    #[must_use]
    pub const fn has_open_end(&self) -> bool {
        self.has_open_end
    }

    /// Returns how many lines were longer than [`LINE_BYTES_MAX`].
    #[must_use]
    pub const fn skipped_line_count(&self) -> usize {
        self.skipped_line_count
    }

    /// Says why an answer that needs every line cannot be given: lines that were not even given out
    /// may hold anything.
    #[must_use]
    pub fn unclear_lines(&self) -> Option<Uncheckable> {
        (self.has_open_end || self.skipped_line_count > 0).then_some(Uncheckable::UnreadableLines)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the tests prepare the files that are read")]

    use std::fs;
    use std::io::Write as _;

    use super::*;

    fn file(content: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("transcript.jsonl");
        fs::write(&path, content).unwrap();
        (folder, path)
    }

    fn read(path: &Path, tail_bytes_max: u64) -> Result<Tail, Unavailable> {
        TailReader::open(path, tail_bytes_max)?.read()
    }

    #[track_caller]
    fn check(content: &str, tail_bytes_max: u64, expect: &[&str], is_whole: bool, is_open: bool) {
        let (_folder, path) = file(content.as_bytes());
        let tail = read(&path, tail_bytes_max).unwrap();
        let expect: Vec<&[u8]> = expect.iter().map(|line| line.as_bytes()).collect();
        assert_eq!(tail.lines().collect::<Vec<_>>(), expect);
        assert_eq!((tail.is_whole(), tail.has_open_end()), (is_whole, is_open));
        let newest_first: Vec<&[u8]> = tail.lines().rev().collect();
        assert_eq!(newest_first, expect.into_iter().rev().collect::<Vec<_>>());
    }

    #[test]
    fn only_whole_lines_of_the_tail_are_given_out() {
        check("one\ntwo\n", 8, &["one", "two"], true, false);
        check("one\ntwo\n", 7, &["two"], false, false);
        check("one\ntwo\n", 4, &[], false, false);
        check("one\ntwo\nthr", 100, &["one", "two"], true, true);
        check("one\r\n\r\n \ntwo\r\n", 100, &["one", "two"], true, false);
        check("no end", 100, &[], true, true);
        check("no end at all", 4, &[], false, true);
    }

    #[test]
    fn a_line_at_the_bound_is_given_out_and_a_longer_one_counted() {
        let at_bound = "a".repeat(LINE_BYTES_MAX);
        let (_folder, path) = file(format!("x\n{at_bound}\n{at_bound}b\ny\n").as_bytes());
        let tail = read(&path, 64 * TAIL_BYTES_DEFAULT).unwrap();
        let lengths: Vec<usize> = tail.lines().map(<[u8]>::len).collect();
        assert_eq!(lengths, [1, LINE_BYTES_MAX, 1]);
        assert_eq!(tail.skipped_line_count(), 1);
    }

    #[test]
    fn what_cannot_be_read_has_a_name() {
        let (folder, path) = file(b"");
        assert_eq!(read(&path, 10), Err(Unavailable::Empty));
        assert_eq!(read(&folder.path().join("no"), 10), Err(Unavailable::Missing));
        assert_eq!(read(&path.join("below"), 10), Err(Unavailable::Missing));
        assert_eq!(read(folder.path(), 10), Err(Unavailable::NotAFile));
        assert_eq!(read(Path::new("Cargo.toml"), 10), Err(Unavailable::Unnamed));
    }

    #[cfg(unix)]
    #[test]
    fn links_pipes_and_devices_are_no_transcripts() {
        let (folder, path) = file(b"one\n");
        let (link, pipe) = (folder.path().join("link"), folder.path().join("pipe"));
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [link.as_path(), pipe.as_path(), Path::new("/dev/zero")] {
            assert_eq!(read(path, 10), Err(Unavailable::NotAFile), "{path:?}");
        }
    }

    #[test]
    fn a_growing_moved_or_emptied_file_is_read_as_it_is() {
        let (folder, path) = file(b"one\n");
        let mut reader = TailReader::open(&path, 100).unwrap();
        assert_eq!(reader.read().unwrap().lines().count(), 1);
        let mut writer = File::options().append(true).open(&path).unwrap();
        writer.write_all(b"two\nthr").unwrap();
        let grown = reader.read().unwrap();
        assert_eq!((grown.lines().count(), grown.has_open_end()), (2, true));
        fs::rename(&path, folder.path().join("moved")).unwrap();
        assert_eq!(reader.read().unwrap(), grown);
        writer.set_len(0).unwrap();
        assert_eq!(reader.read(), Err(Unavailable::Empty));
        assert_eq!(read(&path, 100), Err(Unavailable::Missing));
    }

    #[test]
    fn of_a_huge_file_or_line_no_more_than_the_tail_is_held() {
        let (_folder, path) = file(b"");
        let mut writer = File::options().append(true).open(&path).unwrap();
        // One line of 1 GiB without a byte on the disk, then a short one.
        writer.set_len(1 << 30).unwrap();
        let tail = read(&path, TAIL_BYTES_DEFAULT).unwrap();
        assert_eq!(tail.lines().count(), 0);
        assert!(tail.has_open_end() && !tail.is_whole());
        writer.write_all(b"\nlast\n").unwrap();
        let tail = read(&path, TAIL_BYTES_DEFAULT).unwrap();
        assert_eq!(tail.lines().collect::<Vec<_>>(), [b"last"]);
        // Doubling while reading at most doubles what is held.
        assert!(tail.bytes.capacity() <= 2 * 1024 * 1024, "{}", tail.bytes.capacity());
    }
}
