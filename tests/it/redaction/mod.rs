//! What redaction takes, what it leaves, and how sure that is: measured on samples drawn here.

mod armour;
mod borders;
mod clean;
mod forms;
mod generic;
mod lines;
mod near;
mod page;
mod samples;
