//! Breadth-first search among the states near the current one.

use crate::{Inspect, Refusal, cursor::Cursor};
use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, Ordering},
};

/// What a search has come to.
#[derive(Debug)]
pub(crate) struct Searched<A> {
    /// How many states were entered, again or not.
    pub(crate) seen: usize,
    /// How many different states.
    pub(crate) distinct: usize,
    /// The actions that lead to the nearest goal.
    pub(crate) path: Option<Vec<A>>,
    /// Whether all states within the depth were visited, if there is no goal among them.
    pub(crate) complete: bool,
}

/// How far a search goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds<'c> {
    pub(crate) depth: usize,
    pub(crate) most_states: usize,
    pub(crate) cancel: &'c AtomicBool,
}

/// A state with the way to it: the node before, and the action between.
struct Node<S: Inspect> {
    checkpoint: S::Checkpoint,
    before: usize,
    action: Option<S::Action>,
}

/// Visits the states around the current one, near ones first, until one is a goal; the current one is not tested. Leaves the
/// cursor anywhere.
pub(crate) fn search<S: Inspect>(
    cursor: &mut Cursor<S>,
    bounds: Bounds<'_>,
    mut is_goal: impl FnMut(&mut Cursor<S>) -> Result<bool, Refusal>,
) -> Result<Searched<S::Action>, Refusal> {
    let mut known: HashSet<S::Identity> = HashSet::from([cursor.system().identity()]);
    let mut nodes: Vec<Node<S>> = vec![Node { checkpoint: cursor.checkpoint(), before: 0, action: None }];
    let (mut seen, mut level) = (1, 0..1);
    let end =
        |seen, nodes: &[Node<S>], path, complete| Searched { seen, distinct: nodes.len(), path, complete };
    for _ in 0..bounds.depth {
        for before in level.clone() {
            cursor.restore(&nodes[before].checkpoint)?;
            for action in cursor.enabled().to_vec() {
                if bounds.cancel.load(Ordering::Relaxed) || nodes.len() >= bounds.most_states {
                    return Ok(end(seen, &nodes, None, false));
                }
                cursor.take(&action)?;
                seen += 1;
                if known.insert(cursor.system().identity()) {
                    let checkpoint = cursor.checkpoint();
                    nodes.push(Node { checkpoint, before, action: Some(action) });
                    if is_goal(cursor)? {
                        return Ok(end(seen, &nodes, Some(way_to(&nodes, nodes.len() - 1)), true));
                    }
                }
                cursor.restore(&nodes[before].checkpoint)?;
            }
        }
        level = level.end..nodes.len();
        if level.is_empty() {
            break;
        }
    }
    Ok(end(seen, &nodes, None, true))
}

fn way_to<S: Inspect>(nodes: &[Node<S>], last: usize) -> Vec<S::Action> {
    let (mut at, mut actions) = (last, Vec::new());
    while let Some(action) = &nodes[at].action {
        actions.push(action.clone());
        at = nodes[at].before;
    }
    actions.reverse();
    actions
}
