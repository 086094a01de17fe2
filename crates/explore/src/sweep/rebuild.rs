//! How a state was reached: nothing but hashes is stored of that, so the run is found again.

use super::Packed;
use super::parent_of;
use super::shard::{Key, Shard};
use super::worker::{Sighting, representative};
use crate::hash::hash_words;
use crate::{Fault, Schedule};

/// A run to the state of a sighting, or to one that a renaming makes equal to it. Follows the hashes of parents
/// back to an initial state, then takes, step by step, the first action that leads to the next hash.
pub(super) fn schedule<S: Packed<W>, K: Key<W>, const W: usize>(
    system: &mut S,
    shards: &[Shard<K, W>],
    sighting: &Sighting<W>,
    symmetric: bool,
) -> Result<Schedule<S::Action>, Fault> {
    let mut hashes = vec![hash_words(&sighting.state)];
    for step in 0..sighting.depth {
        let hash = hashes[step];
        hashes.push(parent_of(shards, hash).ok_or_else(lost)?);
    }
    let first = hashes.pop().ok_or_else(lost)?;
    let mut schedule = Schedule { initial: start(system, first, symmetric)?, actions: Vec::new() };
    for hash in hashes.into_iter().rev() {
        schedule.actions.push(step(system, hash, symmetric)?);
    }
    Ok(schedule)
}

/// Goes to the first initial state with a hash.
fn start<S: Packed<W>, const W: usize>(system: &mut S, hash: u64, symmetric: bool) -> Result<usize, Fault> {
    for initial in 0..system.initials()? {
        system.start(initial)?;
        if has_hash(system, hash, symmetric)? {
            return Ok(initial);
        }
    }
    Err(lost())
}

/// Takes the first action that leads to a state with a hash.
fn step<S: Packed<W>, const W: usize>(
    system: &mut S,
    hash: u64,
    symmetric: bool,
) -> Result<S::Action, Fault> {
    let here = system.checkpoint();
    let mut actions = Vec::new();
    system.enabled(&mut actions);
    for action in actions {
        system.restore(&here)?;
        system.take(&action)?;
        if has_hash(system, hash, symmetric)? {
            return Ok(action);
        }
    }
    Err(lost())
}

/// Whether the current state, or the one that stands for it, has a hash. The system stays where it is.
fn has_hash<S: Packed<W>, const W: usize>(system: &mut S, hash: u64, symmetric: bool) -> Result<bool, Fault> {
    let here = system.checkpoint();
    let found = hash_words(&representative(system, &here, symmetric)?) == hash;
    system.restore(&here)?;
    Ok(found)
}

fn lost() -> Fault {
    Fault::Broken("a run cannot be found again, since two states have the same hash".into())
}
