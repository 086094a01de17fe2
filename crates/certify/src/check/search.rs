//! The search for a state that satisfies a ground problem: propagation over sets of values, and case splits.

use super::{
    Obstacle,
    ground::Grounder,
    hypotheses::Hypotheses,
    linear::{Relation, Sum, feasible},
    tree::{Cell, Literal, Mask, Tree},
};

/// What is known at one point of the search.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// The values that each cell may still have.
    pub(crate) values: Vec<Mask>,
    /// Pairs of cells that are the same, or not.
    pairs: Vec<(Cell, Cell, bool)>,
    linear: Vec<Sum>,
    /// Disjunctions that are not settled.
    clauses: Vec<Tree>,
    /// Whether linear constraints were added since they were last looked at.
    unchecked: bool,
}

/// Something contradicts itself.
#[derive(Debug)]
struct Conflict;

type Consistent = Result<(), Conflict>;

impl Node {
    pub(crate) fn new(values: Vec<Mask>) -> Node {
        Node { values, pairs: vec![], linear: vec![], clauses: vec![], unchecked: false }
    }

    /// Whether a tree holds in every state that is left, or in none; otherwise it is open, or too hard to see.
    pub(crate) fn truth(&self, tree: &Tree) -> Option<bool> {
        match tree {
            Tree::True => Some(true),
            Tree::False => Some(false),
            Tree::Literal(literal) => self.literal_truth(literal),
            Tree::All(parts) => {
                let mut all = Some(true);
                for part in parts {
                    match self.truth(part) {
                        Some(false) => return Some(false),
                        Some(true) => {}
                        None => all = None,
                    }
                }
                all
            }
            Tree::Any(parts) => {
                let mut any = Some(false);
                for part in parts {
                    match self.truth(part) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => any = None,
                    }
                }
                any
            }
        }
    }

    /// The values of a cell; those that came up after this point are not restricted yet.
    fn of(&self, cell: Cell) -> Mask {
        self.values.get(cell as usize).copied().unwrap_or(Mask::MAX)
    }

    fn literal_truth(&self, literal: &Literal) -> Option<bool> {
        match literal {
            Literal::In(cell, mask) => {
                let values = self.of(*cell);
                if values & mask == 0 {
                    Some(false)
                } else {
                    (values & !mask == 0).then_some(true)
                }
            }
            Literal::Same(left, right, same) => {
                let (left, right) = (self.of(*left), self.of(*right));
                if left & right == 0 {
                    Some(!same)
                } else {
                    (left == right && left.is_power_of_two()).then_some(*same)
                }
            }
            Literal::Linear(sum) if self.linear.contains(sum) => Some(true),
            Literal::Linear(sum) => {
                self.linear.iter().any(|known| known.is_opposite_of(sum)).then_some(false)
            }
        }
    }

    /// Adds what must hold.
    fn assert(&mut self, tree: &Tree) -> Consistent {
        match tree {
            Tree::True => {}
            Tree::False => return Err(Conflict),
            Tree::All(parts) => {
                for part in parts {
                    self.assert(part)?;
                }
            }
            Tree::Any(_) => self.clauses.push(tree.clone()),
            Tree::Literal(Literal::In(cell, mask)) => {
                let values = &mut self.values[*cell as usize];
                *values &= mask;
                if *values == 0 {
                    return Err(Conflict);
                }
            }
            Tree::Literal(Literal::Same(left, right, same)) => self.pairs.push((*left, *right, *same)),
            Tree::Literal(Literal::Linear(sum)) => {
                if !self.linear.contains(sum) {
                    self.linear.push(sum.clone());
                    self.unchecked = true;
                }
            }
        }
        Ok(())
    }

    /// Draws conclusions until there are no more.
    fn propagate(&mut self) -> Consistent {
        loop {
            let before = (self.values.clone(), self.linear.len(), self.pairs.len());
            self.propagate_pairs()?;
            self.propagate_clauses()?;
            if before == (self.values.clone(), self.linear.len(), self.pairs.len()) {
                return Ok(());
            }
        }
    }

    fn propagate_pairs(&mut self) -> Consistent {
        for (left, right, same) in std::mem::take(&mut self.pairs) {
            let (a, b) = (self.of(left), self.of(right));
            let (new_a, new_b) = match (same, a.is_power_of_two(), b.is_power_of_two()) {
                (true, ..) => (a & b, a & b),
                (false, true, _) => (a, b & !a),
                (false, _, true) => (a & !b, b),
                (false, false, false) => (a, b),
            };
            if new_a == 0 || new_b == 0 {
                return Err(Conflict);
            }
            self.values[left as usize] = new_a;
            self.values[right as usize] = new_b;
            let settled = if same { new_a.is_power_of_two() } else { new_a & new_b == 0 };
            if !settled {
                self.pairs.push((left, right, same));
            }
        }
        Ok(())
    }

    /// Drops clauses that hold, and takes the only way out where there is one.
    fn propagate_clauses(&mut self) -> Consistent {
        for clause in std::mem::take(&mut self.clauses) {
            let Tree::Any(parts) = &clause else { unreachable!("clauses are disjunctions") };
            let mut open = None;
            let mut count = 0;
            let mut holds = false;
            for part in parts {
                match self.truth(part) {
                    Some(true) => holds = true,
                    Some(false) => {}
                    None => {
                        count += 1;
                        open = Some(part);
                    }
                }
            }
            match open {
                _ if holds => {}
                None => return Err(Conflict),
                Some(part) if count == 1 => self.assert(part)?,
                Some(_) => self.clauses.push(clause),
            }
        }
        Ok(())
    }

    /// The disjuncts of the clause with the fewest that are open.
    fn pick(&mut self) -> Option<Vec<Tree>> {
        let open = |parts: &[Tree], node: &Node| -> Vec<Tree> {
            parts.iter().filter(|part| node.truth(part).is_none()).cloned().collect()
        };
        let disjuncts = |clause: &Tree| match clause {
            Tree::Any(parts) => parts.clone(),
            _ => unreachable!("clauses are disjunctions"),
        };
        let size = |clause: &Tree| match clause {
            Tree::Any(parts) => parts.iter().filter(|part| self.truth(part).is_none()).count(),
            _ => unreachable!("clauses are disjunctions"),
        };
        let at = (0..self.clauses.len()).min_by_key(|at| size(&self.clauses[*at]))?;
        let clause = self.clauses.swap_remove(at);
        Some(open(&disjuncts(&clause), self))
    }

    /// A cell that takes part in a pair and may still have several values.
    fn undecided(&self) -> Option<Cell> {
        let cells = self.pairs.iter().flat_map(|(left, right, _)| [*left, *right]);
        cells.filter(|cell| self.of(*cell).count_ones() > 1).min_by_key(|cell| self.of(*cell).count_ones())
    }

    /// Whether numbers may satisfy the linear constraints, within the bounds of their cells.
    fn numbers_exist(&mut self, bounds: &[Option<(i64, i64)>]) -> Result<bool, Obstacle> {
        if !std::mem::take(&mut self.unchecked) {
            return Ok(true);
        }
        let mut all = self.linear.clone();
        let mut cells: Vec<Cell> =
            all.iter().flat_map(|sum| sum.parts.iter().map(|(cell, _)| *cell)).collect();
        cells.sort_unstable();
        cells.dedup();
        for cell in cells {
            if let Some((low, high)) = bounds[cell as usize] {
                let bound = |sign: i128, constant: i128| Sum {
                    parts: vec![(cell, sign)],
                    constant,
                    relation: Relation::AtMost,
                    integral: true,
                };
                all.extend([bound(1, -i128::from(high)), bound(-1, low.into())]);
            }
        }
        feasible(&all)
    }
}

