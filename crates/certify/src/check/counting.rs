//! What counters mean: how many of the involved processes are counted, and how many are not.

use super::{
    Obstacle,
    ground::{Grounder, INTEGER, Scope},
    linear::{Quotient, Relation, difference},
    tree::Tree,
};
use crate::Counter;
use ir::{Formula, SymbolId, Term};

/// A counter in the extended model.
#[derive(Debug)]
pub(super) struct Counted<'m> {
    symbol: SymbolId,
    formula: &'m Formula,
}

impl<'m> Counted<'m> {
    pub(super) fn new(symbol: SymbolId, counter: &'m Counter) -> Counted<'m> {
        Counted { symbol, formula: &counter.formula }
    }

    /// The counter is at least the number of involved processes with its formula, and at most the number of all processes less
    /// those that are involved and do not have it. Each of them has a number that is 1 if it has the formula and 0 otherwise.
    pub(super) fn facts(&self, grounder: &mut Grounder<'_, 'm>) -> Result<Vec<Tree>, Obstacle> {
        let mut facts = Vec::new();
        let mut sum = Quotient::constant(0, 1);
        let involved = grounder.universe.processes;
        for process in 0..involved {
            let binding = vec![Some(process)];
            let scope = Scope { binding: &binding, after: false, goal: false };
            let has = grounder.formula(self.formula, true, scope)?;
            let lacks = grounder.formula(self.formula, false, scope)?;
            let one = match (&has, &lacks) {
                (Tree::False, _) => Quotient::constant(0, 1),
                (_, Tree::False) => Quotient::constant(1, 1),
                _ => Quotient::cell(grounder.table.raw(INTEGER, (Some(0), Some(1)))),
            };
            let is = |value: i128| difference(&one, &Quotient::constant(value, 1), Relation::Zero, true);
            facts.extend([Tree::any([lacks, is(1)?]), Tree::any([has, is(0)?])]);
            sum = sum.plus(1, &one)?;
        }
        let counter = grounder.number(&Term::read(self.symbol, vec![]))?;
        let processes = grounder.number(&Term::ProcessCount)?;
        let others = processes.plus(-1, &Quotient::constant(involved as i128, 1))?;
        facts.push(difference(&sum, &counter, Relation::AtMost, true)?);
        facts.push(difference(&counter, &sum.plus(1, &others)?, Relation::AtMost, true)?);
        Ok(facts)
    }
}
