//! The parameters of the instance in which a run was found.

use ir::SymbolId;

/// The parameters of the instance in which a run was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The number of processes.
    pub processes: u32,
    /// The ranges chosen for numbers that the model leaves open.
    pub ranges: Vec<(SymbolId, i64, i64)>,
    /// The seed with which initial states were sampled, if there are too many to list.
    pub seed: Option<u64>,
    /// The number of entries that each store buffer had room for, if there were store buffers.
    pub buffer: Option<usize>,
}
