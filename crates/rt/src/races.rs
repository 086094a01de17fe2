//! Data races by happens-before, exactly: FastTrack (Flanagan, Freund: FastTrack, PLDI 2009) over eight-byte granules.
//!
//! A granule whose bytes are not always accessed together is split into bytes. What is known of a granule carries
//! the number of the run, so that a restart forgets everything at no cost.

use std::ops::Range;

use crate::clock::Clock;
use crate::table::{AddressMap, AddressSet};

#[cfg(test)]
mod tests;

/// Two accesses of different threads to the same memory, neither of which happens before the other, one a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Race {
    pub(crate) address: usize,
    pub(crate) earlier: Party,
    pub(crate) later: Party,
}

/// One of the accesses of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Party {
    pub(crate) thread: usize,
    pub(crate) pc: usize,
    pub(crate) writes: bool,
    pub(crate) atomic: bool,
}

/// An access.
#[derive(Clone, Copy)]
pub(crate) struct Access<'a> {
    pub(crate) party: Party,
    pub(crate) clock: &'a Clock,
}

/// What is known of a granule, or of one byte of it.
#[derive(Clone, Copy, Default)]
struct Cell {
    run: u32,
    /// The bytes that are described.
    mask: u8,
    flags: u8,
    writer: u16,
    /// The clock of the writer when it wrote; 0 if nobody has.
    write: u32,
    reader: u16,
    /// The clock of the reader, or the number of a clock where several have read.
    read: u32,
    write_pc: usize,
    read_pc: usize,
}

/// Accessed as bytes: see `Races::bytes`.
const SPLIT: u8 = 1;
/// Accessed by atomic operations as well: see `Races::atomics`.
const ATOMIC: u8 = 2;
/// Given back to the heap.
const FREED: u8 = 4;
/// Not watched in this run.
const EXEMPT: u8 = 8;
/// Known to be racy, in all runs.
const RACY: u8 = 0x80;

/// Read by an invariant, in all runs.
const JUDGED: u8 = 0x40;
/// What outlives runs.
const LASTING: u8 = RACY | JUDGED;

/// Stands for several readers.
const SHARED: u16 = u16::MAX;

const CELLS: usize = 512;

/// The size of a block from which on it is treated as a whole.
const LARGE: usize = 1 << 16;

/// The atomic accesses to some bytes of a granule.
struct Atomics {
    run: u32,
    mask: u8,
    writes: Clock,
    reads: Clock,
    pc: usize,
}

/// Several readers of a location: when, and where in the program.
#[derive(Default)]
struct Readers {
    clock: Clock,
    /// By thread.
    pcs: Vec<usize>,
}

impl Readers {
    fn clear(&mut self) {
        self.clock.clear();
        self.pcs.clear();
    }

    fn note(&mut self, thread: usize, now: u32, pc: usize) {
        self.clock.set(thread, now);
        if self.pcs.len() <= thread {
            self.pcs.resize(thread + 1, 0);
        }
        self.pcs[thread] = pc;
    }

    /// One whose read is not ordered with an access.
    fn unordered(&self, access: Access<'_>) -> Option<Party> {
        let thread = self.clock.first_ahead_of(access.clock, access.party.thread)?;
        Some(Party { thread, pc: self.pcs[thread], writes: false, atomic: false })
    }
}

/// The detector.
#[derive(Default)]
pub(crate) struct Races {
    run: u32,
    /// Cells by page, and the places of the last pages used.
    pages: AddressMap<usize>,
    cells: Vec<Box<[Cell]>>,
    recent: [(usize, usize); 16],
    bytes: AddressMap<[Cell; 8]>,
    atomics: AddressMap<Vec<Atomics>>,
    /// Who has read locations that several threads have read; reused in each run.
    shared: Vec<Readers>,
    used: usize,
    /// Large blocks that were given back in this run.
    freed: Vec<Range<usize>>,
    /// Calls in the program that are known to race.
    pub(crate) racy_calls: AddressSet,
}

