//! Deadlines: when work that is not a search has to end.

use crate::{Cancel, Limit, Limits};
use std::time::Instant;

/// The moment at which to give up, and flags that cancel the work earlier. By default there is neither.
///
/// [`Limits`] count from the beginning of a search, while a deadline is a fixed moment: work in several parts passes
/// the same deadline to each.
#[derive(Debug, Clone, Default)]
pub struct Deadline {
    until: Option<Instant>,
    cancel: Cancel,
}

impl Deadline {
    /// The deadline of work that begins now with these limits.
    pub fn of(limits: &Limits) -> Deadline {
        let until = limits.time.and_then(|time| Instant::now().checked_add(time));
        Deadline { until, cancel: limits.cancel.clone() }
    }

    /// The remaining time, as limits.
    pub fn limits(&self) -> Limits {
        let time = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        Limits { time, cancel: self.cancel.clone(), ..Limits::default() }
    }

    /// Why the work has to end now: [`Limit::Cancelled`] or [`Limit::Time`]; `None` if it may continue.
    pub fn ended(&self) -> Option<Limit> {
        if self.cancel.is_asked() {
            return Some(Limit::Cancelled);
        }
        self.until.filter(|until| Instant::now() >= *until).map(|_| Limit::Time)
    }

    /// Like [`ended`](Self::ended), as an error for `?`.
    pub fn check(&self) -> Result<(), Limit> {
        self.ended().map_or(Ok(()), Err)
    }
}
