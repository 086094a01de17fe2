//! Shortcuts: why a step cannot lead to a cube, where this can be seen without grounding the problem.
//!
//! Most steps cannot lead to most cubes for a simple reason: the guard or an assignment gives a cell another value than the
//! cube requires, or the invariant excludes what the guard and the cube require of single cells before the step. Both are
//! found by restricting the values of the cells: by conjuncts about a single cell, and by what follows from cubes all but
//! one of whose literals hold.
//!
//! This uses only conjuncts of the problem, so that whatever it refutes has no solution. It considers only the processes of
//! the guard and of the cube, and yet refutes the problem for any number of further ones: those problems have the same cells
//! and the same restrictions, and more. Only the set of values of a cell that holds processes depends on which processes are
//! involved. As long as there may be further processes, at least one value stands for all of them; since no literal here
//! names such a process, each literal has the same truth for all that this value stands for.

use super::{
    direct::{Direct, literal},
    ground::{Binding, Step, bindings},
    hypotheses::Hypotheses,
    obligations::MOST_PROCESSES,
    tree::{Cell, Mask},
    universe::Universe,
    witnesses::known,
};
use ir::{Formula, Model, Quantifier, Term, Update, Value, Var};
use std::cell::OnceCell;

/// A step, prepared for being compared with many cubes.
pub(crate) struct Fast<'s, 'm> {
    /// The conjuncts of the guard that compare a cell with a value: those below a universal quantifier, and the others.
    guard: Vec<(Option<Every<'m>>, Vec<Direct>)>,
    pub(crate) step: &'s Step<'m>,
    /// The values that the guard leaves to the cells, by number of processes; none if it contradicts itself.
    before: Vec<OnceCell<Option<Vec<Mask>>>>,
}

/// The variables of a quantifier, and those that they differ from.
type Every<'m> = (&'m [Var], &'m [Var]);

/// What a cell holds after a step.
enum After {
    /// What a cell held before.
    Cell(Cell),
    Value(u32),
    Unknown,
}

impl<'s, 'm> Fast<'s, 'm> {
    pub(crate) fn new(model: &Model, step: &'s Step<'m>) -> Fast<'s, 'm> {
        let transition = step.transition;
        let variables: Vec<Var> = (0..transition.variables.len()).map(Var::from_index).collect();
        let literals = |formula: &Formula| -> Vec<Direct> {
            formula.conjuncts().iter().filter_map(|part| literal(model, &variables, part, true)).collect()
        };
        let mut guard = vec![(None, literals(&transition.guard))];
        for conjunct in transition.guard.conjuncts() {
            if let Formula::Quantified { quantifier: Quantifier::Forall, variables, apart_from, body } =
                conjunct
            {
                guard.push((Some((variables.as_slice(), apart_from.as_slice())), literals(body)));
            }
        }
        let before = (0..=MOST_PROCESSES).map(|_| OnceCell::new()).collect();
        Fast { guard, step, before }
    }

    /// The values that the guard leaves to the cells; none if it contradicts itself.
    fn guarded(&self, universe: &Universe<'_>) -> Option<Vec<Mask>> {
        let mut values = universe.table.values.clone();
        for (every, literals) in &self.guard {
            let all = match every {
                Some((variables, apart_from)) => {
                    bindings(variables, apart_from, &self.step.binding, universe.processes)
                }
                None => vec![self.step.binding.clone()],
            };
            for binding in all {
                let chosen: Vec<usize> =
                    binding.iter().map(|process| process.unwrap_or(usize::MAX)).collect();
                for literal in literals {
                    if !literal.is_bound(&chosen) {
                        continue;
                    }
                    let (cell, mask) = literal.ground(&chosen, universe);
                    values[cell as usize] &= mask;
                    if values[cell as usize] == 0 {
                        return None;
                    }
                }
            }
        }
        Some(values)
    }

    /// Restricts the values before the step by the literals of a cube after it; false if there is no such state.
    fn restrict<'d>(
        &self,
        values: &mut [Mask],
        literals: impl Iterator<Item = &'d Direct>,
        chosen: &[usize],
        universe: &Universe<'m>,
    ) -> bool {
        for literal in literals {
            let (cell, mask) = literal.ground(chosen, universe);
            let after = match literal.symbol().and_then(|symbol| self.step.update(symbol)) {
                Some(update) => self.after(update, cell, literal.processes_of_cell(chosen), universe),
                None => After::Cell(cell),
            };
            match after {
                After::Cell(cell) => {
                    values[cell as usize] &= mask;
                    if values[cell as usize] == 0 {
                        return false;
                    }
                }
                After::Value(value) if mask >> value & 1 == 0 => return false,
                After::Value(_) | After::Unknown => {}
            }
        }
        true
    }

    /// What a cell holds after an update: the value of the first arm that applies, if it is known which one does.
    fn after(
        &self,
        update: &Update,
        cell: Cell,
        processes: impl Iterator<Item = usize>,
        universe: &Universe<'m>,
    ) -> After {
        let mut binding = self.step.binding.clone();
        for (var, process) in update.cell.iter().zip(processes) {
            binding[var.index()] = Some(process);
        }
        for arm in &update.arms {
            match known(&arm.condition, &binding) {
                Some(false) => {}
                Some(true) => return value(&arm.value, cell, &binding, universe),
                None => return After::Unknown,
            }
        }
        After::Cell(cell)
    }

    /// Whether the step cannot lead to a cube.
    pub(crate) fn refutes<'d>(
        &self,
        literals: impl Iterator<Item = &'d Direct>,
        chosen: &[usize],
        universe: &Universe<'m>,
        (hypotheses, used): (&Hypotheses<'m>, &mut Vec<usize>),
    ) -> bool {
        let before = self.before[universe.processes].get_or_init(|| self.guarded(universe));
        let Some(mut values) = before.clone() else { return true };
        if !self.restrict(&mut values, literals, chosen, universe) {
            return true;
        }
        hypotheses.conclude(&mut values, universe, used)
    }
}

/// The processes of parameters, in their order.
pub(crate) fn chosen(params: &[Var], binding: &Binding) -> Vec<usize> {
    params.iter().map(|param| binding[param.index()].expect("parameters are bound")).collect()
}

fn process(model: &Model, term: &Term, binding: &Binding) -> Option<usize> {
    match term {
        Term::Var(var) => binding.get(var.index()).copied().flatten(),
        Term::Process(k) if *k >= 1 && *k <= model.named_processes => Some(*k as usize - 1),
        _ => None,
    }
}

/// What is assigned, if it is known.
fn value(value: &Value, cell: Cell, binding: &Binding, universe: &Universe<'_>) -> After {
    let process = |term: &Term| process(universe.model, term, binding);
    match value {
        Value::Keep => After::Cell(cell),
        Value::Term(Term::Constructor(_, at)) => After::Value(*at),
        Value::Term(Term::Outsider(id)) => After::Value(universe.outsider(*id)),
        Value::Term(Term::Read { symbol, indices, reader: None }) => {
            let processes: Option<Vec<usize>> = indices.iter().map(process).collect();
            processes.map_or(After::Unknown, |processes| After::Cell(universe.cell(*symbol, processes)))
        }
        Value::Term(term) => {
            process(term).map_or(After::Unknown, |process| After::Value(u32::try_from(process).expect("few")))
        }
        Value::Any => After::Unknown,
    }
}
