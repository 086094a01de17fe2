//! Formulas of the typed form as terms of SMT-LIB 2.
//!
//! A process of the run is an integer from 1 to `processes`, the outsiders are negative, a variable is a constant and an
//! array is a function. Nothing is enumerated: which processes coincide is left to the solver. Quantifiers are not left
//! to it. Each gets a truth value: if it claims that there is a process, a constant is that process; what it claims of all
//! processes is asserted for every term that occurs and stands for a process. The latter is weaker than the quantifier,
//! which makes a script easier to satisfy, never harder.

mod instantiation;

use super::names::{and, apply, constructor, implies, integer, or, real, symbol};
use crate::{Certificate, Counter};
use ir::{
    Domain, Formula, Model, Quantifier, Relation, Sort, SymbolId, Term, Transition, Update, Value, Var,
};

/// The polarity of a formula: only one half of the meaning of a quantifier matters below a single polarity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Polarity {
    Positive,
    Negative,
    Both,
}

impl Polarity {
    fn opposite(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
            Polarity::Both => Polarity::Both,
        }
    }
}

/// What variables stand for, by number.
pub(super) type Names = Vec<Option<String>>;

/// How a formula is read.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    pub(super) names: Names,
    /// In the state after the step.
    pub(super) after: bool,
    /// Whether this is an instance of a universal formula: the processes that it mentions are not collected.
    pub(super) instance: bool,
}

/// A formula that is asserted for all processes.
#[derive(Debug, Clone)]
struct Universal<'m> {
    /// The premise on which it is asserted.
    premise: String,
    variables: Vec<Var>,
    /// Whether different variables stand for different processes.
    distinct: bool,
    apart_from: Vec<Var>,
    body: &'m Formula,
    /// Whether the body or its negation holds.
    positive: bool,
    scope: Scope,
    /// The number of terms for which it has been asserted.
    done: usize,
}

/// A term that may stand for a process.
#[derive(Debug, Clone)]
struct ProcessTerm {
    term: String,
    /// Whether it certainly stands for a process of the run.
    certain: bool,
}

