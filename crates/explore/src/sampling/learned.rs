//! Learns which scheduler shows the most of a program: one that pays off is drawn more often.
//!
//! A run pays off by the pairs of operations that it orders in a way that was not seen before: an operation on an object
//! directly after another one. Each scheduler is an arm of a bandit, drawn by Thompson sampling with what it has yielded
//! lately, as for the techniques with which models are fuzzed.

use std::collections::{HashMap, HashSet};

use super::{Pct, Pos, Scheduler, Surw, Uniform};
use crate::Rng;
use crate::concurrency::{Access, Threads, Turn};
use crate::hash::BuildStateHasher;

/// Draws a scheduler for each run, and learns from what it shows.
pub struct Learned<S> {
    rng: Rng,
    arms: Vec<Arm<S>>,
    /// The arm of the current run, and the new pairs that it has shown.
    current: usize,
    gain: f64,
    begun: bool,
    /// The last operation on each object of the run.
    last: HashMap<u64, u64, BuildStateHasher>,
    seen: HashSet<u64, BuildStateHasher>,
    accesses: Vec<Access>,
}

struct Arm<S> {
    scheduler: Box<dyn Scheduler<S>>,
    /// The average gain of its runs, of which late ones count more, and the number of its runs.
    average: f64,
    runs: f64,
}

/// How much a run counts beside those before it, at least.
const WEIGHT: f64 = 0.02;

impl<S: Threads> Learned<S> {
    /// All schedulers, with this seed.
    pub fn new(seed: u64) -> Learned<S> {
        let mut arms: Vec<Arm<S>> =
            vec![Arm::new(Uniform::new(seed)), Arm::new(Pos::new(seed)), Arm::new(Surw::new(seed))];
        arms.extend((1..=4).map(|depth| Arm::new(Pct::new(seed, depth))));
        Learned {
            rng: Rng::new(seed),
            arms,
            current: 0,
            gain: 0.0,
            begun: false,
            last: HashMap::default(),
            seen: HashSet::default(),
            accesses: Vec::new(),
        }
    }

    /// The arm with the largest draw: what it is likely to yield, less certain with fewer runs.
    fn draw(&mut self) -> usize {
        let scale = self.arms.iter().map(|arm| arm.average).fold(f64::MIN_POSITIVE, f64::max);
        let rng = &mut self.rng;
        let draws: Vec<f64> = self
            .arms
            .iter()
            .map(|arm| (arm.average / scale) + normal(rng) / (arm.runs + 1.0).sqrt())
            .collect();
        let best = (0..draws.len()).max_by(|one, other| draws[*one].total_cmp(&draws[*other]));
        best.unwrap_or(0)
    }

    fn see(&mut self, object: u64, operation: u64) {
        let before = self.last.insert(object, operation).unwrap_or(0);
        let pair = before.rotate_left(17).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ operation;
        if self.seen.insert(pair) {
            self.gain += 1.0;
        }
    }
}

impl<S> Arm<S> {
    fn new(scheduler: impl Scheduler<S> + 'static) -> Arm<S>
    where
        S: Threads,
    {
        Arm { scheduler: Box::new(scheduler), average: 0.0, runs: 0.0 }
    }

    fn learn(&mut self, gain: f64) {
        self.runs += 1.0;
        self.average += (gain - self.average) * (1.0 / self.runs).max(WEIGHT);
    }
}

/// Roughly normal: the sum of twelve numbers between 0 and 1.
fn normal(rng: &mut Rng) -> f64 {
    let uniform = |bits: u64| f64::from((bits >> 32) as u32) / f64::from(u32::MAX);
    let sum: f64 = (0..12).map(|_| uniform(rng.bits())).sum();
    sum - 6.0
}

impl<S: Threads> Scheduler<S> for Learned<S> {
    fn begin(&mut self) {
        if std::mem::replace(&mut self.begun, true) {
            let gain = std::mem::take(&mut self.gain);
            self.arms[self.current].learn(gain);
        }
        self.current = self.draw();
        self.last.clear();
        self.arms[self.current].scheduler.begin();
    }

    fn choose(&mut self, system: &S, turns: &[Turn]) -> usize {
        self.arms[self.current].scheduler.choose(system, turns)
    }

    fn taking(&mut self, system: &S, turn: Turn) {
        let mut accesses = std::mem::take(&mut self.accesses);
        accesses.clear();
        system.accesses(turn, &mut accesses);
        let operation = system.fingerprint(turn);
        for access in &accesses {
            self.see(access.object, operation);
        }
        self.accesses = accesses;
        self.arms[self.current].scheduler.taking(system, turn);
    }
}
