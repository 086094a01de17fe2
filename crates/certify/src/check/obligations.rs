//! The obligations: initial states, steps, properties.

use super::{
    Obstacle,
    fast::{Fast, chosen},
    ground::{Binding, Grounder, Scope, Step},
    hypotheses::Hypotheses,
    placements::{assignments, cells, placements},
    reading::{never_assigned, orders_processes, outside_of_domain, reads, touches},
    relevance::{Relevant, Work},
    search::{Node, Search},
    tree::{Literal, Tree},
    universe::Universe,
    validity,
    witnesses::{Witnesses, named_for_all},
    wording::{describe, statement},
};
use crate::{AuxiliaryVariable, Certificate, Cube, Extended, auxiliary::Lift};
use ir::{Formula, Init, Model, Property, Sort, SymbolId, Term, Update};
use std::{
    collections::BTreeSet,
    fmt,
    num::NonZero,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// A certificate that was checked: the model is safe for every number of processes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Checked {
    /// How many ground problems were refuted.
    pub problems: usize,
    /// How many cases were plain because the step changes nothing that the cube reads.
    pub plain: usize,
}

/// A certificate that was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// What could not be shown.
    pub obligation: Obligation,
    /// The same in words.
    pub statement: String,
    /// Why not.
    pub cause: Cause,
}

/// What must be shown; items by their position in the model or the certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obligation {
    /// The model and the cubes are understood.
    Form,
    /// No initial state matches the cube.
    Init {
        /// In [`Model::init`].
        init: usize,
        /// In [`Certificate::cubes`].
        cube: usize,
    },
    /// No step leads to a match of the cube.
    Step {
        /// In [`Model::transitions`].
        transition: usize,
        /// In [`Certificate::cubes`].
        cube: usize,
    },
    /// Steps keep the values of a symbol within its domain.
    Domain {
        /// In [`Model::transitions`].
        transition: usize,
        /// In [`Model::symbols`].
        symbol: usize,
    },
    /// What matches the property matches a cube.
    Property {
        /// In [`Model::properties`].
        property: usize,
    },
    /// Nothing is lost where witnesses are added.
    Lift {
        /// By number: of properties and transitions with something to show.
        lift: usize,
    },
}

/// Why a certificate is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// There may be a counterexample: what is known of its state before the step, in words.
    Counterexample(Vec<String>),
    /// The search was given up.
    Undecided(String),
    /// Something in the model or the certificate cannot be checked.
    Unsupported(String),
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.statement)?;
        match &self.cause {
            Cause::Counterexample(state) => write!(f, "not so where {}", state.join(", ")),
            Cause::Undecided(reason) => write!(f, "undecided, {reason}"),
            Cause::Unsupported(what) => write!(f, "cannot be checked, {what}"),
        }
    }
}

impl std::error::Error for Rejection {}

/// How many disjuncts a search may look at: about a second.
const BUDGET: usize = 5_000_000;

/// More processes than this are too many.
pub(crate) const MOST_PROCESSES: usize = 9;

/// Checks that no state that a run of the model reaches matches a cube or a property, for every number of processes.
pub fn check(model: &Model, certificate: &Certificate) -> Result<Checked, Rejection> {
    check_with(model, certificate, How::default())
}

/// How a certificate is checked: all ways come to the same result.
#[derive(Debug, Clone)]
pub struct How {
    /// How many threads there are at most.
    pub threads: NonZero<usize>,
    /// Whether to look for plain reasons before every problem is spelt out and searched. Without, nothing is trusted but the
    /// search itself, which takes longer, and more often too long.
    pub shortcuts: bool,
    /// Asked from time to time whether to give up.
    pub stop: Stop,
}

