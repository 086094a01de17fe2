//! The program of a litmus test: threads of instructions over registers and shared locations.

use crate::{Alu, Condition, Place, Register, Width};

/// A litmus test: a small program, and a question about how it may end.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its name, from the first line.
    pub name: String,
    /// The quoted text after the first line, if there is one.
    pub doc: Option<String>,
    /// The lines `Key=Value` after it, which mean nothing to the machine.
    pub info: Vec<(String, String)>,
    /// What runs.
    pub program: Program,
    /// What is asked about the final states.
    pub condition: Condition,
    /// What final states show: the registers and locations of the condition and of `locations`, in order.
    pub observed: Vec<Place>,
}

impl Test {
    /// The value of a line `Key=Value` at the top of the file.
    pub fn info(&self, key: &str) -> Option<&str> {
        self.info.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// The name of a register or location as outcomes show it: `0:EAX`, `[x]`.
    pub fn place_name(&self, place: Place) -> String {
        match place {
            Place::Register(thread, register) => {
                let name = self.program.threads[thread].registers[register].0.name(self.program.width);
                format!("{thread}:{name}")
            }
            Place::Location(location) => format!("[{}]", self.program.locations[location].name),
        }
    }
}

/// Threads over shared locations.
#[derive(Clone, Debug)]
pub struct Program {
    /// The width of all registers and locations.
    pub width: Width,
    /// The shared locations. Instructions name them by position.
    pub locations: Vec<Location>,
    /// The threads, `P0` first.
    pub threads: Vec<Thread>,
}

/// A location in memory that all threads read and write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Its name.
    pub name: String,
    /// Its initial value.
    pub initial: i64,
}

/// The registers and the code of one thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// The registers that occur, with their initial values. Instructions name them by position.
    pub registers: Vec<(Register, i64)>,
    /// The instructions in order. Jumps name them by position; one past the last is the end.
    pub instructions: Vec<Instruction>,
}

impl Program {
    /// Whether some jump goes backwards.
    pub fn has_loops(&self) -> bool {
        let back =
            |(at, instruction): (usize, &Instruction)| matches!(instruction.op, Op::Jump(_, to) if to <= at);
        self.threads.iter().any(|thread| thread.instructions.iter().enumerate().any(back))
    }
}

/// An instruction as it is written and as the machine executes it.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// As the user wrote it.
    pub text: String,
    /// What it does.
    pub op: Op,
}

/// A register or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The register of this number in its thread.
    Register(usize),
    /// An immediate operand.
    Number(i64),
}

/// The condition of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// `JMP`
    Always,
    /// `JE`, `JZ`
    IfZero,
    /// `JNE`, `JNZ`
    IfNotZero,
}

/// What an instruction does. Each is one step, apart from [`Op::Update`] without `LOCK`, which is two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `LFENCE`, `SFENCE`, `NOP`: nothing that memory of the ordinary kind would show. Loads are never reordered with
    /// loads under TSO, nor stores with stores.
    Skip,
    /// `MFENCE`: waits until the store buffer is empty.
    Fence,
    /// Computes from registers and numbers alone; `CMP` and `TEST` keep nothing but the flag.
    Compute {
        /// The operation.
        alu: Alu,
        /// Its first value.
        first: Value,
        /// Its second value.
        second: Value,
        /// The register that gets the result.
        to: Option<usize>,
    },
    /// Loads a location, and computes from a register or number and what was loaded, in this order.
    Load {
        /// The location.
        from: usize,
        /// The operation.
        alu: Alu,
        /// Its first value; its second is what was loaded.
        first: Value,
        /// The register that gets the result.
        to: Option<usize>,
    },
    /// Stores into the buffer.
    Store {
        /// The location.
        to: usize,
        /// What is stored.
        value: Value,
    },
    /// Loads a location, and stores into it. Locked: at once, with an empty buffer before and after. Not locked: a
    /// load, then a store, and anything may happen between.
    Update {
        /// The location.
        at: usize,
        /// What is stored, and what happens to registers.
        effect: Effect,
        /// With `LOCK`, or `XCHG`, which needs no prefix.
        locked: bool,
    },
    /// Continues at another instruction.
    Jump(Jump, usize),
}

/// What a read-modify-write does with the value that it has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Stores the result for it and a second value.
    Compute(Alu, Value),
    /// `XCHG`: stores the register, which gets the old value.
    Exchange(usize),
    /// `XADD`: stores the sum with the register, which gets the old value.
    ExchangeAdd(usize),
    /// `CMPXCHG`: if the accumulator equals the old value, stores the other register; else the accumulator gets the
    /// old value, which is stored again. The manual says that the location is written either way.
    CompareExchange {
        /// The accumulator.
        accumulator: usize,
        /// The register to store.
        new: usize,
    },
}
