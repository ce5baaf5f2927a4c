//! The folder in which the demo plays, and which it removes.

use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use data_encoding::HEXLOWER;

use super::failure::{Failure, Kind};
use super::stage::Stage;
use crate::domain::ports::Entropy as _;
use crate::io::clock::SystemEntropy;
use crate::io::root::locate::is_kept_in_memory;

/// Name of the commit that the project starts at.
const FIRST_COMMIT: &str = "3f1c9a75d20b4e86917a5c0de2b8f4471d6a9e03";

/// A folder with a project in it, and room for records.
pub(super) struct Place {
    above: Dir,
    name: String,
    path: PathBuf,
}

impl Place {
    /// Makes the folder among temporary files; if those are kept in memory only, in the home folder,
    /// since what is recorded there counts as volatile.
    pub(super) fn make(stage: &Stage) -> Result<Self, Failure> {
        let failed = |error| Failure::of(Kind::Config, &error).line("in the folder of the demo");
        let environment = &stage.settings.environment;
        let temporary = environment.temporary.clone();
        let lasting = [Some(&temporary), environment.home.as_ref()];
        let folder = lasting.into_iter().flatten().find(|folder| !is_kept_in_memory(folder));
        let folder = folder.unwrap_or(&temporary).canonicalize().map_err(failed)?;
        let random = SystemEntropy.sixteen_bytes()?;
        let name =
            format!("continuity-demo-{}", HEXLOWER.encode(random.get(..4).unwrap_or_default()));
        let above = Dir::open_ambient_dir(&folder, ambient_authority()).map_err(failed)?;
        above.create_dir(&name).map_err(failed)?;
        let place = Self { path: folder.join(&name), above, name };
        place.make_project().map_err(failed)?;
        place.commit(FIRST_COMMIT)?;
        Ok(place)
    }

    /// Makes a Git repository by hand: the demo needs no `git`.
    fn make_project(&self) -> std::io::Result<()> {
        let git = Path::new(&self.name).join("project").join(".git");
        self.above.create_dir_all(git.join("objects"))?;
        self.above.create_dir_all(git.join("refs").join("heads"))?;
        self.above.write(git.join("HEAD"), "ref: refs/heads/main\n")?;
        let config = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n";
        self.above.write(git.join("config"), config)
    }

    /// Makes a commit, as far as a hook sees one: the branch names it.
    pub(super) fn commit(&self, name: &str) -> Result<(), Failure> {
        let failed = |error| Failure::of(Kind::Config, &error).line("in the demo's project");
        let heads = Path::new(&self.name).join("project").join(".git").join("refs").join("heads");
        self.above.write(heads.join("main"), format!("{name}\n")).map_err(failed)
    }

    /// Returns the folder.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns where the records are.
    pub(super) fn records(&self) -> PathBuf {
        self.path.join("records")
    }

    /// Returns the project's folder.
    pub(super) fn project(&self) -> PathBuf {
        self.path.join("project")
    }

    /// Removes the folder.
    pub(super) fn remove(self) -> Result<(), Failure> {
        let failed = |error| Failure::of(Kind::Config, &error).line("while the demo cleaned up");
        self.above.remove_dir_all(&self.name).map_err(failed)
    }
}
