//! Progress of engines, for whoever displays it.

use std::sync::Arc;

/// Receives what engines are doing. The default implementations display nothing.
pub trait Observer {
    /// Something begins. Its counters change until it ends.
    fn begins(&mut self, activity: Activity) {
        let _ = activity;
    }

    /// What began last has ended.
    fn ends(&mut self) {}
}

/// Displays nothing.
impl Observer for () {}

/// What engines are doing, with their counters.
#[derive(Debug, Clone)]
pub enum Activity {
    /// Random walks.
    Fuzzing(Arc<fuzz::Progress>),
    /// Exhaustive search of an instance.
    Exploring(Arc<explore::Progress>),
    /// A proof for every number of processes.
    Proving {
        /// Counters of the backward search.
        backward: Arc<prove::Progress>,
        /// Counters of views. Their size is 0 while views do not run.
        views: Arc<views::Progress>,
    },
}
