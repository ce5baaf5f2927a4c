//! Turns what a host reports into a command, asking the world only for what that event needs.

use crate::actors::error::TaskError;
use crate::actors::store::Folded;
use crate::actors::world::World;
use crate::domain::body::{Body, QuoteText, Reference, Sealed, Statement};
use crate::domain::confirmation::Answer;
use crate::domain::fingerprint::{Known, Workspace};
use crate::domain::host_event::{HostEvent, HostEventKind, HostPath, StartSource, Trigger};
use crate::domain::ids::{CommandId, KeyedDigest, ProposalId, SessionKey};
use crate::domain::keyed::TaskKey;
use crate::domain::origin::{Channel, Origin};
use crate::domain::ports::{ProbeDepth, PromptSought};
use crate::domain::recovery::snapshot::Snapshot;
use crate::domain::signal::{Signals, SubjectKey, act_of, detect, is_host_made};
use crate::domain::task::WorkSeen;
use crate::domain::task::command::{Action, Command, PromptObserved, WorkObserved};
use crate::domain::task::item::Corroboration;
use crate::domain::task::quote::QuoteDraft;
use crate::domain::task::transition::{Arrival, BoundaryKind, CompactionTrigger, SnapshotMark};
use crate::domain::text::UntrustedText;

/// A command with the files that its events will name.
pub struct Observation {
    /// What is asked of the task.
    pub command: Command,
    /// Bodies, written only if the command leaves events.
    pub bodies: Vec<Sealed>,
    /// A snapshot, written only if the command leaves events.
    pub snapshot: Option<(SnapshotMark, Vec<u8>)>,
    /// Where the work stands, if that was looked at.
    pub workspace: Option<Workspace>,
}

/// One host event under observation.
pub struct Observer<'a> {
    /// What the host reports.
    pub event: &'a HostEvent,
    /// The session under the root key.
    pub session: SessionKey,
    /// Whether a session start counts as the host's word that a compaction happened.
    pub is_start_completion: bool,
    /// Whether the host shows our line to the user at the end of a turn.
    pub is_stop_shown: bool,
    /// Whether the event brings its session to the task, which has not heard of it.
    pub is_carried: bool,
    /// The task as it stands.
    pub folded: &'a Folded,
    /// The task's key.
    pub key: TaskKey,
    /// Ports and settings.
    pub world: &'a World,
}

/// Tells whether an event is a prompt of the user: the only kind that may begin a task.
#[must_use]
pub fn is_user_prompt(event: &HostEvent) -> bool {
    match &event.kind {
        HostEventKind::Prompt { text } => {
            event.agent.is_none() && !text.expose().trim().is_empty() && !is_host_made(text)
        }
        _ => false,
    }
}

