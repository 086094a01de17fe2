//! Grounding: formulas over involved processes become trees of literals over cells.
//!
//! A formula can be grounded in two ways. As a *goal* it describes the counterexample that is looked for: the processes that
//! its existential quantifiers and its indices point at are involved (see [`super::witnesses`]), so that they range over the
//! involved processes only. As a *hypothesis* it is one of many facts: what it says about processes that are not involved
//! is left out, or replaced by a value about which nothing is known. Either way, the formula implies the tree.

use super::{
    Obstacle,
    linear::{Quotient, Relation as Against, difference},
    tree::{Cell, Literal, Mask, Tree},
    universe::{Bounds, Length, Table, Universe},
};
use ir::{Formula, Model, Quantifier, Relation, Sort, SymbolId, Term, Transition, Update, Value, Var};
use std::collections::HashMap;

/// The process that each variable stands for.
pub(crate) type Binding = Vec<Option<usize>>;

/// A transition with processes for its parameters.
#[derive(Debug)]
pub(crate) struct Step<'m> {
    pub(crate) transition: &'m Transition,
    pub(crate) binding: Binding,
}

impl<'m> Step<'m> {
    /// The update of a symbol.
    pub(crate) fn update(&self, symbol: SymbolId) -> Option<&'m Update> {
        self.transition.updates.iter().find(|update| update.symbol == symbol)
    }
}

/// How a formula is grounded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope<'b> {
    pub(crate) binding: &'b Binding,
    /// In the state after the step, rather than before.
    pub(crate) after: bool,
    /// As a goal, rather than as a hypothesis.
    pub(crate) goal: bool,
}

/// The value of a term.
#[derive(Debug, Clone)]
enum Ground {
    /// A value of a finite set.
    Value(u32),
    /// The value of a cell of a finite sort.
    Cell(Cell),
    /// A number.
    Number(Quotient),
}

/// The values that a term may have, each with its condition. In every state exactly one condition holds.
type Alternatives<T> = Vec<(Tree, T)>;

type Grounded<T> = Result<T, Obstacle>;

/// Grounds formulas for one obligation.
#[derive(Debug)]
pub(crate) struct Grounder<'a, 'm> {
    pub(crate) universe: &'a Universe<'m>,
    step: Option<&'a Step<'m>>,
    /// The cells of the universe, followed by fresh values, which are only known to exist.
    pub(crate) table: Table,
    /// What holds of the fresh values.
    pub(crate) facts: Vec<Tree>,
    /// The new values of cells to which a step may assign anything.
    chosen: HashMap<Cell, Cell>,
    /// Numbers of processes and of cells that came up in formulas.
    counts: HashMap<Term, Cell>,
}

/// A point to which grounding can return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    table: Length,
    facts: usize,
}

impl<'a, 'm> Grounder<'a, 'm> {
    pub(crate) fn new(universe: &'a Universe<'m>, step: Option<&'a Step<'m>>) -> Grounder<'a, 'm> {
        let table = universe.table.clone();
        Grounder { universe, step, table, facts: vec![], chosen: HashMap::new(), counts: HashMap::new() }
    }

    /// The current point, to return to if what is grounded from here on is not kept.
    pub(crate) fn mark(&self) -> Mark {
        Mark { table: self.table.length(), facts: self.facts.len() }
    }

    /// Forgets the fresh values since then; nothing may refer to them any more.
    pub(crate) fn forget_since(&mut self, mark: &Mark) {
        self.table.shorten(&mark.table);
        self.facts.truncate(mark.facts);
        let cells = self.table.values.len();
        self.counts.retain(|_, cell| (*cell as usize) < cells);
        self.chosen.retain(|_, cell| (*cell as usize) < cells);
    }

