//! What steps do to the numbers of processes in places, and to numbers: a linear equation for each effect that a place invariant
//! must not notice.
//!
//! A step has *cases*: for each update an arm that applies. In a case, each parameter moves from any of some places to a place that
//! follows, and numbers change by constants. A step may also move processes that are not its parameters, any number of them: each
//! by itself must not be noticed.

use super::kernel::Row;
use super::local::{Locals, Place};
use crate::assume::{Assumer, Branch, Env, Watch, bind, bound, resolve};
use crate::cell::{Cell, Process};
use crate::cube::Cube;
use crate::initial::each_initial;
use crate::linear::Comparison;
use crate::system::{Initial, System, Transition, Update};
use crate::template::{CellTerm, Node, ProcessTerm, SumTerm, ValueTerm};
use crate::vocabulary::{Kind, Values};
use rustc_hash::FxHashSet;

/// If there are more cases to consider, the analysis gives up.
const MOST_CASES: usize = 20_000;

/// A number that may depend on the number of processes: the first plus the second times that number.
pub(super) type Affine = (i128, i128);

/// What a step adds to a number; `None` if that is not known.
type Change = Option<Affine>;

/// A model, as far as places and global numbers tell.
#[derive(Debug)]
pub(super) struct Net<'s> {
    pub(super) system: &'s System,
    pub(super) locals: Locals,
    /// The global numbers that steps change.
    pub(super) numbers: Vec<u16>,
}

/// A case of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Case {
    /// What processes take part in.
    moves: Vec<Move>,
    /// By number.
    changes: Vec<Change>,
}

/// What one process takes part in: from any of some places, given by the values of each dimension, to places in which some
/// dimensions have new values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Move {
    from: Vec<Values>,
    to: Vec<(usize, Values)>,
}

/// A cell that an update assigns: that of an array for one of the processes, or a number.
#[derive(Clone, Copy, Debug)]
enum Target {
    Cell(usize, Process),
    Number(usize),
}

/// The arms that are chosen, with what they assign.
#[derive(Clone, Debug, Default)]
struct Chosen {
    /// The new values of dimensions, by process.
    cells: Vec<(Process, usize, Values)>,
    /// What is added to numbers, by position.
    numbers: Vec<(usize, Change)>,
}

/// The initial states of one disjunct.
#[derive(Debug)]
pub(super) struct Start {
    /// Where processes may be.
    pub(super) places: Vec<Place>,
    /// The numbers, where they are known.
    pub(super) numbers: Vec<Change>,
}