/// Who may end a check early; by default nobody.
#[derive(Clone, Default)]
pub struct Stop(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Stop {
    /// As soon as a function says so.
    pub fn when(stop: impl Fn() -> bool + Send + Sync + 'static) -> Stop {
        Stop(Some(Arc::new(stop)))
    }

    /// Whether it is time to give up.
    pub fn is_asked(&self) -> bool {
        self.0.as_ref().is_some_and(|stop| stop())
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Stop::when(…)" } else { "Stop(None)" })
    }
}

impl Default for How {
    fn default() -> How {
        let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        How { threads, shortcuts: true, stop: Stop::default() }
    }
}

impl How {
    /// Gives up if it is time to.
    pub(crate) fn look(&self) -> Result<(), Obstacle> {
        if self.stop.is_asked() { Err(Obstacle::TooHard("it was stopped".into())) } else { Ok(()) }
    }
}

/// The same in a certain way.
pub fn check_with(model: &Model, certificate: &Certificate, how: How) -> Result<Checked, Rejection> {
    let form = |what: String| Rejection {
        obligation: Obligation::Form,
        statement: "the certificate is understood".into(),
        cause: Cause::Unsupported(what),
    };
    if model.is_weak() {
        return Err(form("weak memory".into()));
    }
    let Extended { model, lifts } = &certificate.extended(model).map_err(form)?;
    let auxiliaries: Vec<Cube> = certificate.auxiliaries.iter().map(AuxiliaryVariable::cube).collect();
    for cube in certificate.cubes.iter().chain(&auxiliaries) {
        if let Some(complaint) = validity::complaint(model, cube) {
            return Err(form(format!("a cube is not well formed: {complaint}")));
        }
    }
    Checker::new(model, lifts, certificate, how).run().map(|work| work.done)
}

/// What is needed for what, if the certificate is accepted.
pub(crate) fn relevant(extended: &Extended<'_>, certificate: &Certificate) -> Option<Relevant> {
    let Extended { model, lifts } = extended;
    if model.is_weak() || certificate.cubes.iter().any(|cube| validity::complaint(model, cube).is_some()) {
        return None;
    }
    let work = Checker::new(model, lifts, certificate, How::default()).run().ok()?;
    Some(work.relevant(certificate.cubes.len()))
}

/// A part of the work that is done at a stretch.
enum Job<'m> {
    Init(usize, usize),
    Property(usize),
    Lift(usize),
    Domains(usize, Step<'m>, usize),
    /// A step, and some of the cubes.
    Steps(usize, Step<'m>, usize, std::ops::Range<usize>),
}

/// How many cubes a job is about.
const CUBES: usize = 64;

/// Fewer jobs than this are not worth a thread.
const JOBS: usize = 16;

struct Checker<'m> {
    model: &'m Model,
    lifts: &'m [Lift],
    certificate: &'m Certificate,
    how: How,
    /// By number of processes.
    universes: Vec<OnceLock<Universe<'m>>>,
    /// Whether processes are compared by `<` anywhere.
    ordered: bool,
    /// What is known of states in the invariant.
    invariant: Hypotheses<'m>,
    /// What is known of instances.
    assumed: Hypotheses<'m>,
}

/// Something that must have no solution.
#[derive(Clone, Copy)]
struct Problem<'p, 'm> {
    obligation: Obligation,
    /// The step before and after which there are states, if there is one.
    step: Option<&'p Step<'m>>,
    goals: &'p [Goal<'p>],
    /// How many processes there are, at least.
    processes: usize,
}

/// What a ground problem is made of, beside hypotheses.
#[derive(Clone, Copy)]
enum Goal<'a> {
    /// A formula with processes for its variables, after the step or before.
    Formula(&'a Formula, &'a Binding, bool),
    /// The process that a term stands for is involved, if it is one of the run.
    Involved(&'a Term, &'a Binding, bool),
    /// All of `init`.
    Init(&'a Init),
}

impl<'m> Checker<'m> {
    fn new(model: &'m Model, lifts: &'m [Lift], certificate: &'m Certificate, how: How) -> Checker<'m> {
        let cubes = certificate
            .cubes
            .iter()
            .map(|cube| (cube.params.as_slice(), cube.variables.len(), &cube.formula));
        let kept = model.assumptions.iter().filter(|assumption| never_assigned(model, &assumption.formula));
        let assumptions =
            kept.map(|property| (property.params.as_slice(), property.variables.len(), &property.formula));
        let shortcuts = how.shortcuts;
        Checker {
            model,
            lifts,
            certificate,
            how,
            universes: (0..=MOST_PROCESSES).map(|_| OnceLock::new()).collect(),
            ordered: orders_processes(model, lifts, certificate),
            invariant: Hypotheses::new(model, cubes.chain(assumptions.clone()), shortcuts),
            assumed: Hypotheses::new(model, assumptions, shortcuts),
        }
    }

    fn named(&self) -> usize {
        self.model.named_processes as usize
    }

    /// All there is to do, in order.
    fn jobs(&self) -> Vec<Job<'m>> {
        let mut jobs = Vec::new();
        let cubes = self.certificate.cubes.len();
        for init in 0..self.model.init.len() {
            jobs.extend((0..cubes).map(|cube| Job::Init(init, cube)));
        }
        jobs.extend((0..self.model.properties.len()).map(Job::Property));
        jobs.extend((0..self.lifts.len()).map(Job::Lift));
        for (at, transition) in self.model.transitions.iter().enumerate() {
            for (binding, processes) in
                placements(&transition.params, transition.variables.len(), self.named())
            {
                jobs.push(Job::Domains(at, Step { transition, binding: binding.clone() }, processes));
                for from in (0..cubes).step_by(CUBES) {
                    let step = Step { transition, binding: binding.clone() };
                    jobs.push(Job::Steps(at, step, processes, from..cubes.min(from + CUBES)));
                }
            }
        }
        jobs
    }

