//! The hypotheses: what holds in every state, namely that no cube and no assumption has a match among the involved processes.
//!
//! Most problems have no solution because some cube already matches the state before the step. So cubes are kept in a form
//! in which this is found fast, and become clauses only where it does not suffice.

use super::{
    Obstacle,
    direct::{Direct, ProcessName, literal},
    ground::{Binding, Grounder, Scope},
    index::{Index, Known, Pair, Signature},
    options::CheckOptions,
    search::Node,
    tree::{Cell, Literal, Mask, Tree},
    universe::Universe,
};
use ir::{Formula, Model, Var};
use std::convert::Infallible;

/// All hypotheses.
#[derive(Debug)]
pub(crate) struct Hypotheses<'m> {
    all: Vec<Hypothesis<'m>>,
    index: Index,
    /// Whether the index is used to leave out hypotheses.
    filtered: bool,
}

/// A formula that has no match.
#[derive(Debug)]
struct Hypothesis<'m> {
    params: &'m [Var],
    variables: usize,
    /// Literals about single cells, by how many of the parameters must be known.
    direct: Vec<Vec<Direct>>,
    /// All other conjuncts.
    other: Vec<&'m Formula>,
    /// Pairs of symbol and value that a match needs in cells of each parameter.
    needs: Vec<Signature>,
}

impl<'m> Hypotheses<'m> {
    pub(crate) fn new(
        model: &Model,
        formulas: impl Iterator<Item = (&'m [Var], usize, &'m Formula)>,
        filtered: bool,
    ) -> Hypotheses<'m> {
        let all: Vec<Hypothesis<'m>> = formulas
            .map(|(params, variables, formula)| Hypothesis::new(model, params, variables, formula))
            .collect();
        let needed: Vec<Vec<Pair>> = all.iter().map(Hypothesis::pairs).collect();
        Hypotheses { all, index: Index::new(model.symbols.len(), &needed), filtered }
    }

    fn known(&self, values: &[Mask], universe: &Universe<'_>) -> Known {
        if self.filtered {
            Known::new(values, universe, &self.index)
        } else {
            Known::everything(universe, &self.index)
        }
    }

    /// The literals of a hypothesis that are about single cells.
    pub(crate) fn direct(&self, at: usize) -> impl Iterator<Item = &Direct> {
        self.all[at].direct.iter().flatten()
    }

    /// Draws conclusions from the values that cells may have: where all literals of a hypothesis but one hold, that one does
    /// not. Adds the hypotheses that were used; true if there is a contradiction.
    pub(crate) fn conclude(
        &self,
        values: &mut [Mask],
        universe: &Universe<'_>,
        used: &mut impl Extend<usize>,
    ) -> bool {
        loop {
            let known = self.known(values, universe);
            let mut conclusions =
                Conclusions { values, universe, known: &known, chosen: vec![], spare: false, news: false };
            // Most contradictions need no conclusions.
            if self.concludes(&mut conclusions, used).0 {
                return true;
            }
            conclusions.spare = true;
            let (contradicted, changed) = self.concludes(&mut conclusions, used);
            if contradicted || !changed {
                return contradicted;
            }
        }
    }

    /// Considers each hypothesis once. Returns whether there is a contradiction, and whether anything was concluded.
    fn concludes(
        &self,
        conclusions: &mut Conclusions<'_, '_>,
        used: &mut impl Extend<usize>,
    ) -> (bool, bool) {
        let mut changed = false;
        let (known, most_open) = (conclusions.known, usize::from(conclusions.spare));
        let contradicted = self.index.find(known, most_open, &mut |at| {
            let hypothesis = &self.all[at];
            let consistent = !hypothesis.other.is_empty() || conclusions.draw(hypothesis, None);
            let news = std::mem::take(&mut conclusions.news);
            changed |= news;
            if news || !consistent {
                used.extend([at]);
            }
            Ok::<_, Infallible>(!consistent)
        });
        (contradicted.unwrap_or_else(|never| match never {}).is_some(), changed)
    }

    /// A hypothesis that contradicts what is known, if there is one.
    pub(crate) fn refute(
        &self,
        node: &Node,
        grounder: &mut Grounder<'_, 'm>,
    ) -> Result<Option<usize>, Obstacle> {
        let universe = grounder.universe;
        let known = self.known(&node.values, universe);
        let mut chosen = Vec::new();
        self.index.find(&known, 0, &mut |at| {
            let hypothesis = &self.all[at];
            hypothesis.holds(&node.values, universe, &known, &mut chosen, &mut |chosen| {
                hypothesis.others_hold(chosen, node, grounder)
            })
        })
    }

    /// The instances that are not settled yet and have at most `most_open` open literals, each with the position of its
    /// hypothesis.
    pub(crate) fn instances(
        &self,
        node: &Node,
        grounder: &mut Grounder<'_, 'm>,
        most_open: usize,
        options: &CheckOptions,
    ) -> Result<Vec<(usize, Tree)>, Obstacle> {
        let known = self.known(&node.values, grounder.universe);
        let mut clauses = Vec::new();
        self.index.find(&known, most_open, &mut |at| {
            options.look()?;
            let mut matching = Matching::new(&self.all[at], node, &known, most_open);
            matching.extend(grounder)?;
            clauses.extend(matching.clauses.into_iter().map(|clause| (at, clause)));
            Ok::<_, Obstacle>(false)
        })?;
        Ok(clauses)
    }
}

