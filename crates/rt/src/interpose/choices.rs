//! What programs under test may call themselves: see `motet.h`.

use crate::control::Failing;
use crate::op::{Kind, Op};
use crate::runtime::{Runtime, pc, rt};

impl Runtime {
    /// Whether this call of the program's is to fail, where failing calls are tried.
    pub(crate) fn call_fails(&mut self, call: Failing) -> bool {
        self.runs_program()
            && self.options.fail.contains(&call)
            && self.visible(Op { size: 2, ..Op::new(Kind::Choose, 0, pc()) }) == 1
    }
}

entries! {
    /// One of the numbers below `count`: all are tried.
    fn motet_choose(count: u32) -> u32 {
        let runtime = rt();
        if !runtime.runs_program() || count < 2 {
            return 0;
        }
        runtime.note_change();
        u32::from(runtime.visible(Op { size: count, ..Op::new(Kind::Choose, 0, pc()) }))
    }

    /// An access that no compiler has announced.
    fn motet_access(address: usize, size: usize, writes: i32) {
        rt().plain(address, size, writes != 0);
    }

    /// Notes a value, such as a final state: the tester lists all that any run has noted.
    fn motet_observe(value: u64) {
        let runtime = rt();
        if runtime.runs_program() {
            runtime.observed.insert(value);
        }
    }

    /// A point at which other threads may go on.
    fn motet_point() {
        let runtime = rt();
        if runtime.runs_program() {
            runtime.visible(Op::new(Kind::Point, 0, pc()));
        }
    }
}
