//! Auxiliary counters: a proof may add a number to a model that counts the processes with a certain formula.
//!
//! # Why this is sound
//!
//! [`extend`] adds a number `C` for a formula `φ` about one process. What `C` becomes in a step is computed here, from the step
//! alone: one more for each parameter of the step that gets `φ`, one less for each that loses it. No step of the model reads
//! `C`, and none is refused for its sake, so that every run of the model is a run of the extended model. In every state that
//! such a run reaches, `C` is the number of processes with `φ`, provided that
//!
//! - `C` starts as that number: the certificate says that no process has `φ` at the start, that all have it, or nothing; and
//! - no step changes `φ` of a process that is not one of its parameters, as long as the invariant holds.
//!
//! Both are [`Lift`]s, which the checker and the solvers have to show. They may suppose the invariant of the state before the
//! step, since a run keeps both: the invariant, and that `C` is the number.
//!
//! Then `count(A, X)` is the counter of `A[k] = X`, and where a guard or a property says that all processes lack `φ`, or all but some
//! of its parameters, `C` is how many of these parameters have it. [`extend`] puts this in words that cubes understand: both
//! formulas say the same of every state that a run reaches.
//!
//! So a state may be supposed to have at least as many processes with `φ` as are known to have it, and at most `SYS_PROCS` less
//! those that are known not to: this is the one fact about counters that the rest of the checker takes for granted, and the
//! scripts state it of the processes that they name. Everything else that a proof needs, such as that `Readers` is `C`, is a cube
//! of the certificate like any other.

use crate::Cube;
use crate::auxiliary::{Given, Lift, after, assigns, counts};
use ir::{
    Arm, At, Domain, Formula, Linear, Model, Number, Origin, Property, PropertyKind, Quantifier, Relation,
    Sort, Symbol, SymbolId, Term, Transition, Update, Value, Var,
};
use std::fmt;

/// A number that counts the processes with a certain formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// Its name in the model that it is added to.
    pub name: String,
    /// The names of the variables of the formula: exactly one, for the process that it is about.
    pub variables: Vec<String>,
    /// What holds of the processes that are counted; without quantifiers, about the own cells of the process alone.
    pub formula: Formula,
    /// How many processes have the formula at the start.
    pub start: Start,
}

/// How many processes are counted at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// None.
    Nobody,
    /// All.
    Everybody,
    /// Any number.
    Unknown,
}

impl Counter {
    /// The states in which some process is counted.
    pub(crate) fn cube(&self) -> Cube {
        let Counter { variables, formula, .. } = self;
        Cube { params: vec![Var(0)], variables: variables.clone(), formula: formula.clone() }
    }

    /// Its meaning, in words.
    pub fn display<'a>(&'a self, model: &'a Model) -> impl fmt::Display + 'a {
        Shown { counter: self, model }
    }

    /// Its formula, about a given process.
    pub(crate) fn formula_of(&self, process: &Term) -> Formula {
        self.formula.substitute(&|_| Some(process.clone()))
    }
}

struct Shown<'a> {
    counter: &'a Counter,
    model: &'a Model,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counter { name, variables, formula, .. } = self.counter;
        let about = variables.first().map_or("?", String::as_str);
        write!(f, "{name} is the number of processes {about} with {}", formula.display(self.model, variables))
    }
}

/// The steps of a model with more parameters than this have too many cases to be followed.
const MOST_PARAMS: usize = 4;

/// A counter that is being added.
struct Extension<'c> {
    counter: &'c Counter,
    symbol: SymbolId,
}

/// Adds a counter to a model. Fails, with an explanation, where the effect of a step on it cannot be expressed.
pub(crate) fn extend(model: &Model, counter: &Counter, lifts: &mut Vec<Lift>) -> Result<Model, String> {
    let extension = Extension { counter, symbol: SymbolId::from_index(model.symbols.len()) };
    extension.check(model)?;
    let mut next = model.clone();
    extension.express(&mut next);
    next.symbols.push(extension.declared());
    for (at, init) in next.init.iter_mut().enumerate() {
        if let Some(start) = extension.start() {
            lifts.push(extension.start_lift(at));
            init.formula = Formula::and([init.formula.clone(), start]);
        }
    }
    for transition in &mut next.transitions {
        if extension.is_assigned_by(transition) {
            let rule = &model.rules[transition.rule.index()].name;
            let (update, lift) = extension
                .effect(transition, rule)
                .ok_or_else(|| format!("the effect of `{rule}` on `{}` cannot be expressed", counter.name))?;
            transition.updates.push(update);
            lifts.push(lift);
        }
    }
    Ok(next)
}

