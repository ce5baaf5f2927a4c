//! `continuity install` and `continuity uninstall`.
//!
//! The hook file is the user's own. What would change is shown first; `--yes` changes it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::failure::{Failure, Kind, Outcome};
use super::stage::{Stage, path_words, stored_name};
use crate::io::config::variable;
use crate::io::hosts::install::{
    HookFileOnDisk, InstallError, Launcher, LauncherError, Plan, plan_install, plan_uninstall,
};
use crate::io::hosts::{CODEX, HostSpec};
use crate::io::wire::Home;

const INSTALL_EXAMPLES: &str = "\
Without --yes nothing is changed: you see what would be. With --data-root the records are kept
there; the folder is written into the hooks.

Examples:
  continuity install codex
  continuity install codex --yes
  continuity install codex --yes --data-root /home/me/records";

const UNINSTALL_EXAMPLES: &str = "\
Without --yes nothing is changed: you see what would be. What others put into the hook file stays
byte for byte. Records are never removed by this.";

/// A host into which hooks can be put.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum HostName {
    /// Codex, the coding agent
    Codex,
}

impl HostName {
    const fn spec(self) -> &'static HostSpec {
        match self {
            Self::Codex => &CODEX,
        }
    }
}

/// See [`INSTALL_EXAMPLES`].
#[derive(Debug, clap::Args)]
#[command(after_help = INSTALL_EXAMPLES)]
pub(super) struct InstallArguments {
    /// The host
    host: HostName,
    /// Change the hook file
    #[arg(long)]
    yes: bool,
}

/// See [`UNINSTALL_EXAMPLES`].
#[derive(Debug, clap::Args)]
#[command(after_help = UNINSTALL_EXAMPLES)]
pub(super) struct UninstallArguments {
    /// The host
    host: HostName,
    /// Change the hook file
    #[arg(long)]
    yes: bool,
}

/// Puts our hooks in.
pub(super) fn install(arguments: &InstallArguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    let spec = arguments.host.spec();
    let home = stage.home()?;
    let program = std::env::current_exe().and_then(|path| path.canonicalize())?;
    let launcher = Launcher::new(path_text(&program)?, path_text(home.path())?)
        .map_err(|error| launcher_failure(&error))?;
    let folder = host_folder(stage, spec)?;
    let path = folder.join(spec.hook_file.file);
    let shown = path_words(&path);
    let file = HookFileOnDisk::read(&folder, spec.hook_file.file)
        .map_err(|error| install_failure(&error, spec, &path))?;
    let plan = plan_install(spec, file.text(), &launcher)
        .map_err(|error| install_failure(&error, spec, &path))?;
    show(&plan, spec, &path, stage)?;
    if is_build_folder(&program) {
        writeln!(
            stage.out,
            "note: the program lies in a build folder ({}); when that folder is cleaned, \
             the hooks find nothing. `cargo install --path .` puts it elsewhere.",
            path_words(&program)
        )?;
    }
    if !plan.is_change() {
        writeln!(stage.out, "The hooks are in {shown} already; nothing to do.")?;
    } else if arguments.yes {
        file.replace(&plan).map_err(|error| install_failure(&error, spec, &path))?;
        writeln!(stage.out, "Done. {shown} is changed.")?;
    } else {
        writeln!(stage.out, "Nothing is changed yet. Run it again with --yes to do it.")?;
        return Ok(Outcome::Done);
    }
    next_steps(&home, spec, stage)
}

fn next_steps(home: &Home, spec: &HostSpec, stage: &mut Stage) -> Result<Outcome, Failure> {
    let title = spec.title;
    writeln!(
        stage.out,
        "\nNow start {title}, open /hooks, read the commands, and trust them. Until you do, \
         {title}\nskips them without a word."
    )?;
    writeln!(stage.out, "\nKept in {}, readable by you alone:", path_words(home.path()))?;
    writeln!(
        stage.out,
        "  of each prompt a keyed digest, its length and which signals it carries;\n  of a prompt \
         with a signal the sentences that carry it, redacted, at most 512 characters;\n  branch, \
         commit and digests of the work. No conversation, no tool output, no files."
    )?;
    if !home.is_durable() {
        writeln!(stage.out, "note: this place may be gone after a restart of the machine")?;
    }
    Ok(Outcome::Done)
}

