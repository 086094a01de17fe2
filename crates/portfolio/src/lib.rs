//! Which engine runs when, and what their answers amount to together.
//!
//! What this crate must not know: command lines, files, terminals.

mod growing;

pub use growing::{Growing, Grown, grow, is_inhabited};
