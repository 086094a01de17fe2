//! Numbers in views: their differences.
//!
//! A view does not hold numbers, since there are infinitely many, but the difference of any two of them, and of each and zero: the
//! exact difference if it is small, and otherwise only which of the two is larger. This is a function of the state, as everything
//! in a view must be. A difference is small if the comparisons of the model can tell it from others, as in the regions of Alur
//! and Dill (A theory of timed automata, 1994).
//!
//! A byte for each difference is a value like those of other symbols: between globals it is a global, of a cell to
//! a global or to another cell of its process it is a cell, and between cells of two processes it is a block. What is
//! special is that three differences may contradict each other, and how they change in a step: `Bounds` knows.

use crate::Unsupported;
use crate::choice::Choices;
use crate::forget::{Forget, Keep};
use crate::layout::{Kind, Layout, Place, Slot, UNKNOWN};
use crate::structure::Structure;
use ir::{self, Formula, Linear, Model, Relation, Sort, Term};

/// The most codes of a difference: one is a byte.
const MOST_CLIP: i32 = 60;
/// Comparisons with larger constants are never known.
const MOST_CONSTANT: i64 = 1 << 20;
/// Larger than any difference of constants.
const INFINITE: i32 = i32::MAX / 4;

/// The differences of a model's numbers.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    /// Differences up to this are kept exactly.
    clip: i32,
    globals: usize,
    cells: usize,
    /// Where the bytes of differences begin, among those of globals, cells and blocks.
    first_global: usize,
    first_cell: usize,
    first_block: usize,
}

/// A number of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Point {
    Zero,
    Global(usize),
    /// An array and a member.
    Cell(usize, usize),
}

/// The new value of a number in a step: an old number plus a constant, or any value.
pub(crate) type Move = (Point, Option<(Point, i32)>);

impl Numbers {
    /// Adds the differences of numbers to a layout that knows where numbers are.
    pub(crate) fn add_to(model: &Model, layout: &mut Layout) -> Result<(), Unsupported> {
        let count = |is_one: fn(&Place) -> bool| layout.places.iter().filter(|place| is_one(place)).count();
        let globals = count(|place| matches!(place, Place::Number(_)));
        let cells = count(|place| matches!(place, Place::NumberCell(_)));
        if globals + cells == 0 {
            return Ok(());
        }
        let clip = clip(model);
        if clip > MOST_CLIP {
            return Err(Unsupported::new("comparisons of numbers with such a large constant", None));
        }
        let kind = Kind::Difference(u8::try_from(2 * clip + 3).expect("at most MOST_CLIP"));
        let slot = Slot { kind, of_kind: None, holds_outsiders: false };
        let (first_global, first_cell, first_block) =
            (layout.globals.len(), layout.cells.len(), layout.blocks.len());
        let more = |slots: &mut Vec<Slot>, count: usize| slots.resize(slots.len() + count, slot.clone());
        more(&mut layout.globals, globals * (globals + 1) / 2);
        more(&mut layout.cells, cells * (globals + 1) + cells * cells.saturating_sub(1) / 2);
        more(&mut layout.blocks, cells * (cells + 1) / 2);
        layout.numbers = Some(Numbers { clip, globals, cells, first_global, first_cell, first_block });
        Ok(())
    }

    /// The byte of a difference, and whether it is the other way round there.
    fn at(&self, layout: &Layout, a: Point, b: Point) -> (usize, bool) {
        let (place, reversed) = self.place(a, b);
        let (first, second) = if reversed { (b, a) } else { (a, b) };
        let at = match (place, first, second) {
            (Place::Block(block), Point::Cell(_, i), Point::Cell(_, j)) => layout.block(i, j, block),
            (Place::Cell(cell), Point::Cell(_, i), _) | (Place::Cell(cell), _, Point::Cell(_, i)) => {
                layout.cell(i, cell)
            }
            (Place::Global(at), ..) => at,
            _ => unreachable!("differences of cells are cells or blocks"),
        };
        (at, reversed)
    }

