//! Reads and replaces a host's hook file.

use std::io::{self, Read as _, Write as _};
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions, Permissions};

use super::{HOOK_FILE_BYTES_MAX, InstallError, Plan};

/// The hook file of one host folder, as it was when it was read.
#[derive(Debug)]
pub struct HookFileOnDisk {
    folder: Dir,
    name: String,
    text: Option<String>,
    permissions: Option<Permissions>,
}

impl HookFileOnDisk {
    /// Reads the file `name` in `folder`; a missing file is no error.
    ///
    /// # Errors
    /// [`InstallError::NoFolder`], [`InstallError::NotAFile`], [`InstallError::TooLong`] above
    /// [`HOOK_FILE_BYTES_MAX`], [`InstallError::NotText`], [`InstallError::Io`].
    pub fn read(folder: &Path, name: &str) -> Result<Self, InstallError> {
        let folder = match Dir::open_ambient_dir(folder, ambient_authority()) {
            Ok(folder) => folder,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(InstallError::NoFolder);
            }
            Err(source) => return Err(InstallError::Io { action: "find", source }),
        };
        let (text, permissions) = match read_text(&folder, name)? {
            Some((text, permissions)) => (Some(text), Some(permissions)),
            None => (None, None),
        };
        Ok(Self { folder, name: name.to_owned(), text, permissions })
    }

    /// Returns what the file held; `None` if there was none.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Makes the file what the plan says, in one step, and returns when that is durable.
    ///
    /// Keeps the file's permissions; a new file is the user's alone.
    ///
    /// # Errors
    /// [`InstallError::Changed`] if the file, or the plan, is not of what was read;
    /// [`InstallError::Io`], after which the file holds either the old or the new text.
    pub fn replace(&self, plan: &Plan) -> Result<(), InstallError> {
        let now = read_text(&self.folder, &self.name)?.map(|(text, _)| text);
        if now != self.text || plan.old_text != self.text {
            return Err(InstallError::Changed);
        }
        if !plan.is_change() {
            return Ok(());
        }
        let failed = |action| move |source| InstallError::Io { action, source };
        match &plan.new_text {
            None => self.folder.remove_file(&self.name).map_err(failed("remove"))?,
            Some(text) => self.write(text).map_err(failed("write"))?,
        }
        self.sync_folder().map_err(failed("sync"))
    }

    fn write(&self, text: &str) -> io::Result<()> {
        let staged = format!(".{}.continuity", self.name);
        // A name of our own: what it holds is left from a run that was cut off.
        match self.folder.remove_file(&staged) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = self.folder.open_with(&staged, &new_private())?;
        file.write_all(text.as_bytes())?;
        if let Some(permissions) = &self.permissions {
            file.set_permissions(permissions.clone())?;
        }
        file.sync_all()?;
        drop(file);
        self.folder.rename(&staged, &self.folder, &self.name)
    }

    #[cfg(unix)]
    fn sync_folder(&self) -> io::Result<()> {
        // The held folder is only a name to the system; one opened for reading can be synced.
        self.folder.open(".")?.sync_all()
    }

    #[cfg(not(unix))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "the shape of the other one")]
    fn sync_folder(&self) -> io::Result<()> {
        Ok(())
    }
}

fn new_private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options
}

