//! The accesses of an action to shared objects, and the dependency of actions.

use crate::Steered;

/// The shared objects that an action reads and writes. The system assigns numbers to objects such as memory cells,
/// locks or variables; [`Footprint::MONITOR`] is reserved.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    /// Pairs of an object and whether it is written.
    accesses: Vec<(u64, bool)>,
    /// Overrides `accesses`: depends on every action.
    everything: bool,
}

impl Footprint {
    /// The object that stands for the memory of a [`Monitor`](crate::Monitor).
    pub const MONITOR: u64 = u64::MAX;

    /// Forgets all accesses, keeping the buffer.
    pub fn clear(&mut self) {
        self.accesses.clear();
        self.everything = false;
    }

    /// Adds a read access.
    pub fn read(&mut self, object: u64) {
        self.accesses.push((object, false));
    }

    /// Adds a write access.
    pub fn write(&mut self, object: u64) {
        self.accesses.push((object, true));
    }

    /// Makes the action depend on every other.
    pub fn touch_everything(&mut self) {
        self.everything = true;
    }

    /// Whether both access the same object and one of them writes it.
    pub fn conflicts(&self, other: &Footprint) -> bool {
        self.everything
            || other.everything
            || self.accesses.iter().any(|&(object, writes)| {
                other.accesses.iter().any(|&(its, too)| object == its && (writes || too))
            })
    }
}

/// Decides dependency of actions that are enabled in the current state, reusing its buffers.
///
/// Two independent actions commute: neither disables the other, and both orders lead to the same state.
/// Actions of one process never count as independent.
#[derive(Debug, Default)]
pub(crate) struct Dependency {
    first: Footprint,
    second: Footprint,
}

impl Dependency {
    /// Fixes the action that [`holds`](Self::holds) compares with.
    pub(crate) fn of<S: Steered>(&mut self, system: &S, action: &S::Action) {
        self.first.clear();
        system.footprint(action, &mut self.first);
    }

    /// Whether `other` depends on `action`, the one given to [`of`](Self::of).
    pub(crate) fn holds<S: Steered>(&mut self, system: &S, action: &S::Action, other: &S::Action) -> bool {
        let who = system.process(action);
        if who.is_some() && who == system.process(other) {
            return true;
        }
        self.second.clear();
        system.footprint(other, &mut self.second);
        self.first.conflicts(&self.second)
    }
}
