//! Formulas of the typed form as terms of SMT-LIB 2.
//!
//! A process of the run is an integer from 1 to `processes`, the outsiders are negative, a variable is a constant and an
//! array is a function. Nothing is enumerated: which processes are the same is left to the solver. Quantifiers
//! are not. Each is named by a truth value: if it says that there is a process, a constant is that process; what it
//! says about all processes is asserted of every term for a process that is around. The latter leaves something out,
//! which makes a script easier to satisfy, never harder.

use super::names::{and, apply, constructor, implies, integer, or, real, symbol};
use ir::{
    Domain, Formula, Init, Model, Quantifier, Relation, Sort, SymbolId, Term, Transition, Update, Value, Var,
};

/// Where a formula is true: used to leave out the half of a quantifier's meaning that does not matter there.
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
    /// Whether this is an instance of what holds for all processes: the processes that it names are not collected.
    pub(super) instance: bool,
}

/// Something that is asserted of all processes.
#[derive(Debug, Clone)]
struct Universal<'m> {
    /// What it depends on.
    premise: String,
    variables: Vec<Var>,
    /// Whether different variables stand for different processes.
    distinct: bool,
    apart_from: Vec<Var>,
    body: &'m Formula,
    /// Whether the body or its negation holds.
    positive: bool,
    scope: Scope,
    /// How many terms it has been asserted of.
    done: usize,
}

/// A term that stands for a process, if it stands for one at all.
#[derive(Debug, Clone)]
struct Place {
    term: String,
    /// Whether it certainly stands for a process of the run.
    certain: bool,
}

/// Writes a script.
pub(super) struct Encoder<'m> {
    pub(super) model: &'m Model,
    pub(super) text: String,
    step: Option<(&'m Transition, Names)>,
    /// Updates of the step that have a function of their own.
    functions: Vec<SymbolId>,
    places: Vec<Place>,
    universals: Vec<Universal<'m>>,
    /// What was there when each scope began.
    scopes: Vec<(usize, usize, usize, Vec<usize>)>,
    /// Names for what was asked before, in the same words about the same state: it has the same answer.
    known: Vec<(String, String)>,
    /// How many places the cells have been given types for.
    typed: Vec<usize>,
    fresh: usize,
}

