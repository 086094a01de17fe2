//! Uniform: any enabled exit, equally likely.

use crate::{Guide, Target, walk::Walk};
use explore::Fault;

pub(super) fn walk<S: Target, G: Guide<S>>(walk: &mut Walk<'_, '_, S, G>) -> Result<(), Fault> {
    for _ in 0..walk.length() {
        if walk.exits() == 0 {
            break;
        }
        let exit = walk.draw();
        walk.step(exit)?;
    }
    Ok(())
}
