//! How a certificate is checked, and when to give up.

use super::Obstacle;
use std::{fmt, num::NonZero, sync::Arc, thread};

/// How a certificate is checked. The result is the same, unless the search is too hard or is stopped.
#[derive(Debug, Clone)]
pub struct CheckOptions {
    /// The most threads to use.
    pub threads: NonZero<usize>,
    /// Whether to look for simple reasons before a problem is written out and searched. Without shortcuts, only the search itself
    /// has to be trusted; it takes longer, and is too hard more often.
    pub shortcuts: bool,
    /// Ends the check early.
    pub stop: Stop,
}

/// A condition on which a check is ended early; by default there is none.
#[derive(Clone, Default)]
pub struct Stop(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Stop {
    /// Stops as soon as a function returns true. It is called often, from several threads.
    pub fn when(stop: impl Fn() -> bool + Send + Sync + 'static) -> Stop {
        Stop(Some(Arc::new(stop)))
    }

    /// Whether the check is to end.
    pub fn is_asked(&self) -> bool {
        self.0.as_ref().is_some_and(|stop| stop())
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Stop::when(…)" } else { "Stop(None)" })
    }
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        CheckOptions { threads, shortcuts: true, stop: Stop::default() }
    }
}

impl CheckOptions {
    /// Fails if the check is to end.
    pub(crate) fn look(&self) -> Result<(), Obstacle> {
        if self.stop.is_asked() { Err(Obstacle::TooHard("it was stopped".into())) } else { Ok(()) }
    }
}
