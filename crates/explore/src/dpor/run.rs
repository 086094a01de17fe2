//! The current run: its operations, what happens before what, and which pairs of them race.

use std::collections::HashMap;

use super::wakeup::{ANY, Step};
use crate::concurrency::{Access, Thread, Turn};
use crate::hash::BuildStateHasher;

/// Stands for "none" among positions.
const NONE: u32 = u32::MAX;

/// An operation of the run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) turn: Turn,
    /// The number of operations of its thread up to this one.
    pub(super) count: u32,
    /// Its accesses, in `Run::uses`.
    uses: (u32, u32),
    /// The previous operation of its thread, or `NONE`.
    previous: u32,
    /// The operation that had released its thread, or `NONE`.
    releaser: u32,
    /// The last operation of a thread for whose end it has waited, or `NONE`.
    awaited: u32,
    /// The threads that it released, in `Run::releases`.
    releases: (u32, u32),
    /// Whether its thread was spinning before it.
    spins: bool,
}

/// An access of an operation, and what was known of its object before.
#[derive(Clone, Copy, Debug)]
struct Use {
    access: Access,
    /// The position of the operation.
    event: u32,
    /// The number of the object.
    object: u32,
    before: Last,
}

/// The last uses of an object, as positions in `Run::uses`.
#[derive(Clone, Copy, Debug)]
struct Last {
    write: u32,
    /// The last read since that write; the ones before it are linked by `before.read`.
    read: u32,
}

const UNUSED: Last = Last { write: NONE, read: NONE };

/// What is known of a thread.
#[derive(Clone, Copy, Debug)]
struct Lane {
    last: u32,
    /// The operation that created the thread or replaced its next operation.
    releaser: u32,
}

/// A run, as a stack of operations that can be taken back.
#[derive(Debug, Default)]
pub(super) struct Run {
    events: Vec<Event>,
    /// A clock for each operation: for each thread the number of its operations that happened before, or are, this one.
    clocks: Vec<u32>,
    uses: Vec<Use>,
    /// Threads that were released, and who had released them before.
    releases: Vec<(Thread, u32)>,
    lanes: Vec<Lane>,
    objects: HashMap<u64, u32, BuildStateHasher>,
    last: Vec<Last>,
    /// The width of a clock.
    width: usize,
    /// Buffer: the candidates for a race with the last operation.
    rivals: Vec<u32>,
}

impl Run {
    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    pub(super) fn event(&self, position: usize) -> &Event {
        &self.events[position]
    }

