//! Formulas of a model over structures: what is not known is neither true nor false.

use crate::Unsupported;
use crate::layout::{Layout, MOST_MEMBERS, OTHER, Place, UNKNOWN, is_process, outsider};
use crate::structure::Structure;
use model::ir::{self, Model, Quantifier, Relation, Var};

/// Items have fewer variables than this.
pub(crate) const MOST_VARIABLES: usize = 48;

/// What variables stand for: members, or nothing yet.
pub(crate) type Env = [u8; MOST_VARIABLES];

/// No variable stands for anything.
pub(crate) const UNBOUND: Env = [UNKNOWN; MOST_VARIABLES];

/// A value of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Term {
    /// A constructor or an outsider.
    Constant(u8),
    Var(u8),
    Global(usize),
    Cell(usize, Box<Term>),
    Block(usize, Box<Term>, Box<Term>),
}

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Formula {
    Known(bool),
    Equal(Term, Term),
    /// The first process comes before the second.
    Before(Term, Term),
    /// A pointer holds an outsider.
    IsOutsider(Term),
    /// Not known as long as a variable stands for nothing.
    OnceBound(Vec<u8>, Box<Formula>),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Iff(Box<Formula>, Box<Formula>),
    If(Box<Formula>, Box<Formula>, Box<Formula>),
    Quantified {
        all: bool,
        variables: Vec<u8>,
        apart_from: Vec<u8>,
        body: Box<Formula>,
    },
}

/// Compiles formulas of a model.
#[derive(Clone, Copy)]
pub(crate) struct Compiler<'m> {
    pub(crate) model: &'m Model,
    pub(crate) layout: &'m Layout,
    /// What the context is about, if there is one.
    pub(crate) context: Option<&'m ir::Formula>,
}

impl Compiler<'_> {
    pub(crate) fn formula(self, formula: &ir::Formula) -> Result<Formula, Unsupported> {
        let all =
            |parts: &[ir::Formula]| parts.iter().map(|part| self.formula(part)).collect::<Result<_, _>>();
        let boxed = |part: &ir::Formula| self.formula(part).map(Box::new);
        Ok(match formula {
            ir::Formula::True | ir::Formula::Fence => Formula::Known(true),
            ir::Formula::False => Formula::Known(false),
            ir::Formula::Compare(relation, left, right) => self.comparison(*relation, left, right)?,
            ir::Formula::Not(inner) => Formula::Not(boxed(inner)?),
            ir::Formula::And(parts) => Formula::And(all(parts)?),
            ir::Formula::Or(parts) => Formula::Or(all(parts)?),
            ir::Formula::Iff(left, right) => Formula::Iff(boxed(left)?, boxed(right)?),
            ir::Formula::If(condition, then, otherwise) => {
                Formula::If(boxed(condition)?, boxed(then)?, boxed(otherwise)?)
            }
            ir::Formula::Quantified { quantifier, variables, apart_from, body } => Formula::Quantified {
                all: *quantifier == Quantifier::Forall,
                variables: numbers(variables)?,
                apart_from: numbers(apart_from)?,
                body: boxed(body)?,
            },
        })
    }

    fn comparison(
        self,
        relation: Relation,
        left: &ir::Term,
        right: &ir::Term,
    ) -> Result<Formula, Unsupported> {
        let (a, b) = (self.term(left)?, self.term(right)?);
        Ok(match relation {
            Relation::Eq => Formula::Equal(a, b),
            Relation::Neq => Formula::Not(Box::new(Formula::Equal(a, b))),
            _ if !is_process(self.model, left) => return Err(Unsupported::new("numbers", None)),
            Relation::Lt => Formula::Before(a, b),
            Relation::Le => Formula::Or(vec![Formula::Before(a.clone(), b.clone()), Formula::Equal(a, b)]),
        })
    }

    pub(crate) fn term(self, term: &ir::Term) -> Result<Term, Unsupported> {
        Ok(match term {
            ir::Term::Var(var) => Term::Var(number(*var)?),
            ir::Term::Outsider(id) => Term::Constant(outsider(*id)),
            ir::Term::Constructor(_, at) => Term::Constant(u8::try_from(*at).unwrap_or(u8::MAX)),
            ir::Term::Read { symbol, indices, .. } => {
                let index = |at: usize| self.term(&indices[at]).map(Box::new);
                match self.layout.places[symbol.index()] {
                    Place::Global(at) => Term::Global(at),
                    Place::Cell(cell) => Term::Cell(cell, index(0)?),
                    Place::Block(block) => Term::Block(block, index(0)?, index(1)?),
                }
            }
            ir::Term::Process(_) => return Err(Unsupported::new("named processes", None)),
            ir::Term::Linear(_) => return Err(Unsupported::new("numbers", None)),
            ir::Term::ProcessCount => return Err(Unsupported::new("`SYS_PROCS`", None)),
            ir::Term::Count { .. } => return Err(Unsupported::new("`count`", None)),
        })
    }
}

