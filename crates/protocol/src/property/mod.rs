//! Temporal properties of the runs of an implementation.

mod atoms;
mod check;
mod graph;
mod here;
mod monitor;

pub use atoms::{Atom, Comparison as LengthComparison, Pattern, Property};
pub use check::{Fair, Judgement, MOST_FAIR_ROLES, Open, Runs, Violation, check, confirm};
pub use here::{NotHere, holds_here};
pub use monitor::{Monitor, Observed};
