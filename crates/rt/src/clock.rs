//! Vector clocks: what a thread knows of the others.

/// For each thread how many of its releases are known. Missing entries are 0. The virtual time passes along with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    counts: Vec<u32>,
    /// Nanoseconds since the start of the run, as far as they are known.
    pub(crate) time: u64,
}

impl Clock {
    #[inline]
    pub(crate) fn get(&self, thread: usize) -> u32 {
        self.counts.get(thread).copied().unwrap_or(0)
    }

    #[inline]
    pub(crate) fn set(&mut self, thread: usize, count: u32) {
        if self.counts.len() <= thread {
            self.counts.resize(thread + 1, 0);
        }
        self.counts[thread] = count;
    }

    pub(crate) fn increment(&mut self, thread: usize) {
        self.set(thread, self.get(thread) + 1);
    }

    pub(crate) fn join(&mut self, other: &Clock) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        self.time = self.time.max(other.time);
        self.counts.iter_mut().zip(&other.counts).for_each(|(own, other)| *own = (*own).max(*other));
    }

    /// A thread other than `except` of which this clock knows more than `other`.
    pub(crate) fn first_ahead_of(&self, other: &Clock, except: usize) -> Option<usize> {
        (0..self.counts.len()).find(|&thread| thread != except && self.counts[thread] > other.get(thread))
    }

    pub(crate) fn copy(&mut self, other: &Clock) {
        self.time = other.time;
        self.counts.clear();
        self.counts.extend_from_slice(&other.counts);
    }

    pub(crate) fn clear(&mut self) {
        self.time = 0;
        self.counts.clear();
    }
}
