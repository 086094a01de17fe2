//! Data races by happens-before, exactly: FastTrack (Flanagan, Freund: FastTrack, PLDI 2009) over eight-byte granules.
//!
//! A granule whose bytes are not always accessed together is split into bytes. What is known of a granule carries
//! the number of the run, so that a restart forgets everything at no cost.

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
/// Known to be racy, in all runs.
const RACY: u8 = 0x80;

/// Read by an invariant, in all runs.
const JUDGED: u8 = 0x40;
/// What outlives runs.
const LASTING: u8 = RACY | JUDGED;

/// Stands for several readers.
const SHARED: u16 = u16::MAX;

const CELLS: usize = 512;

/// The atomic accesses to some bytes of a granule.
struct Atomics {
    run: u32,
    mask: u8,
    writes: Clock,
    reads: Clock,
    pc: usize,
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
    /// Clocks of locations that several threads have read; reused in each run.
    shared: Vec<Clock>,
    used: usize,
    /// Calls in the program that are known to race.
    pub(crate) racy_calls: AddressSet,
}

impl Races {
    /// Forgets all accesses; what is racy stays known.
    pub(crate) fn restart(&mut self) {
        self.run += 1;
        self.used = 0;
    }

    /// From now on, accesses to this memory and from this place are known to race.
    pub(crate) fn mark(&mut self, address: usize, pcs: [usize; 2]) {
        let (page, cell) = self.find(address >> 3);
        self.cells[page][cell].flags |= RACY;
        self.racy_calls.extend(pcs);
    }

    /// An invariant reads this memory; returns whether that is new.
    pub(crate) fn mark_judged(&mut self, address: usize, size: usize) -> bool {
        let last = address + size.max(1) - 1;
        let mut new = false;
        for granule in address >> 3..=last >> 3 {
            let (page, cell) = self.find(granule);
            let flags = &mut self.cells[page][cell].flags;
            new |= *flags & JUDGED == 0;
            *flags |= JUDGED;
        }
        new
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

    #[inline]
    fn granule(&mut self, granule: usize, mask: u8, access: Access<'_>) -> Option<Party> {
        let (page, cell) = self.find(granule);
        let run = self.run;
        let cell = &mut self.cells[page][cell];
        if cell.run != run {
            *cell = Cell { run, mask, flags: cell.flags & LASTING, ..Cell::default() };
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
                let reader = if cell.reader == SHARED {
                    self.unordered_reader(cell.read, access)
                } else {
                    ahead(cell.reader, cell.read).then_some(cell.reader.into())
                };
                found = found.or(reader.map(|thread| Party {
                    thread,
                    pc: cell.read_pc,
                    writes: false,
                    atomic: false,
                }));
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
        cell.read_pc = access.party.pc;
        if cell.read != 0 && cell.reader == SHARED {
            self.shared[cell.read as usize - 1].set(thread.into(), now);
        } else if cell.read == 0 || cell.reader == thread || cell.read <= access.clock.get(cell.reader.into())
        {
            (cell.reader, cell.read) = (thread, now);
        } else {
            if self.used == self.shared.len() {
                self.shared.push(Clock::default());
            }
            let both = &mut self.shared[self.used];
            self.used += 1;
            both.clear();
            both.set(cell.reader.into(), cell.read);
            both.set(thread.into(), now);
            (cell.reader, cell.read) = (SHARED, self.used as u32);
        }
    }

    fn unordered_reader(&self, shared: u32, access: Access<'_>) -> Option<usize> {
        let readers = &self.shared[shared as usize - 1];
        readers.first_ahead_of(access.clock, access.party.thread)
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
        let reader = if cell.reader == SHARED {
            self.unordered_reader(cell.read, access)?
        } else {
            ahead(cell.reader, cell.read).then_some(cell.reader.into())?
        };
        Some(Party { thread: reader, pc: cell.read_pc, writes: false, atomic: false })
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

    /// Notes that a block was given back, or given out again.
    pub(crate) fn set_freed(&mut self, address: usize, size: usize, freed: bool) {
        let run = self.run;
        for granule in address >> 3..(address + size).div_ceil(8) {
            let (page, at) = self.find(granule);
            let cell = &mut self.cells[page][at];
            if cell.run != run {
                *cell = Cell { run, flags: cell.flags & LASTING, ..Cell::default() };
            }
            cell.flags = if freed { cell.flags | FREED } else { cell.flags & !FREED };
        }
    }

    /// Whether memory was given back in this run and not given out again.
    #[inline]
    pub(crate) fn is_freed(&mut self, address: usize) -> bool {
        let (page, at) = self.find(address >> 3);
        let cell = &self.cells[page][at];
        cell.run == self.run && cell.flags & FREED != 0
    }
}
