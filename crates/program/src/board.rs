//! The file through which a running program tells how far it is, and is asked to end.
//!
//! The runtime maps it into its memory. Here it is read and written like any other file, which the kernel keeps in
//! step: there is no need for shared memory on this side.

use crate::{platform, schedule::Schedule};
use std::{fs::File, io, path::Path};

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Schedules that were run, since the search last began.
    pub runs: u64,
    /// Steps that were taken.
    pub steps: u64,
    /// The length of the longest schedule.
    pub depth: u64,
    /// Races that were found.
    pub races: u64,
}

impl Progress {
    /// Together with another part of the search.
    pub(crate) fn with(self, other: Progress) -> Progress {
        Progress {
            runs: self.runs + other.runs,
            steps: self.steps + other.steps,
            depth: self.depth.max(other.depth),
            races: self.races.max(other.races),
        }
    }
}

pub(crate) struct Board(File);

/// Six numbers, and the turns of the current run: see `Board` in the runtime.
const SIZE: u64 = TURNS + 4 * MOST_TURNS as u64;
/// Where the runtime is asked to end.
const CANCEL: u64 = 0;
/// Where the numbers of [`Progress`] begin.
const PROGRESS: u64 = 8;
/// Where the number of turns of the current run is, and where they begin.
const TAKEN: u64 = 40;
const TURNS: u64 = 48;
const MOST_TURNS: usize = 1 << 18;

impl Board {
    pub(crate) fn make(path: &Path) -> io::Result<Board> {
        let file = File::options().read(true).write(true).create_new(true).open(path)?;
        file.set_len(SIZE)?;
        Ok(Board(file))
    }

    /// Lets processes that are started from now on use the file; returns its number there.
    pub(crate) fn inheritable(&self) -> io::Result<i32> {
        platform::inheritable(&self.0)
    }

    pub(crate) fn progress(&self) -> io::Result<Progress> {
        let mut bytes = [0; 32];
        platform::read_at(&self.0, &mut bytes, PROGRESS)?;
        let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| bytes[8 * at + byte]));
        Ok(Progress { runs: number(0), steps: number(1), depth: number(2), races: number(3) })
    }

    /// The schedule of the current run, as far as it is kept.
    pub(crate) fn schedule(&self) -> io::Result<Schedule> {
        let mut taken = [0; 8];
        platform::read_at(&self.0, &mut taken, TAKEN)?;
        let taken = usize::try_from(u64::from_le_bytes(taken)).unwrap_or(usize::MAX).min(MOST_TURNS);
        let mut bytes = vec![0; 4 * taken];
        platform::read_at(&self.0, &mut bytes, TURNS)?;
        let number = |pair: &[u8]| u16::from_le_bytes([pair[0], pair[1]]);
        Ok(bytes.chunks_exact(4).map(|turn| (number(&turn[..2]), number(&turn[2..]))).collect())
    }

    /// Asks the search to end, with what it has.
    pub(crate) fn cancel(&self) -> io::Result<()> {
        platform::write_at(&self.0, &1_u64.to_le_bytes(), CANCEL)
    }
}
