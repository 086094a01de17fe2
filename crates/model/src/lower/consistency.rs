//! A quick look for contradictions, for warnings.
//!
//! Sound in one direction only: what is called unsatisfiable is so, everything else counts as
//! satisfiable. Each disjunct is checked by itself: equalities by union-find, disequalities and the
//! constructors of enumerations by exclusion, sums that are the same but for the constant by bounds.

use super::environment::Environment;
use crate::ir::{self, Formula, Linear, Number, Relation, Sort, Term, Var};
use rustc_hash::FxHashMap;

/// Formulas with more disjuncts than this are not looked at.
const MAX_DISJUNCTS: usize = 256;

/// Whether a formula may have a model in which the variables `distinct` stand for pairwise distinct processes.
pub(super) fn satisfiable(env: &Environment, formula: &Formula, distinct: &[Var]) -> bool {
    let Ok(disjuncts) = ir::disjuncts(formula, MAX_DISJUNCTS) else { return true };
    disjuncts.iter().any(|literals| consistent(env, literals, distinct))
}

fn consistent(env: &Environment, literals: &[Formula], distinct: &[Var]) -> bool {
    let mut facts = Facts { env, classes: Classes::default(), bounds: FxHashMap::default() };
    let no_clash = literals.iter().all(|literal| facts.assume(literal));
    no_clash && facts.distinctions_hold(literals, distinct)
}

/// What the literals say so far.
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
    /// Adds a literal; false if it contradicts the others for certain.
    fn assume(&mut self, literal: &Formula) -> bool {
        let Formula::Compare(relation, left, right) = literal else { return *literal != Formula::False };
        let merged = *relation != Relation::Eq || self.classes.merge(left, right);
        merged && self.bound(*relation, left, right)
    }

    /// Adds a numeric comparison as a bound of left - right.
    fn bound(&mut self, relation: Relation, left: &Term, right: &Term) -> bool {
        let Some(sort) = self.numeric_sort(left).or_else(|| self.numeric_sort(right)) else { return true };
        let negated = Linear::from_term(sort, right.clone()).times(-1);
        let difference = negated.and_then(|negated| Linear::from_term(sort, left.clone()).plus(negated));
        let Some(difference) = difference else { return true };
        // The same sum may come with either sign: the first coefficient decides.
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

    /// Disequalities and strict comparisons between equal terms, and enumerations with no value left.
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

/// Terms that are equal, by union-find; each class knows the constant in it.
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