impl<'s> Net<'s> {
    /// `None` if the model has no global number that steps change, or nothing else that could be counted.
    pub(super) fn new(system: &'s System) -> Option<Net<'s>> {
        let vocabulary = &system.vocabulary;
        // A named process may be any of the parameters, which is not followed.
        if vocabulary.named > 0 {
            return None;
        }
        let is_number = |symbol: u16| {
            let info = &vocabulary.symbols[usize::from(symbol)];
            info.kind == Kind::Whole && info.arity == 0
        };
        let mut numbers = Vec::new();
        // Arrays that change together with a number come first: if not all fit, these are the ones to be counted.
        let (mut near, mut far) = (Vec::new(), Vec::new());
        for transition in &system.transitions {
            let assigned = || transition.updates.iter().map(|update| update.symbol);
            let counts = assigned().any(is_number);
            numbers.extend(assigned().filter(|symbol| is_number(*symbol)));
            if counts { near.extend(assigned()) } else { far.extend(assigned()) }
        }
        numbers.sort_unstable();
        numbers.dedup();
        near.extend(vocabulary.kinds);
        let mut preferred: Vec<u16> = Vec::new();
        // Cells that never change tell processes apart.
        let constant =
            (0..vocabulary.process_count).filter(|symbol| !near.contains(symbol) && !far.contains(symbol));
        let constant: Vec<u16> = constant.collect();
        for symbol in near.into_iter().chain(far).chain(constant) {
            if !preferred.contains(&symbol) {
                preferred.push(symbol);
            }
        }
        let locals = Locals::new(vocabulary, preferred);
        (!numbers.is_empty() && locals.places > 1).then_some(Net { system, locals, numbers })
    }

    pub(super) fn columns(&self) -> usize {
        self.numbers.len() + self.locals.places
    }

    pub(super) fn column(&self, place: Place) -> usize {
        self.numbers.len() + place
    }

    /// The initial states; those of a disjunct that no process satisfies are left out.
    pub(super) fn starts(&self) -> Vec<Start> {
        let starts = self.system.initials.iter().map(|initial| self.start(initial));
        starts.filter(|start| !start.places.is_empty()).collect()
    }

    fn start(&self, initial: &Initial) -> Start {
        let watch = Watch::default();
        let assumer = Assumer::new(&self.system.vocabulary, &watch);
        let mut begins = vec![false; self.locals.places];
        each_initial(self.system, &assumer, initial, &Cube::new(1), &mut |cube| {
            let allowed = self.locals.allows(&self.system.vocabulary, &cube, 0);
            begins.iter_mut().zip(allowed).for_each(|(begins, allowed)| *begins |= allowed);
            true
        });
        let numbers = self.numbers.iter().map(|number| self.fixed(*number, &initial.formula)).collect();
        Start { places: (0..self.locals.places).filter(|place| begins[*place]).collect(), numbers }
    }

    /// The value that a formula gives to a number.
    fn fixed(&self, number: u16, formula: &Node) -> Change {
        conjuncts(formula).iter().find_map(|part| {
            let Node::Compare(sum, Comparison::Zero) = part else { return None };
            let (factor, rest) = self.split(sum, number)?;
            (factor.abs() == 1).then_some((-rest.0 * factor, -rest.1 * factor))
        })
    }

    /// A sum as a multiple of a number and the rest; `None` if it mentions anything else.
    fn split(&self, sum: &SumTerm, number: u16) -> Option<(i128, Affine)> {
        let (mut factor, mut processes) = (0, 0);
        for (times, CellTerm { symbol, .. }) in &sum.terms {
            if *symbol == number {
                factor += i128::from(*times);
            } else if *symbol == self.system.vocabulary.process_count {
                processes += i128::from(*times);
            } else {
                return None;
            }
        }
        (sum.denominator == 1).then_some((factor, (sum.constant.into(), processes)))
    }

    /// A lower bound of 0 on a number that starts there or above, and is only lowered where it is large enough.
    pub(super) fn is_never_negative(&self, number: u16) -> bool {
        let starts = self.system.initials.iter().all(|initial| {
            // There is at least one process.
            self.fixed(number, &initial.formula).is_some_and(|(least, each)| each >= 0 && least + each >= 0)
        });
        let stays = |transition: &Transition| {
            let Some(update) = transition.update(number) else { return true };
            update.arms.iter().all(|(condition, value)| {
                self.change(number, value, transition).is_some_and(|(change, each)| {
                    change >= 0 && each >= 0
                        || each == 0 && self.is_at_least(number, -change, &transition.guard)
                        || each == 0 && self.is_at_least(number, -change, condition)
                })
            })
        };
        starts && self.system.transitions.iter().all(stays)
    }

    /// Whether a formula requires a number to be at least as large as another.
    fn is_at_least(&self, number: u16, least: i128, formula: &Node) -> bool {
        conjuncts(formula).iter().any(|part| match part {
            Node::Compare(sum, comparison) => {
                self.split(sum, number).is_some_and(|(factor, (constant, processes))| {
                    let strict = i128::from(*comparison == Comparison::Below);
                    match (*comparison, factor) {
                        (Comparison::Zero, 1) => processes == 0 && -constant >= least,
                        (Comparison::Zero, -1) => processes == 0 && constant >= least,
                        (_, -1) => processes == 0 && constant + strict >= least,
                        _ => false,
                    }
                })
            }
            _ => false,
        })
    }

    /// What a value adds to a number.
    fn change(&self, number: u16, value: &ValueTerm, transition: &Transition) -> Change {
        let sum = match value {
            ValueTerm::Keep => return Some((0, 0)),
            ValueTerm::Read(CellTerm { symbol, .. }) if *symbol == number => return Some((0, 0)),
            ValueTerm::Sum(sum) => sum,
            _ => return None,
        };
        let (factor, (constant, processes)) = self.split(sum, number)?;
        match factor {
            1 => Some((constant, processes)),
            0 => {
                let (before, each) = self.fixed(number, &transition.guard)?;
                Some((constant - before, processes - each))
            }
            _ => None,
        }
    }

    /// The places that processes may get to, by themselves: those not among them are in no reachable state. With them, what a
    /// place invariant must satisfy.
    pub(super) fn explore(&self, starts: &[Start]) -> Option<(Vec<bool>, FxHashSet<Row>)> {
        let cases = self.cases()?;
        let mut reached = vec![false; self.locals.places];
        starts.iter().flat_map(|start| &start.places).for_each(|place| reached[*place] = true);
        loop {
            let (mut rows, mut next) = (FxHashSet::default(), reached.clone());
            for case in &cases {
                let steps: Vec<Vec<(Place, Place)>> =
                    case.moves.iter().map(|one| self.steps(one, &reached)).collect();
                if steps.iter().any(Vec::is_empty) {
                    continue;
                }
                steps.iter().flatten().for_each(|(_, to)| next[*to] = true);
                self.add_rows(&steps, &case.changes, &mut rows);
            }
            if next == reached {
                return Some((reached, rows));
            }
            reached = next;
        }
    }

    /// From which places a process may take part in a move, and where that leads.
    fn steps(&self, one: &Move, reached: &[bool]) -> Vec<(Place, Place)> {
        let fits = |place: &Place| {
            let all = one.from.iter().enumerate();
            reached[*place] && all.into_iter().all(|(at, values)| self.locals.value(*place, at) & values != 0)
        };
        let mut steps = Vec::new();
        for from in (0..self.locals.places).filter(fits) {
            let mut places = vec![from];
            for (at, values) in &one.to {
                let singles = self.locals.dimensions[*at].values.iter().filter(|value| **value & values != 0);
                let singles: Vec<Values> = singles.copied().collect();
                let with = |place: &Place| {
                    let place = *place;
                    singles.iter().filter_map(move |value| self.locals.with(place, *at, *value))
                };
                places = places.iter().flat_map(with).collect();
            }
            steps.extend(places.into_iter().map(|to| (from, to)));
        }
        steps
    }

    /// All cases of all steps: of their parameters together, and of any other process.
    fn cases(&self) -> Option<FxHashSet<Case>> {
        let mut cases = FxHashSet::default();
        for transition in &self.system.transitions {
            let params = Process::try_from(transition.params.len()).ok()?;
            let numbers = (0..self.numbers.len()).map(Target::Number);
            let targets: Vec<Target> = self.cells(transition, 0..params).chain(numbers).collect();
            self.add_cases(transition, params, &targets, 0..params, &mut cases)?;
            let bystander: Vec<Target> = self.cells(transition, params..params + 1).collect();
            if !bystander.is_empty() {
                self.add_cases(transition, params + 1, &bystander, params..params + 1, &mut cases)?;
            }
        }
        Some(cases)
    }

    /// The own cells of some processes that a transition assigns.
    fn cells(
        &self,
        transition: &Transition,
        processes: std::ops::Range<Process>,
    ) -> impl Iterator<Item = Target> {
        let dimensions = 0..self.locals.dimensions.len();
        let assigned: Vec<usize> =
            dimensions.filter(|at| transition.update(self.locals.dimensions[*at].symbol).is_some()).collect();
        processes.flat_map(move |process| {
            assigned.clone().into_iter().map(move |dimension| Target::Cell(dimension, process))
        })
    }

    /// The cases in which arms are chosen for some targets. `None` if there are too many.
    fn add_cases(
        &self,
        transition: &Transition,
        processes: Process,
        targets: &[Target],
        moving: std::ops::Range<Process>,
        cases: &mut FxHashSet<Case>,
    ) -> Option<()> {
        let watch = Watch::default();
        let assumer = Assumer::new(&self.system.vocabulary, &watch);
        let mut env = Env::new();
        for (param, process) in transition.params.iter().zip(0..) {
            bind(&mut env, *param, process);
        }
        let mut left = MOST_CASES.saturating_sub(cases.len());
        let step = StepCases { net: self, transition, assumer: &assumer, env };
        assumer.assume(Branch::new(Cube::new(processes)), &transition.guard, &step.env, &mut |branch| {
            assumer.finish(branch, &mut |branch| {
                step.choose(branch, targets, &Chosen::default(), &mut left, &mut |cube, chosen| {
                    cases.insert(self.case(cube, chosen, moving.clone()));
                });
            });
        });
        (left > 0 && !watch.has_overflowed()).then_some(())
    }

    fn case(&self, cube: &Cube, chosen: &Chosen, moving: std::ops::Range<Process>) -> Case {
        let vocabulary = &self.system.vocabulary;
        let one = |process: Process| {
            let dimensions = self.locals.dimensions.iter();
            let from = dimensions.map(|one| cube.values(vocabulary, Cell::new(one.symbol, &[process])));
            let to = chosen.cells.iter().filter(|(of, ..)| *of == process);
            Move { from: from.collect(), to: to.map(|(_, at, values)| (*at, *values)).collect() }
        };
        let moves = moving.map(one).collect();
        let mut changes = vec![Some((0, 0)); self.numbers.len()];
        chosen.numbers.iter().for_each(|(at, change)| changes[*at] = *change);
        Case { moves, changes }
    }

    /// The equations of a case: the first alternatives together have no effect, and neither have the differences to the others.
    fn add_rows(&self, steps: &[Vec<(Place, Place)>], changes: &[Change], rows: &mut FxHashSet<Row>) {
        let mut row = vec![0; self.columns()];
        let mut per_process = row.clone();
        for steps in steps {
            let effect = |row: &mut Row, (from, to): (Place, Place), times: i128| {
                row[self.column(from)] -= times;
                row[self.column(to)] += times;
            };
            effect(&mut row, steps[0], 1);
            for other in &steps[1..] {
                let mut difference = vec![0; self.columns()];
                effect(&mut difference, *other, 1);
                effect(&mut difference, steps[0], -1);
                rows.insert(difference);
            }
        }
        for (at, change) in changes.iter().enumerate() {
            match change {
                Some(change) => (row[at], per_process[at]) = *change,
                None => {
                    rows.insert(self.unit(at));
                }
            }
        }
        rows.insert(row);
        rows.insert(per_process);
    }

    /// The equation that leaves a number out of all invariants.
    pub(super) fn unit(&self, number: usize) -> Row {
        let mut row = vec![0; self.columns()];
        row[number] = 1;
        row
    }
}

/// The cases of a transition in the making.
struct StepCases<'a, 's> {
    net: &'a Net<'s>,
    transition: &'a Transition,
    assumer: &'a Assumer<'a>,
    env: Env,
}

impl StepCases<'_, '_> {
    /// Chooses an arm for each target in turn, wherever it may apply.
    fn choose<'t>(
        &'t self,
        branch: Branch<'t>,
        targets: &[Target],
        chosen: &Chosen,
        left: &mut usize,
        visit: &mut dyn FnMut(&Cube, &Chosen),
    ) {
        let Some((target, others)) = targets.split_first() else {
            return self.assumer.finish(branch, &mut |mut branch| {
                if *left > 0 && branch.cube.settle(self.assumer.vocabulary).is_ok() {
                    *left -= 1;
                    visit(&branch.cube, chosen);
                }
            });
        };
        let Some((update, env)) = self.update(*target) else {
            return self.choose(branch, others, chosen, left, visit);
        };
        for (condition, value) in &update.arms {
            self.assumer.assume(branch.clone(), condition, &env, &mut |branch| {
                let mut chosen = chosen.clone();
                match *target {
                    Target::Number(at) => {
                        let number = self.net.numbers[at];
                        chosen.numbers.push((at, self.net.change(number, value, self.transition)));
                    }
                    Target::Cell(dimension, process) => {
                        let values = self.assigned(&branch.cube, dimension, value, &env);
                        chosen.cells.extend(values.map(|values| (process, dimension, values)));
                    }
                }
                self.choose(branch, others, &chosen, left, visit);
            });
        }
    }

