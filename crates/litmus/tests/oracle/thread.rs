//! What one thread does, if it is told what its loads read.
//!
//! This interprets instructions anew: nothing of the machine's arithmetic is used.

use litmus::{Alu, Effect, Jump, Op, Program, Value, Width};

/// What an event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Read,
    Write,
    Fence,
}

/// A memory event of a thread, or a fence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) kind: Kind,
    /// Of a fence, nothing.
    pub(crate) location: usize,
    pub(crate) value: i64,
    /// The number of the locked instruction that it belongs to.
    pub(crate) locked: Option<usize>,
}

/// A store that a load may read from: the initial one to a location, or an event of a thread by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Store {
    Initial(usize),
    Event { thread: usize, at: usize },
}

/// A thread that is being run.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    next: usize,
    zero: bool,
    pub(crate) registers: Vec<i64>,
    pub(crate) events: Vec<Event>,
    /// What each load has read from, in order.
    pub(crate) sources: Vec<Store>,
}

impl Running {
    pub(crate) fn new(program: &Program, thread: usize) -> Running {
        let registers = program.threads[thread].registers.iter().map(|(_, initial)| *initial).collect();
        Running { next: 0, zero: false, registers, events: vec![], sources: vec![] }
    }

    /// What tells it apart from other runs of the same thread: everything else follows from that.
    pub(crate) fn key(&self) -> (usize, Vec<Store>) {
        (self.next, self.sources.clone())
    }

    /// The next instruction; `None` at the end.
    pub(crate) fn op(&self, program: &Program, thread: usize) -> Option<Op> {
        program.threads[thread].instructions.get(self.next).map(|instruction| instruction.op)
    }

    /// Takes a step. A load reads the value of the store that is given.
    pub(crate) fn step(&mut self, width: Width, op: Op, source: Option<(Store, i64)>) {
        let at = self.next;
        self.next += 1;
        match op {
            Op::Skip => {}
            Op::Fence => self.event(Kind::Fence, 0, 0, None),
            Op::Compute { alu, first, second, to } => {
                let (first, second) = (self.value(width, first), self.value(width, second));
                self.keep(width, alu, first, second, to);
            }
            Op::Store { to, value } => {
                let value = self.value(width, value);
                self.event(Kind::Write, to, value, None);
            }
            Op::Jump(jump, to) => {
                let taken = match jump {
                    Jump::Always => true,
                    Jump::IfZero => self.zero,
                    Jump::IfNotZero => !self.zero,
                };
                self.next = if taken { to } else { self.next };
            }
            Op::Load { from, alu, first, to } => {
                let loaded = self.read(from, source, None);
                let first = self.value(width, first);
                self.keep(width, alu, first, loaded, to);
            }
            Op::Update { at: location, effect, locked } => {
                let locked = locked.then_some(at);
                let old = self.read(location, source, locked);
                let new = self.update(width, effect, old);
                self.event(Kind::Write, location, new, locked);
            }
        }
    }

    fn read(&mut self, location: usize, source: Option<(Store, i64)>, locked: Option<usize>) -> i64 {
        let (store, value) = source.expect("a load reads from something");
        self.sources.push(store);
        self.event(Kind::Read, location, value, locked);
        value
    }

    fn event(&mut self, kind: Kind, location: usize, value: i64, locked: Option<usize>) {
        self.events.push(Event { kind, location, value, locked });
    }

    fn value(&self, width: Width, value: Value) -> i64 {
        match value {
            Value::Register(register) => self.registers[register],
            Value::Number(number) => cut(width, i128::from(number)),
        }
    }

    fn keep(&mut self, width: Width, alu: Alu, first: i64, second: i64, to: Option<usize>) {
        let result = result(width, alu, first, second);
        if !matches!(alu, Alu::Second | Alu::Not) {
            self.zero = result == 0;
        }
        if let Some(to) = to {
            self.registers[to] = result;
        }
    }

    fn update(&mut self, width: Width, effect: Effect, old: i64) -> i64 {
        match effect {
            Effect::Compute(alu, second) => {
                let second = self.value(width, second);
                self.keep(width, alu, old, second, None);
                result(width, alu, old, second)
            }
            Effect::Exchange(register) => {
                let new = self.registers[register];
                self.registers[register] = old;
                new
            }
            Effect::ExchangeAdd(register) => {
                let sum = cut(width, i128::from(old) + i128::from(self.registers[register]));
                self.registers[register] = old;
                self.zero = sum == 0;
                sum
            }
            Effect::CompareExchange { accumulator, new } => {
                self.zero = self.registers[accumulator] == old;
                if self.zero {
                    return self.registers[new];
                }
                self.registers[accumulator] = old;
                old
            }
        }
    }
}

/// In numbers that are wide enough, cut to the width in the end.
fn result(width: Width, alu: Alu, first: i64, second: i64) -> i64 {
    let (first, second) = (i128::from(first), i128::from(second));
    let result = match alu {
        Alu::Second => second,
        Alu::Add => first + second,
        Alu::Sub => first - second,
        Alu::And => first & second,
        Alu::Or => first | second,
        Alu::Xor => first ^ second,
        Alu::Neg => -first,
        Alu::Not => -first - 1,
    };
    cut(width, result)
}

fn cut(width: Width, value: i128) -> i64 {
    let size = 1_i128 << width.bits();
    let low = value.rem_euclid(size);
    let signed = if low >= size / 2 { low - size } else { low };
    i64::try_from(signed).expect("it was cut")
}
