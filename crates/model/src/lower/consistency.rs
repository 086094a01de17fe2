//! A fast, incomplete search for contradictions, for warnings.
//!
//! Sound in one direction only: a formula that is reported as unsatisfiable is so, everything else counts as
//! satisfiable. Each disjunct is checked by itself: equalities by union-find, disequalities and the constructors of
//! enumerations by exclusion, sums that differ only in the constant by bounds. Only some instances of a quantifier
//! are considered.

use super::environment::Environment;
use ir::{self, Domain, Formula, Linear, Number, Quantifier, Relation, Sort, Term, Var, negate};
use rustc_hash::FxHashMap;

/// Formulas with more disjuncts than this count as satisfiable.
const MAX_DISJUNCTS: usize = 256;

/// Whether a formula may have a model in which the variables `distinct` stand for pairwise distinct processes.
pub(super) fn satisfiable(env: &Environment, formula: &Formula, distinct: &[Var]) -> bool {
    Looker { env, ranges: true }.satisfiable(formula, distinct)
}

/// Searches for contradictions, optionally using the ranges of types.
#[derive(Clone, Copy)]
pub(super) struct Looker<'a> {
    pub(super) env: &'a Environment,
    /// Whether variables of a range hold values within it.
    pub(super) ranges: bool,
}

impl<'a> Looker<'a> {
    /// The same, without using ranges.
    pub(super) fn without_ranges(self) -> Looker<'a> {
        Looker { ranges: false, ..self }
    }

    /// Whether a formula may have a model in which the variables `distinct` stand for pairwise distinct processes.
    pub(super) fn satisfiable(self, formula: &Formula, distinct: &[Var]) -> bool {
        self.some_disjunct(&one_instance(formula), distinct)
    }

    /// Whether several instances of one formula may hold together.
    pub(super) fn satisfiable_together(self, instances: &[Formula], distinct: &[Var]) -> bool {
        let weakened = instances.iter().map(|instance| match instances {
            [_] => one_instance(instance),
            _ => without_witnesses(instance),
        });
        self.some_disjunct(&Formula::and(weakened), distinct)
    }

    fn some_disjunct(self, formula: &Formula, distinct: &[Var]) -> bool {
        let Ok(disjuncts) = ir::disjuncts(formula, MAX_DISJUNCTS) else { return true };
        disjuncts.iter().any(|literals| self.consistent(literals, distinct))
    }

    fn consistent(self, literals: &[Formula], distinct: &[Var]) -> bool {
        let mut facts = Facts { env: self.env, classes: Classes::default(), bounds: FxHashMap::default() };
        let no_clash = literals.iter().all(|literal| facts.assume(literal));
        let within =
            no_clash && (!self.ranges || literals.iter().all(|literal| facts.assume_ranges(literal)));
        within && facts.distinctions_hold(literals, distinct)
    }
}

/// A consequence of a formula without quantifiers: an existential body holds for the process that its variable now
/// names, and so does a universal one, since there is at least one process.
fn one_instance(formula: &Formula) -> Formula {
    without_quantifiers(&negate(&negate(formula)), true)
}

/// The same for several instances of a formula together: an existential witness may be another process in each.
fn without_witnesses(formula: &Formula) -> Formula {
    without_quantifiers(&negate(&negate(formula)), false)
}

/// For a formula whose negations are pushed inward. Quantifiers that may be negated, and those that may range over no
/// process at all, are kept, and count as unknown.
fn without_quantifiers(formula: &Formula, witnesses: bool) -> Formula {
    let rec = |formula: &Formula| without_quantifiers(formula, witnesses);
    match formula {
        Formula::And(parts) => Formula::and(parts.iter().map(rec)),
        Formula::Or(parts) => Formula::or(parts.iter().map(rec)),
        Formula::If(condition, then, otherwise) => {
            Formula::if_then_else((**condition).clone(), rec(then), rec(otherwise))
        }
        Formula::Quantified { quantifier: Quantifier::Exists, body, .. } if witnesses => rec(body),
        Formula::Quantified { quantifier: Quantifier::Forall, variables, apart_from, body }
            if variables.len() == 1 && apart_from.is_empty() =>
        {
            rec(body)
        }
        other => other.clone(),
    }
}

/// The facts known from the literals so far.
struct Facts<'a> {
    env: &'a Environment,
    classes: Classes,
    /// For sums without their constant: the bounds.
    bounds: FxHashMap<Vec<(i64, Term)>, Bounds>,
}

#[derive(Default, Clone, Copy)]
struct Bounds {
    /// The largest lower bound, and whether it is strict.
    low: Option<(Number, bool)>,
    high: Option<(Number, bool)>,
}

