//! Numbers of an instance as machine integers.
//!
//! All reals of a model are sums of integer multiples of the decimals that occur in it, so they are integer multiples
//! of one fraction, which is the unit in which an instance counts.

use ir::{Formula, Model, Number, Sort, Term, Value};

/// The common denominator of all reals of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale(i64);

impl Scale {
    /// The scale of a model; `None` if the common denominator of its decimals overflows.
    pub(super) fn of(model: &Model) -> Option<Scale> {
        let mut scale = Some(1);
        each_term(model, &mut |term| {
            if let Term::Linear(linear) = term {
                scale = scale.and_then(|scale| least_common_multiple(scale, linear.constant.denominator()));
            }
        });
        scale.map(Scale)
    }

    /// The denominator.
    pub(super) fn denominator(self) -> i64 {
        self.0
    }

    /// The machine integer for a constant of a sort; `None` on overflow.
    pub(super) fn integer(self, number: Number, sort: Sort) -> Option<i64> {
        match sort {
            Sort::Real => number.numerator().checked_mul(self.0 / number.denominator()),
            _ => Some(number.numerator()),
        }
    }

    /// A range of whole numbers as machine integers; `None` on overflow.
    pub(super) fn range(self, sort: Sort, low: i64, high: i64) -> Option<(i64, i64)> {
        let factor = if sort == Sort::Real { self.0 } else { 1 };
        Some((low.checked_mul(factor)?, high.checked_mul(factor)?))
    }

    /// A machine integer as a number of a sort.
    pub(super) fn value(self, integer: i64, sort: Sort) -> explore::Value {
        match sort {
            Sort::Real => Number::ratio(integer, self.0).map_or(explore::Value::Integer(integer), value),
            _ => explore::Value::Integer(integer),
        }
    }
}

/// A number as states show it.
pub(super) fn value(number: Number) -> explore::Value {
    match number.denominator() {
        1 => explore::Value::Integer(number.numerator()),
        _ => explore::Value::Decimal(number.to_string()),
    }
}

fn least_common_multiple(a: i64, b: i64) -> Option<i64> {
    let gcd = |mut a: i64, mut b: i64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    a.checked_mul(b / gcd(a, b))
}

fn each_term<'m>(model: &'m Model, visit: &mut impl FnMut(&'m Term)) {
    let inits = model.init.iter().map(|init| &init.formula);
    let properties = model.properties.iter().chain(&model.assumptions).map(|property| &property.formula);
    let guards = model.transitions.iter().map(|transition| &transition.guard);
    let finals = model.finals.iter().map(|end| &end.formula);
    inits
        .chain(properties)
        .chain(finals)
        .chain(guards)
        .for_each(|formula: &Formula| formula.each_term(visit));
    for arm in
        model.transitions.iter().flat_map(|transition| &transition.updates).flat_map(|update| &update.arms)
    {
        arm.condition.each_term(visit);
        if let Value::Term(term) = &arm.value {
            term.each_term(visit);
        }
    }
}
