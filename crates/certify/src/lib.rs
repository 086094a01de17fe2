//! Certificates: inductive invariants that make a model safe for every number of processes, and their checking.
//!
//! [`check()`] decides every obligation of a [`Certificate`] by a ground procedure of its own. It knows the typed form
//! of models and nothing of how the invariant was found: it shares no code with any prover, and accepts only what it has
//! proved. [`write()`] says the same as scripts of SMT-LIB 2, and [`run_solvers`] asks the solvers that are installed.
//! [`read()`] and [`differences`] tell whether scripts are about a model at all.

mod auxiliary;
mod certificate;
mod check;
mod smt;

pub use auxiliary::{AuxiliaryVariable, Extended, extended};
pub use certificate::{Certificate, Cube};
pub use check::{Cause, Checked, How, Obligation, Rejection, Stop, check, check_with};
pub use smt::{
    About, Asking, BadFolder, Difference, Opinion, SolverReport, Unreadable, differences, read, run_solver,
    run_solvers, write,
};
