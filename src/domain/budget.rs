//! How many tokens a text costs at most.
