//! The ways in which a step into a cube may go: what it writes, and who sees that.

use super::certificate::{Cube, Location, Variable};
use super::covering::Open;
use super::extension::each_variable;
use super::formulas::{cell, fences, formula, identity, narrow, too_large, with_fence};
use super::order::Effect;
use crate::check::{
    Obstacle,
    ground::{Binding, Step},
};
use ir::{Formula, Model, Relation, SymbolId, Term, Transition, Update, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Steps whose writes depend on the state in more ways than this are not attempted.
const MOST_CASES: usize = 1 << 12;
/// With more cases than this, only locations with open reads are worth more of them.
const FEW_CASES: usize = 1 << 4;

/// A step that is taken into a cube.
pub(super) struct Taken<'a> {
    pub(super) model: &'a Model,
    pub(super) cube: &'a Cube,
    /// The transition of the model itself.
    pub(super) weak: &'a Transition,
    pub(super) step: &'a Step<'a>,
    /// The symbols that stand for the reads of the cube.
    pub(super) open: &'a BTreeMap<Open, SymbolId>,
    /// The number of processes of the cube and the step.
    pub(super) processes: usize,
}

/// One way in which a step may go.
pub(super) struct Course {
    pub(super) effect: Effect,
    /// What must hold before the step, or after it.
    pub(super) goals: Vec<(Formula, Binding, bool)>,
    /// The reads of the cube whose write is earlier than the step.
    pub(super) still_open: BTreeSet<Open>,
}

impl Taken<'_> {
    fn actor(&self) -> Option<u32> {
        self.weak.actor.and_then(|actor| self.step.binding[actor.index()]).map(narrow)
    }

    /// All ways that are not obviously covered by the cube itself: if the step changes nothing that the cube speaks about,
    /// the cube matches before it.
    pub(super) fn courses(&self) -> Result<Vec<Course>, Obstacle> {
        let Some(actor) = self.actor() else { return Ok(vec![]) };
        let mut courses = Vec::new();
        for written in self.written()? {
            for (seen, unseen) in self.visible(actor, &written.locations) {
                let served = self.served(actor, &written.locations, &seen);
                if served.is_empty() && !self.changes_registers(actor) {
                    continue;
                }
                for empty in fences(&self.weak.guard) {
                    courses.push(self.course(actor, &written, &served, (&seen, &unseen), empty)?);
                }
            }
        }
        Ok(courses)
    }

    fn course(
        &self,
        actor: u32,
        written: &Written,
        served: &BTreeSet<Open>,
        (seen, unseen): (&BTreeSet<usize>, &BTreeSet<usize>),
        empty: bool,
    ) -> Result<Course, Obstacle> {
        let is_weak = |update: &Update| self.model.symbol(update.symbol).weak;
        let writes =
            |update: &&Update| is_weak(update) && update.arms.iter().any(|arm| arm.value != Value::Keep);
        let effect = Effect {
            actor,
            written: written.locations.clone(),
            atomic: self.weak.reads_weak && self.weak.updates.iter().any(|update| writes(&update)),
            empty,
            seen: seen.clone(),
            unseen: unseen.clone(),
        };
        let after = formula(self.model, self.cube, &|variable| self.after(variable, served));
        let guard = with_fence(&self.weak.guard, empty);
        let mut goals = vec![
            (guard, self.step.binding.clone(), false),
            (after.ok_or_else(too_large)?, identity(self.cube), true),
        ];
        goals.extend(
            written.conditions.iter().map(|(formula, binding)| (formula.clone(), binding.clone(), false)),
        );
        let still_open = self.open.keys().filter(|read| !served.contains(*read)).cloned().collect();
        Ok(Course { effect, goals, still_open })
    }

    /// A variable of the cube in the state after the step: what a read sees that the step serves is what is there then.
    fn after(&self, variable: &Variable, served: &BTreeSet<Open>) -> Option<Term> {
        let Variable::Read { instant, reader, location } = variable else {
            return Some(cell(variable.location()));
        };
        let read = (*instant, *reader, location.clone());
        if served.contains(&read) {
            Some(cell(location))
        } else {
            Some(Term::read(*self.open.get(&read)?, vec![]))
        }
    }

    /// Whether the step may change a register that the cube speaks about.
    fn changes_registers(&self, actor: u32) -> bool {
        let changed = |location: &Location| {
            let updated = self.weak.updates.iter().any(|update| update.symbol == location.symbol);
            updated && location.indices.first() == Some(&actor)
        };
        let mut found = false;
        each_variable(self.cube, &mut |variable| {
            found |= matches!(variable, Variable::Cell(location) if changed(location));
        });
        found
    }

    /// The ways in which other processes may see what is written: at which instants, and at which they see something older.
    fn visible(&self, actor: u32, written: &BTreeSet<Location>) -> Vec<(BTreeSet<usize>, BTreeSet<usize>)> {
        let foreign =
            self.open.keys().filter(|(_, reader, location)| *reader != actor && written.contains(location));
        let instants: BTreeSet<usize> = foreign.map(|(instant, ..)| *instant).collect();
        let mut all = vec![(BTreeSet::new(), BTreeSet::new())];
        for instant in instants {
            let more = |(seen, unseen): (BTreeSet<usize>, BTreeSet<usize>)| {
                let (mut with_seen, mut with_unseen) = (seen.clone(), unseen.clone());
                with_seen.insert(instant);
                with_unseen.insert(instant);
                [(with_seen, unseen), (seen, with_unseen)]
            };
            all = all.into_iter().flat_map(more).collect();
        }
        all
    }

    /// The reads that see what is written: all of the process itself, and those of others at some instants.
    fn served(&self, actor: u32, written: &BTreeSet<Location>, seen: &BTreeSet<usize>) -> BTreeSet<Open> {
        let is_served = |(instant, reader, location): &&Open| {
            written.contains(location) && (*reader == actor || seen.contains(instant))
        };
        self.open.keys().filter(is_served).cloned().collect()
    }

    /// The sets of locations that may be written, each with the conditions under which they are. Of some locations nothing is
    /// known: those that belong to a process that only formulas point at, and those without open reads if there are too
    /// many cases.
    fn written(&self) -> Result<Vec<Written>, Obstacle> {
        let mut cases = vec![Written::default()];
        for (location, writes, binding) in self.possibly_written() {
            let is_open = self.open.keys().any(|(.., read)| *read == location);
            let is_split = !matches!(writes, Formula::True | Formula::False);
            if is_split && !is_open && cases.len() > FEW_CASES {
                continue;
            }
            cases = cases.into_iter().flat_map(|case| case.split(&location, &writes, &binding)).collect();
            if cases.len() > MOST_CASES {
                let reason = "what a step writes depends on the state in too many ways";
                return Err(Obstacle::TooHard(reason.into()));
            }
        }
        Ok(cases)
    }

    /// The cells of weak symbols that are updated, each with the condition under which it is written.
    fn possibly_written(&self) -> Vec<(Location, Formula, Binding)> {
        let mut all = Vec::new();
        for update in self.weak.updates.iter().filter(|update| self.model.symbol(update.symbol).weak) {
            for indices in tuples(update.cell.len(), self.processes) {
                let mut binding = self.step.binding.clone();
                for (var, index) in update.cell.iter().zip(&indices) {
                    binding[var.index()] = Some(*index as usize);
                }
                let writes = written_if(update, &binding);
                all.push((Location { symbol: update.symbol, indices }, writes, binding));
            }
        }
        all
    }
}

