//! Matching one cube against another: the processes of the general cube are mapped injectively onto those of the special
//! one, and each literal of the general cube follows from the special one, contradicts it, or stays open.

use crate::assume::Watch;
use crate::cell::{Cell, Process};
use crate::cube::{Contradiction, Cube, Relation, is_single};
use crate::linear::{Constraint, entails, satisfiable};
use crate::vocabulary::{ELSEWHERE, Kind, MEMBERS, Values, Vocabulary, member, members};
use smallvec::SmallVec;
use std::cell::Cell as Count;
use std::ops::ControlFlow;

/// A literal in terms of the special cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    Finite(Cell, Values),
    Relation(Relation),
    // Boxed since it is rare and large.
    Linear(Box<Constraint>),
    Order(Process, Process),
}

/// Literals that stay open under a mapping.
pub(crate) type Open = SmallVec<[Literal; 3]>;

/// What is known about a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Follows,
    Contradicts,
    Open,
}

/// A cube prepared for being matched against many: its finite literals, in the order in which they can be decided
/// while its processes are mapped one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    literals: SmallVec<[Demand; 10]>,
    /// For each number of processes, where the literals begin that are decided once that many are mapped.
    starts: SmallVec<[u8; 8]>,
}

/// A finite literal, with what is often needed of its symbol.
#[derive(Clone, Copy, Debug)]
struct Demand {
    cell: Cell,
    arity: u8,
    is_process: bool,
    values: Values,
}

impl Pattern {
    pub(crate) fn new(vocabulary: &Vocabulary, cube: &Cube) -> Pattern {
        let level = |cell: Cell| match vocabulary.kind(cell) {
            // Its values in terms of another cube depend on all processes.
            Kind::Process => cube.processes,
            _ => cell.indices(vocabulary.arity(cell)).max().map_or(0, |last| last + 1),
        };
        let demand = |(cell, values): &(Cell, Values)| Demand {
            cell: *cell,
            arity: u8::try_from(vocabulary.arity(*cell)).expect("at most MAX_ARITY"),
            is_process: vocabulary.kind(*cell) == Kind::Process,
            values: *values,
        };
        let mut literals: SmallVec<[Demand; 10]> = cube.finite.iter().map(demand).collect();
        literals.sort_by_key(|demand| level(demand.cell));
        let starts = (0..=cube.processes + 1).map(|at| {
            let before = literals.iter().take_while(|demand| level(demand.cell) < at).count();
            u8::try_from(before).expect("cubes are small")
        });
        let starts = starts.collect();
        Pattern { literals, starts }
    }

    /// The literals that are decided once this many processes are mapped, and not before.
    fn at(&self, processes: Process) -> &[Demand] {
        let at = usize::from(processes);
        &self.literals[usize::from(self.starts[at])..usize::from(self.starts[at + 1])]
    }
}

/// A cube that others are matched against, with what types imply about its numbers.
#[derive(Debug)]
pub(crate) struct Target<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) cube: &'a Cube,
    facts: Vec<Constraint>,
    known: Option<Known>,
    /// How many processes of all cubes that were matched against it have been mapped so far.
    steps: Count<u32>,
    /// Tells whether there is time left.
    watch: Option<&'a Watch>,
}

/// The most processes that are mapped for one cube, which takes about half a second. Counted, so that results do not depend on
/// the machine.
const MOST_STEPS: u32 = 4_000_000;
/// The clock is looked at once in this many steps.
const STEPS_PER_LOOK: u32 = 4096;

/// The values that the cells of a cube may have, as a table.
#[derive(Debug)]
struct Known {
    processes: usize,
    /// Where the cells of each symbol begin.
    starts: Vec<u32>,
    values: Vec<Values>,
}

/// Cells with more indices than this are not in the table.
const TABLE_ARITY: u8 = 2;

impl Known {
    fn new(vocabulary: &Vocabulary, cube: &Cube) -> Known {
        let processes = usize::from(cube.processes);
        let mut known =
            Known { processes, starts: Vec::with_capacity(vocabulary.symbols.len()), values: vec![] };
        for (number, symbol) in vocabulary.symbols.iter().enumerate() {
            known.starts.push(u32::try_from(known.values.len()).expect("few symbols"));
            if symbol.kind.is_finite() && symbol.arity <= usize::from(TABLE_ARITY) {
                let cell = Cell::new(u16::try_from(number).expect("as in cells"), &[]);
                let cells = processes.pow(u32::try_from(symbol.arity).expect("small"));
                known.values.resize(known.values.len() + cells, vocabulary.full(cell, cube.processes));
            }
        }
        for (cell, values) in &cube.finite {
            let arity = u8::try_from(vocabulary.arity(*cell)).expect("at most MAX_ARITY");
            if arity <= TABLE_ARITY {
                let at = known.position(*cell, arity);
                known.values[at] = *values;
            }
        }
        known
    }