    /// Where a difference is, and whether it is the other way round there.
    fn place(&self, first: Point, second: Point) -> (Place, bool) {
        let global = |point: Point| match point {
            Point::Zero => 0,
            Point::Global(at) => at + 1,
            Point::Cell(..) => unreachable!("handled before"),
        };
        match (first, second) {
            (Point::Cell(x, of), Point::Cell(y, other)) if of == other => {
                let (more, less) = (x.max(y), x.min(y));
                let slot = self.cells * (self.globals + 1) + more * (more - 1) / 2 + less;
                (Place::Cell(self.first_cell + slot), x < y)
            }
            (Point::Cell(x, _), Point::Cell(y, _)) => {
                let (more, less) = (x.max(y), x.min(y));
                (Place::Block(self.first_block + more * (more + 1) / 2 + less), x > y)
            }
            (Point::Cell(x, _), other) => {
                (Place::Cell(self.first_cell + x * (self.globals + 1) + global(other)), false)
            }
            (other, cell @ Point::Cell(..)) => (self.place(cell, other).0, true),
            (one, other) => {
                let (x, y) = (global(one), global(other));
                let (more, less) = (x.max(y), x.min(y));
                (Place::Global(self.first_global + more * (more - 1) / 2 + less), x < y)
            }
        }
    }

    fn reversed(&self, code: u8) -> u8 {
        if code == UNKNOWN { UNKNOWN } else { self.above() - code }
    }

    /// The code of differences that are too large.
    fn above(&self) -> u8 {
        u8::try_from(2 * self.clip + 2).expect("at most MOST_CLIP")
    }

    fn code(&self, difference: i32) -> u8 {
        u8::try_from(difference.clamp(-self.clip - 1, self.clip + 1) + self.clip + 1).expect("clipped")
    }

    /// The least and the greatest difference with a code.
    fn range(&self, code: u8) -> (i32, i32) {
        let difference = i32::from(code) - self.clip - 1;
        if code == UNKNOWN {
            (-INFINITE, INFINITE)
        } else if difference < -self.clip {
            (-INFINITE, difference)
        } else if difference > self.clip {
            (difference, INFINITE)
        } else {
            (difference, difference)
        }
    }

    /// The least and the greatest difference between two numbers.
    pub(crate) fn difference(
        &self,
        layout: &Layout,
        structure: &Structure,
        a: Point,
        b: Point,
    ) -> (i32, i32) {
        if a == b {
            return (0, 0);
        }
        let (at, reversed) = self.at(layout, a, b);
        let code = structure.bytes[at];
        self.range(if reversed { self.reversed(code) } else { code })
    }

    fn set(&self, layout: &Layout, structure: &mut Structure, (a, b): (Point, Point), code: u8) {
        let (at, reversed) = self.at(layout, a, b);
        structure.bytes[at] = if reversed { self.reversed(code) } else { code };
        if let (Point::Cell(x, i), Point::Cell(y, j)) = (a, b)
            && x == y
        {
            // The same difference from the other side.
            let block = self.first_block + x * (x + 1) / 2 + x;
            structure.bytes[layout.block(j, i, block)] = self.reversed(code);
        }
    }

    /// The numbers of some members, and the globals.
    fn points(&self, members: impl IntoIterator<Item = usize>) -> Vec<Point> {
        let mut points = vec![Point::Zero];
        points.extend((0..self.globals).map(Point::Global));
        for member in members {
            points.extend((0..self.cells).map(|cell| Point::Cell(cell, member)));
        }
        points
    }

    fn bounds(&self, layout: &Layout, structure: &Structure, points: &[Point], room: usize) -> Bounds {
        let mut bounds = Bounds::new(room);
        for (p, a) in points.iter().enumerate() {
            for (q, b) in points.iter().enumerate().take(p) {
                let (least, most) = self.difference(layout, structure, *a, *b);
                *bounds.at(p, q) = most;
                *bounds.at(q, p) = -least;
            }
        }
        bounds.close(points.len());
        bounds
    }

