//! The obligations of a certificate about memory events.

use super::certificate::{Certificate, Cube, Location, Variable};
use super::covering::{Open, Place, Reads};
use super::formulas::{cell, formula, has_fence, with_fence};
use super::order::{Effect, Order};
use super::problem::Problem;
use super::validity;
use crate::check::{
    Cause, CheckOptions, Checked, Obligation, Obstacle, Rejection, domains_hold,
    ground::{Binding, Step},
    hypotheses::Hypotheses,
    placements::placements,
    reading::never_assigned,
};
use ir::{Formula, Model, Property, Symbol, SymbolId, Term, Transition, Update, Value, Var};
use std::collections::{BTreeMap, BTreeSet};

/// Steps whose writes depend on the state in more ways than this are not attempted.
const MOST_CASES: usize = 1 << 12;

/// Checks that no run of a model under x86-TSO reaches a state that matches a property, for every number of processes.
pub fn check(model: &Model, certificate: &Certificate) -> Result<Checked, Rejection> {
    check_with(model, certificate, &CheckOptions::default())
}

/// The same, with options. Of these, the number of threads has no effect.
pub fn check_with(
    model: &Model,
    certificate: &Certificate,
    options: &CheckOptions,
) -> Result<Checked, Rejection> {
    let complaint = validity::unsupported(model).or_else(|| validity::complaint(model, certificate));
    if let Some(what) = complaint {
        let statement = "the certificate is understood".to_owned();
        return Err(Rejection { obligation: Obligation::Form, statement, cause: Cause::Unsupported(what) });
    }
    let plain = model.sequentially_consistent();
    let mut checker = Checker { model, plain: &plain, certificate, options, done: Checked::default() };
    checker.done.problems += domains_hold(&plain, options)?.problems;
    checker.initial()?;
    checker.properties()?;
    checker.steps()?;
    Ok(checker.done)
}

struct Checker<'c> {
    model: &'c Model,
    /// The model without anything weak: reads of memory at the instant of a step are its cells.
    plain: &'c Model,
    certificate: &'c Certificate,
    options: &'c CheckOptions,
    done: Checked,
}

