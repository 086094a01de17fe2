//! Optimal dynamic partial order reduction: of all runs that differ in the order of independent operations only, one
//! is tried, and no run is begun in vain.
//!
//! The algorithm is that of Abdulla, Aronis, Jonsson and Sagonas (Source sets: a foundation for optimal dynamic partial
//! order reduction, JACM 2017) with sleep sets and wakeup trees. Ours differs in three points. Operations that block are
//! treated by the states of their objects: a lock races with the last operation before which the mutex was free. What
//! an operation leaves open (whom a signal wakes) is tried at the place where it is taken. A sequence that reverses
//! a race ends with the later operation of that race, rather than with all that was independent of the earlier one;
//! each run thereby adds the races of its new operations only.

mod parts;
mod run;
mod wakeup;

use parts::Beginning;
pub use parts::Part;
use run::Run;
use wakeup::{ANY, Step, WakeupTree};

use crate::concurrency::{Access, Thread, Threads, Turn, independent};
use crate::limits::Meter;
use crate::{Cut, End, Fault, Found, FoundBy, Limit, Limits, Outcome, OutcomeOf, Property, Schedule};

/// A search of all runs of a system of threads, up to the order of independent operations.
#[derive(Debug)]
pub struct Dpor<'s, S, P> {
    system: &'s mut S,
    property: P,
    limits: Limits,
    find_all: bool,
    most_steps: Option<usize>,
    most_runs: Option<usize>,
    part: Option<Part>,
}

impl<'s, S: Threads, P: Property<S>> Dpor<'s, S, P> {
    /// A search without limits, which ends at the first violation.
    pub fn new(system: &'s mut S, property: P) -> Self {
        Dpor {
            system,
            property,
            limits: Limits::default(),
            find_all: false,
            most_steps: None,
            most_runs: None,
            part: None,
        }
    }

    /// Ends the search early.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Continues after violations.
    #[must_use]
    pub fn find_all(mut self) -> Self {
        self.find_all = true;
        self
    }

    /// Cuts runs after this number of steps.
    #[must_use]
    pub fn most_steps(mut self, most: Option<usize>) -> Self {
        self.most_steps = most;
        self
    }

    /// Ends the search after this number of runs.
    #[must_use]
    pub fn most_runs(mut self, most: Option<usize>) -> Self {
        self.most_runs = most;
        self
    }

    /// Explores one of several parts: together they try what the whole search does.
    #[must_use]
    pub fn part(mut self, part: Option<Part>) -> Self {
        self.part = part;
        self
    }

    /// Searches until nothing is left, or something ends it.
    pub fn run(self) -> OutcomeOf<S, P> {
        Exploration::new(self).finish()
    }
}

/// A state on the current path.
#[derive(Debug, Default)]
struct Node {
    /// What was tried already, here or in a state before, and would lead to an equivalent run.
    sleep: Vec<Step>,
    /// What must still be tried.
    tree: WakeupTree,
}

struct Exploration<'s, S: Threads, P: Property<S>> {
    search: Dpor<'s, S, P>,
    meter: Meter,
    run: Run,
    /// The states before each operation of the run, and the current one.
    nodes: Vec<Node>,
    /// The first operation whose races were not looked for yet.
    fresh: usize,
    /// The number of operations that are given: see [`Part`].
    given: usize,
    found: Vec<FoundBy<S, P>>,
    violations: Vec<P::Violation>,
    cut: bool,
    /// A hash of each operation of the run.
    fingerprints: Vec<u64>,
    enabled: Vec<Turn>,
    accesses: Vec<Access>,
    released: Vec<Thread>,
}

impl<'s, S: Threads, P: Property<S>> Exploration<'s, S, P> {
    fn new(search: Dpor<'s, S, P>) -> Self {
        Exploration {
            meter: Meter::new(search.limits.clone()),
            search,
            run: Run::default(),
            nodes: Vec::new(),
            fresh: 0,
            given: 0,
            found: Vec::new(),
            violations: Vec::new(),
            cut: false,
            fingerprints: Vec::new(),
            enabled: Vec::new(),
            accesses: Vec::new(),
            released: Vec::new(),
        }
    }

    fn finish(mut self) -> OutcomeOf<S, P> {
        let early = self.explore().err();
        let mut cuts = Vec::new();
        if let (true, Some(most)) = (self.cut, self.search.most_steps) {
            cuts.push(Cut::Depth(most));
        }
        let end = early.unwrap_or(if cuts.is_empty() { End::Exhausted } else { End::Bounded });
        Outcome { end, found: self.found, cuts, fingerprint_bits: None, stats: self.meter.finish(0) }
    }

