//! The search for a state that satisfies a ground problem: propagation over sets of values, and case splits.

use super::{
    Obstacle,
    ground::Grounder,
    hypotheses::Hypotheses,
    linear::{Relation, Sum, feasible},
    options::CheckOptions,
    tree::{Cell, Literal, Mask, Tree},
    universe::Bounds,
};
use std::{collections::BTreeSet, rc::Rc};

/// What is known at one point of the search.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// The values that each cell may still have.
    pub(crate) values: Vec<Mask>,
    /// Pairs of cells whose values are the same, or differ.
    pairs: Vec<(Cell, Cell, bool)>,
    linear: Vec<Sum>,
    /// Disjunctions that are not settled; shared, since most are the same in all branches.
    clauses: Vec<(Rc<[Tree]>, Origin)>,
    /// The origins of clauses from which something was concluded.
    used: Vec<usize>,
    /// Whether anything was concluded since clauses were last considered.
    changed: bool,
    /// The number of disjuncts that were considered.
    work: usize,
    /// Whether linear constraints were added since they were last decided.
    unchecked: bool,
}

/// The position of the hypothesis that a clause is an instance of, if it is one.
type Origin = Option<usize>;

/// There is no solution in this branch.
#[derive(Debug)]
struct Conflict;

type Consistent = Result<(), Conflict>;

impl Node {
    pub(crate) fn new(values: Vec<Mask>) -> Node {
        let (pairs, linear, clauses, used) = (vec![], vec![], vec![], vec![]);
        Node { values, pairs, linear, clauses, used, changed: true, work: 0, unchecked: false }
    }

    /// Whether a tree holds in every remaining state, or in none; `None` if it is open, or hard to decide.
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

    /// The values of a cell; those that were added after this node are not restricted yet.
    fn of(&self, cell: Cell) -> Mask {
        self.values.get(cell as usize).copied().unwrap_or(Mask::MAX)
    }

    fn literal_truth(&self, literal: &Literal) -> Option<bool> {
        match literal {
            Literal::In(cell, mask) => {
                let values = self.of(*cell);
                if values & mask == 0 { Some(false) } else { (values & !mask == 0).then_some(true) }
            }
            Literal::Same(left, right, same) => {
                let (a, b) = (self.of(*left), self.of(*right));
                if a & b == 0 {
                    Some(!same)
                } else if a == b && a.is_power_of_two() {
                    Some(*same)
                } else {
                    let is_pair =
                        |(l, r, _): &&(Cell, Cell, bool)| (l, r) == (left, right) || (l, r) == (right, left);
                    self.pairs.iter().find(is_pair).map(|(_, _, known)| known == same)
                }
            }
            Literal::Linear(sum) => self.linear.iter().find_map(|known| known.settles(sum)),
        }
    }

    /// Adds what must hold, over cells with these values; false if it contradicts what is known.
    pub(crate) fn include(&mut self, tree: &Tree, values: &[Mask]) -> bool {
        self.values.extend_from_slice(&values[self.values.len()..]);
        self.assert(tree, None).is_ok()
    }

    /// Adds what must hold.
    fn assert(&mut self, tree: &Tree, origin: Origin) -> Consistent {
        if !matches!(tree, Tree::Any(_)) {
            self.used.extend(origin);
        }
        match tree {
            Tree::True => {}
            Tree::False => return Err(Conflict),
            Tree::All(parts) => {
                for part in parts {
                    self.assert(part, origin)?;
                }
            }
            Tree::Any(parts) => {
                self.changed = true;
                self.clauses.push((parts.as_slice().into(), origin));
            }
            Tree::Literal(Literal::In(cell, mask)) => return self.restrict(*cell, *mask),
            Tree::Literal(Literal::Same(left, right, same)) => {
                self.changed = true;
                self.pairs.push((*left, *right, *same));
            }
            Tree::Literal(Literal::Linear(sum)) => {
                if !self.linear.contains(sum) {
                    self.linear.push(sum.clone());
                    self.unchecked = true;
                    self.changed = true;
                }
            }
        }
        Ok(())
    }

    /// Draws all conclusions; false if there is a contradiction.
    pub(crate) fn draw_conclusions(&mut self) -> bool {
        self.propagate().is_ok()
    }

    /// Restricts a cell to some values.
    fn restrict(&mut self, cell: Cell, mask: Mask) -> Consistent {
        let values = &mut self.values[cell as usize];
        self.changed |= *values & !mask != 0;
        *values &= mask;
        if *values == 0 { Err(Conflict) } else { Ok(()) }
    }

    /// Draws conclusions until there are no more.
    fn propagate(&mut self) -> Consistent {
        while std::mem::take(&mut self.changed) {
            self.propagate_pairs()?;
            self.propagate_clauses()?;
        }
        Ok(())
    }

