//! Ports that answer the same in each run, as a step of the script sets them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use context_continuity::actors::world::World;
use context_continuity::domain::budget::{Budget, ByteCount, TokenCount};
use context_continuity::domain::fingerprint::{Checkout, GitState, Known, ObjectName, Workspace};
use context_continuity::domain::host_event::Host;
use context_continuity::domain::ids::Digest;
use context_continuity::domain::ports::{
    Clock, Entropy, LedgerError, ProbeDepth, PromptSought, Transcripts, WorkspaceProbe,
};
use context_continuity::domain::redact::redact_str;
use context_continuity::domain::task::item::Corroboration;
use context_continuity::domain::task::limits::Limits;
use context_continuity::domain::task::transition::Arrival;
use context_continuity::domain::time::Timestamp;

/// Open quotes at one time: few, so that a short script crosses the bound.
const QUOTES_OPEN_MAX: usize = 6;

const START_MILLIS: u64 = 1_700_000_000_000;
/// Time from one step to the next: more than a repetition may be apart.
pub const STEP_MILLIS: u64 = 10_000;

/// The time at which a step runs.
pub fn time_of(step: usize) -> Timestamp {
    let millis = START_MILLIS + u64::try_from(step).unwrap() * STEP_MILLIS;
    Timestamp::from_millis(i64::try_from(millis).unwrap())
}

/// What the world looks like, shared by all ports of one process.
#[derive(Debug, Default)]
pub struct Cells {
    step: AtomicU64,
    attempt: AtomicU64,
    drawn: AtomicU64,
    commit: AtomicU64,
    arrival: AtomicU64,
}

impl Cells {
    /// Sets the world for one step; a second attempt draws other random bytes.
    pub fn set(&self, step: usize, attempt: u64, commit: u8, arrival: Arrival) {
        self.step.store(u64::try_from(step).unwrap(), Ordering::SeqCst);
        self.attempt.store(attempt, Ordering::SeqCst);
        self.drawn.store(0, Ordering::SeqCst);
        self.commit.store(commit.into(), Ordering::SeqCst);
        let arrival = match arrival {
            Arrival::Found => 0,
            Arrival::NotFound => 1,
            Arrival::Uncheckable => 2,
        };
        self.arrival.store(arrival, Ordering::SeqCst);
    }

    /// Draws the next sixteen bytes of this step.
    pub fn draw(&self) -> [u8; 16] {
        let drawn = self.drawn.fetch_add(1, Ordering::SeqCst);
        let step = self.step.load(Ordering::SeqCst);
        drawn_bytes(step, self.attempt.load(Ordering::SeqCst), drawn)
    }

    fn commit_name(&self) -> ObjectName {
        let commit = self.commit.load(Ordering::SeqCst);
        ObjectName::parse(&format!("{commit:040x}")).unwrap()
    }
}

fn drawn_bytes(step: u64, attempt: u64, drawn: u64) -> [u8; 16] {
    let mut bytes = [0xE5; 16];
    bytes[..8].copy_from_slice(&step.to_be_bytes());
    bytes[8] = u8::try_from(attempt).unwrap();
    bytes[9] = u8::try_from(drawn).unwrap();
    bytes
}

/// One process's door to [`Cells`].
#[derive(Debug, Clone)]
struct Ports(Arc<Cells>);

impl Clock for Ports {
    fn now(&self) -> Timestamp {
        time_of(usize::try_from(self.0.step.load(Ordering::SeqCst)).unwrap())
    }
}

impl Entropy for Ports {
    fn sixteen_bytes(&self) -> Result<[u8; 16], LedgerError> {
        Ok(self.0.draw())
    }
}

impl WorkspaceProbe for Ports {
    fn look(&self, _folder: Option<&str>, _depth: ProbeDepth) -> Workspace {
        Workspace::Git {
            path: redact_str("/srv/app"),
            folder: Digest::new([1; 32]),
            state: GitState {
                common_dir: Digest::new([2; 32]),
                worktree: Digest::new([3; 32]),
                is_registered: Known::Known(true),
                checkout: Known::Known(Checkout::Branch(redact_str("feature"))),
                head: Known::Known(Some(self.0.commit_name())),
                index: Known::Known(Digest::new([4; 32])),
                dirty: Known::Known(Digest::new([5; 32])),
            },
        }
    }

    fn head_contains(&self, _folder: &str, commit: &ObjectName) -> Known<bool> {
        Known::Known(*commit <= self.0.commit_name())
    }
}

impl Transcripts for Ports {
    fn offer_arrived(&self, _host: Host, _transcript: &str, _mark: &str) -> Arrival {
        match self.0.arrival.load(Ordering::SeqCst) {
            0 => Arrival::Found,
            1 => Arrival::NotFound,
            _ => Arrival::Uncheckable,
        }
    }

    fn prompt_recorded(
        &self,
        _host: Host,
        _transcript: &str,
        _asked: &PromptSought<'_>,
    ) -> Corroboration {
        match self.0.arrival.load(Ordering::SeqCst) {
            0 => Corroboration::Found,
            1 => Corroboration::Contradicted,
            _ => Corroboration::Uncheckable,
        }
    }
}

/// The bounds of the script's tasks.
pub fn limits() -> Limits {
    Limits { quotes_open_max: QUOTES_OPEN_MAX, ..Limits::default() }
}

/// The ports of one process.
pub fn world(cells: &Arc<Cells>) -> World {
    let ports = Ports(Arc::clone(cells));
    World {
        clock: Arc::new(ports.clone()),
        entropy: Arc::new(ports.clone()),
        probe: Box::new(ports.clone()),
        transcripts: Box::new(ports),
        limits: limits(),
        budget: Budget::recovery(TokenCount(800), ByteCount(8_000)),
        is_durable: true,
    }
}