    fn position(&self, cell: Cell, arity: u8) -> usize {
        let start = self.starts[usize::from(cell.symbol())] as usize;
        match arity {
            0 => start,
            1 => start + usize::from(cell.index(0)),
            _ => start + usize::from(cell.index(0)) + self.processes * usize::from(cell.index(1)),
        }
    }
}

impl<'a> Target<'a> {
    pub(crate) fn new(vocabulary: &'a Vocabulary, cube: &'a Cube) -> Target<'a> {
        let is_numeric = !cube.linear.is_empty() || vocabulary.places.is_some();
        let facts = if is_numeric { cube.known(vocabulary) } else { vec![] };
        Target { vocabulary, cube, facts, known: None, steps: Count::new(0), watch: None }
    }

    /// The same, prepared for being matched against many cubes as long as there is time.
    pub(crate) fn for_many(vocabulary: &'a Vocabulary, cube: &'a Cube, watch: &'a Watch) -> Target<'a> {
        let known = Some(Known::new(vocabulary, cube));
        Target { known, watch: Some(watch), ..Target::new(vocabulary, cube) }
    }

    /// Counts a step. Once there is no time left, no more steps are taken.
    fn count_step(&self) {
        let steps = self.steps.get() + 1;
        let is_late = steps.is_multiple_of(STEPS_PER_LOOK) && self.watch.is_some_and(Watch::look);
        self.steps.set(if is_late { MOST_STEPS } else { steps });
    }

    fn values(&self, cell: Cell, arity: u8) -> Values {
        match &self.known {
            Some(known) if arity <= TABLE_ARITY => known.values[known.position(cell, arity)],
            _ => self.cube.values(self.vocabulary, cell),
        }
    }

    /// Calls `found` with the open literals of each mapping that contradicts nothing and leaves at most `most_open` of them. Cubes
    /// with ten processes have too many mappings: then some are left out, which costs time only.
    pub(crate) fn each_match(
        &self,
        general: &Cube,
        pattern: &Pattern,
        most_open: usize,
        found: &mut dyn FnMut(&Open) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if general.processes > self.cube.processes || self.steps.get() >= MOST_STEPS {
            return ControlFlow::Continue(());
        }
        let (map, image) = ([Process::MAX; 16], 0);
        let mut matching =
            Matching { target: self, general, pattern, most_open, map, image, open: Open::new() };
        matching.extend(0, found)
    }
}

struct Matching<'a> {
    target: &'a Target<'a>,
    general: &'a Cube,
    pattern: &'a Pattern,
    most_open: usize,
    /// The process of the special cube for each of the general one.
    map: [Process; 16],
    image: Values,
    open: Open,
}

