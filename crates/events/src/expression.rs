//! Values of terms in the state before a step.

use crate::constraints::{Constraints, Context, Contradiction};
use crate::linear::Sum;
use crate::variable::{Process, Variable};
use crate::vocabulary::{Kind, Values, bit, outsider};
use ir::Relation;

/// The value of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expression {
    /// A process of the cube.
    Process(Process),
    /// An outsider, by number.
    Outsider(u32),
    /// A constructor, by position.
    Constructor(u32),
    /// A variable that is no number.
    Variable(Variable),
    /// A number; `true` if whole.
    Sum(Sum, bool),
    /// Any value of the type.
    Any,
}

impl Expression {
    pub(crate) fn variable(context: Context<'_>, variable: Variable) -> Expression {
        match context.vocabulary.kind(variable) {
            Kind::Number { whole, .. } => Expression::Sum(Sum::variable(variable), whole),
            _ => Expression::Variable(variable),
        }
    }

    /// Its bit, if it is a single value of finite kind.
    fn value(&self) -> Option<Values> {
        match self {
            Expression::Process(process) => Some(bit((*process).into())),
            Expression::Outsider(number) => Some(outsider(*number)),
            Expression::Constructor(at) => Some(bit(*at)),
            Expression::Variable(_) | Expression::Sum(..) | Expression::Any => None,
        }
    }
}

/// The sum of two numbers is too large to be computed with.
#[derive(Debug)]
pub(crate) struct Overflow;

impl Constraints {
    /// The cases in which two values compare like this; none if they never do.
    pub(crate) fn compared(
        self,
        context: Context<'_>,
        relation: Relation,
        left: &Expression,
        right: &Expression,
    ) -> Result<Vec<Constraints>, Overflow> {
        match (left, right) {
            (Expression::Any, _) | (_, Expression::Any) => Ok(vec![self]),
            (Expression::Sum(left, whole), Expression::Sum(right, _)) => {
                self.compared_numbers(relation, left, right, *whole)
            }
            _ => Ok(self
                .related_values(context, relation == Relation::Eq, left, right)
                .ok()
                .into_iter()
                .collect()),
        }
    }

    fn compared_numbers(
        self,
        relation: Relation,
        left: &Sum,
        right: &Sum,
        whole: bool,
    ) -> Result<Vec<Constraints>, Overflow> {
        let difference = left.plus(-1, right).ok_or(Overflow)?;
        let opposite = right.plus(-1, left).ok_or(Overflow)?;
        // Each case is a list of sums that are at most 0, or below.
        let cases: Vec<Vec<(Sum, bool)>> = match relation {
            Relation::Eq => vec![vec![(difference, false), (opposite, false)]],
            Relation::Neq => vec![vec![(difference, true)], vec![(opposite, true)]],
            Relation::Lt => vec![vec![(difference, true)]],
            Relation::Le => vec![vec![(difference, false)]],
        };
        let case = |bounds: Vec<(Sum, bool)>| {
            let mut all = self.clone();
            let fits = bounds.into_iter().all(|(sum, strict)| all.bound(sum, strict, whole).is_ok());
            fits.then_some(all)
        };
        Ok(cases.into_iter().filter_map(case).collect())
    }

    fn related_values(
        mut self,
        context: Context<'_>,
        equal: bool,
        left: &Expression,
        right: &Expression,
    ) -> Result<Constraints, Contradiction> {
        match (left, right, left.value(), right.value()) {
            (_, _, Some(a), Some(b)) => {
                if (a == b) != equal {
                    return Err(Contradiction);
                }
            }
            (Expression::Variable(variable), _, _, Some(value))
            | (_, Expression::Variable(variable), Some(value), _) => {
                self.restrict(context, *variable, if equal { value } else { !value })?;
            }
            (Expression::Variable(one), Expression::Variable(other), ..) => {
                self.relate(*one, *other, equal)?;
            }
            _ => unreachable!("numbers are compared with numbers only"),
        }
        Ok(self)
    }

    /// The cases in which a value is one of these.
    pub(crate) fn with_value_in(
        mut self,
        context: Context<'_>,
        expression: &Expression,
        values: Values,
    ) -> Result<Constraints, Contradiction> {
        match (expression, expression.value()) {
            (Expression::Variable(variable), _) => self.restrict(context, *variable, values)?,
            (_, Some(value)) if value & values == 0 => return Err(Contradiction),
            _ => {}
        }
        Ok(self)
    }
}
