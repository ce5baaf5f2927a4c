//! Plays steps of the script as the processes of a host would.

use std::sync::Arc;

use context_continuity::actors::error::TaskError;
use context_continuity::actors::recovery::assess;
use context_continuity::actors::store::{Depth, TaskStore};
use context_continuity::actors::writer::{Observed, Receipt, Step as Next, TaskWriter};
use context_continuity::domain::body::{Body, ItemText, Reference, Sealed, Statement};
use context_continuity::domain::chain::{Head, Sequence};
use context_continuity::domain::event::ResetKind;
use context_continuity::domain::host_event::{HostEvent, HostEventKind};
use context_continuity::domain::ids::{BodyId, CommandId, ItemId, ProposalId, SessionKey, TaskRef};
use context_continuity::domain::origin::{Channel, HostNumber, Origin};
use context_continuity::domain::ports::{Ledger, Position, TaskFiles};
use context_continuity::domain::redact::redact_str;
use context_continuity::domain::task::command::{Action, Command};
use context_continuity::domain::task::item::{Authority, Confidence, ItemDraft, ItemKind};
use context_continuity::domain::task::proposal::{ProposalDraft, Purpose};
use context_continuity::io::fs::fault::FaultDisk;
use context_continuity::io::ledger::{LedgerConfig, SegmentLog};
use context_continuity::io::root::{DataRoot, DataRootError};
use context_continuity::io::task_files;

use super::ports::{Cells, time_of, world};
use super::script::{Do, Step, Which};
use super::sent::{HOST, host_event, proposal_code, proposal_digest};
use crate::support::path;

/// Segments of a few records each.
pub const CONFIG: LedgerConfig =
    LedgerConfig { segment_bytes_max: 12 * 1024, payload_bytes_max: 16 * 1024 };

pub fn task(which: Which) -> TaskRef {
    match which {
        Which::First => TaskRef::new([7; 16]),
        Which::Second => TaskRef::new([9; 16]),
    }
}

/// What is promised once a step was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Promise {
    /// The session has this name, and belongs to the task.
    Bound(SessionKey, &'static str, Which),
    /// The task's log holds this record.
    Head(Which, Head),
    /// A note waits, or was taken in.
    Note(Which),
    /// The body is gone.
    Erased(BodyId),
    /// The task is gone.
    Deleted(Which),
    /// Nothing further.
    Nothing,
}