/// Takes our hooks out.
pub(super) fn uninstall(
    arguments: &UninstallArguments,
    stage: &mut Stage,
) -> Result<Outcome, Failure> {
    let spec = arguments.host.spec();
    let folder = host_folder(stage, spec)?;
    let path = folder.join(spec.hook_file.file);
    let shown = path_words(&path);
    let file = match HookFileOnDisk::read(&folder, spec.hook_file.file) {
        Ok(file) => file,
        Err(InstallError::NoFolder) => {
            writeln!(
                stage.out,
                "There is no {}, so no hooks of ours; nothing to do.",
                path_words(&folder)
            )?;
            return Ok(Outcome::Done);
        }
        Err(error) => return Err(install_failure(&error, spec, &path)),
    };
    let plan =
        plan_uninstall(spec, file.text()).map_err(|error| install_failure(&error, spec, &path))?;
    show(&plan, spec, &path, stage)?;
    if !plan.is_change() {
        writeln!(stage.out, "No hooks of ours are in {shown}; nothing to do.")?;
    } else if arguments.yes {
        file.replace(&plan).map_err(|error| install_failure(&error, spec, &path))?;
        let became = if plan.new_text.is_some() { "changed" } else { "removed" };
        writeln!(stage.out, "Done. {shown} is {became}.")?;
    } else {
        writeln!(stage.out, "Nothing is changed yet. Run it again with --yes to do it.")?;
    }
    let home = stage.home()?;
    writeln!(
        stage.out,
        "\nYour records stay in {}. `continuity task delete REF` removes one task for good,\n\
         in a terminal of your own; to remove all, remove that folder.",
        path_words(home.path())
    )?;
    Ok(Outcome::Done)
}

fn show(plan: &Plan, spec: &HostSpec, path: &Path, stage: &mut Stage) -> Result<(), Failure> {
    if plan.is_change() {
        let change = match (&plan.old_text, &plan.new_text) {
            (None, _) => ", a new file",
            (_, None) => ", which goes, since nothing else is in it",
            _ => "",
        };
        writeln!(stage.out, "The change to {}{change}:\n", path_words(path))?;
        for line in plan.diff.lines() {
            writeln!(stage.out, "  {}", stored_line(line))?;
        }
        writeln!(stage.out)?;
    }
    for key in &plan.unknown_keys {
        writeln!(
            stage.out,
            "note: {} ignores the whole file because of its key {}",
            spec.title,
            stored_name(key)
        )?;
    }
    Ok(())
}

/// Keeps a line's indentation, which the renderer of stored text trims.
fn stored_line(line: &str) -> String {
    let (mark, rest) = line.split_at_checked(1).unwrap_or((line, ""));
    let indent = rest.len() - rest.trim_start_matches(' ').len();
    format!("{mark}{}{}", " ".repeat(indent), stored_name(rest))
}

fn host_folder(stage: &Stage, spec: &HostSpec) -> Result<PathBuf, Failure> {
    if let Some(folder) = variable(spec.hook_file.folder_variable) {
        return Ok(PathBuf::from(folder));
    }
    let home = stage.settings.environment.home.as_ref();
    home.map(|home| home.join(spec.hook_file.folder_default)).ok_or_else(|| {
        let name = spec.hook_file.folder_variable;
        Failure::new(Kind::Config, format!("neither {name} nor HOME is set"))
            .hint(format!("set {name} to the folder of {}", spec.title))
    })
}

fn path_text(path: &Path) -> Result<&str, Failure> {
    path.to_str().ok_or_else(|| {
        Failure::new(
            Kind::Config,
            format!("{} is not text that a hook file can carry", path_words(path)),
        )
    })
}

fn is_build_folder(program: &Path) -> bool {
    let parts: Vec<_> = program.iter().collect();
    parts.iter().any(|part| *part == "target")
        && parts.iter().any(|part| *part == "debug" || *part == "release" || *part == "dist")
}

fn launcher_failure(error: &LauncherError) -> Failure {
    Failure::of(Kind::Config, error).hint("put it into a folder with a plain name")
}

fn install_failure(error: &InstallError, spec: &HostSpec, path: &Path) -> Failure {
    let failure = Failure::of(Kind::Config, error).line(format!("in {}", path_words(path)));
    match error {
        InstallError::NoFolder => failure.hint(format!(
            "start {} once, or set {} to its folder",
            spec.title, spec.hook_file.folder_variable
        )),
        InstallError::Changed => failure.hint("nothing was changed; run it again"),
        InstallError::Io { .. } => failure,
        _ => failure.hint("nothing was changed; mend the file by hand and run it again"),
    }
}
