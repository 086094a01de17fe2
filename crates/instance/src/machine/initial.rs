//! The initial states of an instance: all states that satisfy `init`, found by propagation and branching.
//!
//! Equations fix slots or make two of them equal; then the solver branches on the values of a slot that the rest of
//! the formula mentions, or, if only numbers are left, on a disjunction. Slots that nothing mentions are open: each
//! of their values gives an initial state, except that numbers stay unset.

use super::{
    Sample,
    ground::{Cond, Expr},
    layout::Slot,
    steps::Choice,
};
use explore::{Deadline, Limit};
use std::collections::BTreeSet;

/// More initial states than this are refused.
pub(super) const MAX_STATES: usize = 2_000_000;
/// So are more branches of the search for them: `init` may be hard to satisfy.
const MAX_BRANCHES: usize = 5_000_000;

/// Why the initial states cannot be listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InitialError {
    /// The condition depends on a number with infinitely many values; its slot.
    NeedsRange(usize),
    /// There are too many initial states, or too many branches.
    TooMany,
    /// A limit was hit.
    Limit(Limit),
    /// A number does not fit into its slot, which is given.
    TooLarge(usize),
}

/// Finds all states that satisfy a condition.
pub(super) struct Solver<'a> {
    pub(super) slots: &'a [Slot],
    pub(super) choices: &'a [Choice],
    pub(super) words: usize,
    /// If set, only a sample of the values of open slots is tried.
    pub(super) sample: Option<Sample>,
    /// The largest number of initial states to accept.
    pub(super) most: usize,
    pub(super) deadline: &'a Deadline,
    /// For each slot whether the user gave it a range.
    pub(super) ranged: &'a [bool],
    pub(super) found: BTreeSet<Vec<u64>>,
    /// Whether such a range excluded some states.
    pub(super) cut: bool,
    /// The number of branching points so far.
    pub(super) branches: usize,
    /// The number of conditions simplified and states emitted; decides when the deadline is checked.
    pub(super) work: usize,
}

/// Partial assignment of values to slots.
#[derive(Debug, Clone)]
struct Known {
    /// The value of each slot that represents itself; see `same_as`.
    value: Vec<Option<i64>>,
    /// An earlier slot that each slot is equal to, or the slot itself: a union-find forest.
    same_as: Vec<usize>,
    /// Whether a slot holds an outsider; other slots must not.
    outside: Vec<bool>,
}

impl Known {
    fn slot(&self, mut slot: usize) -> usize {
        while self.same_as[slot] != slot {
            slot = self.same_as[slot];
        }
        slot
    }
}

