//! Grounding: formulas and terms of the typed form, without variables and quantifiers, for given processes.

use super::{layout::Layout, number::Scale};
use ir::{Formula, Model, Quantifier, Relation, SymbolId, Term, Var};

/// A condition on a state.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cond {
    Constant(bool),
    Equal(Expr, Expr),
    Less(Expr, Expr),
    Not(Box<Cond>),
    All(Vec<Cond>),
    Any(Vec<Cond>),
    Iff(Box<Cond>, Box<Cond>),
    If(Box<Cond>, Box<Cond>, Box<Cond>),
}

/// A value in a state: a number, or the code of anything else.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    Constant(i64),
    Slot(usize),
    /// The slot at `first` plus, for each index, its value times a stride.
    Cell {
        first: usize,
        indices: Vec<(i64, Expr)>,
    },
    /// A constant plus multiples of values.
    Sum {
        parts: Vec<(i64, Expr)>,
        constant: i64,
    },
    /// The number of slots that have a given value, among `cells` slots from a cell on that is given as above.
    Count {
        first: usize,
        indices: Vec<(i64, Expr)>,
        cells: usize,
        value: Box<Expr>,
    },
    /// An entry of a table of constants.
    Table {
        entries: Vec<i64>,
        index: Box<Expr>,
    },
}

impl Cond {
    pub(super) fn not(self) -> Cond {
        match self {
            Cond::Constant(value) => Cond::Constant(!value),
            Cond::Not(inner) => *inner,
            other => Cond::Not(Box::new(other)),
        }
    }

    pub(super) fn all(parts: impl IntoIterator<Item = Cond>) -> Cond {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Cond::Constant(true) => {}
                Cond::Constant(false) => return part,
                Cond::All(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Cond::Constant(true),
            1 => kept.remove(0),
            _ => Cond::All(kept),
        }
    }

    pub(super) fn any(parts: impl IntoIterator<Item = Cond>) -> Cond {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Cond::Constant(false) => {}
                Cond::Constant(true) => return part,
                Cond::Any(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Cond::Constant(false),
            1 => kept.remove(0),
            _ => Cond::Any(kept),
        }
    }

    pub(super) fn iff(left: Cond, right: Cond) -> Cond {
        match (left, right) {
            (Cond::Constant(value), other) | (other, Cond::Constant(value)) => {
                if value {
                    other
                } else {
                    other.not()
                }
            }
            (left, right) => Cond::Iff(Box::new(left), Box::new(right)),
        }
    }

    pub(super) fn equal(left: Expr, right: Expr) -> Cond {
        match (&left, &right) {
            (Expr::Constant(a), Expr::Constant(b)) => Cond::Constant(a == b),
            _ => Cond::Equal(left, right),
        }
    }

    pub(super) fn less(left: Expr, right: Expr) -> Cond {
        match (&left, &right) {
            (Expr::Constant(a), Expr::Constant(b)) => Cond::Constant(a < b),
            _ => Cond::Less(left, right),
        }
    }
}

impl Expr {
    /// A sum, with constants added up. None on overflow.
    pub(super) fn sum(parts: Vec<(i64, Expr)>, constant: i64) -> Option<Expr> {
        let mut total = constant;
        let mut open = Vec::new();
        for (factor, part) in parts {
            match part {
                Expr::Constant(value) => total = total.checked_add(factor.checked_mul(value)?)?,
                part => open.push((factor, part)),
            }
        }
        Some(match open.as_slice() {
            [] => Expr::Constant(total),
            [(1, _)] if total == 0 => open.remove(0).1,
            _ => Expr::Sum { parts: open, constant: total },
        })
    }
}

/// The process that each variable of an item is bound to, from 0; `None` if it is unbound.
pub(super) type Binding = Vec<Option<usize>>;

/// Replaces variables by processes and expands quantifiers.
pub(super) struct Grounder<'m> {
    pub(super) model: &'m Model,
    pub(super) layout: &'m Layout,
    pub(super) scale: Scale,
    /// The kind of each process.
    pub(super) kinds: &'m [u32],
}

