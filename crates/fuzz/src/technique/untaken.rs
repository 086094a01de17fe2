//! Untaken: one exit that was never taken from here.

use crate::{Guide, Target, walk::Walk};
use explore::Fault;

pub(super) fn walk<S: Target, G: Guide<S>>(walk: &mut Walk<'_, '_, S, G>) -> Result<(), Fault> {
    match walk.draw_where(|walk, exit| !walk.is_taken(exit)) {
        Some(exit) => walk.step(exit),
        None => Ok(()),
    }
}