    fn propagate_pairs(&mut self) -> Consistent {
        for (left, right, same) in std::mem::take(&mut self.pairs) {
            let (a, b) = (self.of(left), self.of(right));
            match (same, a.is_power_of_two(), b.is_power_of_two()) {
                (true, ..) => {
                    self.restrict(left, b)?;
                    self.restrict(right, a)?;
                }
                (false, true, _) => self.restrict(right, !a)?,
                (false, _, true) => self.restrict(left, !b)?,
                (false, false, false) => {}
            }
            let (a, b) = (self.of(left), self.of(right));
            let settled = if same { a == b && a.is_power_of_two() } else { a & b == 0 };
            if !settled {
                self.pairs.push((left, right, same));
            }
        }
        Ok(())
    }

    /// Drops clauses that hold, and asserts the last open disjunct of a clause.
    fn propagate_clauses(&mut self) -> Consistent {
        for (clause, origin) in std::mem::take(&mut self.clauses) {
            self.work += clause.len();
            let mut open = clause.iter().filter(|part| self.truth(part).is_none());
            let (first, second) = (open.next(), open.next());
            match (first, second) {
                _ if clause.iter().any(|part| self.truth(part) == Some(true)) => {}
                (None, _) => {
                    self.used.extend(origin);
                    return Err(Conflict);
                }
                (Some(only), None) => {
                    self.used.extend(origin);
                    self.assert(only, origin)?;
                }
                (Some(_), Some(_)) => self.clauses.push((clause, origin)),
            }
        }
        Ok(())
    }

    /// The open disjuncts of the clause with the fewest of them.
    fn pick(&mut self) -> Option<Vec<Tree>> {
        let mut best: Option<(usize, usize)> = None;
        for (at, (clause, _)) in self.clauses.iter().enumerate() {
            let size = clause.iter().filter(|part| self.truth(part).is_none()).count();
            if best.is_none_or(|(least, _)| size < least) {
                best = Some((size, at));
            }
            if size <= 2 {
                break;
            }
        }
        let (clause, origin) = self.clauses.swap_remove(best?.1);
        self.used.extend(origin);
        Some(clause.iter().filter(|part| self.truth(part).is_none()).cloned().collect())
    }

    /// A case split on the value of a cell that occurs in a pair: its values one by one, except that anonymous ones, which only
    /// equality tells apart, are one case. If only anonymous ones are left, they are split if `apart`.
    fn cases(&self, anonymous: &[Mask], apart: bool) -> Option<Vec<Tree>> {
        let cells = self.pairs.iter().flat_map(|(left, right, _)| [*left, *right]);
        let is_open = |cell: &Cell| {
            let values = self.of(*cell);
            values.count_ones() > 1 && (apart || values & !anonymous[*cell as usize] != 0)
        };
        let cell = cells.filter(is_open).min_by_key(|cell| self.of(*cell).count_ones())?;
        let (values, together) = (self.of(cell), anonymous[cell as usize]);
        let together = if values & !together == 0 { 0 } else { values & together };
        let bits = (0..Mask::BITS).map(|bit| 1 << bit).filter(|bit| values & !together & bit != 0);
        let masks = bits.chain([together]).filter(|mask| *mask != 0);
        Some(masks.map(|mask| Tree::Literal(Literal::In(cell, mask))).collect())
    }

    /// Whether numbers may satisfy the linear constraints, within the bounds of their cells.
    fn numbers_exist(&mut self, bounds: &[Bounds]) -> Result<bool, Obstacle> {
        if !std::mem::take(&mut self.unchecked) {
            return Ok(true);
        }
        let mut all = self.linear.clone();
        let mut cells: Vec<Cell> =
            all.iter().flat_map(|sum| sum.parts.iter().map(|(cell, _)| *cell)).collect();
        cells.sort_unstable();
        cells.dedup();
        for cell in cells {
            let bound = |sign: i128, constant: i128| {
                let parts = vec![(cell, sign)];
                Sum { parts, constant, relation: Relation::AtMost, integral: true }
            };
            let (low, high) = bounds[cell as usize];
            all.extend(low.map(|low| bound(-1, low.into())));
            all.extend(high.map(|high| bound(1, -i128::from(high))));
        }
        self.work += all.len() * all.len();
        feasible(&all)
    }
}

/// A search with its budget.
pub(crate) struct Search<'s, 'a, 'm> {
    pub(crate) grounder: &'s mut Grounder<'a, 'm>,
    pub(crate) hypotheses: &'s Hypotheses<'m>,
    /// The number of disjuncts that may still be considered.
    pub(crate) budget: usize,
    /// The hypotheses that conclusions were drawn from.
    pub(crate) used: BTreeSet<usize>,
    pub(crate) options: &'s CheckOptions,
}

/// What a branch costs, beside the disjuncts that are considered.
const STEP: usize = 50;

/// With more open disjunctions than this, hypotheses are instantiated before anything is tried.
const FEW_CLAUSES: usize = 2;

/// Hypotheses with at most this many open literals are instantiated before all others.
const FEW_LITERALS: usize = 2;

/// Hypotheses with more open literals than this are instantiated all at once, in the end.
const MANY_LITERALS: usize = 8;

/// Which hypotheses have become clauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    None,
    /// Those with few open literals.
    Near,
    All,
}

