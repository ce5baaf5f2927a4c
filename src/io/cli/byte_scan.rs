//! Looks through every byte below a folder for words that must not be there any more.
//!
//! No link is followed, nothing but regular files is opened, and a file is read block by block. What
//! cannot be read counts as a place where the words may still be.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::Path;

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

use super::forms::FORM_BYTES_MIN;

/// Bytes read at a time.
const BLOCK_BYTES: u64 = 256 * 1024;
/// Places that are named; more are counted by the last one.
const PLACES_MAX: usize = 100;

/// What is looked for.
pub(super) struct Sought {
    /// In order, each of [`FORM_BYTES_MIN`] bytes or more.
    forms: Vec<Vec<u8>>,
    /// Whether a form begins with these two bytes.
    begins: Vec<bool>,
    bytes_max: usize,
}

impl Sought {
    /// Takes in the forms; shorter ones than [`FORM_BYTES_MIN`] are left out.
    pub(super) fn new(forms: BTreeSet<Vec<u8>>) -> Self {
        let forms: Vec<_> = forms.into_iter().filter(|it| it.len() >= FORM_BYTES_MIN).collect();
        let mut begins = vec![false; usize::from(u16::MAX) + 1];
        for form in &forms {
            if let Some(place) = begins.get_mut(first_two(form)) {
                *place = true;
            }
        }
        let bytes_max = forms.iter().map(Vec::len).max().unwrap_or(0);
        Self { forms, begins, bytes_max }
    }

    /// Returns where the first form stands.
    fn find(&self, bytes: &[u8]) -> Option<usize> {
        bytes.windows(FORM_BYTES_MIN).enumerate().position(|(at, window)| {
            self.begins.get(first_two(window)).copied().unwrap_or(false)
                && self.stands_at(bytes.get(at..).unwrap_or_default(), window)
        })
    }

    fn stands_at(&self, rest: &[u8], window: &[u8]) -> bool {
        let first = self.forms.partition_point(|form| form.as_slice() < window);
        let candidates = self.forms.get(first..).unwrap_or_default();
        let mut candidates = candidates.iter().take_while(|form| form.starts_with(window));
        candidates.any(|form| rest.starts_with(form))
    }
}

fn first_two(bytes: &[u8]) -> usize {
    match bytes {
        [first, second, ..] => usize::from(u16::from_be_bytes([*first, *second])),
        _ => 0,
    }
}

/// What a look through a folder came to.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    /// Files read.
    pub files: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Places where the words stand, or could stand: path below the folder, and why.
    pub places: Vec<(String, String)>,
}

/// Looks through all names and files below `root`. `sought_in` tells what is looked for under a
/// path, and `is_known` which names may hold it.
///
/// # Errors
/// The root itself cannot be opened.
pub(super) fn scan<'a>(
    root: &Path,
    sought_in: impl Fn(&str) -> &'a Sought,
    is_known: impl Fn(&str) -> bool,
) -> io::Result<Scanned> {
    let mut scanned = Scanned::default();
    let mut open = vec![(Dir::open_ambient_dir(root, ambient_authority())?, String::new())];
    while let Some((folder, path)) = open.pop() {
        let entries = match folder.entries() {
            Ok(entries) => entries,
            Err(error) => {
                scanned.note(&path, format!("cannot be listed: {error}"));
                continue;
            }
        };
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    scanned.note(&path, format!("cannot be listed: {error}"));
                    break;
                }
            };
            let name = entry.file_name();
            let below = below(&path, &name.to_string_lossy());
            let sought = sought_in(&below);
            if sought.find(name.as_encoded_bytes()).is_some() && !is_known(&below) {
                scanned.note(&below, "its name".to_owned());
            }
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => match folder.open_dir(&name) {
                    Ok(inner) => open.push((inner, below)),
                    Err(error) => scanned.note(&below, format!("cannot be opened: {error}")),
                },
                Ok(kind) if kind.is_file() => {
                    scanned.read(&folder, Path::new(&name), &below, sought);
                }
                Ok(_) => {}
                Err(error) => scanned.note(&below, format!("cannot be looked at: {error}")),
            }
        }
    }
    scanned.places.sort();
    Ok(scanned)
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") }
}

