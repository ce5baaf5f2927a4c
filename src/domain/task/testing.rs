//! Given, when, then for the task aggregate, and drafts to play with.

use super::command::{Action, Command, Facts, PromptObserved, WorkObserved};
use super::item::{Authority, ItemDraft, ItemKind, Verification};
use super::limits::Limits;
use super::proposal::{ProposalDraft, Purpose};
use super::quote::QuoteDraft;
use super::transition::{Offer, SnapshotMark};
use super::{TaskState, apply_batch, decide};
use crate::domain::body::BodyRef;
use crate::domain::chain::{Head, Sequence};
use crate::domain::confirmation::Code;
use crate::domain::event::{Batch, BatchHeader, Event};
use crate::domain::fingerprint::ObjectName;
use crate::domain::ids::{
    BodyId, CommandId, Commitment, Digest, ItemId, KeyedDigest, SessionKey, SnapshotId, TaskRef,
};
use crate::domain::origin::{Channel, HostNumber, Origin};
use crate::domain::rejection::Rejection;
use crate::domain::signal::{SignalKind, SignalSet, SubjectKey};
use crate::domain::time::Timestamp;

pub const TASK: TaskRef = TaskRef::new([1; 16]);
pub const SESSION: SessionKey = SessionKey::new([2; 32]);
pub const EVERY_CHANNEL: [Channel; 6] = [
    Channel::HostPrompt,
    Channel::HostEvent,
    Channel::OperatorTerminal,
    Channel::ControlHttp,
    Channel::ModelTool,
    Channel::Probe,
];

/// A task's state on its way through a story.
#[derive(Clone)]
pub struct Scenario {
    pub state: TaskState,
    pub now: i64,
    pub log_bytes: u64,
    pub limits: Limits,
    next_command: u64,
    next_sequence: u64,
}

/// What a command came to.
pub struct Outcome {
    pub scenario: Scenario,
    pub result: Result<Vec<Event>, Rejection>,
}

/// Before the first event.
pub fn nothing() -> Scenario {
    Scenario {
        state: TaskState::initial(),
        now: 1_000_000,
        log_bytes: 0,
        limits: Limits::default(),
        next_command: 1,
        next_sequence: 1,
    }
}

/// An opened task with these events behind it.
pub fn given(events: Vec<Event>) -> Scenario {
    let opened = Event::TaskOpened {
        task: TASK,
        predecessor: None,
        left_items: Vec::new(),
        left_quotes: Vec::new(),
    };
    let joined = Event::SessionJoined { host: HostNumber::new(1), session: SESSION };
    let mut all = vec![opened, joined];
    all.extend(events);
    let mut scenario = nothing();
    scenario.apply(Channel::HostPrompt, all);
    scenario
}

pub fn origin(channel: Channel) -> Origin {
    let is_host = matches!(channel, Channel::HostPrompt | Channel::HostEvent);
    Origin {
        channel,
        host: HostNumber::new(u8::from(is_host)),
        session: is_host.then_some(SESSION),
    }
}

impl Scenario {
    pub fn facts(&self) -> Facts {
        Facts {
            now: Timestamp::from_millis(self.now),
            task: TASK,
            log_bytes: self.log_bytes,
            limits: self.limits,
        }
    }

    pub fn command(&mut self, channel: Channel, action: Action) -> Command {
        self.next_command += 1;
        let mut id = [0; 16];
        id[..8].copy_from_slice(&self.next_command.to_le_bytes());
        let id = CommandId::new(id);
        Command { id, origin: origin(channel), expected_generation: None, action }
    }

    pub fn apply(&mut self, channel: Channel, events: Vec<Event>) {
        let Command { id, origin, .. } = self.command(channel, Action::ObserveClear);
        self.apply_as(id, origin, events);
    }

    fn apply_as(&mut self, command: CommandId, origin: Origin, events: Vec<Event>) {
        if events.is_empty() {
            return;
        }
        let recorded_at = Timestamp::from_millis(self.now).at_least(self.state.recorded_at);
        let header = BatchHeader { command, recorded_at, origin };
        let sequence = Sequence::new(self.next_sequence);
        apply_batch(&mut self.state, &Batch { header, events }, sequence);
        self.next_sequence += 1;
    }

