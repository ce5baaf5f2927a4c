//! Texts that a cut-off write left without a record.

use std::collections::BTreeSet;

use super::verify_files::bodies_of;
use crate::domain::event::Event;
use crate::domain::event::wire::decode;
use crate::domain::ids::{BodyId, TaskRef};
use crate::domain::ports::{Ledger as _, LedgerError, Position};
use crate::io::wire::Home;

/// Returns the names of texts that no record names; none where the log holds events that this
/// release cannot read, since those may name any.
///
/// To be asked with the writer lock held: a writer puts texts down before the record that names
/// them.
///
/// # Errors
/// [`LedgerError`].
pub(super) fn unnamed_bodies(home: &Home, task: TaskRef) -> Result<Vec<BodyId>, LedgerError> {
    let mut named = BTreeSet::new();
    let mut is_all_known = true;
    home.log(task).read(Position::START, &mut |record| match decode(record.payload) {
        Ok(batch) => {
            named.extend(batch.events.iter().flat_map(bodies_of).map(|body| body.id));
            is_all_known &= !batch.events.iter().any(|it| matches!(it, Event::Unrecognised { .. }));
        }
        Err(_) => is_all_known = false,
    })?;
    if !is_all_known {
        return Ok(Vec::new());
    }
    let kept = home.files(task).body_ids()?;
    Ok(kept.into_iter().filter(|id| !named.contains(id)).collect())
}
