//! Parallel breadth-first search over packed states, level by level: the fast way to visit all states.
//!
//! [`Search`](crate::Search) consults a strategy, a memory and a reduction at each step; this has none. States are
//! distributed over workers by hash, and each worker stores its share. The result (counts, violations, runs to them)
//! does not depend on the number of workers, unless a limit ends the search.

mod arena;
mod level;
mod progress;
mod rebuild;
mod shard;
mod watch;
mod worker;

pub use progress::{Progress, Snapshot};

use std::sync::Arc;

use shard::{Fingerprint, Key, Shard};
use watch::Watch;
use worker::{Sighting, Worker, note};

use crate::{End, Fault, Found, Limits, Outcome, OutcomeOf, Property, Stats, Steered, Symmetry, System};

/// A system whose states are a few machine words. Two states are equal if and only if their words are.
pub trait Packed<const W: usize>: Symmetry<Identity = [u64; W]> + System<Checkpoint = [u64; W]> {
    /// Appends the initial states.
    fn starts(&mut self, states: &mut Vec<[u64; W]>) -> Result<(), Fault> {
        for initial in 0..self.initials()? {
            self.start(initial)?;
            states.push(self.identity());
        }
        Ok(())
    }

    /// Appends the state after each enabled action, in order. May leave the system in any state.
    fn successors(&mut self, states: &mut Vec<[u64; W]>) -> Result<(), Fault> {
        let here = self.checkpoint();
        let mut actions = Vec::new();
        self.enabled(&mut actions);
        for action in actions {
            self.restore(&here)?;
            self.take(&action)?;
            states.push(self.identity());
        }
        Ok(())
    }

    /// Merges what a copy has recorded, such as the transitions taken.
    fn absorb(&mut self, _copy: Self)
    where
        Self: Sized,
    {
    }
}

/// A builder for a parallel breadth-first search. By default it recognises states exactly, has no limits, ends with
/// the level of the first violation, and starts no thread.
#[derive(Debug)]
pub struct ParallelBfs<'s, S: Steered, P: Property<S>> {
    system: &'s mut S,
    property: P,
    limits: Limits,
    symmetric: bool,
    compact: bool,
    workers: usize,
    /// Levels with fewer states are expanded by one worker.
    worth_sharing: usize,
    ends_at: fn(&P::Violation) -> bool,
    progress: Arc<Progress>,
}

/// The default of `worth_sharing`: starting a thread takes as long as expanding some hundred states.
const WORTH_SHARING: usize = 1 << 13;

impl<'s, S: Steered, P: Property<S>> ParallelBfs<'s, S, P> {
    /// Visits all states of `system`, and judges states by `property`. Steps are not judged.
    pub fn new(system: &'s mut S, property: P) -> Self {
        ParallelBfs {
            system,
            property,
            limits: Limits::default(),
            symmetric: false,
            compact: false,
            workers: 1,
            worth_sharing: WORTH_SHARING,
            ends_at: |_| true,
            progress: Arc::default(),
        }
    }

    /// Gives up when a limit is hit. Which states were seen by then depends on the number of workers.
    #[must_use]
    pub fn limit(self, limits: Limits) -> Self {
        ParallelBfs { limits, ..self }
    }

    /// Whether to apply symmetry reduction: states that differ by a renaming count once.
    #[must_use]
    pub fn up_to_symmetry(self, symmetric: bool) -> Self {
        ParallelBfs { symmetric, ..self }
    }

    /// Whether to use hash compaction, which takes less memory: two different states may be taken for one.
    #[must_use]
    pub fn compact(self, compact: bool) -> Self {
        ParallelBfs { compact, ..self }
    }

    /// Shares levels of at least `worth_sharing` states among `workers`, each in a thread of its own.
    #[cfg(feature = "threads")]
    #[must_use]
    pub fn share(self, workers: usize, worth_sharing: Option<usize>) -> Self {
        let worth_sharing = worth_sharing.unwrap_or(WORTH_SHARING);
        ParallelBfs { workers: workers.max(1), worth_sharing, ..self }
    }

    /// Ends only at violations for which `ends_at` is true. Equal violations are reported once, at their least depth.
    #[must_use]
    pub fn end_at(self, ends_at: fn(&P::Violation) -> bool) -> Self {
        ParallelBfs { ends_at, ..self }
    }

    /// Reports progress to `progress`.
    #[must_use]
    pub fn tell(self, progress: Arc<Progress>) -> Self {
        ParallelBfs { progress, ..self }
    }

    /// Runs the search.
    pub fn run<const W: usize>(mut self) -> OutcomeOf<S, P>
    where
        S: Packed<W> + Clone + Send,
        P: Property<S> + Clone + Send,
    {
        if self.compact {
            Run::<S, P, Fingerprint, W>::finish(&mut self).0
        } else {
            Run::<S, P, [u64; W], W>::finish(&mut self).0
        }
    }

    /// Runs the search, and returns the states that it has reached, in no particular order.
    pub fn run_and_keep<const W: usize>(mut self) -> (OutcomeOf<S, P>, Vec<[u64; W]>)
    where
        S: Packed<W> + Clone + Send,
        P: Property<S> + Clone + Send,
    {
        let (outcome, shards) = Run::<S, P, [u64; W], W>::finish(&mut self);
        (outcome, shards.iter().flat_map(Shard::states).collect())
    }
}