impl Solver<'_> {
    /// Adds all states that satisfy a condition, with outsiders in some slots.
    pub(super) fn solve(&mut self, condition: &Cond, outsiders: &[(usize, i64)]) -> Result<(), InitialError> {
        let count = self.slots.len();
        let mut known =
            Known { value: vec![None; count], same_as: (0..count).collect(), outside: vec![false; count] };
        for (slot, value) in outsiders {
            known.value[*slot] = Some(*value);
            known.outside[*slot] = true;
        }
        self.branch(condition, known)
    }

    fn branch(&mut self, condition: &Cond, mut known: Known) -> Result<(), InitialError> {
        self.look_at_the_clock()?;
        let mut condition = simplify(condition, &known);
        while let Some(consistent) = self.propagate(&condition, &mut known) {
            if !consistent {
                return Ok(());
            }
            condition = simplify(&condition, &known);
        }
        match condition {
            Cond::Constant(false) => Ok(()),
            Cond::Constant(true) => match self.sample {
                None => self.fill(&known),
                Some(Sample { seed, draws, .. }) => {
                    let first = seed.wrapping_mul(0xd6e8_feb8_6659_fd93);
                    (0..draws).try_for_each(|draw| self.draw(&known, first.wrapping_add(draw)))
                }
            },
            condition => self.split(&condition, &known),
        }
    }

    /// Uses one equation of a conjunction. `None` if there is none; false if it cannot hold.
    fn propagate(&self, condition: &Cond, known: &mut Known) -> Option<bool> {
        let parts = match condition {
            Cond::All(parts) => parts.as_slice(),
            single => std::slice::from_ref(single),
        };
        parts.iter().find_map(|part| match part {
            Cond::Equal(Expr::Slot(slot), Expr::Constant(value))
            | Cond::Equal(Expr::Constant(value), Expr::Slot(slot)) => {
                known.value[*slot] = Some(*value);
                Some(self.allows(*slot, *value))
            }
            Cond::Equal(Expr::Slot(a), Expr::Slot(b)) if a != b => {
                let (first, second) = (*a.min(b), *a.max(b));
                known.same_as[second] = first;
                Some(true)
            }
            _ => None,
        })
    }

    /// Whether a slot may hold a value initially. Ranges that the user gave are not checked here.
    fn allows(&self, slot: usize, value: i64) -> bool {
        let code = self.slots[slot].encode(value);
        match &self.choices[slot] {
            Choice::Codes(codes) => code.is_some_and(|code| codes.contains(&code)) || self.ranged[slot],
            Choice::Fresh(_) => code.is_some(),
            Choice::Unbounded => true,
        }
    }

    /// Branches on the values of a slot or, if only numbers are left, on a disjunction. Values come first, since they
    /// are mutually exclusive, so that nothing is found twice. Numbers with a range from the user come last, since
    /// the range only stands in for all numbers.
    fn split(&mut self, condition: &Cond, known: &Known) -> Result<(), InitialError> {
        self.branches += 1;
        if self.branches > MAX_BRANCHES {
            return Err(InitialError::TooMany);
        }
        let slot = self.mentioned(condition, known).expect("a condition without open slots is constant");
        let parts: Vec<Cond> = match condition {
            Cond::All(parts) => parts.clone(),
            single => vec![single.clone()],
        };
        let at = parts.iter().position(|part| matches!(part, Cond::Any(_)));
        let Some(at) = at.filter(|_| self.is_number(slot)) else {
            return self.try_values(slot, condition, known);
        };
        let Cond::Any(branches) = &parts[at] else { unreachable!("just found") };
        for branch in branches {
            let mut with = parts.clone();
            with[at] = branch.clone();
            self.branch(&Cond::all(with), known.clone())?;
        }
        Ok(())
    }

    fn try_values(&mut self, slot: usize, condition: &Cond, known: &Known) -> Result<(), InitialError> {
        let mut values = self.values(slot, known).ok_or(InitialError::NeedsRange(slot))?;
        self.cut |= self.ranged[slot];
        self.begin_anywhere(slot, &mut values);
        for value in values {
            if self.has_enough() {
                break;
            }
            let mut known = known.clone();
            known.value[slot] = Some(value);
            self.branch(condition, known)?;
        }
        Ok(())
    }

    fn has_enough(&self) -> bool {
        self.sample.is_some_and(|sample| self.found.len() >= sample.enough)
    }

    /// If the search may end before all values are tried, begins with a random one.
    fn begin_anywhere(&self, slot: usize, values: &mut [i64]) {
        let Some(sample) = self.sample.filter(|sample| sample.enough < MAX_STATES) else { return };
        let mixed = (sample.seed ^ (self.branches as u64).rotate_left(32) ^ slot as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let from = usize::try_from(mixed >> 33).unwrap_or(0) % values.len().max(1);
        values.rotate_left(from);
    }

    /// Whether a slot holds a number that the model does not bound.
    fn is_number(&self, slot: usize) -> bool {
        self.ranged[slot] || self.choices[slot] == Choice::Unbounded
    }

    /// An unassigned slot that a condition reads, one that is not an unbounded number if possible.
    fn mentioned(&self, condition: &Cond, known: &Known) -> Option<usize> {
        let mut slots = Vec::new();
        each_slot(condition, &mut |slot| slots.push(known.slot(slot)));
        slots.retain(|slot| known.value[*slot].is_none());
        slots.iter().find(|slot| !self.is_number(**slot)).or(slots.first()).copied()
    }

    /// The values that a slot may have; for abstract types those present, and one more. `None` if there are
    /// infinitely many.
    fn values(&self, slot: usize, known: &Known) -> Option<Vec<i64>> {
        let low = self.slots[slot].low;
        match &self.choices[slot] {
            Choice::Codes(codes) => Some(codes.iter().map(|code| code.cast_signed() + low).collect()),
            Choice::Fresh(same) => {
                let largest = same.iter().filter_map(|other| known.value[known.slot(*other)]).max();
                Some((0..=largest.map_or(0, |largest| largest + 1).min(last_code(same))).collect())
            }
            Choice::Unbounded => None,
        }
    }

    /// Emits all completions of an assignment that already satisfies the condition.
    fn fill(&mut self, known: &Known) -> Result<(), InitialError> {
        let open = (0..self.slots.len()).find(|slot| {
            known.same_as[*slot] == *slot
                && known.value[*slot].is_none()
                && self.choices[*slot] != Choice::Unbounded
        });
        let Some(slot) = open else { return self.emit(known) };
        self.cut |= self.ranged[slot];
        for value in self.values(slot, known).unwrap_or_default() {
            let mut known = known.clone();
            known.value[slot] = Some(value);
            self.fill(&known)?;
        }
        Ok(())
    }

    /// Emits one completion of an assignment that already satisfies the condition, with pseudo-random values that
    /// depend on `draw`.
    fn draw(&mut self, known: &Known, draw: u64) -> Result<(), InitialError> {
        let mut known = known.clone();
        for slot in 0..self.slots.len() {
            if known.same_as[slot] != slot || known.value[slot].is_some() {
                continue;
            }
            let Some(values) = self.values(slot, &known) else { continue };
            let mixed =
                draw.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) ^ (slot as u64).wrapping_mul(draw);
            let at = mixed.wrapping_mul(0xff51_afd7_ed55_8ccd) >> 33;
            known.value[slot] = values.get(usize::try_from(at).unwrap_or(0) % values.len().max(1)).copied();
        }
        self.emit(&known)
    }

    /// Checks the deadline, but only now and then: reading the clock is not free.
    fn look_at_the_clock(&mut self) -> Result<(), InitialError> {
        self.work += 1;
        let ended = if self.work.is_multiple_of(256) { self.deadline.ended() } else { None };
        ended.map_or(Ok(()), |limit| Err(InitialError::Limit(limit)))
    }

    fn emit(&mut self, known: &Known) -> Result<(), InitialError> {
        self.look_at_the_clock()?;
        let mut state = vec![0; self.words];
        for (at, slot) in self.slots.iter().enumerate() {
            let Some(value) = known.value[known.slot(at)] else { continue };
            if !known.outside[at] && !self.allows(at, value) {
                return Ok(());
            }
            match slot.encode(value) {
                Some(code) => slot.set(&mut state, code),
                None if self.ranged[at] => {
                    self.cut = true;
                    return Ok(());
                }
                None => return Err(InitialError::TooLarge(at)),
            }
        }
        self.found.insert(state);
        if self.found.len() > self.most { Err(InitialError::TooMany) } else { Ok(()) }
    }
}

