//! States up to permutation of processes of the same kind: one representative for each class.
//!
//! Processes are sorted by what can be said of each without naming another: its own cells, which globals
//! point to it. Where cells point to processes, or arrays have two indices, what is said is refined by what is said of
//! the processes on the other side, as in colour refinement for graphs, until nothing changes.
//! Processes that still look alike are tried in every order, and the smallest state is taken.
//!
//! What is said of a process is a hash, its colour. Two that differ and happen to have one colour are tried in every order,
//! too, so that a collision costs time only.

use super::{Instance, rename_abstract_values};
use ir::Sort;
use smallvec::{SmallVec, smallvec};

/// The slots of an instance, sorted by how they change under a permutation.
#[derive(Debug, Clone, Default)]
pub(super) struct Shape {
    /// For each process its one-index cells that hold no process: they move and stay as they are.
    plain: Vec<Vec<usize>>,
    /// For each process its one-index cells that hold a process.
    pointers: Vec<Vec<usize>>,
    /// Globals that hold a process.
    global_pointers: Vec<usize>,
    /// Slots with two indices or more, each with its indices and what it holds.
    relations: Vec<(usize, Vec<usize>, Content)>,
    /// Whether two processes that look alike can be exchanged without changing the state.
    simple: bool,
    /// If the one-index cells of a process fit into one word: where they are.
    blocks: Option<Blocks>,
    /// If that is so: which of their bits hold no process or value of an abstract type.
    plain_bits: u64,
    /// Whether sorting the blocks is all there is to do.
    sortable: bool,
}

/// What a slot holds, as far as permutations are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    /// A value that stays as it is.
    Plain,
    /// A process.
    Pointer,
    /// A value of an abstract type. These are numbered by place, so they say nothing of a process.
    Abstract,
}

/// The cells of each process as one field of bits, laid out alike for all processes.
#[derive(Debug, Clone)]
struct Blocks {
    mask: u64,
    /// Word and shift of each process.
    places: Vec<(usize, u32)>,
}

/// Up to this many processes are sorted without allocating.
const MAX_BLOCKS: usize = 16;
/// The most globals that point to processes which fit into the key of a block.
const MAX_POINTERS: usize = 48;

/// For each process what can be said of it. The kind is in the upper bits: only processes of one kind change places.
type Colours = SmallVec<[u64; MAX_BLOCKS]>;
const COLOUR_BITS: u32 = 48;

/// For each process its place, or for each place its process.
type Order = SmallVec<[usize; MAX_BLOCKS]>;

impl Shape {
    pub(super) fn new(instance: &Instance<'_>) -> Shape {
        let (model, layout) = (instance.model, &instance.layout);
        let mut shape = Shape {
            plain: vec![vec![]; layout.processes],
            pointers: vec![vec![]; layout.processes],
            ..Shape::default()
        };
        for slot in 0..layout.slots.len() {
            let symbol = model.symbol(layout.symbol_of[slot]);
            let content = match symbol.sort {
                Sort::Proc => Content::Pointer,
                Sort::Abstract(_) => Content::Abstract,
                Sort::Int | Sort::Real | Sort::Enum(_) => Content::Plain,
            };
            let indices = layout.indices(model, slot);
            match (indices.as_slice(), content) {
                ([], Content::Pointer) => shape.global_pointers.push(slot),
                ([process], Content::Pointer) => shape.pointers[*process].push(slot),
                ([process], Content::Plain) => shape.plain[*process].push(slot),
                ([] | [_], _) => {}
                (_, content) => shape.relations.push((slot, indices, content)),
            }
        }
        let no_pointers = shape.pointers.iter().all(Vec::is_empty);
        shape.simple = no_pointers && shape.relations.is_empty() && model.abstract_types.is_empty();
        let few = layout.processes <= MAX_BLOCKS && shape.global_pointers.len() <= MAX_POINTERS;
        shape.blocks = blocks(instance);
        shape.sortable = shape.simple && few && shape.blocks.is_some();
        if let Some((_, shift)) = shape.blocks.as_ref().and_then(|blocks| blocks.places.first()) {
            let slots = shape.plain[0].iter().map(|slot| layout.slots[*slot]).filter(|slot| slot.mask != 0);
            shape.plain_bits = slots.fold(0, |bits, slot| bits | slot.mask << (slot.shift - shift));
        }
        shape
    }
}

