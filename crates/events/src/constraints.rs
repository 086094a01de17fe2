//! Conjunctions of literals: sets of values, equations and disequations, linear constraints.
//!
//! Contradictions are found by propagation, which may miss some: then a conjunction that no state satisfies is kept, which
//! costs time and precision. That something follows is only said when it does.

use crate::linear::{self, Inequality, Simplified, Sum};
use crate::variable::{Process, Variable};
use crate::vocabulary::{ELSEWHERE, IN_RUN, Kind, Values, Vocabulary, members};

/// No state satisfies the constraints.
#[derive(Debug)]
pub(crate) struct Contradiction;

/// Two variables have the same value, or different ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Relation {
    pub(crate) left: Variable,
    pub(crate) right: Variable,
    pub(crate) equal: bool,
}

impl Relation {
    pub(crate) fn new(one: Variable, other: Variable, equal: bool) -> Relation {
        Relation { left: one.min(other), right: one.max(other), equal }
    }

    pub(crate) fn variables(self) -> [Variable; 2] {
        [self.left, self.right]
    }

    fn map(self, change: impl Fn(Variable) -> Variable) -> Relation {
        Relation::new(change(self.left), change(self.right), self.equal)
    }
}

/// A conjunction of literals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Constraints {
    /// Variables with the values that they may have; sorted once settled.
    pub(crate) finite: Vec<(Variable, Values)>,
    pub(crate) relations: Vec<Relation>,
    pub(crate) linear: Vec<Inequality>,
}

/// What is needed to understand constraints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) processes: Process,
}

impl Context<'_> {
    fn full(self, variable: Variable) -> Values {
        self.vocabulary.full(variable, self.processes)
    }

    /// Whether a set of values has a single one. There may be several processes elsewhere.
    fn is_single(self, variable: Variable, values: Values) -> bool {
        let is_elsewhere = matches!(self.vocabulary.kind(variable), Kind::Process(_)) && values == ELSEWHERE;
        values.is_power_of_two() && !is_elsewhere
    }

    /// Whether a constraint says no more than the type of its variable.
    fn is_plain(self, constraint: &Inequality) -> bool {
        let [(variable, _)] = constraint.terms.as_slice() else { return false };
        match self.vocabulary.kind(*variable) {
            Kind::Number { range: Some(range), .. } => {
                Inequality::bounds(*variable, range).iter().any(|bound| constraint.follows_from(bound))
            }
            _ => false,
        }
    }
}

impl Constraints {
    /// The values that a variable may have.
    pub(crate) fn values(&self, context: Context<'_>, variable: Variable) -> Values {
        let known = self.finite.iter().find(|(known, _)| *known == variable);
        context.full(variable) & known.map_or(Values::MAX, |(_, values)| *values)
    }

    /// Adds that a variable has one of these values.
    pub(crate) fn restrict(
        &mut self,
        context: Context<'_>,
        variable: Variable,
        values: Values,
    ) -> Result<(), Contradiction> {
        let known = self.finite.iter().position(|(known, _)| *known == variable);
        let at = known.unwrap_or(self.finite.len());
        if known.is_none() {
            self.finite.push((variable, values));
        }
        self.finite[at].1 &= values;
        let left = self.finite[at].1;
        if left & context.full(variable) == 0 { Err(Contradiction) } else { Ok(()) }
    }

    /// Adds that two variables are equal, or differ.
    pub(crate) fn relate(
        &mut self,
        one: Variable,
        other: Variable,
        equal: bool,
    ) -> Result<(), Contradiction> {
        if one == other {
            return if equal { Ok(()) } else { Err(Contradiction) };
        }
        let relation = Relation::new(one, other, equal);
        if !self.relations.contains(&relation) {
            self.relations.push(relation);
        }
        Ok(())
    }

    /// Adds `sum <= 0`, or `sum < 0`. A constraint with numbers that are too large is forgotten.
    pub(crate) fn bound(&mut self, sum: Sum, strict: bool, whole: bool) -> Result<(), Contradiction> {
        match Inequality::simplified(sum, strict, whole) {
            Some(Simplified::Never) => Err(Contradiction),
            Some(Simplified::Inequality(constraint)) => {
                self.linear.push(constraint);
                Ok(())
            }
            Some(Simplified::Always) | None => Ok(()),
        }
    }

