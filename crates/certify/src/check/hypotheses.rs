//! What is known of every state: no cube and no assumption has a match among the involved processes.
//!
//! Most obligations end because some cube already matches the state before the step. So cubes are kept in a form in which
//! that is found fast, and become clauses only where it is not enough.

use super::{
    Obstacle,
    ground::{Binding, Grounder, Scope},
    search::Node,
    tree::{Cell, Literal, Mask, Tree},
    universe::Universe,
};
use model::ir::{Formula, Model, OutsiderId, Relation, Sort, SymbolId, Term, Var};

/// All hypotheses.
#[derive(Debug)]
pub(crate) struct Hypotheses<'m> {
    all: Vec<Hypothesis<'m>>,
}

/// A formula that has no match.
#[derive(Debug)]
struct Hypothesis<'m> {
    params: &'m [Var],
    variables: usize,
    /// Literals that are compared directly, by how many of the parameters must be known.
    direct: Vec<Vec<Direct>>,
    /// All others.
    other: Vec<&'m Formula>,
    /// Pairs of symbol and value that a match needs.
    signature: Signature,
}

/// A cell compared with a value.
#[derive(Debug)]
struct Direct {
    symbol: SymbolId,
    indices: Vec<Place>,
    value: Sought,
    equal: bool,
}

/// A process of a literal.
#[derive(Debug, Clone, Copy)]
enum Place {
    Param(usize),
    Named(usize),
}

#[derive(Debug, Clone, Copy)]
enum Sought {
    Constructor(u32),
    Process(Place),
    Outsider(OutsiderId),
}

/// A set of pairs of symbol and value, hashed: a filter.
#[derive(Debug, Clone, Copy, Default)]
struct Signature([u64; 4]);

impl Signature {
    fn insert(&mut self, symbol: usize, value: u32) {
        let bit = (symbol * 37 + value as usize) % 256;
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    fn within(&self, other: &Signature) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, others)| mine & !others == 0)
    }
}

