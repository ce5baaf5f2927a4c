//! Keeps a coding agent's task true across compaction, resume and handoff.
//!
//! A host forgets: it compacts the conversation, or a session is taken up days later. This crate
//! keeps what the user wants and where the work stands in a ledger of the user's own machine, and
//! offers it to the agent again after such a boundary, quoted, bounded, and with its doubts. It asks
//! no model, grants nothing, and sends nothing.
//!
//! ```text
//! hook, command line, embedder          io          parse, bound, redact, name the origin
//!         -> Command
//! TaskActor                             actors      lock, catch up, decide, append, sync, answer
//!         -> decide(state, command, facts)  domain  all rules, pure
//!         -> events -> segment files    io          chained, checksummed; one writer, many readers
//!         -> evolve -> state -> views   domain, readmodels   pure folds
//! ```
//!
//! # What always holds
//!
//! - Acknowledged means durable: decide, append, sync, evolve, answer; no other order.
//! - [`domain`] touches no disk, clock, chance or thread: the same events give the same state, and
//!   [`readmodels`] of the same state the same bytes.
//! - [`actors`] know the world by [`domain::ports`] alone; [`io::wire`] joins the two.
//! - Reading takes no lock and writes nothing. A damaged or rolled back log is said, never mended by
//!   guessing.
//! - Stored text is redacted before the first byte is written, and never decides anything.
//!
//! # Embedding
//!
//! A [`Continuity`] is a data root with its actors, inside the caller's tokio runtime. Hooks and
//! other processes may write to the same tasks meanwhile.
//!
//! ```
//! use context_continuity::domain::body::{Body, ItemText, Reference, Statement};
//! use context_continuity::domain::ports::Entropy as _;
//! use context_continuity::domain::redact::redact_str;
//! use context_continuity::domain::task::item::{Authority, ItemDraft, ItemKind};
//! use context_continuity::io::clock::SystemEntropy;
//! use context_continuity::readmodels::execution_guard;
//! use context_continuity::{Action, Command, Continuity, Depth, Freshness, Origin, Settings};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let root = folder.path().canonicalize()?.join("records");
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
//! # runtime.block_on(async {
//! let continuity = Continuity::open(Settings::from_environment(Some(root)), None).await?;
//! let task = SystemEntropy.new_task()?;
//! continuity.home().root().create_task(task)?;
//!
//! // What the operator says; its text is redacted and sealed into a file beside the ledger.
//! let text = Body::Item(ItemText {
//!     statement: Statement::new(&redact_str("do not push to main"))?,
//!     rationale: None,
//!     source: Reference::new(&redact_str("the release checklist"))?,
//!     target: None,
//! });
//! let (name, salt) = SystemEntropy.new_body()?;
//! let sealed = text.seal(name, salt)?;
//! let draft = ItemDraft::new(ItemKind::Constraint, sealed.reference, Authority::User);
//! let command = Command {
//!     id: SystemEntropy.new_command()?,
//!     origin: Origin::OPERATOR,
//!     expected_generation: None,
//!     action: Action::Record { draft },
//! };
//! let receipt = continuity.submit(task, command, vec![sealed]).await?;
//!
//! // What a guard reads: typed fields and ids, with how far they can be believed.
//! let (folded, texts) = continuity.read(task, Depth::Full).await?;
//! let freshness = folded.freshness();
//! let view =
//!     execution_guard::build(&folded.state, &texts, folded.head(), folded.basis, freshness);
//! assert_eq!(view.open_commitments.len(), 1);
//! assert_eq!(view.freshness, Freshness::Current);
//!
//! // What is followed changes with the log, whoever writes it.
//! let mut views = continuity.subscribe(task).await?;
//! let published = views.wait_for(|views| views.folded.head() == receipt.head).await?;
//! assert_eq!(published.freshness, Freshness::Current);
//! # Ok(())
//! # })
//! # }
//! ```

pub mod actors;
pub mod domain;
pub mod io;
pub mod readmodels;

pub use actors::error::TaskError;
pub use actors::projector::Published;
pub use actors::store::{Depth, Folded};
pub use actors::writer::Receipt;
pub use domain::ids::{CommandId, ItemId, QuoteId, TaskRef};
pub use domain::origin::Origin;
pub use domain::rejection::Rejection;
pub use domain::task::command::{Action, Command};
pub use io::config::Settings;
pub use io::wire::{Continuity, Home, HomeError, OpenError};
pub use readmodels::continuity::ContinuityView;
pub use readmodels::execution_guard::{ExecutionGuardView, Freshness};
pub use readmodels::texts::Texts;
