//! Rules that need the whole file: initial values of semaphores, assumptions, weak memory, and whether there is an
//! instance.

use super::{
    environment::Environment,
    items::{Declared, RawInit},
};
use crate::syntax::ast::{self, AstNode};
use ir::{
    Formula, Lock, LockKind, Model, Number, Origin, Property, PropertyKind, Quantifier, Relation, SymbolId,
    Term,
};
use rustc_hash::FxHashSet;
use source::{Diagnostic, Diagnostics, Span};

/// A file whose items have all been lowered.
pub(super) struct WholeFile<'a> {
    pub(super) env: &'a Environment,
    pub(super) out: &'a mut Diagnostics,
    pub(super) model: &'a mut Model,
    pub(super) inits: &'a [RawInit],
}

impl WholeFile<'_> {
    pub(super) fn check(&mut self, file: &ast::File, declared: Vec<Declared>) {
        self.check_instances();
        if self.inits.is_empty() {
            self.out.push(
                Diagnostic::error("missing-init", Span::empty(file.span().end()), "the model has no `init`")
                    .help("the initial states are described by `init (i) { … }`"),
            );
        }
        self.check_semaphores();
        self.check_weak_declarations();
        self.separate_assumptions(declared);
    }

    /// Checks that some number of processes is allowed.
    fn check_instances(&mut self) {
        let (least, most) = (self.env.kinds.len(), self.env.max_processes);
        if let (Some(most), Some(at)) = (most, self.env.number_procs_at)
            && (most as usize) < least
        {
            self.out.push(
                Diagnostic::error(
                    "no-instance",
                    at,
                    format!("there are {least} kinds of process, but at most {most} processes"),
                )
                .label("a run has at least one process of each kind"),
            );
        }
    }

    /// Checks that the initial value of each semaphore is given and not negative.
    fn check_semaphores(&mut self) {
        let locks = self.env.threads.iter().flat_map(|threads| &threads.locks);
        for lock in locks.filter(|lock| lock.kind == LockKind::Semaphore) {
            for init in self.inits {
                let Some(disjuncts) = &init.disjuncts else { continue };
                let values: Vec<Option<&Term>> =
                    disjuncts.iter().map(|literals| self.start_value(lock, init, literals)).collect();
                self.check_start_values(lock, &values, init.at);
            }
        }
    }

    fn check_start_values(&mut self, lock: &Lock, values: &[Option<&Term>], init: Span) {
        let at = self.env.symbols[lock.state.index()].at.0;
        if values.iter().any(Option::is_none) {
            let (message, say) = if lock.array {
                (
                    format!("the semaphores `{}` have no start value", lock.name),
                    format!("say `{}[i] = …` here, for all `i`", lock.name),
                )
            } else {
                (
                    format!("the semaphore `{}` has no start value", lock.name),
                    format!("say `{} = …` here", lock.name),
                )
            };
            self.out.push(Diagnostic::error("semaphore-without-value", at, message).also(init, say));
        }
        let negative = |value: &&Term| value.as_number().is_some_and(|number| number < Number::ZERO);
        if values.iter().flatten().any(negative) {
            let message = format!("the semaphore `{}` starts below 0", lock.name);
            self.out.push(Diagnostic::error("negative-semaphore", at, message).also(init, "given here"));
        }
    }

    /// The value that a disjunct of `init` gives to a semaphore, or to every semaphore of an array.
    fn start_value<'f>(&self, lock: &Lock, init: &RawInit, literals: &'f [Formula]) -> Option<&'f Term> {
        // A parameter with a kind ranges only over some processes; variables bound inside range over all.
        let all = |index: &Term| matches!(index, Term::Var(var) if init.free_params.contains(var) || !init.params.contains(var));
        let given = |term: &Term| match term {
            Term::Read { symbol, indices, .. } => *symbol == lock.state && indices.iter().all(all),
            _ => false,
        };
        literals.iter().find_map(|literal| match literal {
            Formula::Compare(Relation::Eq, left, right) if given(left) && !self.reads_semaphore(right) => {
                Some(right)
            }
            Formula::Compare(Relation::Eq, left, right) if given(right) && !self.reads_semaphore(left) => {
                Some(left)
            }
            Formula::Quantified { quantifier: Quantifier::Forall, body, apart_from, .. }
                if apart_from.is_empty() =>
            {
                self.start_value(lock, init, body.conjuncts())
            }
            _ => None,
        })
    }

    /// Whether a term reads a semaphore. Initial values must not: two semaphores could be defined by each other.
    fn reads_semaphore(&self, term: &Term) -> bool {
        let locks = self.env.threads.iter().flat_map(|threads| &threads.locks);
        let states: Vec<SymbolId> = locks.map(|lock| lock.state).collect();
        let mut found = false;
        term.each_term(&mut |part| found |= part.symbol().is_some_and(|symbol| states.contains(&symbol)));
        found
    }

    /// Checks that a weak model has no locks.
    fn check_weak_declarations(&mut self) {
        if !self.env.weak {
            return;
        }
        let locks: Vec<Span> = self
            .env
            .threads
            .iter()
            .flat_map(|t| &t.locks)
            .map(|lock| self.model.symbol(lock.state).at.0)
            .collect();
        for at in &locks {
            self.out.push(
                Diagnostic::error(
                    "locks-in-weak-model",
                    *at,
                    "locks and weak symbols cannot be in one model yet",
                )
                .label("a lock"),
            );
        }
    }

    /// The parameters of an instance: symbols that are never assigned, and that `init` does not mention.
    fn rigid_symbols(&self) -> FxHashSet<SymbolId> {
        let mut rigid: FxHashSet<SymbolId> =
            (0..self.model.symbols.len()).map(SymbolId::from_index).collect();
        for update in self.model.transitions.iter().flat_map(|transition| &transition.updates) {
            rigid.remove(&update.symbol);
        }
        for symbol in self.inits.iter().flat_map(|init| &init.mentioned) {
            rigid.remove(symbol);
        }
        // Locks have a fixed initial state.
        rigid.retain(|symbol| self.model.symbol(*symbol).origin == Origin::Declared);
        rigid
    }

    /// Separates assumptions: an `invariant` that mentions only parameters of the instance is an assumption about it.
    fn separate_assumptions(&mut self, declared: Vec<Declared>) {
        let rigid = self.rigid_symbols();
        let mut claims = Vec::new();
        for Declared { mut property, mentioned } in declared {
            let variable = mentioned.iter().copied().find(|symbol| !rigid.contains(symbol));
            match (property.kind, variable) {
                (PropertyKind::Assumption, Some(symbol)) => self.report_variable(&property, symbol),
                (PropertyKind::Assumption, None) => self.model.assumptions.push(property),
                (PropertyKind::Invariant, None) if !mentioned.is_empty() => {
                    self.note_assumed(&property);
                    property.kind = PropertyKind::Assumption;
                    self.model.assumptions.push(property);
                }
                _ => claims.push(property),
            }
        }
        self.model.properties.splice(0..0, claims);
    }

    fn report_variable(&mut self, assumption: &Property, symbol: SymbolId) {
        let message = format!("`{}` is not part of the instance", self.model.symbol(symbol).name);
        self.out.push(
            Diagnostic::error("assumption-about-variable", assumption.at.0, message)
                .label("only symbols that no transition assigns and `init` does not mention can be assumed about")
                .help("what should hold in every reachable state is an `invariant`"),
        );
    }

    fn note_assumed(&mut self, property: &Property) {
        self.out.push(
            Diagnostic::note(
                "assumed-invariant",
                property.at.0,
                format!("`{}` is assumed, not checked", property.name),
            )
            .label(
                "nothing assigns these symbols and `init` does not mention them: this restricts the instance",
            )
            .help("`assume` says so explicitly"),
        );
    }
}
