//! Certificates as scripts of SMT-LIB 2, so that other people's solvers can check them.
//!
//! Nothing here knows how [`crate::check()`] works: the encoding is written a second time, in another way, so that a
//! solver is a second opinion on the checker as well as on the certificate. All that is asked of the checker is which cubes
//! an answer needs: if it told the wrong ones, answers would not be `unsat`.
//!
//! A folder says nothing about a model by itself: whoever can write files can write scripts with the answer `unsat`.
//! [`read`] takes the invariant out of it and nothing else, and [`differences`] compares all that is there with what
//! the model and that invariant give.

mod comparing;
mod encode;
mod invariant;
mod names;
mod scripts;
mod solvers;
mod writing;

pub use comparing::{Difference, differences};
pub use invariant::{Unreadable, read};
pub use solvers::{Asking, BadFolder, Opinion, SolverReport, run_solver, run_solvers};
pub use writing::{About, write};

/// The name of the file that lists all scripts.
const MANIFEST: &str = "manifest.json";

/// The name of the file with the invariant.
const INVARIANT: &str = "invariant.json";
