//! The same task next morning: a new conversation goes on with the one open task of its folder.
//!
//! The offer is one line at the start of a session that has no task, and writes nothing: its code
//! is derived from the root key, the task and the session. The line may come together with the
//! first prompt, since some hosts report a start only then; so the code counts as the first message
//! or as the second. After that, or unanswered, it is dead.

use std::time::{Duration, Instant};

use super::{Home, HomeError};
use crate::actors::store::Depth;
use crate::actors::writer::Receipt;
use crate::domain::body::Body;
use crate::domain::confirmation::{Answer, Code, Verb};
use crate::domain::fingerprint::Workspace;
use crate::domain::host_event::{HostEvent, HostEventKind, HostReply, StartSource};
use crate::domain::ids::{SessionKey, TaskRef};
use crate::domain::origin::{Channel, Origin};
use crate::domain::ports::{Clock as _, ProbeDepth, TaskFiles as _, WorkspaceProbe as _};
use crate::domain::task::TaskState;
use crate::io::clock::SystemClock;
use crate::io::root::Lookup;
use crate::io::wire::Workspaces;
use crate::readmodels::morning::carry_offer_text;
use crate::readmodels::texts::Texts;

/// How long after the last event a task is still offered, in milliseconds: a week, so that Friday's
/// task is there on Monday.
pub const IDLE_MILLIS_MAX: u64 = 7 * 24 * 60 * 60 * 1_000;
/// How long nothing must have been heard of a task before it is offered, in milliseconds, unless its
/// session ended: an hour. One that is at work in another window is nobody's to take over.
pub const REST_MILLIS_MIN: u64 = 60 * 60 * 1_000;
/// Tasks looked at, the last written first.
const LOOKED_AT_MAX: usize = 16;
/// How long looking may take; what is not seen by then could be a second one, so nothing is offered.
const LOOK_TIME_MAX: Duration = Duration::from_millis(100);

/// A task that can be gone on with.
struct Open {
    task: TaskRef,
    state: TaskState,
    idle_millis: u64,
}

impl Home {
    /// Returns the line that offers the one open task of the folder to a session that begins.
    /// Writes nothing; where anything fails there is nothing to offer.
    pub(super) fn offer_to_carry(&self, event: &HostEvent) -> Option<Receipt> {
        let is_new =
            matches!(event.kind, HostEventKind::SessionStart { source: StartSource::Startup });
        if !is_new || event.agent.is_some() {
            return None;
        }
        let session = self.root().find_session_key(event.host.name(), event.session.as_str());
        let session = session.ok().flatten()?;
        let mut open = self.open_tasks_here(event).ok()?.into_iter();
        let (Some(only), None) = (open.next(), open.next()) else { return None };
        if only.state.ended_session.is_none() && only.idle_millis < REST_MILLIS_MIN {
            return None;
        }
        let code = self.root().carry_code(only.task, session).ok().flatten()?;
        let files = self.files(only.task);
        let texts = Texts::gather(&only.state, |id| files.load_body(id).ok());
        let notice = Some(carry_offer_text(&only.state, &texts, code, only.idle_millis));
        let reply = HostReply { context: None, notice };
        Some(Receipt::of(None, 0, reply))
    }

    /// Returns the task that the user's prompt carries over into its session, if it names one by
    /// its code, and lets the session's own task go, which must have only begun.
    pub(super) fn carry_over(
        &self,
        event: &HostEvent,
        session: SessionKey,
        found: Lookup,
    ) -> Result<Option<TaskRef>, HomeError> {
        let Some(code) = code_in(event) else { return Ok(None) };
        let own = match found {
            Lookup::Absent => None,
            Lookup::Task(own) if self.has_log(own)? => {
                if !self.fold(own, Depth::Newest)?.state.is_only_begun() {
                    return Ok(None);
                }
                Some(own)
            }
            Lookup::Task(_) | Lookup::Damaged(_) => return Ok(None),
        };
        let mut named = None;
        for open in self.open_tasks_here(event)? {
            if Some(open.task) != own && self.root().carry_code(open.task, session)? == Some(code) {
                named = Some(open.task);
            }
        }
        let Some(task) = named else { return Ok(None) };
        match own {
            None => Ok(Some(task)),
            Some(own) => {
                let origin = Origin::of_session(Channel::HostPrompt, event.host, session);
                self.leave(own, task, origin)?;
                // The way to the other task is the one of every event that comes here.
                Ok(None)
            }
        }
    }

    /// Lets the sessions of a task that has only begun go on with another task, at their next
    /// prompt: a person's act.
    ///
    /// # Errors
    /// [`HomeError::Task`] with [`crate::domain::rejection::Rejection::NotAuthorised`] if more
    /// than a first prompt is recorded in `begun`.
    pub fn link(&self, begun: TaskRef, task: TaskRef) -> Result<(), HomeError> {
        self.leave(begun, task, Origin::OPERATOR)
    }

    /// Returns the open tasks of the folder that an event names, among those written last.
    fn open_tasks_here(&self, event: &HostEvent) -> Result<Vec<Open>, HomeError> {
        let Some(folder) = &event.cwd else { return Ok(Vec::new()) };
        let begun_at = Instant::now();
        let here = Workspaces::new(self.settings()).look(Some(folder.as_str()), ProbeDepth::Quick);
        let mut open = Vec::new();
        for task in self.root().newest_tasks(LOOKED_AT_MAX)? {
            if begun_at.elapsed() > LOOK_TIME_MAX {
                return Ok(Vec::new());
            }
            open.extend(self.open_here(task, &here));
        }
        Ok(open)
    }

    /// What cannot be read cannot be gone on with.
    fn open_here(&self, task: TaskRef, here: &Workspace) -> Option<Open> {
        let state = self.fold(task, Depth::Newest).ok()?.state;
        let idle_millis = SystemClock.now().millis_since(state.recorded_at);
        let is_open = !state.is_off
            && !state.is_left()
            && state.effect.is_none()
            && state.has_content()
            && idle_millis <= IDLE_MILLIS_MAX;
        let work = state.work.as_ref().filter(|_| is_open)?;
        let bytes = self.files(task).load_body(work.body.id).ok()?;
        match Body::open(&bytes, &work.body) {
            Ok(Body::Workspace(place)) if is_same_place(&place, here) => {
                Some(Open { task, state, idle_millis })
            }
            _ => None,
        }
    }
}

/// Returns the code of a prompt that asks to go on with an earlier task, and says nothing else.
fn code_in(event: &HostEvent) -> Option<Code> {
    let HostEventKind::Prompt { text } = &event.kind else { return None };
    let answer = Answer::parse(text).filter(|_| event.agent.is_none())?;
    (answer.verb == Verb::Carry && answer.name.is_none()).then_some(answer.code)
}

/// Tells whether two places are one folder, or one worktree of one repository.
fn is_same_place(before: &Workspace, here: &Workspace) -> bool {
    match (before, here) {
        (Workspace::Git { state: before, .. }, Workspace::Git { state: here, .. }) => {
            before.worktree == here.worktree && before.common_dir == here.common_dir
        }
        (Workspace::Folder { folder: before, .. }, Workspace::Folder { folder: here, .. }) => {
            before == here
        }
        _ => false,
    }
}
