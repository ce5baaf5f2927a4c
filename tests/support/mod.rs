//! A data root, a workspace and a host of a test's own, and what they leave behind.

pub mod event;
pub mod home;
pub mod records;
pub mod scan;

pub use event::Event;
pub use home::{Answer, TestHome};
