//! Formulas of a model over structures, in three-valued logic: what is not known is neither true nor false.

use crate::Unsupported;
use crate::layout::{Layout, MOST_MEMBERS, OTHER, Place, UNKNOWN, outsider};
use crate::numbers::{self, Point, is_number};
use crate::structure::Structure;
use ir::{self, Model, Quantifier, Relation, Var};

/// Items have fewer variables than this.
pub(crate) const MOST_VARIABLES: usize = 48;

/// The members that variables stand for; `UNKNOWN` if they are not bound.
pub(crate) type Env = [u8; MOST_VARIABLES];

/// No variable is bound.
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

/// A number of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    Zero,
    Global(usize),
    Cell(usize, Term),
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
    /// The first number exceeds the second by no more than this.
    AtMost(Number, Number, i32),
    /// Never known.
    Perhaps,
    /// Not known until all of some variables are bound.
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
    /// The body of the guard that the context is about, if there is one.
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
                variables: slots_of(variables)?,
                apart_from: slots_of(apart_from)?,
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
        if is_number(self.model, left) || is_number(self.model, right) {
            return self.number_comparison(relation, left, right);
        }
        let (a, b) = (self.term(left)?, self.term(right)?);
        Ok(match relation {
            Relation::Eq => Formula::Equal(a, b),
            Relation::Neq => Formula::Not(Box::new(Formula::Equal(a, b))),
            Relation::Lt => Formula::Before(a, b),
            Relation::Le => Formula::Or(vec![Formula::Before(a.clone(), b.clone()), Formula::Equal(a, b)]),
        })
    }

    fn number_comparison(
        self,
        relation: Relation,
        left: &ir::Term,
        right: &ir::Term,
    ) -> Result<Formula, Unsupported> {
        let Some((more, less, constant)) = numbers::difference(left, right) else {
            return Ok(Formula::Perhaps);
        };
        let (a, b) = (self.number(more.as_ref())?, self.number(less.as_ref())?);
        let at_most = |most: i32| Formula::AtMost(a.clone(), b.clone(), most);
        let equal = || {
            let at_least = Formula::AtMost(b.clone(), a.clone(), constant);
            Formula::And(vec![at_most(-constant), at_least])
        };
        Ok(match relation {
            Relation::Eq => equal(),
            Relation::Neq => Formula::Not(Box::new(equal())),
            Relation::Le => at_most(-constant),
            Relation::Lt => at_most(-constant - 1),
        })
    }

    /// A number; no term is zero.
    pub(crate) fn number(self, term: Option<&ir::Term>) -> Result<Number, Unsupported> {
        let Some(term) = term else { return Ok(Number::Zero) };
        match term {
            ir::Term::Read { symbol, indices, .. } => match self.layout.places[symbol.index()] {
                Place::Number(at) => Ok(Number::Global(at)),
                Place::NumberCell(cell) => Ok(Number::Cell(cell, self.term(&indices[0])?)),
                _ => unreachable!("of sort int"),
            },
            ir::Term::ProcessCount => Err(Unsupported::new("`SYS_PROCS`", None)),
            ir::Term::Count { .. } => Err(Unsupported::new("`count`", None)),
            _ => unreachable!("no other term is a number"),
        }
    }

    pub(crate) fn term(self, term: &ir::Term) -> Result<Term, Unsupported> {
        Ok(match term {
            ir::Term::Var(var) => Term::Var(slot_of(*var)?),
            ir::Term::Outsider(id) => Term::Constant(outsider(*id)),
            ir::Term::Constructor(_, at) => Term::Constant(u8::try_from(*at).unwrap_or(u8::MAX)),
            ir::Term::Read { symbol, indices, .. } => {
                let index = |at: usize| self.term(&indices[at]).map(Box::new);
                match self.layout.places[symbol.index()] {
                    Place::Global(at) => Term::Global(at),
                    Place::Cell(cell) => Term::Cell(cell, index(0)?),
                    Place::Block(block) => Term::Block(block, index(0)?, index(1)?),
                    Place::Number(_) | Place::NumberCell(_) => unreachable!("numbers are compared as such"),
                }
            }
            ir::Term::Process(_) => return Err(Unsupported::new("named processes", None)),
            ir::Term::Linear(_) => unreachable!("numbers are compared as such"),
            ir::Term::ProcessCount => return Err(Unsupported::new("`SYS_PROCS`", None)),
            ir::Term::Count { .. } => return Err(Unsupported::new("`count`", None)),
        })
    }
}

pub(crate) fn slot_of(var: Var) -> Result<u8, Unsupported> {
    u8::try_from(var.index())
        .ok()
        .filter(|number| usize::from(*number) < MOST_VARIABLES)
        .ok_or_else(|| Unsupported::new("an item with that many variables", None))
}

pub(crate) fn slots_of(variables: &[Var]) -> Result<Vec<u8>, Unsupported> {
    variables.iter().map(|var| slot_of(*var)).collect()
}

/// A structure in which formulas are evaluated.
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
            Formula::AtMost(left, right, most) => {
                let (a, b) = (self.point(left, env)?, self.point(right, env)?);
                let (least, greatest) = match &self.layout.numbers {
                    Some(numbers) => numbers.difference(self.layout, self.structure, a, b),
                    // Both are zero.
                    None => (0, 0),
                };
                if greatest <= *most { Some(true) } else { (least > *most).then_some(false) }
            }
            Formula::Perhaps => None,
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

    /// The number of a structure, if its process is a member.
    pub(crate) fn point(self, number: &Number, env: &Env) -> Option<Point> {
        Some(match number {
            Number::Zero => Point::Zero,
            Number::Global(at) => Point::Global(*at),
            Number::Cell(cell, index) => Point::Cell(*cell, self.member(index, env)?),
        })
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

/// The bit of a member; 0 for any other code.
pub(crate) fn bit(member: u8) -> u32 {
    if usize::from(member) < MOST_MEMBERS { 1 << member } else { 0 }
}

fn equal(left: u8, right: u8) -> Option<bool> {
    match (left, right) {
        (UNKNOWN, _) | (_, UNKNOWN) | (OTHER, OTHER) => None,
        _ => Some(left == right),
    }
}
