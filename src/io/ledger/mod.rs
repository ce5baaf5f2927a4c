//! The segment-file ledger.
