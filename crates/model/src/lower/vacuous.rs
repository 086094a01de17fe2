//! Warnings about vacuous models: an `init` that no state satisfies, assumptions that no instance satisfies.
//!
//! Every property holds in such a model, so there is a warning if it is certainly vacuous. `init` holds for all
//! processes, so a few of its instances are checked together: for its own parameters, for the processes that the
//! model names, and for those that variables point to.

use super::{
    conflict::{self, Part},
    consistency::Looker,
    items::RawInit,
};
use ir::{Formula, Model, Property, Sort, SymbolId, Term, Var};
use source::{Diagnostic, Diagnostics};

/// The largest number of instances to check together.
const MOST_INSTANCES: usize = 64;
/// The largest total size of these instances.
const LARGEST: usize = 50_000;
/// The first number of variables for the processes of an instance, far from the numbers of variables in items.
const FIRST_WITNESS: u32 = 1 << 30;

/// Warns about each `init` that no state satisfies.
pub(super) fn check_inits(looker: Looker<'_>, model: &Model, inits: &[RawInit], out: &mut Diagnostics) {
    for init in inits.iter().filter(|init| init.sound) {
        let start = Start { looker, model, init };
        out.extend(start.warning(inits.len() == 1));
    }
}

/// The check whether some state satisfies an `init`.
struct Start<'a> {
    looker: Looker<'a>,
    model: &'a Model,
    init: &'a RawInit,
}

/// A choice of processes for the parameters.
type Choice = Vec<Term>;

impl Start<'_> {
    fn warning(&self, alone: bool) -> Option<Diagnostic> {
        let processes = self.processes();
        let core = conflict::core(&self.init.parts, &|parts| self.may_hold(&processes, parts))?;
        let (message, help) = if alone {
            ("no state satisfies `init`", "the model has no run, so every property holds vacuously")
        } else {
            ("no state satisfies this `init`", "several `init` are a union: this one adds nothing")
        };
        let at = self.init.at;
        let warn = |span| {
            Diagnostic::warning("unsatisfiable-init", if core.is_empty() { at } else { span }, message)
        };
        let diagnostic = conflict::point_at(&core, warn);
        Some(self.explain(diagnostic, &core, &processes).help(help))
    }

    /// Adds to a message which processes, or which values, contradict each other, if that is not obvious.
    fn explain(&self, diagnostic: Diagnostic, core: &[&Part], processes: &[Term]) -> Diagnostic {
        let all = conflict::all(core.iter().copied());
        let own = self.own_params();
        if !self.holds_for(self.looker, &all, std::slice::from_ref(&own)) {
            let by_type = self.holds_for(self.looker.without_ranges(), &all, &[own]);
            return if by_type {
                conflict::explain_ranges(self.looker, diagnostic, core)
            } else {
                diagnostic
            };
        }
        let pointed = processes.iter().find(|process| {
            let to_it = || own.iter().map(|_| (*process).clone()).collect();
            !self.holds_for(self.looker, &all, &[own.clone(), to_it()])
        });
        match pointed {
            Some(Term::Var(_)) => diagnostic.help("its parameters may stand for the same process"),
            Some(process) => diagnostic.help(format!(
                "what `init` says holds for every process, so for `{}` as well",
                process.display(self.model, &self.init.variables)
            )),
            None => {
                diagnostic.help("what `init` says holds for every choice of its parameters, equal or not")
            }
        }
    }

    fn own_params(&self) -> Choice {
        self.init.params.iter().copied().map(Term::Var).collect()
    }

    /// Whether some of its parts may hold together.
    fn may_hold(&self, processes: &[Term], parts: &[&Part]) -> bool {
        let all = conflict::all(parts.iter().copied());
        let choices = self.choices(processes);
        let small = all.extent().size.saturating_mul(choices.len()) <= LARGEST;
        let each =
            choices.iter().all(|choice| self.holds_for(self.looker, &all, std::slice::from_ref(choice)));
        each && (!small || self.holds_for(self.looker, &all, &choices))
    }

    /// Whether a formula may hold for several choices of the parameters at once. The parameters themselves have their
    /// declared kinds, since there is a process of each kind.
    fn holds_for(&self, looker: Looker<'_>, formula: &Formula, choices: &[Choice]) -> bool {
        let said = self.init.kinds.clone().implies(formula.clone());
        let instances = choices.iter().map(|choice| {
            let position = |var: Var| self.init.params.iter().position(|param| *param == var);
            let instance = said.substitute(&|var| Some(choice[position(var)?].clone()));
            Formula::and([self.init.kinds.clone(), instance])
        });
        looker.satisfiable_together(&instances.collect::<Vec<_>>(), &[])
    }

    /// The processes to choose for parameters: the parameters themselves, terms used as indices, and named processes.
    fn processes(&self) -> Vec<Term> {
        let mut found = self.own_params();
        let outside: Vec<SymbolId> =
            self.model.init.iter().flat_map(|init| &init.outsiders).map(|(symbol, _)| *symbol).collect();
        let bound = |term: &Term| {
            let mut bound = false;
            term.each_term(&mut |part| {
                bound |= matches!(part, Term::Var(var) if !self.init.params.contains(var));
            });
            bound
        };
        let process = |term: &Term| match term {
            Term::Process(_) => true,
            Term::Read { symbol, .. } => {
                self.model.symbol(*symbol).sort == Sort::Proc && !outside.contains(symbol) && !bound(term)
            }
            _ => false,
        };
        conflict::all(&self.init.parts).each_term(&mut |term| {
            if let Term::Read { indices, .. } = term {
                for index in indices.iter().filter(|index| process(index)) {
                    if !found.contains(index) {
                        found.push(index.clone());
                    }
                }
            }
        });
        found
    }

    /// All choices among some processes, its own parameters first; if there are too many, those with the same process
    /// for all.
    fn choices(&self, processes: &[Term]) -> Vec<Choice> {
        let own = self.own_params();
        let exponent = u32::try_from(own.len()).unwrap_or(u32::MAX);
        let many = processes.len().checked_pow(exponent).is_none_or(|count| count > MOST_INSTANCES);
        let others = if many {
            processes.iter().take(MOST_INSTANCES).map(|process| vec![process.clone(); own.len()]).collect()
        } else {
            tuples(processes, own.len())
        };
        std::iter::once(own.clone()).chain(others.into_iter().filter(|choice| *choice != own)).collect()
    }
}

