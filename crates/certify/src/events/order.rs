//! What is known about the order of events at the beginning of a step, given what is known after it.

use super::certificate::{Cube, Location, Who};
use std::collections::BTreeSet;

/// What a step does to memory, as far as it is known.
#[derive(Debug, Clone, Default)]
pub(super) struct Effect {
    /// The process that takes the step.
    pub(super) actor: u32,
    /// Locations that it writes. It may write others.
    pub(super) written: BTreeSet<Location>,
    /// Whether its writes reach memory at once.
    pub(super) atomic: bool,
    /// Whether the store buffer is empty before it.
    pub(super) empty: bool,
    /// The instants of the cube at which other processes see what it writes.
    pub(super) seen: BTreeSet<usize>,
    /// Those at which other processes see something older.
    pub(super) unseen: BTreeSet<usize>,
}

/// What comes before an instant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Before {
    /// The steps of all processes.
    pub(super) everybody: bool,
    /// The steps of these processes.
    pub(super) steps: BTreeSet<u32>,
    /// The writes of these processes.
    pub(super) writes: BTreeSet<u32>,
    /// A write to these locations that is not among the earlier ones, and with it all earlier ones.
    pub(super) locations: BTreeSet<Location>,
}

impl Before {
    fn include(&mut self, other: &Before) {
        self.everybody |= other.everybody;
        self.steps.extend(&other.steps);
        self.writes.extend(&other.writes);
        self.locations.extend(other.locations.iter().cloned());
    }
}

/// The instants of a cube and that of a step, and how they are ordered.
#[derive(Debug)]
pub(super) struct Order {
    /// For each instant of the cube, and then for that of the step.
    pub(super) before: Vec<Before>,
    /// Whether the first comes before the second.
    earlier: Vec<Vec<bool>>,
}

impl Order {
    /// The instant of a state at the end of a run, in which the buffer of a process may be known to be empty.
    pub(super) fn end(empty: Option<u32>) -> Order {
        let end = Before { everybody: true, writes: empty.into_iter().collect(), ..Before::default() };
        Order { before: vec![end], earlier: vec![vec![false]] }
    }

    /// The order before a step; none if it would have a cycle, so that there is no such step.
    pub(super) fn before_step(cube: &Cube, effect: &Effect) -> Option<Order> {
        let mut before: Vec<Before> = cube.instants.iter().map(stated).collect();
        let step = before.len();
        // The moment at which the write reaches memory. Of an atomic step it is the moment of the step.
        let write = if effect.atomic { step } else { step + 1 };
        before.resize(write + 1, Before::default());
        before[step].steps.insert(effect.actor);
        if effect.atomic || effect.empty {
            before[step].writes.insert(effect.actor);
        }
        before[write].steps.insert(effect.actor);
        before[write].writes.insert(effect.actor);
        before[write].locations.extend(effect.written.iter().cloned());
        let earlier = closed(direct(cube, effect, &before, (step, write)));
        if (0..before.len()).any(|at| earlier[at][at]) {
            return None;
        }
        let known = (0..=step).map(|at| {
            let mut all = before[at].clone();
            (0..before.len())
                .filter(|other| earlier[*other][at])
                .for_each(|other| all.include(&before[other]));
            all
        });
        Some(Order { before: known.collect(), earlier })
    }

    /// Whether one instant comes before another.
    pub(super) fn is_before(&self, first: usize, second: usize) -> bool {
        self.earlier[first][second]
    }
}

/// What a cube says about an instant.
fn stated(instant: &super::certificate::Instant) -> Before {
    let (everybody, steps) = match &instant.after_steps {
        Who::Everybody => (true, BTreeSet::new()),
        Who::Only(processes) => (false, processes.iter().copied().collect()),
    };
    Before {
        everybody,
        steps,
        writes: instant.after_writes.iter().copied().collect(),
        locations: instant.after_writes_to.iter().cloned().collect(),
    }
}

/// What is known at once about which moment comes before which.
fn direct(cube: &Cube, effect: &Effect, before: &[Before], (step, write): (usize, usize)) -> Vec<Vec<bool>> {
    let mut earlier = vec![vec![false; before.len()]; before.len()];
    for (at, instant) in cube.instants.iter().enumerate() {
        for later in &instant.before {
            earlier[at][*later] = true;
        }
        let known = &before[at];
        // A step comes before each write that is not earlier, wherever that goes.
        if known.everybody || known.steps.contains(&effect.actor) || !known.locations.is_empty() {
            earlier[step][at] = true;
        }
        let writes = !effect.written.is_empty();
        let is_overwritten = !known.locations.is_disjoint(&effect.written);
        if writes && (known.writes.contains(&effect.actor) || is_overwritten || effect.seen.contains(&at)) {
            earlier[write][at] = true;
        }
        if effect.unseen.contains(&at) {
            earlier[at][write] = true;
        }
    }
    if write != step {
        earlier[step][write] = true;
    }
    earlier
}

/// The transitive closure.
fn closed(mut earlier: Vec<Vec<bool>>) -> Vec<Vec<bool>> {
    let all = 0..earlier.len();
    for through in all.clone() {
        for from in all.clone() {
            if earlier[from][through] {
                for to in all.clone() {
                    earlier[from][to] |= earlier[through][to];
                }
            }
        }
    }
    earlier
}