    fn explore(&mut self) -> Result<(), End> {
        let beginnings = match self.search.part {
            Some(part) => self.beginnings(part)?,
            None => vec![Beginning { turns: Vec::new(), sleep: Vec::new() }],
        };
        for beginning in beginnings {
            self.begin(&beginning)?;
            self.explore_from_here()?;
        }
        Ok(())
    }

    /// Takes the operations that are given.
    fn begin(&mut self, beginning: &Beginning) -> Result<(), End> {
        self.nodes.clear();
        self.run.truncate(0);
        (self.given, self.fresh) = (beginning.turns.len(), beginning.turns.len());
        self.search.system.start(0)?;
        self.arrive(WakeupTree::default(), Vec::new())?;
        for turn in &beginning.turns {
            self.enabled.clear();
            self.take(*turn, WakeupTree::default())?;
        }
        if let Some(node) = self.nodes.last_mut() {
            node.sleep.clone_from(&beginning.sleep);
        }
        Ok(())
    }

    fn explore_from_here(&mut self) -> Result<(), End> {
        loop {
            while self.step()? {}
            self.reverse_races();
            if !self.backtrack()? {
                return Ok(());
            }
        }
    }

    /// Enters the current state.
    fn arrive(&mut self, tree: WakeupTree, sleep: Vec<Step>) -> Result<(), End> {
        self.meter.state(self.run.len())?;
        self.search.property.state(self.search.system, &mut self.violations);
        self.judge()?;
        self.nodes.push(Node { sleep, tree });
        Ok(())
    }

    /// Takes the next operation; returns whether there was one.
    fn step(&mut self) -> Result<bool, End> {
        self.enabled.clear();
        self.search.system.enabled(&mut self.enabled);
        if self.enabled.is_empty() {
            self.count_run()?;
            self.search.property.stuck(self.search.system, &mut self.violations);
            self.judge()?;
            return Ok(false);
        }
        if self.search.most_steps.is_some_and(|most| self.run.len() >= most) {
            self.cut = true;
            return Ok(false);
        }
        let Some((turn, rest)) = self.next() else {
            self.meter.vain_run();
            return Ok(false);
        };
        self.take(turn, rest)?;
        Ok(true)
    }

    fn count_run(&mut self) -> Result<(), End> {
        if self.search.most_runs.is_some_and(|most| self.meter.runs() >= most) {
            return Err(End::Limit(Limit::Runs));
        }
        self.meter.run();
        Ok(())
    }

    /// What to take next: what must be tried, otherwise anything that was not tried in an equivalent run.
    fn next(&mut self) -> Option<(Turn, WakeupTree)> {
        let node = self.nodes.last_mut()?;
        let awake = |turn: &Turn| !node.sleep.iter().any(|step| step.turn == *turn);
        while let Some((step, rest)) = node.tree.take_first() {
            let fits = |turn: &&Turn| {
                **turn == step.turn || step.turn.choice == ANY && turn.thread == step.turn.thread
            };
            // What was thought possible may not be, where a thread spins.
            if let Some(turn) = self.enabled.iter().filter(fits).find(|turn| awake(turn)) {
                return Some((*turn, rest));
            }
        }
        let any = self.enabled.iter().find(|turn| awake(turn))?;
        Some((*any, WakeupTree::default()))
    }

    /// Takes an operation that is enabled in the current state.
    fn take(&mut self, turn: Turn, rest: WakeupTree) -> Result<(), End> {
        self.meter.step(|| 0)?;
        self.try_other_choices(turn);
        let replaceable = self.replaceable(turn);
        self.accesses.clear();
        self.search.system.accesses(turn, &mut self.accesses);
        self.fingerprints.truncate(self.run.len());
        self.fingerprints.push(self.search.system.fingerprint(turn));
        let (awaits, spins) = (self.search.system.awaits(turn), self.search.system.spins(turn.thread));
        self.search.system.take(&turn)?;
        self.run.push(turn, &self.accesses, awaits, spins);
        self.released.clear();
        self.search.system.released(&mut self.released);
        self.run.release(&self.released);
        self.try_replaced(replaceable);
        self.search.property.step(self.search.system, &turn, &mut self.violations);
        let sleep = self.sleep_after(turn);
        self.judge()?;
        self.arrive(rest, sleep)
    }

    /// What stays asleep: whatever the operation that was just taken is independent of.
    fn sleep_after(&self, turn: Turn) -> Vec<Step> {
        let Some(node) = self.nodes.last() else { return Vec::new() };
        let stays =
            |step: &&Step| step.turn.thread != turn.thread && independent(&step.accesses, &self.accesses);
        node.sleep.iter().filter(stays).cloned().collect()
    }

