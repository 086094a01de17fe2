//! Calls with which the kernel writes into memory of the program: pages that are still protected are released before,
//! since the kernel would refuse to write there. And calls that would wait for another thread outside of the runtime's
//! sight.

use super::error::EIO;
use super::set_errno;
use crate::control::Failing;
use crate::memory::PAGE;
use crate::runtime::{pc, rt};
use crate::sys;

/// Writes to each page of a block, without changing it.
unsafe fn touch(block: usize, size: usize) {
    if block == 0 || size == 0 {
        return;
    }
    let last = block + size - 1;
    let pages = (block / PAGE + 1..=last / PAGE).map(|page| page * PAGE);
    for address in std::iter::once(block).chain(pages) {
        let byte = address as *mut u8;
        byte.write_volatile(byte.read_volatile());
    }
}

/// Defines functions that release the pages of some blocks and then call what comes behind this library.
macro_rules! touching {
    ($(fn $name:ident($($argument:ident),*) { $($block:expr, $size:expr);* })*) => {
        entries! {
            $(
                fn $name($($argument: usize),*) -> isize {
                    type Next = unsafe extern "C" fn($(touching!(@word $argument)),*) -> isize;
                    static mut NEXT: Option<Next> = None;
                    $(touch($block, $size);)*
                    let next = NEXT.get_or_insert_with(|| {
                        std::mem::transmute(super::process::next(concat!(stringify!($name), "\0").as_ptr().cast()))
                    });
                    next($($argument),*)
                }
            )*
        }
    };
    (@word $argument:ident) => { usize };
}

/// The sizes of what the kernel fills in.
const UNAME: usize = 6 * 65;
const STAT: usize = 144;
const STATX: usize = 256;
const LIMIT: usize = 16;
const USAGE: usize = 144;
const SYSINFO: usize = 112;
const TIMES: usize = 32;
const SIGNALS: usize = 128;
const ACTION: usize = 152;

touching! {
    fn uname(name) { name, UNAME }
    fn stat(path, status) { status, STAT }
    fn lstat(path, status) { status, STAT }
    fn fstat(file, status) { status, STAT }
    fn fstatat(folder, path, status, flags) { status, STAT }
    fn stat64(path, status) { status, STAT }
    fn lstat64(path, status) { status, STAT }
    fn fstat64(file, status) { status, STAT }
    fn fstatat64(folder, path, status, flags) { status, STAT }
    fn statx(folder, path, flags, mask, status) { status, STATX }
    fn getcwd(path, size) { path, size }
    fn readlink(path, target, size) { target, size }
    fn gethostname(name, size) { name, size }
    fn getrlimit(resource, limit) { limit, LIMIT }
    fn getrlimit64(resource, limit) { limit, LIMIT }
    fn getrusage(who, usage) { usage, USAGE }
    fn sysinfo(info) { info, SYSINFO }
    fn times(times) { times, TIMES }
    fn sched_getaffinity(process, size, set) { set, size }
    fn pthread_sigmask(how, set, old) { old, SIGNALS }
    fn sigprocmask(how, set, old) { old, SIGNALS }
    fn sigaction(signal, action, old) { old, ACTION }
}

/// Refuses to read from a file that has nothing to read yet: who would write it is a thread of the same program, which
/// cannot go on meanwhile.
unsafe fn check_ready(file: i32, call: &str) {
    if rt().runs_program() && !sys::is_readable(file) {
        rt().unsupported(&format!("`{call}` from a pipe or a socket that has no data yet"));
    }
}

/// Reads from a file into a block.
unsafe fn read_into(call: &str, number: usize, arguments: [usize; 6]) -> isize {
    let [file, block, size, ..] = arguments;
    if rt().call_fails(Failing::Read) {
        set_errno(EIO);
        return -1;
    }
    check_ready(file as i32, call);
    touch(block, size);
    if rt().is_controlled() && rt().runs_program() {
        rt().plain_at(block, size, true, pc());
    }
    returned(sys::call(number, arguments))
}

/// What the kernel returns, as libc does.
unsafe fn returned(result: isize) -> isize {
    if result < 0 {
        set_errno(-result as i32);
        return -1;
    }
    result
}

const SYS_READ: usize = 0;
const SYS_WRITE: usize = 1;
const SYS_PREAD: usize = 17;
const SYS_RECVFROM: usize = 45;

entries! {
    fn read(file: usize, block: usize, size: usize) -> isize {
        read_into("read", SYS_READ, [file, block, size, 0, 0, 0])
    }

    fn write(file: usize, block: usize, size: usize) -> isize {
        if rt().call_fails(Failing::Write) {
            set_errno(EIO);
            return -1;
        }
        if rt().is_controlled() && rt().runs_program() {
            rt().plain_at(block, size, false, pc());
        }
        returned(sys::call(SYS_WRITE, [file, block, size, 0, 0, 0]))
    }

    fn pread(file: usize, block: usize, size: usize, offset: usize) -> isize {
        read_into("pread", SYS_PREAD, [file, block, size, offset, 0, 0])
    }

    fn pread64(file: usize, block: usize, size: usize, offset: usize) -> isize {
        read_into("pread64", SYS_PREAD, [file, block, size, offset, 0, 0])
    }

    fn recv(file: usize, block: usize, size: usize, flags: usize) -> isize {
        read_into("recv", SYS_RECVFROM, [file, block, size, flags, 0, 0])
    }

    fn recvfrom(file: usize, block: usize, size: usize, flags: usize, from: usize, length: usize) -> isize {
        touch(from, 16);
        touch(length, 4);
        read_into("recvfrom", SYS_RECVFROM, [file, block, size, flags, from, length])
    }

    /// Numbers that look random, and are the same in every run.
    fn getrandom(block: *mut u8, size: usize, _flags: u32) -> isize {
        let mut random = RANDOM;
        for at in 0..size {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *block.add(at) = (random >> 56) as u8;
        }
        size as isize
    }
}

/// Where these begin.
const RANDOM: u64 = 0x6d6f_7465_7400_0001;
