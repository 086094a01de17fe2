//! Where each variable and cell of an instance is stored in the packed state.
//!
//! A state is a few machine words. Every value is a small code in a field of bits that never crosses a word. The
//! cells of one process are adjacent, so that comparing or exchanging two processes takes a few word operations.

use ir::{Domain, Model, Sort, SymbolId};

/// The bit field of one variable or cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) word: usize,
    pub(super) shift: u32,
    /// The mask of the field, not shifted. 0 for a type with a single value.
    pub(super) mask: u64,
    /// Added to the code to get the value; nonzero only for numbers.
    pub(super) low: i64,
    /// Whether code 0 means that a number has no value yet.
    pub(super) unset: bool,
    /// The largest code.
    pub(super) last: u64,
}

impl Slot {
    /// The code of this slot in a state.
    #[inline]
    pub(super) fn code(&self, state: &[u64]) -> u64 {
        state[self.word] >> self.shift & self.mask
    }

    /// Sets the code of this slot.
    #[inline]
    pub(super) fn set(&self, state: &mut [u64], code: u64) {
        let word = &mut state[self.word];
        *word = *word & !(self.mask << self.shift) | code << self.shift;
    }

    /// The code of a value, if the field can hold it.
    #[inline]
    pub(super) fn encode(&self, value: i64) -> Option<u64> {
        let code = u64::try_from(value.checked_sub(self.low)?).ok()?;
        let taken = u64::from(self.unset);
        (code >= taken && code <= self.last).then_some(code)
    }
}

/// The bit fields of all variables and cells of an instance.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub(super) processes: usize,
    pub(super) slots: Vec<Slot>,
    /// For each symbol the number of its first slot; `None` if it is a constant of the instance.
    first: Vec<Option<usize>>,
    /// For each slot its symbol.
    pub(super) symbol_of: Vec<SymbolId>,
    pub(super) words: usize,
    /// Holds the number of the instance, so that states of different instances differ.
    pub(super) instance: Slot,
    /// The slots of the one-index cells of each process.
    pub(super) columns: Vec<Vec<usize>>,
}

/// A field that is not placed yet.
struct Field {
    bits: u32,
    low: i64,
    unset: bool,
    last: u64,
}

impl Layout {
    /// Lays out one of several instances of a model. Numbers without a range get `number_bits` bits.
    pub(super) fn new(
        model: &Model,
        processes: usize,
        number_bits: u32,
        ranges: &[Option<(i64, i64)>],
        instances: usize,
    ) -> Layout {
        let empty = Slot { word: 0, shift: 0, mask: 0, low: 0, unset: false, last: 0 };
        let mut layout = Layout {
            processes,
            slots: vec![],
            first: vec![None; model.symbols.len()],
            symbol_of: vec![],
            words: 0,
            instance: empty,
            columns: vec![vec![]; processes],
        };
        let ids = (0..model.symbols.len()).map(SymbolId::from_index);
        let stored: Vec<SymbolId> =
            ids.filter(|id| Some(*id) != model.kinds.as_ref().map(|kinds| kinds.of_process)).collect();
        for id in &stored {
            layout.first[id.index()] = Some(layout.slots.len());
            let cells = processes.pow(u32::try_from(model.symbol(*id).arity).unwrap_or(u32::MAX));
            layout.slots.extend(std::iter::repeat_n(empty, cells));
            layout.symbol_of.extend(std::iter::repeat_n(*id, cells));
        }
        let field = |id: SymbolId| field(model, id, processes, number_bits, ranges[id.index()]);
        layout.place(model, &stored, field, instances);
        layout
    }

    /// Places the columns first, one process after the other, then everything else, and the number of the instance
    /// last.
    fn place(
        &mut self,
        model: &Model,
        stored: &[SymbolId],
        field: impl Fn(SymbolId) -> Field,
        instances: usize,
    ) {
        let mut packer = Packer::default();
        let of_arity =
            |arity: usize| stored.iter().copied().filter(move |id| model.symbol(*id).arity == arity);
        let width: u32 = of_arity(1).map(|id| field(id).bits).sum();
        for process in 0..self.processes {
            packer.keep_together(width);
            for id in of_arity(1) {
                let at = self.slot_index(id, process);
                self.slots[at] = packer.place(&field(id));
                self.columns[process].push(at);
            }
        }
        for id in stored.iter().copied().filter(|id| model.symbol(*id).arity != 1) {
            let first = self.slot_index(id, 0);
            let cells = self.symbol_of[first..].iter().take_while(|symbol| **symbol == id).count();
            for at in first..first + cells {
                self.slots[at] = packer.place(&field(id));
            }
        }
        self.instance = packer.place(&code_field(instances as u64));
        self.words = packer.words();
    }