/// What counters promise: if one is not 0, there is a process that it counts; if it is less than all, one that it does not count;
/// and if two are together more than all processes, there is a process that both count. If there are even more, and a third counter
/// never changes, such as that of faulty processes, there is one that the third does not count. No reachable state satisfies any of
/// these formulas, which say the contrary.
pub(crate) fn promises(model: &Model, counters: &[(SymbolId, &Counter)]) -> Vec<Property> {
    let mut updates = model.transitions.iter().flat_map(|transition| &transition.updates);
    let changes: Vec<SymbolId> = updates.by_ref().map(|update| update.symbol).collect();
    let constant: Vec<&(SymbolId, &Counter)> =
        counters.iter().filter(|(symbol, _)| !changes.contains(symbol)).collect();
    let has = |counter: &Counter| counter.formula_of(&Term::Var(Var(0)));
    let mut all = Vec::new();
    for (at, one @ (symbol, counter)) in counters.iter().enumerate() {
        all.push(promise(&[], &[*symbol], has(counter)));
        all.push(lack(*symbol, has(counter)));
        for (third, without) in constant.iter().filter(|third| **third != one) {
            all.push(promise(&[Term::read(*third, vec![])], &[*symbol], and_not(has(counter), has(without))));
        }
        for (other, also) in &counters[..at] {
            let both = Formula::and([has(counter), has(also)]);
            all.push(promise(&[Term::ProcessCount], &[*symbol, *other], both.clone()));
            for (third, without) in constant.iter().filter(|(third, _)| third != symbol && third != other) {
                let less = [Term::ProcessCount, Term::read(*third, vec![])];
                all.push(promise(&less, &[*symbol, *other], and_not(both.clone(), has(without))));
            }
        }
    }
    all
}

fn and_not(formula: Formula, other: Formula) -> Formula {
    Formula::and([formula, other.not()])
}

/// That a sum is less than the sum of some counters, though no process has a formula about the variable 0.
fn promise(less: &[Term], counters: &[SymbolId], formula: Formula) -> Property {
    let sum = |terms: Vec<Term>| {
        let parts = terms.into_iter().map(|term| (1, term)).collect();
        Linear { sort: Sort::Int, parts, constant: Number::ZERO }.into_term()
    };
    let more = sum(counters.iter().map(|symbol| Term::read(*symbol, vec![])).collect());
    never(sum(less.to_vec()), more, formula.not())
}

/// That a counter is less than the number of processes, though it counts all of them.
fn lack(symbol: SymbolId, formula: Formula) -> Property {
    never(Term::read(symbol, vec![]), Term::ProcessCount, formula)
}

/// That one number is less than another, and all processes satisfy a formula about the variable 0.
fn never(less: Term, more: Term, lacks: Formula) -> Property {
    let premise = Formula::compare(Relation::Lt, less, more);
    Property {
        kind: PropertyKind::Assumption,
        name: "counters".into(),
        params: vec![],
        variables: vec!["k".into()],
        formula: Formula::and([premise, Formula::forall(vec![Var(0)], lacks)]),
        rule: None,
        at: At::nowhere(),
    }
}