/// Why a step came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error(transparent)]
    Task(#[from] TaskError),
    #[error(transparent)]
    Root(#[from] DataRootError),
}

pub fn store(disk: &FaultDisk, which: Which) -> TaskStore {
    TaskStore { ledger: Box::new(log(disk, which)), files: Box::new(files(disk, which)) }
}

pub fn log(disk: &FaultDisk, which: Which) -> SegmentLog {
    SegmentLog::new(Arc::new(disk.clone()), task(which), CONFIG)
}

pub fn files(disk: &FaultDisk, which: Which) -> task_files::TaskStore {
    task_files::TaskStore::new(Arc::new(disk.clone()), task(which))
}

pub fn root(disk: &FaultDisk) -> DataRoot {
    DataRoot::new(Arc::new(disk.clone()))
}

/// The processes that use a disk, one after the other.
pub struct Player {
    disk: FaultDisk,
    cells: Arc<Cells>,
    writer: Option<(Which, TaskWriter)>,
}

impl Player {
    pub fn new(disk: &FaultDisk) -> Self {
        Self { disk: disk.clone(), cells: Arc::new(Cells::default()), writer: None }
    }

    fn writer(&mut self, which: Which) -> &mut TaskWriter {
        if self.writer.as_ref().is_some_and(|(held, _)| *held != which) {
            self.writer = None;
        }
        let fresh = || TaskWriter::new(task(which), store(&self.disk, which), world(&self.cells));
        &mut self.writer.get_or_insert_with(|| (which, fresh())).1
    }

    /// Plays step `number`; a later attempt sends the same command again.
    pub fn play(&mut self, number: usize, step: &Step, attempt: u64) -> Result<Promise, Refused> {
        self.cells.set(number, attempt, step.commit, step.arrival);
        self.disk.set_now(time_of(number).as_millis());
        if !step.is_same_process || attempt > 0 {
            self.writer = None;
        }
        match step.act {
            Do::Bind(which, session) => self.bind(which, session),
            Do::Rebind(which, session) => {
                let root = root(&self.disk);
                let key = root.session_key(HOST.name(), session)?;
                root.rebind(key, task(which))?;
                Ok(Promise::Bound(key, session, which))
            }
            Do::LeaveNote => {
                let kind = u8::try_from(number % 200).unwrap();
                let files = files(&self.disk, step.on);
                files.leave_missed_note(kind, [kind; 32]).map_err(TaskError::from)?;
                Ok(Promise::Note(step.on))
            }
            Do::Erase(recorded_in) => {
                self.cells.set(recorded_in, 0, step.commit, step.arrival);
                let body = BodyId::new(self.cells.draw());
                let mut files = files(&self.disk, step.on);
                files.erase_body(body).map_err(TaskError::from)?;
                Ok(Promise::Erased(body))
            }
            Do::AcceptRollback => self.accept(number, step),
            Do::Tear | Do::Litter => {
                self.change_from_outside(step);
                Ok(Promise::Nothing)
            }
            Do::Sweep => {
                let now = time_of(number).as_millis();
                root(&self.disk).sweep(now)?;
                files(&self.disk, step.on).sweep(now).map_err(TaskError::from)?;
                Ok(Promise::Nothing)
            }
            Do::Delete(which) => self.delete(which),
            Do::FinishDeletes => {
                root(&self.disk).finish_deletes()?;
                Ok(Promise::Nothing)
            }
            act => match host_event(step.session, &act, number) {
                Some(event) => self.observe(step.on, step.session, event),
                None => self.submit(number, step),
            },
        }
    }

    fn bind(&mut self, which: Which, session: &'static str) -> Result<Promise, Refused> {
        let root = root(&self.disk);
        let key = root.session_key(HOST.name(), session)?;
        root.bind(key, task(which))?;
        if !log(&self.disk, which).exists().map_err(TaskError::from)? {
            root.create_task(task(which))?;
        }
        Ok(Promise::Bound(key, session, which))
    }

    /// Reports an event as a hook does; the task's directories are made where a prompt may begin.
    pub fn observe(
        &mut self,
        which: Which,
        session: &str,
        event: HostEvent,
    ) -> Result<Promise, Refused> {
        let root = root(&self.disk);
        let key = root.session_key(HOST.name(), session)?;
        if matches!(event.kind, HostEventKind::Prompt { .. })
            && !log(&self.disk, which).exists().map_err(TaskError::from)?
        {
            root.create_task(task(which))?;
        }
        let observed = Observed {
            event: Arc::new(event),
            session: key,
            is_start_completion: false,
            is_stop_shown: true,
            is_carried: false,
            patience_millis: 0,
        };
        let writer = self.writer(which);
        let next = writer.observe(&observed)?;
        Ok(promise(which, &finish(writer, next)?))
    }

    fn submit(&mut self, number: usize, step: &Step) -> Result<Promise, Refused> {
        let (action, bodies) = self.action(step)?;
        let is_agent = matches!(step.act, Do::Infer(..) | Do::Contest(..) | Do::Propose(..));
        let channel = if is_agent { Channel::ModelTool } else { Channel::OperatorTerminal };
        let command = command(number, channel, action);
        let writer = self.writer(step.on);
        let next = writer.submit(command, bodies, 0)?;
        Ok(promise(step.on, &finish(writer, next)?))
    }

    fn accept(&mut self, number: usize, step: &Step) -> Result<Promise, Refused> {
        let mut log = log(&self.disk, step.on);
        log.lock(0).map_err(TaskError::from)?;
        log.accept_rollback().map_err(TaskError::from)?;
        drop(log);
        let action = Action::AcceptRollback { remembered: Sequence::new(1) };
        let writer = self.writer(step.on);
        let next =
            writer.submit(command(number, Channel::OperatorTerminal, action), Vec::new(), 0)?;
        Ok(promise(step.on, &finish(writer, next)?))
    }

    fn delete(&mut self, which: Which) -> Result<Promise, Refused> {
        self.writer = None;
        let root = root(&self.disk);
        if root.is_deleted(task(which))? {
            root.finish_deletes()?;
        } else {
            let mut log = log(&self.disk, which);
            log.lock(0).map_err(TaskError::from)?;
            root.delete_task(task(which))?;
        }
        Ok(Promise::Deleted(which))
    }

    fn change_from_outside(&self, step: &Step) {
        if matches!(step.act, Do::Litter) {
            self.disk.set_now(0);
            self.disk.put(&path("sessions/temporary-0011223344556677"), b"litter");
            return;
        }
        let prefix = format!("tasks/{}/ledger/", task(step.on));
        let last = self.disk.paths().into_iter().rfind(|name| name.starts_with(&prefix));
        let torn = b"half of a record that nobody finished";
        self.disk.edit(&path(&last.unwrap()), |bytes| bytes.extend_from_slice(torn));
    }

    fn action(&mut self, step: &Step) -> Result<(Action, Vec<Sealed>), TaskError> {
        let (user, agent) = (Authority::User, Authority::AgentInference);
        Ok(match step.act {
            Do::Record(kind, text) => {
                let (draft, body) = self.draft(kind, text, user, &[]);
                (Action::Record { draft }, vec![body])
            }
            Do::Infer(kind, text) => {
                let (draft, body) = self.draft(kind, text, agent, &[]);
                (Action::Record { draft }, vec![body])
            }
            Do::Correct(item, text) => {
                let (draft, body) = self.draft(ItemKind::Correction, text, user, &[item]);
                (Action::Correct { draft }, vec![body])
            }
            Do::Propose(number, text) => {
                let (item, body) = self.draft(ItemKind::Constraint, text, user, &[]);
                let digest = proposal_digest(number);
                let draft = ProposalDraft {
                    body: body.reference,
                    digest,
                    items: vec![item],
                    quotes: Vec::new(),
                    purpose: Purpose::Items,
                    code: proposal_code(number),
                };
                (Action::Propose { draft }, vec![body])
            }
            Do::Confirm(number) => {
                let proposal = ProposalId::new(number);
                (Action::Confirm { proposal, digest: proposal_digest(number) }, Vec::new())
            }
            Do::Reject(number) => {
                (Action::Reject { proposal: ProposalId::new(number) }, Vec::new())
            }
            Do::Contest(one, other) => {
                (Action::Contest { items: vec![ItemId::new(one), ItemId::new(other)] }, Vec::new())
            }
            Do::Withdraw(item) => (Action::Withdraw { item: ItemId::new(item) }, Vec::new()),
            Do::CloseQuote => {
                let state = self.writer(step.on).read(Depth::Newest)?.0.state;
                let quote = *state.quotes.keys().next().unwrap();
                (Action::CloseQuote { quote }, Vec::new())
            }
            Do::Switch(is_on) => (Action::SwitchProtection { is_on }, Vec::new()),
            Do::Reset => (Action::Reset { kind: ResetKind::Reset }, Vec::new()),
            other => panic!("{other:?} is no command"),
        })
    }

    fn draft(
        &self,
        kind: ItemKind,
        text: &str,
        authority: Authority,
        supersedes: &[u32],
    ) -> (ItemDraft, Sealed) {
        let statement = Statement::new(&redact_str(text)).unwrap();
        let source = Reference::new(&redact_str("script")).unwrap();
        let text = Body::Item(ItemText { statement, rationale: None, source, target: None });
        let body = text.seal(BodyId::new(self.cells.draw()), self.cells.draw()).unwrap();
        let draft = ItemDraft {
            confidence: Confidence::Medium,
            supersedes: supersedes.iter().map(|item| ItemId::new(*item)).collect(),
            ..ItemDraft::new(kind, body.reference, authority)
        };
        (draft, body)
    }
}

/// The command of a step has the same name at each attempt.
fn command(number: usize, channel: Channel, action: Action) -> Command {
    let mut id = [0xC0; 16];
    id[..8].copy_from_slice(&u64::try_from(number).unwrap().to_be_bytes());
    let origin = Origin { channel, host: HostNumber::NONE, session: None };
    Command { id: CommandId::new(id), origin, expected_generation: None, action }
}

/// What a task's actor does with a step of its writer.
fn finish(writer: &mut TaskWriter, next: Next) -> Result<Receipt, TaskError> {
    match next {
        Next::Done(receipt) => Ok(receipt),
        Next::Commit(pending) => writer.commit(*pending, None),
        Next::Assess(pending, request) => {
            let answer = assess(&request);
            writer.commit(*pending, Some(answer))
        }
    }
}

fn promise(which: Which, receipt: &Receipt) -> Promise {
    match receipt.head.sequence {
        Sequence::ZERO => Promise::Nothing,
        _ => Promise::Head(which, receipt.head),
    }
}

/// Reads every payload of a log with its position, without the lock.
pub fn records(disk: &FaultDisk, which: Which) -> Vec<(Position, Vec<u8>)> {
    let mut seen = Vec::new();
    log(disk, which)
        .read(Position::START, &mut |record| seen.push((record.position, record.payload.to_vec())))
        .unwrap();
    seen
}
