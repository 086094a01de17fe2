//! The meaning of a protocol: residual specifications and their steps.

mod action;
mod build;
mod graph;
mod observations;
mod reading;
mod semantics;
mod term;

pub use action::{Action, Role, Vocabulary};
pub use build::Obstacle;
pub use graph::{Edge, NoGraph, StateGraph};
pub(crate) use semantics::Semantics;
