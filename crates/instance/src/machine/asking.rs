//! Evaluating formulas and terms that are not part of the model in the current state of a machine.
//!
//! They are compiled and evaluated by the same code as guards and properties.

use super::{
    Instance, Machine,
    ground::{Binding, Cond, Grounder},
    program::{CondId, ExprId, Program, Trouble},
};
use explore::Steered;
use ir::{Formula, Sort, SymbolId, Term, Var};
use std::fmt;

/// Why a formula or term has no value in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unanswerable {
    /// A number is read before it is set; its symbol.
    Unset(SymbolId),
    /// A value that is not a process of the run is used as an index.
    Outsider,
    /// A number grows beyond 64 bits.
    Overflow,
    /// A decimal is not a multiple of the unit in which the instance counts reals.
    TooFine,
    /// A process `#k` is named that the instance does not have; its `k`, from 1.
    NoSuchProcess(u32),
}

impl fmt::Display for Unanswerable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unanswerable::Unset(_) => f.write_str("a number in it has no value yet"),
            Unanswerable::Outsider => {
                f.write_str("a value that is not a process of the run is used as an index")
            }
            Unanswerable::Overflow => f.write_str("a number in it grows beyond 64 bits"),
            Unanswerable::TooFine => {
                f.write_str("a decimal in it has more digits than the model counts with")
            }
            Unanswerable::NoSuchProcess(k) => write!(f, "there is no process #{k}"),
        }
    }
}

/// A formula, compiled for an instance.
#[derive(Debug, Clone)]
pub struct Compiled {
    program: Program,
    condition: CondId,
}

impl Compiled {
    /// Whether it holds in the current state of a machine; `None` if it has no value there.
    pub fn holds<const W: usize>(&self, machine: &Machine<'_, '_, W>) -> Option<bool> {
        self.program.holds(self.condition, &machine.identity()).ok()
    }
}

impl Compiled {
    /// Whether it holds in a state of the instance that it was compiled for; `None` if it has no value there.
    pub(crate) fn holds_in(&self, state: &[u64]) -> Option<bool> {
        self.program.holds(self.condition, state).ok()
    }
}

impl Instance<'_> {
    fn grounder(&self) -> Grounder<'_> {
        Grounder { model: self.model, layout: &self.layout, scale: self.scale, kinds: &self.kinds }
    }

    /// Whether a formula about nothing but the kinds of processes holds.
    pub(crate) fn satisfies(&self, formula: &Formula, processes: &[(Var, usize)]) -> bool {
        let tree = self.grounder().formula(formula, &mut binding(processes));
        tree == Cond::Constant(true)
    }

    fn unanswerable(&self, trouble: Trouble) -> Unanswerable {
        match trouble {
            Trouble::Unset(slot) => Unanswerable::Unset(self.layout.symbol_of[slot]),
            Trouble::Outsider => Unanswerable::Outsider,
            Trouble::Overflow => Unanswerable::Overflow,
        }
    }

    /// Checks that the instance can represent the constants of a term that is not part of the model.
    fn fits(&self, term: &Term) -> Result<(), Unanswerable> {
        match term {
            Term::Process(k) if *k as usize > self.layout.processes => Err(Unanswerable::NoSuchProcess(*k)),
            Term::Linear(linear) if self.scale.denominator() % linear.constant.denominator() != 0 => {
                Err(Unanswerable::TooFine)
            }
            _ => Ok(()),
        }
    }

    fn fresh_program(&self) -> Program {
        Program::new(&self.layout.slots, self.layout.processes)
    }
}

impl<const W: usize> Machine<'_, '_, W> {
    /// Compiles a formula for the current instance. Its free variables are bound to the given processes, counted from
    /// 0.
    pub fn compile(&self, formula: &Formula, processes: &[(Var, usize)]) -> Result<Compiled, Unanswerable> {
        let instance = self.instance();
        let mut fits = Ok(());
        formula.each_term(&mut |term| fits = fits.and_then(|()| instance.fits(term)));
        fits?;
        let tree = instance.grounder().formula(formula, &mut binding(processes));
        let mut program = instance.fresh_program();
        let condition = program.cond(&tree);
        Ok(Compiled { program, condition })
    }

    /// Whether a formula holds in the current state.
    pub fn holds(&self, formula: &Formula, processes: &[(Var, usize)]) -> Result<bool, Unanswerable> {
        let Compiled { program, condition } = self.compile(formula, processes)?;
        program.holds(condition, self.state()).map_err(|trouble| self.instance().unanswerable(trouble))
    }

    /// The value of a term in the current state, formatted for users.
    pub fn value_of(&self, term: &Term, processes: &[(Var, usize)]) -> Result<String, Unanswerable> {
        let instance = self.instance();
        let mut fits = Ok(());
        term.each_term(&mut |part| fits = fits.and_then(|()| instance.fits(part)));
        fits?;
        let tree = instance.grounder().term(term, &mut binding(processes));
        let mut program = instance.fresh_program();
        let id: ExprId = program.expr(&tree);
        let value = program.value(id, self.state()).map_err(|trouble| instance.unanswerable(trouble))?;
        Ok(instance.value(value, instance.sort_of(term)).to_string())
    }
}

impl Instance<'_> {
    fn sort_of(&self, term: &Term) -> Sort {
        match term {
            Term::Var(_) | Term::Process(_) | Term::Outsider(_) => Sort::Proc,
            Term::Constructor(of, _) => Sort::Enum(*of),
            Term::Read { symbol, .. } => self.model.symbol(*symbol).sort,
            Term::Linear(linear) => linear.sort,
            Term::ProcessCount | Term::Count { .. } => Sort::Int,
        }
    }
}

fn binding(processes: &[(Var, usize)]) -> Binding {
    let length = processes.iter().map(|(var, _)| var.index() + 1).max().unwrap_or(0);
    let mut binding = vec![None; length];
    for (var, process) in processes {
        binding[var.index()] = Some(*process);
    }
    binding
}