/// The state of a running search.
struct Run<S: Packed<W>, P: Property<S>, K, const W: usize> {
    watch: Watch,
    shards: Vec<Shard<K, W>>,
    /// The first one works alone while levels are small; the others are added when needed.
    workers: Vec<Worker<S, P, W>>,
    sightings: Vec<Sighting<P::Violation, W>>,
    depth: usize,
}

impl<S, P, K, const W: usize> Run<S, P, K, W>
where
    S: Packed<W> + Clone + Send,
    P: Property<S> + Clone + Send,
    K: Key<W>,
{
    fn finish(search: &mut ParallelBfs<'_, S, P>) -> (OutcomeOf<S, P>, Vec<Shard<K, W>>) {
        let worker =
            Worker::new(search.system.clone(), search.property.clone(), search.symmetric, search.workers);
        let mut run = Run::<S, P, K, W> {
            watch: Watch::new(search.limits.clone(), search.progress.clone()),
            shards: (0..search.workers).map(|_| Shard::new()).collect(),
            workers: vec![worker],
            sightings: Vec::new(),
            depth: 0,
        };
        run.shards.iter().for_each(|shard| run.watch.progress.resize(0, shard.bytes()));
        let mut end = run.levels(search);
        let mut stats = run.stats();
        let mut found = Vec::new();
        for sighting in &run.sightings {
            let rebuilder =
                rebuild::Rebuilder { shards: &run.shards, symmetric: search.symmetric, watch: &run.watch };
            match rebuilder.schedule(search.system, sighting) {
                Ok(schedule) => found.push(Found { violation: sighting.violation.clone(), schedule }),
                Err(fault) => end = run.watch.end().unwrap_or(End::Fault(fault)),
            }
        }
        run.workers.into_iter().for_each(|worker| search.system.absorb(worker.system));
        stats.time = run.watch.elapsed();
        let fingerprint_bits =
            if search.compact { Some(u64::BITS) } else { search.system.fingerprint_bits() };
        (Outcome { end, found, cuts: Vec::new(), fingerprint_bits, stats }, run.shards)
    }

    fn stats(&self) -> Stats {
        Stats {
            states: self.shards.iter().map(Shard::len).sum(),
            transitions: self.workers.iter().map(|worker| worker.transitions).sum(),
            runs: self.workers.iter().map(|worker| worker.runs).sum(),
            depth: self.depth,
            bytes: self.shards.iter().map(Shard::bytes).sum(),
            ..Stats::default()
        }
    }

    /// Builds one level after the other, and returns why that ended.
    fn levels(&mut self, search: &ParallelBfs<'_, S, P>) -> End {
        let first = &mut self.workers[0];
        if let Err(fault) = first.start(&self.watch) {
            return fault.into();
        }
        level::deliver(first, &mut self.shards, 1, 0, &self.watch);
        loop {
            self.collect();
            if let Some(end) = self.watch.end() {
                return end;
            }
            // A level is always finished, so that the violations found do not depend on the order within it.
            if self.sightings.iter().any(|sighting| (search.ends_at)(&sighting.violation)) {
                return End::Found;
            }
            self.shards.iter_mut().for_each(Shard::next_level);
            let states: usize = self.shards.iter().map(Shard::level_len).sum();
            if states == 0 {
                return End::Exhausted;
            }
            self.build_level(search, states);
        }
    }

    /// Takes every step from the states of a level.
    fn build_level(&mut self, search: &ParallelBfs<'_, S, P>, states: usize) {
        let known: usize = self.shards.iter().map(Shard::len).sum();
        let depth = self.workers[0].depth;
        self.watch.progress.set_depth(depth + 1);
        if search.workers > 1 && states >= search.worth_sharing {
            self.build_together(search, depth);
        } else {
            level::expand_alone(&mut self.workers[0], &mut self.shards, &self.watch);
        }
        self.workers[0].depth = depth + 1;
        if self.shards.iter().map(Shard::len).sum::<usize>() > known {
            self.depth = depth + 1;
        }
    }

    #[cfg(not(feature = "threads"))]
    fn build_together(&mut self, _search: &ParallelBfs<'_, S, P>, _depth: usize) {
        level::expand_alone(&mut self.workers[0], &mut self.shards, &self.watch);
    }

    #[cfg(feature = "threads")]
    fn build_together(&mut self, search: &ParallelBfs<'_, S, P>, depth: usize) {
        let copy =
            || Worker::new(search.system.clone(), search.property.clone(), search.symmetric, search.workers);
        self.workers.resize_with(search.workers, copy);
        self.workers.iter_mut().for_each(|worker| worker.depth = depth);
        level::expand_together(&mut self.workers, &mut self.shards, &self.watch);
    }

    /// Collects the sightings of all workers, nearest first.
    fn collect(&mut self) {
        for worker in &mut self.workers {
            worker.sightings.drain(..).for_each(|sighting| note(&mut self.sightings, sighting));
        }
        self.sightings.sort_by(|a, b| {
            let key = |sighting: &Sighting<P::Violation, W>| (sighting.depth, sighting.state);
            key(a).cmp(&key(b)).then_with(|| a.violation.cmp(&b.violation))
        });
    }
}

/// The shard that a state belongs to, by bits of its hash that its place in the shard does not depend on.
fn owner(hash: u64, shards: usize) -> usize {
    usize::try_from(((hash >> 24 & 0xffff) * shards as u64) >> 16).unwrap_or(0)
}

/// The hash of the parent of a state.
fn parent_of<K: Key<W>, const W: usize>(shards: &[Shard<K, W>], hash: u64) -> Option<u64> {
    shards[owner(hash, shards.len())].parent(hash)
}
