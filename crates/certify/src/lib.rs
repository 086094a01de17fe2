//! Certificates: inductive invariants that make a model safe for every number of processes, and their checking.
//!
//! [`check()`] decides every obligation of a [`Certificate`] by a ground procedure of its own. It knows the typed form
//! of models and nothing of how the invariant was found: it shares no code with any prover, and accepts only what it has
//! proved. [`write()`] expresses the same obligations as scripts of SMT-LIB 2, and [`run_solvers`] asks the solvers that are
//! installed. [`read()`] and [`differences`] decide whether scripts are about a given model at all.
//!
//! What this crate must not know: provers, and anything of the workspace but `ir`. The fewer lines have to be trusted, the
//! better; this is also why it runs threads by means of the standard library alone.

mod auxiliary;
mod certificate;
mod check;
mod counters;
pub mod events;
mod smt;
mod threads;

pub use auxiliary::{AuxiliaryVariable, Extended, extended};
pub use certificate::{Certificate, Cube};
pub use check::{Cause, CheckOptions, Checked, Obligation, Rejection, Stop, check, check_with};
pub use counters::{Counter, Start};
pub use smt::{
    About, BadFolder, Difference, Opinion, SolverOptions, SolverReport, Unreadable, differences, read,
    read_capacity, run_solver, run_solvers, write,
};
