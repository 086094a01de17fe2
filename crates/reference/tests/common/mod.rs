//! Running a text with and without store buffers.

use reference::{
    bounded::{self, Found},
    instance::Ranges,
    reading::read,
    search::Refusal,
    tree::{Memory, Program},
};

pub(crate) use reference::bounded::Bounds;

pub(crate) fn program(text: &str, memory: Memory) -> Program {
    Program { memory, ..read(text) }
}

/// Enough for small models.
pub(crate) fn bounds() -> Bounds {
    Bounds { states: 20_000, buffer: 6, ranges: Ranges::new() }
}

pub(crate) fn explore(
    text: &str,
    memory: Memory,
    processes: usize,
    bounds: &Bounds,
) -> Result<Found, Refusal> {
    bounded::explore(&program(text, memory), processes, bounds)
}
