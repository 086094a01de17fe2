//! The steps of a run in words: `lock(&queue.lock) at queue.c:42`.

use crate::{answers::StepTold, symbols::Symbols};
use std::collections::HashMap;

/// Names threads: the first one is `main`.
pub(crate) fn actor(thread: usize) -> String {
    if thread == 0 { "main".to_owned() } else { format!("T{thread}") }
}

/// Writes addresses and steps.
pub(crate) struct Writer<'s, 'd> {
    symbols: &'s Symbols<'d>,
    /// Addresses without a name, by the order in which they were met.
    unnamed: HashMap<u64, usize>,
}

/// Where the runtime puts what programs allocate.
const HEAP: std::ops::Range<u64> = 0x1000_0000_0000..STACKS;
/// Where the runtime puts the stacks of threads, how far they are apart, and how many there may be.
const STACKS: u64 = 0x2000_0000_0000;
const STACK_DISTANCE: u64 = 1 << 24;
const MOST_THREADS: u64 = 256;

impl<'s, 'd> Writer<'s, 'd> {
    pub(crate) fn new(symbols: &'s Symbols<'d>) -> Writer<'s, 'd> {
        Writer { symbols, unnamed: HashMap::new() }
    }

    /// What is at an address: the name of a global variable, or where else it is.
    pub(crate) fn memory(&mut self, address: u64) -> String {
        if let Some(name) = self.symbols.variable(address) {
            return name;
        }
        if (STACKS..STACKS + MOST_THREADS * STACK_DISTANCE).contains(&address) {
            let thread = usize::try_from((address - STACKS) / STACK_DISTANCE).unwrap_or(0);
            return format!("a local of {}", actor(thread));
        }
        let next = self.unnamed.len() + 1;
        let where_from = if HEAP.contains(&address) { "heap" } else { "memory" };
        format!("{where_from}#{}", self.unnamed.entry(address).or_insert(next))
    }

    /// A step, with its line.
    pub(crate) fn step(&mut self, step: &StepTold) -> String {
        let what = self.operation(step);
        match self.symbols.call(step.pc) {
            Some(place) => format!("{what} at {place}"),
            None => what,
        }
    }

    fn operation(&mut self, step: &StepTold) -> String {
        let name = step.kind.split([' ', '{']).next().unwrap_or_default();
        let call = |function: &str, object: &str| format!("{function}(&{object})");
        let object = match name {
            "Join" | "Choose" | "Yield" | "End" => String::new(),
            _ => self.memory(step.object),
        };
        match name {
            "Lock" => call("lock", &object),
            "TryLock" => call("trylock", &object),
            "Unlock" | "RwUnlock" => call("unlock", &object),
            "Wait" => call("wait", &object),
            "Sleep" if step.kind.contains("true") => format!("time out on {object}"),
            "Sleep" => format!("wake up on {object}"),
            "Signal" => call("signal", &object),
            "Broadcast" => call("broadcast", &object),
            "Join" => format!("join({})", actor(usize::try_from(step.object).unwrap_or(0))),
            "Down" => call("sem_wait", &object),
            "TryDown" => call("sem_trywait", &object),
            "Up" => call("sem_post", &object),
            "ReadLock" => call("rdlock", &object),
            "TryReadLock" => call("tryrdlock", &object),
            "WriteLock" => call("wrlock", &object),
            "TryWriteLock" => call("trywrlock", &object),
            "Arrive" => call("arrive", &object),
            "Leave" => call("leave", &object),
            "Once" => call("once", &object),
            "OnceDone" => call("once done", &object),
            "AtomicRead" => format!("atomic read of {object}"),
            "AtomicWrite" => format!("atomic write of {object}"),
            "Read" => format!("read {object}"),
            "Write" => format!("write {object}"),
            "Choose" => "choose".to_owned(),
            "Yield" => "yield".to_owned(),
            "End" => "exit".to_owned(),
            other => format!("{other} {object}"),
        }
    }
}