impl Races {
    /// Forgets all accesses; what is racy stays known.
    pub(crate) fn restart(&mut self) {
        self.run += 1;
        self.freed.clear();
        self.used = 0;
    }

    /// From now on, accesses to this memory and from this place are known to race.
    pub(crate) fn mark(&mut self, address: usize, pcs: [usize; 2]) {
        let (page, cell) = self.find(address >> 3);
        self.cells[page][cell].flags |= RACY;
        self.racy_calls.extend(pcs);
    }

    /// Whether accesses to this memory and from these places are known to race.
    pub(crate) fn is_marked(&mut self, address: usize, pcs: [usize; 2]) -> bool {
        let (page, cell) = self.find(address >> 3);
        self.cells[page][cell].flags & RACY != 0 && pcs.iter().all(|pc| self.racy_calls.contains(pc))
    }

    /// From now on, writes to the granule at this address are known to be read by an invariant.
    pub(crate) fn mark_judged(&mut self, address: usize) {
        let (page, cell) = self.find(address >> 3);
        self.cells[page][cell].flags |= JUDGED;
    }

    /// Whether an invariant reads this memory.
    pub(crate) fn is_judged(&mut self, address: usize) -> bool {
        let (page, cell) = self.find(address >> 3);
        self.cells[page][cell].flags & JUDGED != 0
    }

    /// Whether an access is known to race, or is to memory that an invariant reads.
    #[inline]
    pub(crate) fn is_racy(&mut self, address: usize, size: usize, pc: usize) -> bool {
        if !self.racy_calls.is_empty() && self.racy_calls.contains(&pc) {
            return true;
        }
        let last = address + size.max(1) - 1;
        (address >> 3..=last >> 3).any(|granule| {
            let (page, cell) = self.find(granule);
            self.cells[page][cell].flags & LASTING != 0
        })
    }

    #[inline]
    fn find(&mut self, granule: usize) -> (usize, usize) {
        let page = granule / CELLS;
        let recent = &mut self.recent[page % 16];
        if recent.0 != page || page == 0 {
            let next = self.cells.len();
            let place = *self.pages.entry(page).or_insert(next);
            if place == next {
                // On the heap at once: the stack is the program's.
                self.cells.push(vec![Cell::default(); CELLS].into_boxed_slice());
            }
            *recent = (page, place);
        }
        (recent.1, granule % CELLS)
    }

    /// Notes an access to memory; returns a race that it is part of.
    #[inline]
    pub(crate) fn access(&mut self, address: usize, size: usize, access: Access<'_>) -> Option<Race> {
        let end = address + size;
        let (mut from, mut race) = (address, None);
        while from < end {
            let granule = from >> 3;
            let to = end.min((granule + 1) << 3);
            let mask = ((1_u16 << (to - from)) - 1) as u8;
            let mask = mask << (from & 7);
            let earlier = self.granule(granule, mask, access);
            race = race.or(earlier.map(|earlier| Race { address: from, earlier, later: access.party }));
            from = to;
        }
        race
    }

    /// Notes that the whole of a block is written, such as when it is given back: looks at what was accessed alone.
    pub(crate) fn write_block(&mut self, block: Range<usize>, access: Access<'_>) -> Option<Race> {
        if block.len() <= LARGE {
            return self.access(block.start, block.len(), access);
        }
        let bytes = CELLS * 8;
        let pages =
            (block.start / bytes..=(block.end - 1) / bytes).filter(|page| self.pages.contains_key(page));
        let pages: Vec<usize> = pages.collect();
        let mut race = None;
        for page in pages {
            let (from, to) = (block.start.max(page * bytes), block.end.min((page + 1) * bytes));
            race = race.or(self.access(from, to - from, access));
        }
        race
    }

