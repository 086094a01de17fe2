//! The calls that led somewhere, by frame pointers: programs are built with them.

use crate::runtime::ENTRY;
use crate::stack;

/// The most calls that are followed.
const MOST: usize = 64;

/// The calls of the current thread, innermost first, as return addresses.
pub(crate) fn calls(thread: usize) -> Vec<usize> {
    // SAFETY: the current thread has just entered the runtime, and frames are followed on its own stack only.
    unsafe {
        let entry = ENTRY;
        let mut calls = vec![entry.pc];
        let mut frame = entry.registers[0];
        let own = entry.sp..stack::top(thread) - 16;
        while own.contains(&frame) && frame.is_multiple_of(8) && calls.len() < MOST {
            let [next, call] = *(frame as *const [usize; 2]);
            if call == 0 || next <= frame {
                break;
            }
            calls.push(call);
            frame = next;
        }
        calls
    }
}