    /// Whether there are numbers with these differences.
    pub(crate) fn is_consistent(&self, layout: &Layout, structure: &Structure) -> bool {
        let points = self.points(0..structure.members);
        let bounds = self.bounds(layout, structure, &points, points.len());
        bounds.is_consistent()
    }

    /// Differences up to this are exact.
    pub(crate) fn clip(&self) -> i64 {
        self.clip.into()
    }

    /// For any two of some numbers, how much the first exceeds the second at most, if that is bounded; a row for each first.
    pub(crate) fn zone(
        &self,
        layout: &Layout,
        structure: &Structure,
        points: impl Iterator<Item = Point>,
    ) -> impl Iterator<Item = Option<i64>> {
        let points: Vec<Point> = points.collect();
        let bounds = self.bounds(layout, structure, &points, points.len());
        bounds.most.into_iter().map(|bound| (bound < INFINITE / 2).then(|| i64::from(bound)))
    }

    /// The differences of given numbers.
    pub(crate) fn put(&self, layout: &Layout, structure: &mut Structure, value: &dyn Fn(Point) -> i64) {
        let points = self.points(0..structure.members);
        for (p, a) in points.iter().enumerate() {
            for b in &points[..p] {
                let difference = (value(*a) - value(*b)).clamp(-MOST_CONSTANT, MOST_CONSTANT);
                let difference = i32::try_from(difference).expect("clamped");
                self.set(layout, structure, (*a, *b), self.code(difference));
            }
        }
        self.put_diagonal(layout, structure);
    }

    /// The block of a member and itself has no meaning, and always the same value.
    fn put_diagonal(&self, layout: &Layout, structure: &mut Structure) {
        for member in 0..structure.members {
            for block in self.first_block..layout.blocks.len() {
                if matches!(layout.blocks[block].kind, Kind::Difference(_)) {
                    structure.bytes[layout.block(member, member, block)] = self.code(0);
                }
            }
        }
    }

    /// Chooses the differences of initial structures one after the other. False to end the enumeration.
    pub(crate) fn choose_initial(
        &self,
        layout: &Layout,
        forget: &Forget,
        structure: &mut Structure,
        may_be: &dyn Fn(&Structure) -> bool,
        visit: &mut dyn FnMut(&Structure) -> bool,
    ) -> bool {
        let points = self.points(0..structure.members);
        let pairs = (0..points.len()).flat_map(|p| (0..p).map(move |q| (p, q)));
        let pairs = pairs.map(|(p, q)| (points[p], points[q])).filter(|pair| self.is_kept(forget, *pair));
        self.put_diagonal(layout, structure);
        self.choose_pairs(layout, &pairs.collect::<Vec<_>>(), structure, may_be, visit)
    }

    fn choose_pairs(
        &self,
        layout: &Layout,
        pairs: &[(Point, Point)],
        structure: &mut Structure,
        may_be: &dyn Fn(&Structure) -> bool,
        visit: &mut dyn FnMut(&Structure) -> bool,
    ) -> bool {
        let Some((pair, rest)) = pairs.split_first() else { return visit(structure) };
        for code in 0..=self.above() {
            self.set(layout, structure, *pair, code);
            if self.is_consistent(layout, structure)
                && may_be(structure)
                && !self.choose_pairs(layout, rest, structure, may_be, visit)
            {
                return false;
            }
        }
        self.set(layout, structure, *pair, UNKNOWN);
        true
    }

    /// Whether a difference is not hidden.
    fn is_kept(&self, forget: &Forget, (a, b): (Point, Point)) -> bool {
        *forget.keep(self.place(a, b).0) != Keep::Never
    }

    /// Hides a number: all its differences.
    pub(crate) fn hide(&self, number: Place, forget: &mut Forget) {
        let is_it = |point: Point| match point {
            Point::Zero => false,
            Point::Global(at) => number == Place::Number(at),
            Point::Cell(cell, _) => number == Place::NumberCell(cell),
        };
        let points = self.points(0..2);
        for (p, a) in points.iter().enumerate() {
            for b in points[..p].iter().filter(|b| is_it(*a) || is_it(**b)) {
                *forget.of(self.place(*a, *b).0) = Keep::Never;
            }
        }
    }

