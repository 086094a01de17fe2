//! The symbols that represent store buffers.

use super::{
    Capacity, Counting, Write,
    effects::{Argument, Shape},
};
use crate::{
    At, Domain, EnumId, EnumType, Formula, Model, Origin, RuleId, Sort, Symbol, SymbolId, Term, Value, Var,
};

/// How store buffers were lowered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreBuffers {
    /// How many entries are represented, and how.
    pub capacity: Capacity,
    /// The slots of each process, the oldest entry first.
    pub slots: Vec<Slot>,
    /// The meaning of the constructors of [`Slot::write`] but the first, which means that the slot is empty.
    pub writes: Vec<Write>,
    /// For each argument of a slot, a symbol with values of the same kind, if it was made for one.
    pub like: Vec<Option<SymbolId>>,
    /// The symbols that were weak before they were lowered.
    pub weak: Vec<SymbolId>,
    /// The rule whose steps take an entry out of a buffer.
    pub flush: RuleId,
}

/// A slot: arrays with a cell for each process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The symbol that says which of [`StoreBuffers::writes`] it holds, if any.
    pub write: SymbolId,
    /// The arguments of the write; those that it does not have hold a fixed value.
    pub arguments: Vec<SymbolId>,
    /// How many equal entries it holds, if they are counted.
    pub copies: Option<SymbolId>,
}

impl StoreBuffers {
    /// The symbol that the user knows for one that represents a part of a buffer.
    pub fn stands_for(&self, symbol: SymbolId) -> Option<SymbolId> {
        let place = |slot: &Slot| slot.arguments.iter().position(|argument| *argument == symbol);
        self.like[self.slots.iter().find_map(place)?]
    }
}

impl Slot {
    /// The arguments of a write in the buffer of a process.
    pub fn arguments_of(&self, write: &Write, owner: &Term) -> Vec<Term> {
        write.arguments.iter().map(|at| Term::read(self.arguments[*at], vec![owner.clone()])).collect()
    }
}

/// The writes of a model and what slots need to hold them, while they are collected.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    pub(super) writes: Vec<Write>,
    pub(super) shapes: Vec<Shape>,
}

impl Catalogue {
    /// The number of a write with these effects and arguments, which is new unless another transition has it.
    pub(super) fn add(&mut self, effects: Vec<super::Effect>, arguments: &[Argument]) -> usize {
        let arguments = self.places(arguments);
        let write = Write { effects, arguments };
        self.writes.iter().position(|known| *known == write).unwrap_or_else(|| {
            self.writes.push(write);
            self.writes.len() - 1
        })
    }

    /// A place in each slot for each argument.
    fn places(&mut self, arguments: &[Argument]) -> Vec<usize> {
        let mut used: Vec<usize> = Vec::new();
        for Argument { shape, .. } in arguments {
            let free = (0..self.shapes.len()).find(|at| !used.contains(at) && self.shapes[*at].fits(shape));
            let at = free.unwrap_or_else(|| {
                self.shapes.push(shape.clone());
                self.shapes.len() - 1
            });
            self.shapes[at].holds_outsiders |= shape.holds_outsiders;
            used.push(at);
        }
        used
    }
}

/// The arrays of all slots, and how to speak of them.
#[derive(Debug, Clone)]
pub(super) struct Slots {
    pub(super) capacity: Capacity,
    /// The oldest entry first.
    pub(super) all: Vec<Slot>,
    pub(super) writes: Vec<Write>,
    pub(super) shapes: Vec<Shape>,
    /// The enumeration of writes.
    kinds: EnumId,
    /// The enumeration of numbers of copies.
    counts: EnumId,
}

impl Slots {
    /// Adds the arrays to a model.
    pub(super) fn add_to(model: &mut Model, catalogue: Catalogue, capacity: Capacity) -> Slots {
        let Catalogue { writes, shapes } = catalogue;
        let numbered = (1..=writes.len()).map(|number| format!("store {number}"));
        let kinds = add_enum(model, "store", ["none".to_owned()].into_iter().chain(numbered).collect());
        let exact = match capacity.counting {
            Counting::Exact => 0,
            Counting::Many(exact) => exact.max(1),
        };
        let names = (1..=exact).map(|count| count.to_string()).chain(["many".into()]).collect();
        let counts = if exact > 0 { add_enum(model, "copies", names) } else { EnumId(0) };
        let slot = |at: usize| {
            let mut add = |what: &str, shape: &Shape| add_array(model, format!("buffer {at}{what}"), shape);
            let write = add("", &enumeration(kinds));
            let copies = (exact > 0).then(|| add(" copies", &enumeration(counts)));
            let arguments =
                shapes.iter().enumerate().map(|(n, shape)| add(&format!(" argument {}", n + 1), shape));
            Slot { write, arguments: arguments.collect(), copies }
        };
        let slots = (1..=capacity.slots).map(slot).collect();
        Slots { capacity, all: slots, writes, shapes, kinds, counts }
    }

