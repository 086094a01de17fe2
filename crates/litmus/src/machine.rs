//! The machine: threads with store buffers over a memory, steered one step at a time.
//!
//! The abstract machine of x86-TSO (Owens, Sarkar, Sewell: *A better x86 memory model: x86-TSO*, TPHOLs 2009), with
//! buffers that are never full. A locked instruction takes effect at once, so the lock of that machine is not needed.

use crate::{Alu, Effect, Jump, Op, Place, Program, Test, Value};
use explore::{
    Buffered, Entry, Fault, Label, Steered, Stored, Subject, System, Valuation, Value as Shown, Variable,
};
use serde::Serialize;

/// When a store becomes visible to other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Memory {
    /// Sequential consistency: a store is in memory at once.
    Sc,
    /// A store waits in a first-in-first-out buffer of its thread.
    Tso,
}

/// A step of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The next instruction of a thread, or its second half.
    Step(usize),
    /// The oldest store of a thread leaves its buffer.
    Flush(usize),
}

/// The state of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ThreadState {
    next: usize,
    /// What an instruction that is not locked has read and is about to write.
    read: Option<i64>,
    registers: Vec<i64>,
    zero: bool,
    /// Stores that are not in memory yet: locations and values, the oldest first.
    buffer: Vec<(usize, i64)>,
}

/// A state of the machine, which identifies itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    memory: Vec<i64>,
    threads: Vec<ThreadState>,
}

/// The program of a test in execution: memory, registers and store buffers.
#[derive(Debug)]
pub struct Machine<'t> {
    test: &'t Test,
    model: Memory,
    state: State,
}

impl<'t> Machine<'t> {
    /// A machine in its initial state.
    pub fn new(test: &'t Test, model: Memory) -> Machine<'t> {
        let state = initial(&test.program);
        Machine { test, model, state }
    }

    /// The value of a register, or of a location in memory.
    pub fn value(&self, place: Place) -> i64 {
        match place {
            Place::Register(thread, register) => self.state.threads[thread].registers[register],
            Place::Location(location) => self.state.memory[location],
        }
    }

    fn next_op(&self, thread: usize) -> Option<Op> {
        let next = self.state.threads[thread].next;
        self.test.program.threads[thread].instructions.get(next).map(|instruction| instruction.op)
    }

    /// Whether the next step of a thread waits for its buffer to be empty.
    fn waits(&self, thread: usize) -> bool {
        let serialises = matches!(self.next_op(thread), Some(Op::Fence | Op::Update { locked: true, .. }));
        serialises && self.has_stores(thread)
    }

    fn has_stores(&self, thread: usize) -> bool {
        !self.state.threads[thread].buffer.is_empty()
    }

    fn operand(&self, thread: usize, value: Value) -> i64 {
        match value {
            Value::Register(register) => self.state.threads[thread].registers[register],
            Value::Number(number) => self.test.program.width.wrap(number),
        }
    }

    /// What a thread reads: its youngest store that has not left the buffer, else memory.
    fn load(&self, thread: usize, location: usize) -> i64 {
        let buffered = self.state.threads[thread].buffer.iter().rev().find(|(to, _)| *to == location);
        buffered.map_or(self.state.memory[location], |(_, value)| *value)
    }

    fn store(&mut self, thread: usize, location: usize, value: i64) {
        match self.model {
            Memory::Sc => self.state.memory[location] = value,
            Memory::Tso => self.state.threads[thread].buffer.push((location, value)),
        }
    }

    fn step(&mut self, thread: usize, op: Op) {
        let mut next = self.state.threads[thread].next + 1;
        match op {
            Op::Skip | Op::Fence => {}
            Op::Compute { alu, first, second, to } => {
                let (first, second) = (self.operand(thread, first), self.operand(thread, second));
                self.finish(thread, alu, first, second, to);
            }
            Op::Load { from, alu, first, to } => {
                let (first, second) = (self.operand(thread, first), self.load(thread, from));
                self.finish(thread, alu, first, second, to);
            }
            Op::Store { to, value } => {
                let value = self.operand(thread, value);
                self.store(thread, to, value);
            }
            Op::Update { at, effect, locked: true } => {
                // Its buffer is empty.
                let new = self.updated(thread, effect, self.state.memory[at]);
                self.state.memory[at] = new;
            }
            Op::Update { at, effect, locked: false } => match self.state.threads[thread].read.take() {
                None => {
                    self.state.threads[thread].read = Some(self.load(thread, at));
                    next -= 1;
                }
                Some(old) => {
                    let new = self.updated(thread, effect, old);
                    self.store(thread, at, new);
                }
            },
            Op::Jump(jump, to) => next = if self.jumps(thread, jump) { to } else { next },
        }
        self.state.threads[thread].next = next;
    }

    fn jumps(&self, thread: usize, jump: Jump) -> bool {
        match jump {
            Jump::Always => true,
            Jump::IfZero => self.state.threads[thread].zero,
            Jump::IfNotZero => !self.state.threads[thread].zero,
        }
    }

    /// Computes a result, sets the flag, and keeps the result in a register.
    fn finish(&mut self, thread: usize, alu: Alu, first: i64, second: i64, to: Option<usize>) {
        let result = alu.apply(self.test.program.width, first, second);
        let state = &mut self.state.threads[thread];
        if alu.sets_flags() {
            state.zero = result == 0;
        }
        to.into_iter().for_each(|register| state.registers[register] = result);
    }

    /// What a read-modify-write writes for the value that it has read. Changes registers and the flag.
    fn updated(&mut self, thread: usize, effect: Effect, old: i64) -> i64 {
        let width = self.test.program.width;
        match effect {
            Effect::Compute(alu, second) => {
                let second = self.operand(thread, second);
                self.finish(thread, alu, old, second, None);
                alu.apply(width, old, second)
            }
            Effect::Exchange(register) => {
                std::mem::replace(&mut self.state.threads[thread].registers[register], old)
            }
            Effect::ExchangeAdd(register) => {
                let added = self.operand(thread, Value::Register(register));
                self.finish(thread, Alu::Add, old, added, None);
                self.state.threads[thread].registers[register] = old;
                Alu::Add.apply(width, old, added)
            }
            Effect::CompareExchange { accumulator, new } => {
                let expected = self.operand(thread, Value::Register(accumulator));
                self.finish(thread, Alu::Sub, expected, old, None);
                if expected == old {
                    return self.operand(thread, Value::Register(new));
                }
                self.state.threads[thread].registers[accumulator] = old;
                old
            }
        }
    }

    fn flush(&mut self, thread: usize) {
        let (location, value) = self.state.threads[thread].buffer.remove(0);
        self.state.memory[location] = value;
    }

    /// What the buffer of a thread holds.
    fn buffer(&self, thread: usize) -> Entry {
        let buffered = |(to, value): &(usize, i64)| {
            let variable = Variable::cell(self.test.program.locations[*to].name.clone(), &[]);
            let stores = vec![Stored { variable, value: Shown::Integer(*value) }];
            Buffered { stores, copies: Some(1) }
        };
        let entries = self.state.threads[thread].buffer.iter().map(buffered).collect();
        Entry { subject: Subject::Buffer(thread), value: Shown::Buffer(entries) }
    }
}

fn initial(program: &Program) -> State {
    let thread = |thread: &crate::Thread| ThreadState {
        next: 0,
        read: None,
        registers: thread.registers.iter().map(|(_, value)| *value).collect(),
        zero: false,
        buffer: vec![],
    };
    let memory = program.locations.iter().map(|location| location.initial).collect();
    State { memory, threads: program.threads.iter().map(thread).collect() }
}

impl Steered for Machine<'_> {
    type Action = Action;
    type Identity = State;