    #[inline]
    fn granule(&mut self, granule: usize, mask: u8, access: Access<'_>) -> Option<Party> {
        let (page, cell) = self.find(granule);
        let run = self.run;
        let cell = &mut self.cells[page][cell];
        if cell.run != run {
            *cell = Cell { run, mask, flags: cell.flags & LASTING, ..Cell::default() };
        }
        if cell.flags & EXEMPT != 0 {
            return None;
        }
        if cell.mask == 0 {
            cell.mask = mask;
        }
        if access.party.atomic {
            return self.atomic(granule, mask, access);
        }
        let mixed = (cell.flags & ATOMIC != 0).then_some(());
        if cell.mask == mask && cell.flags & SPLIT == 0 {
            let mut cell = *cell;
            let found = self.cell(&mut cell, access);
            let (page, at) = self.find(granule);
            self.cells[page][at] = cell;
            return found.or_else(|| mixed.and_then(|()| self.against_atomics(granule, mask, access)));
        }
        let found = self.split(granule, mask, access);
        found.or_else(|| mixed.and_then(|()| self.against_atomics(granule, mask, access)))
    }

    /// Treats each byte by itself, from now on.
    fn split(&mut self, granule: usize, mask: u8, access: Access<'_>) -> Option<Party> {
        let (page, at) = self.find(granule);
        let whole = self.cells[page][at];
        let mut bytes = *self.bytes.entry(granule).or_default();
        if whole.flags & SPLIT == 0 {
            for (byte, cell) in bytes.iter_mut().enumerate() {
                let known = whole.mask & (1 << byte) != 0;
                *cell = if known { whole } else { Cell { run: self.run, ..Cell::default() } };
            }
            self.cells[page][at].flags |= SPLIT;
        }
        let mut found = None;
        for (byte, cell) in bytes.iter_mut().enumerate() {
            if mask & (1 << byte) != 0 {
                found = found.or(self.cell(cell, access));
            }
        }
        self.bytes.insert(granule, bytes);
        found
    }

    #[inline]
    fn cell(&mut self, cell: &mut Cell, access: Access<'_>) -> Option<Party> {
        let Access { party, clock } = access;
        let now = clock.get(party.thread);
        let mut found = None;
        let ahead = |thread: u16, time: u32| {
            time > clock.get(usize::from(thread)) && usize::from(thread) != party.thread
        };
        if cell.write != 0 && ahead(cell.writer, cell.write) {
            found =
                Some(Party { thread: cell.writer.into(), pc: cell.write_pc, writes: true, atomic: false });
        }
        if party.writes {
            if cell.read != 0 {
                found = found.or_else(|| self.unordered_reader(cell, access));
            }
            (cell.writer, cell.write, cell.write_pc, cell.read) = (party.thread as u16, now, party.pc, 0);
        } else {
            self.note_read(cell, access, now);
        }
        found
    }

    #[inline]
    fn note_read(&mut self, cell: &mut Cell, access: Access<'_>, now: u32) {
        let thread = access.party.thread as u16;
        let before = std::mem::replace(&mut cell.read_pc, access.party.pc);
        if cell.read != 0 && cell.reader == SHARED {
            self.shared[cell.read as usize - 1].note(thread.into(), now, access.party.pc);
        } else if cell.read == 0 || cell.reader == thread || cell.read <= access.clock.get(cell.reader.into())
        {
            (cell.reader, cell.read) = (thread, now);
        } else {
            if self.used == self.shared.len() {
                self.shared.push(Readers::default());
            }
            let both = &mut self.shared[self.used];
            self.used += 1;
            both.clear();
            both.note(cell.reader.into(), cell.read, before);
            both.note(thread.into(), now, access.party.pc);
            (cell.reader, cell.read) = (SHARED, self.used as u32);
        }
    }

    /// A reader of a location whose read is not ordered with an access.
    fn unordered_reader(&self, cell: &Cell, access: Access<'_>) -> Option<Party> {
        if cell.reader == SHARED {
            return self.shared[cell.read as usize - 1].unordered(access);
        }
        let thread = usize::from(cell.reader);
        let ahead = cell.read > access.clock.get(thread) && thread != access.party.thread;
        ahead.then_some(Party { thread, pc: cell.read_pc, writes: false, atomic: false })
    }