impl Facts<'_> {
    /// Adds a literal; false if it certainly contradicts the others.
    fn assume(&mut self, literal: &Formula) -> bool {
        let Formula::Compare(relation, left, right) = literal else { return *literal != Formula::False };
        let merged = *relation != Relation::Eq || self.classes.merge(left, right);
        merged && self.bound(*relation, left, right)
    }

    /// Adds that the variables in a literal hold values of their types; false if they cannot.
    fn assume_ranges(&mut self, literal: &Formula) -> bool {
        let mut reads = Vec::new();
        if let Formula::Compare(_, left, right) = literal {
            [left, right].into_iter().for_each(|term| term.each_term(&mut |part| reads.push(part)));
        }
        reads.into_iter().all(|term| {
            let domain = term.read_symbol().map(|symbol| self.env.symbols[symbol.index()].domain);
            let Some(Domain::Range(low, high)) = domain else { return true };
            self.bound(Relation::Le, &Term::int(low), term)
                && self.bound(Relation::Le, term, &Term::int(high))
        })
    }

    /// Adds a numeric comparison as a bound of left - right.
    fn bound(&mut self, relation: Relation, left: &Term, right: &Term) -> bool {
        let Some(sort) = self.numeric_sort(left).or_else(|| self.numeric_sort(right)) else { return true };
        let negated = Linear::from_term(sort, right.clone()).times(-1);
        let difference = negated.and_then(|negated| Linear::from_term(sort, left.clone()).plus(negated));
        let Some(difference) = difference else { return true };
        // The same sum may occur with either sign: make the first coefficient positive.
        let flip = difference.parts.first().is_some_and(|(coefficient, _)| *coefficient < 0);
        let Some(difference) = difference.times(if flip { -1 } else { 1 }) else { return true };
        let Some(limit) = difference.constant.times(-1) else { return true };
        let bounds = self.bounds.entry(difference.parts).or_default();
        match (relation, flip) {
            (Relation::Neq, _) => true,
            (Relation::Eq, _) => bounds.at_least(limit, false) && bounds.at_most(limit, false),
            (Relation::Lt, false) => bounds.at_most(limit, true),
            (Relation::Le, false) => bounds.at_most(limit, false),
            (Relation::Lt, true) => bounds.at_least(limit, true),
            (Relation::Le, true) => bounds.at_least(limit, false),
        }
    }

    fn numeric_sort(&self, term: &Term) -> Option<Sort> {
        match term {
            Term::Linear(linear) => Some(linear.sort),
            Term::ProcessCount | Term::Count { .. } => Some(Sort::Int),
            Term::Read { symbol, .. } => Some(self.env.symbols[symbol.index()].sort)
                .filter(|sort| matches!(sort, Sort::Int | Sort::Real)),
            _ => None,
        }
    }

    /// False if a disequality or strict comparison is between equal terms, or an enumeration has no value left.
    fn distinctions_hold(&mut self, literals: &[Formula], distinct: &[Var]) -> bool {
        let pairs =
            distinct.iter().enumerate().flat_map(|(at, a)| distinct[at + 1..].iter().map(move |b| (*a, *b)));
        for (a, b) in pairs {
            if self.classes.same(&Term::Var(a), &Term::Var(b)) {
                return false;
            }
        }
        let mut excluded: FxHashMap<usize, Vec<u32>> = FxHashMap::default();
        for literal in literals {
            let Formula::Compare(Relation::Neq | Relation::Lt, left, right) = literal else { continue };
            if self.classes.same(left, right) {
                return false;
            }
            for (term, other) in [(left, right), (right, left)] {
                if !self.exclude(term, other, &mut excluded) {
                    return false;
                }
            }
        }
        true
    }

    /// Notes that `term` is not the constructor that `other` is; false if no constructor is left.
    fn exclude(&mut self, term: &Term, other: &Term, excluded: &mut FxHashMap<usize, Vec<u32>>) -> bool {
        let Some(Term::Constructor(id, value)) = self.classes.constant(other) else { return true };
        let class = self.classes.find(term);
        let values = excluded.entry(class).or_default();
        if !values.contains(&value) {
            values.push(value);
        }
        values.len() < self.env.enums[id.index()].constructors.len()
    }
}

impl Bounds {
    fn at_least(&mut self, limit: Number, strict: bool) -> bool {
        if self.low.is_none_or(|(known, known_strict)| (limit, strict) > (known, known_strict)) {
            self.low = Some((limit, strict));
        }
        self.possible()
    }

    fn at_most(&mut self, limit: Number, strict: bool) -> bool {
        if self
            .high
            .is_none_or(|(known, known_strict)| limit < known || limit == known && strict && !known_strict)
        {
            self.high = Some((limit, strict));
        }
        self.possible()
    }

    fn possible(&self) -> bool {
        let (Some((low, low_strict)), Some((high, high_strict))) = (self.low, self.high) else { return true };
        low < high || low == high && !low_strict && !high_strict
    }
}

/// Classes of equal terms, by union-find, each with its constant, if any.
#[derive(Default)]
struct Classes {
    index: FxHashMap<Term, usize>,
    parent: Vec<usize>,
    constant: Vec<Option<Term>>,
}

impl Classes {
    fn find(&mut self, term: &Term) -> usize {
        let mut at = match self.index.get(term) {
            Some(at) => *at,
            None => self.insert(term),
        };
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    fn insert(&mut self, term: &Term) -> usize {
        let at = self.parent.len();
        self.index.insert(term.clone(), at);
        self.parent.push(at);
        let constant = matches!(term, Term::Constructor(..) | Term::Process(_) | Term::Outsider(_))
            || term.as_number().is_some();
        self.constant.push(constant.then(|| term.clone()));
        at
    }

    fn constant(&mut self, term: &Term) -> Option<Term> {
        let class = self.find(term);
        self.constant[class].clone()
    }

    fn same(&mut self, left: &Term, right: &Term) -> bool {
        self.find(left) == self.find(right)
    }

    /// Makes two terms equal; false if they are different constants.
    fn merge(&mut self, left: &Term, right: &Term) -> bool {
        let (l, r) = (self.find(left), self.find(right));
        if l == r {
            return true;
        }
        self.parent[l] = r;
        match (self.constant[l].take(), &self.constant[r]) {
            (Some(a), Some(b)) => a == *b,
            (Some(a), None) => {
                self.constant[r] = Some(a);
                true
            }
            (None, _) => true,
        }
    }
}
