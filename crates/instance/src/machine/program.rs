//! Conditions and values as flat programs over packed states.
//!
//! A comparison of a variable with a constant is a test of a bit field; a conjunction of such tests on one word is a
//! single test.

use super::{
    ground::{Cond as Tree, Expr as Value},
    layout::Slot,
};

/// A test of some bits of one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FieldTest {
    word: usize,
    mask: u64,
    value: u64,
}

impl FieldTest {
    #[inline]
    fn holds(&self, state: &[u64]) -> bool {
        state[self.word] & self.mask == self.value
    }
}

/// The position of a condition in its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CondId(u32);

/// The position of a value in its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ExprId(u32);

/// Consecutive entries of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    start: u32,
    end: u32,
}

impl Run {
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cond {
    Constant(bool),
    Field(FieldTest),
    NotField(FieldTest),
    Equal(ExprId, ExprId),
    Less(ExprId, ExprId),
    Not(CondId),
    All(Run),
    Any(Run),
    Iff(CondId, CondId),
    If(CondId, CondId, CondId),
}

#[derive(Debug, Clone, Copy)]
enum Expr {
    Constant(i64),
    Slot(usize),
    Cell { first: usize, indices: Run },
    Sum { parts: Run, constant: i64 },
    Count { first: usize, indices: Run, cells: usize, value: ExprId },
    Table { entries: Run, index: ExprId },
}

/// A conjunction split into bit field tests and the rest.
#[derive(Debug, Clone)]
pub(super) struct Guard {
    /// At most one test for each word.
    fields: Vec<FieldTest>,
    rest: Option<CondId>,
}

/// Why a condition or expression has no value in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// A number is read before it is set; its slot.
    Unset(usize),
    /// An outsider is used as an index.
    Outsider,
    /// A number grows beyond 64 bits.
    Overflow,
}

/// All conditions and values of an instance.
#[derive(Debug, Clone, Default)]
pub(super) struct Program {
    conds: Vec<Cond>,
    exprs: Vec<Expr>,
    cond_lists: Vec<CondId>,
    /// Values with a factor: strides of indices, coefficients of sums.
    expr_lists: Vec<(i64, ExprId)>,
    constants: Vec<i64>,
    slots: Vec<Slot>,
    processes: i64,
}

impl Program {
    pub(super) fn new(slots: &[Slot], processes: usize) -> Program {
        let processes = i64::try_from(processes).expect("fewer than 2^63 processes");
        Program { slots: slots.to_vec(), processes, ..Program::default() }
    }

    /// Compiles a condition.
    pub(super) fn cond(&mut self, tree: &Tree) -> CondId {
        let cond = match tree {
            Tree::Constant(value) => Cond::Constant(*value),
            Tree::Equal(left, right) => match self.field_test(left, right) {
                Some(cond) => cond,
                None => Cond::Equal(self.expr(left), self.expr(right)),
            },
            Tree::Less(left, right) => Cond::Less(self.expr(left), self.expr(right)),
            Tree::Not(inner) => {
                let inner = self.cond(inner);
                match self.conds[inner.0 as usize] {
                    Cond::Field(test) => Cond::NotField(test),
                    Cond::Constant(value) => Cond::Constant(!value),
                    _ => Cond::Not(inner),
                }
            }
            Tree::All(parts) => Cond::All(self.cond_list(parts)),
            Tree::Any(parts) => Cond::Any(self.cond_list(parts)),
            Tree::Iff(left, right) => Cond::Iff(self.cond(left), self.cond(right)),
            Tree::If(condition, then, otherwise) => {
                Cond::If(self.cond(condition), self.cond(then), self.cond(otherwise))
            }
        };
        self.conds.push(cond);
        CondId(index(self.conds.len() - 1))
    }

    /// A test for a slot being equal to a constant. Not for numbers: they may be unset, which only reading them finds
    /// out.
    fn field_test(&self, left: &Value, right: &Value) -> Option<Cond> {
        let (Value::Slot(slot), Value::Constant(value)) = (left, right) else {
            let (Value::Constant(_), Value::Slot(_)) = (left, right) else { return None };
            return self.field_test(right, left);
        };
        let slot = self.slots[*slot];
        if slot.unset {
            return None;
        }
        Some(slot.encode(*value).map_or(Cond::Constant(false), |code| {
            Cond::Field(FieldTest {
                word: slot.word,
                mask: slot.mask << slot.shift,
                value: code << slot.shift,
            })
        }))
    }

    fn cond_list(&mut self, parts: &[Tree]) -> Run {
        let list: Vec<CondId> = parts.iter().map(|part| self.cond(part)).collect();
        add(&mut self.cond_lists, &list)
    }

    /// Compiles a value.
    pub(super) fn expr(&mut self, value: &Value) -> ExprId {
        let expr = match value {
            Value::Constant(value) => Expr::Constant(*value),
            Value::Slot(slot) => Expr::Slot(*slot),
            Value::Cell { first, indices } => Expr::Cell { first: *first, indices: self.expr_list(indices) },
            Value::Sum { parts, constant } => Expr::Sum { parts: self.expr_list(parts), constant: *constant },
            Value::Count { first, indices, cells, value } => {
                let (indices, value) = (self.expr_list(indices), self.expr(value));
                Expr::Count { first: *first, indices, cells: *cells, value }
            }
            Value::Table { entries, index } => {
                let entries = add(&mut self.constants, entries);
                Expr::Table { entries, index: self.expr(index) }
            }
        };
        self.exprs.push(expr);
        ExprId(index(self.exprs.len() - 1))
    }

    fn expr_list(&mut self, parts: &[(i64, Value)]) -> Run {
        let list: Vec<(i64, ExprId)> =
            parts.iter().map(|(factor, part)| (*factor, self.expr(part))).collect();
        add(&mut self.expr_lists, &list)
    }