    /// The differences after a step. Where several are possible, all are tried.
    pub(crate) fn settle(
        &self,
        (layout, forget): (&Layout, &Forget),
        (before, after): (&Structure, &mut Structure),
        moves: &[Move],
        visible: &[u8],
        choices: &mut Choices,
    ) {
        let old = self.points(0..before.members);
        let bounds = self.bounds(layout, before, &old, old.len() + moves.len());
        let mut bounds = bounds.moved(&old, moves);
        let position = |point: Point| match moves.iter().position(|(moved, _)| *moved == point) {
            Some(at) => old.len() + at,
            None => old.iter().position(|known| *known == point).expect("a point of the structure"),
        };
        let seen = self.points(visible.iter().map(|member| usize::from(*member)));
        let places: Vec<usize> = seen.iter().map(|point| position(*point)).collect();
        for (x, a) in seen.iter().enumerate() {
            for (y, b) in seen.iter().enumerate().take(x) {
                let (p, q) = (places[x], places[y]);
                let known = structure_code(self, layout, after, (*a, *b)) != UNKNOWN;
                if known && p < old.len() && q < old.len() || !self.is_kept(forget, (*a, *b)) {
                    continue;
                }
                let (least, most) = (self.code(-bounds.get(q, p)), self.code(bounds.get(p, q)));
                let among = usize::from(most.saturating_sub(least)) + 1;
                let code = least + u8::try_from(choices.choose(among)).expect("a code is a byte");
                self.set(layout, after, (*a, *b), code);
                if among > 1 {
                    let (least, most) = self.range(code);
                    bounds.restrict(p, q, most);
                    bounds.restrict(q, p, -least);
                }
            }
        }
    }
}

fn structure_code(numbers: &Numbers, layout: &Layout, structure: &Structure, (a, b): (Point, Point)) -> u8 {
    structure.bytes[numbers.at(layout, a, b).0]
}

/// For any two numbers, how much the first exceeds the second at most.
struct Bounds {
    count: usize,
    most: Vec<i32>,
}

impl Bounds {
    fn new(count: usize) -> Bounds {
        let mut bounds = Bounds { count, most: vec![INFINITE; count * count] };
        (0..count).for_each(|at| *bounds.at(at, at) = 0);
        bounds
    }

    fn at(&mut self, p: usize, q: usize) -> &mut i32 {
        &mut self.most[p * self.count + q]
    }

    fn get(&self, p: usize, q: usize) -> i32 {
        self.most[p * self.count + q]
    }

    /// Tightens all bounds among the first numbers.
    fn close(&mut self, first: usize) {
        for via in 0..first {
            for p in 0..first {
                let to = self.get(p, via);
                if to == INFINITE {
                    continue;
                }
                for q in 0..first {
                    let sum = sum(to, self.get(via, q));
                    let bound = self.at(p, q);
                    *bound = sum.min(*bound);
                }
            }
        }
    }

    fn is_consistent(&self) -> bool {
        (0..self.count).all(|at| self.get(at, at) >= 0)
    }

    /// Adds the bound that one number exceeds another by at most this.
    fn restrict(&mut self, p: usize, q: usize, most: i32) {
        if most >= self.get(p, q) {
            return;
        }
        for from in 0..self.count {
            for to in 0..self.count {
                let way = sum(sum(self.get(from, p), most), self.get(q, to));
                let bound = self.at(from, to);
                *bound = way.min(*bound);
            }
        }
    }

    /// Bounds with the numbers after a step behind the old ones.
    fn moved(mut self, old: &[Point], moves: &[Move]) -> Bounds {
        let source = |to: &Option<(Point, i32)>| {
            let (from, by) = (*to)?;
            Some((old.iter().position(|point| *point == from)?, by))
        };
        let sources: Vec<Option<(usize, i32)>> = moves.iter().map(|(_, to)| source(to)).collect();
        for (at, moved) in sources.iter().enumerate() {
            let new = old.len() + at;
            let Some((from, by)) = *moved else { continue };
            for other in 0..old.len() {
                *self.at(new, other) = sum(self.get(from, other), by);
                *self.at(other, new) = sum(self.get(other, from), -by);
            }
            for (earlier, to) in sources.iter().enumerate().take(at) {
                let Some((there, shift)) = *to else { continue };
                let earlier = old.len() + earlier;
                *self.at(new, earlier) = sum(self.get(from, there), by - shift);
                *self.at(earlier, new) = sum(self.get(there, from), shift - by);
            }
        }
        self
    }
}

