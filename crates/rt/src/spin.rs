//! Loops that wait for other threads: a thread that is where it was before, has changed nothing and would read the same
//! again waits until something that it read changes.
//!
//! This is the local-cycle filter of SCALE turned into blocking. It is sound: an iteration that reads the same values
//! and changes nothing leads back to the same state, so that runs with fewer such iterations reach the same states.

use std::hash::Hasher;

use explore::Access;

use crate::op::{Op, granule};
use crate::runtime::{ENTRY, Runtime};
use crate::stack;
use crate::table::AddressHasher;
use crate::thread::Phase;

/// Something that a thread has read: memory with its value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    address: usize,
    size: usize,
    value: u64,
}

/// A visit of a thread to a call.
#[derive(Clone, Copy)]
struct Visit {
    pc: usize,
    sp: usize,
    /// A hash of the stack and the registers; 0 where the call is not watched.
    hash: u64,
    /// What was read before: the position in the log.
    reads: usize,
    objects: usize,
    /// Locks that the thread held.
    held: usize,
}

/// What is known of the loops of one thread.
#[derive(Default)]
pub(crate) struct Loops {
    visits: Vec<Visit>,
    /// Reads since the last change, in order; kept only while a watched call is among the visits.
    reads: Vec<Seen>,
    /// Objects of visible operations since the last change.
    objects: Vec<usize>,
    logging: bool,
    /// The time was asked for, or a wait ended by itself, since the last change.
    timed: bool,
    /// A write that the program was about to make when it called last: it is a change if the value is another now.
    write: Option<Seen>,
    /// The thread is at the start of an iteration that would be like the last one.
    pub(crate) waiting: Option<Waiting>,
}

/// What a thread waits for: a change of anything that it read in the last iteration, on its own stack, too.
pub(crate) struct Waiting {
    reads: Vec<Seen>,
    hash: u64,
    sp: usize,
    registers: [usize; 6],
    /// The objects of visible operations of the iteration.
    pub(crate) objects: Vec<usize>,
    /// The iteration may end differently when time passes.
    timed: bool,
}

/// A step that does not end: looks for a loop among its reads, none of which is visible.
#[derive(Default)]
pub(crate) struct LongStep {
    /// Where the loop may begin, and what the stack was there.
    start: Option<(usize, usize, u64)>,
    /// The reads since.
    calls: Vec<usize>,
    /// Nothing was changed since.
    quiet: bool,
}

/// Calls of a step after which it is looked at.
const LONG: u64 = 2000;
/// Reads of a loop that is recognised.
const LONGEST: usize = 256;

/// What passes when all wait for others or for the time, in nanoseconds.
const PATIENCE: u64 = 1_000_000_000;

/// Visits that are remembered.
const VISITS: usize = 256;
/// Reads that are remembered; a longer iteration is not recognised.
const READS: usize = 4096;

/// Set while memory is read on the program's behalf: a fault is then the program's own, which is about to do the same.
pub(crate) static mut PROBING: bool = false;

unsafe fn value(address: usize, size: usize) -> u64 {
    PROBING = true;
    let value = read(address, size);
    PROBING = false;
    value
}

#[inline(never)]
unsafe fn read(address: usize, size: usize) -> u64 {
    match size {
        1 => u64::from(*(address as *const u8)),
        2 => u64::from((address as *const u16).read_unaligned()),
        4 => u64::from((address as *const u32).read_unaligned()),
        _ => (address as *const u64).read_unaligned(),
    }
}

impl Seen {
    unsafe fn now(address: usize, size: usize) -> Seen {
        Seen { address, size, value: value(address, size) }
    }

    unsafe fn still_holds(&self) -> bool {
        value(self.address, self.size) == self.value
    }
}

/// A hash of a thread's stack from `sp` upwards, and of the registers that calls preserve.
unsafe fn stack_hash(thread: usize, sp: usize, registers: &[usize; 6]) -> u64 {
    let words = (stack::top(thread) - sp) / 8;
    let words = std::slice::from_raw_parts(sp as *const usize, words);
    let mut hasher = AddressHasher::default();
    words.iter().chain(registers).for_each(|word| hasher.write_usize(*word));
    hasher.finish() | 1
}

