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
use std::{collections::BTreeMap, convert::Infallible};

/// All hypotheses.
#[derive(Debug)]
pub(crate) struct Hypotheses<'m> {
    all: Vec<Hypothesis<'m>>,
    index: Index,
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
    /// Pairs of symbol and value that a match needs in cells of each parameter.
    needs: Vec<Signature>,
}

/// A cell compared with a value.
#[derive(Debug)]
pub(crate) struct Direct {
    pub(crate) symbol: SymbolId,
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

impl Place {
    fn process(self, chosen: &[usize]) -> usize {
        match self {
            Place::Param(at) => chosen[at],
            Place::Named(at) => at,
        }
    }
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

/// A pair of symbol and value.
type Pair = (usize, u32);

/// Hypotheses by the pairs of symbol and value that their matches need, as a tree of common beginnings: those whose pairs
/// are all among given ones are found without a look at most of the others.
#[derive(Debug, Default)]
struct Index {
    /// The rank of each pair, rare ones first, by symbol and value.
    ranks: Vec<Vec<Option<usize>>>,
    branches: Vec<Branch>,
    pairs: usize,
}

#[derive(Debug, Default)]
struct Branch {
    rank: usize,
    children: Vec<usize>,
    /// Hypotheses that need nothing more.
    here: Vec<usize>,
}

impl Index {
    fn new(symbols: usize, needed: &[Vec<Pair>]) -> Index {
        let mut uses: BTreeMap<Pair, usize> = BTreeMap::new();
        for pair in needed.iter().flatten() {
            *uses.entry(*pair).or_default() += 1;
        }
        let mut order: Vec<(usize, Pair)> = uses.into_iter().map(|(pair, uses)| (uses, pair)).collect();
        order.sort_unstable();
        let mut index =
            Index { ranks: vec![vec![]; symbols], branches: vec![Branch::default()], pairs: order.len() };
        for (rank, (_, (symbol, value))) in order.into_iter().enumerate() {
            let values = &mut index.ranks[symbol];
            values.resize(values.len().max(value as usize + 1), None);
            values[value as usize] = Some(rank);
        }
        for (at, pairs) in needed.iter().enumerate() {
            let mut ranks: Vec<usize> =
                pairs.iter().filter_map(|(symbol, value)| index.rank(*symbol, *value)).collect();
            ranks.sort_unstable();
            ranks.dedup();
            let branch = ranks.into_iter().fold(0, |branch, rank| index.child(branch, rank));
            index.branches[branch].here.push(at);
        }
        index
    }

    fn rank(&self, symbol: usize, value: u32) -> Option<usize> {
        self.ranks[symbol].get(value as usize).copied().flatten()
    }

    fn child(&mut self, branch: usize, rank: usize) -> usize {
        let known = self.branches[branch].children.iter().find(|child| self.branches[**child].rank == rank);
        if let Some(child) = known {
            return *child;
        }
        let child = self.branches.len();
        self.branches.push(Branch { rank, ..Branch::default() });
        self.branches[branch].children.push(child);
        child
    }

