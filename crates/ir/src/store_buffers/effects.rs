//! Buffered writes: what an entry of a store buffer does to memory.

use super::Unsupported;
use crate::{
    Domain, Formula, Linear, Model, Quantifier, Relation, Sort, Symbol, SymbolId, Term, Update, Value, Var,
};

/// The variable of the process that owns the buffer, in effects.
pub(super) const OWNER: Var = Var(0);

/// What an entry does to memory. Two transitions with the same effects make the same entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// One effect for each symbol.
    pub effects: Vec<Effect>,
    /// The positions of its arguments among those of a slot.
    pub arguments: Vec<usize>,
}

/// The cells of one symbol that an entry writes, and their values.
///
/// Variable 0 is the owner of the buffer, those after it are the indices of the cell, and nothing else is free. The
/// arguments of the entry are written as placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// The weak variable or array that is written.
    pub symbol: SymbolId,
    /// The first arm that applies to a cell says what is written there; if none does, nothing is.
    pub arms: Vec<EffectArm>,
}

/// A value, and the cells to which an entry writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectArm {
    /// Which cells it is about: a condition on their indices.
    pub condition: Formula,
    /// The value; `None` if the cells are not written.
    pub value: Option<Term>,
}

/// A placeholder for an argument, by its position among those of the write.
fn argument(at: usize) -> Term {
    Term::read(SymbolId(u32::MAX - u32::try_from(at).expect("few arguments")), vec![])
}

/// The position of the argument that a term is a placeholder for.
fn argument_at(term: &Term, arguments: usize) -> Option<usize> {
    (0..arguments).find(|at| *term == argument(*at))
}

impl Write {
    /// The effect on a symbol, if there is one.
    pub fn effect(&self, symbol: SymbolId) -> Option<&Effect> {
        self.effects.iter().find(|effect| effect.symbol == symbol)
    }

    /// The arms of an effect for a buffer of `owner`, a cell with these indices, and given arguments.
    pub fn arms(
        &self,
        effect: &Effect,
        owner: &Term,
        indices: &[Term],
        arguments: &[Term],
        equal: &impl Fn(&Term, &Term) -> Option<bool>,
    ) -> Vec<EffectArm> {
        let fill = |term: &Term| match term {
            Term::Var(var) if *var == OWNER => Some(owner.clone()),
            Term::Var(var) => indices.get(var.index() - 1).cloned(),
            other => argument_at(other, arguments.len()).map(|at| arguments[at].clone()),
        };
        let arm = |arm: &EffectArm| EffectArm {
            condition: arm.condition.rewrite(&fill, equal),
            value: arm.value.as_ref().map(|value| value.rewrite(&fill)),
        };
        effect.arms.iter().map(arm).filter(|arm| arm.condition != Formula::False).collect()
    }
}

/// An argument of a write while its transition is lowered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Argument {
    /// The value that the transition computes.
    pub(super) value: Value,
    /// What the slot needs to hold.
    pub(super) shape: Shape,
}

/// What an argument of a slot can hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) sort: Sort,
    pub(super) domain: Domain,
    pub(super) holds_outsiders: bool,
    /// A symbol with values of this sort, and the number of its indices.
    pub(super) like: Option<(SymbolId, usize)>,
}

impl Shape {
    /// What holds the values of a symbol.
    fn of(symbol: &Symbol, id: SymbolId) -> Shape {
        Shape {
            sort: symbol.sort,
            domain: symbol.domain,
            holds_outsiders: symbol.holds_outsiders,
            like: Some((id, symbol.arity)),
        }
    }

    /// Whether a slot can use the same array for both.
    pub(super) fn fits(&self, other: &Shape) -> bool {
        self.sort == other.sort && self.domain == other.domain
    }
}

/// Finds the effects of a transition, and the arguments that they need.
pub(super) struct Effects<'m> {
    pub(super) model: &'m Model,
    /// The process whose transition it is.
    pub(super) actor: Var,
    pub(super) arguments: Vec<Argument>,
}