    /// The other outcomes of an operation are to be tried here as well.
    fn try_other_choices(&mut self, turn: Turn) {
        let others: Vec<Turn> = self
            .enabled
            .iter()
            .copied()
            .filter(|other| other.thread == turn.thread && *other != turn)
            .collect();
        for other in others {
            insert(&mut self.nodes[self.run.len()], vec![step(self.search.system, other)]);
        }
    }

    /// The enabled operations that taking `turn` may replace by others.
    fn replaceable(&self, turn: Turn) -> Vec<Step> {
        let system = &*self.search.system;
        let others = self
            .enabled
            .iter()
            .filter(|other| other.thread != turn.thread && system.replaceable(other.thread));
        others.map(|&turn| step(system, turn)).collect()
    }

    /// Operations that the last one has replaced would never be seen to race with it: they are to be tried before it.
    fn try_replaced(&mut self, replaceable: Vec<Step>) {
        let position = self.run.len() - 1;
        for step in replaceable {
            if self.released.contains(&step.turn.thread) {
                insert(&mut self.nodes[position], vec![step]);
            }
        }
    }

    /// For each race of the run that was not there before: makes sure that a run is tried in which the later operation
    /// comes first.
    fn reverse_races(&mut self) {
        let Exploration { run, nodes, .. } = self;
        for later in self.fresh..run.len() {
            run.races(later, |run, earlier| insert(&mut nodes[earlier], run.without(earlier, later)));
        }
        self.fresh = run.len();
        self.reverse_blocking();
    }

    /// Operations that stay blocked for ever race with what blocks them, as if they were taken at the end.
    fn reverse_blocking(&mut self) {
        let mut blocked = Vec::new();
        self.search.system.blocked(&mut blocked);
        for turn in blocked {
            self.accesses.clear();
            self.search.system.accesses(turn, &mut self.accesses);
            let spins = self.search.system.spins(turn.thread);
            let (run, nodes, last) = (&mut self.run, &mut self.nodes, self.fresh);
            run.push(turn, &self.accesses, None, spins);
            run.races(last, |run, earlier| insert(&mut nodes[earlier], run.without(earlier, last)));
            run.truncate(last);
        }
    }

    /// Goes back to the last state from which something is left to try; returns whether there is one.
    fn backtrack(&mut self) -> Result<bool, End> {
        self.nodes.truncate(self.run.len());
        while let Some(node) = self.nodes.last_mut() {
            let Some(position) = self.run.len().checked_sub(1).filter(|position| *position >= self.given)
            else {
                return Ok(false);
            };
            let turn = self.run.event(position).turn;
            node.sleep.push(Step { turn, accesses: self.run.accesses(position).collect(), elsewhere: false });
            self.run.truncate(position);
            if !node.tree.is_empty() {
                self.fresh = position;
                self.return_to(position)?;
                return Ok(true);
            }
            self.nodes.pop();
        }
        Ok(false)
    }

    /// Brings the system to the state before the operation at `position` by taking the same operations again.
    fn return_to(&mut self, position: usize) -> Result<(), Fault> {
        self.search.system.start(0)?;
        for step in 0..position {
            let turn = self.run.event(step).turn;
            if self.search.system.fingerprint(turn) != self.fingerprints[step] {
                return Err(deviation(self.search.system, step, turn));
            }
            self.search.system.take(&turn)?;
        }
        Ok(())
    }

    fn judge(&mut self) -> Result<(), End> {
        if self.violations.is_empty() {
            return Ok(());
        }
        let mut violations = std::mem::take(&mut self.violations);
        violations.retain(|violation| self.found.iter().all(|found| found.violation != *violation));
        let fresh = !violations.is_empty();
        for violation in violations {
            let actions = (0..self.run.len()).map(|step| self.run.event(step).turn).collect();
            self.found.push(Found { violation, schedule: Schedule { initial: 0, actions } });
        }
        if fresh && !self.search.find_all { Err(End::Found) } else { Ok(()) }
    }
}

/// The same schedule has led to another operation.
fn deviation<S: Threads>(system: &S, step: usize, turn: Turn) -> Fault {
    let expected = format!("thread {} to do what it did before", turn.thread);
    Fault::Deviation { step, expected, found: system.label(&turn).to_string() }
}

/// The next operation of a thread, with what it accesses.
fn step<S: Threads>(system: &S, turn: Turn) -> Step {
    let mut accesses = Vec::new();
    system.accesses(turn, &mut accesses);
    Step { turn, accesses, elsewhere: false }
}

/// Plans to try a sequence, unless something that was tried covers it.
fn insert(node: &mut Node, sequence: Vec<Step>) {
    if node.sleep.iter().any(|step| step.covers(&sequence)) {
        return;
    }
    node.tree.insert(sequence);
}
