//! The scheduler learns which technique pays off at which class of nodes.
//!
//! A multi-armed bandit with one arm for each pair of class and technique. The gain of an arm per step is discounted
//! over time, because what pays off early need not pay off later (Garivier, Moulines: On upper-confidence bound
//! policies for switching bandit problems, ALT 2011). Arms are drawn as in Thompson sampling: each gets its mean plus
//! a random multiple of its uncertainty, and the best one is taken, so that the tasks of one round differ.

use crate::{Technique, corpus::Class};
use explore::Rng;

/// The new coverage and findings of a task.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gain {
    pub(crate) states: usize,
    pub(crate) pairs: usize,
    pub(crate) transitions: usize,
    pub(crate) findings: usize,
    pub(crate) steps: usize,
}

/// The values of a new pair, transition and finding; that of a new state is 1. Rarer events are worth more than the
/// states that come with them.
const PAIR: f64 = 20.0;
const TRANSITION: f64 = 200.0;
const FINDING: f64 = 200.0;

impl Gain {
    #[expect(clippy::cast_precision_loss, reason = "small counts")]
    fn value(self) -> f64 {
        let rare = self.pairs as f64 * PAIR + self.transitions as f64 * TRANSITION;
        self.states as f64 + rare + self.findings as f64 * FINDING
    }
}

/// A pair of class and technique.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arm {
    pub(crate) class: Class,
    pub(crate) technique: Technique,
}

#[derive(Debug)]
struct Record {
    arm: Arm,
    /// The weight that the user gave to the technique.
    weight: f64,
    /// Its total gain, and below its steps and tasks, all discounted.
    value: f64,
    steps: f64,
    tasks: f64,
}

#[derive(Debug)]
pub(crate) struct Scheduler {
    records: Vec<Record>,
    /// Whether interesting nodes exist; only then their arms are drawn.
    seen_interesting: bool,
}

/// The number of tasks after which the weight of a task has fallen to 1/e.
const MEMORY: f64 = 1500.0;
/// One task in this many is drawn uniformly, so that no arm is abandoned.
const BLIND: usize = 24;
/// The standard deviation of the gain of one task, relative to the average gain of all arms.
const DOUBT: f64 = 0.3;
/// While there are interesting nodes, one task in this many begins at them.
const INTERESTED: usize = 2;

impl Scheduler {
    pub(crate) fn new(techniques: &[(Technique, f64)]) -> Scheduler {
        let arms = Class::ALL.into_iter().flat_map(|class| {
            techniques.iter().map(move |(technique, weight)| (Arm { class, technique: *technique }, *weight))
        });
        let record = |(arm, weight)| Record { arm, weight, value: 0.0, steps: 0.0, tasks: 0.0 };
        Scheduler { records: arms.map(record).collect(), seen_interesting: false }
    }

    /// Tells the scheduler that there are interesting nodes from now on.
    pub(crate) fn see_interesting(&mut self) {
        self.seen_interesting = true;
    }

    /// Draws an arm; the number is for [`learn`](Self::learn).
    pub(crate) fn draw(&self, rng: &mut Rng) -> (usize, Arm) {
        let interested = self.seen_interesting && rng.below(INTERESTED) == 0;
        let allowed = |record: &Record| (record.arm.class == Class::Interesting) == interested;
        let blind = rng.below(BLIND) == 0;
        let rate = self.rate();
        let mut best: Option<(f64, usize)> = None;
        for (at, record) in self.records.iter().enumerate().filter(|(_, record)| allowed(record)) {
            let score = if blind { fraction(rng) } else { record.sample(rate, rng) };
            let score = score * record.weight;
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, at));
            }
        }
        let at = best.map_or(0, |(_, at)| at);
        (at, self.records[at].arm)
    }

    /// The gain of all arms per step.
    fn rate(&self) -> f64 {
        let sums =
            self.records.iter().fold((0.0, 0.0), |sum, record| (sum.0 + record.value, sum.1 + record.steps));
        if sums.1 > 0.0 { sums.0 / sums.1 } else { 1.0 }
    }

    /// Records the gain of a task of an arm.
    #[expect(clippy::cast_precision_loss, reason = "small counts")]
    pub(crate) fn learn(&mut self, arm: usize, gain: Gain) {
        for record in &mut self.records {
            let kept = 1.0 - 1.0 / MEMORY;
            record.value *= kept;
            record.steps *= kept;
            record.tasks *= kept;
        }
        let record = &mut self.records[arm];
        record.value += gain.value();
        record.steps += gain.steps as f64;
        record.tasks += 1.0;
    }
}