    /// All variables, in no order, some more than once.
    pub(crate) fn variables(&self) -> impl Iterator<Item = Variable> {
        let finite = self.finite.iter().map(|(variable, _)| *variable);
        let related = self.relations.iter().flat_map(|relation| relation.variables());
        finite.chain(related).chain(self.linear.iter().flat_map(Inequality::variables))
    }

    /// A further process takes its number: who was elsewhere may be it.
    pub(crate) fn add_process(&mut self, vocabulary: &Vocabulary, number: Process) {
        for (variable, values) in &mut self.finite {
            if matches!(vocabulary.kind(*variable), Kind::Process(_)) {
                *values = widened(*values, number, number + 1);
            }
        }
    }

    /// The same constraints about other variables.
    pub(crate) fn map(&self, change: impl Fn(Variable) -> Variable) -> Constraints {
        Constraints {
            finite: self.finite.iter().map(|(variable, values)| (change(*variable), *values)).collect(),
            relations: self.relations.iter().map(|relation| relation.map(&change)).collect(),
            linear: self.linear.iter().map(|constraint| constraint.map(&change)).collect(),
        }
    }

    /// The same constraints after some variables have become one.
    pub(crate) fn merged(
        &self,
        context: Context<'_>,
        change: impl Fn(Variable) -> Variable,
    ) -> Result<Constraints, Contradiction> {
        let mut merged = Constraints::default();
        for (variable, values) in &self.finite {
            merged.restrict(context, change(*variable), *values)?;
        }
        for Relation { left, right, equal } in &self.relations {
            merged.relate(change(*left), change(*right), *equal)?;
        }
        for inequality in &self.linear {
            let sum =
                inequality.terms.iter().try_fold(inequality.constant_sum(), |sum, (variable, factor)| {
                    sum.plus(*factor, &Sum::variable(change(*variable)))
                });
            // What is too large to be computed is forgotten.
            let Some(sum) = sum else { continue };
            merged.bound(sum, inequality.strict, inequality.whole)?;
        }
        Ok(merged)
    }

    /// Draws conclusions, and brings literals into a normal form.
    pub(crate) fn settle(&mut self, context: Context<'_>) -> Result<(), Contradiction> {
        self.join_equals(context)?;
        while self.propagate(context)? {}
        self.finite.retain(|(variable, values)| *values != context.full(*variable));
        self.finite.sort_unstable();
        self.relations.sort_unstable();
        self.relations.dedup();
        self.linear = linear::tightest(&self.linear);
        self.linear.retain(|constraint| !context.is_plain(constraint));
        let numbers = self.with_ranges(context);
        if numbers.is_empty() || linear::satisfiable(&numbers) { Ok(()) } else { Err(Contradiction) }
    }

    /// Lets all that is said about equal variables be said about the first of them.
    fn join_equals(&mut self, context: Context<'_>) -> Result<(), Contradiction> {
        let mut equations: Vec<Relation> = Vec::new();
        let mut pending = std::mem::take(&mut self.relations);
        while let Some(at) = pending.iter().position(|relation| relation.equal) {
            let equation = pending.swap_remove(at);
            let first = |variable| if variable == equation.right { equation.left } else { variable };
            equations = equations.into_iter().map(|known| known.map(first)).collect();
            pending = pending.into_iter().map(|relation| relation.map(first)).collect();
            pending.retain(|relation| !(relation.equal && relation.left == relation.right));
            for (variable, values) in std::mem::take(&mut self.finite) {
                self.restrict(context, first(variable), values)?;
            }
            equations.push(equation);
        }
        if pending.iter().any(|relation| relation.left == relation.right) {
            return Err(Contradiction);
        }
        // The representative must be the same for everybody.
        self.relations = equations.into_iter().chain(pending).collect();
        Ok(())
    }

