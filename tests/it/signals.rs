//! How well the signals of prompts are found, measured over labelled prompts, and the page that
//! states it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use context_continuity::domain::signal::{SignalKind, SignalSet, detect};
use context_continuity::domain::text::UntrustedText;
use sha2::{Digest as _, Sha256};

const SETS: [&str; 3] = ["labelled", "fresh", "second"];
const LANGUAGES: [(&str, &str); 7] = [
    ("en", "English"),
    ("zh", "Chinese"),
    ("ja", "Japanese"),
    ("de", "German"),
    ("es", "Spanish"),
    ("fr", "French"),
    ("pt", "Portuguese"),
];
const BEGIN: &str = "<!-- figures: begin, written by tests/it/signals.rs -->\n";
const END: &str = "<!-- figures: end -->";

/// One labelled prompt.
struct Row {
    set: &'static str,
    is_held_out: bool,
    kinds: SignalSet,
    language: String,
    /// As the file spells it.
    spelled: String,
}

/// Hits, false alarms and misses.
#[derive(Debug, Default, Clone, Copy)]
struct Score {
    hits: u32,
    alarms: u32,
    misses: u32,
}

impl Score {
    fn count(&mut self, is_expected: bool, is_found: bool) {
        match (is_expected, is_found) {
            (true, true) => self.hits += 1,
            (false, true) => self.alarms += 1,
            (true, false) => self.misses += 1,
            (false, false) => {}
        }
    }

    fn precision_percent(self) -> u32 {
        self.hits * 100 / (self.hits + self.alarms).max(1)
    }

    fn recall_percent(self) -> u32 {
        self.hits * 100 / (self.hits + self.misses).max(1)
    }

    /// Precision and recall as the page writes them.
    fn cells(self) -> String {
        if self.hits + self.alarms + self.misses == 0 {
            return "– | –".to_owned();
        }
        format!("{} % | {} %", self.precision_percent(), self.recall_percent())
    }
}

/// Any signal at all, and each kind.
#[derive(Debug, Default, Clone)]
struct Scores {
    prompts: u32,
    any: Score,
    kinds: BTreeMap<SignalKind, Score>,
}

impl Scores {
    fn all_kinds(&self) -> Score {
        self.kinds.values().fold(Score::default(), |sum, kind| Score {
            hits: sum.hits + kind.hits,
            alarms: sum.alarms + kind.alarms,
            misses: sum.misses + kind.misses,
        })
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn rows() -> Vec<Row> {
    SETS.into_iter().flat_map(rows_of).collect()
}

fn rows_of(set: &'static str) -> Vec<Row> {
    let path = root().join("tests/fixtures/signals").join(format!("{set}.tsv"));
    let text = fs::read_to_string(path).unwrap();
    let has_language = text.lines().next().unwrap() == "held_out\tkinds\tlanguage\tprompt";
    text.lines().skip(1).map(|line| row(set, line, has_language)).collect()
}

fn row(set: &'static str, line: &str, has_language: bool) -> Row {
    let cells: Vec<&str> = line.splitn(if has_language { 4 } else { 3 }, '\t').collect();
    let spelled = (*cells.last().unwrap()).to_owned();
    let is_han = |letter: char| ('\u{4e00}'..='\u{9fff}').contains(&letter);
    let told = has_language.then(|| cells[2]);
    let language = told.unwrap_or(if spelled.contains(is_han) { "zh" } else { "en" }).to_owned();
    let kinds = cells[1]
        .split(',')
        .filter(|name| *name != "-")
        .map(|name| SignalKind::from_name(name).expect("a kind"))
        .fold(SignalSet::default(), SignalSet::with);
    Row { set, is_held_out: cells[0] == "yes", kinds, language, spelled }
}

fn score<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Scores {
    let mut scores = Scores::default();
    for row in rows {
        let found = detect(&UntrustedText::new(row.spelled.replace("\\n", "\n"))).set;
        scores.prompts += 1;
        scores.any.count(!row.kinds.is_empty(), !found.is_empty());
        for kind in SignalKind::ALL {
            let score = scores.kinds.entry(kind).or_default();
            score.count(row.kinds.contains(kind), found.contains(kind));
        }
    }
    scores
}

fn held_out<'a>(rows: &'a [Row], language: &'a str) -> impl Iterator<Item = &'a Row> {
    rows.iter().filter(move |row| row.is_held_out && row.language == language)
}

// covers: P-110
#[test]
fn signals_are_found_in_prompts_that_no_rule_was_tuned_on() {
    let rows = rows();
    for (language, name) in LANGUAGES {
        let (precision_min, recall_min) = match language {
            "en" | "zh" => (90, 80),
            _ => (85, 70),
        };
        let scores = score(held_out(&rows, language));
        assert!(scores.prompts >= 16, "{name}: {} prompts", scores.prompts);
        for (what, score) in [("any signal", scores.any), ("each kind", scores.all_kinds())] {
            assert!(
                score.precision_percent() >= precision_min && score.recall_percent() >= recall_min,
                "{name}, {what}: {score:?}"
            );
        }
    }
}

#[test]
fn the_digest_of_a_prompt_alone_decides_which_rows_are_held_out() {
    for row in rows().iter().filter(|row| row.set != "labelled") {
        let is_even = Sha256::digest(row.spelled.as_bytes())[0] % 2 == 0;
        assert_eq!(row.is_held_out, is_even, "{}", row.spelled);
    }
}

#[test]
fn the_page_of_signals_states_the_figures_that_are_measured() {
    let page = Path::new("docs/reference/signals.md");
    let path = root().join(page);
    let stated = fs::read_to_string(&path).unwrap();
    let (before, rest) = stated.split_once(BEGIN).expect("a mark where the figures begin");
    let (_, after) = rest.split_once(END).expect("a mark where the figures end");
    let measured = format!("{before}{BEGIN}{}{END}{after}", figures(&rows()));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &measured).unwrap();
        return;
    }
    let command = "UPDATE_DOCS=1 cargo test --test it signals";
    assert!(stated == measured, "{} is behind: {command}", page.display());
}

fn figures(rows: &[Row]) -> String {
    let mut text = String::from(
        "\n| Language | Set | Prompts | Any: precision | recall | Kinds: precision | recall |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for (language, name) in LANGUAGES {
        for set in SETS {
            let scores = score(held_out(rows, language).filter(|row| row.set == set));
            if scores.prompts > 0 {
                let _ = write!(text, "| {name} | {set} | {} ", scores.prompts);
                let _ =
                    writeln!(text, "| {} | {} |", scores.any.cells(), scores.all_kinds().cells());
            }
        }
        let scores = score(held_out(rows, language));
        let _ = write!(text, "| {name} | all | {} ", scores.prompts);
        let _ = writeln!(text, "| {} | {} |", scores.any.cells(), scores.all_kinds().cells());
    }
    text.push_str(
        "\n| Kind | English: precision | recall | of | Chinese: precision | recall | of |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let both = ["en", "zh"].map(|language| score(held_out(rows, language)));
    for kind in SignalKind::ALL {
        let _ = write!(text, "| {} ", kind.name());
        for scores in &both {
            let score = scores.kinds.get(&kind).copied().unwrap_or_default();
            let _ = write!(text, "| {} | {} ", score.cells(), score.hits + score.misses);
        }
        text.push_str("|\n");
    }
    text.push('\n');
    text
}
