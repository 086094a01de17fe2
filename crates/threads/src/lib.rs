//! Where threads are started. There are two ways:
//!
//! - A [team](together) of workers, each with a thread of its own that ends with its work, or a single thread [beside](beside()) other
//!   work. This is for pieces of work that take much longer than to start a thread.
//! - A [pool](with_pool) whose threads stay awake, for a search that hands out pieces of some microseconds, from within other pieces
//!   as well. This needs rayon, and is there with the feature `pool` only.
//!
//! In neither does a thread outlive the call, and a panic in one of them is a panic of the caller, or an error that it asked for.

mod beside;
#[cfg(feature = "pool")]
mod pool;
mod team;

pub use beside::{Beside, beside};
#[cfg(feature = "pool")]
pub use pool::{consumed_in_order, in_order, with_pool};
pub use team::{together, try_together};
