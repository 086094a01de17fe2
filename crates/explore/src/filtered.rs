//! Depth-first search of schedules with filters that remove successors, as SCALE composes them.
//!
//! At each state the successors pass through the filters in the order in which they are given (M. Florian:
//! SCALE: Source Code Analyzer for Locating Errors, California Institute of Technology 2010, algorithm 2). What is left is searched in
//! order. A run ends where nothing is left, and the system is started anew for the next one.

mod cycles;
mod depth;
mod history;
mod seen;
mod supersteps;

pub use cycles::LocalCycles;
pub use depth::MostSteps;
pub use seen::NotSeenBefore;
pub use supersteps::SuperSteps;

use history::History;

use crate::concurrency::{Access, Thread, Threads, Turn, independent};
use crate::limits::Meter;
use crate::{Cut, End, Fault, Found, FoundBy, Limits, Outcome, OutcomeOf, Property, Schedule};

/// A state that one step from the current one leads to.
#[derive(Clone, Debug)]
pub struct Successor {
    /// The step.
    pub turn: Turn,
    /// What the step accesses.
    pub accesses: Vec<Access>,
    /// A hash of what happened before what until then; equal for equal states.
    pub identity: u128,
}

impl Successor {
    /// Whether the order of two steps matters.
    pub fn depends_on(&self, other: &Successor) -> bool {
        self.turn.thread == other.turn.thread || !independent(&self.accesses, &other.accesses)
    }
}

/// A state on the current path.
#[derive(Clone, Debug)]
pub struct Visited {
    /// How it was reached; `None` for the first one.
    pub by: Option<Successor>,
    /// The threads that could go on.
    pub enabled: Vec<Thread>,
}

/// Removes successors of the current state, the last of the path.
pub trait Filter<S: Threads> {
    /// Removes what need not be searched.
    fn filter(&mut self, system: &S, path: &[Visited], successors: &mut Vec<Successor>);

    /// What the filter has left out although it may lead to new states.
    fn cut(&self) -> Option<Cut> {
        None
    }

    /// The width in bits of a hash that the filter trusts.
    fn fingerprint_bits(&self) -> Option<u32> {
        None
    }
}

/// A search with filters.
pub struct Filtered<'s, S, P> {
    system: &'s mut S,
    property: P,
    filters: Vec<Box<dyn Filter<S> + 's>>,
    limits: Limits,
    find_all: bool,
    shuffle: Option<crate::Rng>,
}

impl<'s, S: Threads, P: Property<S>> Filtered<'s, S, P> {
    /// A search without filters, which ends at the first violation.
    pub fn new(system: &'s mut S, property: P) -> Self {
        Filtered {
            system,
            property,
            filters: Vec::new(),
            limits: Limits::default(),
            find_all: false,
            shuffle: None,
        }
    }

    /// Adds a filter behind those that are there.
    #[must_use]
    pub fn filter(mut self, filter: impl Filter<S> + 's) -> Self {
        self.filters.push(Box::new(filter));
        self
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

    /// Searches the successors of a state in a random order.
    #[must_use]
    pub fn shuffle(mut self, seed: u64) -> Self {
        self.shuffle = Some(crate::Rng::new(seed));
        self
    }

    /// Searches until nothing is left, or something ends it. Among the statistics, `runs` counts the runs that were
    /// started, those that filters cut short included.
    pub fn run(self) -> OutcomeOf<S, P> {
        let meter = Meter::new(self.limits.clone());
        Run {
            search: self,
            meter,
            history: History::default(),
            path: Vec::new(),
            left: Vec::new(),
            found: Vec::new(),
            violations: Vec::new(),
        }
        .finish()
    }
}

struct Run<'s, S: Threads, P: Property<S>> {
    search: Filtered<'s, S, P>,
    meter: Meter,
    history: History,
    path: Vec<Visited>,
    /// For each state of the path, the successors that are left to search, last first.
    left: Vec<Vec<Successor>>,
    found: Vec<FoundBy<S, P>>,
    violations: Vec<P::Violation>,
}