/// Writes a script.
pub(super) struct Encoder<'m> {
    pub(super) model: &'m Model,
    pub(super) text: String,
    step: Option<(&'m Transition, Names)>,
    /// Updates of the step that are written as a function.
    functions: Vec<SymbolId>,
    process_terms: Vec<ProcessTerm>,
    universals: Vec<Universal<'m>>,
    /// What there was when each scope began.
    scopes: Vec<(usize, usize, usize, Vec<usize>)>,
    /// Names for counts and quantifiers that have occurred before: the same one in the same state has the same value.
    known: Vec<(String, String)>,
    /// For how many process terms the types of cells have been asserted.
    typed: Vec<usize>,
    fresh: usize,
    counters: Vec<(SymbolId, &'m Counter)>,
    /// Whether counters may be supposed to be the numbers that they stand for.
    pub(super) counts: bool,
}

impl<'m> Encoder<'m> {
    pub(super) fn new(model: &'m Model, certificate: &'m Certificate) -> Encoder<'m> {
        let mut encoder = Encoder {
            model,
            text: String::new(),
            step: None,
            functions: vec![],
            process_terms: vec![],
            universals: vec![],
            scopes: vec![],
            known: vec![],
            typed: vec![0],
            fresh: 0,
            counters: certificate.counted(model).collect(),
            counts: true,
        };
        encoder.declarations();
        encoder
    }

    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(super) fn comment(&mut self, text: &str) {
        for line in text.lines() {
            self.line(&format!("; {line}"));
        }
    }

    pub(super) fn assert(&mut self, formula: &str) {
        if formula != "true" {
            self.line(&format!("(assert {formula})"));
        }
    }

    pub(super) fn push(&mut self) {
        self.line("(push 1)");
        let done = self.universals.iter().map(|universal| universal.done).collect();
        self.scopes.push((self.process_terms.len(), self.universals.len(), self.known.len(), done));
        self.typed.push(*self.typed.last().expect("one for each scope"));
    }

    pub(super) fn pop(&mut self) {
        self.line("(pop 1)");
        let (process_terms, universals, known, done) = self.scopes.pop().expect("as many as were pushed");
        self.process_terms.truncate(process_terms);
        self.universals.truncate(universals);
        self.known.truncate(known);
        for (universal, done) in self.universals.iter_mut().zip(done) {
            universal.done = done;
        }
        self.typed.pop();
    }

    fn declarations(&mut self) {
        let model = self.model;
        self.line("(set-logic ALL)");
        for declared in &model.enums {
            let constructors: Vec<String> =
                declared.constructors.iter().map(|name| format!("({})", constructor(name))).collect();
            self.line(&format!(
                "(declare-datatypes (({} 0)) (({})))",
                symbol(&declared.name),
                constructors.join(" ")
            ));
        }
        for declared in &model.abstract_types {
            self.line(&format!("(declare-sort {} 0)", symbol(&declared.name)));
        }
        self.comment("The processes of the run are the integers from 1 on.");
        self.line("(declare-const processes Int)");
        self.assert(&format!("(<= {} processes)", model.min_processes()));
        if let Some(most) = model.max_processes {
            self.assert(&format!("(<= processes {most})"));
        }
        self.line("(define-fun process ((p Int)) Bool (and (<= 1 p) (<= p processes)))");
        for (at, outsider) in model.outsiders.iter().enumerate() {
            self.line(&format!(
                "(define-fun {} () Int (- {})) ; no process of the run",
                outsider_name(&outsider.name),
                at + 1
            ));
        }
        for declared in &model.symbols {
            let indices = vec!["Int"; declared.arity].join(" ");
            let sort = self.sort(declared.sort);
            self.line(&format!("(declare-fun {} ({indices}) {sort})", symbol(&declared.name)));
        }
        for k in 1..=model.named_processes {
            self.process_terms.push(ProcessTerm { term: k.to_string(), certain: true });
        }
    }

    fn sort(&self, sort: Sort) -> String {
        match sort {
            Sort::Int | Sort::Proc => "Int".into(),
            Sort::Real => "Real".into(),
            Sort::Enum(id) => symbol(&self.model.enums[id.index()].name),
            Sort::Abstract(id) => symbol(&self.model.abstract_types[id.index()].name),
        }
    }

    /// Pairwise distinct processes for parameters.
    pub(super) fn declare_params(&mut self, params: &[Var], variables: usize, names: &[String]) -> Names {
        let mut bound: Names = vec![None; variables];
        for (param, name) in params.iter().zip(names) {
            self.declare_process(name);
            bound[param.index()] = Some(name.clone());
        }
        if names.len() > 1 {
            self.assert(&format!("(distinct {})", names.join(" ")));
        }
        bound
    }

    pub(super) fn declare_process(&mut self, name: &str) {
        self.line(&format!("(declare-const {name} Int)"));
        self.assert(&format!("(process {name})"));
        self.process_terms.push(ProcessTerm { term: name.to_owned(), certain: true });
    }

    /// Declares the step that leads to the state after it.
    pub(super) fn set_step(&mut self, transition: &'m Transition, names: &Names) {
        self.functions.clear();
        for update in &transition.updates {
            if update.arms.iter().any(|arm| arm.value == Value::Any) {
                let (name, declared) = (chosen(self.model, update.symbol), self.model.symbol(update.symbol));
                let (indices, sort) = (vec!["Int"; declared.arity].join(" "), self.sort(declared.sort));
                self.line(&format!("(declare-fun {name} ({indices}) {sort}) ; any value"));
            }
        }
        self.step = Some((transition, names.clone()));
        for update in transition.updates.iter().filter(|update| is_plain(update)) {
            let mut inner = names.clone();
            let cells: Vec<String> = (1..=update.cell.len()).map(|at| format!("k{at}")).collect();
            for (var, cell) in update.cell.iter().zip(&cells) {
                inner[var.index()] = Some(cell.clone());
            }
            let value = self.updated(update, &inner, &cells, false);
            let declared = self.model.symbol(update.symbol);
            let parameters: Vec<String> = cells.iter().map(|cell| format!("({cell} Int)")).collect();
            let sort = self.sort(declared.sort);
            let name = symbol(&format!("{}.next", declared.name));
            self.line(&format!("(define-fun {name} ({}) {sort} {value})", parameters.join(" ")));
            self.functions.push(update.symbol);
        }
    }

    /// The value of a cell after the step.
    fn updated(&mut self, update: &'m Update, names: &Names, cell: &[String], instance: bool) -> String {
        let scope = Scope { names: names.clone(), after: false, instance };
        let old = apply(&symbol(&self.model.symbol(update.symbol).name), cell);
        let mut arms = Vec::new();
        for arm in &update.arms {
            let condition = self.formula(&arm.condition, &scope, Polarity::Both);
            let value = match &arm.value {
                Value::Term(term) => self.term(term, &scope),
                Value::Any => self.any(update.symbol, cell),
                Value::Keep => old.clone(),
            };
            arms.push((condition, value));
        }
        arms.into_iter().rev().fold(old, |rest, (condition, value)| match condition.as_str() {
            "true" => value,
            "false" => rest,
            _ => format!("(ite {condition} {value} {rest})"),
        })
    }

    /// Any value of a symbol's domain; of sort `proc`, a process of the run.
    fn any(&mut self, id: SymbolId, cell: &[String]) -> String {
        apply(&chosen(self.model, id), cell)
    }

    /// A formula; the meaning of its quantifiers is asserted separately.
    pub(super) fn formula(&mut self, formula: &'m Formula, scope: &Scope, polarity: Polarity) -> String {
        match formula {
            Formula::True | Formula::Fence => "true".into(),
            Formula::False => "false".into(),
            Formula::Compare(relation, left, right) => {
                if matches!(relation, Relation::Lt | Relation::Le) {
                    [left, right].into_iter().for_each(|term| self.collect(term, scope));
                }
                let (left, right) = (self.term(left, scope), self.term(right, scope));
                match relation {
                    Relation::Eq => format!("(= {left} {right})"),
                    Relation::Neq => format!("(not (= {left} {right}))"),
                    Relation::Lt => format!("(< {left} {right})"),
                    Relation::Le => format!("(<= {left} {right})"),
                }
            }
            Formula::Not(inner) => {
                let inner = self.formula(inner, scope, polarity.opposite());
                format!("(not {inner})")
            }
            Formula::And(parts) => and(self.all(parts, scope, polarity)),
            Formula::Or(parts) => or(self.all(parts, scope, polarity)),
            Formula::Iff(left, right) => {
                let left = self.formula(left, scope, Polarity::Both);
                let right = self.formula(right, scope, Polarity::Both);
                format!("(= {left} {right})")
            }
            Formula::If(condition, then, otherwise) => {
                let condition = self.formula(condition, scope, Polarity::Both);
                let then = self.formula(then, scope, polarity);
                let otherwise = self.formula(otherwise, scope, polarity);
                format!("(ite {condition} {then} {otherwise})")
            }
            Formula::Quantified { quantifier, variables, apart_from, body } => {
                self.quantified(*quantifier, variables, apart_from, body, scope, polarity)
            }
        }
    }

    fn all(&mut self, parts: &'m [Formula], scope: &Scope, polarity: Polarity) -> Vec<String> {
        parts.iter().map(|part| self.formula(part, scope, polarity)).collect()
    }

    /// The truth value of a quantifier.
    fn quantified(
        &mut self,
        quantifier: Quantifier,
        variables: &'m [Var],
        apart_from: &'m [Var],
        body: &'m Formula,
        scope: &Scope,
        polarity: Polarity,
    ) -> String {
        let question = format!("{quantifier:?} {variables:?} {apart_from:?} {body:?} {scope:?} {polarity:?}");
        if let Some((_, name)) = self.known.iter().find(|(known, _)| *known == question) {
            return name.clone();
        }
        self.fresh += 1;
        let name = format!("q{}", self.fresh);
        self.line(&format!("(declare-const {name} Bool)"));
        self.known.push((question, name.clone()));
        let exists = quantifier == Quantifier::Exists;
        let premise = |truth: bool| if truth { name.clone() } else { format!("(not {name})") };
        // Each half is needed only for one polarity.
        let (claims_all, claims_some) = match quantifier {
            Quantifier::Exists => (Polarity::Negative, Polarity::Positive),
            Quantifier::Forall => (Polarity::Positive, Polarity::Negative),
        };
        if polarity != claims_all {
            self.witness(&premise(exists), variables, apart_from, body, scope, exists);
        }
        if polarity != claims_some {
            let (variables, apart_from) = (variables.to_vec(), apart_from.to_vec());
            let scope = scope.clone();
            let (premise, positive) = (premise(!exists), !exists);
            self.universals.push(Universal {
                premise,
                variables,
                distinct: true,
                apart_from,
                body,
                positive,
                scope,
                done: 0,
            });
        }
        name
    }

    /// Asserts that under the premise there are processes for which the body holds, or does not.
    fn witness(
        &mut self,
        premise: &str,
        variables: &[Var],
        apart_from: &[Var],
        body: &'m Formula,
        scope: &Scope,
        positive: bool,
    ) {
        let mut inner = scope.clone();
        let mut chosen = Vec::new();
        for var in variables {
            self.fresh += 1;
            let name = format!("w{}", self.fresh);
            self.line(&format!("(declare-const {name} Int)"));
            if !scope.instance {
                self.process_terms.push(ProcessTerm { term: name.clone(), certain: false });
            }
            bind(&mut inner.names, *var, name.clone());
            chosen.push(name);
        }
        let mut parts: Vec<String> = chosen.iter().map(|name| format!("(process {name})")).collect();
        parts.extend(apart(&chosen, apart_from, scope));
        let polarity = if positive { Polarity::Positive } else { Polarity::Negative };
        let body = self.formula(body, &inner, polarity);
        parts.push(if positive { body } else { format!("(not {body})") });
        let claim = implies(vec![premise.to_owned()], &and(parts));
        self.assert(&claim);
    }

    fn term(&mut self, term: &'m Term, scope: &Scope) -> String {
        match term {
            Term::Var(var) => {
                scope.names.get(var.index()).cloned().flatten().unwrap_or_else(|| "unbound".into())
            }
            Term::Process(k) => k.to_string(),
            Term::Outsider(id) => outsider_name(&self.model.outsiders[id.index()].name),
            Term::Constructor(id, at) => {
                constructor(&self.model.enums[id.index()].constructors[*at as usize])
            }
            Term::Read { symbol: id, indices, .. } => {
                indices.iter().for_each(|index| self.collect(index, scope));
                let cell: Vec<String> = indices.iter().map(|index| self.term(index, scope)).collect();
                self.read(*id, &cell, scope)
            }
            Term::Linear(linear) => {
                let is_real = linear.sort == Sort::Real;
                let mut parts = vec![];
                for (coefficient, part) in &linear.parts {
                    let part = self.term(part, scope);
                    let factor =
                        if is_real { real(ir::Number::whole(*coefficient)) } else { integer(*coefficient) };
                    parts.push(if *coefficient == 1 { part } else { format!("(* {factor} {part})") });
                }
                if !linear.constant.is_zero() || parts.is_empty() {
                    let constant = linear.constant;
                    parts.push(if is_real { real(constant) } else { integer(constant.numerator()) });
                }
                if parts.len() == 1 { parts.remove(0) } else { format!("(+ {})", parts.join(" ")) }
            }
            Term::ProcessCount => "processes".into(),
            // The number of cells with a value does not follow from some of them.
            Term::Count { .. } => {
                let question = format!("{term:?} {:?} {}", scope.names, scope.after);
                if let Some((_, name)) = self.known.iter().find(|(known, _)| *known == question) {
                    return name.clone();
                }
                self.fresh += 1;
                let name = format!("n{}", self.fresh);
                self.line(&format!("(declare-const {name} Int)"));
                self.known.push((question, name.clone()));
                name
            }
        }
    }

    fn read(&mut self, id: SymbolId, cell: &[String], scope: &Scope) -> String {
        let step = self.step.clone().filter(|_| scope.after);
        let update =
            step.as_ref().and_then(|(step, _)| step.updates.iter().find(|update| update.symbol == id));
        match (update, step.as_ref()) {
            (Some(_), _) if self.functions.contains(&id) => {
                apply(&symbol(&format!("{}.next", self.model.symbol(id).name)), cell)
            }
            (Some(update), Some((_, names))) => {
                let mut names = names.clone();
                for (var, index) in update.cell.iter().zip(cell) {
                    bind(&mut names, *var, index.clone());
                }
                self.updated(update, &names, cell, scope.instance)
            }
            _ => apply(&symbol(&self.model.symbol(id).name), cell),
        }
    }

    /// Collects a term that may stand for a process.
    pub(super) fn collect(&mut self, term: &'m Term, scope: &Scope) {
        let Term::Read { symbol: id, .. } = term else { return };
        if scope.instance || self.model.symbol(*id).sort != Sort::Proc {
            return;
        }
        let term = self.term(term, scope);
        if !self.process_terms.iter().any(|known| known.term == term) {
            self.process_terms.push(ProcessTerm { term, certain: false });
        }
    }

    /// That a cell has a value outside of its domain after the step: the negation of what is known before it.
    pub(super) fn outside_of_domain(&mut self, id: SymbolId, cell: &[String]) -> String {
        let value = self.read(id, cell, &Scope { names: vec![], after: true, instance: false });
        format!("(not {})", self.restriction(id, &value, true))
    }

    /// That a value is in the domain of a symbol.
    fn restriction(&self, id: SymbolId, cell: &str, outsiders: bool) -> String {
        let declared = self.model.symbol(id);
        let mut parts = Vec::new();
        if declared.sort == Sort::Proc {
            let mut values = vec![format!("(process {cell})")];
            if outsiders && declared.holds_outsiders {
                let names = self.model.outsiders.iter().map(|outsider| outsider_name(&outsider.name));
                values.extend(names.map(|name| format!("(= {cell} {name})")));
            }
            parts.push(or(values));
        }
        match declared.domain {
            Domain::Full => {}
            Domain::Range(low, high) => parts.push(format!("(<= {} {cell} {})", integer(low), integer(high))),
            Domain::Kind(kind) => {
                if let Some(kinds) = &self.model.kinds {
                    let array = symbol(&self.model.symbol(kinds.of_process).name);
                    let name = constructor(&self.model.enums[kinds.kinds.index()].constructors[kind.index()]);
                    parts.push(format!("(=> (process {cell}) (= ({array} {cell}) {name}))"));
                }
            }
        }
        and(parts)
    }
}