impl Extension<'_> {
    fn check(&self, model: &Model) -> Result<(), String> {
        let Counter { name, variables, formula, .. } = self.counter;
        if model.symbols.iter().any(|symbol| symbol.name == *name) {
            return Err(format!("the model has a `{name}` already"));
        }
        let mut own = true;
        formula.each_term(&mut |term| {
            if let Term::Read { indices, .. } = term {
                own &= indices.iter().all(|index| *index == Term::Var(Var(0)));
            }
        });
        if variables.len() != 1 || formula.has_quantifier() || counts(formula) || !own {
            return Err(format!("`{name}` counts by more than what a process is like by itself"));
        }
        Ok(())
    }

    /// Says by the counter what the model says by counting, or about all processes.
    fn express(&self, model: &mut Model) {
        let counted = self.counted();
        let replaced = |term: &Term| Some(term) == counted.as_ref();
        let with = |formula: &Formula| replace(formula, &replaced, &self.read());
        for init in &mut model.init {
            init.formula = with(&init.formula);
        }
        for assumption in &mut model.assumptions {
            assumption.formula = with(&assumption.formula);
        }
        for property in &mut model.properties {
            property.formula = self.with_nobody(&with(&property.formula));
        }
        for transition in &mut model.transitions {
            transition.guard = self.with_nobody(&with(&transition.guard));
            for arm in transition.updates.iter_mut().flat_map(|update| &mut update.arms) {
                arm.condition = with(&arm.condition);
                if let Value::Term(term) = &mut arm.value {
                    *term = replace_term(term, &replaced, &self.read());
                }
            }
        }
    }

    /// What the counter is in the language: the number of cells of an array that have a value.
    fn counted(&self) -> Option<Term> {
        let Formula::Compare(Relation::Eq, Term::Read { symbol, indices, .. }, value) = &self.counter.formula
        else {
            return None;
        };
        let own = *indices == [Term::Var(Var(0))] && matches!(value, Term::Constructor(..));
        own.then(|| Term::Count { symbol: *symbol, row: vec![], value: Some(Box::new(value.clone())) })
    }

    /// A formula, with what follows for the counter where all processes lack its formula, or all but some.
    fn with_nobody(&self, formula: &Formula) -> Formula {
        let conjuncts = formula.conjuncts();
        let further: Vec<Formula> = conjuncts.iter().filter_map(|conjunct| self.nobody(conjunct)).collect();
        if further.is_empty() {
            return formula.clone();
        }
        Formula::and([formula.clone()].into_iter().chain(further))
    }

    /// If a formula says that all processes but some lack the formula of the counter: that the counter is how many of those have
    /// it.
    fn nobody(&self, formula: &Formula) -> Option<Formula> {
        let Formula::Quantified { quantifier: Quantifier::Forall, variables, apart_from, body } = formula
        else {
            return None;
        };
        let [about] = variables.as_slice() else { return None };
        let lacks = self.counter.formula_of(&Term::Var(*about)).not();
        if **body != lacks && ir::negate(&ir::negate(body)) != ir::negate(&lacks.not()) {
            return None;
        }
        let mut cases: Vec<(i64, Formula)> = vec![(0, Formula::True)];
        for var in apart_from {
            let has = self.counter.formula_of(&Term::Var(*var));
            let case = |(number, when): &(i64, Formula)| {
                let yes = (number + 1, Formula::and([when.clone(), has.clone()]));
                [yes, (*number, Formula::and([when.clone(), has.clone().not()]))]
            };
            cases = cases.iter().flat_map(case).collect();
        }
        Some(Formula::or(cases.into_iter().map(|(number, when)| {
            Formula::and([when, Formula::compare(Relation::Eq, self.read(), Term::int(number))])
        })))
    }

    fn declared(&self) -> Symbol {
        Symbol {
            name: self.counter.name.clone(),
            arity: 0,
            sort: Sort::Int,
            domain: Domain::Full,
            constant: false,
            weak: false,
            holds_outsiders: false,
            origin: Origin::Declared,
            at: At::nowhere(),
        }
    }

    fn read(&self) -> Term {
        Term::read(self.symbol, vec![])
    }

    /// What is known of the counter at the start.
    fn start(&self) -> Option<Formula> {
        let value = match self.counter.start {
            Start::Nobody => Term::int(0),
            Start::Everybody => Term::ProcessCount,
            Start::Unknown => return None,
        };
        Some(Formula::compare(Relation::Eq, self.read(), value))
    }

    /// That at the start no process has the formula, or that none lacks it.
    fn start_lift(&self, init: usize) -> Lift {
        let Counter { name, variables, formula, .. } = self.counter;
        let (formula, who) = match self.counter.start {
            Start::Everybody => (formula.clone().not(), "all processes"),
            Start::Nobody | Start::Unknown => (formula.clone(), "no process"),
        };
        let never = Property {
            kind: PropertyKind::Invariant,
            name: format!("`{name}` counts {who} at the start"),
            params: vec![Var(0)],
            variables: variables.clone(),
            formula,
            rule: None,
            at: At::nowhere(),
        };
        Lift { never, auxiliary: None, given: Given::Init(init) }
    }

    /// Whether a step assigns something that the formula reads.
    fn is_assigned_by(&self, transition: &Transition) -> bool {
        let mut found = false;
        self.counter.formula.each_term(&mut |term| found |= assigns(transition, term));
        found
    }

    /// What a step does to the counter, and that it does nothing else.
    fn effect(&self, transition: &Transition, rule: &str) -> Option<(Update, Lift)> {
        let params = &transition.params;
        if params.len() > MOST_PARAMS {
            return None;
        }
        // The changes so far, each with its condition.
        let mut changes: Vec<(i64, Formula)> = vec![(0, Formula::True)];
        for param in params {
            let (gains, loses) = self.cases(transition, *param, params)?;
            let stays = Formula::and([gains.clone().not(), loses.clone().not()]);
            let cases = [(1, gains), (-1, loses), (0, stays)];
            changes = changes
                .iter()
                .flat_map(|(sum, when)| {
                    cases
                        .iter()
                        .map(move |(change, case)| (sum + change, Formula::and([when.clone(), case.clone()])))
                })
                .filter(|(_, when)| *when != Formula::False)
                .collect();
        }
        let arms = changes.into_iter().filter(|(change, _)| *change != 0);
        let arms = arms.map(|(change, condition)| Arm { condition, value: Value::Term(self.plus(change)) });
        let update = Update { symbol: self.symbol, cell: vec![], arms: arms.collect(), at: At::nowhere() };
        Some((update, self.bystander_lift(transition, rule)?))
    }

    /// When a parameter gets the formula, and when it loses it.
    fn cases(&self, transition: &Transition, param: Var, params: &[Var]) -> Option<(Formula, Formula)> {
        let before = self.counter.formula_of(&Term::Var(param));
        let after = decided(&after(transition, &before)?, params);
        let gains = Formula::and([before.clone().not(), after.clone()]);
        Some((gains, Formula::and([before, after.not()])))
    }

    fn plus(&self, change: i64) -> Term {
        let constant = Number::whole(change);
        Term::Linear(Linear { sort: Sort::Int, parts: vec![(1, self.read())], constant })
    }

    /// That no other process gets or loses the formula.
    fn bystander_lift(&self, transition: &Transition, rule: &str) -> Option<Lift> {
        let other = Var::from_index(transition.variables.len());
        let params: Vec<Var> = transition.params.iter().copied().chain([other]).collect();
        let mut name = "other".to_owned();
        while transition.variables.contains(&name) {
            name.push('_');
        }
        let before = self.counter.formula_of(&Term::Var(other));
        let after = decided(&after(transition, &before)?, &params);
        let changed = Formula::or([
            Formula::and([before.clone(), after.clone().not()]),
            Formula::and([before.not(), after]),
        ]);
        let never = Property {
            kind: PropertyKind::Invariant,
            name: format!("`{rule}` changes what `{}` counts of its own processes only", self.counter.name),
            params,
            variables: transition.variables.iter().cloned().chain([name]).collect(),
            formula: Formula::and([transition.guard.clone(), changed]),
            rule: None,
            at: At::nowhere(),
        };
        Some(Lift { never, auxiliary: None, given: Given::Invariant })
    }
}