pub(crate) fn number(var: Var) -> Result<u8, Unsupported> {
    u8::try_from(var.index())
        .ok()
        .filter(|number| usize::from(*number) < MOST_VARIABLES)
        .ok_or_else(|| Unsupported::new("an item with so many variables", None))
}

pub(crate) fn numbers(variables: &[Var]) -> Result<Vec<u8>, Unsupported> {
    variables.iter().map(|var| number(*var)).collect()
}

/// A structure in which formulas are looked at.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'s> {
    pub(crate) layout: &'s Layout,
    pub(crate) structure: &'s Structure,
}

impl Reading<'_> {
    /// The code of a term; `UNKNOWN` if it depends on what is not known.
    pub(crate) fn term(self, term: &Term, env: &Env) -> u8 {
        match term {
            Term::Constant(code) => *code,
            Term::Var(var) => env[usize::from(*var)],
            Term::Global(at) => self.structure.bytes[*at],
            Term::Cell(cell, index) => match self.member(index, env) {
                Some(member) => self.structure.bytes[self.layout.cell(member, *cell)],
                None => UNKNOWN,
            },
            Term::Block(block, first, second) => match (self.member(first, env), self.member(second, env)) {
                (Some(a), Some(b)) => self.structure.bytes[self.layout.block(a, b, *block)],
                _ => UNKNOWN,
            },
        }
    }

    pub(crate) fn member(self, term: &Term, env: &Env) -> Option<usize> {
        Some(usize::from(self.term(term, env))).filter(|member| *member < self.structure.members)
    }

    /// Whether a formula holds, if that is known. A universal formula never is: there may be more processes.
    pub(crate) fn holds(self, formula: &Formula, env: &Env) -> Option<bool> {
        match formula {
            Formula::Known(value) => Some(*value),
            Formula::Equal(left, right) => equal(self.term(left, env), self.term(right, env)),
            Formula::Before(first, second) => self.before(first, second, env),
            Formula::IsOutsider(term) => match self.term(term, env) {
                UNKNOWN => None,
                code => Some((crate::layout::FIRST_OUTSIDER..OTHER).contains(&code)),
            },
            Formula::OnceBound(variables, inner) => {
                let bound = variables.iter().all(|variable| env[usize::from(*variable)] != UNKNOWN);
                if bound { self.holds(inner, env) } else { None }
            }
            Formula::Not(inner) => self.holds(inner, env).map(|value| !value),
            Formula::And(parts) => self.junction(parts, env, false),
            Formula::Or(parts) => self.junction(parts, env, true),
            Formula::Iff(left, right) => Some(self.holds(left, env)? == self.holds(right, env)?),
            Formula::If(condition, then, otherwise) => match self.holds(condition, env) {
                Some(true) => self.holds(then, env),
                Some(false) => self.holds(otherwise, env),
                None => {
                    let (a, b) = (self.holds(then, env)?, self.holds(otherwise, env)?);
                    (a == b).then_some(a)
                }
            },
            Formula::Quantified { all, variables, apart_from, body } => {
                let mut env = *env;
                let taken = apart_from.iter().fold(0, |taken, var| taken | bit(env[usize::from(*var)]));
                self.exists(variables, taken, body, &mut env, !*all).then_some(!*all)
            }
        }
    }

    /// A disjunction, or (with `decisive` false) a conjunction.
    fn junction(self, parts: &[Formula], env: &Env, decisive: bool) -> Option<bool> {
        let mut all_known = true;
        for part in parts {
            match self.holds(part, env) {
                Some(value) if value == decisive => return Some(decisive),
                Some(_) => {}
                None => all_known = false,
            }
        }
        all_known.then_some(!decisive)
    }

    /// Whether the body is known to be `value` for some distinct members.
    fn exists(self, variables: &[u8], taken: u32, body: &Formula, env: &mut Env, value: bool) -> bool {
        let Some((variable, others)) = variables.split_first() else {
            return self.holds(body, env) == Some(value);
        };
        for member in 0..u8::try_from(self.structure.members).unwrap_or(0) {
            if taken & bit(member) != 0 {
                continue;
            }
            env[usize::from(*variable)] = member;
            if self.exists(others, taken | bit(member), body, env, value) {
                return true;
            }
        }
        env[usize::from(*variable)] = UNKNOWN;
        false
    }

    fn before(self, first: &Term, second: &Term, env: &Env) -> Option<bool> {
        let (a, b) = (self.member(first, env)?, self.member(second, env)?);
        let order = self.layout.order.expect("the layout has looked for comparisons");
        Some(self.structure.bytes[self.layout.block(a, b, order)])
            .filter(|code| *code != UNKNOWN)
            .map(|code| code == 1)
    }
}

/// The bit of a member; none for anything else.
pub(crate) fn bit(member: u8) -> u32 {
    if usize::from(member) < MOST_MEMBERS { 1 << member } else { 0 }
}

fn equal(left: u8, right: u8) -> Option<bool> {
    match (left, right) {
        (UNKNOWN, _) | (_, UNKNOWN) | (OTHER, OTHER) => None,
        _ => Some(left == right),
    }
}