/// A search with its budget.
pub(crate) struct Search<'s, 'a, 'm> {
    pub(crate) grounder: &'s mut Grounder<'a, 'm>,
    pub(crate) hypotheses: &'s Hypotheses<'m>,
    /// How many nodes may still be looked at.
    pub(crate) budget: usize,
}

/// With more open disjunctions than this, hypotheses are instantiated before anything is tried.
const FEW_CLAUSES: usize = 2;

impl Search<'_, '_, '_> {
    /// A state that satisfies all goals and no hypothesis contradicts, if there may be one.
    pub(crate) fn state(&mut self, goals: &[Tree]) -> Result<Option<Node>, Obstacle> {
        let mut node = Node::new(self.grounder.table.values.clone());
        let facts = std::mem::take(&mut self.grounder.facts);
        let universal = self.grounder.universe.facts.iter();
        for tree in goals.iter().chain(&facts).chain(universal) {
            if node.assert(tree).is_err() {
                return Ok(None);
            }
        }
        self.explore(node, false)
    }

    fn explore(&mut self, mut node: Node, instantiated: bool) -> Result<Option<Node>, Obstacle> {
        self.budget = self
            .budget
            .checked_sub(1)
            .ok_or_else(|| Obstacle::TooHard("the search takes too many steps".into()))?;
        if node.propagate().is_err() || !node.numbers_exist(&self.grounder.table.bounds)? {
            return Ok(None);
        }
        if !instantiated {
            if self.contradicted(&node)? {
                return Ok(None);
            }
            if node.clauses.is_empty() || node.clauses.len() > FEW_CLAUSES {
                return self.instantiate(node);
            }
        }
        if let Some(disjuncts) = node.pick() {
            return self.split(&node, &disjuncts, instantiated);
        }
        if let Some(cell) = node.undecided() {
            let values = node.of(cell);
            let bits = (0..Mask::BITS).filter(|bit| values >> bit & 1 == 1);
            let cases: Vec<Tree> = bits.map(|bit| Tree::Literal(Literal::In(cell, 1 << bit))).collect();
            return self.split(&node, &cases, instantiated);
        }
        Ok(Some(node))
    }

    /// Tries one disjunct after the other.
    fn split(&mut self, node: &Node, disjuncts: &[Tree], instantiated: bool) -> Result<Option<Node>, Obstacle> {
        let mut node = node.clone();
        for disjunct in disjuncts {
            let mut branch = node.clone();
            if branch.assert(disjunct).is_ok()
                && let Some(found) = self.explore(branch, instantiated)?
            {
                return Ok(Some(found));
            }
            // From here on this disjunct is known not to hold.
            let opposite = match disjunct {
                Tree::Literal(Literal::In(cell, mask)) => Tree::Literal(Literal::In(*cell, !mask)),
                Tree::Literal(Literal::Same(left, right, same)) => {
                    Tree::Literal(Literal::Same(*left, *right, !same))
                }
                _ => Tree::True,
            };
            if node.assert(&opposite).is_err() {
                return Ok(None);
            }
        }
        Ok(None)
    }

    fn contradicted(&mut self, node: &Node) -> Result<bool, Obstacle> {
        let mark = self.grounder.mark();
        let refuted = self.hypotheses.refute(node, self.grounder)?;
        self.grounder.forget_since(mark);
        Ok(refuted)
    }

    /// Goes on with all instances of the hypotheses.
    fn instantiate(&mut self, mut node: Node) -> Result<Option<Node>, Obstacle> {
        let instances = self.hypotheses.instances(&node, self.grounder)?;
        node.values.extend_from_slice(&self.grounder.table.values[node.values.len()..]);
        let facts = std::mem::take(&mut self.grounder.facts);
        for tree in instances.iter().chain(&facts) {
            if node.assert(tree).is_err() {
                return Ok(None);
            }
        }
        self.explore(node, true)
    }
}
