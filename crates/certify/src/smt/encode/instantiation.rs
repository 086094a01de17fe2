//! Instances of what holds for all processes: asserted for every term that occurs in a script and may stand for a process.

use super::{
    Encoder, Polarity, ProcessTerm, Scope, Universal, apart, bind, chosen, may_become_anything, outsider_name,
};
use crate::smt::names::{and, apply, implies, symbol};
use ir::{Formula, Init, Sort, SymbolId, Var};

impl<'m> Encoder<'m> {
    /// A fact about all pairwise distinct processes, from the next [`Encoder::instantiate`] on.
    pub(in crate::smt) fn never(&mut self, params: &[Var], variables: usize, formula: &'m Formula) {
        self.for_all(params, variables, formula, false, true);
    }

    /// Asserts an assumption for the processes that occur, and names the processes that it says there are: whatever holds for all
    /// holds for these, too, from the next [`Encoder::instantiate`] on.
    pub(in crate::smt) fn promise(&mut self, params: &[Var], variables: usize, formula: &'m Formula) {
        let certain: Vec<usize> =
            (0..self.process_terms.len()).filter(|at| self.process_terms[*at].certain).collect();
        for indices in self.tuples(params.len(), true, 0) {
            if !indices.iter().all(|at| certain.contains(at)) {
                continue;
            }
            let terms = self.terms(&indices);
            let mut scope = Scope { names: vec![None; variables], after: false, instance: false };
            for (var, term) in params.iter().zip(&terms) {
                bind(&mut scope.names, *var, term.clone());
            }
            let premises = apart(&terms, &[], &scope);
            let body = self.formula(formula, &scope, Polarity::Negative);
            self.assert(&implies(premises, &format!("(not {body})")));
        }
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
    pub(in crate::smt) fn initial(&mut self, init: &'m Init) {
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

    /// Asserts which cells of arrays start as an outsider, for all indices that occur.
    pub(in crate::smt) fn initial_cells(&mut self, init: &'m Init) {
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

    /// Asserts what holds for all processes for every term that stands for one, unless that has been done.
    pub(in crate::smt) fn instantiate(&mut self) {
        let mut at = 0;
        while at < self.universals.len() {
            let universal = self.universals[at].clone();
            for indices in self.tuples(universal.variables.len(), universal.distinct, universal.done) {
                self.instance(&universal, &indices);
            }
            self.universals[at].done = self.process_terms.len();
            at += 1;
        }
        self.types();
        if self.counts {
            self.count();
        }
    }

    /// Asserts that each counter is at least the number of processes that occur and are counted, and at most that of all processes
    /// less those that occur and are not counted. A process that occurs twice counts once.
    fn count(&mut self) {
        for (id, counter) in self.counters.clone() {
            let (mut with, mut without) = (vec!["0".to_owned()], vec!["0".to_owned()]);
            for at in 0..self.process_terms.len() {
                let name = self.process_terms[at].term.clone();
                let scope = Scope { names: vec![Some(name)], after: false, instance: true };
                let formula = self.formula(&counter.formula, &scope, Polarity::Both);
                let mut new = self.are_processes(&[at]);
                let earlier = self.process_terms[..at].iter();
                let is_other =
                    |other: &ProcessTerm| format!("(not (= {} {}))", self.process_terms[at].term, other.term);
                new.extend(earlier.map(is_other));
                let one = |formula: String| {
                    let parts = new.iter().cloned().chain([formula]).collect();
                    format!("(ite {} 1 0)", and(parts))
                };
                without.push(one(format!("(not {formula})")));
                with.push(one(formula));
            }
            let name = symbol(&self.model.symbol(id).name);
            self.assert(&format!("(<= (+ {} 0) {name})", with.join(" ")));
            self.assert(&format!("(<= {name} (- processes (+ {} 0)))", without.join(" ")));
        }
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
        indices.iter().map(|at| self.process_terms[*at].term.clone()).collect()
    }

    fn are_processes(&self, indices: &[usize]) -> Vec<String> {
        let uncertain = indices.iter().map(|at| &self.process_terms[*at]).filter(|one| !one.certain);
        uncertain.map(|one| format!("(process {})", one.term)).collect()
    }

    /// Tuples of process terms with at least one that is not among the first `done`. The empty tuple occurs once.
    fn tuples(&self, length: usize, distinct: bool, done: usize) -> Vec<Vec<usize>> {
        if length == 0 {
            // The terms do not tell whether it has been done; asserting it again does no harm.
            return vec![vec![]];
        }
        let mut all: Vec<Vec<usize>> = vec![vec![]];
        for _ in 0..length {
            let mut next = Vec::new();
            for tuple in &all {
                for at in (0..self.process_terms.len()).filter(|at| !distinct || !tuple.contains(at)) {
                    next.push(tuple.iter().copied().chain([at]).collect());
                }
            }
            all = next;
        }
        all.retain(|tuple| tuple.iter().any(|at| *at >= done));
        all
    }

    /// Asserts the domains of cells, for all indices that occur.
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
        *self.typed.last_mut().expect("one for each scope") = self.process_terms.len();
    }

    fn assert_type(&mut self, premises: Vec<String>, claim: &str) {
        if claim != "true" {
            self.assert(&implies(premises, claim));
        }
    }

    /// Whether there is any term for a process.
    pub(in crate::smt) fn has_process_terms(&self) -> bool {
        !self.process_terms.is_empty()
    }
}
