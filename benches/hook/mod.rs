//! Parts of the bench of whole hook processes.

pub mod ledger;
pub mod measure;
pub mod witness;