    /// The formula, or its negation.
    pub(crate) fn formula(&mut self, formula: &Formula, positive: bool, scope: Scope<'_>) -> Grounded<Tree> {
        Ok(match formula {
            Formula::True => Tree::constant(positive),
            Formula::False => Tree::constant(!positive),
            Formula::Fence => return Err(Obstacle::Unsupported("`fence()`".into())),
            Formula::Compare(relation, left, right) => {
                self.comparison(*relation, left, right, positive, scope)?
            }
            Formula::Not(inner) => self.formula(inner, !positive, scope)?,
            Formula::And(parts) => self.junction(parts, positive, positive, scope)?,
            Formula::Or(parts) => self.junction(parts, !positive, positive, scope)?,
            Formula::Iff(left, right) => {
                let both = [self.formula(left, true, scope)?, self.formula(right, positive, scope)?];
                let none = [self.formula(left, false, scope)?, self.formula(right, !positive, scope)?];
                Tree::any([Tree::all(both), Tree::all(none)])
            }
            Formula::If(condition, then, otherwise) => {
                let yes = [self.formula(condition, true, scope)?, self.formula(then, positive, scope)?];
                let no = [self.formula(condition, false, scope)?, self.formula(otherwise, positive, scope)?];
                Tree::any([Tree::all(yes), Tree::all(no)])
            }
            Formula::Quantified { quantifier, variables, apart_from, body } => {
                let universal = (*quantifier == Quantifier::Forall) == positive;
                // The process may be one that is not involved.
                if !universal && !scope.goal {
                    return Ok(Tree::True);
                }
                let mut instances = Vec::new();
                for binding in bindings(variables, apart_from, scope.binding, self.universe.processes) {
                    let goal = scope.goal && !universal;
                    let instance =
                        self.formula(body, positive, Scope { binding: &binding, goal, ..scope })?;
                    instances.push(instance);
                }
                if universal { Tree::all(instances) } else { Tree::any(instances) }
            }
        })
    }

    fn junction(
        &mut self,
        parts: &[Formula],
        conjunction: bool,
        positive: bool,
        scope: Scope<'_>,
    ) -> Grounded<Tree> {
        let mut trees = Vec::with_capacity(parts.len());
        for part in parts {
            trees.push(self.formula(part, positive, scope)?);
        }
        Ok(if conjunction { Tree::all(trees) } else { Tree::any(trees) })
    }

    fn comparison(
        &mut self,
        relation: Relation,
        left: &Term,
        right: &Term,
        positive: bool,
        scope: Scope<'_>,
    ) -> Grounded<Tree> {
        let order = matches!(relation, Relation::Lt | Relation::Le);
        if order && is_process(self.universe.model, left) {
            return self.process_order(relation, left, right, positive, scope);
        }
        if let (Some(left), Some(right)) = (self.plain(left, scope), self.plain(right, scope)) {
            return self.literal(relation, &left, &right, positive);
        }
        let (left, right) = (self.term(left, scope)?, self.term(right, scope)?);
        let mut cases = Vec::new();
        for (left_condition, left) in &left {
            for (right_condition, right) in &right {
                let literal = self.literal(relation, left, right, positive)?;
                cases.push(Tree::all([left_condition.clone(), right_condition.clone(), literal]));
            }
        }
        Ok(Tree::any(cases))
    }

    /// The value of a term that has only one, in any state. The result is that of [`Grounder::term`], but found faster.
    fn plain(&self, term: &Term, scope: Scope<'_>) -> Option<Ground> {
        let process = |term: &Term| match term {
            Term::Var(var) => scope.binding.get(var.index()).copied().flatten(),
            Term::Process(k) if *k >= 1 && *k as usize <= self.universe.named() => Some(*k as usize - 1),
            _ => None,
        };
        match term {
            Term::Constructor(_, at) => Some(Ground::Value(*at)),
            Term::Outsider(id) => Some(Ground::Value(self.universe.outsider(*id))),
            Term::Read { symbol, indices, reader: None } => {
                let step = self.step.filter(|_| scope.after);
                if step.is_some_and(|step| step.update(*symbol).is_some()) {
                    return None;
                }
                let mut tuples = indices.iter().map(process);
                let known = tuples.clone().all(|tuple| tuple.is_some());
                known.then(|| self.ground(*symbol, self.universe.cell(*symbol, tuples.by_ref().flatten())))
            }
            other => process(other).map(|process| Ground::Value(u32::try_from(process).expect("few"))),
        }
    }

    fn literal(&self, relation: Relation, left: &Ground, right: &Ground, positive: bool) -> Grounded<Tree> {
        let equal = (relation == Relation::Eq) == positive;
        Ok(match (left, right) {
            (Ground::Number(left), Ground::Number(right)) => {
                return self.number_literal(relation, left, right, positive);
            }
            (Ground::Value(left), Ground::Value(right)) => Tree::constant((left == right) == equal),
            (Ground::Value(value), Ground::Cell(cell)) | (Ground::Cell(cell), Ground::Value(value)) => {
                self.among(*cell, if equal { 1 << value } else { !(1 << value) })
            }
            (Ground::Cell(left), Ground::Cell(right)) if left == right => Tree::constant(equal),
            (Ground::Cell(left), Ground::Cell(right)) => Tree::Literal(Literal::Same(*left, *right, equal)),
            _ => return Err(Obstacle::Unsupported("a comparison of values of different sorts".into())),
        })
    }

