//! `continuity record` and `continuity correct`: words that are to hold from now on.

use std::io::Write as _;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};

use super::door::{Act, Asking, Became, Door, ask, submit};
use super::failure::{Failure, Kind, Outcome};
use super::stage::Stage;
use super::which;
use super::words::{take, tell_redacted};
use crate::actors::store::Depth;
use crate::actors::writer::NewItem;
use crate::domain::act::Act as TypedAct;
use crate::domain::body::{Body, ItemText, Reference, SALT_BYTES, Sealed};
use crate::domain::ids::{BodyId, ItemId, TaskRef};
use crate::domain::ports::Entropy as _;
use crate::domain::redact::redact_str;
use crate::domain::task::command::Action;
use crate::domain::task::item::{Gate, ItemKind};
use crate::domain::task::proposal::Purpose;
use crate::io::clock::SystemEntropy;
use crate::readmodels::confirmation::in_force_lines;

/// What is noted as the source of such words.
const SOURCE: &str = "the command line";

const EXAMPLES: &str = "\
On a terminal of your own the words are in force at once. Anywhere else, and where an agent started
this program, they are put before you: nothing is in force until you type the code.

Examples:
  continuity record constraint \"Never push to main.\" --act push --target main
  continuity record decision \"The retry loop stays.\" --because \"The server drops connections.\"
  continuity record authorization \"Deploy to staging.\" --act deploy --target staging --gate yes
  git log -1 --format=%s | continuity record fact -";