/// The largest code of an abstract type, which has as many values as slots.
fn last_code(slots: &[usize]) -> i64 {
    i64::try_from(slots.len()).map_or(i64::MAX, |count| count - 1)
}

/// Substitutes known values and simplifies.
fn simplify(condition: &Cond, known: &Known) -> Cond {
    let rec = |condition: &Cond| simplify(condition, known);
    match condition {
        Cond::Constant(_) => condition.clone(),
        Cond::Equal(left, right) => {
            let (left, right) = (value(left, known), value(right, known));
            if left == right && matches!(left, Expr::Slot(_)) {
                Cond::Constant(true)
            } else {
                Cond::equal(left, right)
            }
        }
        Cond::Less(left, right) => Cond::less(value(left, known), value(right, known)),
        Cond::Not(inner) => negated(rec(inner)),
        Cond::All(parts) => Cond::all(parts.iter().map(rec)),
        Cond::Any(parts) => Cond::any(parts.iter().map(rec)),
        Cond::Iff(left, right) => Cond::iff(rec(left), rec(right)),
        Cond::If(condition, then, otherwise) => match rec(condition) {
            Cond::Constant(true) => rec(then),
            Cond::Constant(false) => rec(otherwise),
            condition => Cond::any([
                Cond::all([condition.clone(), rec(then)]),
                Cond::all([negated(condition), rec(otherwise)]),
            ]),
        },
    }
}

