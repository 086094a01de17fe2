//! Vector clocks: what a thread knows of the others.

/// For each thread how many of its releases are known. Missing entries are 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock(Vec<u32>);

impl Clock {
    #[inline]
    pub(crate) fn get(&self, thread: usize) -> u32 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    #[inline]
    pub(crate) fn set(&mut self, thread: usize, count: u32) {
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] = count;
    }

    pub(crate) fn increment(&mut self, thread: usize) {
        self.set(thread, self.get(thread) + 1);
    }

    pub(crate) fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own = (*own).max(*other));
    }

    /// A thread other than `except` of which this clock knows more than `other`.
    pub(crate) fn first_ahead_of(&self, other: &Clock, except: usize) -> Option<usize> {
        (0..self.0.len()).find(|&thread| thread != except && self.0[thread] > other.get(thread))
    }

    pub(crate) fn copy(&mut self, other: &Clock) {
        self.0.clear();
        self.0.extend_from_slice(&other.0);
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
