//! What a hook costs its host: whole processes, timed from before the start to after the end.
//!
//! Prints one table. Everything is compared within one interleaved run, because another run on the
//! same machine may be twice as slow: each round starts every command once, and a ratio is the
//! median of the rounds' ratios. `docs/performance.md` explains the rows.
//!
//! `cargo bench --profile dist --bench hook_process [-- ROUNDS]`

#![expect(clippy::disallowed_methods, reason = "a bench looks at the program from outside")]

mod hook;

use std::error::Error;
use std::io::Write as _;

use hook::ledger::{Session, Stage};
use hook::measure::{Rounds, Row, start};
use hook::witness;

/// Rounds of the first table: the consecutive prompts in the longest log.
const ROUNDS: usize = 200;
/// Rounds of the second table, every one of which asks Git three times.
const BOUNDARY_ROUNDS: usize = 40;
/// Node takes a tenth of a second: it takes part in every so many rounds.
const NODE_EVERY: usize = 10;
/// Prompts whose writes are counted.
const COUNTED_PROMPTS: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let rounds = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(ROUNDS);
    let stage = Stage::set(env!("CARGO_BIN_EXE_continuity"))?;
    let mut output = std::io::stdout().lock();
    writeln!(output, "preparing logs of 10, 500 and 1900 prompts")?;
    let short = stage.sessions_with(rounds, 10)?;
    let mut middle = stage.session_with("middle", 500)?;
    let mut long = stage.session_with("long", 1_900)?;
    let mut big = stage.session_with("big", 10)?;

    let mut times = Rounds::default();
    for (round, mut fresh) in short.into_iter().enumerate() {
        times.add(Row::True, start("/bin/true", &[], b"")?);
        times.add(Row::Prompt10, stage.time(&fresh.prompt())?);
        times.add(Row::Prompt500, stage.time(&middle.prompt())?);
        times.add(Row::Prompt1900, stage.time(&long.prompt())?);
        times.add(Row::PromptMebibyte, stage.time(&big.long_prompt(1024 * 1024))?);
        if round % NODE_EVERY == 0 {
            times.add(Row::Node, start("node", &["-e", "0"], b"")?);
        }
    }
    write!(output, "{}", times.table(Row::True))?;
    writeln!(output, "node / prompt at 1900: {:.1}", times.ratio(Row::Node, Row::Prompt1900))?;
    let growth = times.ratio(Row::Prompt1900, Row::Prompt10);
    writeln!(output, "prompt at 1900 / prompt at 10: {growth:.2}")?;

    boundaries(&stage, &mut output)?;
    weights(&stage, &mut long, &mut big, &mut output)
}

/// Boundaries in a workspace of 5,000 files, beside one `git status` there.
fn boundaries(stage: &Stage, output: &mut impl std::io::Write) -> Result<(), Box<dyn Error>> {
    let mut session = stage.session_in_repository("git", 1_900)?;
    let folder = session.folder().to_owned();
    let status = ["-C", &folder, "--no-optional-locks", "status", "--porcelain=v2", "-z"];
    let mut times = Rounds::default();
    for _ in 0..BOUNDARY_ROUNDS {
        times.add(Row::True, start("/bin/true", &[], b"")?);
        times.add(Row::GitStatus, start("git", &status, b"")?);
        times.add(Row::Prompt, stage.time(&session.prompt())?);
        times.add(Row::PreCompact, stage.time(&session.pre_compact())?);
        times.add(Row::PostCompact, stage.time(&session.post_compact())?);
        times.add(Row::SessionStart, stage.time(&session.session_start())?);
    }
    write!(output, "\n{}", times.table(Row::True))?;
    let bound = 3.0 * times.median(Row::Prompt) + times.median(Row::GitStatus);
    for row in [Row::PreCompact, Row::SessionStart] {
        let share = times.median(row) / bound;
        writeln!(output, "{} / (3 prompts + git status): {share:.2}", row.name())?;
    }
    Ok(())
}

/// What a prompt writes, syncs and holds in memory, seen through `strace`.
fn weights(
    stage: &Stage,
    long: &mut Session,
    big: &mut Session,
    output: &mut impl std::io::Write,
) -> Result<(), Box<dyn Error>> {
    let (mut written, mut largest, mut syncs) = (0, 0, 0);
    for _ in 0..COUNTED_PROMPTS {
        let seen = witness::writes(stage, &long.prompt())?;
        written += seen.bytes;
        largest = largest.max(seen.bytes);
        syncs += seen.syncs;
    }
    writeln!(output, "\nover {COUNTED_PROMPTS} prompts behind 1900:")?;
    writeln!(output, "bytes written per prompt: {}, at most {largest}", written / COUNTED_PROMPTS)?;
    writeln!(output, "syncs per prompt: {:.2}", ratio(syncs, COUNTED_PROMPTS))?;
    let prompt = witness::peak_kibibytes(stage, &long.prompt())?;
    let mebibyte = witness::peak_kibibytes(stage, &big.long_prompt(1024 * 1024))?;
    writeln!(output, "peak memory (VmHWM): {prompt} KiB, with a prompt of 1 MiB {mebibyte} KiB")?;
    Ok(())
}

fn ratio(one: usize, other: usize) -> f64 {
    f64::from(u32::try_from(one).unwrap_or(u32::MAX))
        / f64::from(u32::try_from(other.max(1)).unwrap_or(u32::MAX))
}
