//! Ctrl-C: one flag for everything that a command does, since a process can only have one handler.

use std::sync::{Arc, OnceLock, atomic::AtomicBool, atomic::Ordering};

/// The flag that Ctrl-C sets. Where no handler can be set, Ctrl-C ends the run in the usual way.
pub(crate) fn flag() -> Arc<AtomicBool> {
    static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let stop = STOP.get_or_init(|| {
        let stop = Arc::new(AtomicBool::new(false));
        let on_interrupt = stop.clone();
        let _ = ctrlc::set_handler(move || on_interrupt.store(true, Ordering::Relaxed));
        stop
    });
    stop.clone()
}