    fn number_literal(
        &self,
        relation: Relation,
        left: &Quotient,
        right: &Quotient,
        positive: bool,
    ) -> Grounded<Tree> {
        let parts = left.parts.iter().chain(&right.parts);
        let integral = parts.into_iter().all(|(cell, _)| self.is_integer(*cell));
        let relate = |left, right, against| difference(left, right, against, integral);
        Ok(match (relation, positive) {
            (Relation::Eq, true) | (Relation::Neq, false) => relate(left, right, Against::Zero)?,
            (Relation::Eq, false) | (Relation::Neq, true) => {
                Tree::any([relate(left, right, Against::Below)?, relate(right, left, Against::Below)?])
            }
            (Relation::Lt, true) => relate(left, right, Against::Below)?,
            (Relation::Lt, false) => relate(right, left, Against::AtMost)?,
            (Relation::Le, true) => relate(left, right, Against::AtMost)?,
            (Relation::Le, false) => relate(right, left, Against::Below)?,
        })
    }

    /// Whether a cell that holds numbers holds integers.
    fn is_integer(&self, cell: Cell) -> bool {
        self.table.values[cell as usize] != REAL
    }

    /// The value of the cell is one of these.
    fn among(&self, cell: Cell, mask: Mask) -> Tree {
        let values = self.table.values[cell as usize];
        match values & mask {
            0 => Tree::False,
            some if some == values => Tree::True,
            some => Tree::Literal(Literal::In(cell, some)),
        }
    }

    /// `<` and `<=` on processes. Nothing is known about outsiders.
    fn process_order(
        &mut self,
        relation: Relation,
        left: &Term,
        right: &Term,
        positive: bool,
        scope: Scope<'_>,
    ) -> Grounded<Tree> {
        let (left, right) = (self.process(left, scope)?, self.process(right, scope)?);
        let mut cases = Vec::new();
        for (left_condition, left) in &left {
            for (right_condition, right) in &right {
                let truth = match (left, right) {
                    (Some(left), Some(right)) => match (relation, positive) {
                        (Relation::Lt, true) | (Relation::Le, false) if left == right => Tree::False,
                        _ if left == right => Tree::True,
                        (_, true) => self.universe.before(*left, *right),
                        (_, false) => self.universe.before(*right, *left),
                    },
                    _ => Tree::True,
                };
                cases.push(Tree::all([left_condition.clone(), right_condition.clone(), truth]));
            }
        }
        Ok(Tree::any(cases))
    }

    /// That a term stands for a process that is involved, or for none of the run.
    pub(crate) fn involved(&mut self, term: &Term, scope: Scope<'_>) -> Grounded<Tree> {
        Ok(Tree::any(self.process(term, scope)?.into_iter().map(|(condition, _)| condition)))
    }

    /// The process that a term stands for; none if it is not a process of the run, or not involved.
    fn process(&mut self, term: &Term, scope: Scope<'_>) -> Grounded<Alternatives<Option<usize>>> {
        let processes = self.universe.processes;
        let mut found = Vec::new();
        for (condition, value) in self.term(term, scope)? {
            match value {
                Ground::Value(value) => {
                    let value = value as usize;
                    found.push((condition, (value < processes).then_some(value)));
                }
                Ground::Cell(cell) => {
                    for process in 0..processes {
                        let here = self.among(cell, 1 << process);
                        push_case(&mut found, [condition.clone(), here], Some(process));
                    }
                    let elsewhere = if scope.goal {
                        self.universe.outsider_mask()
                    } else {
                        !self.universe.process_mask()
                    };
                    let elsewhere = self.among(cell, elsewhere);
                    push_case(&mut found, [condition, elsewhere], None);
                }
                Ground::Number(_) => return Err(Obstacle::Unsupported("a number as a process".into())),
            }
        }
        Ok(found)
    }

