//! What is kept of the state just before a boundary: ids and digests, no text.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::domain::chain::Head;
use crate::domain::event::wire::{WireError, encode_value};
use crate::domain::ids::{Digest, Epoch, Generation, ItemId, SnapshotId};
use crate::domain::task::item::ItemKind;
use crate::domain::task::limits::SNAPSHOT_BYTES_MAX;
use crate::domain::task::transition::{CompactionTrigger, SnapshotMark};
use crate::domain::task::{TaskState, WorkSeen};

/// Format of the encoded snapshot.
pub const SNAPSHOT_FORMAT: u8 = 1;

/// A snapshot's content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// [`SNAPSHOT_FORMAT`].
    pub format: u8,
    /// Its name.
    pub snapshot: SnapshotId,
    /// Digest of the effective state.
    pub state_digest: Digest,
    /// The newest record then.
    pub head: Head,
    /// The generation then.
    pub generation: Generation,
    /// Where the work was last seen.
    pub work: Option<WorkSeen>,
    /// Next actions in force.
    pub next_actions: Vec<ItemId>,
    /// Questions and disputes in force.
    pub open_points: Vec<ItemId>,
    /// Kinds that a task is expected to have and this one lacks.
    pub missing_kinds: Vec<ItemKind>,
    /// The boundary that it was taken for.
    pub epoch: Epoch,
    /// Who asked for the compaction.
    pub trigger: CompactionTrigger,
}

impl Snapshot {
    /// Takes the snapshot of a state.
    #[must_use]
    pub fn take(
        state: &TaskState,
        head: Head,
        work: Option<WorkSeen>,
        trigger: CompactionTrigger,
    ) -> Self {
        let ids = |kinds: &[ItemKind]| -> Vec<ItemId> {
            let held = state.in_force().filter(|(_, item)| kinds.contains(&item.draft.kind));
            held.map(|(id, _)| id).collect()
        };
        let expected = [ItemKind::Goal, ItemKind::NextAction];
        Self {
            format: SNAPSHOT_FORMAT,
            snapshot: state.next_snapshot(),
            state_digest: state.effective_digest(),
            head,
            generation: state.generation,
            work,
            next_actions: ids(&[ItemKind::NextAction]),
            open_points: ids(&[ItemKind::Question, ItemKind::Dispute]),
            missing_kinds: expected
                .into_iter()
                .filter(|kind| state.of_kind(*kind).next().is_none())
                .collect(),
            epoch: state.next_epoch(),
            trigger,
        }
    }

    /// Encodes the snapshot and returns how the ledger names it.
    ///
    /// # Errors
    /// [`WireError::Unwritable`] above [`SNAPSHOT_BYTES_MAX`].
    pub fn encode(&self) -> Result<(SnapshotMark, Vec<u8>), WireError> {
        let bytes = encode_value(self)?;
        if bytes.len() > SNAPSHOT_BYTES_MAX {
            return Err(WireError::Unwritable);
        }
        let digest = Digest::new(Sha256::digest(&bytes).into());
        let mark =
            SnapshotMark { snapshot: self.snapshot, digest, state_digest: self.state_digest };
        Ok((mark, bytes))
    }
}

/// Tells whether `bytes` are the content that the ledger names.
#[must_use]
pub fn is_named_by(bytes: &[u8], mark: &SnapshotMark) -> bool {
    Digest::new(Sha256::digest(bytes).into()) == mark.digest
}
