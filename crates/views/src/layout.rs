//! Where the values of a model are in a view: a byte for each global, each cell of a member, each cell of two members.

use crate::Unsupported;
use crate::context::Context;
use crate::numbers::Numbers;
use ir::{Domain, Formula, Model, OutsiderId, Relation, Sort, SymbolId, Term};

/// The most members of a structure.
pub(crate) const MOST_MEMBERS: usize = 8;

/// Codes of sort `proc`: members come first, then classes: globals that point to the same process outside have the same class.
pub(crate) const FIRST_CLASS: u8 = 16;
/// New classes within a step have codes from here on, until classes are renumbered.
pub(crate) const FIRST_NEW_CLASS: u8 = 96;
/// Outsiders of the model.
pub(crate) const FIRST_OUTSIDER: u8 = 160;
/// A process outside to which no global points.
pub(crate) const OTHER: u8 = 254;
/// A value that is not known: forgotten, hidden, or not chosen yet.
pub(crate) const UNKNOWN: u8 = 255;

const MOST_GLOBAL_POINTERS: usize = 60;
const MOST_OUTSIDERS: usize = 60;
const MOST_CONSTRUCTORS: usize = 200;

/// The meaning of a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A constructor, of a type with this many.
    Enum(u8),
    /// A process or an outsider.
    Pointer,
    /// A value of the abstract type with this number: a code that is the same where values are equal.
    Abstract(u8),
    /// The difference of two numbers, with this many codes.
    Difference(u8),
}

/// A byte of a view.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) kind: Kind,
    /// The code of the kind of process that a pointer holds, if there is one.
    pub(crate) of_kind: Option<u8>,
    /// Whether a pointer may hold an outsider.
    pub(crate) holds_outsiders: bool,
}

impl Slot {
    pub(crate) fn is_abstract(&self) -> bool {
        matches!(self.kind, Kind::Abstract(_))
    }
}

/// Where a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Global(usize),
    Cell(usize),
    Block(usize),
    /// A number of which only differences are kept: a global, or an array.
    Number(usize),
    NumberCell(usize),
}

/// The bytes of a view.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) globals: Vec<Slot>,
    pub(crate) cells: Vec<Slot>,
    pub(crate) blocks: Vec<Slot>,
    /// The place of each symbol.
    pub(crate) places: Vec<Place>,
    /// The block that is 1 if the first member comes before the second in the order of processes.
    pub(crate) order: Option<usize>,
    /// The cell with the kind of a process.
    pub(crate) kind_cell: Option<usize>,
    pub(crate) outsiders: usize,
    pub(crate) pointer_globals: Vec<usize>,
    pub(crate) pointer_cells: Vec<usize>,
    pub(crate) has_abstract: bool,
    /// How numbers differ.
    pub(crate) numbers: Option<Numbers>,
    /// The bit about the processes outside.
    pub(crate) context: Option<Context>,
}

/// The code of an outsider.
pub(crate) fn outsider(id: OutsiderId) -> u8 {
    FIRST_OUTSIDER + u8::try_from(id.index()).expect("few outsiders, checked by the layout")
}

impl Layout {
    pub(crate) fn new(model: &Model) -> Result<Layout, Unsupported> {
        if model.named_processes > 0 {
            return Err(Unsupported::new("named processes", None));
        }
        if model.outsiders.len() > MOST_OUTSIDERS {
            return Err(Unsupported::new("that many outsiders", None));
        }
        let mut layout = Layout {
            globals: vec![],
            cells: vec![],
            blocks: vec![],
            places: vec![],
            order: None,
            kind_cell: None,
            outsiders: model.outsiders.len(),
            pointer_globals: vec![],
            pointer_cells: vec![],
            has_abstract: false,
            numbers: None,
            context: None,
        };
        let (mut numbers, mut number_cells) = (0, 0);
        for (at, symbol) in model.symbols.iter().enumerate() {
            if symbol.sort == Sort::Int && symbol.arity < 2 {
                let (count, place): (_, fn(usize) -> Place) = match symbol.arity {
                    0 => (&mut numbers, Place::Number),
                    _ => (&mut number_cells, Place::NumberCell),
                };
                layout.places.push(place(*count));
                *count += 1;
                continue;
            }
            let slot = slot(model, SymbolId::from_index(at))?;
            layout.has_abstract |= slot.is_abstract();
            let simple = matches!(slot.kind, Kind::Enum(_));
            let place = match symbol.arity {
                0 => push(&mut layout.globals, slot, Place::Global),
                1 => push(&mut layout.cells, slot, Place::Cell),
                2 if simple => push(&mut layout.blocks, slot, Place::Block),
                2 => return Err(Unsupported::new("a matrix of such a type", Some(symbol.at))),
                _ => return Err(Unsupported::new("an array with more than two indices", Some(symbol.at))),
            };
            layout.places.push(place);
        }
        layout.kind_cell =
            model.kinds.as_ref().and_then(|kinds| match layout.places[kinds.of_process.index()] {
                Place::Cell(cell) => Some(cell),
                _ => None,
            });
        if compares_order(model) {
            layout.order = Some(layout.blocks.len());
            let kind = Kind::Enum(2);
            layout.blocks.push(Slot { kind, of_kind: None, holds_outsiders: false });
        }
        Numbers::add_to(model, &mut layout)?;
        let pointers = |slots: &[Slot]| {
            slots
                .iter()
                .enumerate()
                .filter(|(_, slot)| slot.kind == Kind::Pointer)
                .map(|(at, _)| at)
                .collect()
        };
        layout.pointer_globals = pointers(&layout.globals);
        layout.pointer_cells = pointers(&layout.cells);
        if layout.pointer_globals.len() > MOST_GLOBAL_POINTERS {
            return Err(Unsupported::new("that many variables of sort `proc`", None));
        }
        Ok(layout)
    }