    /// Compiles a condition as a guard; `None` if it never holds.
    pub(super) fn guard(&mut self, tree: &Tree) -> Option<Guard> {
        let parts = match tree {
            Tree::Constant(false) => return None,
            Tree::Constant(true) => &[],
            Tree::All(parts) => parts.as_slice(),
            single => std::slice::from_ref(single),
        };
        let mut fields: Vec<FieldTest> = Vec::new();
        let mut rest = Vec::new();
        for part in parts {
            let test = match part {
                Tree::Equal(left, right) => self.field_test(left, right),
                _ => None,
            };
            match test {
                Some(Cond::Field(test)) => {
                    if !merge(&mut fields, test) {
                        return None;
                    }
                }
                Some(_) => return None,
                None => rest.push(part.clone()),
            }
        }
        let rest = if rest.is_empty() { None } else { Some(self.cond(&Tree::all(rest))) };
        Some(Guard { fields, rest })
    }

    /// Whether a guard holds.
    #[inline]
    pub(super) fn passes(&self, guard: &Guard, state: &[u64]) -> Result<bool, Trouble> {
        if !guard.fields.iter().all(|test| test.holds(state)) {
            return Ok(false);
        }
        guard.rest.map_or(Ok(true), |rest| self.holds(rest, state))
    }

    /// Whether a condition holds. A part without a value does not matter if another part decides.
    pub(super) fn holds(&self, id: CondId, state: &[u64]) -> Result<bool, Trouble> {
        Ok(match self.conds[id.0 as usize] {
            Cond::Constant(value) => value,
            Cond::Field(test) => test.holds(state),
            Cond::NotField(test) => !test.holds(state),
            Cond::Equal(left, right) => self.value(left, state)? == self.value(right, state)?,
            Cond::Less(left, right) => self.value(left, state)? < self.value(right, state)?,
            Cond::Not(inner) => !self.holds(inner, state)?,
            Cond::All(run) => return self.decide(run, false, state),
            Cond::Any(run) => return self.decide(run, true, state),
            Cond::Iff(left, right) => self.holds(left, state)? == self.holds(right, state)?,
            Cond::If(condition, then, otherwise) => {
                let branch = if self.holds(condition, state)? { then } else { otherwise };
                self.holds(branch, state)?
            }
        })
    }

    /// `decisive` if some part has that value; otherwise the opposite, or the first error.
    fn decide(&self, run: Run, decisive: bool, state: &[u64]) -> Result<bool, Trouble> {
        let mut trouble = None;
        for part in &self.cond_lists[run.range()] {
            match self.holds(*part, state) {
                Ok(value) if value == decisive => return Ok(decisive),
                Ok(_) => {}
                Err(found) => trouble = trouble.or(Some(found)),
            }
        }
        trouble.map_or(Ok(!decisive), Err)
    }

    /// Evaluates an expression to a number, or to the code of anything else.
    pub(super) fn value(&self, id: ExprId, state: &[u64]) -> Result<i64, Trouble> {
        match self.exprs[id.0 as usize] {
            Expr::Constant(value) => Ok(value),
            Expr::Slot(slot) => self.read(slot, state),
            Expr::Cell { first, indices } => self.read(self.cell(first, indices, state)?, state),
            Expr::Sum { parts, constant } => {
                self.expr_lists[parts.range()].iter().try_fold(constant, |sum, (factor, part)| {
                    let product = factor.checked_mul(self.value(*part, state)?).ok_or(Trouble::Overflow)?;
                    sum.checked_add(product).ok_or(Trouble::Overflow)
                })
            }
            Expr::Count { first, indices, cells, value } => {
                let value = self.value(value, state)?;
                let first = self.cell(first, indices, state)?;
                let mut count = 0;
                for slot in first..first + cells {
                    count += i64::from(self.read(slot, state)? == value);
                }
                Ok(count)
            }
            Expr::Table { entries, index } => {
                let at = usize::try_from(self.value(index, state)?).unwrap_or(usize::MAX);
                self.constants[entries.range()].get(at).copied().ok_or(Trouble::Outsider)
            }
        }
    }

    /// The slot of a cell, by evaluating its indices.
    fn cell(&self, first: usize, indices: Run, state: &[u64]) -> Result<usize, Trouble> {
        let mut at = first;
        for (stride, index) in &self.expr_lists[indices.range()] {
            let process = self.value(*index, state)?;
            if process >= self.processes {
                return Err(Trouble::Outsider);
            }
            at += usize::try_from(stride * process).map_err(|_| Trouble::Outsider)?;
        }
        Ok(at)
    }

    #[inline]
    fn read(&self, at: usize, state: &[u64]) -> Result<i64, Trouble> {
        let slot = &self.slots[at];
        let code = slot.code(state);
        if slot.unset && code == 0 {
            return Err(Trouble::Unset(at));
        }
        Ok(code.cast_signed() + slot.low)
    }
}

/// Merges a test with that of the same word; false if they contradict each other.
fn merge(fields: &mut Vec<FieldTest>, test: FieldTest) -> bool {
    let Some(known) = fields.iter_mut().find(|known| known.word == test.word) else {
        fields.push(test);
        return true;
    };
    let shared = known.mask & test.mask;
    let agree = known.value & shared == test.value & shared;
    known.mask |= test.mask;
    known.value |= test.value;
    agree
}

fn index(at: usize) -> u32 {
    u32::try_from(at).expect("an instance has fewer than 2^32 conditions")
}

fn add<T: Clone>(all: &mut Vec<T>, list: &[T]) -> Run {
    let start = index(all.len());
    all.extend_from_slice(list);
    Run { start, end: index(all.len()) }
}
