//! More enabled actions: prefers steps to states with more enabled actions, from which more runs are possible.

use crate::{Guide, Target, walk::Walk};
use explore::Fault;

/// After this many draws an action is accepted, whatever it leads to.
const DRAWS: usize = 4;

pub(super) fn walk<S: Target, G: Guide<S>>(walk: &mut Walk<'_, '_, S, G>) -> Result<(), Fault> {
    for _ in 0..walk.length() {
        if walk.budget == 0 || walk.enabled() == 0 {
            break;
        }
        step(walk)?;
    }
    Ok(())
}

fn step<S: Target, G: Guide<S>>(walk: &mut Walk<'_, '_, S, G>) -> Result<(), Fault> {
    for draw in 1.. {
        let choice = walk.draw();
        let attempt = walk.attempt(choice)?;
        let more = walk.exits_after(attempt) > walk.enabled();
        if more || draw >= DRAWS || walk.budget == 0 || walk.chance(walk.shared.accept_less) {
            walk.accept(attempt);
            break;
        }
        walk.reject()?;
    }
    Ok(())
}
