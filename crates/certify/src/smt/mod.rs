//! Certificates as scripts of SMT-LIB 2, so that other people's solvers can check them.
//!
//! Nothing here knows how [`crate::check()`] works: the encoding is written a second time, in another way, so that a
//! solver is a second opinion on the checker as well as on the certificate. All that is asked of the checker is which cubes
//! an answer needs: if it told the wrong ones, answers would not be `unsat`.

mod encode;
mod names;
mod scripts;
mod solvers;

pub use scripts::{About, write};
pub use solvers::{Asking, BadFolder, Opinion, SolverReport, run_solver, run_solvers};

/// The name of the file that lists all others.
const MANIFEST: &str = "manifest.json";
