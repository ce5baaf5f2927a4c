//! Takes secrets out of text before the first byte is written.
