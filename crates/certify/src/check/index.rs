//! An index over hypotheses: which of them may contradict what is known of a state, found without considering most others.
//!
//! It is only used to skip hypotheses; whatever it does not skip is compared literal by literal.

use super::{tree::Mask, universe::Universe};
use ir::{Sort, SymbolId};
use std::collections::BTreeMap;

/// A symbol, and a value that some cell of the symbol has in every match.
pub(crate) type Pair = (usize, u32);

/// A set of pairs, hashed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Signature([u64; 4]);

impl Signature {
    pub(crate) fn insert(&mut self, (symbol, value): Pair) {
        let bit = (symbol * 37 + value as usize) % 256;
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    #[inline]
    fn within(&self, other: &Signature) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, others)| mine & !others == 0)
    }
}

/// Hypotheses by the pairs that their matches need, as a prefix tree.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// The rank of each pair, rare ones first, by symbol and value.
    ranks: Vec<Vec<Option<usize>>>,
    branches: Vec<Branch>,
    pairs: usize,
}

#[derive(Debug, Default)]
struct Branch {
    rank: usize,
    children: Vec<usize>,
    /// Hypotheses that need nothing more.
    here: Vec<usize>,
}

impl Index {
    pub(crate) fn new(symbols: usize, needed: &[Vec<Pair>]) -> Index {
        let mut uses: BTreeMap<Pair, usize> = BTreeMap::new();
        for pair in needed.iter().flatten() {
            *uses.entry(*pair).or_default() += 1;
        }
        let mut order: Vec<(usize, Pair)> = uses.into_iter().map(|(pair, uses)| (uses, pair)).collect();
        order.sort_unstable();
        let mut index =
            Index { ranks: vec![vec![]; symbols], branches: vec![Branch::default()], pairs: order.len() };
        for (rank, (_, (symbol, value))) in order.into_iter().enumerate() {
            let values = &mut index.ranks[symbol];
            values.resize(values.len().max(value as usize + 1), None);
            values[value as usize] = Some(rank);
        }
        for (at, pairs) in needed.iter().enumerate() {
            let mut ranks: Vec<usize> = pairs.iter().filter_map(|pair| index.rank(*pair)).collect();
            ranks.sort_unstable();
            ranks.dedup();
            let branch = ranks.into_iter().fold(0, |branch, rank| index.child(branch, rank));
            index.branches[branch].here.push(at);
        }
        index
    }

    fn rank(&self, (symbol, value): Pair) -> Option<usize> {
        self.ranks[symbol].get(value as usize).copied().flatten()
    }

    fn child(&mut self, branch: usize, rank: usize) -> usize {
        let known = self.branches[branch].children.iter().find(|child| self.branches[**child].rank == rank);
        if let Some(child) = known {
            return *child;
        }
        let child = self.branches.len();
        self.branches.push(Branch { rank, ..Branch::default() });
        self.branches[branch].children.push(child);
        child
    }

    /// Tries hypotheses until one is accepted: those all of whose pairs are possible, with at most `most_open` of them uncertain.
    pub(crate) fn find<E>(
        &self,
        known: &Known,
        most_open: usize,
        test: &mut impl FnMut(usize) -> Result<bool, E>,
    ) -> Result<Option<usize>, E> {
        self.find_below(0, known, most_open, test)
    }

    fn find_below<E>(
        &self,
        branch: usize,
        known: &Known,
        most_open: usize,
        test: &mut impl FnMut(usize) -> Result<bool, E>,
    ) -> Result<Option<usize>, E> {
        for at in &self.branches[branch].here {
            if test(*at)? {
                return Ok(Some(*at));
            }
        }
        for child in &self.branches[branch].children {
            let left = match known.pairs[self.branches[*child].rank] {
                Standing::Impossible => None,
                Standing::Open => most_open.checked_sub(1),
                Standing::Certain => Some(most_open),
            };
            if let Some(left) = left
                && let Some(found) = self.find_below(*child, known, left, test)?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

/// What is known of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// No cell of the symbol may have the value.
    Impossible,
    /// Some cell may have it.
    Open,
    /// Some cell has it.
    Certain,
}

/// What is known of the cells of a state, in a form that can be compared with what hypotheses need.
pub(crate) struct Known {
    /// By rank.
    pairs: Vec<Standing>,
    /// By process: the pairs that its own cells may have.
    possible: Vec<Signature>,
    /// By process: the pairs that its own cells have.
    certain: Vec<Signature>,
}

impl Known {
    pub(crate) fn new(values: &[Mask], universe: &Universe<'_>, index: &Index) -> Known {
        let nothing = vec![Signature::default(); universe.processes];
        let pairs = vec![Standing::Impossible; index.pairs];
        let mut known = Known { pairs, possible: nothing.clone(), certain: nothing };
        for (at, symbol) in universe.model.symbols.iter().enumerate() {
            if matches!(symbol.sort, Sort::Enum(_)) && !index.ranks[at].is_empty() {
                for (within, cell) in universe.cells(SymbolId::from_index(at)).enumerate() {
                    known.add(at, (symbol.arity == 1).then_some(within), values[cell], index);
                }
            }
        }
        known
    }

    /// As if all cells had all values, so that no hypothesis is skipped.
    pub(crate) fn everything(universe: &Universe<'_>, index: &Index) -> Known {
        let full = vec![Signature([u64::MAX; 4]); universe.processes];
        Known { pairs: vec![Standing::Certain; index.pairs], possible: full.clone(), certain: full }
    }

    /// Adds what is known of a cell, which may belong to a single process.
    fn add(&mut self, symbol: usize, process: Option<usize>, values: Mask, index: &Index) {
        let standing = if values.is_power_of_two() { Standing::Certain } else { Standing::Open };
        let mut left = values;
        while left != 0 {
            let pair = (symbol, left.trailing_zeros());
            left &= left - 1;
            let Some(rank) = index.rank(pair) else { continue };
            self.pairs[rank] = self.pairs[rank].max(standing);
            if let Some(process) = process {
                self.possible[process].insert(pair);
                if standing == Standing::Certain {
                    self.certain[process].insert(pair);
                }
            }
        }
    }

    /// Whether the cells of a process may have, or certainly have, all of these pairs.
    #[inline]
    pub(crate) fn allows(&self, process: usize, needs: &Signature, certain: bool) -> bool {
        needs.within(if certain { &self.certain[process] } else { &self.possible[process] })
    }
}
