//! The place of a formula in the hierarchy of temporal properties, as far as its syntax shows it (Chang, Manna, Pnueli:
//! Characterization of temporal property classes, 1992).

use crate::{Binary, Formula, Unary};

/// Classes of formulas. A formula may be equivalent to one of a smaller class than its syntax shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// A violation shows after finitely many steps.
    Safety,
    /// That it holds shows after finitely many steps.
    Guarantee,
    /// A Boolean combination of these: a run that settles in the automaton has decided.
    Obligation,
    /// Anything else.
    General,
}

/// What the syntax shows about a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shown {
    safety: bool,
    guarantee: bool,
    obligation: bool,
}

impl Shown {
    const BOTH: Shown = Shown { safety: true, guarantee: true, obligation: true };

    fn negated(self) -> Shown {
        Shown { safety: self.guarantee, guarantee: self.safety, ..self }
    }

    fn with(self, other: Shown) -> Shown {
        Shown {
            safety: self.safety && other.safety,
            guarantee: self.guarantee && other.guarantee,
            obligation: self.obligation && other.obligation,
        }
    }

    /// What remains if the formula must also hold in the future: at some time, or at all times.
    fn later(self, at_some_time: bool) -> Shown {
        let (safety, guarantee) = (self.safety && !at_some_time, self.guarantee && at_some_time);
        Shown { safety, guarantee, obligation: safety || guarantee }
    }
}

impl<A> Formula<A> {
    /// The smallest class that the syntax shows. A formula without a temporal operator is a safety formula.
    pub fn class(&self) -> Class {
        match shown(self) {
            Shown { safety: true, .. } => Class::Safety,
            Shown { guarantee: true, .. } => Class::Guarantee,
            Shown { obligation: true, .. } => Class::Obligation,
            _ => Class::General,
        }
    }
}

fn shown<A>(formula: &Formula<A>) -> Shown {
    match formula {
        Formula::True | Formula::False | Formula::Atom(_) => Shown::BOTH,
        Formula::Unary(Unary::Not, inner) => shown(inner).negated(),
        Formula::Unary(Unary::Next, inner) => shown(inner),
        Formula::Unary(Unary::Finally, inner) => shown(inner).later(true),
        Formula::Unary(Unary::Globally, inner) => shown(inner).later(false),
        Formula::Binary(operator, left, right) => {
            let (left, right) = (shown(left), shown(right));
            match operator {
                Binary::And | Binary::Or => left.with(right),
                Binary::Implies => left.negated().with(right),
                Binary::Xor | Binary::Iff => left.with(left.negated()).with(right).with(right.negated()),
                Binary::Until | Binary::StrongRelease => left.with(right).later(true),
                Binary::WeakUntil | Binary::Release => left.with(right).later(false),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn classes_are_read_off_the_syntax() {
        let class = |text: &str| parse(text, 0.into()).unwrap().class();
        for safety in ["a", "G a", "a W b", "G (a -> X b)", "!(F a)", "G (a -> (b W c))"] {
            assert_eq!(class(safety), Class::Safety, "{safety}");
        }
        assert_eq!(class("F a"), Class::Guarantee);
        assert_eq!(class("a U X b"), Class::Guarantee);
        assert_eq!(class("!(G a)"), Class::Guarantee);
        assert_eq!(class("F a -> G b"), Class::Safety);
        assert_eq!(class("G a -> G b"), Class::Obligation);
        assert_eq!(class("G a <-> b"), Class::Obligation);
        assert_eq!(class("G F a"), Class::General);
        assert_eq!(class("G (a -> F b)"), Class::General);
    }
}
