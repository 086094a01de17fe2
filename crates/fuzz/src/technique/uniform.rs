//! Uniform: each step is drawn uniformly from the enabled actions.

use crate::{Guide, Target, walk::Walk};
use explore::Fault;

pub(super) fn walk<S: Target, G: Guide<S>>(walk: &mut Walk<'_, '_, S, G>) -> Result<(), Fault> {
    for _ in 0..walk.length() {
        if walk.enabled() == 0 {
            break;
        }
        let choice = walk.draw();
        walk.step(choice)?;
    }
    Ok(())
}