/// Conclusions about single cells.
struct Conclusions<'a, 'm> {
    values: &'a mut [Mask],
    universe: &'a Universe<'m>,
    /// What was known at the beginning. It lacks what has been concluded since, which only delays conclusions.
    known: &'a Known,
    chosen: Vec<usize>,
    /// Whether one literal may be open.
    spare: bool,
    /// Whether something was concluded.
    news: bool,
}

impl Conclusions<'_, '_> {
    /// Concludes what follows from a hypothesis for the processes that are chosen, and all choices of the others. `open` is
    /// the cell of the one open literal, with the values for which it holds. False if there is a contradiction.
    fn draw(&mut self, hypothesis: &Hypothesis<'_>, mut open: Option<(Cell, Mask)>) -> bool {
        let level = self.chosen.len();
        for literal in &hypothesis.direct[level] {
            let (cell, mask) = literal.ground(&self.chosen, self.universe);
            let values = self.values[cell as usize];
            if values & !mask == 0 {
                continue;
            }
            open = match open {
                None if self.spare => Some((cell, mask)),
                // Two literals about the same cell count as one.
                Some((other, others)) if other == cell => Some((cell, mask & others)),
                _ => return true,
            };
            if open.is_some_and(|(_, mask)| values & mask == 0) {
                return true;
            }
        }
        let Some(needs) = hypothesis.needs.get(level) else { return self.exclude(open) };
        for process in 0..self.universe.processes {
            if self.known.allows(process, needs, open.is_some() || !self.spare)
                && !self.chosen.contains(&process)
            {
                self.chosen.push(process);
                let consistent = self.draw(hypothesis, open);
                self.chosen.pop();
                if !consistent {
                    return false;
                }
            }
        }
        true
    }

    /// The open literal does not hold; if there is none, there is a contradiction.
    fn exclude(&mut self, open: Option<(Cell, Mask)>) -> bool {
        let Some((cell, mask)) = open else { return false };
        let values = &mut self.values[cell as usize];
        self.news |= *values & mask != 0;
        *values &= !mask;
        *values != 0
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
            if let (Some(pair), [ProcessName::Param(param)]) = (literal.pair(), literal.indices()) {
                hypothesis.needs[*param].insert(pair);
            }
            hypothesis.direct[literal.level()].push(literal);
        }
        hypothesis
    }

    /// The pairs of symbol and value that every match has in some cell.
    fn pairs(&self) -> Vec<Pair> {
        self.direct.iter().flatten().filter_map(Direct::pair).collect()
    }

    /// Whether all literals about single cells hold of some distinct processes that pass a test.
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
            if known.allows(process, needs, true) && !chosen.contains(&process) {
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

    /// Whether all other conjuncts are known to hold of these processes.
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

/// A search for instances of a hypothesis that are not settled.
struct Matching<'a, 'm> {
    hypothesis: &'a Hypothesis<'m>,
    node: &'a Node,
    known: &'a Known,
    most_open: usize,
    chosen: Vec<usize>,
    /// The negations of the open literals of the current instance.
    open: Vec<Tree>,
    clauses: Vec<Tree>,
}

impl<'a, 'm> Matching<'a, 'm> {
    fn new(
        hypothesis: &'a Hypothesis<'m>,
        node: &'a Node,
        known: &'a Known,
        most_open: usize,
    ) -> Matching<'a, 'm> {
        let (chosen, open, clauses) = (vec![], vec![], vec![]);
        Matching { hypothesis, node, known, most_open, chosen, open, clauses }
    }

    /// Evaluates the literals whose parameters are known by now, and continues with one more process.
    fn extend(&mut self, grounder: &mut Grounder<'_, 'm>) -> Result<(), Obstacle> {
        let opened = self.open.len();
        if self.literals_may_hold(grounder.universe) {
            match self.hypothesis.needs.get(self.chosen.len()) {
                None => self.complete(grounder)?,
                Some(needs) => {
                    for process in 0..grounder.universe.processes {
                        if self.known.allows(process, needs, false) && !self.chosen.contains(&process) {
                            self.chosen.push(process);
                            self.extend(grounder)?;
                            self.chosen.pop();
                        }
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
            if values & mask == 0 || self.open.len() >= self.most_open {
                return false;
            }
            self.open.push(Tree::Literal(Literal::In(cell, !mask)));
        }
        true
    }

    /// All processes are chosen: what remains is that one of the open literals does not hold.
    fn complete(&mut self, grounder: &mut Grounder<'_, 'm>) -> Result<(), Obstacle> {
        let mark = grounder.mark();
        let clause = self.clause(grounder)?;
        // If only some instances are wanted, this one may be computed again. Its fresh values would differ each time, and the
        // search would not end.
        let limited = self.most_open != usize::MAX;
        match clause {
            Some(clause) if !limited || (clause.len() <= self.most_open && grounder.mark() == mark) => {
                self.clauses.push(Tree::any(clause));
            }
            _ => grounder.forget_since(&mark),
        }
        Ok(())
    }

    /// The disjuncts of the instance; `None` if it holds.
    fn clause(&self, grounder: &mut Grounder<'_, 'm>) -> Result<Option<Vec<Tree>>, Obstacle> {
        let mut clause = self.open.clone();
        let binding = self.hypothesis.binding(&self.chosen);
        let scope = Scope { binding: &binding, after: false, goal: false };
        for conjunct in &self.hypothesis.other {
            let opposite = grounder.formula(conjunct, false, scope)?;
            match self.node.truth(&opposite) {
                Some(true) => return Ok(None),
                Some(false) => {}
                None => clause.push(opposite),
            }
        }
        Ok(Some(clause))
    }
}