impl Record {
    /// A sample of the expected gain of the arm per step: its mean, shrunk towards that of all arms while little is
    /// known, plus a random multiple of the uncertainty.
    fn sample(&self, rate: f64, rng: &mut Rng) -> f64 {
        let tasks = self.tasks + 1.0;
        let steps = self.steps + self.steps / tasks.max(1.0) + 1.0;
        let mean = (self.value + rate * (steps - self.steps)) / steps;
        let deviation = DOUBT * rate / tasks.sqrt();
        (mean + deviation * around_zero(rng)).max(rate * 1e-6 * fraction(rng))
    }
}

/// A random number from 0 (inclusive) to 1 (exclusive).
#[expect(clippy::cast_precision_loss, reason = "53 random bits")]
fn fraction(rng: &mut Rng) -> f64 {
    (rng.bits() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Approximately standard normal: a sum of 12 uniform variables, which needs only additions and so is the same on
/// every machine.
fn around_zero(rng: &mut Rng) -> f64 {
    (0..12).map(|_| fraction(rng)).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gain(states: usize) -> Gain {
        Gain { states, steps: 100, ..Gain::default() }
    }

    /// The most profitable arm is drawn most often, and all others now and then.
    #[test]
    fn what_pays_off_is_drawn_and_nothing_is_given_up() {
        let weights: Vec<_> = Technique::ALL.into_iter().map(|technique| (technique, 1.0)).collect();
        let mut scheduler = Scheduler::new(&weights);
        let mut rng = Rng::new(7);
        let mut drawn = [0; 6];
        for _ in 0..4000 {
            let (at, arm) = scheduler.draw(&mut rng);
            assert_ne!(arm.class, Class::Interesting);
            let good = arm.technique == Technique::MoreEnabled;
            scheduler.learn(at, gain(if good { 50 } else { 5 }));
            drawn[Technique::ALL.iter().position(|one| *one == arm.technique).unwrap()] += 1;
        }
        assert!(drawn[3] > 2800, "{drawn:?}");
        assert!(drawn.iter().all(|count| *count > 20), "{drawn:?}");
    }

    /// When another arm becomes more profitable, the scheduler switches to it.
    #[test]
    fn it_changes_its_mind() {
        let weights = [(Technique::Uniform, 1.0), (Technique::Untaken, 1.0)];
        let mut scheduler = Scheduler::new(&weights);
        let mut rng = Rng::new(8);
        let mut late = 0;
        for round in 0..6000 {
            let (at, arm) = scheduler.draw(&mut rng);
            let good = (arm.technique == Technique::Uniform) == (round < 2000);
            scheduler.learn(at, gain(if good { 50 } else { 5 }));
            late += usize::from(round >= 4000 && good);
        }
        assert!(late > 1400, "{late} of 2000");
    }

    #[test]
    fn weights_count() {
        let weights = [(Technique::Uniform, 8.0), (Technique::Untaken, 1.0)];
        let mut scheduler = Scheduler::new(&weights);
        let mut rng = Rng::new(9);
        let mut heavy = 0;
        for _ in 0..1000 {
            let (at, arm) = scheduler.draw(&mut rng);
            scheduler.learn(at, gain(20));
            heavy += usize::from(arm.technique == Technique::Uniform);
        }
        assert!(heavy > 900, "{heavy} of 1000");
    }

    #[test]
    fn interesting_nodes_get_half_of_the_tasks() {
        let mut scheduler = Scheduler::new(&[(Technique::Uniform, 1.0)]);
        scheduler.see_interesting();
        let mut rng = Rng::new(10);
        let count = (0..1000).filter(|_| scheduler.draw(&mut rng).1.class == Class::Interesting).count();
        assert!((400..600).contains(&count), "{count} of 1000");
    }
}
