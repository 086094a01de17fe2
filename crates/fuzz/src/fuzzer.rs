//! The fuzzing loop: rounds of tasks that walk from nodes of the pool and add to it.

use crate::{
    Coverage, Guide, Progress, Snapshot, Target, Technique,
    corpus::Corpus,
    log::Log,
    pool::{Arrival, NodeId, Pool, Way},
    scheduler::{Arm, Scheduler},
    walk::{Shared, Walk, Worker},
};
use explore::{Fault, Limit, Limits, Rng, Schedule, Stats};
use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// What a run of the fuzzer may do: its techniques, its randomness, its limits.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seed of the random number generator.
    pub seed: u64,
    /// The techniques to use, with weights above 0.
    pub techniques: Vec<(Technique, f64)>,
    /// For [`Technique::MoreEnabled`]: the probability of accepting a step that does not lead to more enabled
    /// actions.
    pub accept_less: f64,
    /// Whether to end with the first violation.
    pub stop_at_first: bool,
    /// The number of threads, which does not change the result.
    pub workers: usize,
    /// Limits of the run. States and steps are counted exactly; `depth` is ignored.
    pub limits: Limits,
    /// Receives the progress of the run.
    pub progress: Arc<Progress>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 0,
            techniques: Technique::ALL.into_iter().map(|technique| (technique, 1.0)).collect(),
            accept_less: 0.1,
            stop_at_first: false,
            workers: 1,
            limits: Limits::default(),
            progress: Arc::default(),
        }
    }
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Every enabled action of every reachable state was taken.
    Exhausted,
    /// A violation was found, and [`Options::stop_at_first`] was set.
    Found,
    /// A limit was hit.
    Limit(Limit),
    /// The system could not be run further.
    Fault(Fault),
}

/// A violation with the states that show it.
#[derive(Clone, Debug)]
pub struct Finding<V> {
    /// What the guide says is wrong with these states.
    pub violation: V,
    /// The number of steps executed until it was first found.
    pub after: usize,
    /// The number of states that show it.
    pub states: usize,
    /// Some of these states, preferably those near the start.
    pub(crate) nodes: Vec<NodeId>,
}

/// A run of the loop, with its pool, coverage and findings.
pub struct Fuzzer<S: Target, G: Guide<S>> {
    pub(crate) options: Options,
    pub(crate) guide: G,
    pub(crate) pool: Pool<S>,
    pub(crate) coverage: Coverage,
    pub(crate) corpus: Corpus,
    pub(crate) scheduler: Scheduler,
    pub(crate) findings: Vec<Finding<G::Violation>>,
    pub(crate) steps: usize,
    pub(crate) deepest: u32,
    rng: Rng,
    pub(crate) workers: Vec<Worker<S, G>>,
    logs: Vec<Log<S, G::Violation>>,
    /// The numbers of initial states that were not drawn yet.
    undrawn: Vec<u32>,
    prefers: bool,
}

/// A unit of work between two merges: walks by one technique from nodes of one class.
#[derive(Clone, Copy, Debug)]
struct Task {
    number: usize,
    arm: Arm,
    seed: u64,
}

/// The number of tasks in a round, and below of steps in a task: enough to be worth a thread, few enough to learn
/// quickly.
const TASKS: usize = 16;
const TASK_STEPS: usize = 128;
/// The number of initial states drawn at the start, and in rounds without an open node; otherwise one is drawn in
/// each round.
const STARTS: usize = 64;
/// A task ends after this many consecutive walks without a step.
const IDLE_WALKS: usize = 16;

impl<S: Target, G: Guide<S> + Sync> Fuzzer<S, G> {
    /// Prepares a run from the initial states of `system`, with a copy of it for each worker.
    pub fn new(system: &S, guide: G, options: Options) -> Fuzzer<S, G> {
        let transitions = guide.transitions();
        let worker = |_| Worker::new(system.clone(), guide.clone());
        Fuzzer {
            pool: Pool::new(),
            coverage: Coverage::new(transitions),
            corpus: Corpus::new(transitions),
            scheduler: Scheduler::new(&options.techniques),
            findings: Vec::new(),
            steps: 0,
            deepest: 0,
            rng: Rng::new(options.seed),
            workers: (0..options.workers.clamp(1, TASKS)).map(worker).collect(),
            logs: (0..TASKS).map(|_| Log::new()).collect(),
            undrawn: Vec::new(),
            prefers: (0..transitions).any(|transition| guide.is_preferred(transition)),
            guide,
            options,
        }
    }