/// Locations that are written, and under which conditions these are all.
#[derive(Debug, Clone, Default)]
struct Written {
    locations: BTreeSet<Location>,
    conditions: Vec<(Formula, Binding)>,
}

impl Written {
    /// The cases in which a location is written, and in which it is not.
    fn split(self, location: &Location, writes: &Formula, binding: &Binding) -> Vec<Written> {
        let (mut with, mut without) = (self.clone(), self);
        with.locations.insert(location.clone());
        match writes {
            Formula::True => vec![with],
            Formula::False => vec![without],
            writes => {
                with.conditions.push((writes.clone(), binding.clone()));
                without.conditions.push((writes.clone().not(), binding.clone()));
                vec![with, without]
            }
        }
    }
}

/// The condition under which an update changes the cell that its variables stand for.
fn written_if(update: &Update, binding: &Binding) -> Formula {
    let mut none_before = Formula::True;
    let (mut written, mut kept) = (Vec::new(), Vec::new());
    for arm in &update.arms {
        let condition = decided(&arm.condition, binding);
        let here = Formula::and([none_before.clone(), condition.clone()]);
        if arm.value == Value::Keep { &mut kept } else { &mut written }.push(here);
        none_before = Formula::and([none_before, condition.not()]);
    }
    kept.push(none_before);
    // Whichever arm applies, it writes.
    if Formula::or(kept) == Formula::False { Formula::True } else { Formula::or(written) }
}

/// A formula in which comparisons of known processes are decided.
fn decided(formula: &Formula, binding: &Binding) -> Formula {
    let sub = |formula: &Formula| decided(formula, binding);
    let process = |term: &Term| match term {
        Term::Var(var) => binding.get(var.index()).copied().flatten(),
        Term::Process(k) => (*k as usize).checked_sub(1),
        _ => None,
    };
    match formula {
        Formula::Compare(Relation::Eq, left, right) => match (process(left), process(right)) {
            (Some(left), Some(right)) if left == right => Formula::True,
            (Some(_), Some(_)) => Formula::False,
            _ => formula.clone(),
        },
        Formula::Compare(Relation::Neq, left, right) => match (process(left), process(right)) {
            (Some(left), Some(right)) if left != right => Formula::True,
            (Some(_), Some(_)) => Formula::False,
            _ => formula.clone(),
        },
        Formula::Not(inner) => sub(inner).not(),
        Formula::And(parts) => Formula::and(parts.iter().map(sub)),
        Formula::Or(parts) => Formula::or(parts.iter().map(sub)),
        other => other.clone(),
    }
}

fn tuples(length: usize, processes: usize) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![vec![]];
    for _ in 0..length {
        let more = |known: Vec<u32>| {
            (0..narrow(processes)).map(move |process| [known.clone(), vec![process]].concat())
        };
        all = all.into_iter().flat_map(more).collect();
    }
    all
}
