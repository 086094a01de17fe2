//! What a cube speaks about: cells of registers, of constants and of the initial memory, and the values of reads.

/// A process of a cube, by number.
pub(crate) type Process = u8;

/// Cubes with more processes than this are given up.
pub(crate) const MOST_PROCESSES: Process = 16;

/// Arrays with more indices than this are refused.
pub(crate) const MOST_INDICES: usize = 3;

/// Stands for an index that the symbol does not have.
const NONE: Process = Process::MAX;

/// A variable, or a cell of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Location {
    symbol: u16,
    indices: [Process; MOST_INDICES],
}

impl Location {
    pub(crate) fn new(symbol: u16, indices: &[Process]) -> Location {
        let mut all = [NONE; MOST_INDICES];
        all[..indices.len()].copy_from_slice(indices);
        Location { symbol, indices: all }
    }

    pub(crate) fn symbol(self) -> u16 {
        self.symbol
    }

    pub(crate) fn indices(&self) -> &[Process] {
        let number = self.indices.iter().take_while(|index| **index != NONE).count();
        &self.indices[..number]
    }

    pub(crate) fn rename(self, map: impl Fn(Process) -> Process) -> Location {
        let indices = self.indices.map(|index| if index == NONE { NONE } else { map(index) });
        Location { indices, ..self }
    }
}

/// A read whose write has not been met yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Read {
    /// The instant at which it happens, by its position in the cube.
    pub(crate) instant: u8,
    /// The process that reads.
    pub(crate) reader: Process,
}

/// Something with a value: a cell, or what a read of a location returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Variable {
    pub(crate) location: Location,
    pub(crate) read: Option<Read>,
}

impl Variable {
    /// The cell of a register or a constant; in initial states, also a cell of memory.
    pub(crate) fn cell(location: Location) -> Variable {
        Variable { location, read: None }
    }

    /// The processes that it mentions.
    pub(crate) fn processes(&self) -> impl Iterator<Item = Process> {
        self.location.indices().iter().copied().chain(self.read.map(|read| read.reader))
    }

    pub(crate) fn rename(self, process: impl Fn(Process) -> Process, instant: impl Fn(u8) -> u8) -> Variable {
        let read = self
            .read
            .map(|Read { instant: at, reader }| Read { instant: instant(at), reader: process(reader) });
        Variable { location: self.location.rename(process), read }
    }
}
