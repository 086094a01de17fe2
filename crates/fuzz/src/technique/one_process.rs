//! One process: only steps of one process, until it has none. Bugs often need one process to be far ahead of the
//! others.

use crate::{Guide, Target, walk::Walk};
use explore::Fault;

pub(super) fn walk<S: Target, G: Guide<S>>(walk: &mut Walk<'_, '_, S, G>) -> Result<(), Fault> {
    let processes = walk.worker.guide.processes();
    if processes == 0 {
        return super::uniform::walk(walk);
    }
    let process = walk.rng.below(processes);
    for _ in 0..walk.length() {
        let acting = walk.draw_where(|walk, choice| walk.acts(choice, process));
        let Some(choice) =
            acting.or_else(|| walk.draw_where(|walk, choice| walk.takes_part(choice, process)))
        else {
            break;
        };
        walk.step(choice)?;
    }
    Ok(())
}
