//! When one cube covers another: every state that matches the special one matches the general one.
//!
//! That is so if the processes of the general cube can be mapped injectively onto those of the special one such
//! that each of its literals follows from the special cube.

use crate::cell::{Cell, Process};
use crate::cube::{Cube, is_single};
use crate::linear::{Constraint, entails};
use crate::vocabulary::{ELSEWHERE, Kind, MEMBERS, Values, Vocabulary, member, members};

/// A set of features as bits: a general cube has no feature that a cube covered by it lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signature(u128);

impl Signature {
    pub(crate) fn is_within(self, other: Signature) -> bool {
        self.0 & !other.0 == 0
    }

    /// How many features of this the other lacks, at least.
    pub(crate) fn missing_from(self, other: Signature) -> usize {
        (self.0 & !other.0).count_ones() as usize
    }

    fn add(&mut self, symbol: u16, value: u32) {
        let hash = (u64::from(symbol) << 8 | u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 |= 1 << (hash >> 57);
    }

    /// What a cube demands.
    pub(crate) fn demanded(cube: &Cube, vocabulary: &Vocabulary) -> Signature {
        let mut signature = Signature::default();
        for (cell, values) in &cube.finite {
            let single = is_constant(vocabulary, *cell, *values);
            signature.add(cell.symbol(), if single { values.trailing_zeros() + 1 } else { 0 });
        }
        signature
    }

    /// What a cube offers: for each literal its symbol, and its value if there is but one.
    pub(crate) fn offered(cube: &Cube, vocabulary: &Vocabulary) -> Signature {
        let mut signature = Signature::default();
        for (cell, values) in &cube.finite {
            signature.add(cell.symbol(), 0);
            if is_constant(vocabulary, *cell, *values) {
                signature.add(cell.symbol(), values.trailing_zeros() + 1);
            }
        }
        signature
    }
}

/// Whether a literal names one value that is the same in every cube.
fn is_constant(vocabulary: &Vocabulary, cell: Cell, values: Values) -> bool {
    let kind = vocabulary.kind(cell);
    is_single(kind, values) && (kind == Kind::Finite || values & MEMBERS == 0)
}

/// Whether the general cube covers the special one.
pub(crate) fn covers(vocabulary: &Vocabulary, general: &Cube, special: &Cube) -> bool {
    if general.processes > special.processes || general.finite.len() > special.finite.len() {
        return false;
    }
    let facts = if general.linear.is_empty() { vec![] } else { special.facts(vocabulary) };
    let mut matching = Matching { vocabulary, general, special, facts, map: [Process::MAX; 16], image: 0 };
    matching.extend(0)
}

struct Matching<'a> {
    vocabulary: &'a Vocabulary,
    general: &'a Cube,
    special: &'a Cube,
    facts: Vec<Constraint>,
    /// The process of the special cube for each of the general one.
    map: [Process; 16],
    image: Values,
}

impl Matching<'_> {
    /// Maps the processes from `at` on.
    fn extend(&mut self, at: Process) -> bool {
        if !self.finite_literals_follow(at) {
            return false;
        }
        if at == self.general.processes {
            return self.other_literals_follow();
        }
        let is_named = at < self.vocabulary.named;
        for process in 0..self.special.processes {
            if self.image & member(process) != 0 || is_named && process != at {
                continue;
            }
            self.map[usize::from(at)] = process;
            self.image |= member(process);
            let found = self.extend(at + 1);
            self.image &= !member(process);
            if found {
                return true;
            }
        }
        false
    }

    /// Whether those literals follow whose last process is the one before `at`; at the end, all that speak of pointers.
    fn finite_literals_follow(&self, at: Process) -> bool {
        self.general.finite.iter().all(|(cell, values)| {
            let symbol = self.vocabulary.symbol(*cell);
            let level = match symbol.kind {
                Kind::Process => self.general.processes,
                _ => cell.indices(symbol.arity).max().map_or(0, |last| last + 1),
            };
            level != at || self.follows(*cell, *values, symbol.kind, symbol.arity)
        })
    }

    fn follows(&self, cell: Cell, values: Values, kind: Kind, arity: usize) -> bool {
        let cell = cell.rename(arity, &self.map);
        let allowed = if kind == Kind::Process { self.translated(values) } else { values };
        match self.special.finite.binary_search_by_key(&cell, |(known, _)| *known) {
            Ok(at) => self.special.finite[at].1 & !allowed == 0,
            Err(_) => self.vocabulary.full(cell, self.special.processes) & !allowed == 0,
        }
    }

    /// Values in terms of the special cube: its processes that are no image are elsewhere for the general one.
    fn translated(&self, values: Values) -> Values {
        let mut translated = values & !MEMBERS;
        for process in 0..self.general.processes {
            if values & member(process) != 0 {
                translated |= member(self.map[usize::from(process)]);
            }
        }
        if values & ELSEWHERE != 0 {
            translated |= members(self.special.processes) & !self.image;
        }
        translated
    }

    fn other_literals_follow(&self) -> bool {
        let rename = |cell: Cell| cell.rename(self.vocabulary.arity(cell), &self.map);
        self.general.order.iter().all(|(first, second)| {
            let pair = (self.map[usize::from(*first)], self.map[usize::from(*second)]);
            self.special.order.contains(&pair)
        }) && self.general.relations.iter().all(|relation| {
            related(self.vocabulary, self.special, rename(relation.left), rename(relation.right))
                == Some(relation.equal)
        }) && self
            .general
            .linear
            .iter()
            .all(|constraint| entails(&self.special.linear, &self.facts, &constraint.map(rename)))
    }
}

/// Whether two cells are equal in all states that match a settled cube, or differ in all.
pub(crate) fn related(vocabulary: &Vocabulary, cube: &Cube, left: Cell, right: Cell) -> Option<bool> {
    if left == right {
        return Some(true);
    }
    let kind = vocabulary.kind(left);
    if kind.is_finite() {
        let (a, b) = (cube.values(vocabulary, left), cube.values(vocabulary, right));
        if a & b == 0 {
            return Some(false);
        }
        if a == b && is_single(kind, a) {
            return Some(true);
        }
    }
    let representative = |cell: Cell| {
        let equation = cube.relations.iter().find(|relation| relation.equal && relation.right == cell);
        equation.map_or(cell, |relation| relation.left)
    };
    let (left, right) = (representative(left), representative(right));
    if left == right {
        return Some(true);
    }
    let (left, right) = (left.min(right), left.max(right));
    let differ = |relation: &&crate::cube::Relation| (relation.left, relation.right) == (left, right);
    cube.relations.iter().find(differ).map(|relation| relation.equal)
}
