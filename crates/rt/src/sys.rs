//! System calls without libc, whose own state belongs to the program under test.

use std::arch::asm;

const SYS_WRITE: usize = 1;
const SYS_MMAP: usize = 9;
const SYS_MPROTECT: usize = 10;
const SYS_RT_SIGACTION: usize = 13;
const SYS_EXIT_GROUP: usize = 231;
const SYS_OPEN: usize = 2;
const SYS_READ: usize = 0;
const SYS_CLOSE: usize = 3;
const SYS_SIGALTSTACK: usize = 131;
const SYS_PERSONALITY: usize = 135;
const SYS_EXECVE: usize = 59;
const SYS_CLOCK_GETTIME: usize = 228;
const SYS_SETITIMER: usize = 38;
const SYS_DUP2: usize = 33;

/// A system call. Returns what the kernel returns: a small negative number is an error.
///
/// # Safety
/// As the call itself.
#[inline]
pub(crate) unsafe fn call(number: usize, a: [usize; 6]) -> isize {
    let result: isize;
    asm!(
        "syscall",
        inlateout("rax") number as isize => result,
        in("rdi") a[0], in("rsi") a[1], in("rdx") a[2], in("r10") a[3], in("r8") a[4], in("r9") a[5],
        lateout("rcx") _, lateout("r11") _,
    );
    result
}

/// Writes all bytes, or as many as the file takes.
pub(crate) fn write(file: i32, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        // SAFETY: the kernel only reads the bytes.
        let written =
            unsafe { call(SYS_WRITE, [file as usize, bytes.as_ptr() as usize, bytes.len(), 0, 0, 0]) };
        if written <= 0 {
            return;
        }
        bytes = &bytes[written as usize..];
    }
}

/// Says something on standard error, for messages that nobody else can deliver.
pub(crate) fn complain(text: &str) {
    write(2, b"motet: ");
    write(2, text.as_bytes());
    write(2, b"\n");
}

/// Ends the process at once.
pub(crate) fn exit(code: i32) -> ! {
    loop {
        // SAFETY: does not return.
        unsafe { call(SYS_EXIT_GROUP, [code as usize, 0, 0, 0, 0, 0]) };
    }
}

/// Read and write access.
pub(crate) const READ_WRITE: usize = 3;
/// Read access.
pub(crate) const READ: usize = 1;
/// No access.
pub(crate) const NONE: usize = 0;

/// Private zeroed memory that the kernel provides when it is touched; at a fixed address unless that is 0.
pub(crate) fn map(address: usize, length: usize, protection: usize) -> *mut u8 {
    const PRIVATE_ANONYMOUS_NORESERVE: usize = 0x2 | 0x20 | 0x4000;
    const FIXED_NOREPLACE: usize = 0x10_0000;
    let fixed = if address == 0 { 0 } else { FIXED_NOREPLACE };
    // SAFETY: new memory; an existing mapping is not replaced.
    let result = unsafe {
        call(SYS_MMAP, [address, length, protection, PRIVATE_ANONYMOUS_NORESERVE | fixed, usize::MAX, 0])
    };
    if result < 0 {
        complain("out of address space");
        exit(70);
    }
    result as *mut u8
}

/// Maps a file that is shared with another process.
pub(crate) unsafe fn map_shared(file: i32, length: usize) -> *mut u8 {
    let result = call(SYS_MMAP, [0, length, READ_WRITE, 1, file as usize, 0]);
    if result < 0 { std::ptr::null_mut() } else { result as *mut u8 }
}

/// Changes the protection of whole pages.
pub(crate) unsafe fn protect(address: usize, length: usize, protection: usize) -> bool {
    call(SYS_MPROTECT, [address, length, protection, 0, 0, 0]) == 0
}

/// Opens a file for reading; the path ends with a zero byte.
pub(crate) unsafe fn open(path: *const u8) -> i32 {
    call(SYS_OPEN, [path as usize, 0, 0, 0, 0, 0]) as i32
}

/// Opens a file for reading and writing.
pub(crate) unsafe fn open_for_writing(path: *const u8) -> i32 {
    call(SYS_OPEN, [path as usize, 2, 0, 0, 0, 0]) as i32
}

