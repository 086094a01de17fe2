//! Questions about a state that are asked after an instance was made: whether a formula holds, what value a term has.
//!
//! They are compiled and evaluated by the code that evaluates guards and properties.

use super::{
    Instance, Machine,
    ground::{Binding, Grounder},
    program::{CondId, ExprId, Program, Trouble},
};
use explore::Steered;
use ir::{Formula, Sort, SymbolId, Term, Var};
use std::fmt;

/// Why a question has no answer in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unanswerable {
    /// A number is read that has no value yet; its symbol.
    Unset(SymbolId),
    /// A value that is not a process of the run is used as an index.
    Outsider,
    /// A number grows beyond 64 bits.
    Overflow,
    /// A decimal has more digits than the instance counts with.
    TooFine,
    /// A process is named that the instance does not have.
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
    /// Whether it holds in the state in which a machine is; none if that has no answer.
    pub fn holds<const W: usize>(&self, machine: &Machine<'_, '_, W>) -> Option<bool> {
        self.program.holds(self.condition, &machine.identity()).ok()
    }
}

impl Instance<'_> {
    fn grounder(&self) -> Grounder<'_> {
        Grounder { model: self.model, layout: &self.layout, scale: self.scale, kinds: &self.kinds }
    }

    fn unanswerable(&self, trouble: Trouble) -> Unanswerable {
        match trouble {
            Trouble::Unset(slot) => Unanswerable::Unset(self.layout.symbol_of[slot]),
            Trouble::Outsider => Unanswerable::Outsider,
            Trouble::Overflow => Unanswerable::Overflow,
        }
    }

    /// What the instance was made for may not be enough for a term from outside.
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
    /// Compiles a formula for the kinds that processes have here; its free variables stand for given processes, from 0.
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

    /// Whether a formula holds here.
    pub fn holds(&self, formula: &Formula, processes: &[(Var, usize)]) -> Result<bool, Unanswerable> {
        let Compiled { program, condition } = self.compile(formula, processes)?;
        program.holds(condition, self.state()).map_err(|trouble| self.instance().unanswerable(trouble))
    }

    /// The value of a term here, as people read it.
    pub fn value_of(&self, term: &Term, processes: &[(Var, usize)]) -> Result<String, Unanswerable> {
        let instance = self.instance();
        let mut fits = Ok(());
        term.each_term(&mut |part| fits = fits.and_then(|()| instance.fits(part)));
        fits?;
        let tree = instance.grounder().term(term, &mut binding(processes));
        let mut program = instance.fresh_program();
        let id: ExprId = program.expr(&tree);
        let value = program.value(id, self.state()).map_err(|trouble| instance.unanswerable(trouble))?;
        Ok(instance.write(value, instance.sort_of(term)))
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

    /// A value as people read it.
    fn write(&self, value: i64, sort: Sort) -> String {
        let at = usize::try_from(value).unwrap_or(usize::MAX);
        match sort {
            Sort::Enum(of) => self.model.enums[of.index()].constructors[at].clone(),
            Sort::Proc if at < self.layout.processes => format!("#{}", at + 1),
            Sort::Proc => self.model.outsiders[at - self.layout.processes].name.clone(),
            Sort::Abstract(of) => format!("{}{}", self.model.abstract_types[of.index()].name, at + 1),
            Sort::Int | Sort::Real => self.scale.show(value, sort),
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
