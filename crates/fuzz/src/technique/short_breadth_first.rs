//! Short breadth-first: all states within a very small random depth.

use crate::{Guide, Target, log::Place, walk::Walk};
use explore::Fault;

/// The largest depth; the smallest is 1.
const DEEPEST: usize = 3;

pub(super) fn walk<S: Target, G: Guide<S>>(walk: &mut Walk<'_, '_, S, G>) -> Result<(), Fault> {
    let depth = 1 + walk.rng.below(DEEPEST);
    let mut places = std::mem::take(&mut walk.worker.places);
    places.clear();
    places.push(walk.here());
    let mut level = 0..1;
    let mut result = Ok(());
    for left in (0..depth).rev() {
        for at in level.clone() {
            let place = places[at];
            result = result.and_then(|()| expand(walk, place, left == 0, &mut places));
        }
        level = level.end..places.len();
    }
    walk.worker.places = places;
    result
}

/// Executes the enabled actions of a place, and adds the places that were not visited yet. At the last level, actions
/// that were taken before are skipped: their successors are known, and the walk does not continue from there.
fn expand<S: Target, G: Guide<S>>(
    walk: &mut Walk<'_, '_, S, G>,
    place: Place,
    is_last: bool,
    places: &mut Vec<Place>,
) -> Result<(), Fault> {
    if walk.budget == 0 {
        return Ok(());
    }
    walk.go(place)?;
    for choice in 0..walk.enabled() {
        if walk.budget == 0 {
            break;
        }
        if is_last && walk.is_taken(choice) {
            continue;
        }
        let attempt = walk.attempt(choice)?;
        if attempt.is_new || !is_last && !places.contains(&attempt.to) {
            places.push(attempt.to);
        }
        walk.reject()?;
    }
    Ok(())
}
