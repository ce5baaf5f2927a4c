//! Reads the environment, once, into values.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::domain::task::limits::Limits;
use crate::io::root::locate::{Environment, Platform};

/// Everything that a process of ours takes from outside.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What the choice of the data root rests on.
    pub environment: Environment,
    /// The folders in which programs are found.
    pub search_path: Option<OsString>,
    /// The bounds of tasks.
    pub limits: Limits,
}

impl Settings {
    /// Reads the environment; `data_root` is the value of `--data-root`.
    #[must_use]
    pub fn from_environment(data_root: Option<PathBuf>) -> Self {
        let path = |name| variable(name).map(PathBuf::from);
        Self {
            environment: Environment {
                data_root,
                continuity_home: path("CONTEXT_CONTINUITY_HOME"),
                xdg_data_home: path("XDG_DATA_HOME"),
                home: path("HOME"),
                local_app_data: path("LOCALAPPDATA"),
                temporary: std::env::temp_dir(),
                user_id: user_id(),
                platform: Platform::current(),
            },
            search_path: variable("PATH"),
            limits: Limits::default(),
        }
    }
}

/// Returns a variable of the environment; an empty one counts as absent.
#[expect(clippy::disallowed_methods, reason = "this is the one place that reads the environment")]
#[must_use]
pub fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

#[cfg(unix)]
fn user_id() -> u32 {
    rustix::process::getuid().as_raw()
}

#[cfg(not(unix))]
fn user_id() -> u32 {
    0
}