impl Observer<'_> {
    /// Returns the command, or `None` where the event leaves nothing behind.
    ///
    /// # Errors
    /// [`TaskError::Ledger`] if the system gives no random bytes; [`TaskError::Encoding`].
    pub fn observe(&self) -> Result<Option<Observation>, TaskError> {
        if self.event.agent.is_some() {
            return Ok(self.observe_child());
        }
        match &self.event.kind {
            HostEventKind::Prompt { text } if is_user_prompt(self.event) => {
                self.observe_prompt(text).map(Some)
            }
            HostEventKind::PreCompact { trigger } => self.pre_compact(trigger_of(*trigger)),
            HostEventKind::PostCompact { trigger } => {
                let trigger = trigger_of(*trigger);
                self.plain(Action::ObservePostCompact { trigger })
            }
            HostEventKind::SessionStart { source } => self.session_start(*source),
            HostEventKind::Stop { .. } => {
                let (workspace, work, bodies) = self.look(ProbeDepth::Quick)?;
                let action = Action::ObserveStop {
                    work,
                    is_shown: self.is_stop_shown,
                    corroborations: self.look_up_confirmations(),
                    rollover: None,
                };
                let command = self.command(action, Channel::HostEvent)?;
                let workspace = Some(workspace);
                Ok(Some(Observation { command, bodies, snapshot: None, workspace }))
            }
            HostEventKind::SessionEnd => self.plain(Action::ObserveSessionEnd),
            _ => Ok(None),
        }
    }

    /// A sub-agent's events leave its start and its end, and nothing of what it was told.
    fn observe_child(&self) -> Option<Observation> {
        let id = self.event.agent.as_ref().and_then(|agent| agent.id.as_ref())?;
        let agent = self.key.digest("agent", &[id.as_str().as_bytes()]);
        let action = match self.event.kind {
            HostEventKind::SubagentStart => Action::ObserveChildStart { agent },
            HostEventKind::SubagentStop => Action::ObserveChildStop { agent },
            _ => return None,
        };
        let purpose = match action {
            Action::ObserveChildStart { .. } => "child_start",
            _ => "child_stop",
        };
        let id = self.key.command(purpose, &[agent.as_bytes()]);
        let command = self.named_command(id, action, Channel::HostEvent);
        Some(Observation { command, bodies: Vec::new(), snapshot: None, workspace: None })
    }

    fn plain(&self, action: Action) -> Result<Option<Observation>, TaskError> {
        let command = self.command(action, Channel::HostEvent)?;
        Ok(Some(Observation { command, bodies: Vec::new(), snapshot: None, workspace: None }))
    }

    fn session_start(&self, source: StartSource) -> Result<Option<Observation>, TaskError> {
        let kind = match source {
            StartSource::Clear => return self.plain(Action::ObserveClear),
            StartSource::Compact => BoundaryKind::Compaction,
            StartSource::Resume => BoundaryKind::Resume,
            StartSource::Fork => BoundaryKind::Fork,
            _ => BoundaryKind::Unknown,
        };
        let workspace = self.world.probe.look(self.folder(), ProbeDepth::Quick);
        let is_completion = self.is_start_completion;
        let action = Action::ObserveBoundary { kind, work: None, is_completion };
        let command = self.command(action, Channel::HostEvent)?;
        let workspace = Some(workspace);
        Ok(Some(Observation { command, bodies: Vec::new(), snapshot: None, workspace }))
    }

    fn pre_compact(&self, trigger: CompactionTrigger) -> Result<Option<Observation>, TaskError> {
        let (workspace, work, bodies) = self.look(ProbeDepth::Full)?;
        let state = &self.folded.state;
        let is_current = state
            .snapshots
            .last()
            .is_some_and(|mark| mark.state_digest == state.effective_digest());
        let snapshot = if is_current && work.is_none() {
            None
        } else {
            let seen = work.as_ref().map(work_seen).or_else(|| state.work.clone());
            Some(Snapshot::take(state, self.folded.head(), seen, trigger).encode()?)
        };
        let mark = snapshot.as_ref().map(|(mark, _)| *mark);
        let action = Action::ObservePreCompact { trigger, snapshot: mark, work };
        let command = self.command(action, Channel::HostEvent)?;
        Ok(Some(Observation { command, bodies, snapshot, workspace: Some(workspace) }))
    }

    fn observe_prompt(&self, text: &UntrustedText) -> Result<Observation, TaskError> {
        let digest = self.key.digest("prompt", &[text.expose().as_bytes()]);
        let (workspace, work, mut bodies) = self.look(ProbeDepth::Quick)?;
        let answer = Answer::parse(text);
        let signals = if answer.is_some() { Signals::default() } else { detect(text) };
        let quotes = self.seal_quotes(&signals, &mut bodies)?;
        let prompt = PromptObserved {
            digest,
            key: self.key.number,
            length_chars: u32::try_from(text.char_count()).unwrap_or(u32::MAX),
            signals: signals.set,
            quotes,
            model: self
                .event
                .model
                .as_ref()
                .map(|model| self.key.digest("model", &[model.as_str().as_bytes()])),
            has_turn: self.event.turn.is_some(),
            arrival: self.look_up_offer(),
            is_carried: self.is_carried,
            answer,
            corroborations: self.look_up_confirmations(),
        };
        let action = Action::ObservePrompt { prompt, work };
        let command = match &self.event.turn {
            Some(turn) => {
                let turn = turn.as_str().as_bytes();
                let parts = [self.session.as_bytes().as_slice(), turn, digest.as_bytes()];
                self.named_command(self.key.command("prompt", &parts), action, Channel::HostPrompt)
            }
            None => self.command(action, Channel::HostPrompt)?,
        };
        Ok(Observation { command, bodies, snapshot: None, workspace: Some(workspace) })
    }

    fn seal_quotes(
        &self,
        signals: &Signals,
        bodies: &mut Vec<Sealed>,
    ) -> Result<Vec<QuoteDraft>, TaskError> {
        let mut drafts = Vec::with_capacity(signals.quotes.len());
        for quote in &signals.quotes {
            let Ok(words) = Statement::new(&quote.text) else { continue };
            let typed = act_of(quote.text.as_str());
            let target = typed
                .as_ref()
                .and_then(|typed| typed.target.as_ref())
                .and_then(|target| Reference::new(target).ok());
            let sealed = self.world.seal(&Body::Quote(QuoteText { words, target }))?;
            drafts.push(QuoteDraft {
                kind: quote.kind,
                body: sealed.reference,
                subject: SubjectKey::of(&quote.subject, |word| self.key.word(word)),
                act: typed.map(|typed| (typed.act, typed.stance)),
            });
            bodies.push(sealed);
        }
        Ok(drafts)
    }

    /// Only an offer that waits for an answer is looked up.
    fn look_up_offer(&self) -> Option<Arrival> {
        let transition = self.folded.state.transition.as_ref()?;
        let offer = transition.offer.filter(|_| transition.arrival.is_none())?;
        let transcript = self.event.transcript.as_ref()?;
        let mark = self.key.mark(self.folded.state.offered_as()?, offer.built_on);
        Some(self.world.transcripts.offer_arrived(self.event.host, transcript.as_str(), &mark))
    }

    /// Asks the host's transcript about confirmations of this session that it has not settled yet.
    fn look_up_confirmations(&self) -> Vec<(ProposalId, Corroboration)> {
        let Some(transcript) = &self.event.transcript else { return Vec::new() };
        let state = &self.folded.state;
        let waiting = state.confirmed.iter().filter(|confirmed| {
            confirmed.session == Some(self.session) && confirmed.is_unsettled(state)
        });
        waiting
            .map(|confirmed| {
                let is_sought = |text: &str| confirmed.is_answered_by(text);
                let asked = PromptSought {
                    is_sought: &is_sought,
                    written_at: confirmed.confirmed_at,
                    session: self.event.session.as_str(),
                };
                let transcripts = &self.world.transcripts;
                let found =
                    transcripts.prompt_recorded(self.event.host, transcript.as_str(), &asked);
                (confirmed.proposal, found)
            })
            .collect()
    }

    /// Looks at the workspace, and seals what is new about it.
    fn look(
        &self,
        depth: ProbeDepth,
    ) -> Result<(Workspace, Option<WorkObserved>, Vec<Sealed>), TaskError> {
        let workspace = self.world.probe.look(self.folder(), depth);
        let identity = self.identity(&workspace)?;
        if self.folded.state.work.as_ref().is_some_and(|seen| seen.identity == identity) {
            return Ok((workspace, None, Vec::new()));
        }
        let sealed = self.world.seal(&Body::Workspace(workspace.clone()))?;
        let commit = match &workspace {
            Workspace::Git { state, .. } => match &state.head {
                Known::Known(commit) => commit.clone(),
                Known::Unknown => None,
            },
            _ => None,
        };
        let work = WorkObserved { body: sealed.reference, identity, commit };
        Ok((workspace, Some(work), vec![sealed]))
    }

    /// What makes a work object another one: not its index, not what is uncommitted.
    fn identity(&self, workspace: &Workspace) -> Result<KeyedDigest, TaskError> {
        let mut plain = workspace.clone();
        if let Workspace::Git { state, .. } = &mut plain {
            state.index = Known::Unknown;
            state.dirty = Known::Unknown;
        }
        let bytes = crate::domain::event::wire::encode_value(&plain)?;
        Ok(self.key.digest("work", &[&bytes]))
    }

    fn folder(&self) -> Option<&str> {
        self.event.cwd.as_ref().map(HostPath::as_str)
    }

    fn command(&self, action: Action, channel: Channel) -> Result<Command, TaskError> {
        Ok(self.named_command(self.world.entropy.new_command()?, action, channel))
    }

    fn named_command(&self, id: CommandId, action: Action, channel: Channel) -> Command {
        let origin = Origin::of_session(channel, self.event.host, self.session);
        Command { id, origin, expected_generation: None, action }
    }
}

fn work_seen(work: &WorkObserved) -> WorkSeen {
    WorkSeen { body: work.body, identity: work.identity, commit: work.commit.clone() }
}

fn trigger_of(trigger: Trigger) -> CompactionTrigger {
    match trigger {
        Trigger::Manual => CompactionTrigger::Manual,
        Trigger::Auto => CompactionTrigger::Auto,
        _ => CompactionTrigger::Unknown,
    }
}