impl Effects<'_> {
    /// The effect of an update whose conditions mention nothing that changes but cells and arguments of comparisons.
    pub(super) fn effect(&mut self, update: &Update) -> Result<Effect, Unsupported> {
        let mut arms = Vec::new();
        for arm in &update.arms {
            let condition = self.formula(&arm.condition, update)?;
            let value = match &arm.value {
                Value::Keep => None,
                Value::Any if !selects_one_cell(&arm.condition, &update.cell) => {
                    return Err(unsupported("a buffered write of any value to several cells", update));
                }
                Value::Any => Some(self.argument(Value::Any, self.shape_of(update.symbol))),
                Value::Term(term) => Some(self.term(term, update, self.shape_of(update.symbol))?),
            };
            arms.push(EffectArm { condition, value });
        }
        while arms.last().is_some_and(|arm| arm.value.is_none()) {
            arms.pop();
        }
        Ok(Effect { symbol: update.symbol, arms })
    }

    fn shape_of(&self, symbol: SymbolId) -> Shape {
        Shape::of(self.model.symbol(symbol), symbol)
    }

    fn formula(&mut self, formula: &Formula, update: &Update) -> Result<Formula, Unsupported> {
        Ok(match formula {
            Formula::True | Formula::False => formula.clone(),
            Formula::Compare(relation, left, right) => {
                let (left, right) = (self.side(left, update)?, self.side(right, update)?);
                Formula::compare(*relation, left, right)
            }
            Formula::Not(inner) => self.formula(inner, update)?.not(),
            Formula::And(parts) => Formula::and(self.formulas(parts, update)?),
            Formula::Or(parts) => Formula::or(self.formulas(parts, update)?),
            Formula::Iff(left, right) => self.formula(left, update)?.iff(self.formula(right, update)?),
            Formula::If(condition, then, otherwise) => Formula::if_then_else(
                self.formula(condition, update)?,
                self.formula(then, update)?,
                self.formula(otherwise, update)?,
            ),
            Formula::Quantified { .. } | Formula::Fence => {
                return Err(unsupported("a buffered write to cells that a quantifier selects", update));
            }
        })
    }

    fn formulas(&mut self, parts: &[Formula], update: &Update) -> Result<Vec<Formula>, Unsupported> {
        parts.iter().map(|part| self.formula(part, update)).collect()
    }

    /// One side of a comparison.
    fn side(&mut self, term: &Term, update: &Update) -> Result<Term, Unsupported> {
        let shape = match term {
            Term::Read { symbol, .. } => self.shape_of(*symbol),
            Term::Var(_) | Term::Process(_) | Term::Outsider(_) => Shape::plain(Sort::Proc),
            Term::Constructor(id, _) => Shape::plain(Sort::Enum(*id)),
            Term::Linear(Linear { sort, .. }) => Shape::plain(*sort),
            Term::ProcessCount | Term::Count { .. } => Shape::plain(Sort::Int),
        };
        self.term(term, update, shape)
    }

    /// The term with whatever may change before the entry reaches memory replaced by arguments.
    fn term(&mut self, term: &Term, update: &Update, shape: Shape) -> Result<Term, Unsupported> {
        let cell = |var: &Var| update.cell.iter().position(|cell| cell == var);
        match term {
            Term::Var(var) if *var == self.actor => Ok(Term::Var(OWNER)),
            Term::Var(var) => Ok(match cell(var) {
                Some(at) => Term::Var(Var::from_index(at + 1)),
                None => self.argument(Value::Term(term.clone()), Shape::plain(Sort::Proc)),
            }),
            Term::Process(_) | Term::Outsider(_) | Term::Constructor(..) | Term::ProcessCount => {
                Ok(term.clone())
            }
            Term::Linear(linear) if linear.parts.is_empty() => Ok(term.clone()),
            Term::Read { symbol, indices, .. } if self.model.symbol(*symbol).constant => {
                let indices: Result<Vec<Term>, Unsupported> =
                    indices.iter().map(|index| self.term(index, update, Shape::plain(Sort::Proc))).collect();
                Ok(Term::read(*symbol, indices?))
            }
            _ if update.cell.iter().any(|cell| term.mentions(*cell)) => {
                Err(unsupported("a buffered write of a different value to each cell", update))
            }
            _ => Ok(self.argument(Value::Term(term.clone()), shape)),
        }
    }

    /// The placeholder of an argument; equal values share one.
    fn argument(&mut self, value: Value, shape: Shape) -> Term {
        let argument_of = Argument { value, shape };
        let shared = |known: &Argument| {
            matches!(known.value, Value::Term(_))
                && known.value == argument_of.value
                && known.shape.fits(&argument_of.shape)
        };
        let at = self.arguments.iter().position(shared).unwrap_or_else(|| {
            self.arguments.push(argument_of.clone());
            self.arguments.len() - 1
        });
        argument(at)
    }
}

impl Shape {
    /// What holds every value of a sort.
    fn plain(sort: Sort) -> Shape {
        Shape { sort, domain: Domain::Full, holds_outsiders: false, like: None }
    }
}

/// Whether a condition has an equation for each index of the cell.
fn selects_one_cell(condition: &Formula, cell: &[Var]) -> bool {
    let fixed = |index: &Term| !cell.iter().any(|cell| index.mentions(*cell));
    let selects = |of: &Var, conjunct: &Formula| match conjunct {
        Formula::Compare(Relation::Eq, Term::Var(var), index) => var == of && fixed(index),
        _ => false,
    };
    cell.iter().all(|of| condition.conjuncts().iter().any(|conjunct| selects(of, conjunct)))
}