fn read_text(folder: &Dir, name: &str) -> Result<Option<(String, Permissions)>, InstallError> {
    let failed = |source| InstallError::Io { action: "read", source };
    let metadata = match folder.symlink_metadata(name) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(failed(source)),
    };
    if !metadata.is_file() {
        return Err(InstallError::NotAFile);
    }
    let mut bytes = Vec::new();
    let file = folder.open(name).map_err(failed)?;
    file.take(HOOK_FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(failed)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > HOOK_FILE_BYTES_MAX) {
        return Err(InstallError::TooLong { bytes_max: HOOK_FILE_BYTES_MAX });
    }
    let text = String::from_utf8(bytes).map_err(|_| InstallError::NotText)?;
    Ok(Some((text, metadata.permissions())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::hosts::CODEX;
    use crate::io::hosts::install::{Launcher, plan_install, plan_uninstall};

    const FILE: &str = "hooks.json";

    struct HostFolder {
        folder: tempfile::TempDir,
        files: Dir,
    }

    impl HostFolder {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("makes a folder");
            let files = Dir::open_ambient_dir(folder.path(), ambient_authority()).expect("opens");
            Self { folder, files }
        }

        fn read(&self) -> HookFileOnDisk {
            HookFileOnDisk::read(self.folder.path(), FILE).expect("reads")
        }

        fn install(&self) {
            let launcher = Launcher::new("/bin/continuity", "/state").expect("fits");
            let file = self.read();
            let plan = plan_install(&CODEX, file.text(), &launcher).expect("plans");
            file.replace(&plan).expect("writes");
        }

        fn uninstall(&self) {
            let file = self.read();
            let plan = plan_uninstall(&CODEX, file.text()).expect("plans");
            file.replace(&plan).expect("writes");
        }

        fn names(&self) -> Vec<String> {
            let entries = self.files.entries().expect("lists");
            entries
                .map(|entry| entry.expect("entry").file_name().into_string().expect("text"))
                .collect()
        }
    }

    #[test]
    fn a_file_that_was_not_there_is_gone_again_after_taking_out() {
        let host = HostFolder::new();
        host.install();
        assert_eq!(host.names(), [FILE]);
        host.uninstall();
        assert!(host.names().is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_kept_and_a_new_file_is_the_users_alone() {
        use cap_std::fs::PermissionsExt as _;
        let host = HostFolder::new();
        let mode = || host.files.metadata(FILE).expect("is there").permissions().mode() & 0o777;
        host.install();
        assert_eq!(mode(), 0o600);
        host.files.set_permissions(FILE, Permissions::from_mode(0o640)).expect("sets");
        host.files.write(FILE, "{}").expect("writes");
        host.install();
        assert_eq!(mode(), 0o640);
    }

    #[test]
    fn a_file_that_changed_after_it_was_read_is_left_as_it_is() {
        let host = HostFolder::new();
        let file = host.read();
        let launcher = Launcher::new("/bin/continuity", "/state").expect("fits");
        let plan = plan_install(&CODEX, file.text(), &launcher).expect("plans");
        host.files.write(FILE, "{\"hooks\": {}}").expect("writes");
        assert!(matches!(file.replace(&plan), Err(InstallError::Changed)));
        assert_eq!(host.files.read_to_string(FILE).expect("reads"), "{\"hooks\": {}}");
    }

    #[test]
    fn a_remainder_of_a_run_that_was_cut_off_does_not_matter() {
        let host = HostFolder::new();
        host.files.write(".hooks.json.continuity", "half").expect("writes");
        host.install();
        assert_eq!(host.names(), [FILE]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_and_a_folder_are_refused() {
        let host = HostFolder::new();
        host.files.write("elsewhere.json", "{}").expect("writes");
        host.files.symlink("elsewhere.json", FILE).expect("links");
        let refusal = || HookFileOnDisk::read(host.folder.path(), FILE).expect_err("refused");
        assert!(matches!(refusal(), InstallError::NotAFile));
        host.files.remove_file(FILE).expect("removes");
        host.files.create_dir(FILE).expect("creates");
        assert!(matches!(refusal(), InstallError::NotAFile));
    }

    #[test]
    fn a_missing_folder_a_long_file_and_bytes_that_are_no_text_are_told_apart() {
        let host = HostFolder::new();
        let refusal = |name| HookFileOnDisk::read(&host.folder.path().join(name), FILE);
        assert!(matches!(refusal("nowhere"), Err(InstallError::NoFolder)));
        host.files.write(FILE, b"\xff").expect("writes");
        assert!(matches!(refusal(""), Err(InstallError::NotText)));
        let length = usize::try_from(HOOK_FILE_BYTES_MAX).expect("fits") + 1;
        host.files.write(FILE, " ".repeat(length)).expect("writes");
        assert!(matches!(refusal(""), Err(InstallError::TooLong { .. })));
    }
}
