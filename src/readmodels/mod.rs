//! Pure folds over events, and their rendering.