/// Whether the domain of a symbol is smaller than its sort.
pub(super) fn has_domain(model: &Model, id: SymbolId) -> bool {
    let declared = model.symbol(id);
    declared.sort == Sort::Proc || declared.domain != Domain::Full
}

/// The function for the new values of cells to which a step may assign anything.
fn chosen(model: &Model, id: SymbolId) -> String {
    symbol(&format!("{}.any", model.symbol(id).name))
}

fn may_become_anything(step: &Transition, id: SymbolId) -> bool {
    let update = step.updates.iter().find(|update| update.symbol == id);
    update.is_some_and(|update| update.arms.iter().any(|arm| arm.value == Value::Any))
}

fn outsider_name(name: &str) -> String {
    symbol(&format!("outside.{name}"))
}

fn bind(names: &mut Names, var: Var, name: String) {
    names.resize(names.len().max(var.index() + 1), None);
    names[var.index()] = Some(name);
}

/// That the terms stand for different processes, and for none of the others. `false` if two terms are the same.
fn apart(terms: &[String], others: &[Var], scope: &Scope) -> Vec<String> {
    let others: Vec<String> =
        others.iter().filter_map(|var| scope.names.get(var.index()).cloned().flatten()).collect();
    let mut parts = Vec::new();
    for (at, term) in terms.iter().enumerate() {
        for other in terms[..at].iter().chain(&others) {
            parts.push(if term == other { "false".into() } else { format!("(not (= {term} {other}))") });
        }
    }
    parts
}