impl Search<'_, '_, '_> {
    /// A state that satisfies a node and all hypotheses, if there may be one.
    pub(crate) fn state(&mut self, mut node: Node) -> Result<Option<Node>, Obstacle> {
        let facts = std::mem::take(&mut self.grounder.facts);
        for tree in facts.iter().chain(&self.grounder.universe.facts) {
            if !node.include(tree, &self.grounder.table.values) {
                return Ok(None);
            }
        }
        self.explore(node, Stage::None)
    }

    fn explore(&mut self, mut node: Node, stage: Stage) -> Result<Option<Node>, Obstacle> {
        self.options.look()?;
        let consistent = node.propagate();
        self.used.extend(node.used.drain(..));
        self.budget = self
            .budget
            .checked_sub(STEP + std::mem::take(&mut node.work))
            .ok_or_else(|| Obstacle::TooHard("the search takes too many steps".into()))?;
        if consistent.is_err() || !node.numbers_exist(&self.grounder.table.bounds)? {
            return Ok(None);
        }
        if stage != Stage::All && self.options.shortcuts {
            if self.contradicted(&mut node)? {
                return Ok(None);
            }
            if node.changed {
                return self.explore(node, stage);
            }
        }
        if stage == Stage::None && node.clauses.len() > FEW_CLAUSES {
            return self.instantiate(node, Stage::Near);
        }
        if let Some(disjuncts) = node.pick() {
            self.used.extend(node.used.drain(..));
            return self.split(&node, &disjuncts, stage);
        }
        if let Some(cases) = node.cases(&self.grounder.table.anonymous, stage == Stage::All) {
            return self.split(&node, &cases, stage);
        }
        if stage == Stage::All { Ok(Some(node)) } else { self.instantiate(node, Stage::Near) }
    }

    /// Tries one disjunct after the other.
    fn split(&mut self, node: &Node, disjuncts: &[Tree], stage: Stage) -> Result<Option<Node>, Obstacle> {
        let mut node = node.clone();
        let begun = self.grounder.mark();
        for disjunct in disjuncts {
            let mut branch = node.clone();
            if branch.assert(disjunct, None).is_ok()
                && let Some(found) = self.explore(branch, stage)?
            {
                return Ok(Some(found));
            }
            // Fresh values of the branch are gone with it.
            self.grounder.forget_since(&begun);
            // From here on this disjunct is known not to hold.
            let opposite = match disjunct {
                Tree::Literal(Literal::In(cell, mask)) => Tree::Literal(Literal::In(*cell, !mask)),
                Tree::Literal(Literal::Same(left, right, same)) => {
                    Tree::Literal(Literal::Same(*left, *right, !same))
                }
                _ => Tree::True,
            };
            if node.assert(&opposite, None).is_err() {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Draws conclusions about single cells, and returns whether there is a contradiction.
    fn contradicted(&mut self, node: &mut Node) -> Result<bool, Obstacle> {
        let before = node.values.clone();
        if self.hypotheses.conclude(&mut node.values, self.grounder.universe, &mut self.used) {
            return Ok(true);
        }
        node.changed |= before != node.values;
        let mark = self.grounder.mark();
        let refuted = self.hypotheses.refute(node, self.grounder)?;
        self.grounder.forget_since(&mark);
        self.used.extend(refuted);
        Ok(refuted.is_some())
    }

    /// An instance with as few open literals as possible, but more than `FEW_LITERALS`, if there is one.
    fn next_instance(&mut self, node: &Node) -> Result<Vec<(usize, Tree)>, Obstacle> {
        for most_open in FEW_LITERALS + 1..=MANY_LITERALS {
            let mut instances = self.hypotheses.instances(node, self.grounder, most_open, self.options)?;
            if !instances.is_empty() {
                instances.truncate(1);
                return Ok(instances);
            }
        }
        Ok(vec![])
    }

    /// Continues with instances of the hypotheses: with those that have few open literals, or with all if there are none.
    fn instantiate(&mut self, mut node: Node, stage: Stage) -> Result<Option<Node>, Obstacle> {
        let most_open = if stage == Stage::All { usize::MAX } else { FEW_LITERALS };
        let mut instances = self.hypotheses.instances(&node, self.grounder, most_open, self.options)?;
        if stage != Stage::All && (instances.is_empty() || !self.options.shortcuts) {
            instances = if self.options.shortcuts { self.next_instance(&node)? } else { vec![] };
            if instances.is_empty() {
                return self.instantiate(node, Stage::All);
            }
        }
        node.values.extend_from_slice(&self.grounder.table.values[node.values.len()..]);
        let facts = std::mem::take(&mut self.grounder.facts);
        let instances = instances.iter().map(|(origin, tree)| (tree, Some(*origin)));
        for (tree, origin) in instances.chain(facts.iter().map(|fact| (fact, None))) {
            if node.assert(tree, origin).is_err() {
                self.used.extend(node.used);
                return Ok(None);
            }
        }
        self.explore(node, stage)
    }
}
