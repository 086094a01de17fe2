//! Variables and cells of a cube, packed into 32 bits.

use std::fmt;

/// The most processes of a cube; a search that needs more gives up and says so.
pub(crate) const MAX_PROCESSES: u8 = 16;
/// The most indices of an array.
pub(crate) const MAX_ARITY: usize = 4;

/// A process of a cube, by number.
pub(crate) type Process = u8;

/// A global (no index) or a cell of an array: the symbol in the upper half, four bits for each index below.
/// Sorting cells sorts them by symbol first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cell(u32);

impl Cell {
    pub(crate) fn new(symbol: u16, indices: &[Process]) -> Cell {
        let packed = indices.iter().rev().fold(0, |packed, index| packed << 4 | u32::from(*index));
        Cell(u32::from(symbol) << 16 | packed)
    }

    pub(crate) fn symbol(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// The index at a position, which must be below the arity of the symbol.
    pub(crate) fn index(self, position: usize) -> Process {
        (self.0 >> (4 * position) & 15) as Process
    }

    /// The indices of a cell of an array with this many.
    pub(crate) fn indices(self, arity: usize) -> impl Iterator<Item = Process> {
        (0..arity).map(move |position| self.index(position))
    }

    /// The cell with its processes renamed.
    pub(crate) fn rename(self, arity: usize, map: &[Process]) -> Cell {
        match arity {
            0 => self,
            1 => Cell(self.0 & !15 | u32::from(map[usize::from(self.index(0))])),
            _ => {
                let mut renamed = self.0 & !0xffff;
                for position in 0..arity {
                    renamed |= u32::from(map[usize::from(self.index(position))]) << (4 * position);
                }
                Cell(renamed)
            }
        }
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}:{:x}", self.symbol(), self.0 & 0xffff)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_come_back_and_are_renamed() {
        let cell = Cell::new(513, &[3, 0, 15, 7]);
        assert_eq!((cell.symbol(), cell.indices(4).collect::<Vec<_>>()), (513, vec![3, 0, 15, 7]));
        let mut map: Vec<Process> = (0..16).collect();
        map.swap(3, 7);
        assert_eq!(cell.rename(4, &map), Cell::new(513, &[7, 0, 15, 3]));
        assert_eq!(Cell::new(2, &[3]).rename(1, &map), Cell::new(2, &[7]));
        assert!(Cell::new(1, &[15]) < Cell::new(2, &[0]));
    }
}
