//! Sampling schedules of systems of threads, for those that are too large to search: one scheduler per file.

mod learned;
mod pct;
mod pos;
mod surw;
mod uniform;

pub use learned::Learned;
pub use pct::Pct;
pub use pos::Pos;
pub use surw::Surw;
pub use uniform::Uniform;

use crate::concurrency::{Threads, Turn};
use crate::limits::Meter;
use crate::{Cut, End, Found, FoundBy, Limits, Outcome, OutcomeOf, Property, Schedule};

/// Chooses who goes next, run after run.
pub trait Scheduler<S: Threads> {
    /// A run begins.
    fn begin(&mut self) {}

    /// Chooses one of the enabled turns, of which there is at least one, by its position.
    fn choose(&mut self, system: &S, turns: &[Turn]) -> usize;

    /// A turn is about to be taken.
    fn taking(&mut self, _system: &S, _turn: Turn) {}
}

impl<S: Threads, T: Scheduler<S> + ?Sized> Scheduler<S> for Box<T> {
    fn begin(&mut self) {
        (**self).begin();
    }

    fn choose(&mut self, system: &S, turns: &[Turn]) -> usize {
        (**self).choose(system, turns)
    }

    fn taking(&mut self, system: &S, turn: Turn) {
        (**self).taking(system, turn);
    }
}

/// Runs a system again and again from its start, with schedules that a [`Scheduler`] chooses.
#[derive(Debug)]
pub struct Sampling<'s, S, P, T> {
    system: &'s mut S,
    property: P,
    scheduler: T,
    limits: Limits,
    runs: Option<usize>,
    most_steps: Option<usize>,
    find_all: bool,
}

impl<'s, S: Threads, P: Property<S>, T: Scheduler<S>> Sampling<'s, S, P, T> {
    /// Runs without end, until the first violation.
    pub fn new(system: &'s mut S, property: P, scheduler: T) -> Self {
        let limits = Limits::default();
        Sampling { system, property, scheduler, limits, runs: None, most_steps: None, find_all: false }
    }

    /// Ends the sampling early.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Ends after this number of runs.
    #[must_use]
    pub fn runs(mut self, runs: Option<usize>) -> Self {
        self.runs = runs;
        self
    }

    /// Ends each run after this number of steps.
    #[must_use]
    pub fn most_steps(mut self, most: Option<usize>) -> Self {
        self.most_steps = most;
        self
    }

    /// Continues after violations.
    #[must_use]
    pub fn find_all(mut self) -> Self {
        self.find_all = true;
        self
    }

    /// Samples until something ends it. The end is never [`End::Exhausted`].
    pub fn run(self) -> OutcomeOf<S, P> {
        let meter = Meter::new(self.limits.clone());
        Sampled { sampling: self, meter, taken: Vec::new(), found: Vec::new(), violations: Vec::new() }
            .finish()
    }
}

struct Sampled<'s, S: Threads, P: Property<S>, T> {
    sampling: Sampling<'s, S, P, T>,
    meter: Meter,
    taken: Vec<Turn>,
    found: Vec<FoundBy<S, P>>,
    violations: Vec<P::Violation>,
}

impl<S: Threads, P: Property<S>, T: Scheduler<S>> Sampled<'_, S, P, T> {
    fn finish(mut self) -> OutcomeOf<S, P> {
        let end = self.sample().err().unwrap_or(End::Bounded);
        let mut cuts = vec![Cut::Sampled];
        cuts.extend(self.sampling.most_steps.map(Cut::Depth));
        Outcome { end, found: self.found, cuts, fingerprint_bits: None, stats: self.meter.finish(0) }
    }

    fn sample(&mut self) -> Result<(), End> {
        let mut turns = Vec::new();
        let mut runs = 0;
        while self.sampling.runs.is_none_or(|most| runs < most) {
            runs += 1;
            self.taken.clear();
            self.sampling.scheduler.begin();
            self.sampling.system.start(0)?;
            while self.step(&mut turns)? {}
        }
        Ok(())
    }

    fn step(&mut self, turns: &mut Vec<Turn>) -> Result<bool, End> {
        let Sampling { system, property, scheduler, most_steps, .. } = &mut self.sampling;
        self.meter.state(self.taken.len())?;
        property.state(system, &mut self.violations);
        turns.clear();
        system.enabled(turns);
        if turns.is_empty() || most_steps.is_some_and(|most| self.taken.len() >= most) {
            if turns.is_empty() {
                property.stuck(system, &mut self.violations);
            }
            self.meter.run();
            self.judge()?;
            return Ok(false);
        }
        self.meter.step(|| 0)?;
        let turn = turns[scheduler.choose(system, turns).min(turns.len() - 1)];
        scheduler.taking(system, turn);
        system.take(&turn)?;
        self.taken.push(turn);
        property.step(system, &turn, &mut self.violations);
        self.judge()?;
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
            self.found
                .push(Found { violation, schedule: Schedule { initial: 0, actions: self.taken.clone() } });
        }
        if fresh && !self.sampling.find_all { Err(End::Found) } else { Ok(()) }
    }
}
