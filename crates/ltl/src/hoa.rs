//! Automata as text in the Hanoi Omega-Automata format, version 1, which other tools for automata read and write.
//!
//! What is read: non-alternating automata whose acceptance is generalised Büchi, with marks on states or on transitions, labels
//! on either or implicit, and aliases. Everything else is refused with the reason.

mod labels;
mod reading;
mod tokens;
mod writing;

use std::{error::Error, fmt};

/// Why a text is not an automaton that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoaError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for HoaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl Error for HoaError {}
