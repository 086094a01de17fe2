//! Ground formulas: what remains when parameters, quantifiers and updates are written out.

use super::linear::Sum;

/// A variable of a ground problem: a cell of the state, or a fresh value, which is only known to exist.
pub(crate) type Cell = u32;

/// A set of values of a cell with finitely many, as bits.
pub(crate) type Mask = u128;

/// A ground formula without negations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tree {
    True,
    False,
    Literal(Literal),
    All(Vec<Tree>),
    Any(Vec<Tree>),
}

/// A ground literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Literal {
    /// The value of the cell is one of these.
    In(Cell, Mask),
    /// Two cells have the same value, or different ones.
    Same(Cell, Cell, bool),
    /// A linear constraint on cells that hold numbers.
    Linear(Sum),
}

impl Tree {
    /// Conjunction.
    pub(crate) fn all(parts: impl IntoIterator<Item = Tree>) -> Tree {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Tree::True => {}
                Tree::False => return Tree::False,
                Tree::All(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Tree::True,
            1 => flat.remove(0),
            _ => Tree::All(flat),
        }
    }

    /// Disjunction.
    pub(crate) fn any(parts: impl IntoIterator<Item = Tree>) -> Tree {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Tree::False => {}
                Tree::True => return Tree::True,
                Tree::Any(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Tree::False,
            1 => flat.remove(0),
            _ => Tree::Any(flat),
        }
    }

    /// A truth value.
    pub(crate) fn constant(truth: bool) -> Tree {
        if truth { Tree::True } else { Tree::False }
    }
}