/// Whether the new value of a cell can be written as a function of the cell: nothing in it needs further processes.
fn is_plain(update: &Update) -> bool {
    let plain_term = |term: &Term| {
        let mut plain = true;
        term.each_term(&mut |part| {
            if let Term::Read { indices, .. } | Term::Count { row: indices, .. } = part {
                plain &= indices.iter().all(|index| !matches!(index, Term::Read { .. }));
            }
            plain &= !matches!(part, Term::Count { .. });
        });
        plain
    };
    update.arms.iter().all(|arm| {
        let value = match &arm.value {
            Value::Term(term) => plain_term(term),
            Value::Any | Value::Keep => true,
        };
        value && plain_formula(&arm.condition, &plain_term)
    })
}

fn plain_formula(formula: &Formula, plain_term: &impl Fn(&Term) -> bool) -> bool {
    let rec = |formula: &Formula| plain_formula(formula, plain_term);
    match formula {
        Formula::True | Formula::False | Formula::Fence => true,
        Formula::Compare(_, left, right) => plain_term(left) && plain_term(right),
        Formula::Not(inner) => rec(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().all(rec),
        Formula::Iff(left, right) => rec(left) && rec(right),
        Formula::If(condition, then, otherwise) => rec(condition) && rec(then) && rec(otherwise),
        Formula::Quantified { .. } => false,
    }
}
