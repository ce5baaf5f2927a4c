//! Embeds the library: opens a data root, follows a task, and records what an operator says.
//!
//! `cargo run --example embed -- FOLDER "do not push to main"`; the folder is created. Texts are
//! shown as they are recorded: redacted, bounded, escaped.

use std::error::Error;
use std::io::Write as _;
use std::path::PathBuf;

use context_continuity::domain::body::{Body, ItemText, Reference, Statement};
use context_continuity::domain::escape::quoted;
use context_continuity::domain::ports::Entropy as _;
use context_continuity::domain::redact::redact_str;
use context_continuity::domain::task::item::{Authority, ItemDraft, ItemKind};
use context_continuity::io::clock::SystemEntropy;
use context_continuity::{Action, Command, Continuity, Origin, Published, Settings, TaskRef};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(folder), Some(statement)) = (words.next(), words.next()) else {
        return Err("give a folder and a sentence".into());
    };
    let root = std::path::absolute(PathBuf::from(folder))?;
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?
        .block_on(record_and_follow(root, &statement))
}

async fn record_and_follow(root: PathBuf, statement: &str) -> Result<(), Box<dyn Error>> {
    let continuity = Continuity::open(Settings::from_environment(Some(root)), None).await?;
    let task = SystemEntropy.new_task()?;
    continuity.home().root().create_task(task)?;
    // The records of this task, from now on and whoever writes them.
    let mut views = continuity.subscribe(task).await?;
    let head = record(&continuity, task, statement).await?;
    let published = views.wait_for(|views| views.folded.head().to_string() == head).await?;
    show(&published)?;
    Ok(())
}

/// Records a constraint with the operator's authority; durable once this returns.
async fn record(
    continuity: &Continuity,
    task: TaskRef,
    statement: &str,
) -> Result<String, Box<dyn Error>> {
    let text = Body::Item(ItemText {
        statement: Statement::new(&redact_str(statement))?,
        rationale: None,
        source: Reference::new(&redact_str("examples/embed.rs"))?,
        target: None,
    });
    let (name, salt) = SystemEntropy.new_body()?;
    let sealed = text.seal(name, salt)?;
    let draft = ItemDraft::new(ItemKind::Constraint, sealed.reference, Authority::User);
    let id = SystemEntropy.new_command()?;
    let action = Action::Record { draft };
    let command = Command { id, origin: Origin::OPERATOR, expected_generation: None, action };
    Ok(continuity.submit(task, command, vec![sealed]).await?.head.to_string())
}

fn show(published: &Published) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "head {}, {:?}", published.folded.head(), published.freshness)?;
    for (id, item) in published.folded.state.in_force() {
        let text = published.texts.item(&item.draft.body);
        let words = text.map_or("(missing)", |text| text.statement.as_str());
        writeln!(out, "{id} {}: {}", item.draft.kind.name(), quoted(words, 200))?;
    }
    Ok(())
}
