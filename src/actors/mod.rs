//! The order of work, and nothing else: lock, catch up, decide, append, evolve, acknowledge.