    /// The update of a target, with its cell among the variables.
    fn update(&self, target: Target) -> Option<(&Update, Env)> {
        match target {
            Target::Number(at) => {
                self.transition.update(self.net.numbers[at]).map(|update| (update, self.env.clone()))
            }
            Target::Cell(dimension, process) => {
                let update = self.transition.update(self.net.locals.dimensions[dimension].symbol)?;
                let cell = *update.cell.first()?;
                Some((update, bound(&self.env, cell, process)))
            }
        }
    }

    /// The values that an arm may assign to a cell; `None` if it stays as it is.
    fn assigned(&self, cube: &Cube, dimension: usize, value: &ValueTerm, env: &Env) -> Option<Values> {
        let all = || self.net.locals.dimensions[dimension].values.iter().fold(0, |all, value| all | value);
        match value {
            ValueTerm::Keep => None,
            ValueTerm::Constant(value) => Some(*value),
            ValueTerm::Read(CellTerm { symbol, indices }) => match indices.as_slice() {
                [] => Some(cube.values(self.assumer.vocabulary, Cell::new(*symbol, &[]))),
                [ProcessTerm::Name(name)] => {
                    let cell = Cell::new(*symbol, &[resolve(*name, env)]);
                    Some(cube.values(self.assumer.vocabulary, cell))
                }
                _ => Some(all()),
            },
            _ => Some(all()),
        }
    }
}

fn conjuncts(node: &Node) -> &[Node] {
    match node {
        Node::And(parts) => parts,
        other => std::slice::from_ref(other),
    }
}
