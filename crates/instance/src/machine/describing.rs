//! States and actions as people read them, in the words of the model.

use super::{Action, Instance, Machine};
use explore::{Call, Entry, Subject, Valuation, Value, Variable};
use ir::{Origin, Sort, SymbolId};

impl Instance<'_> {
    /// A value of a sort, as [`columns`](Machine::columns) has it.
    pub(super) fn value(&self, number: i64, sort: Sort) -> Value {
        let at = usize::try_from(number).unwrap_or(usize::MAX);
        match sort {
            Sort::Enum(of) => Value::Word(self.model.enums[of.index()].constructors[at].clone()),
            Sort::Proc if at < self.layout.processes => Value::Process(at),
            Sort::Proc => Value::Word(self.model.outsiders[at - self.layout.processes].name.clone()),
            Sort::Abstract(of) => {
                Value::Word(format!("{}{}", self.model.abstract_types[of.index()].name, at + 1))
            }
            Sort::Int | Sort::Real => self.scale.value(number, sort),
        }
    }

    /// What a slot is about.
    fn subject(&self, slot: usize) -> Subject {
        let id = self.layout.symbol_of[slot];
        let symbol = self.model.symbol(id);
        let processes = self.layout.indices(self.model, slot);
        match (symbol.origin, &processes[..]) {
            (Origin::Owner, _) => Subject::Owner(Variable::cell(self.lock_of(id), &processes)),
            (Origin::Depth, _) => Subject::Depth(Variable::cell(self.lock_of(id), &processes)),
            (Origin::Blocked, [process]) => Subject::Blocked(*process),
            (Origin::BlockedAt, [process]) => Subject::BlockedAt(*process),
            _ => Subject::Variable(Variable::cell(symbol.name.clone(), &processes)),
        }
    }

    /// The name of the lock that a symbol is a part of.
    fn lock_of(&self, symbol: SymbolId) -> &str {
        let mut locks = self.model.threads.iter().flat_map(|threads| &threads.locks);
        let lock = locks.find(|lock| lock.state == symbol || lock.depth == Some(symbol));
        lock.map_or(self.model.symbol(symbol).name.as_str(), |lock| lock.name.as_str())
    }

    /// What a process waits for, by the code of its cell.
    fn blocked(&self, code: u64) -> Value {
        let reason = || {
            let threads = self.model.threads.as_ref()?;
            let reason = threads.reasons.get(usize::try_from(code).ok()?.checked_sub(1)?)?;
            Some((threads.locks[reason.lock].name.clone(), reason.asleep))
        };
        match reason() {
            None => Value::Active,
            Some((lock, false)) => Value::Waiting(lock),
            Some((condition, true)) => Value::Sleeping(condition),
        }
    }

    /// The owner of a lock, or the lock of an array that a process waits for.
    fn owner(&self, code: u64) -> Value {
        let outsider = usize::try_from(code).ok().and_then(|code| code.checked_sub(self.layout.processes));
        let nobody = self.model.threads.as_ref().map(|threads| threads.nobody.index());
        if outsider.is_some() && outsider == nobody {
            Value::Nobody
        } else {
            self.value(code.cast_signed(), Sort::Proc)
        }
    }
}

impl<const W: usize> Machine<'_, '_, W> {
    /// The value of a variable or cell.
    pub fn value_at(&self, slot: usize) -> Value {
        let instance = self.instance();
        let (place, symbol) =
            (&instance.layout.slots[slot], instance.model.symbol(instance.layout.symbol_of[slot]));
        let code = place.code(self.state());
        match (symbol.origin, symbol.sort) {
            (Origin::Blocked, _) => instance.blocked(code),
            (Origin::Owner | Origin::BlockedAt, _) => instance.owner(code),
            (_, Sort::Int | Sort::Real) if place.unset && code == 0 => Value::Unset,
            (_, sort @ (Sort::Int | Sort::Real)) => instance.value(code.cast_signed() + place.low, sort),
            (_, sort) => instance.value(code.cast_signed(), sort),
        }
    }

    /// A variable or cell with its value.
    pub fn entry_at(&self, slot: usize) -> Entry {
        Entry { subject: self.instance().subject(slot), value: self.value_at(slot) }
    }

    /// Everything there is to see: not who came before whom, but places in queues; not the parts of store buffers, but
    /// what is in them.
    pub(super) fn entries(&self) -> Valuation {
        let instance = self.instance();
        let (model, layout) = (instance.model, &instance.layout);
        let shown = |slot: &usize| {
            let origin = model.symbol(layout.symbol_of[*slot]).origin;
            !matches!(origin, Origin::Before | Origin::Buffer)
        };
        let mut entries: Valuation =
            (0..layout.slots.len()).filter(shown).map(|slot| self.entry_at(slot)).collect();
        if model.threads.as_ref().is_some_and(|threads| threads.before.is_some()) {
            entries.extend((0..layout.processes).map(|process| self.queue_place(process)));
        }
        let buffers = (0..layout.processes).filter_map(|process| {
            let value = Value::Buffer(self.store_buffer(process)?);
            Some(Entry { subject: Subject::Buffer(process), value })
        });
        entries.extend(buffers);
        entries
    }

    /// The place of a process in its queue.
    fn queue_place(&self, process: usize) -> Entry {
        let place = self.waiting(process).and_then(|waiting| i64::try_from(waiting.ahead? + 1).ok());
        Entry { subject: Subject::Place(process), value: place.map_or(Value::Nowhere, Value::Integer) }
    }

    /// What an action does and who takes part, with nothing left open.
    pub fn call(&self, action: &Action) -> Call {
        let (transition, processes) = self.step_of(action);
        let model = self.instance().model;
        let rule = &model.rules[model.transitions[transition].rule.index()];
        let params = rule.params.len().min(processes.len());
        Call {
            name: rule.name.clone(),
            processes: processes[..params].to_vec(),
            woken: processes.get(params).copied(),
            choice: Some(action.choice()),
            variant: Some(self.variant_of(action)),
        }
    }
}
