//! Cubes: some pairwise distinct processes, and a conjunction of literals about them.

use crate::cell::{Cell, Process};
use crate::linear::{Constraint, satisfiable};
use crate::vocabulary::{ELSEWHERE, Kind, MEMBERS, Values, Vocabulary, member, members};
use smallvec::SmallVec;

/// Two cells of the same sort, not of numbers, are equal or differ. The smaller cell comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Relation {
    pub(crate) left: Cell,
    pub(crate) right: Cell,
    pub(crate) equal: bool,
}

/// A conjunction over processes 0, 1, …, of which the first few may be named ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cube {
    pub(crate) processes: u8,
    /// Cells of finite sorts with the values that they may have, in order of cells; never all values, never none.
    pub(crate) finite: SmallVec<[(Cell, Values); 10]>,
    pub(crate) relations: SmallVec<[Relation; 2]>,
    pub(crate) linear: Vec<Constraint>,
    /// Pairs of processes of which the first comes before the second in the order of processes; closed, sorted.
    pub(crate) order: SmallVec<[(Process, Process); 4]>,
}

/// The literals contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Contradiction;

impl Cube {
    pub(crate) fn new(processes: u8) -> Cube {
        Cube { processes, ..Cube::default() }
    }

    /// The values that a cell may have.
    pub(crate) fn values(&self, vocabulary: &Vocabulary, cell: Cell) -> Values {
        match self.finite.binary_search_by_key(&cell, |(known, _)| *known) {
            Ok(at) => self.finite[at].1,
            Err(_) => vocabulary.full(cell, self.processes),
        }
    }

    /// Restricts a cell to these values.
    pub(crate) fn restrict(
        &mut self,
        vocabulary: &Vocabulary,
        cell: Cell,
        values: Values,
    ) -> Result<(), Contradiction> {
        match self.finite.binary_search_by_key(&cell, |(known, _)| *known) {
            Ok(at) => {
                self.finite[at].1 &= values;
                if self.finite[at].1 == 0 { Err(Contradiction) } else { Ok(()) }
            }
            Err(at) => {
                let full = vocabulary.full(cell, self.processes);
                let left = full & values;
                if left == 0 {
                    return Err(Contradiction);
                }
                if left != full {
                    self.finite.insert(at, (cell, left));
                }
                Ok(())
            }
        }
    }

    /// Adds that two cells are equal, or that they differ.
    pub(crate) fn relate(&mut self, left: Cell, right: Cell, equal: bool) -> Result<(), Contradiction> {
        if left == right {
            return if equal { Ok(()) } else { Err(Contradiction) };
        }
        let (left, right) = (left.min(right), left.max(right));
        if self.relations.contains(&Relation { left, right, equal: !equal }) {
            return Err(Contradiction);
        }
        let relation = Relation { left, right, equal };
        if !self.relations.contains(&relation) {
            self.relations.push(relation);
        }
        Ok(())
    }

    /// Adds that one process comes before another.
    pub(crate) fn precede(&mut self, first: Process, second: Process) -> Result<(), Contradiction> {
        if first == second || self.order.contains(&(second, first)) {
            return Err(Contradiction);
        }
        if !self.order.contains(&(first, second)) {
            self.order.push((first, second));
        }
        Ok(())
    }

    /// Adds a process: what may be elsewhere may be this one.
    pub(crate) fn add_process(&mut self, vocabulary: &Vocabulary) -> Process {
        let new = self.processes;
        self.processes += 1;
        for (cell, values) in &mut self.finite {
            if vocabulary.kind(*cell) == Kind::Process && *values & ELSEWHERE != 0 {
                *values |= member(new);
            }
        }
        new
    }

