//! What a ledger costs: one append with its syncs, and a full reading of a million records.

#![expect(missing_docs, reason = "the benchmark macros make undocumented functions")]
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a benchmark has nothing to save and needs a scratch folder"
)]

use std::hint::black_box;
use std::sync::Arc;

use context_continuity::domain::ids::TaskRef;
use context_continuity::domain::ports::{Ledger as _, Position};
use context_continuity::io::fs::FileSystem;
use context_continuity::io::ledger::{LedgerConfig, SegmentLog};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

mod scratch;