    /// Whether two members are related by more than their own cells.
    pub(crate) fn has_relations(&self) -> bool {
        !self.pointer_cells.is_empty()
            || !self.blocks.is_empty()
            || self.has_abstract_cells()
            || self.context.is_some()
    }

    pub(crate) fn has_abstract_cells(&self) -> bool {
        self.cells.iter().any(Slot::is_abstract)
    }

    pub(crate) fn cell(&self, member: usize, cell: usize) -> usize {
        self.globals.len() + member * self.cells.len() + cell
    }

    pub(crate) fn block(&self, first: usize, second: usize, block: usize) -> usize {
        let before = self.globals.len() + MOST_MEMBERS * self.cells.len();
        before + (first * MOST_MEMBERS + second) * self.blocks.len() + block
    }

    /// The bytes of a structure with room for all members.
    pub(crate) fn room(&self) -> usize {
        self.block(MOST_MEMBERS, 0, 0)
    }

    /// The bytes of a packed view with this many members.
    pub(crate) fn packed(&self, members: usize) -> usize {
        self.globals.len() + members * self.cells.len() + members * members * self.blocks.len()
    }
}

fn push(slots: &mut Vec<Slot>, slot: Slot, place: impl Fn(usize) -> Place) -> Place {
    slots.push(slot);
    place(slots.len() - 1)
}

fn slot(model: &Model, id: SymbolId) -> Result<Slot, Unsupported> {
    let symbol = model.symbol(id);
    let unsupported = |what: &str| Err(Unsupported::new(what, Some(symbol.at)));
    let kind = match symbol.sort {
        Sort::Int => return unsupported("a matrix of numbers"),
        Sort::Real => return unsupported("real numbers"),
        Sort::Proc => Kind::Pointer,
        Sort::Abstract(of) => Kind::Abstract(u8::try_from(of.index()).unwrap_or(u8::MAX)),
        Sort::Enum(of) => match model.enums[of.index()].constructors.len() {
            count @ ..=MOST_CONSTRUCTORS => Kind::Enum(u8::try_from(count).unwrap_or(u8::MAX)),
            _ => return unsupported("a type with more than 200 values"),
        },
    };
    let of_kind = match symbol.domain {
        Domain::Kind(kind) => u8::try_from(kind.index()).ok(),
        Domain::Full | Domain::Range(..) => None,
    };
    Ok(Slot { kind, of_kind, holds_outsiders: symbol.holds_outsiders })
}

/// Whether any formula compares processes by their order.
fn compares_order(model: &Model) -> bool {
    let mut formulas: Vec<&Formula> = Vec::new();
    formulas.extend(model.init.iter().map(|init| &init.formula));
    formulas.extend(model.assumptions.iter().chain(&model.properties).map(|property| &property.formula));
    for transition in &model.transitions {
        formulas.push(&transition.guard);
        formulas.extend(transition.updates.iter().flat_map(|update| &update.arms).map(|arm| &arm.condition));
    }
    formulas.into_iter().any(|formula| has_order(model, formula))
}

fn has_order(model: &Model, formula: &Formula) -> bool {
    match formula {
        Formula::True | Formula::False | Formula::Fence => false,
        Formula::Compare(relation, left, _) => {
            matches!(relation, Relation::Lt | Relation::Le) && is_process(model, left)
        }
        Formula::Not(inner) | Formula::Quantified { body: inner, .. } => has_order(model, inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| has_order(model, part)),
        Formula::Iff(left, right) => has_order(model, left) || has_order(model, right),
        Formula::If(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().any(|part| has_order(model, part))
        }
    }
}

pub(crate) fn is_process(model: &Model, term: &Term) -> bool {
    match term {
        Term::Var(_) | Term::Process(_) | Term::Outsider(_) => true,
        Term::Read { symbol, .. } => model.symbol(*symbol).sort == Sort::Proc,
        _ => false,
    }
}
