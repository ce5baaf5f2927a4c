//! Where the data root is. Pure: the environment comes in as a value.

use std::path::{Component, Path, PathBuf};

/// Name of our directory in the platform's data folder.
const DIRECTORY: &str = "context-continuity";

/// Which platform's customs hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// Linux and other systems with XDG folders.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl Platform {
    /// Returns the platform that this was built for.
    #[must_use]
    pub const fn current() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::MacOs
        } else {
            Self::Linux
        }
    }
}

/// What the choice rests on. An empty variable counts as absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    /// Value of `--data-root`.
    pub data_root: Option<PathBuf>,
    /// `CONTEXT_CONTINUITY_HOME`.
    pub continuity_home: Option<PathBuf>,
    /// `XDG_DATA_HOME`.
    pub xdg_data_home: Option<PathBuf>,
    /// `HOME`.
    pub home: Option<PathBuf>,
    /// `LOCALAPPDATA`.
    pub local_app_data: Option<PathBuf>,
    /// The system's directory for temporary files.
    pub temporary: PathBuf,
    /// Number of the user that runs this process; 0 where users have no numbers.
    pub user_id: u32,
    /// The platform.
    pub platform: Platform,
}

/// Who named the data root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// `--data-root`.
    Option,
    /// `CONTEXT_CONTINUITY_HOME`.
    Variable,
    /// The platform's data folder.
    Platform,
    /// The directory for temporary files, for want of anything else.
    Temporary,
}

/// Whether the root outlives a restart of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    /// It does.
    Durable,
    /// It may not: it lies among temporary files.
    VolatileByPlace,
    /// It does not: its file system is kept in memory.
    VolatileByFileSystem,
}

/// A data root, not looked at yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// Absolute path.
    pub path: PathBuf,
    /// Who named it.
    pub source: Source,
    /// Whether it lasts, as far as its place tells.
    pub lifetime: Lifetime,
}

/// Why a data root is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LocateError {
    /// A person named a path that depends on the current directory, or that has `..` in it.
    #[error("data root {path:?} is not a plain absolute path")]
    NotAbsolute {
        /// The path.
        path: PathBuf,
    },
    /// The root would lie in the workspace, where a repository could bring its own.
    #[error("data root {path:?} lies inside the workspace {workspace:?}; choose one outside")]
    InsideWorkspace {
        /// The path.
        path: PathBuf,
        /// The workspace.
        workspace: PathBuf,
    },
}

/// Chooses the data root: the option, then the variable, then the platform's data folder, then a
/// volatile place.
///
/// What a person named is taken or refused, never passed over. `workspace` is the folder that the
/// agent works in, if it is known.
///
/// # Errors
/// [`LocateError`].
pub fn locate(
    environment: &Environment,
    workspace: Option<&Path>,
) -> Result<Location, LocateError> {
    let location = choose(environment);
    if !is_plain_absolute(&location.path) {
        return Err(LocateError::NotAbsolute { path: location.path });
    }
    if let Some(workspace) = workspace {
        refuse_inside(&location, workspace, environment.home.as_deref())?;
    }
    Ok(location)
}

/// Refuses a root inside the workspace. To be asked again with both real paths, since a link on
/// the way may lead there.
///
/// Working in the home folder itself, or above it, makes every usual root lie inside the workspace;
/// the platform's own folder is no repository's then, and stays allowed.
///
/// # Errors
/// [`LocateError::InsideWorkspace`].
pub fn refuse_inside(
    location: &Location,
    workspace: &Path,
    home: Option<&Path>,
) -> Result<(), LocateError> {
    let is_inside = location.path.starts_with(workspace);
    let is_of_whole_home =
        location.source == Source::Platform && home.is_some_and(|home| home.starts_with(workspace));
    if is_inside && !is_of_whole_home {
        let (path, workspace) = (location.path.clone(), workspace.to_owned());
        return Err(LocateError::InsideWorkspace { path, workspace });
    }
    Ok(())
}

fn choose(environment: &Environment) -> Location {
    if let Some(path) = present(environment.data_root.as_ref()) {
        return durable(path, Source::Option);
    }
    if let Some(path) = present(environment.continuity_home.as_ref()) {
        return durable(path, Source::Variable);
    }
    if let Some(folder) = platform_folder(environment) {
        return durable(folder.join(DIRECTORY), Source::Platform);
    }
    let name = format!("{DIRECTORY}-{}", environment.user_id);
    Location {
        path: environment.temporary.join(name),
        source: Source::Temporary,
        lifetime: Lifetime::VolatileByPlace,
    }
}

fn durable(path: PathBuf, source: Source) -> Location {
    Location { path, source, lifetime: Lifetime::Durable }
}

fn present(path: Option<&PathBuf>) -> Option<PathBuf> {
    path.filter(|path| !path.as_os_str().is_empty()).cloned()
}

/// A variable of the system that holds no absolute path is passed over, as the XDG rules ask.
fn platform_folder(environment: &Environment) -> Option<PathBuf> {
    let absolute = |path: Option<&PathBuf>| present(path).filter(|path| is_plain_absolute(path));
    let home = || absolute(environment.home.as_ref());
    match environment.platform {
        Platform::Linux => absolute(environment.xdg_data_home.as_ref())
            .or_else(|| home().map(|home| home.join(".local").join("share"))),
        Platform::MacOs => home().map(|home| home.join("Library").join("Application Support")),
        Platform::Windows => absolute(environment.local_app_data.as_ref()),
    }
}

fn is_plain_absolute(path: &Path) -> bool {
    path.is_absolute() && !path.components().any(|part| part == Component::ParentDir)
}

/// Tells whether a directory's file system is kept in memory; for one that does not exist, the
/// nearest directory above it answers. Where the system cannot tell, it counts as lasting.
#[cfg(target_os = "linux")]
#[must_use]
pub fn is_kept_in_memory(path: &Path) -> bool {
    const TMPFS: u64 = 0x0102_1994;
    const RAMFS: u64 = 0x8584_58f6;
    let found = path.ancestors().find_map(|path| rustix::fs::statfs(path).ok());
    found
        .and_then(|found| u64::try_from(found.f_type).ok())
        .is_some_and(|kind| kind & 0xffff_ffff == TMPFS || kind & 0xffff_ffff == RAMFS)
}

/// Tells whether a directory's file system is kept in memory: never, on this system.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn is_kept_in_memory(_path: &Path) -> bool {
    false
}

impl Location {
    /// Takes in what the file system of the root is.
    #[must_use]
    pub fn on_file_system(self, is_kept_in_memory: impl FnOnce(&Path) -> bool) -> Self {
        let is_volatile = is_kept_in_memory(&self.path);
        let lifetime = if is_volatile { Lifetime::VolatileByFileSystem } else { self.lifetime };
        Self { lifetime, ..self }
    }
}
