//! Reconstructing the run to a state: only the hashes of parents are stored, so the actions are searched for.

use super::Packed;
use super::parent_of;
use super::shard::{Key, Shard};
use super::watch::Watch;
use super::worker::{Sighting, representative};
use crate::hash::hash_words;
use crate::{Fault, Schedule};

/// Reconstructs runs from the hashes of parents.
pub(super) struct Rebuilder<'r, K, const W: usize> {
    pub(super) shards: &'r [Shard<K, W>],
    pub(super) symmetric: bool,
    pub(super) watch: &'r Watch,
}

/// Limits are checked once per this many steps of a state; a state with fewer steps is never interrupted.
const STEPS_PER_LOOK: usize = 4096;

impl<K: Key<W>, const W: usize> Rebuilder<'_, K, W> {
    /// A run to the state of a sighting, or to one that differs from it by a renaming. Follows the hashes of parents
    /// back to an initial state, then takes, step by step, the first action that leads to the next hash.
    pub(super) fn schedule<S: Packed<W>, V>(
        &self,
        system: &mut S,
        sighting: &Sighting<V, W>,
    ) -> Result<Schedule<S::Action>, Fault> {
        let mut hashes = vec![hash_words(&sighting.state)];
        for step in 0..sighting.depth {
            let hash = hashes[step];
            hashes.push(parent_of(self.shards, hash).ok_or_else(lost)?);
        }
        let first = hashes.pop().ok_or_else(lost)?;
        let mut schedule = Schedule { initial: self.start(system, first)?, actions: Vec::new() };
        for hash in hashes.into_iter().rev() {
            schedule.actions.push(self.step(system, hash)?);
        }
        Ok(schedule)
    }

    /// Goes to the first initial state with a hash.
    fn start<S: Packed<W>>(&self, system: &mut S, hash: u64) -> Result<usize, Fault> {
        for initial in 0..system.initials()? {
            system.start(initial)?;
            if has_hash(system, hash, self.symmetric)? {
                return Ok(initial);
            }
        }
        Err(lost())
    }

    /// Takes the first action that leads to a state with a hash.
    fn step<S: Packed<W>>(&self, system: &mut S, hash: u64) -> Result<S::Action, Fault> {
        let here = system.checkpoint();
        let mut actions = Vec::new();
        system.enabled(&mut actions);
        for (tried, action) in (1..).zip(actions) {
            system.restore(&here)?;
            system.take(&action)?;
            if has_hash(system, hash, self.symmetric)? {
                return Ok(action);
            }
            if usize::is_multiple_of(tried, STEPS_PER_LOOK) && !self.watch.look() {
                break;
            }
        }
        Err(lost())
    }
}

/// Whether the current state, or its representative, has a given hash. Leaves the system in the same state.
fn has_hash<S: Packed<W>, const W: usize>(system: &mut S, hash: u64, symmetric: bool) -> Result<bool, Fault> {
    let here = system.checkpoint();
    let found = hash_words(&representative(system, &here, symmetric)?) == hash;
    system.restore(&here)?;
    Ok(found)
}

fn lost() -> Fault {
    Fault::Broken("a run cannot be found again, since two states have the same hash".into())
}