impl Loops {
    /// Forgets everything: a new run begins.
    pub(crate) fn restart(&mut self) {
        self.changed();
        self.write = None;
        self.waiting = None;
    }

    /// The thread has changed something that others can see.
    pub(crate) fn changed(&mut self) {
        self.visits.clear();
        self.reads.clear();
        self.objects.clear();
        self.logging = false;
        self.timed = false;
    }

    /// Looks whether the write that was announced last has changed anything, and returns it.
    #[inline]
    fn settle(&mut self) -> bool {
        // SAFETY: the program has accessed the address since.
        if let Some(write) = self.write.take()
            && !unsafe { write.still_holds() }
        {
            self.changed();
            return true;
        }
        false
    }
}

impl Runtime {
    /// The current thread is about to read or write memory.
    #[inline]
    pub(crate) fn follow_access(&mut self, address: usize, size: usize, writes: bool, own_stack: bool) {
        let loops = &mut self.loops[self.current];
        if loops.settle() {
            self.long.quiet = false;
        }
        if writes {
            if size > 8 {
                self.long.quiet = false;
                loops.changed();
            } else if !own_stack {
                // SAFETY: the program is about to access the address.
                loops.write = Some(unsafe { Seen::now(address, size) });
            }
        } else if loops.logging && !own_stack {
            self.log_read(address, size);
        }
    }

    /// A step has called so often without a visible operation that it may wait for another thread.
    #[cold]
    pub(crate) fn look_at_long_step(&mut self, pc: usize, writes: bool) {
        // SAFETY: the current thread has just entered the runtime.
        let entry = unsafe { ENTRY };
        let hash = || unsafe { stack_hash(self.current, entry.sp, &entry.registers) };
        match self.long.start {
            None if !writes && self.hooks.is_power_of_two() => {
                let hash = hash();
                self.long.start = Some((pc, entry.sp, hash));
                self.long.quiet = true;
                self.long.calls.clear();
            }
            Some((start, sp, before)) if start == pc && sp == entry.sp => {
                if hash() == before && self.long.quiet && self.options.watch_loops {
                    self.hidden_loops.append(&mut self.long.calls);
                    self.give_up_run();
                }
                self.long.start = None;
            }
            Some(_) if self.long.calls.len() > LONGEST => self.long.start = None,
            _ => {}
        }
        if !writes && !self.long.calls.contains(&pc) {
            self.long.calls.push(pc);
        }
    }

    /// The run ends here. The current thread may wait for others in a loop that was not known: the search begins anew, and
    /// watches it.
    pub(crate) fn give_up_run(&mut self) -> ! {
        self.over = true;
        self.this().phase = Phase::Dead;
        loop {
            self.yield_back();
        }
    }

    /// Whether the current step has called so often that it may never end.
    #[inline]
    pub(crate) fn is_long(&self) -> bool {
        self.hooks >= LONG
    }

    fn log_read(&mut self, address: usize, size: usize) {
        let loops = &mut self.loops[self.current];
        let mut from = address;
        while from < address + size {
            let part = (address + size - from).min(8);
            let part = if part >= 8 {
                8
            } else if part >= 4 {
                4
            } else if part >= 2 {
                2
            } else {
                1
            };
            // SAFETY: the program is about to access the address.
            loops.reads.push(unsafe { Seen::now(from, part) });
            from += part;
        }
        if loops.reads.len() > READS {
            loops.changed();
        }
    }

    /// Keeps a hash of what the current thread can see, for filters that compare it.
    pub(crate) fn keep_local_state(&mut self) {
        // SAFETY: the current thread has just entered the runtime.
        let entry = unsafe { ENTRY };
        // SAFETY: the stack of the current thread, which is in use from there on.
        self.this().local_state = unsafe { stack_hash(self.current, entry.sp, &entry.registers) };
    }

    /// The current thread has changed something in a way that accesses do not show.
    pub(crate) fn note_change(&mut self) {
        self.long.quiet = false;
        self.loops[self.current].settle();
        self.loops[self.current].changed();
    }

