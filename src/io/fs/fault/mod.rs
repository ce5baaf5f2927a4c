//! A disk in memory that loses, tears, refuses and lies on demand.
//!
//! It is the test double of [`FileSystem`](super::FileSystem), here and for whoever embeds this
//! library: deterministic, without threads, clock or random numbers of its own. It keeps what is
//! durable apart from what was only written, numbers and records every call, and can produce the
//! disk that a crash before any of these calls would have left.
//!
//! What is modelled, after what ext4, XFS and APFS promise rather than what they usually do:
//!
//! - A file's sync makes its content and length durable, not its name.
//! - A directory's sync makes the names in it durable, not its own name in its parent.
//! - A creation, rename or removal whose directory was not synced may be undone. A rename belongs
//!   to the directory of its new name. It happens whole or not at all.
//! - Publishing is a second name and a removal: a crash may leave both names.
//! - After a failed sync the file reads as written, and no later sync makes that part durable.
//!
//! ```
//! use context_continuity::io::fs::fault::{FaultDisk, Policy};
//! use context_continuity::io::fs::{FileSystem as _, OpenMode, RelativePath};
//!
//! let disk = FaultDisk::new();
//! let path: RelativePath = "note".parse()?;
//! let mut file = disk.open(&path, OpenMode::CreateNew)?;
//! file.write_at(b"kept?", 0)?;
//! file.sync()?;
//! assert_eq!(disk.crash(Policy::LoseAll).content(&path), None, "its name was never synced");
//! disk.sync_directory(&RelativePath::root())?;
//! assert_eq!(disk.crash(Policy::LoseAll).content(&path), Some(b"kept?".to_vec()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod call;
mod disk;
mod failure;
mod handle;
mod image;
mod journal;
mod outside;
mod policy;
mod random;
mod system;

pub use call::{Call, CallKind};
pub use disk::FaultDisk;
pub use failure::{Fault, Refusal, Repeat};
pub use policy::Policy;

#[cfg(test)]
mod tests;