/// What may stand beside the words.
#[derive(Debug, clap::Args)]
pub(super) struct Beside {
    /// Why it is so
    #[arg(long, value_name = "TEXT")]
    because: Option<String>,
    /// What an act is about: a branch, a path, an environment
    #[arg(long, value_name = "TEXT", requires = "act")]
    target: Option<String>,
    /// What the act waits for: your yes, each time, or evidence
    #[arg(long, value_name = "WHAT", requires = "act", value_parser = gates())]
    gate: Option<Gate>,
    /// The task, by its reference or at least 4 of its first characters
    #[arg(long, value_name = "REF")]
    task: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// See [`EXAMPLES`].
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RecordArguments {
    /// What kind of words
    #[arg(value_name = "KIND", value_parser = kinds())]
    kind: ItemKind,
    /// The words, 512 characters at most; `-` reads them from stdin
    #[arg(value_name = "TEXT")]
    text: String,
    /// The act that they are about
    #[arg(long, value_name = "ACT", value_parser = acts())]
    act: Option<TypedAct>,
    #[command(flatten)]
    beside: Beside,
}

const CORRECT_EXAMPLES: &str = "\
The new words replace every item named. Where one of those is about an act, say what the new words
are about, or --act none. Who may do it: see `continuity record --help`.

Examples:
  continuity correct i3 \"The timeout is 45 seconds.\"
  continuity correct i3 i5 \"One timeout for all: 45 seconds.\" --because \"Measured.\"";

/// See [`CORRECT_EXAMPLES`].
#[derive(Debug, clap::Args)]
#[command(after_help = CORRECT_EXAMPLES)]
pub(super) struct CorrectArguments {
    /// The items to be replaced, such as i3
    #[arg(value_name = "ITEM", required = true)]
    items: Vec<String>,
    /// The new words, 512 characters at most, in quotation marks; `-` reads them from stdin
    #[arg(value_name = "TEXT")]
    text: String,
    /// The act that they are about; `none` for no act
    #[arg(long, value_name = "ACT", value_parser = acts_or_none())]
    act: Option<NamedAct>,
    #[command(flatten)]
    beside: Beside,
}

/// An act that was named, or the word for none.
#[derive(Debug, Clone, Copy)]
pub(super) enum NamedAct {
    /// No act at all.
    None,
    /// This one.
    One(TypedAct),
}

/// A correction is asked for by a command of its own, and said so where one is given here.
fn kinds() -> impl clap::builder::TypedValueParser<Value = ItemKind> {
    let names = ItemKind::ALL
        .map(|kind| PossibleValue::new(kind.name()).hide(kind == ItemKind::Correction));
    PossibleValuesParser::new(names).try_map(|name| {
        let found = ItemKind::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or("no such kind")
    })
}

fn acts() -> impl clap::builder::TypedValueParser<Value = TypedAct> {
    PossibleValuesParser::new(TypedAct::ALL.map(TypedAct::name)).try_map(|name| {
        let found = TypedAct::ALL.into_iter().find(|act| act.name() == name);
        found.ok_or("no such act")
    })
}

fn acts_or_none() -> impl clap::builder::TypedValueParser<Value = NamedAct> {
    let names = TypedAct::ALL.map(TypedAct::name).into_iter().chain(["none"]);
    PossibleValuesParser::new(names).map(|name| {
        let found = TypedAct::ALL.into_iter().find(|act| act.name() == name);
        found.map_or(NamedAct::None, NamedAct::One)
    })
}

fn gates() -> impl clap::builder::TypedValueParser<Value = Gate> {
    PossibleValuesParser::new(["yes", "evidence"]).map(|name| match name.as_str() {
        "yes" => Gate::UserYes,
        _ => Gate::Evidence,
    })
}

/// Records words.
pub(super) fn record(arguments: &RecordArguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    if arguments.kind == ItemKind::Correction {
        return Err(Failure::new(Kind::Usage, "a correction names what it corrects")
            .hint("`continuity correct ITEM TEXT` replaces an item"));
    }
    let task = which::choose_here(&stage.home()?, arguments.beside.task.as_deref())?;
    let given = (arguments.text.as_str(), arguments.act);
    let (item, was_redacted) = compose(arguments.kind, given, &arguments.beside, Vec::new())?;
    put(stage, task, item, was_redacted, arguments.beside.json)
}

/// Replaces items by new words.
pub(super) fn correct(arguments: &CorrectArguments, stage: &mut Stage) -> Result<Outcome, Failure> {
    let items = arguments.items.iter().map(|word| item_of(word)).collect::<Result<Vec<_>, _>>()?;
    let task = which::choose_here(&stage.home()?, arguments.beside.task.as_deref())?;
    if arguments.act.is_none() {
        require_no_act(stage, task, &items)?;
    }
    let act = match arguments.act {
        Some(NamedAct::One(act)) => Some(act),
        Some(NamedAct::None) | None => None,
    };
    let has_details = arguments.beside.target.is_some() || arguments.beside.gate.is_some();
    if act.is_none() && has_details {
        return Err(Failure::new(Kind::Usage, "a target or a gate belongs to an act"));
    }
    let given = (arguments.text.as_str(), act);
    let (item, was_redacted) = compose(ItemKind::Correction, given, &arguments.beside, items)?;
    put(stage, task, item, was_redacted, arguments.beside.json)
}

fn item_of(word: &str) -> Result<ItemId, Failure> {
    word.parse().map_err(|_| {
        let line = format!("{} is no item", super::stage::stored_name(word));
        Failure::new(Kind::Usage, line)
            .hint("items are named like i7; put the new words in quotation marks")
    })
}

/// A gate or a target must not get lost with the words that it was typed for.
fn require_no_act(stage: &Stage, task: TaskRef, items: &[ItemId]) -> Result<(), Failure> {
    let (folded, _) = stage.home()?.read(task, Depth::Newest)?;
    for id in items {
        let act = folded.state.item_in_force(*id).and_then(|item| item.draft.act);
        if let Some(act) = act {
            let line =
                format!("{id} is about an act, {}; say what the new words are about", act.name());
            return Err(Failure::new(Kind::Usage, line)
                .hint("add --act with --target and --gate as they are to be, or --act none"));
        }
    }
    Ok(())
}

fn compose(
    kind: ItemKind,
    (text, act): (&str, Option<TypedAct>),
    beside: &Beside,
    supersedes: Vec<ItemId>,
) -> Result<(NewItem, bool), Failure> {
    let statement = take("text", text)?;
    let rationale = beside.because.as_deref().map(|given| take("rationale", given)).transpose()?;
    let target = beside.target.as_deref().map(|given| take("target", given)).transpose()?;
    let was_redacted = statement.was_redacted
        || rationale.as_ref().is_some_and(|words| words.was_redacted)
        || target.as_ref().is_some_and(|words| words.was_redacted);
    let source =
        Reference::new(&redact_str(SOURCE)).map_err(|error| Failure::of(Kind::Internal, &error))?;
    let text = ItemText {
        statement: statement.text,
        rationale: rationale.map(|words| words.text),
        source,
        target: target.map(|words| words.text),
    };
    Ok((NewItem { kind, text, supersedes, act, gate: beside.gate }, was_redacted))
}

fn put(
    stage: &mut Stage,
    task: TaskRef,
    item: NewItem,
    was_redacted: bool,
    is_json: bool,
) -> Result<Outcome, Failure> {
    tell_redacted(was_redacted);
    if let Door::Elsewhere(refusal) = Door::look() {
        let (purpose, items) = (Purpose::Items, vec![item]);
        ask(stage, Asking { task, purpose, items, refusal, was_redacted }, is_json)?;
        return Ok(Outcome::Done);
    }
    let sealed = seal(&item.text)?;
    let draft = item.draft(&sealed);
    let reference = sealed.reference;
    let action = if draft.supersedes.is_empty() {
        Action::Record { draft }
    } else {
        Action::Correct { draft }
    };
    submit(stage, task, action, vec![sealed])?;
    let (folded, texts) = stage.home()?.read(task, Depth::Newest)?;
    let made = folded.state.items.iter().find(|(_, item)| item.draft.body == reference);
    let Some((id, _)) = made else {
        return Err(Failure::new(Kind::Internal, "what was recorded is not in force"));
    };
    if is_json {
        stage.json(&Act::new(task, Became::Done).making(*id).redacted(was_redacted))?;
        return Ok(Outcome::Done);
    }
    writeln!(stage.out, "Recorded with your authority, in task {}:", task.short())?;
    for line in in_force_lines(*id, &folded.state, &texts) {
        writeln!(stage.out, "{line}")?;
    }
    Ok(Outcome::Done)
}

fn seal(text: &ItemText) -> Result<Sealed, Failure> {
    let (id, salt): (BodyId, [u8; SALT_BYTES]) = SystemEntropy.new_body()?;
    let body = Body::Item(text.clone());
    body.seal(id, salt).map_err(|error| Failure::of(Kind::Internal, &error))
}
