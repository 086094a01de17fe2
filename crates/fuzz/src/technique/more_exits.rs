//! More exits: prefer steps to states with more exits than here, which have more futures.

use crate::{Guide, Target, walk::Walk};
use explore::Fault;

/// So many exits are drawn before the last one is taken whatever it leads to.
const DRAWS: usize = 4;

pub(super) fn walk<S: Target, G: Guide<S>>(walk: &mut Walk<'_, '_, S, G>) -> Result<(), Fault> {
    for _ in 0..walk.length() {
        if walk.budget == 0 || walk.exits() == 0 {
            break;
        }
        step(walk)?;
    }
    Ok(())
}

fn step<S: Target, G: Guide<S>>(walk: &mut Walk<'_, '_, S, G>) -> Result<(), Fault> {
    for draw in 1.. {
        let exit = walk.draw();
        let attempt = walk.attempt(exit)?;
        let more = walk.exits_after(attempt) > walk.exits();
        if more || draw >= DRAWS || walk.budget == 0 || walk.chance(walk.shared.accept_less) {
            walk.accept(attempt);
            break;
        }
        walk.reject()?;
    }
    Ok(())
}
