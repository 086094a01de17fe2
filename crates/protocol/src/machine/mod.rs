//! Implementations of a protocol: flat tables, pure functions on them, and the runs that they have.

mod behaviour;
mod capacity;
mod compare;
mod determinise;
mod explored;
mod implementation;
mod object;
mod pipe;
mod project;
mod runner;
mod sets;

pub use behaviour::Behaviour;
pub use capacity::safe_capacity;
pub use compare::{Comparison, Difference, compare};
pub use explored::{Explored, Growth, Incomplete};
pub use implementation::{Implementation, Move, Style, TooLarge};
pub use object::Object;
pub use pipe::Pipe;
pub use runner::{Choice, Runner};
pub use session::{Channel, Entry, Meeting, Message, State, Table};