    /// An atomic access races with plain ones only.
    fn atomic(&mut self, granule: usize, mask: u8, access: Access<'_>) -> Option<Party> {
        let (page, at) = self.find(granule);
        let cell = self.cells[page][at];
        self.cells[page][at].flags |= ATOMIC;
        let mut found = None;
        if cell.flags & SPLIT != 0 {
            let bytes = self.bytes.get(&granule).copied().unwrap_or_default();
            for (byte, cell) in bytes.iter().enumerate().filter(|(byte, _)| mask & (1 << byte) != 0) {
                let _ = byte;
                found = found.or(self.against_plain(cell, access));
            }
        } else if cell.mask & mask != 0 {
            found = self.against_plain(&cell, access);
        }
        let run = self.run;
        let list = self.atomics.entry(granule).or_default();
        let position = list.iter().position(|one| one.mask == mask).unwrap_or_else(|| {
            list.push(Atomics { run, mask, writes: Clock::default(), reads: Clock::default(), pc: 0 });
            list.len() - 1
        });
        let one = &mut list[position];
        if one.run != run {
            one.run = run;
            one.writes.clear();
            one.reads.clear();
        }
        let thread = access.party.thread;
        let side = if access.party.writes { &mut one.writes } else { &mut one.reads };
        side.set(thread, access.clock.get(thread));
        one.pc = access.party.pc;
        found
    }

    fn against_plain(&self, cell: &Cell, access: Access<'_>) -> Option<Party> {
        let Access { party, clock } = access;
        let ahead = |thread: u16, time: u32| {
            time > clock.get(usize::from(thread)) && usize::from(thread) != party.thread
        };
        if cell.write != 0 && ahead(cell.writer, cell.write) {
            return Some(Party {
                thread: cell.writer.into(),
                pc: cell.write_pc,
                writes: true,
                atomic: false,
            });
        }
        if !party.writes || cell.read == 0 {
            return None;
        }
        self.unordered_reader(cell, access)
    }

    fn against_atomics(&self, granule: usize, mask: u8, access: Access<'_>) -> Option<Party> {
        let list = self.atomics.get(&granule)?;
        list.iter().filter(|one| one.run == self.run && one.mask & mask != 0).find_map(|one| {
            let thread = access.party.thread;
            let party = |thread, writes| Party { thread, pc: one.pc, writes, atomic: true };
            let writer = one.writes.first_ahead_of(access.clock, thread).map(|thread| party(thread, true));
            let reader = || one.reads.first_ahead_of(access.clock, thread).map(|thread| party(thread, false));
            writer.or_else(|| if access.party.writes { reader() } else { None })
        })
    }

    /// Notes that a block was given back, or given out again. Of a large one no cells are made.
    pub(crate) fn set_freed(&mut self, address: usize, size: usize, freed: bool) {
        let run = self.run;
        if size > LARGE {
            self.freed.retain(|block| block.start != address);
            if freed {
                self.freed.push(address..address + size);
            }
            return;
        }
        for granule in address >> 3..(address + size).div_ceil(8) {
            let (page, at) = self.find(granule);
            let cell = &mut self.cells[page][at];
            if cell.run != run {
                *cell = Cell { run, flags: cell.flags & LASTING, ..Cell::default() };
            }
            cell.flags = if freed { cell.flags | FREED } else { cell.flags & !(FREED | EXEMPT) };
        }
    }

    /// Memory whose accesses are ordered by operations that nobody announces: it is not watched until it is given back.
    pub(crate) fn exempt(&mut self, address: usize, size: usize) {
        let run = self.run;
        for granule in address >> 3..(address + size).div_ceil(8) {
            let (page, at) = self.find(granule);
            let flags = self.cells[page][at].flags & LASTING | EXEMPT;
            self.cells[page][at] = Cell { run, flags, ..Cell::default() };
        }
    }

    /// Whether memory was given back in this run and not given out again.
    #[inline]
    pub(crate) fn is_freed(&mut self, address: usize) -> bool {
        if !self.freed.is_empty() && self.freed.iter().any(|block| block.contains(&address)) {
            return true;
        }
        let (page, at) = self.find(address >> 3);
        let cell = &self.cells[page][at];
        cell.run == self.run && cell.flags & FREED != 0
    }
}
