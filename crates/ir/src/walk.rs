//! Traversals of formulas and terms.

use super::{Formula, SymbolId, Term, Var};

/// The size and nesting depth of a formula or term.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extent {
    /// The number of terms and formulas in it, itself included.
    pub size: usize,
    /// The nesting depth; 1 if it has no parts.
    pub depth: usize,
}

impl Extent {
    /// The extent of a node with these parts.
    fn around(parts: impl IntoIterator<Item = Extent>) -> Extent {
        parts.into_iter().fold(Extent { size: 1, depth: 1 }, |all, part| Extent {
            size: all.size + part.size,
            depth: all.depth.max(part.depth + 1),
        })
    }
}

impl Formula {
    /// Its size and nesting depth.
    pub fn extent(&self) -> Extent {
        match self {
            Formula::True | Formula::False | Formula::Fence => Extent::around([]),
            Formula::Compare(_, left, right) => Extent::around([left.extent(), right.extent()]),
            Formula::Not(inner) | Formula::Quantified { body: inner, .. } => Extent::around([inner.extent()]),
            Formula::And(parts) | Formula::Or(parts) => Extent::around(parts.iter().map(Formula::extent)),
            Formula::Iff(left, right) => Extent::around([left.extent(), right.extent()]),
            Formula::If(condition, then, otherwise) => {
                Extent::around([condition.extent(), then.extent(), otherwise.extent()])
            }
        }
    }

    /// Calls `visit` with every term of the formula, sub-terms included.
    pub fn each_term<'a>(&'a self, visit: &mut impl FnMut(&'a Term)) {
        match self {
            Formula::True | Formula::False | Formula::Fence => {}
            Formula::Compare(_, left, right) => {
                left.each_term(visit);
                right.each_term(visit);
            }
            Formula::Not(inner) | Formula::Quantified { body: inner, .. } => inner.each_term(visit),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| part.each_term(visit)),
            Formula::Iff(left, right) => {
                left.each_term(visit);
                right.each_term(visit);
            }
            Formula::If(condition, then, otherwise) => {
                condition.each_term(visit);
                then.each_term(visit);
                otherwise.each_term(visit);
            }
        }
    }

    /// Whether it contains a quantifier.
    pub fn has_quantifier(&self) -> bool {
        match self {
            Formula::True | Formula::False | Formula::Fence | Formula::Compare(..) => false,
            Formula::Quantified { .. } => true,
            Formula::Not(inner) => inner.has_quantifier(),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(Formula::has_quantifier),
            Formula::Iff(left, right) => left.has_quantifier() || right.has_quantifier(),
            Formula::If(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().any(|part| part.has_quantifier())
            }
        }
    }

    /// Whether a variable occurs.
    pub fn mentions_variable(&self, var: Var) -> bool {
        let mut found = false;
        self.each_term(&mut |term| found |= *term == Term::Var(var));
        found
    }

    /// The formula with some variables replaced by terms. All variables of an item have different numbers, so nothing
    /// is captured.
    #[must_use]
    pub fn substitute(&self, map: &impl Fn(Var) -> Option<Term>) -> Formula {
        let sub = |formula: &Formula| formula.substitute(map);
        match self {
            Formula::True | Formula::False | Formula::Fence => self.clone(),
            Formula::Compare(relation, left, right) => {
                Formula::compare(*relation, left.substitute(map), right.substitute(map))
            }
            Formula::Not(inner) => sub(inner).not(),
            Formula::And(parts) => Formula::and(parts.iter().map(sub)),
            Formula::Or(parts) => Formula::or(parts.iter().map(sub)),
            Formula::Iff(left, right) => sub(left).iff(sub(right)),
            Formula::If(condition, then, otherwise) => {
                Formula::if_then_else(sub(condition), sub(then), sub(otherwise))
            }
            Formula::Quantified { quantifier, variables, apart_from, body } => {
                Formula::quantified(*quantifier, variables.clone(), apart_from.clone(), sub(body))
            }
        }
    }
}

impl Term {
    /// Its size and nesting depth.
    pub fn extent(&self) -> Extent {
        match self {
            Term::Read { indices, reader, .. } => {
                Extent::around(indices.iter().chain(reader.as_deref()).map(Term::extent))
            }
            Term::Linear(linear) => Extent::around(linear.parts.iter().map(|(_, part)| part.extent())),
            Term::Count { row, value, .. } => {
                Extent::around(row.iter().chain(value.as_deref()).map(Term::extent))
            }
            _ => Extent::around([]),
        }
    }

    /// Calls `visit` with the term and its sub-terms.
    pub fn each_term<'a>(&'a self, visit: &mut impl FnMut(&'a Term)) {
        visit(self);
        match self {
            Term::Read { indices, reader, .. } => {
                for part in indices.iter().chain(reader.as_deref()) {
                    part.each_term(visit);
                }
            }
            Term::Linear(linear) => linear.parts.iter().for_each(|(_, part)| part.each_term(visit)),
            Term::Count { row, value, .. } => {
                for part in row.iter().chain(value.as_deref()) {
                    part.each_term(visit);
                }
            }
            _ => {}
        }
    }

    /// Whether a variable occurs.
    pub fn mentions(&self, var: Var) -> bool {
        let mut found = false;
        self.each_term(&mut |term| found |= *term == Term::Var(var));
        found
    }

    /// The symbol that is read, if the term is a read.
    pub fn read_symbol(&self) -> Option<SymbolId> {
        match self {
            Term::Read { symbol, .. } => Some(*symbol),
            _ => None,
        }
    }

    /// The symbol that the term itself reads or counts.
    pub fn symbol(&self) -> Option<SymbolId> {
        match self {
            Term::Read { symbol, .. } | Term::Count { symbol, .. } => Some(*symbol),
            _ => None,
        }
    }

    /// The term with some variables replaced by terms.
    #[must_use]
    pub fn substitute(&self, map: &impl Fn(Var) -> Option<Term>) -> Term {
        let sub = |term: &Term| term.substitute(map);
        match self {
            Term::Var(var) => map(*var).unwrap_or_else(|| self.clone()),
            Term::Read { symbol, indices, reader } => Term::Read {
                symbol: *symbol,
                indices: indices.iter().map(sub).collect(),
                reader: reader.as_ref().map(|reader| Box::new(sub(reader))),
            },
            Term::Linear(linear) => linear.map(sub),
            Term::Count { symbol, row, value } => Term::Count {
                symbol: *symbol,
                row: row.iter().map(sub).collect(),
                value: value.as_ref().map(|value| Box::new(sub(value))),
            },
            _ => self.clone(),
        }
    }
}
