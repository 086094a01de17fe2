//! A worker of a parallel breadth-first search: expands states, and judges those that are new.

use std::ops::Range;

use super::shard::{Arrival, Key, Shard};
use super::watch::Watch;
use super::{Packed, owner};
use crate::hash::hash_words;
use crate::{Fault, Property};

/// The largest number of states to process between two checks of the limits.
const MANY: usize = 4096;

/// A violation, and the state that shows it.
#[derive(Clone, Debug)]
pub(super) struct Sighting<V, const W: usize> {
    pub(super) violation: V,
    pub(super) depth: usize,
    pub(super) state: [u64; W],
}

/// The states reached that belong to one shard.
// Its length changes with each state that is reached; as with workers, no two of them may share a cache line.
#[derive(Clone, Debug, Default)]
#[repr(align(128))]
pub(super) struct Outbox<const W: usize> {
    pub(super) arrivals: Vec<Arrival<W>>,
}

/// Buffers for the exchange of states between workers.
#[cfg(feature = "threads")]
#[derive(Debug, Default)]
pub(super) struct Mail<const W: usize> {
    /// Batches that were received and are empty now, to be filled and sent again. Reused, because memory that one
    /// thread allocates and another frees makes the operating system interrupt all threads repeatedly.
    pub(super) spare: Vec<Vec<Arrival<W>>>,
    /// The batches being read.
    pub(super) inbox: Vec<Vec<Arrival<W>>>,
}

/// A copy of the system, with counters and buffers.
// Workers write all the time, so no two of them may share a cache line (or two that are fetched together).
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Worker<S: Packed<W>, P: Property<S>, const W: usize> {
    pub(super) system: S,
    property: P,
    symmetric: bool,
    /// The depth of the states that are being expanded.
    pub(super) depth: usize,
    pub(super) transitions: usize,
    pub(super) runs: usize,
    /// For each violation the least state of the least depth.
    pub(super) sightings: Vec<Sighting<P::Violation, W>>,
    /// For each shard the states reached that belong to it.
    pub(super) outboxes: Vec<Outbox<W>>,
    #[cfg(feature = "threads")]
    pub(super) mail: Mail<W>,
    // Buffers.
    states: Vec<[u64; W]>,
    successors: Vec<[u64; W]>,
    violations: Vec<P::Violation>,
}

impl<S: Packed<W>, P: Property<S>, const W: usize> Worker<S, P, W> {
    pub(super) fn new(system: S, property: P, symmetric: bool, shards: usize) -> Self {
        Worker {
            system,
            property,
            symmetric,
            depth: 0,
            transitions: 0,
            runs: 0,
            sightings: Vec::new(),
            outboxes: vec![Outbox::default(); shards],
            #[cfg(feature = "threads")]
            mail: Mail::default(),
            states: Vec::new(),
            successors: Vec::new(),
            violations: Vec::new(),
        }
    }

    /// Sends the initial states to their shards.
    pub(super) fn start(&mut self, watch: &Watch) -> Result<(), Fault> {
        let mut states = Vec::new();
        self.system.starts(&mut states)?;
        self.reach_all(&states, None, watch)
    }

    /// Takes every step from some states of the level of a shard.
    pub(super) fn expand<K: Key<W>>(
        &mut self,
        shard: &Shard<K, W>,
        positions: Range<usize>,
        watch: &Watch,
    ) -> Result<(), Fault> {
        let mut states = std::mem::take(&mut self.states);
        states.clear();
        shard.read_level(positions, &mut states);
        let before = self.transitions;
        let done = states.iter().try_for_each(|state| self.expand_state(state, watch));
        watch.progress.add(0, states.len(), self.transitions - before);
        self.states = states;
        done
    }

    fn expand_state(&mut self, state: &[u64; W], watch: &Watch) -> Result<(), Fault> {
        let mut successors = std::mem::take(&mut self.successors);
        successors.clear();
        self.system.restore(state)?;
        self.system.successors(&mut successors)?;
        if successors.is_empty() {
            self.runs += 1;
            self.property.stuck(&self.system, &mut self.violations);
            self.note(state, self.depth);
        }
        successors.truncate(watch.allow(successors.len()));
        self.transitions += successors.len();
        let done = self.reach_all(&successors, Some(hash_words(state)), watch);
        self.successors = successors;
        done
    }

    /// Sends states to their shards. If there are very many, checks the limits in between, and may stop early.
    fn reach_all(&mut self, states: &[[u64; W]], parent: Option<u64>, watch: &Watch) -> Result<(), Fault> {
        for (at, some) in states.chunks(MANY).enumerate() {
            if at > 0 && !watch.look() {
                break;
            }
            some.iter().try_for_each(|state| self.reach(state, parent))?;
        }
        Ok(())
    }

    /// Sends the representative of a state to its shard.
    fn reach(&mut self, state: &[u64; W], parent: Option<u64>) -> Result<(), Fault> {
        let state = representative(&mut self.system, state, self.symmetric)?;
        let hash = hash_words(&state);
        let shard = owner(hash, self.outboxes.len());
        self.outboxes[shard].arrivals.push(Arrival { state, parent: parent.unwrap_or(hash) });
        Ok(())
    }

    /// Adds the new states among some arrivals to their shard, and judges them.
    pub(super) fn insert<K: Key<W>>(
        &mut self,
        shard: &mut Shard<K, W>,
        arrivals: &[Arrival<W>],
        depth: usize,
        watch: &Watch,
    ) {
        for (at, some) in arrivals.chunks(MANY).enumerate() {
            let growth = shard.growth(some.len());
            let is_stopped = if at == 0 { watch.is_stopped() } else { !watch.look() };
            if is_stopped || (growth > 0 && !watch.may_grow(growth)) {
                return;
            }
            let (states, bytes) = (shard.len(), shard.bytes());
            shard.insert(some, &mut |arrival| watch.admit(depth) && self.judge(arrival, depth, watch));
            watch.progress.add(shard.len() - states, 0, 0);
            watch.progress.resize(bytes, shard.bytes());
        }
    }

    /// Judges a new state. False if the system cannot be restored to it.
    fn judge(&mut self, arrival: &Arrival<W>, depth: usize, watch: &Watch) -> bool {
        if let Err(fault) = self.system.restore(&arrival.state) {
            watch.stop(fault);
            return false;
        }
        self.property.state(&self.system, &mut self.violations);
        self.note(&arrival.state, depth);
        true
    }

    /// Records the violations that the property has just reported.
    fn note(&mut self, state: &[u64; W], depth: usize) {
        for violation in self.violations.drain(..) {
            note(&mut self.sightings, Sighting { violation, depth, state: *state });
        }
    }
}

/// The representative of a state under symmetry, or the state itself.
pub(super) fn representative<S: Packed<W>, const W: usize>(
    system: &mut S,
    state: &[u64; W],
    symmetric: bool,
) -> Result<[u64; W], Fault> {
    if !symmetric {
        return Ok(*state);
    }
    system.restore(state)?;
    Ok(system.canonical())
}

/// Adds a sighting, unless the same violation is known at a smaller depth, or at the same depth with a smaller state.
pub(super) fn note<V: Eq, const W: usize>(sightings: &mut Vec<Sighting<V, W>>, new: Sighting<V, W>) {
    match sightings.iter_mut().find(|known| known.violation == new.violation) {
        Some(known) if (known.depth, known.state) <= (new.depth, new.state) => {}
        Some(known) => *known = new,
        None => sightings.push(new),
    }
}
