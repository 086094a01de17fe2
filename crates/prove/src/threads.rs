//! Threads that work together.

use rayon::{ThreadPool, ThreadPoolBuilder};

/// So many threads, if they are several and the system has them. Without, everything takes longer and is the same.
pub(crate) fn pool(threads: usize) -> Option<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads);
    if threads > 1 { pool.build().ok() } else { None }
}
