//! Linear temporal logic: formulas and their syntax.
//!
//! Models and protocols state temporal properties in the same syntax and differ in their atoms only,
//! so formulas are generic over atoms. This crate knows neither models nor protocols.

mod formula;
mod lexer;
mod parser;

pub use formula::{Binary, Formula, Unary};
pub use parser::{Atom, MAX_NESTING, parse};
