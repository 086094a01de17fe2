//! All states within a few steps, near ones first.

use crate::{Snapshot, Subject};
use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, Ordering},
};

/// What a look around has come to.
#[derive(Debug)]
pub(crate) struct Around {
    /// How many states were entered, again or not.
    pub(crate) seen: usize,
    pub(crate) distinct: usize,
    /// The exits to take to the nearest state that violates something.
    pub(crate) wrong: Option<Vec<usize>>,
    /// Whether all states within the depth were visited, if nothing wrong was found.
    pub(crate) complete: bool,
}

/// A state on the way: itself, the one before it, and the exit between.
struct Node {
    state: Snapshot,
    before: usize,
    exit: usize,
}

/// Visits all states within a depth, but no more than `most`. Leaves the subject anywhere.
pub(crate) fn look_around(
    subject: &mut dyn Subject,
    depth: usize,
    most: usize,
    cancel: &AtomicBool,
) -> Result<Around, String> {
    let start = subject.snapshot();
    let mut known: HashSet<Snapshot> = HashSet::from([start.clone()]);
    let mut nodes = vec![Node { state: start, before: 0, exit: 0 }];
    let mut around = Around { seen: 1, distinct: 1, wrong: None, complete: true };
    let mut level = 0..1;
    for _ in 0..depth {
        for before in level.clone() {
            subject.restore(&nodes[before].state)?;
            for exit in 0..subject.exits() {
                if cancel.load(Ordering::Relaxed) || nodes.len() >= most {
                    return Ok(Around { complete: false, distinct: nodes.len(), ..around });
                }
                subject.take(exit)?;
                around.seen += 1;
                let state = subject.snapshot();
                if known.insert(state.clone()) {
                    nodes.push(Node { state, before, exit });
                    if subject.wrong().iter().any(|wrong| wrong.violation) {
                        let wrong = Some(way_to(&nodes, nodes.len() - 1));
                        return Ok(Around { wrong, distinct: nodes.len(), ..around });
                    }
                }
                subject.restore(&nodes[before].state)?;
            }
        }
        level = level.end..nodes.len();
    }
    Ok(Around { distinct: nodes.len(), ..around })
}

fn way_to(nodes: &[Node], last: usize) -> Vec<usize> {
    let (mut at, mut exits) = (last, Vec::new());
    while at > 0 {
        exits.push(nodes[at].exit);
        at = nodes[at].before;
    }
    exits.reverse();
    exits
}