    fn initials(&mut self) -> Result<usize, Fault> {
        Ok(1)
    }

    fn start(&mut self, _initial: usize) -> Result<(), Fault> {
        self.state = initial(&self.test.program);
        Ok(())
    }

    fn enabled(&self, actions: &mut Vec<Action>) {
        for thread in 0..self.state.threads.len() {
            if self.next_op(thread).is_some() && !self.waits(thread) {
                actions.push(Action::Step(thread));
            }
            if self.has_stores(thread) {
                actions.push(Action::Flush(thread));
            }
        }
    }

    fn take(&mut self, action: &Action) -> Result<(), Fault> {
        let (Action::Step(thread) | Action::Flush(thread)) = *action;
        match (action, self.next_op(thread)) {
            (Action::Step(_), Some(op)) if !self.waits(thread) => self.step(thread, op),
            (Action::Flush(_), _) if self.has_stores(thread) => self.flush(thread),
            _ => return Err(Fault::Broken(format!("{action:?} is not possible here"))),
        }
        Ok(())
    }

    fn identity(&self) -> State {
        self.state.clone()
    }

    fn ended(&self) -> bool {
        (0..self.state.threads.len()).all(|thread| self.next_op(thread).is_none() && !self.has_stores(thread))
    }

    fn process(&self, action: &Action) -> Option<usize> {
        let (Action::Step(thread) | Action::Flush(thread)) = action;
        Some(*thread)
    }

    fn actors(&self) -> Vec<String> {
        (0..self.state.threads.len()).map(|thread| format!("P{thread}")).collect()
    }

    fn heap_bytes(&self) -> usize {
        let thread = |thread: &ThreadState| {
            size_of::<ThreadState>() + 8 * thread.registers.capacity() + 16 * thread.buffer.capacity()
        };
        8 * self.state.memory.capacity() + self.state.threads.iter().map(thread).sum::<usize>()
    }

    fn label(&self, action: &Action) -> Label {
        let text = match *action {
            Action::Step(thread) => {
                let state = &self.state.threads[thread];
                let instructions = &self.test.program.threads[thread].instructions;
                let text = instructions.get(state.next).map_or("", |instruction| instruction.text.as_str());
                let half = if state.read.is_some() { " (writes)" } else { "" };
                format!("P{thread}: {text}{half}")
            }
            Action::Flush(thread) => {
                let oldest = self.state.threads[thread].buffer.first();
                let text =
                    oldest.map(|(to, value)| format!("{}={value}", self.test.program.locations[*to].name));
                format!("P{thread}: flush {}", text.unwrap_or_default())
            }
        };
        text.into()
    }

    fn describe(&self) -> Valuation {
        let mut described = Vec::new();
        for (location, value) in self.test.program.locations.iter().zip(&self.state.memory) {
            described.push(Entry::variable(location.name.clone(), Shown::Integer(*value)));
        }
        for thread in 0..self.state.threads.len() {
            for register in 0..self.state.threads[thread].registers.len() {
                let place = Place::Register(thread, register);
                described
                    .push(Entry::variable(self.test.place_name(place), Shown::Integer(self.value(place))));
            }
            if self.model == Memory::Tso {
                described.push(self.buffer(thread));
            }
        }
        described
    }
}

impl System for Machine<'_> {
    type Checkpoint = State;

    fn checkpoint(&mut self) -> State {
        self.state.clone()
    }

    fn restore(&mut self, checkpoint: &State) -> Result<(), Fault> {
        self.state.clone_from(checkpoint);
        Ok(())
    }
}