    /// Does all jobs. Whatever the number of threads, the first rejection in their order is found: jobs are begun in
    /// order, and those before a rejection are finished.
    fn run(&self) -> Result<Work, Rejection> {
        let jobs = self.jobs();
        let next = AtomicUsize::new(0);
        let rejection: Mutex<Option<(usize, Rejection)>> = Mutex::new(None);
        let stop = AtomicUsize::new(usize::MAX);
        let worker = || {
            let mut work = Work::default();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= jobs.len() || at > stop.load(Ordering::Relaxed) {
                    return work;
                }
                if let Err(found) = self.job(&jobs[at], &mut work) {
                    stop.fetch_min(at, Ordering::Relaxed);
                    let mut first = rejection.lock().expect("no thread panics while it holds this");
                    if first.as_ref().is_none_or(|(position, _)| at < *position) {
                        *first = Some((at, found));
                    }
                }
            }
        };
        let mut work = Work::default();
        thread::scope(|scope| {
            let others: Vec<_> =
                (1..self.how.threads.get().min(jobs.len() / JOBS)).map(|_| scope.spawn(worker)).collect();
            work.absorb(worker());
            for other in others {
                work.absorb(other.join().expect("the checker does not panic"));
            }
        });
        match rejection.into_inner().expect("no thread panics while it holds this") {
            Some((_, rejection)) => Err(rejection),
            None => Ok(work),
        }
    }

    fn job(&self, job: &Job<'m>, work: &mut Work) -> Result<(), Rejection> {
        match job {
            Job::Init(init_at, at) => {
                let (init, cube) = (&self.model.init[*init_at], &self.certificate.cubes[*at]);
                let obligation = Obligation::Init { init: *init_at, cube: *at };
                for (binding, processes) in placements(&cube.params, cube.variables.len(), self.named()) {
                    let goals = [Goal::Formula(&cube.formula, &binding, false), Goal::Init(init)];
                    self.refute(work, Problem { obligation, step: None, goals: &goals, processes })?;
                }
            }
            Job::Property(at) => {
                let obligation = Obligation::Property { property: *at };
                self.property(work, obligation, &self.model.properties[*at], None)?;
            }
            Job::Lift(at) => {
                let Lift { never, auxiliary } = &self.lifts[*at];
                self.property(work, Obligation::Lift { lift: *at }, never, Some(auxiliary))?;
            }
            Job::Domains(transition, step, processes) => {
                self.domains(work, *transition, step, *processes)?;
            }
            Job::Steps(transition, step, processes, cubes) => {
                let fast = Fast::new(self.model, step);
                for cube in cubes.clone() {
                    let obligation = Obligation::Step { transition: *transition, cube };
                    self.step(work, obligation, &fast, cube, *processes)?;
                }
            }
        }
        Ok(())
    }

    /// No state matches a property, whoever a term stands for.
    fn property(
        &self,
        work: &mut Work,
        obligation: Obligation,
        property: &Property,
        whoever: Option<&Term>,
    ) -> Result<(), Rejection> {
        for (binding, processes) in placements(&property.params, property.variables.len(), self.named()) {
            let mut goals = vec![Goal::Formula(&property.formula, &binding, false)];
            goals.extend(whoever.map(|term| Goal::Involved(term, &binding, false)));
            self.refute(work, Problem { obligation, step: None, goals: &goals, processes })?;
        }
        Ok(())
    }

    /// The step leaves every cell with a value of its domain.
    fn domains(
        &self,
        work: &mut Work,
        transition: usize,
        step: &Step<'m>,
        processes: usize,
    ) -> Result<(), Rejection> {
        for update in &step.transition.updates {
            let Some(outside) = outside_of_domain(self.model, update.symbol) else { continue };
            let obligation = Obligation::Domain { transition, symbol: update.symbol.index() };
            for (binding, processes) in cells(&outside, processes) {
                let goals = [
                    Goal::Formula(&outside.formula, &binding, true),
                    Goal::Formula(&step.transition.guard, &step.binding, false),
                ];
                self.refute(work, Problem { obligation, step: Some(step), goals: &goals, processes })?;
            }
        }
        Ok(())
    }

    fn step(
        &self,
        work: &mut Work,
        obligation: Obligation,
        fast: &Fast<'_, 'm>,
        at: usize,
        processes: usize,
    ) -> Result<(), Rejection> {
        let (cube, step) = (&self.certificate.cubes[at], fast.step);
        let reads = reads(cube);
        let written: Vec<&Update> = step
            .transition
            .updates
            .iter()
            .filter(|update| reads.iter().any(|read| read.symbol() == Some(update.symbol)))
            .collect();
        if written.is_empty() {
            work.done.plain += 1;
            return Ok(());
        }
        for (binding, processes) in placements(&cube.params, cube.variables.len(), processes) {
            if let Err(obstacle) = self.how.look() {
                let (statement, cause) = (self.statement(obligation), Cause::from(obstacle));
                return Err(Rejection { obligation, statement, cause });
            }
            if !written.iter().any(|update| touches(step, update, &reads, &binding)) {
                work.done.plain += 1;
                // A match after the step was one before: that follows from the cube itself.
                work.use_hypotheses(obligation, [at]);
                continue;
            }
            if self.how.shortcuts && self.refuted_fast(work, obligation, fast, (at, &binding), processes) {
                work.done.problems += 1;
                continue;
            }
            let goals = [
                Goal::Formula(&cube.formula, &binding, true),
                Goal::Formula(&step.transition.guard, &step.binding, false),
            ];
            self.refute(work, Problem { obligation, step: Some(step), goals: &goals, processes })?;
        }
        Ok(())
    }

    /// Whether it is plain to see that a step does not lead to a cube, with any number of further processes.
    fn refuted_fast(
        &self,
        work: &mut Work,
        obligation: Obligation,
        fast: &Fast<'_, 'm>,
        (at, binding): (usize, &Binding),
        processes: usize,
    ) -> bool {
        // The long way says so where there are too many.
        let Ok(universe) = self.universe(processes.max(1)) else { return false };
        let chosen = chosen(&self.certificate.cubes[at].params, binding);
        let mut used = Vec::new();
        let literals = self.invariant.direct(at);
        let refuted = fast.refutes(literals, &chosen, universe, (&self.invariant, &mut used));
        work.use_hypotheses(obligation, used);
        refuted
    }

    /// Shows that the goals have no solution.
    fn refute(&self, work: &mut Work, problem: Problem<'_, 'm>) -> Result<(), Rejection> {
        let goals = problem.goals;
        let refuted = self.refute_with_named(work, problem);
        let Err(Rejection { cause: Cause::Counterexample(_), .. }) = &refuted else { return refuted };
        // What the goals say of all processes may name somebody, too. That is rarely needed, and costs a process each.
        let mut more = goals.to_vec();
        for goal in goals {
            if let Goal::Formula(formula, binding, after) = *goal {
                let named = named_for_all(self.model, formula, binding);
                more.extend(named.into_iter().map(|term| Goal::Involved(term, binding, after)));
            }
        }
        if more.len() == goals.len() {
            return refuted;
        }
        self.refute_with_named(work, Problem { goals: &more, ..problem })
    }

    /// Shows that the goals have no solution with so many processes and whoever else they name.
    fn refute_with_named(&self, work: &mut Work, problem: Problem<'_, 'm>) -> Result<(), Rejection> {
        let Problem { obligation, step, goals, processes } = problem;
        let mut witnesses = Witnesses::new(self.model, step);
        for goal in goals {
            match goal {
                Goal::Formula(formula, binding, after) => witnesses.formula(formula, true, binding, *after),
                Goal::Involved(term, binding, after) => witnesses.involved(term, binding, *after),
                Goal::Init(init) if init.params.is_empty() => {
                    witnesses.formula(&init.formula, true, &vec![None; init.variables.len()], false);
                }
                Goal::Init(_) => {}
            }
        }
        let most = self.model.max_processes.map_or(usize::MAX, |most| most as usize);
        let at_most = most.min(processes + witnesses.count());
        if at_most > MOST_PROCESSES {
            let cause = Cause::Undecided(format!("up to {at_most} processes are involved"));
            return Err(Rejection { obligation, statement: self.statement(obligation), cause });
        }
        for further in 0..=witnesses.count() {
            // A run has at least one process: whoever it is, it is involved if nobody else is.
            let count = (processes + further).max(1);
            // So many processes are never there.
            if count > most {
                return Ok(());
            }
            let found = self.solve(work, Problem { processes: count, ..problem });
            if let Some(cause) = found.unwrap_or_else(|obstacle| Some(Cause::from(obstacle))) {
                return Err(Rejection { obligation, statement: self.statement(obligation), cause });
            }
            work.done.problems += 1;
        }
        Ok(())
    }

    fn statement(&self, obligation: Obligation) -> String {
        match obligation {
            Obligation::Lift { lift } => self.lifts[lift].never.name.clone(),
            _ => statement(self.model, self.certificate, obligation),
        }
    }

    /// A counterexample, if there may be one.
    fn solve(&self, work: &mut Work, problem: Problem<'_, 'm>) -> Result<Option<Cause>, Obstacle> {
        let Problem { obligation, step, goals, processes } = problem;
        let universe = self.universe(processes)?;
        let mut grounder = Grounder::new(universe, step);
        let mut node = Node::new(grounder.table.values.clone());
        for goal in goals {
            let consistent = match goal {
                Goal::Formula(formula, binding, after) => {
                    let scope = Scope { binding, after: *after, goal: true };
                    include(&mut grounder, &mut node, formula, scope)?
                }
                Goal::Involved(term, binding, after) => {
                    let tree = grounder.involved(term, Scope { binding, after: *after, goal: true })?;
                    node.include(&tree, &grounder.table.values)
                }
                Goal::Init(init) => include_init(&mut grounder, &mut node, init)?,
            };
            if !consistent {
                return Ok(None);
            }
        }
        let hypotheses = match obligation {
            Obligation::Init { .. } | Obligation::Lift { .. } => &self.assumed,
            _ => &self.invariant,
        };
        let (how, used) = (&self.how, BTreeSet::new());
        let mut search = Search { grounder: &mut grounder, hypotheses, budget: BUDGET, used, how };
        let found = search.state(node)?;
        work.use_hypotheses(obligation, search.used);
        Ok(found.map(|node| Cause::Counterexample(describe(universe, &node.values))))
    }

    fn universe(&self, processes: usize) -> Result<&Universe<'m>, Obstacle> {
        let slot = self
            .universes
            .get(processes)
            .ok_or_else(|| Obstacle::TooHard(format!("{processes} processes are involved")))?;
        if let Some(universe) = slot.get() {
            return Ok(universe);
        }
        let universe = Universe::new(self.model, processes, self.ordered)?;
        Ok(slot.get_or_init(|| universe))
    }
}

