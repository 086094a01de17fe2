//! Novelty: prefers actions to unseen states, then transitions never taken anywhere, then actions never taken from
//! here.
//!
//! The successors of actions that were taken before are known, so only the others are tried. Each attempt is a step
//! like any other. Actions of transitions never taken are tried first, since they are new in two ways, then those of
//! preferred transitions.

use crate::{Guide, Target, walk::Walk};
use explore::Fault;

pub(super) fn walk<S: Target, G: Guide<S>>(walk: &mut Walk<'_, '_, S, G>) -> Result<(), Fault> {
    for _ in 0..walk.length() {
        if walk.budget == 0 || walk.enabled() == 0 || !step(walk)? {
            break;
        }
    }
    Ok(())
}

/// One step of the walk; false if there is nothing left to execute.
fn step<S: Target, G: Guide<S>>(walk: &mut Walk<'_, '_, S, G>) -> Result<bool, Fault> {
    let mut untried = std::mem::take(&mut walk.worker.order);
    untried.clear();
    untried.extend((0..walk.enabled()).filter(|choice| !walk.is_taken(*choice)));
    walk.rng.shuffle(&mut untried);
    untried.sort_by_key(|choice| (walk.is_covered(*choice), !walk.is_preferred(*choice)));
    let moved = to_unseen(walk, &untried);
    // All attempts lead to known states: the best one is the first attempt, if there was any.
    let otherwise = untried.first().copied();
    walk.worker.order = untried;
    if moved? {
        return Ok(true);
    }
    if walk.budget == 0 {
        return Ok(false);
    }
    let choice = otherwise.unwrap_or_else(|| walk.draw());
    walk.step(choice)?;
    Ok(true)
}

/// Tries enabled actions until one leads to an unseen state, and continues from there.
fn to_unseen<S: Target, G: Guide<S>>(
    walk: &mut Walk<'_, '_, S, G>,
    untried: &[usize],
) -> Result<bool, Fault> {
    for choice in untried {
        if walk.budget == 0 {
            break;
        }
        let attempt = walk.attempt(*choice)?;
        if attempt.is_new {
            walk.accept(attempt);
            return Ok(true);
        }
        walk.reject()?;
    }
    Ok(false)
}