    /// Lets related variables restrict each other; whether anything has changed.
    fn propagate(&mut self, context: Context<'_>) -> Result<bool, Contradiction> {
        let mut changed = false;
        for (variable, values) in &mut self.finite {
            *values &= context.full(*variable);
            if *values == 0 {
                return Err(Contradiction);
            }
        }
        for relation in std::mem::take(&mut self.relations) {
            let Relation { left, right, equal } = relation;
            if !context.vocabulary.kind(left).is_finite() {
                self.relations.push(relation);
                continue;
            }
            let (a, b) = (self.values(context, left), self.values(context, right));
            let (new_a, new_b) = match equal {
                true => (a & b, a & b),
                false if context.is_single(left, a) => (a, b & !a),
                false if context.is_single(right, b) => (a & !b, b),
                false => (a, b),
            };
            if (new_a, new_b) != (a, b) {
                changed = true;
                self.restrict(context, left, new_a)?;
                self.restrict(context, right, new_b)?;
            }
            let settled = if equal { context.is_single(left, new_a) } else { new_a & new_b == 0 };
            if !settled {
                self.relations.push(relation);
            }
        }
        Ok(changed)
    }

    /// The linear constraints, with what types say about their variables.
    pub(crate) fn with_ranges(&self, context: Context<'_>) -> Vec<Inequality> {
        let mut variables: Vec<Variable> = self.linear.iter().flat_map(Inequality::variables).collect();
        variables.sort_unstable();
        variables.dedup();
        let ranges = variables.into_iter().filter_map(|variable| match context.vocabulary.kind(variable) {
            Kind::Number { range: Some(range), .. } => Some(Inequality::bounds(variable, range)),
            _ => None,
        });
        self.linear.iter().cloned().chain(ranges.flatten()).collect()
    }

    /// Forgets a variable that may have any value of its type, and keeps what follows for the others.
    pub(crate) fn eliminate(
        &mut self,
        context: Context<'_>,
        variable: Variable,
    ) -> Result<(), Contradiction> {
        if matches!(context.vocabulary.kind(variable), Kind::Process(_)) {
            self.restrict(context, variable, IN_RUN)?;
        }
        self.settle(context)?;
        let equation = self.relations.iter().find(|r| r.equal && r.variables().contains(&variable));
        if let Some(equation) = equation.copied() {
            let other = if equation.left == variable { equation.right } else { equation.left };
            *self = self.merged(context, |known| if known == variable { other } else { known })?;
        }
        self.finite.retain(|(known, _)| *known != variable);
        self.relations.retain(|relation| !relation.variables().contains(&variable));
        if self.linear.iter().any(|constraint| constraint.variables().any(|known| known == variable)) {
            let all = self.with_ranges(context);
            self.linear = linear::projected(&all, variable).ok_or(Contradiction)?;
        }
        Ok(())
    }

    /// Whether two variables are equal in all states, or differ in all. Of settled constraints.
    pub(crate) fn related(&self, context: Context<'_>, one: Variable, other: Variable) -> Option<bool> {
        let (one, other) = (self.representative(one), self.representative(other));
        if one == other {
            return Some(true);
        }
        if context.vocabulary.kind(one).is_finite() {
            let (a, b) = (self.values(context, one), self.values(context, other));
            if a & b == 0 {
                return Some(false);
            }
            if a == b && context.is_single(one, a) {
                return Some(true);
            }
        }
        let sought = Relation::new(one, other, false);
        self.relations.contains(&sought).then_some(false)
    }

    /// The variable that stands for all that are equal to this one.
    pub(crate) fn representative(&self, variable: Variable) -> Variable {
        let equation = self.relations.iter().find(|relation| relation.equal && relation.right == variable);
        equation.map_or(variable, |relation| relation.left)
    }
}

/// Values beside more processes than they were given for: who is elsewhere may be one of the new ones.
pub(crate) fn widened(values: Values, from: Process, to: Process) -> Values {
    if values & ELSEWHERE == 0 { values } else { values | (members(to) & !members(from)) }
}
