//! Certificates as scripts of SMT-LIB 2, so that independent solvers can check them.
//!
//! Nothing here knows how [`crate::check()`] works: the encoding is written a second time, in another way, so that a
//! solver is a second opinion on the checker as well as on the certificate. The only thing taken from the checker is which
//! cubes an answer needs: if these were the wrong ones, answers would not be `unsat`.
//!
//! A folder by itself proves nothing about a model: it may contain any scripts with the answer `unsat`. [`read`] takes the
//! invariant from it and nothing else, and [`differences`] compares all that is there with the scripts that follow from the
//! model and that invariant.

mod comparing;
mod encode;
mod invariant;
mod names;
mod scripts;
mod solvers;
mod writing;

pub use comparing::{Difference, differences};
pub use invariant::{Unreadable, read, read_capacity};
pub use solvers::{BadFolder, Opinion, SolverOptions, SolverReport, run_solver, run_solvers};
pub use writing::{About, write};

/// The name of the file that lists all scripts.
const MANIFEST: &str = "manifest.json";

/// The name of the file with the invariant.
const INVARIANT: &str = "invariant.json";
