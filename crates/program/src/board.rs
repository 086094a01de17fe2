//! The file through which a running program tells how far it is, and is asked to end.
//!
//! The runtime maps it into its memory. Here it is read and written like any other file, which the kernel keeps in
//! step: there is no need for shared memory on this side.

use crate::platform;
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

pub(crate) struct Board(File);

/// Six numbers, and the turns of the current run: see `Board` in the runtime.
const SIZE: u64 = 6 * 8 + 4 * (1 << 18);
/// Where the runtime is asked to end.
const CANCEL: u64 = 0;
/// Where the numbers of [`Progress`] begin.
const PROGRESS: u64 = 8;

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

    /// Asks the search to end, with what it has.
    pub(crate) fn cancel(&self) -> io::Result<()> {
        platform::write_at(&self.0, &1_u64.to_le_bytes(), CANCEL)
    }
}
