//! Putting the hooks into Codex and taking them out.

use insta::assert_snapshot;

use crate::support::TestHome;

const OTHERS: &str = "{\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\",\n\"command\": \"say done\"}]}]}\n}\n";

impl TestHome {
    fn hooks(&self) -> std::path::PathBuf {
        self.path("home").join(".codex/hooks.json")
    }

    fn with_codex() -> Self {
        let home = Self::new();
        std::fs::create_dir(home.path("home").join(".codex")).expect("makes a folder");
        home
    }
}

#[test]
fn without_yes_nothing_is_changed() {
    let home = TestHome::with_codex();
    let shown = home.run(&["install", "codex"]);
    assert!(shown.starts_with("exit 0"), "{shown}");
    assert!(shown.contains("Nothing is changed yet. Run it again with --yes to do it."), "{shown}");
    assert!(shown.contains("+    \"PreCompact\": ["), "{shown}");
    assert!(!home.hooks().exists());
    assert!(!home.records().exists());
}

#[test]
fn installing_twice_changes_once_and_uninstalling_restores_every_byte() {
    let home = TestHome::with_codex();
    std::fs::write(home.hooks(), OTHERS).expect("writes");
    let first = home.run(&["install", "codex", "--yes"]);
    assert!(first.contains("Done. [FOLDER]/home/.codex/hooks.json is changed."), "{first}");
    assert!(first.contains("open /hooks, read the commands, and trust them"), "{first}");
    let installed = std::fs::read_to_string(home.hooks()).expect("reads");
    assert!(installed.contains("continuity hook codex --data-root"), "{installed}");
    let second = home.run(&["install", "codex", "--yes"]);
    assert!(second.contains("already; nothing to do."), "{second}");
    assert_eq!(std::fs::read_to_string(home.hooks()).expect("reads"), installed);
    home.usual_task();
    let records = home.run(&["verify"]);
    let out = home.run(&["uninstall", "codex", "--yes"]);
    assert!(out.contains("Your records stay in [FOLDER]/home/.local/share"), "{out}");
    assert_eq!(std::fs::read_to_string(home.hooks()).expect("reads"), OTHERS);
    assert_eq!(home.run(&["verify"]), records);
    assert_snapshot!(home.run(&["uninstall", "codex", "--yes"]), @r"
    exit 0
    -- stdout
    No hooks of ours are in [FOLDER]/home/.codex/hooks.json; nothing to do.

    Your records stay in [FOLDER]/home/.local/share/context-continuity. `continuity task delete REF` removes one task for good,
    in a terminal of your own; to remove all, remove that folder.
    ");
}

#[test]
fn a_given_data_root_is_written_into_the_hooks() {
    let home = TestHome::with_codex();
    let root = home.path("elsewhere");
    home.run(&["install", "codex", "--yes", "--data-root", root.to_str().expect("text")]);
    let installed = std::fs::read_to_string(home.hooks()).expect("reads");
    assert!(installed.contains(&format!("--data-root {}", root.display())), "{installed}");
}

#[test]
fn what_stands_in_the_way_is_said() {
    let home = TestHome::new();
    assert_snapshot!(home.run(&["install", "codex"]), @r"
    exit 3
    -- stderr
    error: the host's folder does not exist
      in [FOLDER]/home/.codex/hooks.json

    hint: start Codex once, or set CODEX_HOME to its folder
    ");
    assert_snapshot!(home.run(&["uninstall", "codex"]), @r"
    exit 0
    -- stdout
    There is no [FOLDER]/home/.codex, so no hooks of ours; nothing to do.
    ");
    std::fs::create_dir(home.path("home").join(".codex")).expect("makes a folder");
    std::fs::write(home.hooks(), "{").expect("writes");
    assert_snapshot!(home.run(&["install", "codex", "--yes"]), @r"
    exit 3
    -- stderr
    error: the hook file is not valid JSON at line 1, column 1
      in [FOLDER]/home/.codex/hooks.json

    hint: nothing was changed; mend the file by hand and run it again
    ");
}