/// The cells of each process as one field, if they fit into a word.
fn blocks(instance: &Instance<'_>) -> Option<Blocks> {
    let layout = &instance.layout;
    let bits: u32 = layout.columns.first()?.iter().map(|slot| layout.slots[*slot].mask.count_ones()).sum();
    if bits == 0 || bits > u64::BITS {
        return None;
    }
    // Cells without bits of their own may stand anywhere.
    let first =
        |column: &Vec<usize>| column.iter().map(|slot| layout.slots[*slot]).find(|slot| slot.mask != 0);
    let places = layout.columns.iter().map(|column| first(column).map(|slot| (slot.word, slot.shift)));
    let mask = if bits == u64::BITS { u64::MAX } else { (1 << bits) - 1 };
    Some(Blocks { mask, places: places.collect::<Option<_>>()? })
}

impl Instance<'_> {
    /// The representative of a state.
    pub(super) fn canonical(&self, state: &[u64], out: &mut [u64]) {
        if let Some(blocks) = self.shape.blocks.as_ref().filter(|_| self.shape.sortable) {
            return self.sorted(blocks, state, out);
        }
        let mut colours = self.colours(state);
        if !self.shape.simple {
            self.refine(state, &mut colours);
        }
        let mut order: Order = (0..colours.len()).collect();
        order.sort_unstable_by_key(|process| (colours[*process], *process));
        self.permuted(state, &order, out);
        if !self.shape.simple && distinct(&colours) < colours.len() {
            self.smallest(state, &colours, &mut order, 0, out);
        }
    }

    /// The state with the blocks of the processes sorted: by kind, by which globals point to them, by their cells.
    fn sorted(&self, blocks: &Blocks, state: &[u64], out: &mut [u64]) {
        let processes = blocks.places.len();
        let mut keys = [(0_u128, 0_usize); MAX_BLOCKS];
        for (process, (word, shift)) in blocks.places.iter().enumerate() {
            let cells = state[*word] >> shift & blocks.mask;
            keys[process] = (u128::from(self.kinds[process]) << 112 | u128::from(cells), process);
        }
        for (at, slot) in self.shape.global_pointers.iter().enumerate() {
            let target = usize::try_from(self.layout.slots[*slot].code(state)).unwrap_or(usize::MAX);
            if target < processes {
                keys[target].0 |= 1 << (64 + at);
            }
        }
        keys[..processes].sort_unstable();
        out.copy_from_slice(state);
        let mut place = [0_u64; MAX_BLOCKS];
        for (at, (key, process)) in keys[..processes].iter().enumerate() {
            let (word, shift) = blocks.places[at];
            let cells = u64::try_from(key & u128::from(blocks.mask)).expect("a mask of 64 bits");
            out[word] = out[word] & !(blocks.mask << shift) | cells << shift;
            place[*process] = at as u64;
        }
        for slot in &self.shape.global_pointers {
            let slot = &self.layout.slots[*slot];
            let target = usize::try_from(slot.code(state)).unwrap_or(usize::MAX);
            if target < processes {
                slot.set(out, place[target]);
            }
        }
    }

    /// What can be said of each process by itself.
    fn colours(&self, state: &[u64]) -> Colours {
        let mut colours: Colours =
            (0..self.layout.processes).map(|process| self.own(state, process)).collect();
        for (at, slot) in self.shape.global_pointers.iter().enumerate() {
            let target = usize::try_from(self.layout.slots[*slot].code(state)).unwrap_or(usize::MAX);
            if let Some(colour) = colours.get_mut(target) {
                *colour = mix(*colour, [1, at as u64, 0]);
            }
        }
        self.with_kinds(colours)
    }

    /// What can be said of the cells of a process, apart from those that point to others.
    fn own(&self, state: &[u64], process: usize) -> u64 {
        if let Some(blocks) = &self.shape.blocks {
            let (word, shift) = blocks.places[process];
            return mix(0, [state[word] >> shift & self.shape.plain_bits, 0, 0]);
        }
        let slots = self.shape.plain[process].iter().map(|slot| self.layout.slots[*slot].code(state));
        slots.fold(0, |colour, code| mix(colour, [code, 0, 0]))
    }

    fn with_kinds(&self, mut colours: Colours) -> Colours {
        for (colour, kind) in colours.iter_mut().zip(&self.kinds) {
            *colour = *colour >> (u64::BITS - COLOUR_BITS) | u64::from(*kind) << COLOUR_BITS;
        }
        colours
    }

    /// Adds what processes say of each other, until nothing new is said.
    fn refine(&self, state: &[u64], colours: &mut Colours) {
        let mut known = distinct(colours);
        while known < colours.len() {
            let finer = self.finer(state, colours);
            let now = distinct(&finer);
            if now <= known {
                return;
            }
            (*colours, known) = (finer, now);
        }
    }

    /// What can be said of each process and of those that it has to do with, these known by their colours.
    fn finer(&self, state: &[u64], colours: &Colours) -> Colours {
        let code = |slot: usize| self.layout.slots[slot].code(state);
        // A process as another one sees it: itself, an outsider, or one of some colour.
        let seen_by = |process: usize, code: u64| match usize::try_from(code) {
            Ok(at) if at == process => 0,
            Ok(at) if at < colours.len() => mix(1, [colours[at], 0, 0]),
            _ => mix(2, [code, 0, 0]),
        };
        // What is said in no particular order is added up.
        let mut finer: Colours = colours.clone();
        let mut say = |process: usize, words: [u64; 3]| {
            finer[process] = finer[process].wrapping_add(mix(colours[process], words));
        };
        for (process, slots) in self.shape.pointers.iter().enumerate() {
            for (at, slot) in slots.iter().enumerate() {
                let target = code(*slot);
                say(process, [3, at as u64, seen_by(process, target)]);
                if let Some(target) = usize::try_from(target).ok().filter(|target| *target < colours.len()) {
                    say(target, [4, at as u64, seen_by(target, process as u64)]);
                }
            }
        }
        for (slot, indices, content) in &self.shape.relations {
            let symbol = u64::from(self.layout.symbol_of[*slot].0);
            for (position, process) in indices.iter().enumerate() {
                let value = match content {
                    Content::Plain => code(*slot),
                    Content::Pointer => seen_by(*process, code(*slot)),
                    Content::Abstract => 0,
                };
                let others =
                    indices.iter().fold(0, |sum, other| mix(sum, [seen_by(*process, *other as u64), 0, 0]));
                say(*process, [5 + (symbol << 8 | position as u64), others, value]);
            }
        }
        self.with_kinds(finer.iter().map(|colour| mix(0, [*colour, 0, 0])).collect())
    }

    /// The state with the process `order[k]` in place k.
    fn permuted(&self, state: &[u64], order: &[usize], out: &mut [u64]) {
        let (layout, shape) = (&self.layout, &self.shape);
        let mut place: Order = smallvec![0; order.len()];
        order.iter().enumerate().for_each(|(at, process)| place[*process] = at);
        let moved =
            |code: u64| usize::try_from(code).ok().and_then(|at| place.get(at)).map_or(code, |at| *at as u64);
        out.copy_from_slice(state);
        for slot in &shape.global_pointers {
            layout.slots[*slot].set(out, moved(layout.slots[*slot].code(state)));
        }
        for (at, process) in order.iter().enumerate() {
            self.move_cells(state, *process, at, out);
            for (to, from) in shape.pointers[at].iter().zip(&shape.pointers[*process]) {
                layout.slots[*to].set(out, moved(layout.slots[*from].code(state)));
            }
        }
        for (slot, indices, content) in &shape.relations {
            let first = layout.first(layout.symbol_of[*slot]).expect("it is stored");
            let cell = indices.iter().fold(0, |cell, index| cell * layout.processes + place[*index]);
            let code = layout.slots[*slot].code(state);
            layout.slots[first + cell]
                .set(out, if *content == Content::Pointer { moved(code) } else { code });
        }
        rename_abstract_values(&self.abstract_slots, &layout.slots, out);
    }

    /// Moves the one-index cells of a process to the place of another.
    fn move_cells(&self, state: &[u64], process: usize, place: usize, out: &mut [u64]) {
        if let Some(Blocks { mask, places }) = &self.shape.blocks {
            let ((from, by), (to, shift)) = (places[process], places[place]);
            let cells = state[from] >> by & mask;
            out[to] = out[to] & !(mask << shift) | cells << shift;
            return;
        }
        let layout = &self.layout;
        for (to, from) in layout.columns[place].iter().zip(&layout.columns[process]) {
            layout.slots[*to].set(out, layout.slots[*from].code(state));
        }
    }

    /// The smallest state over all orders of the processes that look alike, where `out` has some order already.
    fn smallest(&self, state: &[u64], colours: &Colours, order: &mut Order, at: usize, out: &mut [u64]) {
        if at == order.len() {
            let mut candidate: SmallVec<[u64; 16]> = smallvec![0; out.len()];
            self.permuted(state, order, &mut candidate);
            if candidate.as_slice() < &*out {
                out.copy_from_slice(&candidate);
            }
            return;
        }
        for other in at..order.len() {
            if colours[order[other]] == colours[order[at]] {
                order.swap(at, other);
                self.smallest(state, colours, order, at + 1, out);
                order.swap(at, other);
            }
        }
    }
}

/// How many colours there are.
fn distinct(colours: &Colours) -> usize {
    let is_first = |at: &usize| !colours[..*at].contains(&colours[*at]);
    (0..colours.len()).filter(is_first).count()
}

/// Folds some words into a hash, each spread over all bits before the next one joins.
fn mix(hash: u64, words: [u64; 3]) -> u64 {
    words.iter().fold(hash ^ 0x2d35_8dcc_aa6c_78a5, |hash, word| {
        let hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ hash >> 32
    })
}