    fn term(&mut self, term: &Term, scope: Scope<'_>) -> Grounded<Alternatives<Ground>> {
        let value = |value: usize| u32::try_from(value).map(Ground::Value).expect("few");
        let single = |ground| Ok(vec![(Tree::True, ground)]);
        match term {
            Term::Var(var) => match scope.binding.get(var.index()) {
                Some(Some(process)) => single(value(*process)),
                _ => Err(Obstacle::Unsupported("a variable that nothing binds".into())),
            },
            Term::Process(k) if *k >= 1 && *k as usize <= self.universe.named() => {
                single(value(*k as usize - 1))
            }
            Term::Process(k) => Err(Obstacle::Unsupported(format!("`#{k}`, which the model does not name"))),
            Term::Outsider(id) => single(Ground::Value(self.universe.outsider(*id))),
            Term::Constructor(_, at) => single(Ground::Value(*at)),
            Term::Read { reader: Some(_), .. } => {
                Err(Obstacle::Unsupported("what a process would read under a weak memory model".into()))
            }
            Term::Read { symbol, indices, reader: None } => self.read(*symbol, indices, scope),
            Term::Linear(linear) => {
                let constant = Quotient::constant(
                    linear.constant.numerator().into(),
                    linear.constant.denominator().into(),
                );
                let mut sums = vec![(Tree::True, constant)];
                for (coefficient, part) in &linear.parts {
                    sums = add(sums, *coefficient, &self.term(part, scope)?)?;
                }
                Ok(sums.into_iter().map(|(condition, sum)| (condition, Ground::Number(sum))).collect())
            }
            // All that is known: the same count in the same state has the same value.
            Term::ProcessCount => single(self.process_count()),
            Term::Count { .. } if scope.after => {
                single(Ground::Number(Quotient::cell(self.table.raw(INTEGER, (None, None)))))
            }
            Term::Count { .. } => {
                let process = |var: Var| {
                    let process = scope.binding.get(var.index()).copied().flatten()?;
                    Some(Term::Process(u32::try_from(process + 1).expect("few")))
                };
                single(self.counted(term.substitute(&process), (None, None)))
            }
        }
    }

    /// The value of a number in the state before the step, if it has no cases.
    pub(super) fn number(&mut self, term: &Term) -> Grounded<Quotient> {
        let scope = Scope { binding: &vec![], after: false, goal: false };
        match self.term(term, scope)?.as_slice() {
            [(Tree::True, Ground::Number(number))] => Ok(number.clone()),
            _ => Err(Obstacle::Unsupported("a number with several values".into())),
        }
    }

    /// The number of processes: at least those that are involved, and at most what the model allows.
    fn process_count(&mut self) -> Ground {
        let model = self.universe.model;
        let least = model.min_processes().max(u32::try_from(self.universe.processes).expect("few"));
        self.counted(Term::ProcessCount, (Some(least.into()), model.max_processes.map(i64::from)))
    }

    fn counted(&mut self, term: Term, bounds: Bounds) -> Ground {
        let table = &mut self.table;
        let cell = *self.counts.entry(term).or_insert_with(|| table.raw(INTEGER, bounds));
        Ground::Number(Quotient::cell(cell))
    }

    fn read(
        &mut self,
        symbol: SymbolId,
        indices: &[Term],
        scope: Scope<'_>,
    ) -> Grounded<Alternatives<Ground>> {
        let mut tuples: Alternatives<Option<Vec<usize>>> = vec![(Tree::True, Some(vec![]))];
        for index in indices {
            let processes = self.process(index, scope)?;
            let mut next = Vec::new();
            for (condition, tuple) in &tuples {
                for (here, process) in &processes {
                    let tuple = tuple.clone().zip(*process).map(|(mut tuple, process)| {
                        tuple.push(process);
                        tuple
                    });
                    push_case(&mut next, [condition.clone(), here.clone()], tuple);
                }
            }
            tuples = next;
        }
        let mut values = Vec::new();
        for (condition, tuple) in tuples {
            let Some(tuple) = tuple else {
                let unknown = self.unknown(symbol, true)?;
                values.push((condition, unknown));
                continue;
            };
            for (when, value) in self.cell_value(symbol, &tuple, scope)? {
                push_case(&mut values, [condition.clone(), when], value);
            }
        }
        Ok(values)
    }

    /// What a cell holds, in the state of the scope.
    fn cell_value(
        &mut self,
        symbol: SymbolId,
        tuple: &[usize],
        scope: Scope<'_>,
    ) -> Grounded<Alternatives<Ground>> {
        let step = self.step.filter(|_| scope.after);
        match step.and_then(|step| Some((step, step.update(symbol)?))) {
            Some((step, update)) => self.updated(step, update, tuple, scope.goal),
            None => Ok(vec![(Tree::True, self.cell(symbol, tuple))]),
        }
    }

