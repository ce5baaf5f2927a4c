//! House rules that no compiler checks: arrows between layers, titles, forgotten files, documents
//! that agree with the code.
//!
//! `cargo test --test tidy -- --nocapture` also lists the longest files and functions.
//! `UPDATE_DOCS=1 cargo test --test tidy` rewrites the generated documents.

#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "reads this repository, not a user's disk; a file it cannot read must fail the run"
)]

mod tidy {
    mod arrows;
    mod covers;
    mod documents;
    mod forgotten;
    mod repository;
    mod requirements;
    mod titles;
    mod tokens;
}
