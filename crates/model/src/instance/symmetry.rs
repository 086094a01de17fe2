//! States up to permutation of processes of the same kind: one representative for each class.
//!
//! Processes are sorted by what can be said of each without naming another: its own cells, which globals
//! point to it. Where cells point to processes, or arrays have two indices, what is said is refined by the
//! ranks of the processes on the other side, as in colour refinement for graphs, until nothing changes.
//! Processes that still look alike are tried in every order, and the smallest state is taken.

use super::{Instance, rename_abstract_values};
use crate::ir::Sort;

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
    /// If that is so and the cells of a process fit into one word: where they are.
    blocks: Option<Blocks>,
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

/// So many processes are sorted without allocating anything.
const MAX_BLOCKS: usize = 16;
/// So many globals that point to processes fit into the key of a block.
const MAX_POINTERS: usize = 48;

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
        shape.blocks = if shape.simple && few { blocks(instance) } else { None };
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
        if let Some(blocks) = &self.shape.blocks {
            return self.sorted(blocks, state, out);
        }
        let mut ranks = self.ranks(state);
        if !self.shape.simple {
            self.refine(state, &mut ranks);
        }
        let order = order_of(&ranks);
        let tied = order.windows(2).any(|pair| ranks[pair[0]] == ranks[pair[1]]);
        if self.shape.simple || !tied {
            self.permuted(state, &order, out);
        } else {
            self.smallest(state, &ranks, &order, out);
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

    /// What can be said of each process by itself, as a rank: equal for processes that look alike.
    fn ranks(&self, state: &[u64]) -> Vec<u32> {
        let keys: Vec<Vec<u64>> =
            (0..self.layout.processes).map(|process| self.key(state, process)).collect();
        ranked(&keys)
    }

    fn key(&self, state: &[u64], process: usize) -> Vec<u64> {
        let code = |slot: &usize| self.layout.slots[*slot].code(state);
        let mut key = vec![u64::from(self.kinds[process])];
        key.extend(self.shape.plain[process].iter().map(code));
        key.extend(self.shape.global_pointers.iter().map(|slot| u64::from(code(slot) == process as u64)));
        key
    }

    /// Adds what processes say of each other, until nothing new is said.
    fn refine(&self, state: &[u64], ranks: &mut Vec<u32>) {
        loop {
            let keys: Vec<Vec<u64>> =
                (0..ranks.len()).map(|process| self.view(state, process, ranks)).collect();
            let finer = ranked(&keys);
            if finer.iter().max() == ranks.iter().max() {
                return;
            }
            *ranks = finer;
        }
    }

    /// What a process sees of the others, each known by its rank alone.
    fn view(&self, state: &[u64], process: usize, ranks: &[u32]) -> Vec<u64> {
        let processes = self.layout.processes as u64;
        let code = |slot: usize| self.layout.slots[slot].code(state);
        // A pointer as this process sees it: itself, an outsider, or another of some rank.
        let target = |code: u64| match usize::try_from(code) {
            Ok(at) if at == process => 0,
            Ok(at) if at < ranks.len() => 1 + processes + u64::from(ranks[at]),
            _ => 1 + 2 * processes + code,
        };
        let mut view = vec![u64::from(ranks[process])];
        view.extend(self.shape.pointers[process].iter().map(|slot| target(code(*slot))));
        let mut seen: Vec<[u64; 4]> = Vec::new();
        for (other, slots) in self.shape.pointers.iter().enumerate() {
            let pointing = slots.iter().enumerate().filter(|(_, slot)| code(**slot) == process as u64);
            seen.extend(
                pointing.map(|(at, _)| [0, at as u64, u64::from(ranks[other]), u64::from(other == process)]),
            );
        }
        for (slot, indices, content) in &self.shape.relations {
            let value = match content {
                Content::Plain => code(*slot),
                Content::Pointer => target(code(*slot)),
                Content::Abstract => 0,
            };
            let symbol = u64::from(self.layout.symbol_of[*slot].0);
            for (position, index) in indices.iter().enumerate().filter(|(_, index)| **index == process) {
                let others = indices.iter().fold(0, |sum, other| {
                    sum * (2 * processes + 1) + if other == index { 0 } else { 1 + u64::from(ranks[*other]) }
                });
                seen.push([1 + symbol, position as u64, others, value]);
            }
        }
        seen.sort_unstable();
        view.extend(seen.into_iter().flatten());
        view
    }

    /// The state with the process `order[k]` in place k.
    fn permuted(&self, state: &[u64], order: &[usize], out: &mut [u64]) {
        let layout = &self.layout;
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, process)| place[*process] = at);
        let moved =
            |code: u64| usize::try_from(code).ok().and_then(|at| place.get(at)).map_or(code, |at| *at as u64);
        out.copy_from_slice(state);
        for slot in &self.shape.global_pointers {
            layout.slots[*slot].set(out, moved(layout.slots[*slot].code(state)));
        }
        for (at, process) in order.iter().enumerate() {
            for (to, from) in layout.columns[at].iter().zip(&layout.columns[*process]) {
                let code = layout.slots[*from].code(state);
                let pointer = self.model.symbol(layout.symbol_of[*to]).sort == Sort::Proc;
                layout.slots[*to].set(out, if pointer { moved(code) } else { code });
            }
        }
        for (slot, indices, content) in &self.shape.relations {
            let first = layout.first(layout.symbol_of[*slot]).expect("it is stored");
            let cell = indices.iter().fold(0, |cell, index| cell * layout.processes + place[*index]);
            let code = layout.slots[*slot].code(state);
            layout.slots[first + cell]
                .set(out, if *content == Content::Pointer { moved(code) } else { code });
        }
        rename_abstract_values(&self.abstract_slots, &layout.slots, out);
    }

    /// The smallest state over all orders of the processes that look alike.
    fn smallest(&self, state: &[u64], ranks: &[u32], order: &[usize], out: &mut [u64]) {
        let mut orders = vec![];
        permutations(order, ranks, 0, &mut order.to_vec(), &mut orders);
        let mut candidate = vec![0; out.len()];
        for (at, order) in orders.iter().enumerate() {
            self.permuted(state, order, &mut candidate);
            if at == 0 || candidate.as_slice() < &*out {
                out.copy_from_slice(&candidate);
            }
        }
    }
}

/// All orders that differ from this one within groups of equal rank.
fn permutations(
    order: &[usize],
    ranks: &[u32],
    at: usize,
    current: &mut Vec<usize>,
    found: &mut Vec<Vec<usize>>,
) {
    if at == order.len() {
        found.push(current.clone());
        return;
    }
    for other in at..order.len() {
        if ranks[current[other]] == ranks[order[at]] {
            current.swap(at, other);
            permutations(order, ranks, at + 1, current, found);
            current.swap(at, other);
        }
    }
}

/// The rank of each key among all keys.
fn ranked(keys: &[Vec<u64>]) -> Vec<u32> {
    let mut sorted: Vec<&Vec<u64>> = keys.iter().collect();
    sorted.sort_unstable();
    sorted.dedup();
    keys.iter()
        .map(|key| u32::try_from(sorted.partition_point(|other| *other < key)).expect("few processes"))
        .collect()
}

/// The processes by rank.
fn order_of(ranks: &[u32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ranks.len()).collect();
    order.sort_by_key(|process| ranks[*process]);
    order
}