impl From<Obstacle> for Cause {
    fn from(obstacle: Obstacle) -> Cause {
        match obstacle {
            Obstacle::Unsupported(what) => Cause::Unsupported(what),
            Obstacle::TooHard(reason) => Cause::Undecided(reason),
        }
    }
}

/// Adds a formula, one conjunct after the other; false as soon as that contradicts what is known.
fn include(
    grounder: &mut Grounder<'_, '_>,
    node: &mut Node,
    formula: &Formula,
    scope: Scope<'_>,
) -> Result<bool, Obstacle> {
    for conjunct in formula.conjuncts() {
        let tree = grounder.formula(conjunct, true, scope)?;
        if !node.include(&tree, &grounder.table.values) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Adds `init` for all values of its parameters, and which variables start outside of the run.
fn include_init(grounder: &mut Grounder<'_, '_>, node: &mut Node, init: &Init) -> Result<bool, Obstacle> {
    let universe = grounder.universe;
    for (at, symbol) in universe.model.symbols.iter().enumerate() {
        let id = SymbolId::from_index(at);
        if symbol.sort == Sort::Proc {
            let outsider = init.outsiders.iter().find(|(symbol, _)| *symbol == id);
            let mask =
                outsider.map_or(!universe.outsider_mask(), |(_, named)| 1 << universe.outsider(*named));
            for cell in universe.cells(id).map(|cell| u32::try_from(cell).expect("few")) {
                if !node.include(&Tree::Literal(Literal::In(cell, mask)), &grounder.table.values) {
                    return Ok(false);
                }
            }
        }
    }
    let goal = init.params.is_empty();
    for binding in assignments(&init.params, init.variables.len(), universe.processes) {
        let scope = Scope { binding: &binding, after: false, goal };
        if !include(grounder, node, &init.formula, scope)? {
            return Ok(false);
        }
    }
    Ok(true)
}
