//! The obligations: initial states, steps, properties.

use super::{
    Obstacle,
    fast::{Fast, chosen},
    ground::{Binding, Grounder, Scope, Step, is_process},
    hypotheses::Hypotheses,
    search::{Node, Search},
    tree::{Literal, Mask, Tree},
    universe::Universe,
    validity,
    witnesses::Witnesses,
};
use crate::{Certificate, Cube};
use model::ir::{
    Domain, Formula, Init, Model, OutsiderId, Property, Relation, Sort, SymbolId, Term, Transition, Update,
    Var,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    num::NonZero,
    sync::{
        Mutex, OnceLock,
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
const MOST_PROCESSES: usize = 9;

/// Checks that no state that a run of the model reaches matches a cube or a property, for every number of processes.
pub fn check(model: &Model, certificate: &Certificate) -> Result<Checked, Rejection> {
    let form = |what: String| Rejection {
        obligation: Obligation::Form,
        statement: "the certificate is understood".into(),
        cause: Cause::Unsupported(what),
    };
    if model.is_weak() {
        return Err(form("weak memory".into()));
    }
    for cube in &certificate.cubes {
        if let Some(complaint) = validity::complaint(model, cube) {
            return Err(form(format!("a cube is not well formed: {complaint}")));
        }
    }
    let checker = Checker::new(model, certificate);
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    checker.run(threads).map(|work| work.done)
}

/// The cubes from which each obligation followed, by position; none if not all of them followed.
pub(crate) struct Relevant(BTreeMap<Key, BTreeSet<usize>>);

/// An obligation that has hypotheses: a property, or a transition with a cube.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Property(usize),
    Step(usize, usize),
}

impl Relevant {
    /// For a property.
    pub(crate) fn to_property(&self, property: usize) -> impl Iterator<Item = usize> {
        self.0.get(&Key::Property(property)).into_iter().flatten().copied()
    }

    /// For a step of a transition to a cube.
    pub(crate) fn to_step(&self, transition: usize, cube: usize) -> impl Iterator<Item = usize> {
        self.0.get(&Key::Step(transition, cube)).into_iter().flatten().copied()
    }
}

/// What is needed for what, if the certificate is accepted.
pub(crate) fn relevant(model: &Model, certificate: &Certificate) -> Option<Relevant> {
    if model.is_weak() || certificate.cubes.iter().any(|cube| validity::complaint(model, cube).is_some()) {
        return None;
    }
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let mut work = Checker::new(model, certificate).run(threads).ok()?;
    for cubes in work.used.values_mut() {
        // Assumptions come after the cubes.
        cubes.retain(|cube| *cube < certificate.cubes.len());
    }
    Some(Relevant(work.used))
}

/// What was done.
#[derive(Debug, Default)]
struct Work {
    done: Checked,
    used: BTreeMap<Key, BTreeSet<usize>>,
}

impl Work {
    fn use_hypotheses(&mut self, obligation: Obligation, used: impl IntoIterator<Item = usize>) {
        let key = match obligation {
            Obligation::Step { transition, cube } => Key::Step(transition, cube),
            Obligation::Property { property } => Key::Property(property),
            Obligation::Form | Obligation::Init { .. } | Obligation::Domain { .. } => return,
        };
        self.used.entry(key).or_default().extend(used);
    }

    fn absorb(&mut self, other: Work) {
        self.done.problems += other.done.problems;
        self.done.plain += other.done.plain;
        for (key, used) in other.used {
            self.used.entry(key).or_default().extend(used);
        }
    }
}

/// A part of the work that is done at a stretch.
enum Job<'m> {
    Init(usize, usize),
    Property(usize),
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
    certificate: &'m Certificate,
    /// By number of processes.
    universes: Vec<OnceLock<Universe<'m>>>,
    /// Whether processes are compared by `<` anywhere.
    ordered: bool,
    /// What is known of states in the invariant.
    invariant: Hypotheses<'m>,
    /// What is known of instances.
    assumed: Hypotheses<'m>,
}

/// A step with what is found out about it before cubes are looked at.
struct Prepared<'s, 'm> {
    fast: Fast<'s, 'm>,
    /// What the guard leaves to the cells, by number of processes; none if nothing.
    before: Vec<Option<Option<Vec<Mask>>>>,
}

/// What a ground problem is made of, beside hypotheses.
enum Goal<'a> {
    /// A formula with processes for its variables, after the step or before.
    Formula(&'a Formula, &'a Binding, bool),
    /// All of `init`.
    Init(&'a Init),
}