/// All sequences of some terms.
fn tuples(terms: &[Term], length: usize) -> Vec<Choice> {
    (0..length).fold(vec![vec![]], |shorter, _| {
        let longer = |tuple: &Choice| {
            terms.iter().map(|term| [tuple.as_slice(), std::slice::from_ref(term)].concat()).collect()
        };
        shorter.iter().flat_map::<Vec<Choice>, _>(longer).collect()
    })
}

/// Warns if no instance satisfies the assumptions.
pub(super) fn check_assumptions(looker: Looker<'_>, model: &Model, out: &mut Diagnostics) {
    let processes = usize::try_from(model.min_processes()).unwrap_or(usize::MAX).min(4);
    let witnesses: Vec<Var> = (0..4).take(processes).map(|at| Var(FIRST_WITNESS + at)).collect();
    let parts: Vec<Part> = model
        .assumptions
        .iter()
        .filter(|assumption| assumption.params.len() <= witnesses.len())
        .map(|assumption| Part::whole(excluded(assumption, &witnesses), assumption.at.0))
        .collect();
    let possible = |parts: &[&Part]| {
        let formulas: Vec<Formula> = parts.iter().map(|part| part.formula.clone()).collect();
        looker.satisfiable_together(&formulas, &witnesses)
    };
    let Some(core) = conflict::core(&parts, &possible) else { return };
    let message = "no instance satisfies the assumptions";
    let mut diagnostic =
        conflict::point_at(&core, |at| Diagnostic::warning("contradicting-assumptions", at, message));
    diagnostic = match core.as_slice() {
        [_] => diagnostic.label("this leaves out every instance"),
        [_, _] => diagnostic.label("what the other assumption allows, this leaves out"),
        _ => diagnostic.label("together they leave out every instance"),
    };
    out.push(
        diagnostic
            .help("`assume` and `invariant` describe what is left out, not what is wanted")
            .help("the model has no run, so every property holds vacuously"),
    );
}

/// The formula that an assumption has no match among some distinct processes that every instance has.
fn excluded(assumption: &Property, witnesses: &[Var]) -> Formula {
    let terms: Vec<Term> = witnesses.iter().copied().map(Term::Var).collect();
    let distinct = |choice: &Choice| (0..choice.len()).all(|at| !choice[..at].contains(&choice[at]));
    let choices = tuples(&terms, assumption.params.len()).into_iter().filter(distinct);
    Formula::and(choices.map(|choice| {
        let position = |var: Var| assumption.params.iter().position(|param| *param == var);
        assumption.formula.substitute(&|var| Some(choice[position(var)?].clone())).not()
    }))
}
