//! Pure folds of a task's log, and their rendering.
//!
//! A view is a function of the state, the texts that the state names, and nothing else: no clock, no
//! order of arrival, no earlier view. So it can be thrown away and rebuilt to the same bytes.

pub mod confirmation;
pub mod continuity;
pub mod execution_guard;
pub mod history;
pub mod layout;
pub mod morning;
pub mod question;
pub mod recovery_context;
pub mod texts;
