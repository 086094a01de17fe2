//! Certificates about memory events, and their checking.

mod certificate;
mod check;
mod covering;
mod formulas;
mod order;
mod problem;
mod validity;

pub use certificate::{Certificate, Cube, Instant, Literal, Location, Value, Variable, Who};
pub use check::{check, check_with};
