//! The disk: its state, its calls, its crashes.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::call::{Call, CallKind};
use super::failure::{Fault, Planned, Repeat, strike};
use super::image::{Content, Effect, Image, Node, NodeId};
use super::journal::{Journal, Step};
use super::policy::Policy;
use crate::io::fs::RelativePath;

type Hook = Arc<dyn Fn(&Call) + Send + Sync>;

/// A disk in memory. Clones are further doors to the same disk, as for several processes.
#[derive(Clone)]
pub struct FaultDisk {
    state: Arc<Mutex<State>>,
}

pub(super) struct State {
    pub(super) live: Image,
    pub(super) locks: BTreeMap<NodeId, u64>,
    pub(super) now_millis: i64,
    journal: Journal,
    calls: Vec<Call>,
    planned: Vec<Planned>,
    stop_at: Option<u64>,
    hook: Option<Hook>,
    next_node: u64,
    next_handle: u64,
}

impl State {
    fn new(image: Image, now_millis: i64) -> Self {
        let next_node = image.nodes.keys().next_back().map_or(1, |last| last.0.saturating_add(1));
        Self {
            live: image.clone(),
            locks: BTreeMap::new(),
            now_millis,
            journal: Journal::new(image),
            calls: Vec::new(),
            planned: Vec::new(),
            stop_at: None,
            hook: None,
            next_node,
            next_handle: 1,
        }
    }

    pub(super) fn record(&mut self, step: Step) {
        let call = u64::try_from(self.calls.len()).unwrap_or(u64::MAX);
        self.journal.push(call, step);
    }

    /// Makes a change visible at once, durable later.
    pub(super) fn change(&mut self, effect: Effect) {
        self.live.apply(&effect);
        self.record(Step::Pending(effect));
    }

    pub(super) fn allocate(&mut self, content: Content) -> NodeId {
        let id = NodeId(self.next_node);
        self.next_node = self.next_node.saturating_add(1);
        let node = Node::new(content, self.now_millis);
        self.live.nodes.insert(id, node.clone());
        self.record(Step::Allocate(id, node));
        id
    }

    pub(super) fn new_handle(&mut self) -> u64 {
        let handle = self.next_handle;
        self.next_handle = self.next_handle.saturating_add(1);
        handle
    }

    /// Syncs as far as the fault lets it.
    pub(super) fn sync(&mut self, node: NodeId, fault: Option<Fault>) -> io::Result<()> {
        match fault {
            Some(Fault::LieAboutSync) => Ok(()),
            Some(Fault::FailSync) => {
                self.record(Step::FailedSync(node));
                Err(super::failure::Refusal::InputOutput.into())
            }
            _ => {
                self.record(Step::Sync(node));
                Ok(())
            }
        }
    }
}

/// The answer to every call of a stopped process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the process was stopped before this call")]
pub(super) struct Stopped;

impl Default for FaultDisk {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for FaultDisk {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "FaultDisk({} calls)", self.call_count())
    }
}

impl FaultDisk {
    /// Returns an empty disk.
    #[must_use]
    pub fn new() -> Self {
        Self::holding(Image::empty(), 0)
    }

    fn holding(image: Image, now_millis: i64) -> Self {
        Self { state: Arc::new(Mutex::new(State::new(image, now_millis))) }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Numbers and records a call; answers the state to run it in, and what goes wrong with it.
    pub(super) fn enter(
        &self,
        kind: CallKind,
        path: &RelativePath,
    ) -> io::Result<(MutexGuard<'_, State>, Option<Fault>)> {
        let mut state = self.state();
        let number = u64::try_from(state.calls.len()).unwrap_or(u64::MAX).saturating_add(1);
        let call = Call { number, kind, path: path.clone() };
        state.calls.push(call.clone());
        if let Some(hook) = state.hook.clone() {
            drop(state);
            hook(&call);
            state = self.state();
        }
        if state.stop_at.is_some_and(|stop_at| number >= stop_at) {
            return Err(io::Error::other(Stopped));
        }
        match strike(&mut state.planned, number, kind) {
            Some(Fault::Refuse(refusal)) => Err(refusal.into()),
            fault => Ok((state, fault)),
        }
    }

    /// Returns every call so far, in order.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.state().calls.clone()
    }

    /// Returns the number of calls so far, which is the number of the last one.
    #[must_use]
    pub fn call_count(&self) -> u64 {
        u64::try_from(self.state().calls.len()).unwrap_or(u64::MAX)
    }

    /// Lets a fault strike from call `from_call` on, at calls that it can strike.
    pub fn plan(&self, from_call: u64, fault: Fault, repeat: Repeat) {
        self.state().planned.push(Planned { from_call, fault, repeat });
    }

    /// Takes back every planned fault.
    pub fn clear_faults(&self) {
        self.state().planned.clear();
    }

    /// Makes call `call`, and every one after it, answer an error and do nothing: what is left of
    /// a process that dies there.
    pub fn stop_at(&self, call: u64) {
        self.state().stop_at = Some(call);
    }

    /// Lets calls run again after [`FaultDisk::stop_at`]: the next process on a machine that went
    /// on running. What was not durable still is not, unlike on the disk of [`FaultDisk::crash`].
    pub fn restart(&self) {
        self.state().stop_at = None;
    }

    /// Calls `hook` before each call runs, without holding the disk: it may wait for another
    /// thread, or change the disk from outside. It is called for its own calls as well.
    pub fn before_each_call(&self, hook: impl Fn(&Call) + Send + Sync + 'static) {
        self.state().hook = Some(Arc::new(hook));
    }

    /// Takes the hook off.
    pub fn clear_hook(&self) {
        self.state().hook = None;
    }

    /// Sets the time that files are stamped with, in milliseconds since 1970-01-01 UTC.
    pub fn set_now(&self, millis: i64) {
        self.state().now_millis = millis;
    }

    /// Returns the disk that a crash now would leave: no locks, no faults, no calls.
    #[must_use]
    pub fn crash(&self, policy: Policy) -> Self {
        self.crash_at(u64::MAX, policy)
    }

    /// Returns the disk that a crash just before call `call` would have left.
    #[must_use]
    pub fn crash_at(&self, call: u64, policy: Policy) -> Self {
        let mut state = self.state();
        let image = policy.crash(state.journal.before(call).clone());
        Self::holding(image, state.now_millis)
    }

    /// Counts the changes that were not durable just before call `call`.
    #[must_use]
    pub fn pending_count_at(&self, call: u64) -> usize {
        self.state().journal.before(call).pending.len()
    }

    /// Lists the policies that can make a difference just before call `call`, with `random_count`
    /// random subsets among them.
    #[must_use]
    pub fn policies_at(&self, call: u64, random_count: u64) -> Vec<Policy> {
        Policy::all_for(self.state().journal.before(call), random_count)
    }

    /// Tells whether an error is that of a stopped process.
    #[must_use]
    pub fn is_stop(error: &io::Error) -> bool {
        error.get_ref().and_then(|inner| inner.downcast_ref::<Stopped>()).is_some()
    }
}
