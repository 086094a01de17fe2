//! The axioms of x86-TSO and of sequential consistency, in the style of Alglave, Maranget and Tautschnig: *Herding
//! cats*, TOPLAS 2014.

use crate::{candidates::Execution, relation::Relation, thread::Kind};
use litmus::Memory;

/// Whether an execution is one of a memory model.
pub(crate) fn hold(execution: &Execution, memory: Memory) -> bool {
    let events = Events(execution);
    let communication = events.reads_from(false).union(&events.coherence()).union(&events.overtaken());
    let location = events.program_order(|from, to| events.same_location(from, to));
    // Each location by itself is sequentially consistent.
    if !location.union(&communication).is_acyclic() || !events.is_atomic() {
        return false;
    }
    match memory {
        Memory::Sc => events.program_order(|_, _| true).union(&communication).is_acyclic(),
        Memory::Tso => {
            // A load from an own store may come before that store is in memory.
            let seen = events.reads_from(true).union(&events.coherence()).union(&events.overtaken());
            events.preserved().union(&seen).is_acyclic()
        }
    }
}

struct Events<'e>(&'e Execution);

impl Events<'_> {
    fn size(&self) -> usize {
        self.0.events.len()
    }

    fn is(&self, at: usize, kind: Kind) -> bool {
        self.0.events[at].kind == kind
    }

    fn same_location(&self, from: usize, to: usize) -> bool {
        let fence = self.is(from, Kind::Fence) || self.is(to, Kind::Fence);
        !fence && self.0.events[from].location == self.0.events[to].location
    }

    /// Initial stores come before everything, as program order has it for the events of a thread.
    fn before(&self, from: usize, to: usize) -> bool {
        match (self.0.threads[from], self.0.threads[to]) {
            (None, Some(_)) => true,
            (Some(thread), Some(other)) => thread == other && from < to,
            (_, None) => false,
        }
    }

    fn program_order(&self, also: impl Fn(usize, usize) -> bool) -> Relation {
        Relation::of(self.size(), |from, to| self.before(from, to) && also(from, to))
    }

    /// All of program order but a store before a load, unless a fence or a locked instruction is between, or one of
    /// the two is locked.
    fn preserved(&self) -> Relation {
        let locked = |at: usize| self.0.events[at].locked.is_some();
        let fenced = |from: usize, to: usize| {
            let own = |at: &usize| self.before(from, *at) && self.before(*at, to);
            (0..self.size()).filter(own).any(|at| self.is(at, Kind::Fence))
        };
        self.program_order(|from, to| {
            let relaxed = self.is(from, Kind::Write) && self.is(to, Kind::Read);
            !relaxed || locked(from) || locked(to) || fenced(from, to) || self.0.threads[from].is_none()
        })
    }

    fn reads_from(&self, external: bool) -> Relation {
        Relation::of(self.size(), |from, to| {
            let other = self.0.threads[from] != self.0.threads[to];
            self.0.reads_from.get(&to) == Some(&from) && (!external || other)
        })
    }

    fn coherence(&self) -> Relation {
        Relation::of(self.size(), |from, to| {
            let (first, second) = (self.0.coherence.get(&from), self.0.coherence.get(&to));
            self.same_location(from, to) && first.zip(second).is_some_and(|(first, second)| first < second)
        })
    }

    /// From a load to every store after the one that it reads from.
    fn overtaken(&self) -> Relation {
        let coherence = self.coherence();
        Relation::of(self.size(), |read, write| {
            self.0.reads_from.get(&read).is_some_and(|source| coherence.has(*source, write))
        })
    }

    /// Whether no store of another thread comes between the load and the store of a locked instruction.
    fn is_atomic(&self) -> bool {
        let (overtaken, coherence) = (self.overtaken(), self.coherence());
        let pair = |read: usize, write: usize| {
            let locked = self.0.events[read].locked;
            locked.is_some()
                && locked == self.0.events[write].locked
                && self.0.threads[read] == self.0.threads[write]
                && self.is(read, Kind::Read)
                && self.is(write, Kind::Write)
        };
        let split = |read: usize, write: usize| {
            (0..self.size()).any(|other| {
                let foreign = self.0.threads[other] != self.0.threads[read];
                foreign && overtaken.has(read, other) && coherence.has(other, write)
            })
        };
        (0..self.size()).all(|read| !(0..self.size()).any(|write| pair(read, write) && split(read, write)))
    }
}
