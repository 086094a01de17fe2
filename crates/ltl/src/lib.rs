//! Linear temporal logic: formulas and their syntax, automata, and the search for runs that they accept.
//!
//! Models and protocols state temporal properties in the same syntax and differ in their atoms only,
//! so formulas are generic over atoms. This crate knows neither models nor protocols, nor what else can be explored: whatever
//! numbers its states and labels its steps is a [`Graph`].
//!
//! A formula holds for all runs of a graph if no run satisfies its negation: [`translate`] turns the negation into an
//! [`Automaton`], and [`search`] looks for a run that it accepts.
#![forbid(unsafe_code)]

mod automaton;
mod bdd;
mod classes;
mod emptiness;
mod formula;
mod hoa;
mod lexer;
mod normal;
mod parser;
mod word;

pub use automaton::{Automaton, Cube, Edge, Letter, MOST_ATOMS, MOST_MARKS, TooLarge, translate};
pub use classes::Class;
pub use emptiness::{Emptiness, Fairness, Graph, Label, Run, Size, Step, Stopped, reach, search};
pub use formula::{Binary, Formula, Unary};
pub use hoa::HoaError;
pub use parser::{Atom, MAX_NESTING, parse, parse_around};
pub use word::{Word, is_refuted};