    /// The accesses of an operation.
    pub(super) fn accesses(&self, position: usize) -> impl Iterator<Item = Access> + '_ {
        let (from, to) = self.events[position].uses;
        self.uses[from as usize..to as usize].iter().map(|one| one.access)
    }

    /// Whether the operation at `earlier` happens before the one at `later`.
    pub(super) fn happens_before(&self, earlier: usize, later: usize) -> bool {
        let event = &self.events[earlier];
        self.clock(later)[usize::from(event.turn.thread)] >= event.count
    }

    fn clock(&self, position: usize) -> &[u32] {
        &self.clocks[position * self.width..][..self.width]
    }

    /// Adds an operation that was just taken.
    pub(super) fn push(&mut self, turn: Turn, accesses: &[Access], awaits: Option<Thread>, spins: bool) {
        self.make_room(turn.thread);
        let (event, from) = (to_u32(self.events.len()), to_u32(self.uses.len()));
        for &access in accesses {
            self.use_object(event, access);
        }
        let awaited = awaits
            .and_then(|thread| self.lanes.get(usize::from(thread)))
            .map_or(NONE, |lane| if lane.last == NONE { lane.releaser } else { lane.last });
        let lane = &mut self.lanes[usize::from(turn.thread)];
        let previous = std::mem::replace(&mut lane.last, event);
        let releases = (to_u32(self.releases.len()), to_u32(self.releases.len()));
        let count = if previous == NONE { 1 } else { self.events[previous as usize].count + 1 };
        let uses = (from, to_u32(self.uses.len()));
        let freed_by = lane.releaser;
        self.events.push(Event { turn, count, uses, previous, releaser: freed_by, awaited, releases, spins });
        self.compute_clock();
    }

    /// The operations after `earlier` that do not depend on it, up to `later`, and that one, whose outcome may
    /// be another where it comes first.
    pub(super) fn without(&self, earlier: usize, later: usize) -> Vec<Step> {
        let between = (earlier + 1..later).filter(|&position| !self.happens_before(earlier, position));
        let mut steps: Vec<Step> = between.map(|position| self.step(position)).collect();
        let mut last = self.step(later);
        last.turn.choice = ANY;
        steps.push(last);
        steps
    }

    /// An operation with its accesses. Being released and releasing count as accesses of an object of its own.
    fn step(&self, position: usize) -> Step {
        let event = &self.events[position];
        let mut accesses: Vec<Access> = self.accesses(position).collect();
        if event.releaser != NONE && (event.previous == NONE || event.releaser > event.previous) {
            accesses.push(Access::read(gate(event.turn.thread)));
        }
        let (from, to) = event.releases;
        let released = &self.releases[from as usize..to as usize];
        accesses.extend(released.iter().map(|&(thread, _)| Access::write(gate(thread))));
        Step { turn: event.turn, accesses, elsewhere: false }
    }

    /// Notes that the last operation has released these threads.
    pub(super) fn release(&mut self, threads: &[Thread]) {
        let Some(position) = self.events.len().checked_sub(1) else { return };
        for &thread in threads {
            self.make_room(thread);
            let releaser = &mut self.lanes[usize::from(thread)].releaser;
            self.releases.push((thread, *releaser));
            *releaser = to_u32(position);
        }
        self.events[position].releases.1 = to_u32(self.releases.len());
    }

    /// Takes back all operations from this position on.
    pub(super) fn truncate(&mut self, length: usize) {
        while self.events.len() > length {
            let Some(event) = self.events.pop() else { return };
            while self.releases.len() > event.releases.0 as usize {
                if let Some((thread, before)) = self.releases.pop() {
                    self.lanes[usize::from(thread)].releaser = before;
                }
            }
            while self.uses.len() > event.uses.0 as usize {
                if let Some(one) = self.uses.pop() {
                    self.last[one.object as usize] = one.before;
                }
            }
            self.lanes[usize::from(event.turn.thread)].last = event.previous;
        }
        self.clocks.truncate(length * self.width);
    }

    /// Widens clocks for a thread that was not seen before.
    fn make_room(&mut self, thread: Thread) {
        let needed = usize::from(thread) + 1;
        if self.lanes.len() < needed {
            self.lanes.resize(needed, Lane { last: NONE, releaser: NONE });
        }
        if needed > self.width {
            let width = needed.next_power_of_two().max(4);
            let mut clocks = vec![0; self.events.len() * width];
            for event in 0..self.events.len() {
                clocks[event * width..][..self.width].copy_from_slice(self.clock(event));
            }
            (self.clocks, self.width) = (clocks, width);
        }
    }

    fn use_object(&mut self, event: u32, access: Access) {
        let next = to_u32(self.last.len());
        let object = *self.objects.entry(access.object).or_insert(next);
        if object == next {
            self.last.push(UNUSED);
        }
        let this = to_u32(self.uses.len());
        let last = &mut self.last[object as usize];
        let before = *last;
        *last = if access.writes { Last { write: this, read: NONE } } else { Last { read: this, ..before } };
        self.uses.push(Use { access, event, object, before });
    }

    /// The clock of the last operation: what its thread did before, who released it, and all that it depends on.
    fn compute_clock(&mut self) {
        let position = self.events.len() - 1;
        self.clocks.resize((position + 1) * self.width, 0);
        let (earlier, own) = self.clocks.split_at_mut(position * self.width);
        let event = &self.events[position];
        let mut join = |other: u32| {
            if other != NONE && other as usize != position {
                let other = &earlier[other as usize * self.width..][..self.width];
                own.iter_mut().zip(other).for_each(|(own, other)| *own = (*own).max(*other));
            }
        };
        join(event.previous);
        join(event.releaser);
        join(event.awaited);
        for one in &self.uses[event.uses.0 as usize..event.uses.1 as usize] {
            if one.before.write != NONE {
                join(self.uses[one.before.write as usize].event);
            }
            let mut read = if one.access.writes { one.before.read } else { NONE };
            while read != NONE {
                join(self.uses[read as usize].event);
                read = self.uses[read as usize].before.read;
            }
        }
        own[usize::from(event.turn.thread)] = event.count;
    }

    /// Calls `found` with each operation that could have come after the one at `later` instead of before it, with
    /// nothing between them that would prevent it: the *reversible races* of `later`.
    pub(super) fn races(&mut self, later: usize, mut found: impl FnMut(&Run, usize)) {
        let mut rivals = std::mem::take(&mut self.rivals);
        self.collect_rivals(later, &mut rivals);
        for &earlier in &rivals {
            let earlier = earlier as usize;
            let hidden = rivals.iter().any(|&other| {
                let other = other as usize;
                other != earlier && other > earlier && self.happens_before(earlier, other)
            });
            if !hidden && self.could_go_without(earlier, later) {
                found(self, earlier);
            }
        }
        rivals.clear();
        self.rivals = rivals;
    }

    /// The operations of other threads on which the one at `later` depends by an object, each the last before which it
    /// would have been enabled, unless they happened before it for another reason.
    fn collect_rivals(&self, later: usize, rivals: &mut Vec<u32>) {
        let event = self.events[later];
        let mut add = |one: u32| {
            if one != NONE {
                let earlier = self.uses[one as usize].event;
                if !self.is_given(earlier as usize, &event) && !rivals.contains(&earlier) {
                    rivals.push(earlier);
                }
            }
        };
        for one in &self.uses[event.uses.0 as usize..event.uses.1 as usize] {
            let mut read = if one.access.writes { one.before.read } else { NONE };
            while read != NONE {
                add(read);
                read = self.uses[read as usize].before.read;
            }
            let mut write = one.before.write;
            while write != NONE && !one.access.needs.admits(self.uses[write as usize].access.state) {
                write = self.uses[write as usize].before.write;
            }
            add(write);
        }
    }

    /// Whether an earlier operation precedes this one by the order of its thread or by a release.
    fn is_given(&self, earlier: usize, event: &Event) -> bool {
        let causes = [event.previous, event.releaser, event.awaited];
        causes.into_iter().any(|cause| cause != NONE && self.happens_before(earlier, cause as usize))
    }

    /// Whether the operation at `later` would be enabled without the one at `earlier` and what depends on it. A
    /// spinning thread needs another change of something that it reads.
    fn could_go_without(&self, earlier: usize, later: usize) -> bool {
        let event = &self.events[later];
        if !event.spins {
            return true;
        }
        let since = if event.previous == NONE { 0 } else { event.previous as usize + 1 };
        (since..later).any(|between| {
            between != earlier
                && !(between > earlier && self.happens_before(earlier, between))
                && self.changes_what_is_read(between, event)
        })
    }

    fn changes_what_is_read(&self, position: usize, event: &Event) -> bool {
        let reads = &self.uses[event.uses.0 as usize..event.uses.1 as usize];
        self.accesses(position)
            .any(|access| access.writes && reads.iter().any(|one| one.access.object == access.object))
    }
}

/// Marks objects that stand for the release of a thread.
pub(super) const GATE: u64 = 1 << 63;

/// The object that stands for the release of a thread.
fn gate(thread: Thread) -> u64 {
    GATE | u64::from(thread)
}

fn to_u32(position: usize) -> u32 {
    u32::try_from(position).expect("a run has fewer than 2^32 accesses")
}
