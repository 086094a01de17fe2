//! The little that differs between operating systems. Programs are tested on Linux alone; elsewhere this crate only
//! has to compile, and to say so.

#[cfg(unix)]
pub(crate) use unix::*;

#[cfg(not(unix))]
pub(crate) use other::*;

#[cfg(unix)]
mod unix {
    use std::{
        fs, io,
        os::{
            fd::{AsFd, AsRawFd},
            unix::{
                fs::{DirBuilderExt, FileExt, MetadataExt},
                process::{CommandExt, ExitStatusExt},
            },
        },
        path::Path,
        process::{Command, ExitStatus},
    };

    /// The number of the user.
    pub(crate) fn user() -> u32 {
        rustix::process::getuid().as_raw()
    }

    /// Makes a folder that only this user can write to.
    pub(crate) fn make_private_folder(folder: &Path) -> io::Result<()> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        if fs::metadata(folder)?.uid() == user() {
            return Ok(());
        }
        Err(io::Error::new(io::ErrorKind::PermissionDenied, "the folder belongs to somebody else"))
    }

    /// Lets processes that are started from now on use a file or pipe; returns its number there.
    pub(crate) fn inheritable(file: &impl AsFd) -> io::Result<i32> {
        rustix::io::fcntl_setfd(file, rustix::io::FdFlags::empty())?;
        Ok(file.as_fd().as_raw_fd())
    }

    /// Reads from a place in a file.
    pub(crate) fn read_at(file: &fs::File, bytes: &mut [u8], at: u64) -> io::Result<()> {
        file.read_exact_at(bytes, at)
    }

    /// Writes to a place in a file.
    pub(crate) fn write_at(file: &fs::File, bytes: &[u8], at: u64) -> io::Result<()> {
        file.write_all_at(bytes, at)
    }

    /// Keeps what the terminal sends to its foreground group, such as Ctrl-C, away from a process.
    pub(crate) fn alone(command: &mut Command) {
        command.process_group(0);
    }

    /// The memory that a process has, in bytes.
    pub(crate) fn resident_memory(process: u32) -> Option<usize> {
        let sizes = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
        let pages: usize = sizes.split(' ').nth(1)?.parse().ok()?;
        Some(pages * rustix::param::page_size())
    }

    /// Most of the memory that is free, in bytes: who takes more gets others killed.
    pub(crate) fn free_memory() -> Option<usize> {
        let memory = fs::read_to_string("/proc/meminfo").ok()?;
        let line = memory.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        let kibibytes: usize = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
        Some(kibibytes * 1024 / 4 * 3)
    }

    /// The signal that has ended a process.
    pub(crate) fn signal(status: ExitStatus) -> Option<i32> {
        status.signal()
    }
}

#[cfg(not(unix))]
mod other {
    use std::{
        fs, io,
        path::Path,
        process::{Command, ExitStatus},
    };

    pub(crate) fn user() -> u32 {
        0
    }

    pub(crate) fn make_private_folder(folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)
    }

    pub(crate) fn inheritable<F>(_: &F) -> io::Result<i32> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn read_at(_: &fs::File, _: &mut [u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn write_at(_: &fs::File, _: &[u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn alone(_: &mut Command) {}

    pub(crate) fn resident_memory(_: u32) -> Option<usize> {
        None
    }

    pub(crate) fn free_memory() -> Option<usize> {
        None
    }

    pub(crate) fn signal(_: ExitStatus) -> Option<i32> {
        None
    }
}