    /// What a cell holds after an update: the value of the first arm that applies, else what it held before.
    fn updated(
        &mut self,
        step: &Step<'m>,
        update: &Update,
        tuple: &[usize],
        goal: bool,
    ) -> Grounded<Alternatives<Ground>> {
        let mut binding = step.binding.clone();
        for (var, process) in update.cell.iter().zip(tuple) {
            binding[var.index()] = Some(*process);
        }
        let scope = Scope { binding: &binding, after: false, goal };
        let mut values = Vec::new();
        let mut none_before = Tree::True;
        for arm in &update.arms {
            let applies = self.formula(&arm.condition, true, scope)?;
            let here = Tree::all([none_before.clone(), applies.clone()]);
            if here != Tree::False {
                let arm_values = match &arm.value {
                    Value::Term(term) => self.term(term, scope)?,
                    Value::Any => vec![(Tree::True, self.chosen(update.symbol, tuple)?)],
                    Value::Keep => vec![(Tree::True, self.cell(update.symbol, tuple))],
                };
                for (when, value) in arm_values {
                    push_case(&mut values, [here.clone(), when], value);
                }
            }
            if applies == Tree::True {
                return Ok(values);
            }
            let not = self.formula(&arm.condition, false, scope)?;
            none_before = Tree::all([none_before, not]);
        }
        let kept = self.cell(update.symbol, tuple);
        push_case(&mut values, [none_before], kept);
        Ok(values)
    }

    /// What a cell holds before the step.
    fn cell(&self, symbol: SymbolId, tuple: &[usize]) -> Ground {
        self.ground(symbol, self.universe.cell(symbol, tuple.iter().copied()))
    }

    fn ground(&self, symbol: SymbolId, cell: Cell) -> Ground {
        match self.universe.model.symbol(symbol).sort {
            Sort::Int | Sort::Real => Ground::Number(Quotient::cell(cell)),
            _ => Ground::Cell(cell),
        }
    }

    /// A fresh value of the sort of a symbol.
    fn unknown(&mut self, symbol: SymbolId, outsiders: bool) -> Grounded<Ground> {
        let cell = self.table.push(self.universe, symbol, outsiders)?;
        self.facts.extend(self.universe.kind_facts(symbol, cell));
        Ok(self.ground(symbol, cell))
    }

    /// What a cell becomes if a step may assign anything: the same value wherever it is read.
    fn chosen(&mut self, symbol: SymbolId, tuple: &[usize]) -> Grounded<Ground> {
        let key = self.universe.cell(symbol, tuple.iter().copied());
        if let Some(cell) = self.chosen.get(&key) {
            return Ok(self.ground(symbol, *cell));
        }
        let value = self.unknown(symbol, false)?;
        let cell = u32::try_from(self.table.values.len() - 1).expect("fewer cells than 2^32");
        self.chosen.insert(key, cell);
        Ok(value)
    }
}

/// The marks of cells that hold an integer, or a real number: only there to tell the two apart.
pub(crate) const INTEGER: Mask = 1;
pub(crate) const REAL: Mask = 2;

/// Adds a case unless its condition is false.
fn push_case<T>(cases: &mut Alternatives<T>, condition: impl IntoIterator<Item = Tree>, value: T) {
    let condition = Tree::all(condition);
    if condition != Tree::False {
        cases.push((condition, value));
    }
}

fn add(
    sums: Alternatives<Quotient>,
    factor: i64,
    terms: &Alternatives<Ground>,
) -> Grounded<Alternatives<Quotient>> {
    let mut all = Vec::new();
    for (condition, sum) in sums {
        for (when, term) in terms {
            let Ground::Number(number) = term else {
                return Err(Obstacle::Unsupported("a sum of values that are not numbers".into()));
            };
            push_case(&mut all, [condition.clone(), when.clone()], sum.plus(factor.into(), number)?);
        }
    }
    Ok(all)
}

/// The values of the variables of a quantifier: pairwise distinct involved processes, other than those of `apart_from`.
pub(crate) fn bindings(
    variables: &[Var],
    apart_from: &[Var],
    outer: &Binding,
    processes: usize,
) -> Vec<Binding> {
    let bound = |binding: &Binding, var: &Var| binding.get(var.index()).copied().flatten();
    let without: Vec<Option<usize>> = apart_from.iter().map(|var| bound(outer, var)).collect();
    let mut all = vec![outer.clone()];
    for (at, var) in variables.iter().enumerate() {
        let mut next = Vec::new();
        for binding in &all {
            let taken = |process: usize| {
                let earlier = variables[..at].iter().any(|var| bound(binding, var) == Some(process));
                earlier || without.contains(&Some(process))
            };
            for process in (0..processes).filter(|process| !taken(*process)) {
                let mut binding = binding.clone();
                binding.resize(binding.len().max(var.index() + 1), None);
                binding[var.index()] = Some(process);
                next.push(binding);
            }
        }
        all = next;
    }
    all
}

/// Whether a term is of sort `proc`.
pub(crate) fn is_process(model: &Model, term: &Term) -> bool {
    match term {
        Term::Var(_) | Term::Process(_) | Term::Outsider(_) => true,
        Term::Read { symbol, .. } => model.symbol(*symbol).sort == Sort::Proc,
        _ => false,
    }
}