    fn slot_index(&self, symbol: SymbolId, cell: usize) -> usize {
        self.first[symbol.index()].expect("only stored symbols have slots") + cell
    }

    /// The first slot of a symbol; `None` for constants of the instance.
    pub(super) fn first(&self, symbol: SymbolId) -> Option<usize> {
        self.first[symbol.index()]
    }

    /// The processes that index a slot, in order, from 0.
    pub(super) fn indices(&self, model: &Model, slot: usize) -> Vec<usize> {
        let symbol = self.symbol_of[slot];
        let mut cell = slot - self.slot_index(symbol, 0);
        let mut indices = vec![0; model.symbol(symbol).arity];
        for index in indices.iter_mut().rev() {
            *index = cell % self.processes;
            cell /= self.processes;
        }
        indices
    }
}

fn field(
    model: &Model,
    id: SymbolId,
    processes: usize,
    number_bits: u32,
    range: Option<(i64, i64)>,
) -> Field {
    let symbol = model.symbol(id);
    let values = match (symbol.sort, symbol.domain) {
        (Sort::Enum(of), _) => model.enums[of.index()].constructors.len() as u64,
        (Sort::Proc, _) if symbol.holds_outsiders => (processes + model.outsiders.len()) as u64,
        (Sort::Proc, _) => processes as u64,
        // A state cannot distinguish more values of an abstract type than there are cells of it.
        (Sort::Abstract(_), _) => abstract_cells(model, symbol.sort, processes),
        (Sort::Int, Domain::Range(low, high)) => return number_field(low, high),
        (Sort::Int | Sort::Real, _) => {
            let half = 1_i64 << (number_bits - 1);
            let (low, high) = range.unwrap_or((1 - half, half - 1));
            return number_field(low, high);
        }
    };
    code_field(values)
}

/// A field with one code per value.
fn code_field(values: u64) -> Field {
    let last = values.saturating_sub(1);
    Field { bits: u64::BITS - last.leading_zeros(), low: 0, unset: false, last }
}

/// A field with one code more than there are values: code 0 stands for a number that is not set.
fn number_field(low: i64, high: i64) -> Field {
    let last = high.abs_diff(low) + 1;
    Field { bits: u64::BITS - last.leading_zeros(), low: low - 1, unset: true, last }
}

fn abstract_cells(model: &Model, sort: Sort, processes: usize) -> u64 {
    let of_sort = model.symbols.iter().filter(|symbol| symbol.sort == sort);
    of_sort
        .map(|symbol| (processes as u64).saturating_pow(u32::try_from(symbol.arity).unwrap_or(u32::MAX)))
        .sum()
}

/// Puts fields into words, one after the other.
#[derive(Default)]
struct Packer {
    word: usize,
    used: u32,
}

impl Packer {
    /// Starts a new word if this many bits would otherwise be split over two.
    fn keep_together(&mut self, bits: u32) {
        if self.used + bits > u64::BITS && bits <= u64::BITS {
            self.next_word();
        }
    }

    fn place(&mut self, field: &Field) -> Slot {
        if self.used + field.bits > u64::BITS {
            self.next_word();
        }
        let mask = if field.bits == u64::BITS { u64::MAX } else { (1 << field.bits) - 1 };
        let (low, unset, last) = (field.low, field.unset, field.last);
        let slot = Slot { word: self.word, shift: self.used.min(u64::BITS - 1), mask, low, unset, last };
        self.used += field.bits;
        slot
    }

    fn next_word(&mut self) {
        self.word += 1;
        self.used = 0;
    }

    fn words(&self) -> usize {
        self.word + usize::from(self.used > 0).max(usize::from(self.word == 0))
    }
}