/// Pushes negation inward, so that disjunctions become visible.
fn negated(condition: Cond) -> Cond {
    match condition {
        Cond::All(parts) => Cond::any(parts.into_iter().map(negated)),
        Cond::Any(parts) => Cond::all(parts.into_iter().map(negated)),
        Cond::Iff(left, right) => Cond::any([
            Cond::all([(*left).clone(), negated((*right).clone())]),
            Cond::all([negated(*left), *right]),
        ]),
        other => other.not(),
    }
}

fn value(expr: &Expr, known: &Known) -> Expr {
    let parts = |parts: &[(i64, Expr)]| -> Vec<(i64, Expr)> {
        parts.iter().map(|(factor, part)| (*factor, value(part, known))).collect()
    };
    match expr {
        Expr::Constant(_) => expr.clone(),
        Expr::Slot(slot) => {
            let slot = known.slot(*slot);
            known.value[slot].map_or(Expr::Slot(slot), Expr::Constant)
        }
        Expr::Cell { first, indices } => {
            let (at, open) = cell(*first, parts(indices));
            if open.is_empty() {
                value(&Expr::Slot(at), known)
            } else {
                Expr::Cell { first: at, indices: open }
            }
        }
        Expr::Sum { parts: list, constant } => {
            Expr::sum(parts(list), *constant).unwrap_or(Expr::Constant(i64::MAX))
        }
        Expr::Count { first, indices, cells, value: wanted } => {
            let (at, open) = cell(*first, parts(indices));
            let wanted = Box::new(value(wanted, known));
            let counted = if open.is_empty() { count(at, *cells, &wanted, known) } else { None };
            counted.map_or(
                Expr::Count { first: at, indices: open, cells: *cells, value: wanted },
                Expr::Constant,
            )
        }
        Expr::Table { entries, index } => match value(index, known) {
            Expr::Constant(at) => {
                Expr::Constant(usize::try_from(at).ok().and_then(|at| entries.get(at).copied()).unwrap_or(-1))
            }
            index => Expr::Table { entries: entries.clone(), index: Box::new(index) },
        },
    }
}

fn cell(first: usize, indices: Vec<(i64, Expr)>) -> (usize, Vec<(i64, Expr)>) {
    let mut at = first;
    let mut open = Vec::new();
    for (stride, index) in indices {
        match index {
            Expr::Constant(process) => at += usize::try_from(stride * process).unwrap_or(0),
            index => open.push((stride, index)),
        }
    }
    (at, open)
}

/// The number of cells with a value, if the values of all cells are known.
fn count(first: usize, cells: usize, wanted: &Expr, known: &Known) -> Option<i64> {
    let Expr::Constant(wanted) = wanted else { return None };
    let values: Option<Vec<i64>> = (first..first + cells).map(|slot| known.value[known.slot(slot)]).collect();
    Some(values?.iter().filter(|value| *value == wanted).count().try_into().unwrap_or(i64::MAX))
}

fn each_slot(condition: &Cond, visit: &mut impl FnMut(usize)) {
    match condition {
        Cond::Constant(_) => {}
        Cond::Equal(left, right) | Cond::Less(left, right) => {
            slots_of(left, visit);
            slots_of(right, visit);
        }
        Cond::Not(inner) => each_slot(inner, visit),
        Cond::All(parts) | Cond::Any(parts) => parts.iter().for_each(|part| each_slot(part, visit)),
        Cond::Iff(left, right) => {
            each_slot(left, visit);
            each_slot(right, visit);
        }
        Cond::If(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|part| each_slot(part, visit));
        }
    }
}

fn slots_of(expr: &Expr, visit: &mut impl FnMut(usize)) {
    match expr {
        Expr::Constant(_) => {}
        Expr::Slot(slot) => visit(*slot),
        Expr::Cell { indices, .. } | Expr::Sum { parts: indices, .. } => {
            indices.iter().for_each(|(_, index)| slots_of(index, visit));
        }
        Expr::Count { indices, first, cells, value } => {
            indices.iter().for_each(|(_, index)| slots_of(index, visit));
            slots_of(value, visit);
            if indices.is_empty() {
                (*first..first + cells).for_each(visit);
            }
        }
        Expr::Table { index, .. } => slots_of(index, visit),
    }
}
