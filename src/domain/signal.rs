//! Which sentences of a prompt change what happens next.