/// A formula with some terms replaced by another.
fn replace(formula: &Formula, which: &impl Fn(&Term) -> bool, by: &Term) -> Formula {
    let rec = |formula: &Formula| replace(formula, which, by);
    match formula {
        Formula::Compare(relation, left, right) => {
            Formula::compare(*relation, replace_term(left, which, by), replace_term(right, which, by))
        }
        Formula::Not(inner) => rec(inner).not(),
        Formula::And(parts) => Formula::and(parts.iter().map(rec)),
        Formula::Or(parts) => Formula::or(parts.iter().map(rec)),
        Formula::Iff(left, right) => rec(left).iff(rec(right)),
        Formula::If(condition, then, otherwise) => {
            Formula::if_then_else(rec(condition), rec(then), rec(otherwise))
        }
        Formula::Quantified { quantifier, variables, apart_from, body } => {
            Formula::quantified(*quantifier, variables.clone(), apart_from.clone(), rec(body))
        }
        Formula::True | Formula::False | Formula::Fence => formula.clone(),
    }
}

/// A number with some of its parts replaced by another: nothing else is counted.
fn replace_term(term: &Term, which: &impl Fn(&Term) -> bool, by: &Term) -> Term {
    match term {
        term if which(term) => by.clone(),
        Term::Linear(linear) => linear.map(|part| replace_term(part, which, by)),
        other => other.clone(),
    }
}

/// A formula in which variables are compared that stand for pairwise distinct processes.
fn decided(formula: &Formula, distinct: &[Var]) -> Formula {
    let rec = |formula: &Formula| decided(formula, distinct);
    match formula {
        Formula::Compare(relation @ (Relation::Eq | Relation::Neq), Term::Var(left), Term::Var(right))
            if distinct.contains(left) && distinct.contains(right) =>
        {
            if (left == right) == (*relation == Relation::Eq) { Formula::True } else { Formula::False }
        }
        Formula::Not(inner) => rec(inner).not(),
        Formula::And(parts) => Formula::and(parts.iter().map(rec)),
        Formula::Or(parts) => Formula::or(parts.iter().map(rec)),
        Formula::Iff(left, right) => rec(left).iff(rec(right)),
        Formula::If(condition, then, otherwise) => {
            Formula::if_then_else(rec(condition), rec(then), rec(otherwise))
        }
        other => other.clone(),
    }
}
