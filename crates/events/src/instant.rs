//! Instants at which something was read, and what comes before them in memory order.
//!
//! # The order
//! A step that reads happens at one *instant*; a write happens when it leaves the store buffer. An atomic read-modify-write is
//! both. The *global happens-before* order of a run under x86-TSO (Alglave, Maranget, Tautschnig: *Herding cats*, 2014) is a
//! partial order on these. Going backwards, each step adds its own event with edges to later ones, and a later read gets an
//! edge to a write that does not serve it. Nothing else ever leads from a later event to an earlier one. So all
//! that can matter for a cycle is which of the events to come reach which of the instants with open reads, and of the graph
//! only this is kept:
//! - for each pair of instants with open reads, whether one is before the other;
//! - for each such instant, whose steps, whose writes, and the writes to which locations are before it, of those to come.
//!
//! Everything is kept closed under transitivity, so that an event that has no open read can be forgotten at once.

use crate::variable::{Location, Process};

/// A set of instants of a cube.
pub(crate) type Instants = u32;
/// A set of processes of a cube.
pub(crate) type Processes = u32;

/// Cubes with more instants than this are given up.
pub(crate) const MOST_INSTANTS: usize = 24;

/// All processes, those that are not in the cube included.
pub(crate) const EVERYBODY: Processes = Processes::MAX;

/// The set of one process.
pub(crate) fn only(process: Process) -> Processes {
    1 << process
}

/// An instant with open reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instant {
    /// The instants after it.
    pub(crate) before: Instants,
    /// The processes whose earlier steps are before it.
    pub(crate) after_steps: Processes,
    /// The processes whose earlier writes are before it.
    pub(crate) after_writes: Processes,
    /// The locations to which earlier writes are before it; sorted.
    pub(crate) after_locations: Vec<Location>,
    /// How many steps before the bad state it happened; of no importance to the meaning of a cube.
    pub(crate) origin: usize,
}

impl Instant {
    /// The instant of a bad state: all steps come before it.
    pub(crate) fn last() -> Instant {
        Instant { before: 0, after_steps: EVERYBODY, after_writes: 0, after_locations: vec![], origin: 0 }
    }

    /// An instant of which nothing is known.
    pub(crate) fn anywhere() -> Instant {
        Instant { after_steps: 0, ..Instant::last() }
    }

    fn is_after_write_to(&self, locations: &[Location]) -> bool {
        locations.iter().any(|location| self.after_locations.contains(location))
    }

    /// Everything before another is before this one.
    fn inherit(&mut self, steps: Processes, writes: Processes, locations: &[Location]) {
        self.after_steps |= steps;
        self.after_writes |= writes;
        self.after_locations.extend_from_slice(locations);
        self.after_locations.sort_unstable();
        self.after_locations.dedup();
    }
}

/// What a step does to memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Event {
    /// The locations that it reads, where the value matters.
    pub(crate) reads: Vec<Location>,
    /// The locations that it writes.
    pub(crate) writes: Vec<Location>,
    /// Whether reads and writes happen together, with an empty buffer.
    pub(crate) is_atomic: bool,
    /// Whether the buffer is empty.
    pub(crate) fence: bool,
    /// Instants of other processes at which the write is seen.
    pub(crate) seen_at: Instants,
    /// Instants of other processes at which something was read that it overwrites.
    pub(crate) unseen_at: Instants,
}

/// The order has a cycle: no run is like that.
#[derive(Debug)]
pub(crate) struct Cycle;

/// Adds an event of a process before all others. If it reads, its instant becomes the last of the list.
pub(crate) fn precede(
    instants: &mut Vec<Instant>,
    process: Process,
    event: &Event,
    origin: usize,
) -> Result<(), Cycle> {
    if !event.reads.is_empty() || !event.writes.is_empty() {
        insert(instants, process, event, origin)?;
    }
    if event.fence || event.is_atomic {
        for instant in instants.iter_mut().filter(|instant| instant.after_steps & only(process) != 0) {
            instant.after_writes |= only(process);
        }
    }
    Ok(())
}

fn insert(instants: &mut Vec<Instant>, process: Process, event: &Event, origin: usize) -> Result<(), Cycle> {
    let after = successors(instants, process, event);
    if after & event.unseen_at != 0 {
        return Err(Cycle);
    }
    // Whatever is before the event: the instants that it overwrites, and those before them.
    let before = members(instants, |at, instant| {
        event.unseen_at & (1 << at) != 0 || instant.before & event.unseen_at != 0
    });
    let writes = if event.writes.is_empty() { 0 } else { only(process) };
    let mut own = Instant {
        before: after,
        after_steps: only(process),
        after_writes: writes,
        after_locations: vec![],
        origin,
    };
    own.inherit(0, 0, &event.writes);
    for earlier in each(before) {
        let Instant { after_steps, after_writes, after_locations, .. } = &instants[earlier];
        own.inherit(*after_steps, *after_writes, after_locations);
    }
    for later in each(after) {
        instants[later].inherit(own.after_steps, own.after_writes, &own.after_locations);
    }
    let itself = if event.reads.is_empty() { 0 } else { 1 << instants.len() };
    for earlier in each(before) {
        instants[earlier].before |= after | itself;
    }
    if itself != 0 {
        instants.push(own);
    }
    Ok(())
}

/// The instants that a new event is before.
fn successors(instants: &[Instant], process: Process, event: &Event) -> Instants {
    let (reads, writes) = (!event.reads.is_empty(), !event.writes.is_empty());
    let is_direct = |at: usize, instant: &Instant| {
        (reads || event.is_atomic) && instant.after_steps & only(process) != 0
            || writes && instant.after_writes & only(process) != 0
            || instant.is_after_write_to(&event.reads)
            || instant.is_after_write_to(&event.writes)
            || event.seen_at & (1 << at) != 0
    };
    let direct = members(instants, is_direct);
    each(direct).fold(direct, |all, at| all | instants[at].before)
}

fn members(instants: &[Instant], is_member: impl Fn(usize, &Instant) -> bool) -> Instants {
    let chosen = instants.iter().enumerate().filter(|(at, instant)| is_member(*at, instant));
    chosen.fold(0, |all, (at, _)| all | (1 << at))
}

/// The positions of a set of instants.
pub(crate) fn each(instants: Instants) -> impl Iterator<Item = usize> {
    (0..MOST_INSTANTS).filter(move |at| instants & (1 << at) != 0)
}