pub(super) fn unsupported(what: &str, update: &Update) -> Unsupported {
    Unsupported { what: what.to_owned(), at: update.at }
}

/// The parts of a condition that do not depend on the cell and whose truth may change: the transition is split by them.
pub(super) fn atoms(formula: &Formula, update: &Update, found: &mut Vec<Formula>) {
    let depends_on_cell = update.cell.iter().any(|cell| formula.mentions_variable(*cell));
    match formula {
        Formula::True | Formula::False => {}
        _ if !depends_on_cell => {
            if !found.contains(formula) {
                found.push(formula.clone());
            }
        }
        Formula::Not(inner) => atoms(inner, update, found),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().for_each(|part| atoms(part, update, found));
        }
        Formula::Iff(left, right) => {
            atoms(left, update, found);
            atoms(right, update, found);
        }
        Formula::If(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|part| atoms(part, update, found));
        }
        Formula::Compare(..) | Formula::Quantified { .. } | Formula::Fence => {}
    }
}

/// The formula where some sub-formulas have known truth values.
pub(super) fn decide(formula: &Formula, known: &[(Formula, bool)]) -> Formula {
    if let Some((_, truth)) = known.iter().find(|(atom, _)| atom == formula) {
        return if *truth { Formula::True } else { Formula::False };
    }
    let part = |part: &Formula| decide(part, known);
    match formula {
        Formula::Not(inner) => part(inner).not(),
        Formula::And(parts) => Formula::and(parts.iter().map(part)),
        Formula::Or(parts) => Formula::or(parts.iter().map(part)),
        Formula::Iff(left, right) => part(left).iff(part(right)),
        Formula::If(condition, then, otherwise) => {
            Formula::if_then_else(part(condition), part(then), part(otherwise))
        }
        other => other.clone(),
    }
}

impl Formula {
    /// The formula with terms replaced from the outside in, where `change` returns one. Equations between processes whose
    /// truth `equal` knows are decided.
    pub(super) fn rewrite(
        &self,
        change: &impl Fn(&Term) -> Option<Term>,
        equal: &impl Fn(&Term, &Term) -> Option<bool>,
    ) -> Formula {
        let part = |formula: &Formula| formula.rewrite(change, equal);
        match self {
            Formula::True | Formula::False | Formula::Fence => self.clone(),
            Formula::Compare(relation, left, right) => {
                compare(*relation, left.rewrite(change), right.rewrite(change), equal)
            }
            Formula::Not(inner) => part(inner).not(),
            Formula::And(parts) => Formula::and(parts.iter().map(part)),
            Formula::Or(parts) => Formula::or(parts.iter().map(part)),
            Formula::Iff(left, right) => part(left).iff(part(right)),
            Formula::If(condition, then, otherwise) => {
                Formula::if_then_else(part(condition), part(then), part(otherwise))
            }
            Formula::Quantified { quantifier, variables, apart_from, body } => {
                quantified(*quantifier, variables, apart_from, part(body))
            }
        }
    }
}

fn quantified(quantifier: Quantifier, variables: &[Var], apart_from: &[Var], body: Formula) -> Formula {
    Formula::quantified(quantifier, variables.to_vec(), apart_from.to_vec(), body)
}

/// A comparison, decided where `equal` knows.
pub(super) fn compare(
    relation: Relation,
    left: Term,
    right: Term,
    equal: &impl Fn(&Term, &Term) -> Option<bool>,
) -> Formula {
    let known = equal(&left, &right);
    match (relation, known) {
        (Relation::Eq, Some(truth)) => truth_of(truth),
        (Relation::Neq, Some(truth)) => truth_of(!truth),
        _ => Formula::compare(relation, left, right),
    }
}

fn truth_of(truth: bool) -> Formula {
    if truth { Formula::True } else { Formula::False }
}

impl Term {
    /// The term with sub-terms replaced from the outside in, where `change` returns one.
    pub(super) fn rewrite(&self, change: &impl Fn(&Term) -> Option<Term>) -> Term {
        if let Some(other) = change(self) {
            return other;
        }
        let part = |term: &Term| term.rewrite(change);
        match self {
            Term::Read { symbol, indices, reader } => Term::Read {
                symbol: *symbol,
                indices: indices.iter().map(part).collect(),
                reader: reader.as_ref().map(|reader| Box::new(part(reader))),
            },
            Term::Linear(linear) => linear.map(part),
            Term::Count { symbol, row, value } => Term::Count {
                symbol: *symbol,
                row: row.iter().map(part).collect(),
                value: value.as_ref().map(|value| Box::new(part(value))),
            },
            other => other.clone(),
        }
    }
}
