//! When something that is not a search has to end: at a moment, or when it is cancelled.

use crate::{Cancel, Limit, Limits};
use std::time::Instant;

/// The moment at which to give up, and who may ask for it earlier; by default nobody, and never.
///
/// [`Limits`] say how long something may take from its beginning, a deadline when it has to have
/// ended: what is done in several parts hands the same deadline to each.
#[derive(Debug, Clone, Default)]
pub struct Deadline {
    until: Option<Instant>,
    cancel: Cancel,
}

impl Deadline {
    /// What limits allow from now on.
    pub fn of(limits: &Limits) -> Deadline {
        let until = limits.time.and_then(|time| Instant::now().checked_add(time));
        Deadline { until, cancel: limits.cancel.clone() }
    }

    /// The time that is left, as limits.
    pub fn limits(&self) -> Limits {
        let time = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        Limits { time, cancel: self.cancel.clone(), ..Limits::default() }
    }

    /// The limit that was hit, if any was.
    pub fn ended(&self) -> Option<Limit> {
        if self.cancel.is_asked() {
            return Some(Limit::Cancelled);
        }
        self.until.filter(|until| Instant::now() >= *until).map(|_| Limit::Time)
    }

    /// The same, for those who go on only if none was.
    pub fn check(&self) -> Result<(), Limit> {
        self.ended().map_or(Ok(()), Err)
    }
}