    /// Carries a command out, and returns what it recorded.
    pub fn carry_out(&mut self, command: &Command) -> Result<Vec<Event>, Rejection> {
        let events = decide(&self.state, command, &self.facts())?;
        self.apply_as(command.id, command.origin, events.clone());
        Ok(events)
    }

    #[track_caller]
    pub fn and(mut self, channel: Channel, action: Action) -> Self {
        let command = self.command(channel, action);
        self.carry_out(&command).unwrap();
        self
    }

    pub fn after_millis(mut self, millis: i64) -> Self {
        self.now += millis;
        self
    }

    pub fn when(mut self, channel: Channel, action: Action) -> Outcome {
        let command = self.command(channel, action);
        let result = self.carry_out(&command);
        Outcome { scenario: self, result }
    }
}

impl Outcome {
    #[track_caller]
    pub fn then_events(self, expected: &[Event]) -> Scenario {
        assert_eq!(self.result.as_deref(), Ok(expected));
        self.scenario
    }

    #[track_caller]
    pub fn then_nothing(self) -> Scenario {
        self.then_events(&[])
    }

    #[track_caller]
    pub fn then_rejected(self, expected: Rejection) -> Scenario {
        assert_eq!(self.result, Err(expected));
        self.scenario
    }
}

pub fn body(number: u8) -> BodyRef {
    BodyRef { id: BodyId::new([number; 16]), commitment: Commitment::new([number; 32]) }
}

pub fn keyed(number: u8) -> KeyedDigest {
    KeyedDigest::new([number; 32])
}

pub fn commit(number: u8) -> ObjectName {
    ObjectName::parse(&format!("{number:02x}").repeat(20)).unwrap()
}

pub fn draft(kind: ItemKind, authority: Authority) -> ItemDraft {
    let verification = match authority {
        Authority::VerifiedEvidence => Verification::Checked,
        Authority::User => Verification::None,
        Authority::AgentInference => Verification::Claimed,
    };
    ItemDraft { verification, ..ItemDraft::new(kind, body(3), authority) }
}

pub fn inferred(kind: ItemKind) -> ItemDraft {
    draft(kind, Authority::AgentInference)
}

pub fn said(kind: ItemKind) -> ItemDraft {
    draft(kind, Authority::User)
}

pub fn replacing(items: &[u32], draft: ItemDraft) -> ItemDraft {
    ItemDraft { supersedes: items.iter().copied().map(ItemId::new).collect(), ..draft }
}

pub fn proposal(items: Vec<ItemDraft>) -> ProposalDraft {
    asking(Purpose::Items, "2A22", items)
}

pub fn asking(purpose: Purpose, code: &str, items: Vec<ItemDraft>) -> ProposalDraft {
    let (digest, quotes) = (Digest::new([4; 32]), Vec::new());
    let code = Code::parse(code).unwrap();
    ProposalDraft { body: body(4), digest, items, quotes, purpose, code }
}

pub fn quote(kind: SignalKind) -> QuoteDraft {
    QuoteDraft { kind, body: body(5), subject: SubjectKey::default(), act: None }
}

pub fn prompt(number: u8) -> PromptObserved {
    PromptObserved {
        digest: keyed(number),
        key: 0,
        length_chars: 12,
        signals: SignalSet::default(),
        quotes: Vec::new(),
        model: None,
        has_turn: true,
        arrival: None,
        is_carried: false,
        answer: None,
        corroborations: Vec::new(),
    }
}

pub fn wrote(prompt: PromptObserved) -> Action {
    Action::ObservePrompt { prompt, work: None }
}

pub fn stopped(work: Option<WorkObserved>) -> Action {
    Action::ObserveStop { work, is_shown: true, corroborations: Vec::new(), rollover: None }
}

pub fn record(draft: ItemDraft) -> Action {
    Action::Record { draft }
}

pub fn work(number: u8) -> WorkObserved {
    WorkObserved { body: body(number), identity: keyed(number), commit: Some(commit(number)) }
}

pub fn mark(number: u32, state: &TaskState) -> SnapshotMark {
    SnapshotMark {
        snapshot: SnapshotId::new(number),
        digest: Digest::new([9; 32]),
        state_digest: state.effective_digest(),
    }
}

pub fn offer() -> Offer {
    Offer {
        digest: Digest::new([8; 32]),
        tokens: 100,
        omitted: 0,
        attempt: 1,
        built_on: Head::EMPTY,
    }
}