impl Scanned {
    fn note(&mut self, path: &str, why: String) {
        if self.places.len() < PLACES_MAX {
            self.places.push((path.to_owned(), why));
        }
    }

    fn read(&mut self, folder: &Dir, name: &Path, path: &str, sought: &Sought) {
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No);
        let found =
            folder.open_with(name, &options).and_then(|mut file| find_in(&mut file, sought));
        match found {
            Ok((bytes, at)) => {
                self.files = self.files.saturating_add(1);
                self.bytes = self.bytes.saturating_add(bytes);
                if let Some(at) = at {
                    self.note(path, format!("at byte {at}"));
                }
            }
            // Gone since it was listed: nothing stands there.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.note(path, format!("cannot be read: {error}")),
        }
    }
}

/// Returns how many bytes were read, and where the first form begins.
fn find_in(file: &mut impl Read, sought: &Sought) -> io::Result<(u64, Option<u64>)> {
    let mut window = Vec::new();
    let (mut total, mut before) = (0_u64, 0_u64);
    loop {
        let gone = window.len().saturating_sub(sought.bytes_max.saturating_sub(1));
        window.drain(..gone);
        before = before.saturating_add(u64::try_from(gone).unwrap_or(u64::MAX));
        let read = file.by_ref().take(BLOCK_BYTES).read_to_end(&mut window)?;
        if read == 0 {
            return Ok((total, None));
        }
        total = total.saturating_add(u64::try_from(read).unwrap_or(u64::MAX));
        if let Some(at) = sought.find(&window) {
            return Ok((total, Some(before.saturating_add(u64::try_from(at).unwrap_or(u64::MAX)))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sought(forms: &[&str]) -> Sought {
        Sought::new(forms.iter().map(|form| form.as_bytes().to_vec()).collect())
    }

    #[test]
    fn a_form_is_found_wherever_it_stands_and_nothing_else_is() {
        let sought = sought(&["kestrel-quarry", "kestrel-quill", "short"]);
        let at = |text: &str| sought.find(text.as_bytes());
        assert_eq!(at("kestrel-quill"), Some(0));
        assert_eq!(at("a kestrel-quarry"), Some(2));
        assert_eq!(at("a kestrel-quarr"), None);
        assert_eq!(at("short and shorter"), None);
        assert_eq!(at(""), None);
    }

    #[test]
    fn a_form_across_two_blocks_is_found_at_its_own_byte() {
        let sought = sought(&["kestrel-quarry"]);
        let block = usize::try_from(BLOCK_BYTES).unwrap();
        for start in [0, 1, block - 14, block - 7, block - 1, block, block + 1, 3 * block - 5] {
            let mut bytes = vec![b'.'; 4 * block];
            bytes[start..start + 14].copy_from_slice(b"kestrel-quarry");
            let (_, at) = find_in(&mut bytes.as_slice(), &sought).unwrap();
            assert_eq!(at, Some(u64::try_from(start).unwrap()));
        }
        let empty = find_in(&mut vec![b'.'; 2 * block].as_slice(), &sought).unwrap();
        assert_eq!(empty, (2 * BLOCK_BYTES, None));
    }

    #[cfg(unix)]
    #[test]
    fn names_count_links_are_not_followed_and_known_names_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        let write = |path: std::path::PathBuf, text: &str| {
            Dir::open_ambient_dir(path.parent().unwrap(), ambient_authority())
                .unwrap()
                .write(path.file_name().unwrap(), text)
                .unwrap();
        };
        write(outside.path().join("plain"), "kestrel-quarry");
        std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
        write(folder.path().join("kestrel-quarry.lock"), "");
        write(folder.path().join("kestrel-quarry.old"), "");
        write(folder.path().join("Some File"), "xkestrel-quarry");
        let known = |path: &str| path == "kestrel-quarry.lock";
        let sought = sought(&["kestrel-quarry"]);
        let scanned = scan(folder.path(), |_| &sought, known).unwrap();
        let places = scanned.places.iter().map(|(path, why)| (path.as_str(), why.as_str()));
        let places: Vec<_> = places.collect();
        assert_eq!(places, [("Some File", "at byte 1"), ("kestrel-quarry.old", "its name")]);
        assert_eq!((scanned.files, scanned.bytes), (3, 15));
    }
}
