//! Which cubes of the certificate may match, and how: the processes and instants that they speak about are mapped onto those
//! of a problem.

use super::certificate::{Cube, Instant, Literal, Location, Value, Variable, Who};
use super::formulas::{cell, formula};
use super::order::{Before, Order};
use crate::check::{ground::Binding, tree::Mask, universe::Universe};
use ir::{Formula, Model, SymbolId, Term, Var};
use std::collections::BTreeMap;

/// A read whose write is among the earlier ones: the instant, the reader, and what is read.
pub(super) type Open = (usize, u32, Location);

/// Which values are known as what, at the instants of a problem.
#[derive(Debug)]
pub(super) enum Reads<'a> {
    /// At the instant of a step, which is the last, its actor sees the cells of weak symbols. Reads that are open at others
    /// are symbols of their own.
    Step { actor: u32, open: &'a BTreeMap<Open, SymbolId> },
    /// At the end, what a process sees is a cell of another array, which has the reader as its first index.
    End { seen: &'a BTreeMap<SymbolId, SymbolId> },
}

/// Where cubes are looked for.
#[derive(Debug)]
pub(super) struct Place<'a> {
    /// The model of the certificate.
    pub(super) model: &'a Model,
    pub(super) order: &'a Order,
    pub(super) reads: Reads<'a>,
}

impl Place<'_> {
    /// All ways in which a cube may match, as formulas with processes for their variables. Some are left out that cannot
    /// match, given what values cells may have.
    pub(super) fn matches(
        &self,
        cube: &Cube,
        universe: &Universe<'_>,
        values: &[Mask],
    ) -> Vec<(Formula, Binding)> {
        let mut found = Vec::new();
        let mut mapping =
            Mapping { place: self, cube, universe, values, processes: vec![], instants: vec![] };
        mapping.processes(&mut found);
        found
    }
}

struct Mapping<'a> {
    place: &'a Place<'a>,
    cube: &'a Cube,
    universe: &'a Universe<'a>,
    values: &'a [Mask],
    processes: Vec<u32>,
    instants: Vec<usize>,
}

impl Mapping<'_> {
    /// Maps the next process, and those after it.
    fn processes(&mut self, found: &mut Vec<(Formula, Binding)>) {
        if !self.cells_may_match() {
            return;
        }
        let at = u32::try_from(self.processes.len()).expect("few");
        if at == self.cube.processes {
            return self.instants(found);
        }
        let named = self.place.model.named_processes;
        let all = u32::try_from(self.universe.processes).expect("few");
        for process in if at < named { at..at + 1 } else { named..all } {
            if !self.processes.contains(&process) {
                self.processes.push(process);
                self.processes(found);
                self.processes.pop();
            }
        }
    }

    /// Whether no literal about a single cell of the process that was mapped last is impossible.
    fn cells_may_match(&self) -> bool {
        let mapped = u32::try_from(self.processes.len()).expect("few");
        self.cube.literals.iter().all(|literal| match literal {
            Literal::OneOf(Variable::Cell(location), values)
                if location.indices.iter().all(|p| *p < mapped) =>
            {
                let indices = location.indices.iter().map(|process| self.process(*process) as usize);
                let known = self.values[self.universe.cell(location.symbol, indices) as usize];
                let constructor = |value: &Value| match value {
                    Value::Constructor(at) => Some(1 << at),
                    _ => None,
                };
                let allowed: Option<Mask> =
                    values.iter().map(constructor).try_fold(0, |all, bit| Some(all | bit?));
                allowed.is_none_or(|allowed| allowed & known != 0)
            }
            _ => true,
        })
    }

    /// Maps the next instant, and those after it.
    fn instants(&mut self, found: &mut Vec<(Formula, Binding)>) {
        let at = self.instants.len();
        let Some(instant) = self.cube.instants.get(at) else {
            let formula = formula(self.place.model, self.cube, &|variable| self.term(variable));
            let binding = self.processes.iter().map(|process| Some(*process as usize)).collect();
            found.extend(formula.map(|formula| (formula, binding)));
            return;
        };
        for target in 0..self.place.order.before.len() {
            self.instants.push(target);
            if self.follows(instant, &self.place.order.before[target]) && self.is_ordered() {
                self.instants(found);
            }
            self.instants.pop();
        }
    }

    /// Whether all that is said to come before an instant does.
    fn follows(&self, instant: &Instant, known: &Before) -> bool {
        let steps = match &instant.after_steps {
            Who::Everybody => known.everybody,
            Who::Only(processes) => {
                known.everybody
                    || processes.iter().all(|process| known.steps.contains(&self.process(*process)))
            }
        };
        steps
            && instant.after_writes.iter().all(|process| known.writes.contains(&self.process(*process)))
            && instant
                .after_writes_to
                .iter()
                .all(|location| known.locations.contains(&self.location(location)))
    }

    /// Whether the instants that are mapped so far come in the order that the cube says.
    fn is_ordered(&self) -> bool {
        let mapped = self.instants.len();
        self.cube.instants.iter().take(mapped).enumerate().all(|(at, instant)| {
            let later = instant.before.iter().filter(|later| **later < mapped);
            later
                .into_iter()
                .all(|later| self.place.order.is_before(self.instants[at], self.instants[*later]))
        })
    }

    fn process(&self, process: u32) -> u32 {
        self.processes[process as usize]
    }

    fn location(&self, location: &Location) -> Location {
        let indices = location.indices.iter().map(|process| self.process(*process)).collect();
        Location { symbol: location.symbol, indices }
    }

    fn term(&self, variable: &Variable) -> Option<Term> {
        let (instant, reader, location) = match variable {
            Variable::Cell(location) => return Some(cell(location)),
            Variable::Read { instant, reader, location } => (self.instants[*instant], *reader, location),
        };
        match &self.place.reads {
            Reads::Step { actor, open } => {
                if instant + 1 == self.place.order.before.len() {
                    return (self.process(reader) == *actor).then(|| cell(location));
                }
                let open = open.get(&(instant, self.process(reader), self.location(location)))?;
                Some(Term::read(*open, vec![]))
            }
            Reads::End { seen } => {
                let indices = [reader].into_iter().chain(location.indices.iter().copied());
                let indices = indices.map(|process| Term::Var(Var(process))).collect();
                Some(Term::read(*seen.get(&location.symbol)?, indices))
            }
        }
    }
}
