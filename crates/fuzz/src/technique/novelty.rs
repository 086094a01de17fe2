//! Novelty: an enabled action to an unseen state, then one of a transition never taken anywhere, then one never taken from here.
//!
//! Where enabled actions lead that were taken before is known, so only the others are tried. Each of these attempts is a step like any
//! other; those of transitions never taken come first, as they have two reasons, and then those
//! of preferred ones.

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
    // All that was tried leads to seen states: the best of the rest is the first that was tried, if any was.
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

/// Tries enabled actions until one leads to an unseen state, and goes there.
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