impl<S: Threads, P: Property<S>> Run<'_, S, P> {
    fn finish(mut self) -> OutcomeOf<S, P> {
        let early = self.explore().err();
        let cuts: Vec<Cut> = self.search.filters.iter().filter_map(|filter| filter.cut()).collect();
        let end = early.unwrap_or(if cuts.is_empty() { End::Exhausted } else { End::Bounded });
        let fingerprint_bits =
            self.search.filters.iter().filter_map(|filter| filter.fingerprint_bits()).min();
        Outcome { end, found: self.found, cuts, fingerprint_bits, stats: self.meter.finish(0) }
    }

    fn explore(&mut self) -> Result<(), End> {
        self.search.system.start(0)?;
        self.arrive(None)?;
        loop {
            while let Some(successor) = self.left.last_mut().and_then(Vec::pop) {
                self.take(successor)?;
            }
            self.meter.run();
            if !self.backtrack()? {
                return Ok(());
            }
        }
    }

    /// Enters the current state.
    fn arrive(&mut self, by: Option<Successor>) -> Result<(), End> {
        self.meter.state(self.path.len())?;
        let mut turns = Vec::new();
        self.search.system.enabled(&mut turns);
        let mut enabled: Vec<Thread> = turns.iter().map(|turn| turn.thread).collect();
        enabled.dedup();
        self.path.push(Visited { by, enabled });
        self.search.property.state(self.search.system, &mut self.violations);
        if turns.is_empty() {
            self.search.property.stuck(self.search.system, &mut self.violations);
        }
        self.judge()?;
        let mut successors: Vec<Successor> = turns.into_iter().map(|turn| self.successor(turn)).collect();
        for filter in &mut self.search.filters {
            filter.filter(self.search.system, &self.path, &mut successors);
        }
        match &mut self.search.shuffle {
            Some(rng) => rng.shuffle(&mut successors),
            None => successors.reverse(),
        }
        self.left.push(successors);
        Ok(())
    }

    fn successor(&self, turn: Turn) -> Successor {
        let mut accesses = Vec::new();
        self.search.system.accesses(turn, &mut accesses);
        let fingerprint = self.search.system.fingerprint(turn);
        let identity = self.history.after(turn, fingerprint, &accesses);
        Successor { turn, accesses, identity }
    }

    fn take(&mut self, successor: Successor) -> Result<(), End> {
        self.meter.step(|| 0)?;
        self.history.add(&successor);
        self.search.system.take(&successor.turn)?;
        self.search.property.step(self.search.system, &successor.turn, &mut self.violations);
        self.arrive(Some(successor))
    }

    /// Returns to the last state with something left; returns whether there is one.
    fn backtrack(&mut self) -> Result<bool, Fault> {
        while self.left.last().is_some_and(Vec::is_empty) {
            self.left.pop();
            if let Some(Visited { by: Some(successor), .. }) = self.path.pop() {
                self.history.take_back(&successor);
            }
        }
        if self.left.is_empty() {
            return Ok(false);
        }
        let here = self.path.last().and_then(|state| state.by.as_ref());
        self.history.return_to(here.map_or(0, |by| by.identity));
        self.search.system.start(0)?;
        for state in &self.path[1..] {
            if let Some(successor) = &state.by {
                self.search.system.take(&successor.turn)?;
            }
        }
        Ok(true)
    }

    fn judge(&mut self) -> Result<(), End> {
        if self.violations.is_empty() {
            return Ok(());
        }
        let mut violations = std::mem::take(&mut self.violations);
        violations.retain(|violation| self.found.iter().all(|found| found.violation != *violation));
        let fresh = !violations.is_empty();
        for violation in violations {
            let actions = self.path.iter().filter_map(|state| state.by.as_ref()).map(|by| by.turn).collect();
            self.found.push(Found { violation, schedule: Schedule { initial: 0, actions } });
        }
        if fresh && !self.search.find_all { Err(End::Found) } else { Ok(()) }
    }
}