    /// The number of copies from which on they are not counted; 0 if each entry has a slot of its own.
    pub(super) fn most_counted(&self) -> u32 {
        match self.capacity.counting {
            Counting::Exact => 0,
            Counting::Many(exact) => exact.max(1),
        }
    }

    /// What holds a write, by its number.
    pub(super) fn write(&self, write: usize) -> Term {
        Term::Constructor(self.kinds, u32::try_from(write + 1).expect("few writes"))
    }

    /// What an empty slot holds.
    pub(super) fn none(&self) -> Term {
        Term::Constructor(self.kinds, 0)
    }

    /// A number of copies, from 1; one more than [`Self::most_counted`] means many.
    pub(super) fn copies(&self, copies: u32) -> Term {
        Term::Constructor(self.counts, copies - 1)
    }

    /// Which write the slot of a process holds.
    pub(super) fn holds(&self, slot: usize, owner: &Term) -> Term {
        Term::read(self.all[slot].write, vec![owner.clone()])
    }

    /// The slot is empty. Slots beyond the last are.
    pub(super) fn is_empty(&self, slot: usize, owner: &Term) -> Formula {
        if slot == self.all.len() {
            return Formula::True;
        }
        Formula::eq(self.holds(slot, owner), self.none())
    }

    /// What an argument holds that its write does not have; `None` if nothing in particular.
    pub(super) fn fixed_value(&self, argument: usize, owner: Var) -> Option<Term> {
        let shape = &self.shapes[argument];
        match (shape.sort, shape.domain) {
            (Sort::Proc, Domain::Full) => Some(Term::Var(owner)),
            (Sort::Proc | Sort::Abstract(_), _) => None,
            (Sort::Enum(id), _) => Some(Term::Constructor(id, 0)),
            (Sort::Int, Domain::Range(low, _)) => Some(Term::int(low)),
            (Sort::Int | Sort::Real, _) => {
                Some(Term::Linear(crate::Linear::constant(shape.sort, crate::Number::ZERO)))
            }
        }
    }

    /// The same as an assignment.
    pub(super) fn reset(&self, argument: usize, owner: Var) -> Value {
        self.fixed_value(argument, owner).map_or(Value::Keep, Value::Term)
    }

    /// All buffers are empty at the start.
    pub(super) fn initial(&self, owner: Var) -> Formula {
        let process = Term::Var(owner);
        let mut parts = Vec::new();
        for (at, slot) in self.all.iter().enumerate() {
            parts.push(self.is_empty(at, &process));
            parts.extend(slot.copies.map(|copies| Formula::eq(cell(copies, &process), self.copies(1))));
            for (n, argument) in slot.arguments.iter().enumerate() {
                let value = self.fixed_value(n, owner).or_else(|| {
                    // There is no name for a value of this sort: begin with one that the memory holds.
                    let (like, arity) = self.shapes[n].like?;
                    Some(Term::read(like, vec![process.clone(); arity]))
                });
                parts.extend(value.map(|value| Formula::eq(cell(*argument, &process), value)));
            }
        }
        Formula::and(parts)
    }
}

fn cell(array: SymbolId, owner: &Term) -> Term {
    Term::read(array, vec![owner.clone()])
}

fn enumeration(id: EnumId) -> Shape {
    Shape { sort: Sort::Enum(id), domain: Domain::Full, holds_outsiders: false, like: None }
}

fn add_enum(model: &mut Model, name: &str, constructors: Vec<String>) -> EnumId {
    model.enums.push(EnumType { name: name.to_owned(), constructors });
    EnumId::from_index(model.enums.len() - 1)
}

fn add_array(model: &mut Model, name: String, shape: &Shape) -> SymbolId {
    model.symbols.push(Symbol {
        name,
        arity: 1,
        sort: shape.sort,
        domain: shape.domain,
        constant: false,
        weak: false,
        holds_outsiders: shape.holds_outsiders,
        origin: Origin::Buffer,
        at: At::nowhere(),
    });
    SymbolId::from_index(model.symbols.len() - 1)
}
