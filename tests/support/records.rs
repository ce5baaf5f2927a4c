//! Items recorded through the library, as a person or the agent would.

use context_continuity::actors::error::TaskError;
use context_continuity::actors::writer::{Filed, Filing, NewItem, Receipt};
use context_continuity::domain::act::Act;
use context_continuity::domain::body::{Body, ItemText, Reference, Sealed, Statement};
use context_continuity::domain::ids::{BodyId, CommandId, Generation, ItemId, TaskRef};
use context_continuity::domain::origin::{Channel, HostNumber, Origin};
use context_continuity::domain::redact::redact_str;
use context_continuity::domain::task::command::{Action, Command};
use context_continuity::domain::task::item::{
    Authority, Confidence, Gate, ItemDraft, ItemKind, Scope, Verification, VersionBinding,
};
use context_continuity::domain::task::proposal::Purpose;
use context_continuity::io::wire::Continuity;

use super::TestHome;

/// An item before it is recorded.
#[derive(Debug, Clone)]
pub struct Item {
    pub kind: ItemKind,
    pub statement: String,
    pub authority: Authority,
    pub verification: Verification,
    pub act: Option<Act>,
    pub gate: Option<Gate>,
    pub binding: Option<VersionBinding>,
    pub supersedes: Vec<ItemId>,
}

impl Item {
    pub fn of_user(kind: ItemKind, statement: &str) -> Self {
        Self {
            kind,
            statement: statement.to_owned(),
            authority: Authority::User,
            verification: Verification::None,
            act: None,
            gate: None,
            binding: None,
            supersedes: Vec::new(),
        }
    }

    pub fn of_agent(kind: ItemKind, statement: &str) -> Self {
        Self { authority: Authority::AgentInference, ..Self::of_user(kind, statement) }
    }

    fn channel(&self) -> Channel {
        match self.authority {
            Authority::User => Channel::OperatorTerminal,
            Authority::VerifiedEvidence => Channel::Probe,
            Authority::AgentInference => Channel::ModelTool,
        }
    }

    /// The item as it is put before the user.
    fn new_item(&self) -> NewItem {
        let text = ItemText {
            statement: Statement::new(&redact_str(&self.statement)).expect("a statement"),
            rationale: None,
            source: Reference::new(&redact_str("a test")).expect("a source"),
            target: None,
        };
        let supersedes = self.supersedes.clone();
        NewItem { kind: self.kind, text, supersedes, act: self.act, gate: self.gate }
    }

    /// The command that records the item, and its text.
    pub fn command(&self, number: u128) -> (Command, Sealed) {
        let text = |text: &str| redact_str(text);
        let body = Body::Item(ItemText {
            statement: Statement::new(&text(&self.statement)).expect("a statement"),
            rationale: None,
            source: Reference::new(&text("a test")).expect("a source"),
            target: None,
        });
        let sealed = body.seal(BodyId::new(number.to_be_bytes()), [3; 16]).expect("a body");
        let draft = ItemDraft {
            kind: self.kind,
            body: sealed.reference,
            authority: self.authority,
            verification: self.verification,
            confidence: Confidence::High,
            evidence_digest: None,
            supersedes: self.supersedes.clone(),
            scope: Scope::Task,
            act: self.act,
            gate: self.gate,
            binding: self.binding.clone(),
            has_rationale: false,
            copied_from: None,
        };
        let origin = Origin { channel: self.channel(), host: HostNumber::NONE, session: None };
        let id = CommandId::new(number.to_be_bytes());
        let action = Action::Record { draft };
        (Command { id, origin, expected_generation: None, action }, sealed)
    }
}

/// Runs a future on a runtime of its own.
pub fn run<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.expect("a runtime").block_on(future)
}

impl TestHome {
    pub async fn continuity(&self) -> Continuity {
        Continuity::open(self.settings(), Some(&self.workspace)).await.expect("a data root")
    }

    /// Records items in the only task; each must be taken.
    #[track_caller]
    pub fn record(&self, items: &[Item]) {
        let task = self.only_task();
        let outcome = run(async {
            let continuity = self.continuity().await;
            for item in items {
                submit(&continuity, task, item, random(), None).await?;
            }
            Ok::<(), TaskError>(())
        });
        outcome.expect("items are taken");
    }
}

impl TestHome {
    /// Files a proposal about the only task as the agent's side does; it must be taken.
    #[track_caller]
    pub fn file(&self, purpose: Purpose, items: &[Item]) -> Filed {
        let items = items.iter().map(Item::new_item).collect();
        let origin = Origin { channel: Channel::ModelTool, ..Origin::OPERATOR };
        let filing = Filing { origin, purpose, items, quotes: Vec::new() };
        let task = self.only_task();
        let filed = run(async { self.continuity().await.file(task, filing).await });
        filed.expect("a proposal is taken")
    }
}

impl TestHome {
    /// Submits an act of a person about the only task; it must be taken.
    #[track_caller]
    pub fn submit(&self, action: Action) {
        let id = CommandId::new(random().to_be_bytes());
        let (origin, expected_generation) = (Origin::OPERATOR, None);
        let command = Command { id, origin, expected_generation, action };
        let task = self.only_task();
        let outcome = run(async { self.continuity().await.submit(task, command, vec![]).await });
        outcome.expect("an act is taken");
    }
}

/// Submits one item.
pub async fn submit(
    continuity: &Continuity,
    task: TaskRef,
    item: &Item,
    number: u128,
    expected: Option<Generation>,
) -> Result<Receipt, TaskError> {
    let (command, sealed) = item.command(number);
    let command = Command { expected_generation: expected, ..command };
    continuity.submit(task, command, vec![sealed]).await
}

/// A number that no other command has.
pub fn random() -> u128 {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("random bytes");
    u128::from_be_bytes(bytes)
}
