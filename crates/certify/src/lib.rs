//! Certificates: inductive invariants that make a model safe for every number of processes, and their checking.
//!
//! [`check`] decides every obligation of a [`Certificate`] by a ground procedure of its own. It knows the typed form
//! of models and nothing of how the invariant was found: it shares no code with any prover, and accepts only what it has
//! proved.

mod certificate;
mod check;

pub use certificate::{Certificate, Cube};
pub use check::{Cause, Checked, Obligation, Rejection, check};