    /// Every cell that is mentioned, each once, in order.
    pub(crate) fn cells(&self) -> Vec<Cell> {
        let mut cells: Vec<Cell> = self.finite.iter().map(|(cell, _)| *cell).collect();
        cells.extend(self.relations.iter().flat_map(|relation| [relation.left, relation.right]));
        cells
            .extend(self.linear.iter().flat_map(|constraint| constraint.terms.iter().map(|(cell, _)| *cell)));
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// The number of literals.
    pub(crate) fn literals(&self) -> usize {
        self.finite.len() + self.relations.len() + self.linear.len() + self.order.len()
    }

    /// Draws all conclusions that cubes can express, until there are no more or a contradiction is found.
    pub(crate) fn settle(&mut self, vocabulary: &Vocabulary) -> Result<(), Contradiction> {
        loop {
            if vocabulary.kinds.is_some() {
                self.settle_kinds(vocabulary)?;
            }
            if self.relations.is_empty() {
                break;
            }
            let before = self.finite.clone();
            self.settle_relations(vocabulary)?;
            // A pointer that equals another may now be known to point to a process, whose kind follows.
            if vocabulary.kinds.is_none() || self.finite == before {
                break;
            }
        }
        if !self.order.is_empty() {
            self.settle_order(vocabulary)?;
        }
        if !self.linear.is_empty() || vocabulary.places.is_some() {
            self.settle_linear(vocabulary)?;
        }
        Ok(())
    }

    /// A variable of a kind holds only processes of that kind.
    fn settle_kinds(&mut self, vocabulary: &Vocabulary) -> Result<(), Contradiction> {
        let Some(kinds) = vocabulary.kinds else { return Ok(()) };
        for (cell, values) in self.finite.clone() {
            let Some(of_kind) = vocabulary.symbol(cell).of_kind else { continue };
            for process in (0..self.processes).filter(|process| values & member(*process) != 0) {
                let kind = Cell::new(kinds, &[process]);
                if self.values(vocabulary, kind) & of_kind == 0 {
                    self.restrict(vocabulary, cell, !member(process))?;
                } else if values == member(process) {
                    self.restrict(vocabulary, kind, of_kind)?;
                }
            }
        }
        Ok(())
    }

    /// Closes equality, propagates values between equal cells, and drops relations that values decide.
    fn settle_relations(&mut self, vocabulary: &Vocabulary) -> Result<(), Contradiction> {
        loop {
            self.relations.sort_unstable();
            let classes = self.classes();
            let before = (self.finite.clone(), self.relations.clone());
            let relations = std::mem::take(&mut self.relations);
            let finite = || classes.iter().filter(|(cell, _)| vocabulary.kind(*cell).is_finite());
            for (cell, representative) in finite() {
                let values = self.values(vocabulary, *cell);
                self.restrict(vocabulary, *representative, values)?;
            }
            // Only now does the representative have the values that all of them have in common.
            for (cell, representative) in finite() {
                let values = self.values(vocabulary, *representative);
                self.restrict(vocabulary, *cell, values)?;
            }
            for relation in relations.iter().filter(|relation| !relation.equal) {
                let side = |cell: Cell| representative(&classes, cell);
                self.differ(vocabulary, side(relation.left), side(relation.right))?;
            }
            for (cell, representative) in &classes {
                let kind = vocabulary.kind(*cell);
                let known = kind.is_finite() && is_single(kind, self.values(vocabulary, *representative));
                if cell != representative && !known {
                    self.relate(*representative, *cell, true)?;
                }
            }
            self.relations.sort_unstable();
            if before == (self.finite.clone(), self.relations.clone()) {
                return Ok(());
            }
        }
    }

    /// The cells of equations, each with the least cell that it equals.
    fn classes(&self) -> Vec<(Cell, Cell)> {
        let mut classes: Vec<(Cell, Cell)> = Vec::new();
        for relation in self.relations.iter().filter(|relation| relation.equal) {
            for cell in [relation.left, relation.right] {
                if !classes.iter().any(|(known, _)| *known == cell) {
                    classes.push((cell, cell));
                }
            }
            let (a, b) = (representative(&classes, relation.left), representative(&classes, relation.right));
            let (least, most) = (a.min(b), a.max(b));
            classes.iter_mut().filter(|(_, of)| *of == most).for_each(|(_, of)| *of = least);
        }
        classes.sort_unstable();
        classes
    }

    fn differ(&mut self, vocabulary: &Vocabulary, left: Cell, right: Cell) -> Result<(), Contradiction> {
        if left == right {
            return Err(Contradiction);
        }
        let kind = vocabulary.kind(left);
        if kind.is_finite() {
            let (a, b) = (self.values(vocabulary, left), self.values(vocabulary, right));
            if is_single(kind, a) {
                return self.restrict(vocabulary, right, !a);
            }
            if is_single(kind, b) {
                return self.restrict(vocabulary, left, !b);
            }
            if a & b == 0 {
                return Ok(());
            }
        }
        self.relate(left, right, false)
    }

    /// Closes the order. The named processes come first, in the order of their names.
    fn settle_order(&mut self, vocabulary: &Vocabulary) -> Result<(), Contradiction> {
        let mut before = [0_u32; 32];
        for (first, second) in &self.order {
            before[usize::from(*first)] |= 1 << second;
        }
        for named in 0..vocabulary.named.min(self.processes) {
            before[usize::from(named)] |= (named + 1..self.processes).fold(0, |set, later| set | 1 << later);
        }
        let count = usize::from(self.processes);
        for middle in 0..count {
            for first in 0..count {
                if before[first] >> middle & 1 == 1 {
                    before[first] |= before[middle];
                }
            }
        }
        if (0..count).any(|process| before[process] >> process & 1 == 1) {
            return Err(Contradiction);
        }
        self.order.clear();
        for first in vocabulary.named..self.processes {
            for second in vocabulary.named..self.processes {
                if before[usize::from(first)] >> second & 1 == 1 {
                    self.order.push((first, second));
                }
            }
        }
        Ok(())
    }

    fn settle_linear(&mut self, vocabulary: &Vocabulary) -> Result<(), Contradiction> {
        let facts = self.known(vocabulary);
        // What follows from types or from another literal needs none of its own.
        let mut kept: Vec<Constraint> = std::mem::take(&mut self.linear);
        kept.sort_unstable();
        kept.dedup();
        let mut at = 0;
        while at < kept.len() {
            let candidate = kept.remove(at);
            if crate::linear::entails(&kept, &facts, &candidate) {
                continue;
            }
            kept.insert(at, candidate);
            at += 1;
        }
        self.linear = kept;
        if satisfiable(self.linear.iter().chain(&facts)) { Ok(()) } else { Err(Contradiction) }
    }

    /// What types imply about the numbers of this cube.
    pub(crate) fn facts(&self, vocabulary: &Vocabulary) -> Vec<Constraint> {
        let cells = self.linear.iter().flat_map(|constraint| constraint.terms.iter().map(|(cell, _)| *cell));
        vocabulary.facts(cells, self.processes)
    }

    /// What is known about the numbers of this cube: by types, and by how many processes are where.
    pub(crate) fn known(&self, vocabulary: &Vocabulary) -> Vec<Constraint> {
        let mut facts = self.facts(vocabulary);
        if let Some(places) = &vocabulary.places {
            facts.extend(places.facts(vocabulary, self));
            facts.sort_unstable();
            facts.dedup();
        }
        facts
    }

    /// Drops processes that no literal distinguishes from those elsewhere.
    pub(crate) fn drop_unused_processes(&mut self, vocabulary: &Vocabulary) {
        let used = self.used_processes(vocabulary);
        let keep = used | members(vocabulary.named.min(self.processes));
        if keep == members(self.processes) {
            return;
        }
        let mut map = [Process::MAX; 16];
        let mut next = 0;
        for process in 0..self.processes {
            if keep & member(process) != 0 {
                map[usize::from(process)] = next;
                next += 1;
            }
        }
        self.rename(vocabulary, &map, next);
        self.processes = next;
    }

    fn used_processes(&self, vocabulary: &Vocabulary) -> Values {
        let mut used = 0;
        for cell in self.cells() {
            used = cell.indices(vocabulary.arity(cell)).fold(used, |used, process| used | member(process));
        }
        for (cell, values) in &self.finite {
            if vocabulary.kind(*cell) == Kind::Process {
                let as_elsewhere = if values & ELSEWHERE == 0 { 0 } else { members(self.processes) };
                used |= (values ^ as_elsewhere) & members(self.processes);
            }
        }
        self.order.iter().fold(used, |used, (first, second)| used | member(*first) | member(*second))
    }

    /// Renames processes; `Process::MAX` stands for unused ones. There are `processes` of them afterwards.
    pub(crate) fn rename(&mut self, vocabulary: &Vocabulary, map: &[Process], processes: u8) {
        for (cell, values) in &mut self.finite {
            if vocabulary.kind(*cell) == Kind::Process {
                *values = rename_values(*values, map, self.processes);
            }
            *cell = cell.rename(vocabulary.arity(*cell), map);
        }
        self.finite.sort_unstable();
        for relation in &mut self.relations {
            let [a, b] = [relation.left, relation.right].map(|cell| cell.rename(vocabulary.arity(cell), map));
            (relation.left, relation.right) = (a.min(b), a.max(b));
        }
        self.relations.sort_unstable();
        for constraint in &mut self.linear {
            *constraint = constraint.map(|cell| cell.rename(vocabulary.arity(cell), map));
        }
        self.linear.sort_unstable();
        for (first, second) in &mut self.order {
            (*first, *second) = (map[usize::from(*first)], map[usize::from(*second)]);
        }
        self.order.sort_unstable();
        self.processes = processes;
    }
}

/// Values with the members among `processes` renamed; unused ones vanish.
pub(crate) fn rename_values(values: Values, map: &[Process], processes: u8) -> Values {
    let mut renamed = values & !MEMBERS;
    for process in 0..processes {
        let new = map[usize::from(process)];
        if values & member(process) != 0 && new != Process::MAX {
            renamed |= member(new);
        }
    }
    renamed
}

/// Whether there is exactly one value: `ELSEWHERE` stands for several processes.
pub(crate) fn is_single(kind: Kind, values: Values) -> bool {
    values.is_power_of_two() && !(kind == Kind::Process && values == ELSEWHERE)
}

fn representative(classes: &[(Cell, Cell)], cell: Cell) -> Cell {
    classes.iter().find(|(known, _)| *known == cell).map_or(cell, |(_, representative)| *representative)
}
