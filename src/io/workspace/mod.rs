//! Reads where the work stands, without running anything that a checkout brings.