    /// Runs until the system is exhausted, a violation ends the run, or a limit is hit.
    pub fn run(&mut self) -> End {
        let begun = Instant::now();
        let end = match self.begin() {
            Ok(None) => self.rounds(begun),
            Ok(Some(end)) => end,
            Err(fault) => End::Fault(fault),
        };
        self.tell();
        end
    }

    fn rounds(&mut self, begun: Instant) -> End {
        loop {
            if let Some(limit) = self.exceeded(begun) {
                return End::Limit(limit);
            }
            if self.pool.open.is_empty() && self.undrawn.is_empty() {
                return self.complete_pairs().map_or_else(End::Fault, |()| End::Exhausted);
            }
            match self.round(begun) {
                Ok(None) => self.tell(),
                Ok(Some(end)) => return end,
                Err(fault) => return End::Fault(fault),
            }
        }
    }

    /// Draws initial states.
    fn begin(&mut self) -> Result<Option<End>, Fault> {
        let initials = self.workers[0].system.initials()?;
        self.undrawn = (0..u32::try_from(initials).unwrap_or(u32::MAX)).collect();
        self.draw_starts(STARTS)
    }

    fn draw_starts(&mut self, count: usize) -> Result<Option<End>, Fault> {
        for _ in 0..count.min(self.undrawn.len()) {
            let at = self.rng.below(self.undrawn.len());
            let initial = self.undrawn.swap_remove(at);
            if let Some(end) = self.start(initial)? {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    fn start(&mut self, initial: u32) -> Result<Option<End>, Fault> {
        let is_full = self.is_full();
        let Worker { system, guide, .. } = &mut self.workers[0];
        system.start(initial as usize)?;
        let checkpoint = system.checkpoint();
        let hash = Pool::<S>::hash(&checkpoint);
        if self.pool.find(hash, &checkpoint).is_some() {
            return Ok(None);
        }
        if is_full {
            return Ok(Some(End::Limit(Limit::States)));
        }
        let (mut enabled, mut violations) = (Vec::new(), Vec::new());
        system.enabled(&mut enabled);
        guide.judge(system, enabled.is_empty(), &mut violations);
        let interesting = guide.is_interesting(system);
        let enabled = u32::try_from(enabled.len()).expect("a state has fewer than 2^32 actions");
        let way = Way::Start(initial);
        let node = self.pool.insert(&Arrival {
            checkpoint: &checkpoint,
            hash,
            way,
            transition: None,
            depth: 0,
            enabled,
        });
        self.corpus.add_start(node);
        if interesting {
            self.note_interesting(node);
        }
        let news = self.note_violations(node, &violations);
        Ok((news.violation && self.options.stop_at_first).then_some(End::Found))
    }

    /// One round: draws tasks, executes them, and merges their results.
    fn round(&mut self, begun: Instant) -> Result<Option<End>, Fault> {
        let starts = if self.pool.open.is_empty() { STARTS } else { 1 };
        if let Some(end) = self.draw_starts(starts)? {
            return Ok(Some(end));
        }
        let tasks: [Task; TASKS] = std::array::from_fn(|_| {
            let (number, arm) = self.scheduler.draw(&mut self.rng);
            Task { number, arm, seed: self.rng.bits() }
        });
        self.execute(&tasks, begun)?;
        let mut logs = std::mem::take(&mut self.logs);
        let ends = tasks.iter().zip(&logs).find_map(|(task, log)| self.merge(task.number, log));
        logs.iter_mut().for_each(Log::clear);
        self.logs = logs;
        Ok(ends)
    }

    /// Distributes the tasks over all workers, and waits for them.
    fn execute(&mut self, tasks: &[Task], begun: Instant) -> Result<(), Fault> {
        let (pool, coverage, corpus) = (&self.pool, &self.coverage, &self.corpus);
        let (accept_less, prefers) = (self.options.accept_less, self.prefers);
        let (limits, late) = (&self.options.limits, &AtomicBool::new(false));
        let is_late_now = || is_late(limits, begun);
        let shared = Shared { pool, coverage, accept_less, prefers, is_late: &is_late_now };
        let run = |worker: &mut Worker<S, G>, task: &Task, log: &mut Log<S, G::Violation>| {
            if is_late(limits, begun) {
                late.store(true, Ordering::Relaxed);
            }
            if late.load(Ordering::Relaxed) { Ok(()) } else { execute(worker, shared, corpus, task, log) }
        };
        let queue = Mutex::new(tasks.iter().zip(&mut self.logs));
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = |worker: &mut Worker<S, G>| {
            while let Some((task, log)) = next() {
                run(worker, task, log)?;
            }
            Ok(())
        };
        let broken = || Fault::Broken("a worker has panicked".into());
        let done = threads::try_together(&mut self.workers, work);
        done.into_iter().try_for_each(|done| done.unwrap_or_else(|_| Err(broken())))
    }

    /// Whether no more states may be added.
    pub(crate) fn is_full(&self) -> bool {
        // Node numbers have 32 bits.
        let most = self.options.limits.states.unwrap_or(usize::MAX).min(u32::MAX as usize - 1);
        self.pool.nodes.len() >= most
    }

    fn exceeded(&self, begun: Instant) -> Option<Limit> {
        let limits = &self.options.limits;
        let too_large = || limits.memory.is_some_and(|most| self.pool.bytes() > most);
        let too_long = || limits.steps.is_some_and(|most| self.steps >= most);
        limits
            .ended_since(begun)
            .or_else(|| too_large().then_some(Limit::Memory))
            .or_else(|| too_long().then_some(Limit::Steps))
    }

    fn tell(&self) {
        self.options.progress.set(Snapshot {
            states: self.pool.nodes.len(),
            steps: self.steps,
            transitions: self.coverage.transitions(),
            pairs: self.coverage.pairs(),
            findings: self.findings.len(),
        });
    }

    /// The copies of the system that workers have used.
    pub fn systems(&self) -> impl Iterator<Item = &S> {
        self.workers.iter().map(|worker| &worker.system)
    }

    /// The checkpoints of all states reached, each with an upper bound on its distance from the start.
    pub fn states(&self) -> impl Iterator<Item = (&S::Checkpoint, u32)> {
        self.pool.nodes.iter().map(|node| (&node.checkpoint, node.depth))
    }

    /// The transitions and pairs covered.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// The findings, in the order in which they were found.
    pub fn findings(&self) -> &[Finding<G::Violation>] {
        &self.findings
    }

    /// The shortest known run to a finding.
    pub fn schedule(&self, finding: &Finding<G::Violation>) -> Schedule<S::Action> {
        let schedules = finding.nodes.iter().map(|node| self.pool.schedule(*node));
        schedules.min_by_key(|schedule| schedule.actions.len()).expect("a finding has a state")
    }

    /// Distinct states, steps executed, and the largest depth of a node.
    pub fn stats(&self) -> Stats {
        Stats {
            states: self.pool.nodes.len(),
            transitions: self.steps,
            depth: self.deepest as usize,
            bytes: self.pool.bytes(),
            ..Stats::default()
        }
    }
}

/// Whether the time is up, or the run was cancelled. Checked before each task.
fn is_late(limits: &Limits, begun: Instant) -> bool {
    limits.ended_since(begun).is_some()
}

/// Executes one task: walks from nodes of its class until its steps are used up.
fn execute<S: Target, G: Guide<S>>(
    worker: &mut Worker<S, G>,
    shared: Shared<'_, S>,
    corpus: &Corpus,
    task: &Task,
    log: &mut Log<S, G::Violation>,
) -> Result<(), Fault> {
    let mut rng = Rng::new(task.seed);
    let (mut budget, mut idle) = (TASK_STEPS, 0);
    while budget > 0 && idle < IDLE_WALKS {
        let Some(node) = corpus.draw(task.arm.class, shared.pool, shared.coverage, &mut rng) else { break };
        log.begun.push(node);
        let mut walk = Walk::begin(worker, shared, log, &mut rng, node, budget)?;
        task.arm.technique.walk(&mut walk)?;
        idle = if walk.budget == budget { idle + 1 } else { 0 };
        budget = walk.budget;
    }
    Ok(())
}
