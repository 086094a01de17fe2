//! Symmetry reduction: a canonical representative of each state up to permutation of processes of the same kind.
//!
//! Processes are sorted by a colour that does not depend on their names: a hash of their own cells and of the globals
//! that point to them. If cells point to processes, or arrays have two indices, colours are refined by those of the
//! related processes, as in colour refinement for graphs, until nothing changes. Processes that still have the same
//! colour are tried in every order, and the smallest state is taken.
//!
//! Processes that differ and collide in their colour are tried in every order, too, so a collision costs only time.

use super::{Instance, rename_abstract_values};
use ir::Sort;
use smallvec::{SmallVec, smallvec};

/// The slots of an instance, grouped by how they change under a permutation.
#[derive(Debug, Clone, Default)]
pub(super) struct Shape {
    /// For each process its one-index cells with plain content: a permutation moves them without changing their
    /// values.
    plain: Vec<Vec<usize>>,
    /// For each process its one-index cells that hold a process.
    pointers: Vec<Vec<usize>>,
    /// Globals that hold a process.
    global_pointers: Vec<usize>,
    /// Slots with two or more indices, each with its indices and content.
    relations: Vec<(usize, Vec<usize>, Content)>,
    /// Whether exchanging two processes of the same colour never changes the state.
    simple: bool,
    /// The one-index cells of each process as one bit field, if they fit into a word.
    blocks: Option<Blocks>,
    /// The bits of a block that hold neither a process nor a value of an abstract type.
    plain_bits: u64,
    /// Whether sorting the blocks yields the representative.
    sortable: bool,
}

/// The content of a slot, as far as permutations are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    /// A value that no permutation changes.
    Plain,
    /// A process.
    Pointer,
    /// A value of an abstract type. They are numbered by first occurrence, so they cannot distinguish processes.
    Abstract,
}

/// The cells of each process as one bit field, with the same layout for all processes.
#[derive(Debug, Clone)]
struct Blocks {
    mask: u64,
    /// The word and shift of the field of each process.
    places: Vec<(usize, u32)>,
}

/// The largest number of processes that are sorted without allocating.
const MAX_BLOCKS: usize = 16;
/// The largest number of global pointers that fit into the sort key of a block.
const MAX_POINTERS: usize = 48;

/// The colour of each process. The kind is in the upper bits, so that only processes of the same kind are exchanged.
type Colours = SmallVec<[u64; MAX_BLOCKS]>;
const COLOUR_BITS: u32 = 48;

/// A permutation: for each process its place, or for each place its process.
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
    // Cells of zero width may be placed anywhere.
    let first =
        |column: &Vec<usize>| column.iter().map(|slot| layout.slots[*slot]).find(|slot| slot.mask != 0);
    let places = layout.columns.iter().map(|column| first(column).map(|slot| (slot.word, slot.shift)));
    let mask = if bits == u64::BITS { u64::MAX } else { (1 << bits) - 1 };
    Some(Blocks { mask, places: places.collect::<Option<_>>()? })
}

impl Instance<'_> {
    /// Excludes processes from permutations. Of each kind they must be the first ones, as permutations sort processes by
    /// class.
    pub(crate) fn fix(&mut self, fixed: &[usize]) {
        let mut classes: Vec<u32> = Vec::with_capacity(self.kinds.len());
        for (process, kind) in self.kinds.iter().enumerate() {
            let is_new = process == 0
                || fixed.contains(&process)
                || fixed.contains(&(process - 1))
                || *kind != self.kinds[process - 1];
            let last = classes.last().copied().unwrap_or(0);
            classes.push(last + u32::from(is_new));
        }
        self.classes = classes;
    }

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

    /// Sorts the blocks of the processes by kind, then by the globals that point to them, then by their cells.
    fn sorted(&self, blocks: &Blocks, state: &[u64], out: &mut [u64]) {
        let processes = blocks.places.len();
        let mut keys = [(0_u128, 0_usize); MAX_BLOCKS];
        for (process, (word, shift)) in blocks.places.iter().enumerate() {
            let cells = state[*word] >> shift & blocks.mask;
            keys[process] = (u128::from(self.classes[process]) << 112 | u128::from(cells), process);
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
            let cells = u64::try_from(key & u128::from(blocks.mask)).expect("the mask has 64 bits");
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

    /// The initial colours: of each process by itself.
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

    /// A hash of the plain cells of a process.
    fn own(&self, state: &[u64], process: usize) -> u64 {
        if let Some(blocks) = &self.shape.blocks {
            let (word, shift) = blocks.places[process];
            return mix(0, [state[word] >> shift & self.shape.plain_bits, 0, 0]);
        }
        let slots = self.shape.plain[process].iter().map(|slot| self.layout.slots[*slot].code(state));
        slots.fold(0, |colour, code| mix(colour, [code, 0, 0]))
    }

    fn with_kinds(&self, mut colours: Colours) -> Colours {
        for (colour, kind) in colours.iter_mut().zip(&self.classes) {
            *colour = *colour >> (u64::BITS - COLOUR_BITS) | u64::from(*kind) << COLOUR_BITS;
        }
        colours
    }

    /// Refines colours by those of related processes, until no new colours appear.
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

    /// One round of refinement: mixes into each colour those of the processes that it is related to.
    fn finer(&self, state: &[u64], colours: &Colours) -> Colours {
        let code = |slot: usize| self.layout.slots[slot].code(state);
        // How a process sees another: as itself, as an outsider, or by its colour.
        let seen_by = |process: usize, code: u64| match usize::try_from(code) {
            Ok(at) if at == process => 0,
            Ok(at) if at < colours.len() => mix(1, [colours[at], 0, 0]),
            _ => mix(2, [code, 0, 0]),
        };
        // Contributions have no particular order, so they are added up.
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
            let first = layout.first(layout.symbol_of[*slot]).expect("the symbol of a slot is stored");
            let cell = indices.iter().fold(0, |cell, index| cell * layout.processes + place[*index]);
            let code = layout.slots[*slot].code(state);
            layout.slots[first + cell]
                .set(out, if *content == Content::Pointer { moved(code) } else { code });
        }
        rename_abstract_values(&self.abstract_slots, &layout.slots, out);
    }

    /// Copies the one-index cells of a process to the place of another.
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

    /// Replaces `out`, the state in some order, by the smallest state over all orders of processes of the same
    /// colour.
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

/// The number of different colours.
fn distinct(colours: &Colours) -> usize {
    let is_first = |at: &usize| !colours[..*at].contains(&colours[*at]);
    (0..colours.len()).filter(is_first).count()
}

/// Folds words into a hash, spreading each over all bits before the next one is added.
fn mix(hash: u64, words: [u64; 3]) -> u64 {
    words.iter().fold(hash ^ 0x2d35_8dcc_aa6c_78a5, |hash, word| {
        let hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ hash >> 32
    })
}