impl<'m> Hypotheses<'m> {
    pub(crate) fn new(
        model: &Model,
        formulas: impl Iterator<Item = (&'m [Var], usize, &'m Formula)>,
    ) -> Hypotheses<'m> {
        Hypotheses {
            all: formulas
                .map(|(params, variables, formula)| Hypothesis::new(model, params, variables, formula))
                .collect(),
        }
    }

    /// Whether some hypothesis contradicts what is known.
    pub(crate) fn refute(&self, node: &Node, grounder: &mut Grounder<'_, 'm>) -> Result<bool, Obstacle> {
        let known = signature(node, grounder.universe);
        for hypothesis in &self.all {
            if hypothesis.signature.within(&known) {
                let mut matching = Matching::new(hypothesis, node, false);
                matching.extend(grounder)?;
                if matching.found {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The instances that are not settled yet.
    pub(crate) fn instances(
        &self,
        node: &Node,
        grounder: &mut Grounder<'_, 'm>,
    ) -> Result<Vec<Tree>, Obstacle> {
        let mut clauses = Vec::new();
        for hypothesis in &self.all {
            let mut matching = Matching::new(hypothesis, node, true);
            matching.extend(grounder)?;
            clauses.append(&mut matching.clauses);
        }
        Ok(clauses)
    }
}

/// The pairs of symbol and value that are known of some cell.
fn signature(node: &Node, universe: &Universe<'_>) -> Signature {
    let mut known = Signature::default();
    for (at, symbol) in universe.model.symbols.iter().enumerate() {
        if let Sort::Enum(_) = symbol.sort {
            for cell in universe.cells(SymbolId::from_index(at)) {
                let values = node.values[cell];
                if values.is_power_of_two() {
                    known.insert(at, values.trailing_zeros());
                }
            }
        }
    }
    known
}

impl<'m> Hypothesis<'m> {
    fn new(model: &Model, params: &'m [Var], variables: usize, formula: &'m Formula) -> Hypothesis<'m> {
        let direct: Vec<Vec<Direct>> = (0..=params.len()).map(|_| vec![]).collect();
        let mut hypothesis =
            Hypothesis { params, variables, direct, other: vec![], signature: Signature::default() };
        for conjunct in formula.conjuncts() {
            let Some(literal) = literal(model, params, conjunct, true) else {
                hypothesis.other.push(conjunct);
                continue;
            };
            if let (Sought::Constructor(at), true) = (literal.value, literal.equal) {
                hypothesis.signature.insert(literal.symbol.index(), at);
            }
            hypothesis.direct[literal.level()].push(literal);
        }
        hypothesis
    }
}

/// A conjunct that can be compared directly.
fn literal(model: &Model, params: &[Var], formula: &Formula, positive: bool) -> Option<Direct> {
    let place = |term: &Term| match term {
        Term::Var(var) => Some(Place::Param(params.iter().position(|param| param == var)?)),
        Term::Process(k) if *k >= 1 && *k <= model.named_processes => Some(Place::Named(*k as usize - 1)),
        _ => None,
    };
    let (relation, left, right) = match formula {
        Formula::Not(inner) => return literal(model, params, inner, !positive),
        Formula::Compare(relation @ (Relation::Eq | Relation::Neq), left, right) => (relation, left, right),
        _ => return None,
    };
    [(left, right), (right, left)].into_iter().find_map(|(read, value)| {
        let Term::Read { symbol, indices, reader: None } = read else { return None };
        let value = match value {
            Term::Constructor(_, at) => Sought::Constructor(*at),
            Term::Outsider(id) => Sought::Outsider(*id),
            other => Sought::Process(place(other)?),
        };
        let indices: Option<Vec<Place>> = indices.iter().map(place).collect();
        Some(Direct {
            symbol: *symbol,
            indices: indices?,
            value,
            equal: (*relation == Relation::Eq) == positive,
        })
    })
}

impl Direct {
    /// How many of the parameters must be known.
    fn level(&self) -> usize {
        let mut places = self.indices.clone();
        if let Sought::Process(place) = self.value {
            places.push(place);
        }
        let level = |place: Place| if let Place::Param(at) = place { at + 1 } else { 0 };
        places.into_iter().map(level).max().unwrap_or(0)
    }

    /// The cell, and the values with which the literal holds.
    fn ground(&self, chosen: &[usize], universe: &Universe<'_>) -> (Cell, Mask) {
        let process = |place: &Place| match place {
            Place::Param(at) => chosen[*at],
            Place::Named(at) => *at,
        };
        let cell = universe.cell(self.symbol, self.indices.iter().map(process));
        let value = match &self.value {
            Sought::Constructor(at) => *at,
            Sought::Process(place) => u32::try_from(process(place)).expect("few"),
            Sought::Outsider(id) => universe.outsider(*id),
        };
        (cell, if self.equal { 1 << value } else { !(1 << value) })
    }
}

/// A search for processes with which a hypothesis says something.
struct Matching<'a, 'm> {
    hypothesis: &'a Hypothesis<'m>,
    node: &'a Node,
    chosen: Vec<usize>,
    /// Literals of the match at hand whose truth is open: their opposites.
    open: Vec<Tree>,
    /// Whether literals may be open.
    lenient: bool,
    found: bool,
    clauses: Vec<Tree>,
}

impl<'a, 'm> Matching<'a, 'm> {
    fn new(hypothesis: &'a Hypothesis<'m>, node: &'a Node, lenient: bool) -> Matching<'a, 'm> {
        let (chosen, open, clauses) = (vec![], vec![], vec![]);
        Matching { hypothesis, node, chosen, open, lenient, found: false, clauses }
    }

    /// Checks the literals that are known by now, and goes on with one more process.
    fn extend(&mut self, grounder: &mut Grounder<'_, 'm>) -> Result<(), Obstacle> {
        let opened = self.open.len();
        if self.literals_may_hold(grounder.universe) {
            if self.chosen.len() == self.hypothesis.params.len() {
                self.complete(grounder)?;
            } else {
                for process in 0..grounder.universe.processes {
                    if !self.found && !self.chosen.contains(&process) {
                        self.chosen.push(process);
                        self.extend(grounder)?;
                        self.chosen.pop();
                    }
                }
            }
        }
        self.open.truncate(opened);
        Ok(())
    }

    fn literals_may_hold(&mut self, universe: &Universe<'_>) -> bool {
        for literal in &self.hypothesis.direct[self.chosen.len()] {
            let (cell, mask) = literal.ground(&self.chosen, universe);
            let values = self.node.values[cell as usize];
            if values & !mask == 0 {
                continue;
            }
            if values & mask == 0 || !self.lenient {
                return false;
            }
            self.open.push(Tree::Literal(Literal::In(cell, !mask)));
        }
        true
    }

    /// All processes are chosen: what is left says that one of the open literals does not hold.
    fn complete(&mut self, grounder: &mut Grounder<'_, 'm>) -> Result<(), Obstacle> {
        let mut clause = self.open.clone();
        if !self.hypothesis.other.is_empty() {
            let mut binding: Binding = vec![None; self.hypothesis.variables];
            for (var, process) in self.hypothesis.params.iter().zip(&self.chosen) {
                binding[var.index()] = Some(*process);
            }
            let scope = Scope { binding: &binding, after: false, goal: false };
            for conjunct in &self.hypothesis.other {
                let opposite = grounder.formula(conjunct, false, scope)?;
                match self.node.truth(&opposite) {
                    Some(true) => return Ok(()),
                    Some(false) => {}
                    None if !self.lenient => return Ok(()),
                    None => clause.push(opposite),
                }
            }
        }
        if self.lenient {
            self.clauses.push(Tree::any(clause));
        } else {
            self.found = true;
        }
        Ok(())
    }
}