impl Grounder<'_> {
    /// Grounds a formula under a binding of its variables.
    pub(super) fn formula(&self, formula: &Formula, binding: &mut Binding) -> Cond {
        match formula {
            // Under sequential consistency nothing is ever buffered.
            Formula::True | Formula::Fence => Cond::Constant(true),
            Formula::False => Cond::Constant(false),
            Formula::Compare(relation, left, right) => self.compare(*relation, left, right, binding),
            Formula::Not(inner) => self.formula(inner, binding).not(),
            Formula::And(parts) => {
                Cond::all(parts.iter().map(|part| self.formula(part, binding)).collect::<Vec<_>>())
            }
            Formula::Or(parts) => {
                Cond::any(parts.iter().map(|part| self.formula(part, binding)).collect::<Vec<_>>())
            }
            Formula::Iff(left, right) => {
                let left = self.formula(left, binding);
                Cond::iff(left, self.formula(right, binding))
            }
            Formula::If(condition, then, otherwise) => match self.formula(condition, binding) {
                Cond::Constant(true) => self.formula(then, binding),
                Cond::Constant(false) => self.formula(otherwise, binding),
                condition => {
                    let then = Box::new(self.formula(then, binding));
                    Cond::If(Box::new(condition), then, Box::new(self.formula(otherwise, binding)))
                }
            },
            Formula::Quantified { quantifier, variables, apart_from, body } => {
                let excluded: Vec<usize> = apart_from.iter().filter_map(|var| bound(binding, *var)).collect();
                let mut parts = Vec::new();
                self.each_distinct(variables, &excluded, binding, &mut |binding| {
                    parts.push(self.formula(body, binding));
                });
                if *quantifier == Quantifier::Forall { Cond::all(parts) } else { Cond::any(parts) }
            }
        }
    }

    /// Calls `visit` for every way to bind variables to pairwise distinct processes, none of them excluded.
    pub(super) fn each_distinct(
        &self,
        variables: &[Var],
        excluded: &[usize],
        binding: &mut Binding,
        visit: &mut dyn FnMut(&mut Binding),
    ) {
        let Some((first, rest)) = variables.split_first() else { return visit(binding) };
        for process in (0..self.layout.processes).filter(|process| !excluded.contains(process)) {
            set(binding, *first, process);
            let excluded = [excluded, &[process]].concat();
            self.each_distinct(rest, &excluded, binding, visit);
        }
    }

    /// Calls `visit` for every assignment of the variables, distinct or not, the last changing fastest.
    pub(super) fn each_tuple(
        &self,
        variables: &[Var],
        binding: &mut Binding,
        visit: &mut dyn FnMut(&mut Binding),
    ) {
        let Some((first, rest)) = variables.split_first() else { return visit(binding) };
        for process in 0..self.layout.processes {
            set(binding, *first, process);
            self.each_tuple(rest, binding, visit);
        }
    }

    fn compare(&self, relation: Relation, left: &Term, right: &Term, binding: &mut Binding) -> Cond {
        let (left, right) = (self.term(left, binding), self.term(right, binding));
        match relation {
            Relation::Eq => Cond::equal(left, right),
            Relation::Neq => Cond::equal(left, right).not(),
            Relation::Lt => Cond::less(left, right),
            Relation::Le => Cond::less(right, left).not(),
        }
    }

    /// Grounds a term under a binding of its variables.
    pub(super) fn term(&self, term: &Term, binding: &mut Binding) -> Expr {
        match term {
            Term::Var(var) => {
                Expr::Constant(code(bound(binding, *var).expect("variables are bound where they are used")))
            }
            Term::Process(k) => Expr::Constant(i64::from(*k) - 1),
            Term::Outsider(id) => Expr::Constant(code(self.layout.processes + id.index())),
            Term::Constructor(_, at) => Expr::Constant(i64::from(*at)),
            Term::Read { symbol, indices, .. } => self.read(*symbol, indices, binding),
            Term::ProcessCount => Expr::Constant(code(self.layout.processes)),
            Term::Linear(linear) => {
                let constant = self.scale.integer(linear.constant, linear.sort);
                let parts =
                    linear.parts.iter().map(|(factor, part)| (*factor, self.term(part, binding))).collect();
                // A constant that overflows becomes the largest number, which no slot can hold.
                constant.and_then(|constant| Expr::sum(parts, constant)).unwrap_or(Expr::Constant(i64::MAX))
            }
            Term::Count { symbol, row, value } => self.count(*symbol, row, value.as_deref(), binding),
        }
    }

    fn read(&self, symbol: SymbolId, indices: &[Term], binding: &mut Binding) -> Expr {
        let Some(first) = self.layout.first(symbol) else {
            return self.kind_of(self.term(&indices[0], binding));
        };
        let (first, indices) = self.cell(first, indices, 0, binding);
        if indices.is_empty() { Expr::Slot(first) } else { Expr::Cell { first, indices } }
    }

    /// The kind of a process, which is a constant of the instance.
    fn kind_of(&self, process: Expr) -> Expr {
        let entries: Vec<i64> = self.kinds.iter().copied().map(i64::from).collect();
        match process {
            Expr::Constant(at) if usize::try_from(at).is_ok_and(|at| at < entries.len()) => {
                Expr::Constant(entries[usize::try_from(at).unwrap_or(0)])
            }
            process => Expr::Table { entries, index: Box::new(process) },
        }
    }

    fn count(&self, symbol: SymbolId, row: &[Term], value: Option<&Term>, binding: &mut Binding) -> Expr {
        let open = self.model.symbol(symbol).arity - row.len();
        let cells = self.layout.processes.pow(power(open));
        let Some(value) = value else { return Expr::Constant(code(cells)) };
        let value = Box::new(self.term(value, binding));
        let first = self.layout.first(symbol).expect("kinds cannot be counted");
        let (first, indices) = self.cell(first, row, open, binding);
        Expr::Count { first, indices, cells, value }
    }

    /// The address of a cell or row: a base slot with all constant indices added, and the other indices with their
    /// strides.
    fn cell(
        &self,
        first: usize,
        indices: &[Term],
        below: usize,
        binding: &mut Binding,
    ) -> (usize, Vec<(i64, Expr)>) {
        let (mut at, mut open) = (first, Vec::new());
        for (position, index) in indices.iter().enumerate() {
            let stride = self.layout.processes.pow(power(indices.len() - position - 1 + below));
            match self.term(index, binding) {
                Expr::Constant(process) if process < code(self.layout.processes) => {
                    at += stride * usize::try_from(process).unwrap_or(0);
                }
                index => open.push((code(stride), index)),
            }
        }
        (at, open)
    }
}

fn set(binding: &mut Binding, var: Var, process: usize) {
    if binding.len() <= var.index() {
        binding.resize(var.index() + 1, None);
    }
    binding[var.index()] = Some(process);
}

/// The process that a variable is bound to.
pub(super) fn bound(binding: &Binding, var: Var) -> Option<usize> {
    binding.get(var.index()).copied().flatten()
}

fn code(value: usize) -> i64 {
    i64::try_from(value).expect("instances are small")
}

fn power(exponent: usize) -> u32 {
    u32::try_from(exponent).expect("arrays have few indices")
}
