//! A model for a fixed number of processes: compiled, explored, fuzzed.
//!
//! [`machine`] compiles the typed form into packed states and steps of a few machine instructions; its [`Machine`] is
//! an [`explore::System`]. [`exploration`] and [`fuzzing`] run it and report their findings, [`judge`] decides what
//! is a violation, [`reach`] finds a path from a state to a goal, [`replay`] follows a trace, [`states`] tabulates
//! states for provers, [`temporal`] decides temporal properties, and [`guided`] turns a prover's counterexample into a run. Nothing here knows the syntax of
//! models.

pub mod coarse;
pub mod exploration;
pub mod fuzzing;
pub mod guided;
pub mod judge;
pub mod machine;
mod numbers;
pub mod reach;
pub mod replay;
mod setting;
pub mod state_graph;
pub mod states;
pub mod temporal;
pub mod weak;
mod width;

pub use machine::{
    Action, Column, Compiled, Instance, LockStatus, Machine, Obstacle, Place, Sample, Setup, Unanswerable,
    Waiting,
};
pub use numbers::MOST_NUMBER_BITS;
pub use setting::Setting;