impl Checker<'_> {
    /// No initial state matches a cube: all its reads would see the initial memory.
    fn initial(&mut self) -> Result<(), Rejection> {
        for (init_at, init) in self.plain.init.iter().enumerate() {
            for (cube_at, cube) in self.certificate.cubes.iter().enumerate() {
                let obligation = Obligation::Init { init: init_at, cube: cube_at };
                let matched = formula(self.model, cube, &|variable| Some(cell(variable.location())));
                let problem = matched.ok_or_else(too_large).map(|matched| Problem {
                    model: self.plain,
                    step: None,
                    goals: vec![(matched, identity(cube), false)],
                    init: Some(init),
                    place: None,
                    processes: cube.processes as usize,
                });
                self.refute(obligation, problem)?;
            }
        }
        Ok(())
    }

    /// Every state that matches a property matches a cube.
    fn properties(&mut self) -> Result<(), Rejection> {
        let (extended, seen) = with_readers(self.model, self.plain);
        for (at, property) in self.model.properties.iter().enumerate() {
            let obligation = Obligation::Property { property: at };
            let actor = property.rule.and_then(|rule| self.model.rules[rule.index()].actor);
            let actor = actor.map(|position| property.params[position]);
            for empty in fences(&property.formula) {
                let goal = with_seen(&with_fence(&property.formula, empty), &seen, actor);
                for (binding, processes) in placed(self.model, property) {
                    let reader = actor.filter(|_| empty).and_then(|actor| binding[actor.index()]);
                    let order = Order::end(reader.map(narrow));
                    let problem = Problem {
                        model: &extended,
                        step: None,
                        goals: vec![(goal.clone(), binding, false)],
                        init: None,
                        place: Some(Place { model: self.model, order: &order, reads: Reads::End { seen: &seen } }),
                        processes,
                    };
                    self.refute(obligation, Ok(problem))?;
                }
            }
        }
        Ok(())
    }

    /// Where a cube matches after a step, one matches before it.
    fn steps(&mut self) -> Result<(), Rejection> {
        for (cube_at, cube) in self.certificate.cubes.iter().enumerate() {
            let (extended, open) = with_reads(self.model, self.plain, cube);
            for at in 0..self.model.transitions.len() {
                let obligation = Obligation::Step { transition: at, cube: cube_at };
                let (weak, plain) = (&self.model.transitions[at], &extended.transitions[at]);
                let known = cube.processes as usize;
                for (binding, processes) in placements(&plain.params, plain.variables.len(), known) {
                    let step = Step { transition: plain, binding };
                    let taken = Taken { checker: self, cube, weak, step: &step, open: &open, processes };
                    let courses = taken.courses().map_err(|obstacle| self.rejection(obligation, obstacle))?;
                    for course in courses {
                        self.course(obligation, cube, &extended, (&step, &open), course, processes)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// One way in which a step may go.
    fn course(
        &mut self,
        obligation: Obligation,
        cube: &Cube,
        extended: &Model,
        (step, open): (&Step<'_>, &BTreeMap<Open, SymbolId>),
        course: Course,
        processes: usize,
    ) -> Result<(), Rejection> {
        let Course { effect, goals, still_open } = course;
        let Some(order) = Order::before_step(cube, &effect) else {
            self.done.plain += 1;
            return Ok(());
        };
        let open = open.iter().filter(|(read, _)| still_open.contains(*read));
        let open: BTreeMap<Open, SymbolId> = open.map(|(read, symbol)| (read.clone(), *symbol)).collect();
        let problem = Problem {
            model: extended,
            step: Some(step),
            goals,
            init: None,
            place: Some(Place {
                model: self.model,
                order: &order,
                reads: Reads::Step { actor: effect.actor, open: &open },
            }),
            processes,
        };
        self.refute(obligation, Ok(problem))
    }

    fn refute<'m>(
        &mut self,
        obligation: Obligation,
        problem: Result<Problem<'_, 'm>, Obstacle>,
    ) -> Result<(), Rejection> {
        let answer = problem.and_then(|problem| {
            self.options.look()?;
            let assumed = assumptions(problem.model, self.model, self.options);
            problem.solution(self.certificate, &assumed, self.options)
        });
        match answer {
            Ok((None, problems)) => {
                self.done.problems += problems;
                Ok(())
            }
            Ok((Some(state), _)) => {
                let statement = self.statement(obligation);
                Err(Rejection { obligation, statement, cause: Cause::Counterexample(state) })
            }
            Err(obstacle) => Err(self.rejection(obligation, obstacle)),
        }
    }

    fn rejection(&self, obligation: Obligation, obstacle: Obstacle) -> Rejection {
        Rejection { obligation, statement: self.statement(obligation), cause: obstacle.into() }
    }

    fn statement(&self, obligation: Obligation) -> String {
        match obligation {
            Obligation::Init { cube, .. } => format!("no initial state matches cube {cube}"),
            Obligation::Step { transition, cube } => {
                let rule = self.model.transitions[transition].rule;
                let name = &self.model.rules[rule.index()].name;
                format!("`{name}` leads to cube {cube} only from a cube of the certificate")
            }
            Obligation::Property { property } => {
                format!("what matches `{}` matches a cube", self.model.properties[property].name)
            }
            Obligation::Form | Obligation::Domain { .. } | Obligation::Lift { .. } => {
                "the certificate is understood".to_owned()
            }
        }
    }
}

/// What holds in all states, by the assumptions about symbols that no step changes.
fn assumptions<'m>(extended: &'m Model, model: &Model, options: &CheckOptions) -> Hypotheses<'m> {
    let is_weak = |property: &Property| {
        let mut weak = false;
        property.formula.each_term(&mut |term| weak |= term.symbol().is_some_and(|id| model.symbol(id).weak));
        weak
    };
    let kept = extended.assumptions.iter().zip(&model.assumptions);
    let kept = kept.filter(|(property, original)| never_assigned(extended, &property.formula) && !is_weak(original));
    let kept = kept.map(|(property, _)| (property.params.as_slice(), property.variables.len(), &property.formula));
    Hypotheses::new(extended, kept, options.shortcuts)
}

/// A step that is taken into a cube.
struct Taken<'a, 'c> {
    checker: &'a Checker<'c>,
    cube: &'a Cube,
    /// The transition of the model itself.
    weak: &'a Transition,
    step: &'a Step<'a>,
    /// The symbols that stand for the reads of the cube.
    open: &'a BTreeMap<Open, SymbolId>,
    processes: usize,
}

/// One way in which a step may go.
struct Course {
    effect: Effect,
    goals: Vec<(Formula, Binding, bool)>,
    /// The reads of the cube whose write is earlier than the step.
    still_open: BTreeSet<Open>,
}

impl Taken<'_, '_> {
    fn actor(&self) -> Option<u32> {
        self.weak.actor.and_then(|actor| self.step.binding[actor.index()]).map(narrow)
    }

    /// All ways that are not obviously covered by the cube itself: if the step changes nothing that the cube speaks about,
    /// the cube matches before it.
    fn courses(&self) -> Result<Vec<Course>, Obstacle> {
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
        let is_weak = |update: &Update| self.checker.model.symbol(update.symbol).weak;
        let writes = |update: &&Update| is_weak(update) && update.arms.iter().any(|arm| arm.value != Value::Keep);
        let effect = Effect {
            actor,
            written: written.locations.clone(),
            atomic: self.weak.reads_weak && self.weak.updates.iter().any(|update| writes(&update)),
            empty,
            seen: seen.clone(),
            unseen: unseen.clone(),
        };
        let after = formula(self.checker.model, self.cube, &|variable| self.after(variable, served));
        let guard = with_fence(&self.weak.guard, empty);
        let mut goals = vec![
            (guard, self.step.binding.clone(), false),
            (after.ok_or_else(too_large)?, identity(self.cube), true),
        ];
        goals.extend(written.conditions.iter().map(|(formula, binding)| (formula.clone(), binding.clone(), false)));
        let still_open = self.open.keys().filter(|read| !served.contains(*read)).cloned().collect();
        Ok(Course { effect, goals, still_open })
    }

    /// A variable of the cube in the state after the step: what a read sees that the step serves is what is there then.
    fn after(&self, variable: &Variable, served: &BTreeSet<Open>) -> Option<Term> {
        let Variable::Read { instant, reader, location } = variable else { return Some(cell(variable.location())) };
        let read = (*instant, *reader, location.clone());
        if served.contains(&read) { Some(cell(location)) } else { Some(Term::read(*self.open.get(&read)?, vec![])) }
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
        let foreign = self.open.keys().filter(|(_, reader, location)| *reader != actor && written.contains(location));
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

    /// The sets of locations that may be written, each with the conditions under which they are. Of locations that belong to
    /// a process that only formulas point at, nothing is known.
    fn written(&self) -> Result<Vec<Written>, Obstacle> {
        let mut cases = vec![Written::default()];
        let is_weak = |update: &&&Update| self.checker.model.symbol(update.symbol).weak;
        for update in self.weak.updates.iter().collect::<Vec<_>>().iter().filter(is_weak) {
            for indices in tuples(update.cell.len(), self.processes) {
                let mut binding = self.step.binding.clone();
                for (var, index) in update.cell.iter().zip(&indices) {
                    binding[var.index()] = Some(*index as usize);
                }
                let location = Location { symbol: update.symbol, indices };
                let writes = decided(&written_if(update), &binding);
                cases = cases.into_iter().flat_map(|case| case.split(&location, &writes, &binding)).collect();
                if cases.len() > MOST_CASES {
                    return Err(Obstacle::TooHard("what a step writes depends on the state in too many ways".into()));
                }
            }
        }
        Ok(cases)
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
fn written_if(update: &Update) -> Formula {
    let mut none_before = Formula::True;
    let mut cases = Vec::new();
    for arm in &update.arms {
        if arm.value != Value::Keep {
            cases.push(Formula::and([none_before.clone(), arm.condition.clone()]));
        }
        none_before = Formula::and([none_before, arm.condition.clone().not()]);
    }
    Formula::or(cases)
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
        Formula::Compare(ir::Relation::Eq, left, right) => match (process(left), process(right)) {
            (Some(left), Some(right)) if left == right => Formula::True,
            (Some(_), Some(_)) => Formula::False,
            _ => formula.clone(),
        },
        Formula::Compare(ir::Relation::Neq, left, right) => match (process(left), process(right)) {
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

/// The model with a symbol for each read of a cube.
fn with_reads(model: &Model, plain: &Model, cube: &Cube) -> (Model, BTreeMap<Open, SymbolId>) {
    let (mut extended, mut open) = (plain.clone(), BTreeMap::new());
    each_variable(cube, &mut |variable| {
        let Variable::Read { instant, reader, location } = variable else { return };
        open.entry((*instant, *reader, location.clone())).or_insert_with(|| {
            let read = model.symbol(location.symbol);
            let name = format!("#{}@{} at instant {instant}", reader + 1, read.name);
            let symbol = Symbol { name, arity: 0, constant: true, weak: false, ..read.clone() };
            extended.symbols.push(symbol);
            SymbolId::from_index(extended.symbols.len() - 1)
        });
    });
    (extended, open)
}

/// The model with an array for what each process sees of each weak symbol.
fn with_readers(model: &Model, plain: &Model) -> (Model, BTreeMap<SymbolId, SymbolId>) {
    let (mut extended, mut seen) = (plain.clone(), BTreeMap::new());
    for (at, symbol) in model.symbols.iter().enumerate().filter(|(_, symbol)| symbol.weak) {
        let view = Symbol { name: format!("{} as seen", symbol.name), arity: symbol.arity + 1, ..symbol.clone() };
        seen.insert(SymbolId::from_index(at), SymbolId::from_index(extended.symbols.len()));
        extended.symbols.push(Symbol { weak: false, ..view });
    }
    (extended, seen)
}

/// A property in terms of what processes see. Where the text names no reader, it is the actor of a faulty step.
fn with_seen(formula: &Formula, seen: &BTreeMap<SymbolId, SymbolId>, actor: Option<Var>) -> Formula {
    let sub = |formula: &Formula| with_seen(formula, seen, actor);
    let term = |term: &Term| seen_term(term, seen, actor);
    match formula {
        Formula::Compare(relation, left, right) => Formula::compare(*relation, term(left), term(right)),
        Formula::True | Formula::False | Formula::Fence => formula.clone(),
        Formula::Not(inner) => sub(inner).not(),
        Formula::And(parts) => Formula::and(parts.iter().map(sub)),
        Formula::Or(parts) => Formula::or(parts.iter().map(sub)),
        Formula::Iff(left, right) => sub(left).iff(sub(right)),
        Formula::If(condition, then, otherwise) => {
            Formula::if_then_else(sub(condition), sub(then), sub(otherwise))
        }
        Formula::Quantified { quantifier, variables, apart_from, body } => {
            Formula::quantified(*quantifier, variables.clone(), apart_from.clone(), sub(body))
        }
    }
}

fn seen_term(term: &Term, seen: &BTreeMap<SymbolId, SymbolId>, actor: Option<Var>) -> Term {
    let sub = |term: &Term| seen_term(term, seen, actor);
    match term {
        Term::Read { symbol, indices, reader } => {
            let indices = indices.iter().map(sub);
            match (seen.get(symbol), reader.as_deref().map(sub).or(actor.map(Term::Var))) {
                (Some(view), Some(reader)) => Term::read(*view, [reader].into_iter().chain(indices).collect()),
                _ => Term::read(*symbol, indices.collect()),
            }
        }
        Term::Linear(linear) => linear.map(sub),
        other => other.clone(),
    }
}

fn each_variable<'c>(cube: &'c Cube, visit: &mut impl FnMut(&'c Variable)) {
    use super::certificate::Literal;
    for literal in &cube.literals {
        match literal {
            Literal::OneOf(variable, _) => visit(variable),
            Literal::Same(left, right) | Literal::Differ(left, right) => [left, right].into_iter().for_each(&mut *visit),
            Literal::AtMost { terms, .. } => terms.iter().for_each(|(_, variable)| visit(variable)),
        }
    }
}

/// Whether the buffer is empty: both ways, if it makes a difference to a formula.
fn fences(formula: &Formula) -> Vec<bool> {
    if has_fence(formula) { vec![true, false] } else { vec![false] }
}

fn placed(model: &Model, property: &Property) -> Vec<(Binding, usize)> {
    placements(&property.params, property.variables.len(), model.named_processes as usize)
}

/// Each process of a cube stands for itself.
fn identity(cube: &Cube) -> Binding {
    (0..cube.processes as usize).map(Some).collect()
}

fn tuples(length: usize, processes: usize) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![vec![]];
    for _ in 0..length {
        let more = |known: Vec<u32>| (0..narrow(processes)).map(move |process| [known.clone(), vec![process]].concat());
        all = all.into_iter().flat_map(more).collect();
    }
    all
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("few")
}

fn too_large() -> Obstacle {
    Obstacle::TooHard("numbers that do not fit".into())
}