    /// Some hypothesis that needs only known pairs and passes a test.
    fn find<E>(
        &self,
        branch: usize,
        known: &[bool],
        test: &mut impl FnMut(usize) -> Result<bool, E>,
    ) -> Result<Option<usize>, E> {
        for at in &self.branches[branch].here {
            if test(*at)? {
                return Ok(Some(*at));
            }
        }
        for child in &self.branches[branch].children {
            if known[self.branches[*child].rank]
                && let Some(found) = self.find(*child, known, test)?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

/// What is known of the cells of a state, in a form that is compared with what hypotheses need.
struct Known {
    /// By rank: whether some cell has the value.
    pairs: Vec<bool>,
    /// By process: pairs of its own cells.
    of: Vec<Signature>,
}

impl Known {
    fn new(values: &[Mask], universe: &Universe<'_>, index: &Index) -> Known {
        let mut known =
            Known { pairs: vec![false; index.pairs], of: vec![Signature::default(); universe.processes] };
        for (at, symbol) in universe.model.symbols.iter().enumerate() {
            if !matches!(symbol.sort, Sort::Enum(_)) {
                continue;
            }
            for (within, cell) in universe.cells(SymbolId::from_index(at)).enumerate() {
                if !values[cell].is_power_of_two() {
                    continue;
                }
                let value = values[cell].trailing_zeros();
                if let Some(rank) = index.rank(at, value) {
                    known.pairs[rank] = true;
                }
                if symbol.arity == 1 {
                    known.of[within].insert(at, value);
                }
            }
        }
        known
    }
}

impl<'m> Hypotheses<'m> {
    pub(crate) fn new(
        model: &Model,
        formulas: impl Iterator<Item = (&'m [Var], usize, &'m Formula)>,
    ) -> Hypotheses<'m> {
        let all: Vec<Hypothesis<'m>> = formulas
            .map(|(params, variables, formula)| Hypothesis::new(model, params, variables, formula))
            .collect();
        let needed: Vec<Vec<Pair>> = all.iter().map(Hypothesis::pairs).collect();
        Hypotheses { all, index: Index::new(model.symbols.len(), &needed) }
    }

    /// The literals of a hypothesis that are compared directly.
    pub(crate) fn direct(&self, at: usize) -> impl Iterator<Item = &Direct> {
        self.all[at].direct.iter().flatten()
    }

    /// Some hypothesis that contradicts the values that are left to the cells, whatever else holds.
    pub(crate) fn contained(&self, values: &[Mask], universe: &Universe<'_>) -> Option<usize> {
        let known = Known::new(values, universe, &self.index);
        let mut chosen = Vec::new();
        let mut test = |at: usize| {
            let hypothesis = &self.all[at];
            let found = hypothesis.other.is_empty()
                && hypothesis
                    .holds(values, universe, &known, &mut chosen, &mut |_| Ok::<_, Infallible>(true))?;
            Ok::<_, Infallible>(found)
        };
        self.index.find(0, &known.pairs, &mut test).unwrap_or_else(|never| match never {})
    }

    /// Some hypothesis that contradicts what is known.
    pub(crate) fn refute(
        &self,
        node: &Node,
        grounder: &mut Grounder<'_, 'm>,
    ) -> Result<Option<usize>, Obstacle> {
        let universe = grounder.universe;
        let known = Known::new(&node.values, universe, &self.index);
        let mut chosen = Vec::new();
        self.index.find(0, &known.pairs, &mut |at| {
            let hypothesis = &self.all[at];
            hypothesis.holds(&node.values, universe, &known, &mut chosen, &mut |chosen| {
                hypothesis.others_hold(chosen, node, grounder)
            })
        })
    }

    /// The instances that are not settled yet, each with the position of its hypothesis.
    pub(crate) fn instances(
        &self,
        node: &Node,
        grounder: &mut Grounder<'_, 'm>,
    ) -> Result<Vec<(usize, Tree)>, Obstacle> {
        let mut clauses = Vec::new();
        for (at, hypothesis) in self.all.iter().enumerate() {
            let mut matching = Matching::new(hypothesis, node);
            matching.extend(grounder)?;
            clauses.extend(matching.clauses.into_iter().map(|clause| (at, clause)));
        }
        Ok(clauses)
    }
}

impl<'m> Hypothesis<'m> {
    fn new(model: &Model, params: &'m [Var], variables: usize, formula: &'m Formula) -> Hypothesis<'m> {
        let direct: Vec<Vec<Direct>> = (0..=params.len()).map(|_| vec![]).collect();
        let needs = vec![Signature::default(); params.len()];
        let mut hypothesis = Hypothesis { params, variables, direct, other: vec![], needs };
        for conjunct in formula.conjuncts() {
            let Some(literal) = literal(model, params, conjunct, true) else {
                hypothesis.other.push(conjunct);
                continue;
            };
            if let ([Place::Param(param)], Sought::Constructor(at), true) =
                (literal.indices.as_slice(), literal.value, literal.equal)
            {
                hypothesis.needs[*param].insert(literal.symbol.index(), at);
            }
            hypothesis.direct[literal.level()].push(literal);
        }
        hypothesis
    }

    /// The pairs of symbol and value without which nothing matches: a match has them in some cells.
    fn pairs(&self) -> Vec<Pair> {
        let pair = |literal: &Direct| match literal.value {
            Sought::Constructor(at) if literal.equal => Some((literal.symbol.index(), at)),
            _ => None,
        };
        self.direct.iter().flatten().filter_map(pair).collect()
    }

    /// Whether all direct literals hold of some distinct processes that pass a test.
    fn holds<E>(
        &self,
        values: &[Mask],
        universe: &Universe<'_>,
        known: &Known,
        chosen: &mut Vec<usize>,
        test: &mut impl FnMut(&[usize]) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let level = chosen.len();
        let all = self.direct[level].iter().all(|literal| {
            let (cell, mask) = literal.ground(chosen, universe);
            values[cell as usize] & !mask == 0
        });
        if !all {
            return Ok(false);
        }
        let Some(needs) = self.needs.get(level) else { return test(chosen) };
        for process in 0..universe.processes {
            if needs.within(&known.of[process]) && !chosen.contains(&process) {
                chosen.push(process);
                let found = self.holds(values, universe, known, chosen, test);
                chosen.pop();
                if found? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether what is not compared directly is known to hold of these processes.
    fn others_hold(
        &self,
        chosen: &[usize],
        node: &Node,
        grounder: &mut Grounder<'_, 'm>,
    ) -> Result<bool, Obstacle> {
        if self.other.is_empty() {
            return Ok(true);
        }
        let binding = self.binding(chosen);
        let scope = Scope { binding: &binding, after: false, goal: false };
        for conjunct in &self.other {
            let opposite = grounder.formula(conjunct, false, scope)?;
            if node.truth(&opposite) != Some(false) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn binding(&self, chosen: &[usize]) -> Binding {
        let mut binding: Binding = vec![None; self.variables];
        for (var, process) in self.params.iter().zip(chosen) {
            binding[var.index()] = Some(*process);
        }
        binding
    }
}

/// A conjunct that can be compared directly.
pub(crate) fn literal(model: &Model, params: &[Var], formula: &Formula, positive: bool) -> Option<Direct> {
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

    /// Whether all its processes are known.
    pub(crate) fn is_bound(&self, chosen: &[usize]) -> bool {
        let value = if let Sought::Process(place) = self.value { Some(place) } else { None };
        self.indices.iter().copied().chain(value).all(|place| place.process(chosen) != usize::MAX)
    }

    /// The processes of the cell.
    pub(crate) fn place(&self, chosen: &[usize]) -> impl Iterator<Item = usize> {
        self.indices.iter().map(move |place| place.process(chosen))
    }

    /// The cell, and the values with which the literal holds.
    pub(crate) fn ground(&self, chosen: &[usize], universe: &Universe<'_>) -> (Cell, Mask) {
        let cell = universe.cell(self.symbol, self.place(chosen));
        let value = match &self.value {
            Sought::Constructor(at) => *at,
            Sought::Process(place) => u32::try_from(place.process(chosen)).expect("few"),
            Sought::Outsider(id) => universe.outsider(*id),
        };
        (cell, if self.equal { 1 << value } else { !(1 << value) })
    }
}

/// A search for processes with which a hypothesis says something that is not settled.
struct Matching<'a, 'm> {
    hypothesis: &'a Hypothesis<'m>,
    node: &'a Node,
    chosen: Vec<usize>,
    /// Literals of the match at hand whose truth is open: their opposites.
    open: Vec<Tree>,
    clauses: Vec<Tree>,
}

impl<'a, 'm> Matching<'a, 'm> {
    fn new(hypothesis: &'a Hypothesis<'m>, node: &'a Node) -> Matching<'a, 'm> {
        let (chosen, open, clauses) = (vec![], vec![], vec![]);
        Matching { hypothesis, node, chosen, open, clauses }
    }

    /// Checks the literals that are known by now, and goes on with one more process.
    fn extend(&mut self, grounder: &mut Grounder<'_, 'm>) -> Result<(), Obstacle> {
        let opened = self.open.len();
        if self.literals_may_hold(grounder.universe) {
            if self.chosen.len() == self.hypothesis.params.len() {
                self.complete(grounder)?;
            } else {
                for process in 0..grounder.universe.processes {
                    if !self.chosen.contains(&process) {
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
            if values & mask == 0 {
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
            let binding = self.hypothesis.binding(&self.chosen);
            let scope = Scope { binding: &binding, after: false, goal: false };
            for conjunct in &self.hypothesis.other {
                let opposite = grounder.formula(conjunct, false, scope)?;
                match self.node.truth(&opposite) {
                    Some(true) => return Ok(()),
                    Some(false) => {}
                    None => clause.push(opposite),
                }
            }
        }
        self.clauses.push(Tree::any(clause));
        Ok(())
    }
}
