//! A model prepared for the search.

use crate::refusal::Refusal;
use crate::scene::Binding;
use crate::support;
use crate::variable::Process;
use crate::vocabulary::Vocabulary;
use ir::{Model, SymbolId, Transition, Update, Value};

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

    /// The number of a symbol in variables.
    pub(crate) fn number(&self, symbol: SymbolId) -> u16 {
        u16::try_from(symbol.0).expect("models with more symbols are refused")
    }

    /// A register of another process is read or written. The text of models does not allow that.
    pub(crate) fn foreign_register(&self, symbol: u16) -> Refusal {
        let symbol = &self.model.symbols[usize::from(symbol)];
        let what = format!("a step uses a cell of `{}` that belongs to another process", symbol.name);
        Refusal::new(what, Some(symbol.at))
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
        let (writes, registers): (Vec<&Update>, Vec<&Update>) =
            transition.updates.iter().partition(|update| model.symbol(update.symbol).weak);
        let changes = |update: &&Update| update.arms.iter().any(|arm| arm.value != Value::Keep);
        Ok(Step {
            transition,
            actor: actor.ok_or_else(no_actor)?,
            is_atomic: transition.reads_weak && writes.iter().any(changes),
            writes,
            registers,
        })
    }

    /// What its variables stand for, given its parameters.
    pub(crate) fn binding(&self, processes: &[Process]) -> Binding {
        bound(self.transition.variables.len(), &self.transition.params, processes)
    }
}

/// A binding of so many variables, of which the parameters stand for these processes.
pub(crate) fn bound(variables: usize, params: &[ir::Var], processes: &[Process]) -> Binding {
    let mut binding = vec![None; variables];
    for (param, process) in params.iter().zip(processes) {
        binding[param.index()] = Some(*process);
    }
    binding
}
