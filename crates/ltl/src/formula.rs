//! Temporal formulas.

/// A formula over atoms of type `A`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Formula<A> {
    /// Always true.
    True,
    /// Always false.
    False,
    /// An atom.
    Atom(A),
    /// `!`, `X`, `F` or `G`.
    Unary(Unary, Box<Formula<A>>),
    /// A connective or `U`, `W`, `R`, `M`.
    Binary(Binary, Box<Formula<A>>, Box<Formula<A>>),
}

/// Operators on one formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `!`
    Not,
    /// `X`: in the next step
    Next,
    /// `F`: at some time
    Finally,
    /// `G`: at all times
    Globally,
}

/// Operators on two formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Binary {
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `->`
    Implies,
    /// `<->`
    Iff,
    /// `U`: the first holds until the second does, which eventually happens
    Until,
    /// `W`: the first holds until the second does, or forever
    WeakUntil,
    /// `R`: the second holds up to and including the first time that the first does, or forever
    Release,
    /// `M`: like `R`, and the first eventually holds
    StrongRelease,
}

impl<A> Formula<A> {
    /// Calls `visit` with every atom.
    pub fn each_atom<'a>(&'a self, visit: &mut impl FnMut(&'a A)) {
        match self {
            Formula::True | Formula::False => {}
            Formula::Atom(atom) => visit(atom),
            Formula::Unary(_, inner) => inner.each_atom(visit),
            Formula::Binary(_, left, right) => {
                left.each_atom(visit);
                right.each_atom(visit);
            }
        }
    }

    /// The formula with each atom replaced, or the first failure.
    pub fn try_map<B, E>(self, change: &mut impl FnMut(A) -> Result<B, E>) -> Result<Formula<B>, E> {
        Ok(match self {
            Formula::True => Formula::True,
            Formula::False => Formula::False,
            Formula::Atom(atom) => Formula::Atom(change(atom)?),
            Formula::Unary(operator, inner) => Formula::Unary(operator, Box::new(inner.try_map(change)?)),
            Formula::Binary(operator, left, right) => {
                let left = Box::new(left.try_map(change)?);
                Formula::Binary(operator, left, Box::new(right.try_map(change)?))
            }
        })
    }
}
