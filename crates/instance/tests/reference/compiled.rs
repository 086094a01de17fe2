//! Translates states of the compiled engine into states of this interpreter.

use super::{
    instance::Instance,
    number::Ratio,
    state::{State, Value},
    tree::Type,
};
use instance::Machine;
use ir::{Model, Origin, Symbol};

/// Translates the states of one instance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Translator<'t> {
    pub(crate) model: &'t Model,
    pub(crate) instance: &'t Instance<'t>,
}

impl Translator<'_> {
    /// The current state of a machine.
    pub(crate) fn state<const W: usize>(&self, machine: &Machine<'_, '_, W>) -> State {
        let mut state = State {
            kinds: vec![],
            cells: vec![Value::Unset; self.instance.cells],
            locks: vec![super::state::Queues::default(); self.instance.locks],
            buffers: vec![vec![]; self.instance.processes],
        };
        let mut values = Vec::new();
        machine.read_all(&mut values);
        let places = machine.places();
        let read = |origin: Origin, wanted: &[usize]| {
            let found = places.iter().position(|(symbol, indices)| {
                self.model.symbol(*symbol).origin == origin && indices == wanted
            });
            found.map(|at| code(values[at]))
        };
        for ((symbol, indices), value) in places.iter().zip(&values) {
            let scale = Ratio::whole(machine.real_scale());
            self.place(&mut state, self.model.symbol(*symbol), indices, *value, scale);
        }
        self.queues(&mut state, &read);
        self.instance.canonical(&mut state);
        state
    }

    fn place(&self, state: &mut State, symbol: &Symbol, indices: &[usize], value: Option<i64>, scale: Ratio) {
        match symbol.origin {
            Origin::Declared => {
                let at = self.number(&symbol.name);
                state.cells[self.instance.cell(at, indices)] = self.value(at, value, scale);
            }
            Origin::Owner => {
                let name = symbol.name.trim_start_matches("owner(").trim_end_matches(')');
                let lock = &mut state.locks[self.instance.lock(self.number(name), indices)];
                lock.owner = Some(code(value)).filter(|owner| *owner < self.instance.processes);
                lock.held = lock.held.max(usize::from(lock.owner.is_some()));
            }
            Origin::Depth => {
                let name = symbol.name.trim_start_matches("depth(").trim_end_matches(')');
                state.locks[self.instance.lock(self.number(name), indices)].held = code(value);
            }
            Origin::Kind => state.kinds.push(code(value)),
            Origin::Blocked | Origin::BlockedAt | Origin::Before => {}
            Origin::Buffer => unreachable!("weak models are not compared here"),
        }
    }

    fn number(&self, name: &str) -> usize {
        let symbols = &self.instance.program.symbols;
        symbols.iter().position(|symbol| symbol.name == name).unwrap_or_else(|| panic!("no symbol {name}"))
    }

    fn value(&self, symbol: usize, value: Option<i64>, scale: Ratio) -> Value {
        let Some(value) = value else { return Value::Unset };
        match self.instance.program.symbols[symbol].of {
            Type::Truth => Value::Truth(value == 1),
            Type::Whole(_) | Type::Lock(_) => Value::Number(Ratio::whole(value)),
            Type::Real => Value::Number(Ratio::whole(value).by(scale).expect("small")),
            Type::Process(_) => match code(Some(value)).checked_sub(self.instance.processes) {
                None => Value::Process(code(Some(value))),
                Some(outsider) => Value::Outsider(self.number(&self.model.outsiders[outsider].name)),
            },
            Type::Enumeration { number, .. } => Value::Constructor(number, code(Some(value))),
            Type::Abstract(_) => Value::Abstract(code(Some(value))),
        }
    }

    /// Fills in the waiting and sleeping processes, in the order of queues if they have one.
    fn queues(&self, state: &mut State, read: &dyn Fn(Origin, &[usize]) -> Option<usize>) {
        let Some(threads) = &self.model.threads else { return };
        let mut suspended = Vec::new();
        for process in 0..self.instance.processes {
            let Some(reason) = read(Origin::Blocked, &[process]).expect("it is stored").checked_sub(1) else {
                continue;
            };
            let ahead = (0..self.instance.processes)
                .filter(|other| read(Origin::Before, &[*other, process]).is_some_and(|before| before == 1));
            suspended.push((ahead.count(), process, threads.reasons[reason]));
        }
        suspended.sort_by_key(|(ahead, process, _)| (*ahead, *process));
        for (_, process, reason) in suspended {
            let lock = &threads.locks[reason.lock];
            let index = lock.array.then(|| read(Origin::BlockedAt, &[process]).expect("it is stored"));
            let indices: Vec<usize> = index.into_iter().collect();
            let queues = &mut state.locks[self.instance.lock(self.number(&lock.name), &indices)];
            let queue = if reason.asleep { &mut queues.sleepers } else { &mut queues.waiters };
            queue.push(process);
        }
    }
}

fn code(value: Option<i64>) -> usize {
    usize::try_from(value.expect("only numbers can be unset")).expect("a code")
}