impl<'m> Checker<'m> {
    fn new(model: &'m Model, certificate: &'m Certificate) -> Checker<'m> {
        let cubes = certificate
            .cubes
            .iter()
            .map(|cube| (cube.params.as_slice(), cube.variables.len(), &cube.formula));
        let kept = model.assumptions.iter().filter(|assumption| never_assigned(model, &assumption.formula));
        let assumptions =
            kept.map(|property| (property.params.as_slice(), property.variables.len(), &property.formula));
        Checker {
            model,
            certificate,
            universes: (0..=MOST_PROCESSES).map(|_| OnceLock::new()).collect(),
            ordered: orders_processes(model, certificate),
            invariant: Hypotheses::new(model, cubes.chain(assumptions.clone())),
            assumed: Hypotheses::new(model, assumptions),
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
    fn run(&self, threads: usize) -> Result<Work, Rejection> {
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
            let others: Vec<_> = (1..threads.min(jobs.len() / JOBS)).map(|_| scope.spawn(worker)).collect();
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
                    self.refute(work, obligation, None, &goals, processes)?;
                }
            }
            Job::Property(at) => {
                let property = &self.model.properties[*at];
                let obligation = Obligation::Property { property: *at };
                for (binding, processes) in
                    placements(&property.params, property.variables.len(), self.named())
                {
                    let goals = [Goal::Formula(&property.formula, &binding, false)];
                    self.refute(work, obligation, None, &goals, processes)?;
                }
            }
            Job::Domains(transition, step, processes) => {
                self.domains(work, *transition, step, *processes)?;
            }
            Job::Steps(transition, step, processes, cubes) => {
                let mut prepared = Prepared {
                    fast: Fast::new(self.model, step),
                    before: (0..=MOST_PROCESSES).map(|_| None).collect(),
                };
                for cube in cubes.clone() {
                    let obligation = Obligation::Step { transition: *transition, cube };
                    self.step(work, obligation, (step, &mut prepared), cube, *processes)?;
                }
            }
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
                self.refute(work, obligation, Some(step), &goals, processes)?;
            }
        }
        Ok(())
    }

    fn step(
        &self,
        work: &mut Work,
        obligation: Obligation,
        (step, prepared): (&Step<'m>, &mut Prepared<'_, 'm>),
        at: usize,
        processes: usize,
    ) -> Result<(), Rejection> {
        let cube = &self.certificate.cubes[at];
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
            if !written.iter().any(|update| touches(step, update, &reads, &binding)) {
                work.done.plain += 1;
                // A match after the step was one before: that follows from the cube itself.
                work.use_hypotheses(obligation, [at]);
                continue;
            }
            if self.refuted_fast(work, obligation, prepared, (at, &binding), processes) {
                work.done.problems += 1;
                continue;
            }
            let goals = [
                Goal::Formula(&cube.formula, &binding, true),
                Goal::Formula(&step.transition.guard, &step.binding, false),
            ];
            self.refute(work, obligation, Some(step), &goals, processes)?;
        }
        Ok(())
    }

    /// Whether it is plain to see that a step does not lead to a cube, with any number of further processes.
    fn refuted_fast(
        &self,
        work: &mut Work,
        obligation: Obligation,
        prepared: &mut Prepared<'_, 'm>,
        (at, binding): (usize, &Binding),
        processes: usize,
    ) -> bool {
        // The long way says so where there are too many.
        let Ok(universe) = self.universe(processes.max(1)) else { return false };
        let Prepared { fast, before } = prepared;
        let Some(before) = before[universe.processes].get_or_insert_with(|| fast.before(universe)) else {
            return true;
        };
        let chosen = chosen(&self.certificate.cubes[at].params, binding);
        let mut used = Vec::new();
        let refuted = fast.refutes(
            before.clone(),
            self.invariant.direct(at),
            &chosen,
            universe,
            (&self.invariant, &mut used),
        );
        work.use_hypotheses(obligation, used);
        refuted
    }

    /// Shows that the goals have no solution with so many processes and whoever else they name.
    fn refute(
        &self,
        work: &mut Work,
        obligation: Obligation,
        step: Option<&Step<'m>>,
        goals: &[Goal<'_>],
        processes: usize,
    ) -> Result<(), Rejection> {
        let mut witnesses = Witnesses::new(self.model, step);
        for goal in goals {
            match goal {
                Goal::Formula(formula, binding, after) => witnesses.formula(formula, true, binding, *after),
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
            let found = self.solve(work, obligation, step, goals, count);
            if let Some(cause) = found.unwrap_or_else(|obstacle| Some(Cause::from(obstacle))) {
                return Err(Rejection { obligation, statement: self.statement(obligation), cause });
            }
            work.done.problems += 1;
        }
        Ok(())
    }

    /// A counterexample, if there may be one.
    fn solve(
        &self,
        work: &mut Work,
        obligation: Obligation,
        step: Option<&Step<'m>>,
        goals: &[Goal<'_>],
        processes: usize,
    ) -> Result<Option<Cause>, Obstacle> {
        let universe = self.universe(processes)?;
        let mut grounder = Grounder::new(universe, step);
        let mut node = Node::new(grounder.table.values.clone());
        for goal in goals {
            let consistent = match goal {
                Goal::Formula(formula, binding, after) => {
                    let scope = Scope { binding, after: *after, goal: true };
                    include(&mut grounder, &mut node, formula, scope)?
                }
                Goal::Init(init) => include_init(&mut grounder, &mut node, init)?,
            };
            if !consistent {
                return Ok(None);
            }
        }
        let hypotheses =
            if matches!(obligation, Obligation::Init { .. }) { &self.assumed } else { &self.invariant };
        let mut search =
            Search { grounder: &mut grounder, hypotheses, budget: BUDGET, used: BTreeSet::new() };
        let found = search.state(node)?;
        work.use_hypotheses(obligation, search.used);
        Ok(found.map(|node| Cause::Counterexample(describe(universe, &node))))
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

    fn statement(&self, obligation: Obligation) -> String {
        let cube = |at: usize| self.certificate.cubes[at].display(self.model).to_string();
        match obligation {
            Obligation::Form => "the certificate is understood".into(),
            Obligation::Init { cube: at, .. } => format!("no initial state matches {}", cube(at)),
            Obligation::Step { transition, cube: at } => {
                let rule = self.model.transitions[transition].rule;
                format!("`{}` does not lead to {}", self.model.rules[rule.index()].name, cube(at))
            }
            Obligation::Domain { transition, symbol } => {
                let rule = self.model.transitions[transition].rule;
                let (rule, symbol) = (&self.model.rules[rule.index()].name, &self.model.symbols[symbol].name);
                format!("`{rule}` keeps `{symbol}` within its domain")
            }
            Obligation::Property { property } => {
                format!("no state of the invariant matches `{}`", self.model.properties[property].name)
            }
        }
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

/// All values of the parameters, distinct or not.
fn assignments(params: &[Var], variables: usize, processes: usize) -> Vec<Binding> {
    let mut all: Vec<Binding> = vec![vec![None; variables]];
    for param in params {
        let with = |binding: &Binding, process: usize| {
            let mut binding = binding.clone();
            binding[param.index()] = Some(process);
            binding
        };
        all = all
            .iter()
            .flat_map(|binding| (0..processes).map(move |process| with(binding, process)))
            .collect();
    }
    all
}

/// All ways to give parameters pairwise distinct processes, among so many known ones and further ones; and how many
/// processes there are then. Further ones come in order: they only differ by name.
fn placements(params: &[Var], variables: usize, known: usize) -> Vec<(Binding, usize)> {
    let mut all: Vec<(Binding, usize)> = vec![(vec![None; variables], known)];
    for param in params {
        let mut next = Vec::new();
        for (binding, count) in &all {
            let free = |process: &usize| !binding.contains(&Some(*process));
            for process in (0..=*count).filter(free) {
                let mut binding = binding.clone();
                binding[param.index()] = Some(process);
                next.push((binding, (*count).max(process + 1)));
            }
        }
        all = next;
    }
    all
}

/// All ways to give parameters processes, distinct or not, among so many known ones and further ones.
fn cells(cube: &Cube, known: usize) -> Vec<(Binding, usize)> {
    let mut all: Vec<(Binding, usize)> = vec![(vec![None; cube.variables.len()], known)];
    for param in &cube.params {
        let mut next = Vec::new();
        for (binding, count) in &all {
            for process in 0..=*count {
                let mut binding = binding.clone();
                binding[param.index()] = Some(process);
                next.push((binding, (*count).max(process + 1)));
            }
        }
        all = next;
    }
    all
}

/// Some cell of a symbol holds a value that is none of its domain; none if every value of the sort is.
///
/// The parameters are the indices of the cell, and the process that it holds. They need not be distinct.
fn outside_of_domain(model: &Model, symbol: SymbolId) -> Option<Cube> {
    let declared = model.symbol(symbol);
    let var = |at: usize| Term::Var(Var::from_index(at));
    let cell = Term::read(symbol, (0..declared.arity).map(var).collect());
    let mut wrong = Vec::new();
    let mut params = declared.arity;
    if declared.sort == Sort::Proc && !declared.holds_outsiders {
        let outsiders = (0..model.outsiders.len()).map(OutsiderId::from_index);
        wrong.extend(outsiders.map(|id| Formula::eq(cell.clone(), Term::Outsider(id))));
    }
    match (declared.domain, &model.kinds) {
        (Domain::Range(low, high), _) => {
            wrong.push(Formula::compare(Relation::Lt, cell.clone(), Term::int(low)));
            wrong.push(Formula::compare(Relation::Lt, Term::int(high), cell));
        }
        (Domain::Kind(kind), Some(kinds)) => {
            let held = var(params);
            params += 1;
            let of = Term::read(kinds.of_process, vec![held.clone()]);
            let other = Formula::neq(of, Term::Constructor(kinds.kinds, kind.0));
            wrong.push(Formula::and([Formula::eq(cell, held), other]));
        }
        _ => {}
    }
    let variables = (0..params).map(|at| format!("k{at}")).collect();
    let params = (0..params).map(Var::from_index).collect();
    (!wrong.is_empty()).then(|| Cube { params, variables, formula: Formula::or(wrong) })
}

/// The reads and counts of a cube.
fn reads(cube: &Cube) -> Vec<&Term> {
    let mut reads = Vec::new();
    cube.formula.each_term(&mut |term| {
        if term.symbol().is_some() {
            reads.push(term);
        }
    });
    reads
}

/// Whether an update may change what one of these reads.
fn touches(step: &Step<'_>, update: &Update, reads: &[&Term], binding: &Binding) -> bool {
    let process = |term: &Term, binding: &Binding| match term {
        Term::Var(var) => binding.get(var.index()).copied().flatten(),
        Term::Process(k) => Some(*k as usize - 1),
        _ => None,
    };
    let written: Option<Vec<usize>> = update
        .single_cell()
        .and_then(|(indices, _)| indices.into_iter().map(|index| process(index, &step.binding)).collect());
    let Some(written) = written else { return true };
    reads.iter().filter(|read| read.symbol() == Some(update.symbol)).any(|read| match read {
        Term::Read { indices, .. } => {
            let read: Option<Vec<usize>> = indices.iter().map(|index| process(index, binding)).collect();
            read.is_none_or(|read| read == written)
        }
        _ => true,
    })
}

/// Whether no transition assigns what a formula is about.
fn never_assigned(model: &Model, formula: &Formula) -> bool {
    let assigned = |symbol: SymbolId| {
        let updates = model.transitions.iter().flat_map(|transition: &Transition| &transition.updates);
        updates.into_iter().any(|update| update.symbol == symbol)
    };
    let mut never = true;
    formula.each_term(&mut |term| never &= !term.symbol().is_some_and(assigned));
    never
}

/// Whether processes are compared by `<` anywhere.
fn orders_processes(model: &Model, certificate: &Certificate) -> bool {
    let properties =
        model.properties.iter().chain(&model.assumptions).map(|property: &Property| &property.formula);
    let arms =
        model.transitions.iter().flat_map(|transition| &transition.updates).flat_map(|update| &update.arms);
    let formulas = properties
        .chain(model.init.iter().map(|init| &init.formula))
        .chain(model.transitions.iter().map(|transition| &transition.guard))
        .chain(arms.map(|arm| &arm.condition))
        .chain(certificate.cubes.iter().map(|cube| &cube.formula));
    formulas.into_iter().any(|formula| has_order(model, formula))
}

fn has_order(model: &Model, formula: &Formula) -> bool {
    let rec = |formula: &Formula| has_order(model, formula);
    match formula {
        Formula::True | Formula::False | Formula::Fence => false,
        Formula::Compare(relation, left, _) => {
            matches!(relation, Relation::Lt | Relation::Le) && is_process(model, left)
        }
        Formula::Not(inner) | Formula::Quantified { body: inner, .. } => rec(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(rec),
        Formula::Iff(left, right) => rec(left) || rec(right),
        Formula::If(condition, then, otherwise) => rec(condition) || rec(then) || rec(otherwise),
    }
}

/// What is known of a state, in words.
fn describe(universe: &Universe<'_>, node: &Node) -> Vec<String> {
    let model = universe.model;
    let process = |at: usize| format!("#{}", at + 1);
    let mut lines = Vec::new();
    for (cell, values) in node.values.iter().enumerate() {
        let everything = universe.table.values.get(cell).is_none_or(|all| all == values);
        let described = universe.describe(u32::try_from(cell).expect("few"));
        let Some((symbol, indices)) = described.filter(|_| !everything) else { continue };
        let declared = model.symbol(symbol);
        let value = |bit: u32| match declared.sort {
            Sort::Enum(id) => model.enums[id.index()].constructors[bit as usize].clone(),
            Sort::Proc if (bit as usize) < universe.processes => process(bit as usize),
            Sort::Proc => {
                let outsider = model.outsiders.get(bit as usize - universe.processes);
                outsider.map_or("another process".into(), |outsider| outsider.name.clone())
            }
            _ => format!("value {bit}"),
        };
        let names: Vec<String> = (0..128).filter(|bit| values >> bit & 1 == 1).map(value).collect();
        let indices: Vec<String> = indices.into_iter().map(process).collect();
        let indices = if indices.is_empty() { String::new() } else { format!("[{}]", indices.join(",")) };
        lines.push(format!("{}{indices} = {}", declared.name, names.join(" or ")));
    }
    lines
}
