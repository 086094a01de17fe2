//! How long making an instance, and finding out what its steps lead to, may take.

use explore::{Cancel, Limit, Limits};
use std::time::Instant;

/// How long something may take; by default as long as it likes.
#[derive(Debug, Clone, Default)]
pub struct Patience {
    until: Option<Instant>,
    cancel: Cancel,
}

impl Patience {
    /// As long as limits allow from now on.
    pub fn of(limits: &Limits) -> Patience {
        let until = limits.time.and_then(|time| Instant::now().checked_add(time));
        Patience { until, cancel: limits.cancel.clone() }
    }

    /// What is left of it, as limits.
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
    pub fn go_on(&self) -> Result<(), Limit> {
        self.ended().map_or(Ok(()), Err)
    }
}