/// The sum of two bounds.
fn sum(a: i32, b: i32) -> i32 {
    if a >= INFINITE || b >= INFINITE { INFINITE } else { a + b }
}

/// A comparison of numbers as a difference: the first minus the second plus a constant, compared with 0. None if it is
/// more than that.
pub(crate) fn difference(left: &Term, right: &Term) -> Option<(Option<Term>, Option<Term>, i32)> {
    let negated = Linear::from_term(Sort::Int, right.clone()).times(-1)?;
    let Linear { parts, constant, .. } = Linear::from_term(Sort::Int, left.clone()).plus(negated)?;
    let constant = small(constant)?;
    let (mut more, mut less) = (None, None);
    for (factor, term) in parts {
        let place = match factor {
            1 => &mut more,
            -1 => &mut less,
            _ => return None,
        };
        if place.replace(term).is_some() {
            return None;
        }
    }
    Some((more, less, constant))
}

/// A value as a number plus a constant; none if it is more than that.
pub(crate) fn sum_of(value: &Term) -> Option<(Option<Term>, i32)> {
    let Linear { mut parts, constant, .. } = Linear::from_term(Sort::Int, value.clone());
    let constant = small(constant)?;
    match parts.as_slice() {
        [] => Some((None, constant)),
        [(1, _)] => Some((Some(parts.remove(0).1), constant)),
        _ => None,
    }
}

fn small(constant: ir::Number) -> Option<i32> {
    let is_small = constant.denominator() == 1 && constant.numerator().abs() <= MOST_CONSTANT;
    if is_small { i32::try_from(constant.numerator()).ok() } else { None }
}

/// The largest difference that must be exact for every comparison of the model to be decided.
fn clip(model: &Model) -> i32 {
    let mut clip = 0;
    let mut look = |formula: &Formula| {
        each_comparison(formula, &mut |relation, left, right| {
            let number = is_number(model, left) || is_number(model, right);
            if let Some((_, _, constant)) = difference(left, right).filter(|_| number) {
                // The difference is compared with the negated constant.
                clip = clip.max(match relation {
                    Relation::Eq | Relation::Neq => constant.abs(),
                    Relation::Le => (-constant).max(constant - 1),
                    Relation::Lt => (-constant - 1).max(constant),
                });
            }
        });
    };
    model.init.iter().for_each(|init| look(&init.formula));
    model.assumptions.iter().chain(&model.properties).for_each(|property| look(&property.formula));
    for transition in &model.transitions {
        look(&transition.guard);
        transition.updates.iter().flat_map(|update| &update.arms).for_each(|arm| look(&arm.condition));
    }
    clip
}

pub(crate) fn is_number(model: &Model, term: &Term) -> bool {
    match term {
        Term::Linear(_) | Term::ProcessCount | Term::Count { .. } => true,
        Term::Read { symbol, .. } => matches!(model.symbol(*symbol).sort, Sort::Int | Sort::Real),
        _ => false,
    }
}

fn each_comparison(formula: &Formula, look: &mut dyn FnMut(Relation, &Term, &Term)) {
    match formula {
        Formula::True | Formula::False | Formula::Fence => {}
        Formula::Compare(relation, left, right) => look(*relation, left, right),
        Formula::Not(inner) | Formula::Quantified { body: inner, .. } => each_comparison(inner, look),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().for_each(|part| each_comparison(part, look));
        }
        Formula::Iff(left, right) => [left, right].into_iter().for_each(|part| each_comparison(part, look)),
        Formula::If(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|part| each_comparison(part, look));
        }
    }
}
