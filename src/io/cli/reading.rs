//! Reads the events of a task in order.

use crate::domain::event::wire::decode;
use crate::domain::ids::TaskRef;
use crate::domain::ports::{Ledger as _, LedgerError, Position, Reading};
use crate::io::wire::Home;
use crate::readmodels::history::{LogEntry, entries};

/// Shows every event to `visit`. A record that is no batch of ours is passed over here; `verify`
/// names it.
///
/// # Errors
/// [`LedgerError`]; what `visit` has seen until then was valid.
pub(super) fn read_events(
    home: &Home,
    task: TaskRef,
    mut visit: impl FnMut(LogEntry),
) -> Result<Reading, LedgerError> {
    home.log(task).read(Position::START, &mut |record| {
        if let Ok(batch) = decode(record.payload) {
            entries(&batch, record.position.head.sequence).for_each(&mut visit);
        }
    })
}