impl<'m> Encoder<'m> {
    pub(super) fn new(model: &'m Model) -> Encoder<'m> {
        let mut encoder = Encoder {
            model,
            text: String::new(),
            step: None,
            functions: vec![],
            places: vec![],
            universals: vec![],
            scopes: vec![],
            known: vec![],
            typed: vec![0],
            fresh: 0,
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
        self.scopes.push((self.places.len(), self.universals.len(), self.known.len(), done));
        self.typed.push(*self.typed.last().expect("one for each scope"));
    }

    pub(super) fn pop(&mut self) {
        self.line("(pop 1)");
        let (places, universals, known, done) = self.scopes.pop().expect("as many as were pushed");
        self.places.truncate(places);
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
            self.places.push(Place { term: k.to_string(), certain: true });
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
        self.places.push(Place { term: name.to_owned(), certain: true });
    }

    /// The step that leads to the state after.
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

    /// A formula; what its quantifiers mean is noted beside.
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

    /// A truth value that says what the quantifier says.
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
        // Where only the one half matters, and where only the other.
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

    /// Under the premise there are processes for which the body holds, or does not.
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
                self.places.push(Place { term: name.clone(), certain: false });
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
                let places: Vec<String> = indices.iter().map(|index| self.term(index, scope)).collect();
                self.read(*id, &places, scope)
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
            // How many cells have a value is not known from some of them.
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

    fn read(&mut self, id: SymbolId, places: &[String], scope: &Scope) -> String {
        let step = self.step.clone().filter(|_| scope.after);
        let update =
            step.as_ref().and_then(|(step, _)| step.updates.iter().find(|update| update.symbol == id));
        match (update, step.as_ref()) {
            (Some(_), _) if self.functions.contains(&id) => {
                apply(&symbol(&format!("{}.next", self.model.symbol(id).name)), places)
            }
            (Some(update), Some((_, names))) => {
                let mut names = names.clone();
                for (var, place) in update.cell.iter().zip(places) {
                    bind(&mut names, *var, place.clone());
                }
                self.updated(update, &names, places, scope.instance)
            }
            _ => apply(&symbol(&self.model.symbol(id).name), places),
        }
    }

    /// Notes that a term stands for a process, if it does.
    pub(super) fn collect(&mut self, term: &'m Term, scope: &Scope) {
        let Term::Read { symbol: id, .. } = term else { return };
        if scope.instance || self.model.symbol(*id).sort != Sort::Proc {
            return;
        }
        let term = self.term(term, scope);
        if !self.places.iter().any(|place| place.term == term) {
            self.places.push(Place { term, certain: false });
        }
    }

    /// A fact about all pairwise distinct processes, from the next [`Encoder::instantiate`] on.
    pub(super) fn never(&mut self, params: &[Var], variables: usize, formula: &'m Formula) {
        self.for_all(params, variables, formula, false, true);
    }

    fn for_all(
        &mut self,
        params: &[Var],
        variables: usize,
        formula: &'m Formula,
        positive: bool,
        distinct: bool,
    ) {
        let scope = Scope { names: vec![None; variables], after: false, instance: false };
        self.universals.push(Universal {
            premise: "true".into(),
            variables: params.to_vec(),
            distinct,
            apart_from: vec![],
            body: formula,
            positive,
            scope,
            done: 0,
        });
    }

    /// The state is one of an `init`, from the next [`Encoder::instantiate`] on.
    pub(super) fn initial(&mut self, init: &'m Init) {
        for (at, declared) in self.model.symbols.iter().enumerate() {
            let outsider = init.outsiders.iter().find(|(id, _)| id.index() == at);
            if declared.sort == Sort::Proc && declared.arity == 0 {
                let name = symbol(&declared.name);
                self.assert(&match outsider {
                    Some((_, id)) => {
                        format!("(= {name} {})", outsider_name(&self.model.outsiders[id.index()].name))
                    }
                    None => format!("(process {name})"),
                });
            }
        }
        if init.params.is_empty() {
            let scope = Scope { names: vec![None; init.variables.len()], after: false, instance: false };
            let formula = self.formula(&init.formula, &scope, Polarity::Positive);
            self.assert(&formula);
        } else {
            self.for_all(&init.params, init.variables.len(), &init.formula, true, false);
        }
    }

    /// Where cells of arrays start outside of the run, as far as they are around.
    pub(super) fn initial_cells(&mut self, init: &'m Init) {
        for (at, declared) in self.model.symbols.iter().enumerate() {
            if declared.sort == Sort::Proc && declared.arity > 0 {
                let outsider = init.outsiders.iter().find(|(id, _)| id.index() == at);
                for indices in self.tuples(declared.arity, false, 0) {
                    let cell = apply(&symbol(&declared.name), &self.terms(&indices));
                    let claim = match outsider {
                        Some((_, id)) => {
                            format!("(= {cell} {})", outsider_name(&self.model.outsiders[id.index()].name))
                        }
                        None => format!("(process {cell})"),
                    };
                    let premises = self.are_processes(&indices);
                    self.assert(&implies(premises, &claim));
                }
            }
        }
    }

    /// Asserts what holds for all processes of every term that stands for one, unless that has been done.
    pub(super) fn instantiate(&mut self) {
        let mut at = 0;
        while at < self.universals.len() {
            let universal = self.universals[at].clone();
            for indices in self.tuples(universal.variables.len(), universal.distinct, universal.done) {
                self.instance(&universal, &indices);
            }
            self.universals[at].done = self.places.len();
            at += 1;
        }
        self.types();
    }

    fn instance(&mut self, universal: &Universal<'m>, indices: &[usize]) {
        let terms = self.terms(indices);
        let mut scope = Scope { instance: true, ..universal.scope.clone() };
        for (var, term) in universal.variables.iter().zip(&terms) {
            bind(&mut scope.names, *var, term.clone());
        }
        let mut premises = self.are_processes(indices);
        if universal.premise != "true" {
            premises.push(universal.premise.clone());
        }
        if universal.distinct {
            premises.extend(apart(&terms, &universal.apart_from, &universal.scope));
        }
        if premises.iter().any(|premise| premise == "false") {
            return;
        }
        let polarity = if universal.positive { Polarity::Positive } else { Polarity::Negative };
        let body = self.formula(universal.body, &scope, polarity);
        let claim = if universal.positive { body } else { format!("(not {body})") };
        self.assert(&implies(premises, &claim));
    }

    fn terms(&self, indices: &[usize]) -> Vec<String> {
        indices.iter().map(|at| self.places[*at].term.clone()).collect()
    }

    fn are_processes(&self, indices: &[usize]) -> Vec<String> {
        let places = indices.iter().map(|at| &self.places[*at]).filter(|place| !place.certain);
        places.map(|place| format!("(process {})", place.term)).collect()
    }

    /// Sequences of places, of which at least one is not among the first `done`. With nothing to choose: one, once.
    fn tuples(&self, length: usize, distinct: bool, done: usize) -> Vec<Vec<usize>> {
        if length == 0 {
            // Whether it has been done cannot be told from the places: once more does no harm.
            return vec![vec![]];
        }
        let mut all: Vec<Vec<usize>> = vec![vec![]];
        for _ in 0..length {
            let mut next = Vec::new();
            for tuple in &all {
                for at in (0..self.places.len()).filter(|at| !distinct || !tuple.contains(at)) {
                    next.push(tuple.iter().copied().chain([at]).collect());
                }
            }
            all = next;
        }
        all.retain(|tuple| tuple.iter().any(|at| *at >= done));
        all
    }

    /// What the values of cells are restricted to, for the cells that are around.
    fn types(&mut self) {
        let done = *self.typed.last().expect("one for each scope");
        for at in 0..self.model.symbols.len() {
            let id = SymbolId::from_index(at);
            let arity = self.model.symbol(id).arity;
            for indices in self.tuples(arity, false, done) {
                let terms = self.terms(&indices);
                let premises = self.are_processes(&indices);
                let cell = apply(&symbol(&self.model.symbol(id).name), &terms);
                let claim = self.restriction(id, &cell, true);
                self.assert_type(premises.clone(), &claim);
                let any = self.step.as_ref().is_some_and(|(step, _)| may_become_anything(step, id));
                if any {
                    let cell = apply(&chosen(self.model, id), &terms);
                    let claim = self.restriction(id, &cell, false);
                    self.assert_type(premises, &claim);
                }
            }
        }
        *self.typed.last_mut().expect("one for each scope") = self.places.len();
    }

    fn assert_type(&mut self, premises: Vec<String>, claim: &str) {
        if claim != "true" {
            self.assert(&implies(premises, claim));
        }
    }

    /// Whether there is a term for a process at all.
    pub(super) fn has_places(&self) -> bool {
        !self.places.is_empty()
    }

    /// After the step, a cell has a value that is none of its symbol: the opposite of what is known of it before.
    pub(super) fn outside_of_domain(&mut self, id: SymbolId, cell: &[String]) -> String {
        let value = self.read(id, cell, &Scope { names: vec![], after: true, instance: false });
        format!("(not {})", self.restriction(id, &value, true))
    }

    /// What is known of a value of a symbol.
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

/// Whether something is known of the values of a symbol, beside their sort.
pub(super) fn has_domain(model: &Model, id: SymbolId) -> bool {
    let declared = model.symbol(id);
    declared.sort == Sort::Proc || declared.domain != Domain::Full
}

/// The function that tells what a step gives to cells that may become anything.
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

/// Different terms stand for different processes, and for none of the others. `false` where two terms are the same.
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

/// Whether the new value of a cell can be written as a function of the cell: nothing in it asks for further processes.
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
