//! Limits on the substitution of predicates and `let`, since a chain of them can grow exponentially.

use ir::Extent;

/// The most nodes that substitution may produce in one item.
const MAX_NODES: usize = 500_000;

/// The largest nesting depth after substitution.
const MAX_DEPTH: usize = 400;

/// The item has grown too large.
pub(super) struct TooLarge;

/// The substitutions of one item.
#[derive(Debug, Default)]
pub(super) struct Expansion {
    /// The predicates that are being substituted, outermost first.
    pub(super) predicates: Vec<String>,
    /// Nodes produced by substitution so far.
    nodes: usize,
    /// The nesting depth at this point, including substituted predicates.
    depth: usize,
    /// Set when the item has grown too large, which has been reported; the rest of it is skipped.
    pub(super) gave_up: bool,
}

impl Expansion {
    /// Begins a phrase, which must be [left](Self::leave) unless it is too large.
    pub(super) fn enter(&mut self) -> Result<(), TooLarge> {
        self.nodes += usize::from(!self.predicates.is_empty());
        if self.depth == MAX_DEPTH || self.nodes > MAX_NODES {
            return Err(TooLarge);
        }
        self.depth += 1;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Substitutes something of this extent.
    pub(super) fn substitute(&mut self, extent: Extent) -> Result<(), TooLarge> {
        self.nodes += extent.size;
        if self.nodes > MAX_NODES || self.depth + extent.depth > MAX_DEPTH {
            return Err(TooLarge);
        }
        Ok(())
    }
}