impl Matching<'_> {
    /// Maps the processes from `at` on.
    fn extend(&mut self, at: Process, found: &mut dyn FnMut(&Open) -> ControlFlow<()>) -> ControlFlow<()> {
        self.target.count_step();
        let open = self.open.len();
        let flow = match self.literals(at) {
            Err(Contradiction) => ControlFlow::Continue(()),
            Ok(()) if at == self.general.processes => found(&self.open),
            Ok(()) => self.choose(at, found),
        };
        self.open.truncate(open);
        flow
    }

    fn choose(&mut self, at: Process, found: &mut dyn FnMut(&Open) -> ControlFlow<()>) -> ControlFlow<()> {
        let choices =
            if at < self.target.vocabulary.named { at..at + 1 } else { 0..self.target.cube.processes };
        for process in choices {
            if self.image & member(process) == 0 && self.target.steps.get() < MOST_STEPS {
                self.map[usize::from(at)] = process;
                self.image |= member(process);
                let flow = self.extend(at + 1, found);
                self.image &= !member(process);
                flow?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Looks at the literals that are decided by the processes before `at`.
    fn literals(&mut self, at: Process) -> Result<(), Contradiction> {
        for Demand { cell, arity, is_process, values } in self.pattern.at(at) {
            let cell = cell.rename(usize::from(*arity), &self.map);
            let allowed = if *is_process { self.translated(*values) } else { *values };
            let known = self.target.values(cell, *arity);
            if known & allowed == 0 {
                return Err(Contradiction);
            }
            if known & !allowed != 0 {
                self.leave_open(Literal::Finite(cell, allowed))?;
            }
        }
        if at == self.general.processes { self.other_literals() } else { Ok(()) }
    }

    fn leave_open(&mut self, literal: Literal) -> Result<(), Contradiction> {
        if self.open.len() == self.most_open {
            return Err(Contradiction);
        }
        self.open.push(literal);
        Ok(())
    }

    /// Values in terms of the special cube: its processes onto which none is mapped are elsewhere for the general one.
    fn translated(&self, values: Values) -> Values {
        let mut translated = values & !MEMBERS;
        for process in 0..self.general.processes {
            if values & member(process) != 0 {
                translated |= member(self.map[usize::from(process)]);
            }
        }
        if values & ELSEWHERE != 0 {
            translated |= members(self.target.cube.processes) & !self.image;
        }
        translated
    }

    fn other_literals(&mut self) -> Result<(), Contradiction> {
        let general = self.general;
        for (first, second) in &general.order {
            let (first, second) = (self.map[usize::from(*first)], self.map[usize::from(*second)]);
            self.other_literal(Literal::Order(first, second))?;
        }
        for relation in &general.relations {
            let (a, b) = (self.renamed(relation.left), self.renamed(relation.right));
            let relation = Relation { left: a.min(b), right: a.max(b), equal: relation.equal };
            self.other_literal(Literal::Relation(relation))?;
        }
        for constraint in &general.linear {
            let constraint = constraint.map(|cell| self.renamed(cell));
            self.other_literal(Literal::Linear(Box::new(constraint)))?;
        }
        Ok(())
    }

    fn renamed(&self, cell: Cell) -> Cell {
        cell.rename(self.target.vocabulary.arity(cell), &self.map)
    }

    fn other_literal(&mut self, literal: Literal) -> Result<(), Contradiction> {
        let Target { vocabulary, cube, facts, .. } = self.target;
        // Whether a constraint contradicts the others is costly to decide, and makes no difference if none may stay open.
        if let Literal::Linear(constraint) = &literal
            && self.open.len() == self.most_open
        {
            return if entails(&cube.linear, facts, constraint) { Ok(()) } else { Err(Contradiction) };
        }
        match status(vocabulary, cube, facts, &literal) {
            Status::Follows => Ok(()),
            Status::Contradicts => Err(Contradiction),
            Status::Open => self.leave_open(literal),
        }
    }
}

/// Whether a literal follows from a settled cube, or contradicts it.
pub(crate) fn status(
    vocabulary: &Vocabulary,
    cube: &Cube,
    facts: &[Constraint],
    literal: &Literal,
) -> Status {
    match literal {
        Literal::Finite(cell, allowed) => status_of(cube.values(vocabulary, *cell), *allowed),
        Literal::Relation(relation) => {
            let known = related(vocabulary, cube, relation.left, relation.right);
            decided(known == Some(relation.equal), known == Some(!relation.equal))
        }
        Literal::Order(first, second) => {
            decided(cube.order.contains(&(*first, *second)), cube.order.contains(&(*second, *first)))
        }
        Literal::Linear(constraint) => {
            let follows = entails(&cube.linear, facts, constraint);
            let with = || cube.linear.iter().chain(facts).chain(std::iter::once(constraint.as_ref()));
            decided(follows, !follows && !satisfiable(with()))
        }
    }
}

/// The same for a literal about a cell with known values.
pub(crate) fn status_of(known: Values, allowed: Values) -> Status {
    decided(known & !allowed == 0, known & allowed == 0)
}

fn decided(follows: bool, contradicts: bool) -> Status {
    if follows {
        Status::Follows
    } else if contradicts {
        Status::Contradicts
    } else {
        Status::Open
    }
}

/// Whether two cells are equal in all states that match a settled cube, or differ in all.
fn related(vocabulary: &Vocabulary, cube: &Cube, left: Cell, right: Cell) -> Option<bool> {
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
    let differ = |relation: &&Relation| (relation.left, relation.right) == (left, right);
    cube.relations.iter().find(differ).map(|relation| relation.equal)
}
