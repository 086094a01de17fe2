//! A model prepared for the search.

use crate::refusal::Refusal;
use crate::scene::Binding;
use crate::support;
use crate::variable::Process;
use crate::vocabulary::Vocabulary;
use ir::{Arm, Formula, Model, Relation, SymbolId, Term, Transition, Update, Value, Var};

/// A model that the search supports.
#[derive(Debug)]
pub(crate) struct System<'m> {
    pub(crate) model: &'m Model,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) steps: Vec<Step<'m>>,
}

/// A transition, with what is often asked about it.
#[derive(Debug)]
pub(crate) struct Step<'m> {
    pub(crate) transition: &'m Transition,
    /// The position of the actor among the parameters.
    pub(crate) actor: usize,
    /// Updates of memory.
    pub(crate) writes: Vec<&'m Update>,
    /// Updates of registers.
    pub(crate) registers: Vec<&'m Update>,
    /// Whether it is an atomic read-modify-write.
    pub(crate) is_atomic: bool,
}

impl<'m> System<'m> {
    pub(crate) fn new(model: &'m Model) -> Result<System<'m>, Refusal> {
        support::check(model)?;
        let steps = model.transitions.iter().map(|transition| Step::new(model, transition));
        Ok(System { model, vocabulary: Vocabulary::new(model), steps: steps.collect::<Result<_, _>>()? })
    }

    /// The ways in which parameters stand for distinct ones of so many processes, or for others, which get the next numbers.
    pub(crate) fn placements(&self, params: usize, known: Process) -> Vec<Vec<Process>> {
        let mut all: Vec<Vec<Process>> = vec![vec![]];
        for _ in 0..params {
            let place = |chosen: Vec<Process>| {
                let next = chosen.iter().map(|process| process + 1).max().unwrap_or(0).max(known);
                let end = if self.vocabulary.has_room(next) { next + 1 } else { next };
                let free: Vec<Process> = (0..end).filter(|process| !chosen.contains(process)).collect();
                free.into_iter().map(move |process| chosen.iter().copied().chain([process]).collect())
            };
            all = all.into_iter().flat_map(place).collect();
        }
        all
    }

    /// A register of another process is read or written. The text of models does not allow that.
    pub(crate) fn foreign_register(&self, symbol: u16) -> Refusal {
        foreign_register(self.model, SymbolId(symbol.into()))
    }

    /// A weak symbol is read and nobody is said to read it.
    pub(crate) fn no_reader(&self, symbol: u16) -> Refusal {
        let symbol = &self.model.symbols[usize::from(symbol)];
        Refusal::new(format!("nobody is said to read the weak `{}`", symbol.name), Some(symbol.at))
    }
}

impl<'m> Step<'m> {
    fn new(model: &Model, transition: &'m Transition) -> Result<Step<'m>, Refusal> {
        let rule = &model.rules[transition.rule.index()];
        let actor = transition.params.iter().position(|param| Some(*param) == transition.actor);
        let no_actor = || Refusal::new(format!("`{}` has no actor", rule.name), Some(rule.at));
        let changes = |update: &&Update| update.arms.iter().any(|arm| arm.value != Value::Keep);
        let (writes, registers): (Vec<&Update>, Vec<&Update>) =
            transition.updates.iter().filter(changes).partition(|update| model.symbol(update.symbol).weak);
        if let Some(update) = registers.iter().find(|update| !is_own(update, transition.actor)) {
            return Err(foreign_register(model, update.symbol));
        }
        Ok(Step {
            transition,
            actor: actor.ok_or_else(no_actor)?,
            is_atomic: transition.reads_weak && !writes.is_empty(),
            writes,
            registers,
        })
    }

    /// What its variables stand for, given its parameters.
    pub(crate) fn binding(&self, processes: &[Process]) -> Binding {
        bound(self.transition.variables.len(), &self.transition.params, processes)
    }
}

fn foreign_register(model: &Model, symbol: SymbolId) -> Refusal {
    let symbol = model.symbol(symbol);
    let what = format!("a step uses a cell of `{}` that may belong to another process", symbol.name);
    Refusal::new(what, Some(symbol.at))
}

/// Whether an update of a register changes cells of the actor only.
fn is_own(update: &Update, actor: Option<Var>) -> bool {
    let (Some(owner), Some(actor)) = (update.cell.first(), actor) else { return false };
    let (owner, actor) = (Term::Var(*owner), Term::Var(actor));
    let is_actor = |conjunct: &Formula| match conjunct {
        Formula::Compare(Relation::Eq, left, right) => {
            (left, right) == (&owner, &actor) || (left, right) == (&actor, &owner)
        }
        _ => false,
    };
    let is_fine = |arm: &Arm| arm.value == Value::Keep || arm.condition.conjuncts().iter().any(is_actor);
    update.arms.iter().all(is_fine)
}

/// The number of a symbol in variables.
pub(crate) fn number_of(symbol: SymbolId) -> u16 {
    u16::try_from(symbol.0).expect("models with more symbols are refused")
}

/// A binding of so many variables, of which the parameters stand for these processes.
pub(crate) fn bound(variables: usize, params: &[Var], processes: &[Process]) -> Binding {
    let mut binding = vec![None; variables];
    for (param, process) in params.iter().zip(processes) {
        binding[param.index()] = Some(*process);
    }
    binding
}
