//! Opening and creating the root of the real disk, and what differs between systems.

use std::io;
use std::path::{Path, PathBuf};

use cap_fs_ext::{DirExt as _, ambient_authority};
use cap_std::fs::{Dir, DirBuilder};

use super::real_handle::describe;

/// Why a directory cannot be the root. Paths print with control characters escaped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RootError {
    /// There is nothing at that place.
    #[error("{root:?} does not exist")]
    Missing {
        /// The place.
        root: PathBuf,
    },
    /// The place is not an absolute path that ends in a name.
    #[error("{root:?} is not an absolute path of a directory")]
    NotAbsolute {
        /// The place.
        root: PathBuf,
    },
    /// A link or a file stands at that place.
    #[error("{root:?} is a link or not a directory; name the directory itself")]
    NotADirectory {
        /// The place.
        root: PathBuf,
    },
    /// Another user owns it.
    #[error("{root:?} belongs to another user; choose a directory of your own")]
    NotOurs {
        /// The place.
        root: PathBuf,
    },
    /// Group or others can read or write it.
    #[error("{root:?} is open to other users; run `chmod 700` on it")]
    OpenToOthers {
        /// The place.
        root: PathBuf,
    },
    /// The system refused.
    #[error("cannot {action} {root:?}")]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// The place.
        root: PathBuf,
        /// The system's answer.
        #[source]
        source: io::Error,
    },
}

impl RootError {
    fn io(action: &'static str, root: &Path, source: io::Error) -> Self {
        let root = root.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Self::Missing { root },
            io::ErrorKind::NotADirectory => Self::NotADirectory { root },
            _ if is_link_refused(&source) => Self::NotADirectory { root },
            _ => Self::Io { action, root, source },
        }
    }
}

/// Opens an existing root; the last name of its path is not followed through a link.
pub(super) fn open(root: &Path) -> Result<Dir, RootError> {
    let (parent, name) = split(root)?;
    let directory = Dir::open_ambient_dir(parent, ambient_authority())
        .and_then(|parent| parent.open_dir_nofollow(name))
        .map_err(|error| RootError::io("open", root, error))?;
    let metadata =
        directory.dir_metadata().map_err(|error| RootError::io("examine", root, error))?;
    let metadata = describe(&metadata);
    if !metadata.is_owned_by_us {
        return Err(RootError::NotOurs { root: root.to_owned() });
    }
    if metadata.is_open_to_others {
        return Err(RootError::OpenToOthers { root: root.to_owned() });
    }
    Ok(directory)
}

/// Creates what is missing of a root, and opens it.
pub(super) fn create(root: &Path) -> Result<Dir, RootError> {
    let (parent, name) = split(root)?;
    let created =
        create_parents(parent).and_then(|parent| match create_private_directory(&parent, name) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => sync_directory(&parent),
        });
    created.map_err(|error| RootError::io("create", root, error))?;
    open(root)
}

fn split(root: &Path) -> Result<(&Path, &str), RootError> {
    let not_absolute = || RootError::NotAbsolute { root: root.to_owned() };
    let name = root.file_name().and_then(|name| name.to_str()).ok_or_else(not_absolute)?;
    let parent = root.parent().filter(|_| root.is_absolute()).ok_or_else(not_absolute)?;
    Ok((parent, name))
}

/// Opens a directory above the root, creating it with the user's own default mode.
fn create_parents(path: &Path) -> io::Result<Dir> {
    match Dir::open_ambient_dir(path, ambient_authority()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        answer => return answer,
    }
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::NotFound.into());
    };
    let above = create_parents(above)?;
    match above.create_dir(name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => sync_directory(&above)?,
    }
    above.open_dir(name)
}

/// Creates a directory of mode 0700, whatever the process's mask takes away.
#[cfg(unix)]
pub(super) fn create_private_directory(parent: &Dir, name: &str) -> io::Result<()> {
    use cap_std::fs::{DirBuilderExt as _, MetadataExt as _, Permissions};
    use std::os::unix::fs::PermissionsExt as _;
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    parent.create_dir_with(name, &builder)?;
    if parent.symlink_metadata(name)?.mode() & 0o700 == 0o700 {
        return Ok(());
    }
    parent.set_permissions(name, Permissions::from_std(std::fs::Permissions::from_mode(0o700)))
}

#[cfg(not(unix))]
pub(super) fn create_private_directory(parent: &Dir, name: &str) -> io::Result<()> {
    parent.create_dir_with(name, &DirBuilder::new())
}

/// Gives a new file the mode 0600 if the process's mask took bits of it.
#[cfg(unix)]
pub(super) fn restore_owner_mode(file: &std::fs::File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    if file.metadata()?.mode() & 0o600 == 0o600 {
        return Ok(());
    }
    file.set_permissions(std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
pub(super) fn restore_owner_mode(_file: &std::fs::File) -> io::Result<()> {
    Ok(())
}

/// Returns when the names in a directory are durable.
#[cfg(unix)]
pub(super) fn sync_directory(directory: &Dir) -> io::Result<()> {
    use rustix::fs::{Mode, OFlags, openat};
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    std::fs::File::from(openat(directory, ".", flags, Mode::empty())?).sync_all()
}

/// Does nothing: the system has no such call, and orders names by its own journal.
#[cfg(not(unix))]
pub(super) fn sync_directory(_directory: &Dir) -> io::Result<()> {
    Ok(())
}

/// Tells whether a link was refused.
#[cfg(unix)]
pub(super) fn is_link_refused(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
}

#[cfg(not(unix))]
pub(super) fn is_link_refused(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::FilesystemLoop
}

/// Tells whether an open was refused because a link, socket or directory has the name.
pub(super) fn is_irregular(error: &io::Error) -> bool {
    is_link_refused(error)
        || is_socket_refused(error)
        || error.kind() == io::ErrorKind::IsADirectory
}

#[cfg(unix)]
fn is_socket_refused(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error())
}

#[cfg(not(unix))]
fn is_socket_refused(_error: &io::Error) -> bool {
    false
}
