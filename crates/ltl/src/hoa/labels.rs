//! Labels and acceptance conditions of the Hanoi format.

use super::{
    HoaError,
    reading::Reader,
    tokens::{Token, error},
};
use crate::bdd::Bdd;

/// The deepest nesting of parentheses and negations.
const MOST_NESTING: usize = 200;

/// A set of the file that must be visited infinitely often, or whose complement must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Inf {
    pub(super) set: u64,
    pub(super) complement: bool,
}

/// An acceptance condition: all of these. `None` if it is false.
pub(super) type Acceptance = Option<Vec<Inf>>;

impl Reader {
    /// `[label]` was opened; reads up to its end.
    pub(super) fn label(&mut self) -> Result<Bdd, HoaError> {
        self.any_of(0)
    }

    fn any_of(&mut self, nesting: usize) -> Result<Bdd, HoaError> {
        let mut any = self.all_of(nesting)?;
        while self.accept(&Token::Symbol('|')) {
            let next = self.all_of(nesting)?;
            any = self.diagrams.or(any, next);
        }
        Ok(any)
    }

    fn all_of(&mut self, nesting: usize) -> Result<Bdd, HoaError> {
        let mut all = self.literal(nesting)?;
        while self.accept(&Token::Symbol('&')) {
            let next = self.literal(nesting)?;
            all = self.diagrams.and(all, next);
        }
        Ok(all)
    }

    fn literal(&mut self, nesting: usize) -> Result<Bdd, HoaError> {
        let line = self.line();
        if nesting == MOST_NESTING {
            return Err(error(line, "this label is nested too deep".into()));
        }
        match self.next("a label")? {
            Token::Name(name) if name == "t" => Ok(Bdd::TRUE),
            Token::Name(name) if name == "f" => Ok(Bdd::FALSE),
            Token::Number(atom) => match usize::try_from(atom).ok().filter(|atom| *atom < self.atoms.len()) {
                Some(atom) => {
                    Ok(self.diagrams.literal(u32::try_from(atom).expect("there is a limit on atoms"), true))
                }
                None => {
                    Err(error(line, format!("there is no atom {atom}: `AP:` lists {}", self.atoms.len())))
                }
            },
            Token::Alias(name) => self
                .aliases
                .get(&name)
                .copied()
                .ok_or_else(|| error(line, format!("the alias `@{name}` is not defined before this"))),
            Token::Symbol('!') => {
                let inner = self.literal(nesting + 1)?;
                Ok(self.diagrams.not(inner))
            }
            Token::Symbol('(') => {
                let inner = self.any_of(nesting + 1)?;
                self.expect(&Token::Symbol(')'))?;
                Ok(inner)
            }
            other => Err(error(line, format!("expected a label, not {}", other.show()))),
        }
    }

    /// `Inf(0) & Inf(!1)`, `t` or `f`.
    pub(super) fn acceptance(&mut self, sets: u64) -> Result<Acceptance, HoaError> {
        let mut all: Acceptance = Some(vec![]);
        loop {
            let part = self.acceptance_part(sets, 0)?;
            all = all.zip(part).map(|(mut all, part)| {
                all.extend(part);
                all
            });
            if !self.accept(&Token::Symbol('&')) {
                break;
            }
        }
        self.refuse_disjunction()?;
        Ok(all)
    }

    fn refuse_disjunction(&mut self) -> Result<(), HoaError> {
        let line = self.line();
        if self.accept(&Token::Symbol('|')) { Err(not_buchi(line, "a disjunction")) } else { Ok(()) }
    }

    fn acceptance_part(&mut self, sets: u64, nesting: usize) -> Result<Acceptance, HoaError> {
        let line = self.line();
        if nesting == MOST_NESTING {
            return Err(error(line, "this condition is nested too deep".into()));
        }
        match self.next("an acceptance condition")? {
            Token::Name(name) if name == "t" => Ok(Some(vec![])),
            Token::Name(name) if name == "f" => Ok(None),
            Token::Name(name) if name == "Inf" => {
                self.expect(&Token::Symbol('('))?;
                let complement = self.accept(&Token::Symbol('!'));
                let set = self.number("the number of a set")?;
                if set >= sets {
                    return Err(error(line, format!("there is no set {set}: there are {sets}")));
                }
                self.expect(&Token::Symbol(')'))?;
                Ok(Some(vec![Inf { set, complement }]))
            }
            Token::Name(name) if name == "Fin" => Err(not_buchi(line, "`Fin`")),
            Token::Symbol('(') => {
                let mut inner = self.acceptance_part(sets, nesting + 1)?;
                while self.accept(&Token::Symbol('&')) {
                    let part = self.acceptance_part(sets, nesting + 1)?;
                    inner = inner.zip(part).map(|(mut all, part)| {
                        all.extend(part);
                        all
                    });
                }
                self.refuse_disjunction()?;
                self.expect(&Token::Symbol(')'))?;
                Ok(inner)
            }
            other => Err(error(line, format!("expected an acceptance condition, not {}", other.show()))),
        }
    }
}

fn not_buchi(line: usize, what: &str) -> HoaError {
    error(line, format!("only generalised Büchi acceptance is supported, not {what}"))
}
