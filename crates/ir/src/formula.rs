//! Formulas of the typed form.

use super::{Term, Var};

/// A formula of the typed form.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Formula {
    /// Always true.
    True,
    /// Always false.
    False,
    /// A comparison.
    Compare(Relation, Term, Term),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction of two or more.
    And(Vec<Formula>),
    /// Disjunction of two or more.
    Or(Vec<Formula>),
    /// Equivalence.
    Iff(Box<Formula>, Box<Formula>),
    /// If the first, then the second, else the third.
    If(Box<Formula>, Box<Formula>, Box<Formula>),
    /// A quantifier over processes.
    Quantified {
        /// Universal or existential.
        quantifier: Quantifier,
        /// The variables, which range over pairwise distinct processes.
        variables: Vec<Var>,
        /// Variables whose processes are excluded: for `forall_other` the parameters of the item.
        apart_from: Vec<Var>,
        /// The formula under the quantifier.
        body: Box<Formula>,
    },
    /// The store buffer of the actor is empty.
    Fence,
}

/// A comparison operator. Lowering swaps the sides of `>` and `>=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `=`
    Eq,
    /// `<>`
    Neq,
    /// `<`
    Lt,
    /// `<=`
    Le,
}

/// Universal or existential.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// For all.
    Forall,
    /// For some.
    Exists,
}

impl Formula {
    /// An equation, simplified if its truth is obvious.
    pub fn eq(left: Term, right: Term) -> Formula {
        Formula::compare(Relation::Eq, left, right)
    }

    /// A disequation, simplified if its truth is obvious.
    pub fn neq(left: Term, right: Term) -> Formula {
        Formula::compare(Relation::Neq, left, right)
    }

    /// A comparison, simplified if its truth is obvious.
    pub fn compare(relation: Relation, left: Term, right: Term) -> Formula {
        match constant_comparison(relation, &left, &right) {
            Some(true) => Formula::True,
            Some(false) => Formula::False,
            None => Formula::Compare(relation, left, right),
        }
    }

    /// Negation; double negations cancel.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "as constructors go, `not` is the textbook word")]
    pub fn not(self) -> Formula {
        match self {
            Formula::True => Formula::False,
            Formula::False => Formula::True,
            Formula::Not(inner) => *inner,
            other => Formula::Not(Box::new(other)),
        }
    }

    /// Conjunction, flattened.
    pub fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Formula::True => {}
                Formula::False => return Formula::False,
                Formula::And(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Formula::True,
            1 => flat.remove(0),
            _ => Formula::And(flat),
        }
    }

    /// Disjunction, flattened.
    pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Formula::False => {}
                Formula::True => return Formula::True,
                Formula::Or(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Formula::False,
            1 => flat.remove(0),
            _ => Formula::Or(flat),
        }
    }

    /// If the first, then the second.
    #[must_use]
    pub fn implies(self, conclusion: Formula) -> Formula {
        Formula::or([self.not(), conclusion])
    }

    /// Equivalence.
    #[must_use]
    pub fn iff(self, other: Formula) -> Formula {
        match (self, other) {
            (Formula::True, f) | (f, Formula::True) => f,
            (Formula::False, f) | (f, Formula::False) => f.not(),
            (f, g) => Formula::Iff(Box::new(f), Box::new(g)),
        }
    }

    /// If the first, then the second, else the third.
    pub fn if_then_else(condition: Formula, then: Formula, otherwise: Formula) -> Formula {
        match condition {
            Formula::True => then,
            Formula::False => otherwise,
            condition => Formula::If(Box::new(condition), Box::new(then), Box::new(otherwise)),
        }
    }

    /// For all processes.
    pub fn forall(variables: Vec<Var>, body: Formula) -> Formula {
        Formula::quantified(Quantifier::Forall, variables, vec![], body)
    }

    /// For some process.
    pub fn exists(variables: Vec<Var>, body: Formula) -> Formula {
        Formula::quantified(Quantifier::Exists, variables, vec![], body)
    }

    /// A quantified formula. A body that does not mention the variables is kept under the quantifier, since it may
    /// range over no process.
    pub fn quantified(
        quantifier: Quantifier,
        variables: Vec<Var>,
        apart_from: Vec<Var>,
        body: Formula,
    ) -> Formula {
        match (quantifier, body) {
            (Quantifier::Forall, Formula::True) => Formula::True,
            (Quantifier::Exists, Formula::False) => Formula::False,
            (_, body) => Formula::Quantified { quantifier, variables, apart_from, body: Box::new(body) },
        }
    }

    /// The conjuncts: the formula itself if it is not a conjunction.
    pub fn conjuncts(&self) -> &[Formula] {
        match self {
            Formula::And(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }
}

/// The truth of a comparison, if it is the same in every state and obvious from the terms.
fn constant_comparison(relation: Relation, left: &Term, right: &Term) -> Option<bool> {
    use Term::{Constructor, Outsider, Process, Var};
    let ordering = match (left, right) {
        // A variable always stands for a process of the run.
        (Outsider(_), Process(_) | Var(_)) | (Process(_) | Var(_), Outsider(_)) => {
            return match relation {
                Relation::Eq => Some(false),
                Relation::Neq => Some(true),
                Relation::Lt | Relation::Le => None,
            };
        }
        (Var(a), Var(b)) if a == b => std::cmp::Ordering::Equal,
        (Constructor(..), Constructor(..)) | (Outsider(_), Outsider(_)) => {
            return match relation {
                Relation::Eq => Some(left == right),
                Relation::Neq => Some(left != right),
                Relation::Lt | Relation::Le => None,
            };
        }
        (Process(a), Process(b)) => a.cmp(b),
        _ => left.as_number()?.cmp(&right.as_number()?),
    };
    Some(match relation {
        Relation::Eq => ordering.is_eq(),
        Relation::Neq => ordering.is_ne(),
        Relation::Lt => ordering.is_lt(),
        Relation::Le => ordering.is_le(),
    })
}