/// Reads a whole file.
pub(crate) fn read_all(path: &str) -> Option<Vec<u8>> {
    let path = [path.as_bytes(), &[0]].concat();
    // SAFETY: the path ends with a zero byte, and the kernel writes into the buffer alone.
    unsafe {
        let file = open(path.as_ptr());
        if file < 0 {
            return None;
        }
        let mut content = Vec::new();
        let mut buffer = [0_u8; 4096];
        loop {
            let got = call(SYS_READ, [file as usize, buffer.as_mut_ptr() as usize, buffer.len(), 0, 0, 0]);
            if got <= 0 {
                break;
            }
            content.extend_from_slice(&buffer[..got as usize]);
        }
        call(SYS_CLOSE, [file as usize, 0, 0, 0, 0, 0]);
        Some(content)
    }
}

/// Makes one file descriptor stand for another.
pub(crate) unsafe fn duplicate(from: i32, to: i32) {
    call(SYS_DUP2, [from as usize, to as usize, 0, 0, 0, 0]);
}

/// What the kernel is told about a signal.
#[repr(C)]
pub(crate) struct SignalAction {
    pub(crate) handler: usize,
    pub(crate) flags: usize,
    pub(crate) restorer: usize,
    pub(crate) mask: u64,
}

std::arch::global_asm!(
    ".hidden motet_restorer",
    ".globl motet_restorer",
    "motet_restorer:",
    "mov eax, 15",
    "syscall"
);

unsafe extern "C" {
    fn motet_restorer();
}

/// Calls `handler` on the alternative stack when a signal comes, without blocking it meanwhile.
pub(crate) unsafe fn handle(signal: i32, handler: usize) {
    const SIGINFO_ONSTACK_NODEFER_RESTART_RESTORER: usize =
        0x4 | 0x0800_0000 | 0x4000_0000 | 0x1000_0000 | 0x0400_0000;
    let action = SignalAction {
        handler,
        flags: SIGINFO_ONSTACK_NODEFER_RESTART_RESTORER,
        restorer: motet_restorer as *const () as usize,
        mask: 0,
    };
    call(SYS_RT_SIGACTION, [signal as usize, &raw const action as usize, 0, 8, 0, 0]);
}

/// Sets the stack on which signals are handled.
pub(crate) unsafe fn alternative_stack(base: *mut u8, length: usize) {
    let stack = [base as usize, 0, length];
    call(SYS_SIGALTSTACK, [stack.as_ptr() as usize, 0, 0, 0, 0, 0]);
}

/// Runs the same program again with its addresses not randomised, unless they are not.
pub(crate) unsafe fn without_randomisation(arguments: *const *const u8, environment: *const *const u8) {
    const ASK: usize = 0xffff_ffff;
    const NO_RANDOMIZE: usize = 0x4_0000;
    let now = call(SYS_PERSONALITY, [ASK, 0, 0, 0, 0, 0]);
    if now < 0 || now as usize & NO_RANDOMIZE != 0 {
        return;
    }
    if call(SYS_PERSONALITY, [now as usize | NO_RANDOMIZE, 0, 0, 0, 0, 0]) < 0 {
        return;
    }
    let path = c"/proc/self/exe";
    call(SYS_EXECVE, [path.as_ptr() as usize, arguments as usize, environment as usize, 0, 0, 0]);
}

/// Nanoseconds of processor time of this process.
pub(crate) fn cpu_time() -> u64 {
    clock(2)
}

/// Nanoseconds since some moment.
pub(crate) fn wall_time() -> u64 {
    clock(1)
}

/// The time of a clock of the kernel, as two words.
pub(crate) unsafe fn clock_gettime(clock: i32, time: *mut u64) -> isize {
    call(SYS_CLOCK_GETTIME, [clock as usize, time as usize, 0, 0, 0, 0])
}

fn clock(which: usize) -> u64 {
    let mut time = [0_u64; 2];
    // SAFETY: the kernel writes two words.
    unsafe { call(SYS_CLOCK_GETTIME, [which, time.as_mut_ptr() as usize, 0, 0, 0, 0]) };
    time[0] * 1_000_000_000 + time[1]
}

