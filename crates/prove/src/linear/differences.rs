//! Difference constraints: bounds on the difference of two numbers, or of a number and 0. Protocols have hardly any others.
//!
//! They are the edges of a graph, and can hold at once if and only if it has no cycle of negative length.
//! That is exact, for whole numbers and for rational ones. Graphs of the usual size are kept on the stack.

use super::{Comparison, Constraint};
use crate::cell::Cell;
use smallvec::{SmallVec, smallvec};

/// Lengths are multiples of this, less one for each bound that must not be reached.
const SCALE: i128 = 1 << 32;

/// The numbers are nodes, and 0 is the first.
#[derive(Default)]
struct Graph {
    cells: SmallVec<[Cell; 8]>,
    edges: SmallVec<[Edge; 16]>,
}

/// An upper bound on how much larger one number is than the other.
struct Edge {
    from: usize,
    to: usize,
    length: i128,
}

/// Whether all constraints can hold at once; `None` if some are not difference constraints.
pub(super) fn satisfiable<'c>(constraints: impl IntoIterator<Item = &'c Constraint>) -> Option<bool> {
    let mut graph = Graph::default();
    constraints.into_iter().try_for_each(|constraint| graph.add(constraint))?;
    Some(!graph.has_negative_cycle())
}

impl Graph {
    fn add(&mut self, constraint: &Constraint) -> Option<()> {
        let (to, from) = match constraint.terms.as_slice() {
            [(cell, 1)] => (self.node(*cell), 0),
            [(cell, -1)] => (0, self.node(*cell)),
            [(plus, 1), (minus, -1)] | [(minus, -1), (plus, 1)] => (self.node(*plus), self.node(*minus)),
            _ => return None,
        };
        let bound = -i128::from(constraint.constant) * SCALE;
        match constraint.comparison {
            Comparison::AtMost => self.edges.push(Edge { from, to, length: bound }),
            Comparison::Below => self.edges.push(Edge { from, to, length: bound - 1 }),
            Comparison::Zero => {
                self.edges.push(Edge { from, to, length: bound });
                self.edges.push(Edge { from: to, to: from, length: -bound });
            }
        }
        Some(())
    }

    fn node(&mut self, cell: Cell) -> usize {
        let known = self.cells.iter().position(|known| *known == cell);
        1 + known.unwrap_or_else(|| {
            self.cells.push(cell);
            self.cells.len() - 1
        })
    }

    /// Whether there is a negative cycle, after Bellman and Ford: without one, shortest paths settle after as many rounds as
    /// there are nodes.
    fn has_negative_cycle(&self) -> bool {
        let nodes = self.cells.len() + 1;
        let mut shortest: SmallVec<[i128; 9]> = smallvec![0; nodes];
        (0..nodes).all(|_| {
            let mut shorter = false;
            for Edge { from, to, length } in &self.edges {
                let way = shortest[*from] + length;
                if way < shortest[*to] {
                    shortest[*to] = way;
                    shorter = true;
                }
            }
            shorter
        })
    }
}