    /// The current thread stands at an operation: has it gone round a loop?
    pub(crate) fn follow_operation(&mut self, op: &Op) {
        // SAFETY: the current thread has just entered the runtime.
        let entry = unsafe { ENTRY };
        let thread = self.current;
        self.loops[thread].settle();
        let key = op.place();
        let watched = self.watched.contains(&key);
        let held = self.threads[thread].held;
        let loops = &self.loops[thread];
        let again = loops.visits.iter().rev().find(|visit| visit.pc == key && visit.sp == entry.sp).copied();
        let mut hash = 0;
        if watched {
            // SAFETY: the stack of the current thread, which is in use from there on.
            hash = unsafe { stack_hash(thread, entry.sp, &entry.registers) };
            let same = loops.visits.iter().position(|visit| visit.pc == key && visit.hash == hash);
            // Who waits in the middle of a critical section keeps others from changing anything.
            if let Some(visit) = same
                && loops.visits[visit..].iter().all(|visit| visit.held >= held)
            {
                self.wait_for_change(loops.visits[visit], entry.sp, entry.registers);
                return;
            }
        } else if again.is_some() && self.options.watch_loops {
            self.found_loops.push(key);
            self.give_up_run();
        }
        self.remember(op, entry.sp, hash);
    }

    fn remember(&mut self, op: &Op, sp: usize, hash: u64) {
        let held = self.threads[self.current].held;
        let loops = &mut self.loops[self.current];
        if loops.visits.len() == VISITS {
            loops.visits.remove(0);
        }
        loops.logging |= hash != 0;
        let (reads, objects) = (loops.reads.len(), loops.objects.len());
        loops.visits.push(Visit { pc: op.place(), sp, hash, reads, objects, held });
        if loops.logging {
            loops.objects.push(op.object);
        }
    }

    /// The current thread is where it was at `visit`.
    fn wait_for_change(&mut self, visit: Visit, sp: usize, registers: [usize; 6]) {
        let loops = &mut self.loops[self.current];
        let reads = loops.reads[visit.reads..].to_vec();
        let objects = loops.objects[visit.objects..].to_vec();
        let waiting = Waiting { reads, hash: visit.hash, sp, registers, objects, timed: loops.timed };
        if waiting.is_over(self.current) {
            loops.changed();
        } else {
            loops.waiting = Some(waiting);
        }
    }

    /// Whether a thread waits for a change that did not come.
    #[inline]
    pub(crate) fn spins_in_vain(&self, thread: usize) -> bool {
        let waiting = self.loops[thread].waiting.as_ref();
        waiting.is_some_and(|waiting| !waiting.is_over(thread) && !self.threads[thread].cancelled)
    }

    /// Whether a thread waits for a change or for the time.
    pub(crate) fn spins_for_a_time(&self, thread: usize) -> bool {
        self.loops[thread].waiting.as_ref().is_some_and(|waiting| waiting.timed)
    }

    /// What the current thread does next may depend on the time.
    pub(crate) fn note_time(&mut self) {
        self.loops[self.current].timed = true;
    }

    /// The thread goes on: because of a change, or because nobody else can, which takes time.
    pub(crate) fn stop_waiting(&mut self, thread: usize) {
        if let Some(waiting) = self.loops[thread].waiting.take() {
            self.loops[thread].changed();
            if waiting.timed && !waiting.is_over(thread) {
                self.clocks[thread].time += PATIENCE;
            }
        }
    }
}

impl Waiting {
    /// Appends the objects whose change ends the wait: memory, and what operations of the iteration used.
    pub(crate) fn accesses(&self, accesses: &mut Vec<Access>) {
        let memory = self.reads.iter().map(|seen| granule(seen.address));
        for object in memory.chain(self.objects.iter().map(|object| *object as u64)) {
            if !accesses.iter().any(|access| access.object == object) {
                accesses.push(Access::read(object));
            }
        }
    }

    fn is_over(&self, thread: usize) -> bool {
        // SAFETY: the program has read these addresses, and the thread's stack is in use.
        unsafe {
            self.reads.iter().any(|seen| !seen.still_holds())
                || stack_hash(thread, self.sp, &self.registers) != self.hash
        }
    }
}