/// Sends SIGALRM again and again at this interval.
pub(crate) unsafe fn alarm_every(microseconds: u64) {
    let interval = [
        microseconds / 1_000_000,
        microseconds % 1_000_000,
        microseconds / 1_000_000,
        microseconds % 1_000_000,
    ];
    call(SYS_SETITIMER, [0, interval.as_ptr() as usize, 0, 0, 0, 0]);
}

/// Reads a line; `None` at the end of the file.
pub(crate) fn read_line(file: i32) -> Option<String> {
    let mut line = Vec::new();
    loop {
        let mut byte = 0_u8;
        // SAFETY: the kernel writes one byte.
        let got = unsafe { call(SYS_READ, [file as usize, &raw mut byte as usize, 1, 0, 0, 0]) };
        if got != 1 {
            return None;
        }
        if byte == b'\n' {
            return String::from_utf8(line).ok();
        }
        line.push(byte);
    }
}

/// The bytes at an address, as far as they can be read.
pub(crate) fn peek(address: usize, size: usize) -> Vec<u8> {
    const SYS_PROCESS_VM_READV: usize = 310;
    const SYS_GETPID: usize = 39;
    let mut bytes = vec![0_u8; size];
    let local = [bytes.as_mut_ptr() as usize, size];
    let remote = [address, size];
    // SAFETY: the kernel checks the addresses, and writes into the buffer alone.
    let got = unsafe {
        let own = call(SYS_GETPID, [0; 6]) as usize;
        call(SYS_PROCESS_VM_READV, [own, local.as_ptr() as usize, 1, remote.as_ptr() as usize, 1, 0])
    };
    bytes.truncate(got.max(0) as usize);
    bytes
}

/// A pipe: the end to read from, and the one to write to.
pub(crate) fn pipe() -> Option<[i32; 2]> {
    const SYS_PIPE2: usize = 293;
    const CLOSE_ON_EXEC: usize = 0x8_0000;
    let mut ends = [0_i32; 2];
    // SAFETY: the kernel writes two numbers.
    let result = unsafe { call(SYS_PIPE2, [ends.as_mut_ptr() as usize, CLOSE_ON_EXEC, 0, 0, 0, 0]) };
    (result == 0).then_some(ends)
}

/// Whether a read from a file would not have to wait.
pub(crate) fn is_readable(file: i32) -> bool {
    const SYS_POLL: usize = 7;
    const POLLIN: u64 = 1;
    // A file, the events that are asked for, and those that have come.
    let mut request = [file as u32 as u64 | POLLIN << 32];
    // SAFETY: the kernel writes the last two bytes.
    unsafe { call(SYS_POLL, [request.as_mut_ptr() as usize, 1, 0, 0, 0, 0]) != 0 }
}

/// Ends this process when its parent ends.
pub(crate) fn end_with_parent() {
    const SYS_PRCTL: usize = 157;
    const PR_SET_PDEATHSIG: usize = 1;
    const SIGKILL: usize = 9;
    // SAFETY: concerns this process alone.
    unsafe { call(SYS_PRCTL, [PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0]) };
}

/// A copy of this process; returns its number, and 0 in the copy.
pub(crate) unsafe fn fork() -> i32 {
    const SYS_FORK: usize = 57;
    call(SYS_FORK, [0; 6]) as i32
}

/// Closes a file.
pub(crate) fn close(file: i32) {
    // SAFETY: the file is the runtime's own.
    unsafe { call(SYS_CLOSE, [file as usize, 0, 0, 0, 0, 0]) };
}

/// Waits for the end of a child.
pub(crate) fn wait_for(child: i32) {
    const SYS_WAIT4: usize = 61;
    // SAFETY: nothing is written.
    unsafe { call(SYS_WAIT4, [child as usize, 0, 0, 0, 0, 0]) };
}

/// Reads this many bytes, or nothing if they do not come.
pub(crate) fn read_exactly(file: i32, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0_u8; length];
    let mut got = 0;
    while got < length {
        // SAFETY: the kernel writes into the buffer alone.
        let more = unsafe {
            call(SYS_READ, [file as usize, bytes[got..].as_mut_ptr() as usize, length - got, 0, 0, 0])
        };
        if more <= 0 {
            return None;
        }
        got += more as usize;
    }
    Some(bytes)
}
