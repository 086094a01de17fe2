//! Untaken: one step, by an enabled action that was never taken from this node.

use crate::{Guide, Target, walk::Walk};
use explore::Fault;

pub(super) fn walk<S: Target, G: Guide<S>>(walk: &mut Walk<'_, '_, S, G>) -> Result<(), Fault> {
    match walk.draw_where(|walk, choice| !walk.is_taken(choice)) {
        Some(choice) => walk.step(choice),
        None => Ok(()),
    }
}
