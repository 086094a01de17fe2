//! What tells apart the instances of a model in which runs are found.

use ir::SymbolId;

/// What tells the instances of a model apart in which runs are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// How many processes there are.
    pub processes: u32,
    /// The ranges of numbers that the model leaves open.
    pub ranges: Vec<(SymbolId, i64, i64)>,
    /// The seed by which initial states were drawn, if there are too many to list.
    pub seed: Option<u64>,
}
