//! Certificates about memory events, and their checking.

mod certificate;

pub use certificate::{Certificate, Cube, Instant, Literal, Location, Value, Variable, Who};
