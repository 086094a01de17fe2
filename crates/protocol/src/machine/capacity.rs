//! How much channels must hold.

use super::{explored::Explored, implementation::Implementation};
use explore::Limits;

/// The least capacity of channels with which the implementation is never stuck, if it is never stuck with channels that hold whatever is
/// sent. `longest` is the longest queue that it has then.
pub fn safe_capacity(implementation: &Implementation, longest: usize, limits: &Limits) -> Option<usize> {
    let is_safe = |capacity: &usize| {
        let bounded = implementation.clone().with_capacity(Some(*capacity));
        let explored = Explored::new(&bounded, limits);
        explored.is_complete() && explored.deadlock().is_none()
    };
    (1..=longest.max(1)).find(is_safe)
}
