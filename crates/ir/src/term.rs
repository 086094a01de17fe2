//! Terms of the typed form.

use super::{EnumId, Number, OutsiderId, Sort, SymbolId, Var};

/// A term of the typed form.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Term {
    /// A process variable.
    Var(Var),
    /// The process `#k`, from 1.
    Process(u32),
    /// A value of sort `proc` that is not a process of the run.
    Outsider(OutsiderId),
    /// A constructor of an enumeration, by position.
    Constructor(EnumId, u32),
    /// The value of a variable, cell or constant.
    Read {
        /// The variable, array or constant.
        symbol: SymbolId,
        /// The indices of the cell.
        indices: Vec<Term>,
        /// In properties of weak models: the process that would read it (`i@X`).
        reader: Option<Box<Term>>,
    },
    /// A number, or a sum.
    Linear(Linear),
    /// `SYS_PROCS`: the number of processes of the instance.
    ProcessCount,
    /// The number of cells of an array, or of one row of it, that have a value; the number of all cells if no value
    /// is given.
    Count {
        /// The array.
        symbol: SymbolId,
        /// The leading indices, which select a row.
        row: Vec<Term>,
        /// The value that is counted.
        value: Option<Box<Term>>,
    },
}

/// A constant plus multiples of terms. Each term occurs once, in order of appearance, with a coefficient other than 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Linear {
    /// `Int` or `Real`.
    pub sort: Sort,
    /// Coefficients and terms.
    pub parts: Vec<(i64, Term)>,
    /// What is added to the multiples of terms.
    pub constant: Number,
}

impl Linear {
    /// Larger coefficients are rejected, so that sums of coefficients fit into 64 bits.
    const MAX_COEFFICIENT: i64 = 1 << 31;

    /// A sum without terms: a number of sort `Int` or `Real`.
    pub fn constant(sort: Sort, constant: Number) -> Linear {
        Linear { sort, parts: vec![], constant }
    }

    /// A term as a sum with one summand.
    pub fn from_term(sort: Sort, term: Term) -> Linear {
        match term {
            Term::Linear(linear) => linear,
            term => Linear { sort, parts: vec![(1, term)], constant: Number::ZERO },
        }
    }

    /// The sum; `None` on overflow.
    pub fn plus(mut self, other: Linear) -> Option<Linear> {
        self.constant = self.constant.plus(other.constant)?;
        other.parts.into_iter().for_each(|part| self.add_part(part));
        self.within_limit()
    }

    /// The product with a number; `None` on overflow.
    pub fn times(mut self, factor: i64) -> Option<Linear> {
        self.constant = self.constant.times(factor)?;
        for (coefficient, _) in &mut self.parts {
            *coefficient = coefficient.checked_mul(factor)?;
        }
        self.parts.retain(|(coefficient, _)| *coefficient != 0);
        self.within_limit()
    }

    fn add_part(&mut self, (coefficient, term): (i64, Term)) {
        match self.parts.iter().position(|(_, known)| *known == term) {
            Some(at) if self.parts[at].0 == -coefficient => drop(self.parts.remove(at)),
            Some(at) => self.parts[at].0 += coefficient,
            None => self.parts.push((coefficient, term)),
        }
    }

    fn within_limit(self) -> Option<Linear> {
        let small = |(coefficient, _): &(i64, Term)| coefficient.abs() <= Self::MAX_COEFFICIENT;
        self.parts.iter().all(small).then_some(self)
    }

    /// The sum with each term replaced by another of the same sort; terms that become equal are added up.
    #[must_use]
    pub fn map(&self, change: impl Fn(&Term) -> Term) -> Term {
        let mut sum = Linear::constant(self.sort, self.constant);
        self.parts.iter().for_each(|(coefficient, term)| sum.add_part((*coefficient, change(term))));
        sum.into_term()
    }

    /// The number, if there are no terms.
    pub fn as_number(&self) -> Option<Number> {
        self.parts.is_empty().then_some(self.constant)
    }

    /// The sum as a term; a single term with coefficient 1 is that term itself.
    pub fn into_term(mut self) -> Term {
        match self.parts.as_slice() {
            [(1, _)] if self.constant.is_zero() => self.parts.remove(0).1,
            _ => Term::Linear(self),
        }
    }
}

impl Term {
    /// `True` or `False`.
    pub fn boolean(value: bool) -> Term {
        Term::Constructor(EnumId(0), u32::from(value))
    }

    /// A whole number.
    pub fn int(value: i64) -> Term {
        Term::Linear(Linear::constant(Sort::Int, Number::whole(value)))
    }

    /// The value of a symbol.
    pub fn read(symbol: SymbolId, indices: Vec<Term>) -> Term {
        Term::Read { symbol, indices, reader: None }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<Number> {
        match self {
            Term::Linear(linear) => linear.as_number(),
            _ => None,
        }
    }
}
