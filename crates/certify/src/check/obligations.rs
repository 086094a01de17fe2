//! The obligations of a certificate: the ground problems that they lead to, shared among threads.

use super::{
    Obstacle,
    counting::Counted,
    fast::{Fast, chosen},
    ground::{Binding, Grounder, Scope, Step},
    hypotheses::Hypotheses,
    options::CheckOptions,
    outcome::{Cause, Checked, Obligation, Rejection},
    placements::{assignments, cells, placements},
    promises::{Kept, Promise},
    reading::{never_assigned, orders_processes, outside_of_domain, reads, touches},
    relevance::{Relevant, Work},
    search::{Node, Search},
    tree::{Literal, Tree},
    universe::Universe,
    validity,
    witnesses::{Witnesses, named_for_all},
    wording::{describe, statement},
};
use crate::{
    AuxiliaryVariable, Certificate, Counter, Cube, Extended,
    auxiliary::{Given, Lift},
    threads::on_threads,
};
use ir::{Formula, Init, Model, Property, Sort, SymbolId, Term, Update};
use std::{
    borrow::Cow,
    collections::BTreeSet,
    sync::{
        Mutex, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

/// The most disjuncts that a search may look at, which takes about a second.
const BUDGET: usize = 5_000_000;

/// The most promises that are kept at once: each costs a process.
const MOST_KEPT: usize = 2;

/// Problems that involve more processes are not attempted.
pub(crate) const MOST_PROCESSES: usize = 9;

/// Checks that no state that a run of the model reaches matches a cube or a property, for every number of processes.
pub fn check(model: &Model, certificate: &Certificate) -> Result<Checked, Rejection> {
    check_with(model, certificate, CheckOptions::default())
}

/// The same, with options.
pub fn check_with(
    model: &Model,
    certificate: &Certificate,
    options: CheckOptions,
) -> Result<Checked, Rejection> {
    let form = |what: String| Rejection {
        obligation: Obligation::Form,
        statement: "the certificate is understood".into(),
        cause: Cause::Unsupported(what),
    };
    if model.is_weak() {
        return Err(form("weak memory".into()));
    }
    let extended = certificate.extended(model).map_err(form)?;
    let model = &*extended.model;
    let auxiliaries = certificate.auxiliaries.iter().map(AuxiliaryVariable::cube);
    let auxiliaries: Vec<Cube> = auxiliaries.chain(certificate.counters.iter().map(Counter::cube)).collect();
    for cube in certificate.cubes.iter().chain(&auxiliaries) {
        if let Some(complaint) = validity::complaint(model, cube) {
            return Err(form(format!("a cube is not well formed: {complaint}")));
        }
    }
    Checker::new(&extended, certificate, options).run().map(|work| work.done)
}

/// Checks that steps keep all symbols within their domains, whatever the invariant.
pub(crate) fn domains_hold(model: &Model, options: &CheckOptions) -> Result<Checked, Rejection> {
    let certificate = Certificate::default();
    let extended = Extended { model: Cow::Borrowed(model), lifts: vec![], never: vec![] };
    let checker = Checker::new(&extended, &certificate, options.clone());
    let mut work = Work::default();
    for (at, transition) in model.transitions.iter().enumerate() {
        for (binding, processes) in
            placements(&transition.params, transition.variables.len(), checker.named())
        {
            checker.domains(&mut work, at, &Step { transition, binding }, processes)?;
        }
    }
    Ok(work.done)
}

/// Which cubes each obligation follows from, if the certificate is accepted.
pub(crate) fn relevant(extended: &Extended<'_>, certificate: &Certificate) -> Option<Relevant> {
    let model = &*extended.model;
    if model.is_weak() || certificate.cubes.iter().any(|cube| validity::complaint(model, cube).is_some()) {
        return None;
    }
    let work = Checker::new(extended, certificate, CheckOptions::default()).run().ok()?;
    Some(work.relevant(certificate.cubes.len()))
}

/// A part of the work that one thread does at a time.
enum Job<'m> {
    Init(usize, usize),
    Property(usize),
    Lift(usize),
    Domains(usize, Step<'m>, usize),
    /// Steps of a transition to some of the cubes.
    Steps(usize, Step<'m>, usize, std::ops::Range<usize>),
}

/// The most cubes of a job.
const CUBES: usize = 64;

/// Fewer jobs than this are not worth a thread.
const JOBS: usize = 16;

struct Checker<'m> {
    model: &'m Model,
    lifts: &'m [Lift],
    certificate: &'m Certificate,
    options: CheckOptions,
    /// By number of involved processes.
    universes: Vec<OnceLock<Universe<'m>>>,
    /// Whether processes are compared by `<` anywhere.
    ordered: bool,
    /// What holds in all states of the invariant.
    invariant: Hypotheses<'m>,
    /// What holds in all states, by the assumptions of the model.
    assumed: Hypotheses<'m>,
    /// Numbers of processes that the certificate adds.
    counters: Vec<Counted<'m>>,
    /// What assumptions promise, and then what counters promise: that there is some process.
    promises: Vec<Promise<'m>>,
    of_assumptions: usize,
}

/// A family of ground problems that must have no solution: one for each number of further processes.
#[derive(Clone, Copy)]
struct Problem<'p, 'm> {
    obligation: Obligation,
    /// The step, if there is one: then there is a state before and a state after it.
    step: Option<&'p Step<'m>>,
    goals: &'p [Goal<'p>],
    /// The number of processes that are involved, not counting those that goals point at.
    processes: usize,
    /// Promises of assumptions that are kept by one of the processes.
    kept: &'p [Kept],
}

/// What a counterexample must satisfy, apart from the hypotheses.
#[derive(Clone, Copy)]
enum Goal<'a> {
    /// A formula with processes for its variables; after the step, or before.
    Formula(&'a Formula, &'a Binding, bool),
    /// The process that a term stands for is involved, if it is one of the run.
    Involved(&'a Term, &'a Binding, bool),
    /// `init`, for all values of its parameters.
    Init(&'a Init),
}

impl<'m> Checker<'m> {
    fn new(extended: &'m Extended<'_>, certificate: &'m Certificate, options: CheckOptions) -> Checker<'m> {
        let (model, lifts) = (&*extended.model, extended.lifts.as_slice());
        let cubes = certificate
            .cubes
            .iter()
            .map(|cube| (cube.params.as_slice(), cube.variables.len(), &cube.formula));
        let kept = model.assumptions.iter().filter(|assumption| never_assigned(model, &assumption.formula));
        let assumptions =
            kept.map(|property| (property.params.as_slice(), property.variables.len(), &property.formula));
        let shortcuts = options.shortcuts;
        let promises =
            model.assumptions.iter().filter(|assumption| never_assigned(model, &assumption.formula));
        let promises: Vec<Promise<'m>> = promises.filter_map(Promise::new).collect();
        let of_assumptions = promises.len();
        let promises = promises.into_iter().chain(extended.never.iter().filter_map(Promise::new)).collect();
        Checker {
            promises,
            of_assumptions,
            model,
            lifts,
            certificate,
            options,
            universes: (0..=MOST_PROCESSES).map(|_| OnceLock::new()).collect(),
            ordered: orders_processes(model, lifts, certificate),
            invariant: Hypotheses::new(model, cubes.chain(assumptions.clone()), shortcuts),
            assumed: Hypotheses::new(model, assumptions, shortcuts),
            counters: certificate
                .counted(model)
                .map(|(symbol, counter)| Counted::new(symbol, counter))
                .collect(),
        }
    }

    fn named(&self) -> usize {
        self.model.named_processes as usize
    }

    /// All jobs, in order.
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

    /// Does all jobs. Whatever the number of threads, the first rejection in the order of jobs is found: jobs are begun in
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
        for done in on_threads(self.options.threads.get().min(jobs.len() / JOBS), worker) {
            work.absorb(done);
        }
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
                    self.refute(
                        work,
                        Problem { obligation, step: None, goals: &goals, processes, kept: &[] },
                    )?;
                }
            }
            Job::Property(at) => {
                let obligation = Obligation::Property { property: *at };
                self.property(work, obligation, &self.model.properties[*at], (None, None))?;
            }
            Job::Lift(at) => {
                let Lift { never, auxiliary, given } = &self.lifts[*at];
                let init = match given {
                    Given::Init(at) => Some(&self.model.init[*at]),
                    Given::Nothing | Given::Invariant => None,
                };
                self.property(work, Obligation::Lift { lift: *at }, never, (auxiliary.as_ref(), init))?;
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

    /// No state matches a property, whichever process a term stands for; or no initial one does.
    fn property(
        &self,
        work: &mut Work,
        obligation: Obligation,
        property: &Property,
        (pointer, init): (Option<&Term>, Option<&Init>),
    ) -> Result<(), Rejection> {
        for (binding, processes) in placements(&property.params, property.variables.len(), self.named()) {
            let mut goals = vec![Goal::Formula(&property.formula, &binding, false)];
            goals.extend(pointer.map(|term| Goal::Involved(term, &binding, false)));
            goals.extend(init.map(Goal::Init));
            self.refute(work, Problem { obligation, step: None, goals: &goals, processes, kept: &[] })?;
        }
        Ok(())
    }

    /// The step leaves every cell with a value in its domain.
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
                self.refute(
                    work,
                    Problem { obligation, step: Some(step), goals: &goals, processes, kept: &[] },
                )?;
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
            if let Err(obstacle) = self.options.look() {
                let (statement, cause) = (self.statement(obligation), Cause::from(obstacle));
                return Err(Rejection { obligation, statement, cause });
            }
            if !written.iter().any(|update| touches(step, update, &reads, &binding)) {
                work.done.plain += 1;
                // A match after the step was one before: that follows from the cube itself.
                work.use_hypotheses(obligation, [at]);
                continue;
            }
            if self.options.shortcuts && self.refuted_fast(work, obligation, fast, (at, &binding), processes)
            {
                work.done.problems += 1;
                continue;
            }
            let goals = [
                Goal::Formula(&cube.formula, &binding, true),
                Goal::Formula(&step.transition.guard, &step.binding, false),
            ];
            self.refute(work, Problem { obligation, step: Some(step), goals: &goals, processes, kept: &[] })?;
        }
        Ok(())
    }

    /// Whether there is a simple reason why a step does not lead to a cube, for any number of further processes.
    fn refuted_fast(
        &self,
        work: &mut Work,
        obligation: Obligation,
        fast: &Fast<'_, 'm>,
        (at, binding): (usize, &Binding),
        processes: usize,
    ) -> bool {
        // If there are too many processes, the search will report it.
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
        // Terms in what the goals require of all processes may point at further ones. That is rarely needed, and each costs a
        // process.
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

    /// Shows that the goals have no solution with these processes and all others that they point at.
    fn refute_with_named(&self, work: &mut Work, problem: Problem<'_, 'm>) -> Result<(), Rejection> {
        let Problem { obligation, step, goals, processes, .. } = problem;
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
            // An instance has at least one process: if no other is involved, take that one.
            let count = (processes + further).max(1);
            // No instance has this many.
            if count > most {
                return Ok(());
            }
            if let Some(cause) = self.solve_with_promises(work, Problem { processes: count, ..problem }) {
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

    /// A counterexample, if there may be one, even if assumptions name the processes that they promise.
    fn solve_with_promises(&self, work: &mut Work, problem: Problem<'_, 'm>) -> Option<Cause> {
        let found = self.solve(work, problem).unwrap_or_else(|obstacle| Some(Cause::from(obstacle)));
        let is_open = matches!(found, Some(Cause::Counterexample(_)));
        if !is_open || problem.kept.len() >= MOST_KEPT || self.promises.is_empty() {
            return found;
        }
        // Either one of the involved processes keeps a promise, or one more does.
        let is_kept = |promise: usize, binding: &Binding| {
            let refuted = |processes: usize, by: Option<usize>| {
                let one = Kept { promise, binding: binding.clone(), by };
                let kept: Vec<Kept> = problem.kept.iter().cloned().chain([one]).collect();
                (processes, kept)
            };
            [refuted(problem.processes + 1, Some(problem.processes)), refuted(problem.processes, None)]
        };
        let most = if self.counts(problem.obligation) { self.promises.len() } else { self.of_assumptions };
        for (at, promise) in self.promises[..most].iter().enumerate() {
            for binding in promise.bindings(problem.processes) {
                if problem.kept.iter().any(|one| one.promise == at && one.binding == binding) {
                    continue;
                }
                let refuted = is_kept(at, &binding).iter().all(|(processes, kept)| {
                    self.is_beyond(*processes)
                        || self
                            .solve_with_promises(work, Problem { processes: *processes, kept, ..problem })
                            .is_none()
                });
                if refuted {
                    work.use_promise(problem.obligation, at.checked_sub(self.of_assumptions));
                    return None;
                }
            }
        }
        found
    }

    /// Whether no instance has this many processes.
    fn is_beyond(&self, processes: usize) -> bool {
        self.model.max_processes.is_some_and(|most| processes > most as usize)
    }

    /// A counterexample, if there may be one.
    fn solve(&self, work: &mut Work, problem: Problem<'_, 'm>) -> Result<Option<Cause>, Obstacle> {
        let Problem { obligation, step, goals, processes, kept } = problem;
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
        for one in kept {
            let tree = self.promises[one.promise].kept(&mut grounder, one)?;
            if !node.include(&tree, &grounder.table.values) {
                return Ok(None);
            }
        }
        let hypotheses = match obligation {
            Obligation::Init { .. } => &self.assumed,
            Obligation::Lift { lift } if self.lifts[lift].given != Given::Invariant => &self.assumed,
            _ => &self.invariant,
        };
        if self.counts(obligation) && !self.include_counters(&mut grounder, &mut node)? {
            return Ok(None);
        }
        let (options, used) = (&self.options, BTreeSet::new());
        let mut search = Search { grounder: &mut grounder, hypotheses, budget: BUDGET, used, options };
        let found = search.state(node)?;
        work.use_hypotheses(obligation, search.used);
        Ok(found.map(|node| Cause::Counterexample(describe(universe, &node.values))))
    }

    /// Whether counters may be supposed to be the numbers that they stand for. What they start as has to be shown without.
    fn counts(&self, obligation: Obligation) -> bool {
        let is_start = match obligation {
            Obligation::Lift { lift } => matches!(self.lifts[lift].given, Given::Init(_)),
            _ => false,
        };
        !self.counters.is_empty() && !is_start
    }

    /// Adds how many of the involved processes are counted; false if that contradicts what is known.
    fn include_counters(&self, grounder: &mut Grounder<'_, 'm>, node: &mut Node) -> Result<bool, Obstacle> {
        for counted in &self.counters {
            for fact in counted.facts(grounder)? {
                if !node.include(&fact, &grounder.table.values) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
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

/// Adds a formula, one conjunct after the other; false as soon as that contradicts what is known.
pub(crate) fn include(
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

/// Adds `init` for all values of its parameters, and which variables start as an outsider.
pub(crate) fn include_init(
    grounder: &mut Grounder<'_, '_>,
    node: &mut Node,
    init: &Init,
) -> Result<bool, Obstacle> {
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
