//! The one door to the disk.
